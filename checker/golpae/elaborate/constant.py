"""Values that are known before a hand begins: bounds, sizes, withdrawn tiles.

In: an IR expression, the number of players and the options. Out: its value, or `NotConstant` where it
speaks of a game under way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from golpae.ir import expr as ir
from golpae.ir.ruleset import Definition

Value = int | bool | str | None | list["Value"]
LARGEST = 1 << 62
WIDEST = 100_000  # numbers in one range
MOST_STEPS = 1_000_000  # of finding one value


class NotConstant(Exception):
    """The expression depends on a game under way, or has no value."""


@dataclass(frozen=True, slots=True)
class StaticValues:
    """What is known: players (None before that is settled), options, the set's tiles by name, definitions."""

    players: int | None
    options: Mapping[str, int]
    tiles: Sequence[str]
    definitions: Mapping[str, Definition]


def constant(expr: ir.Expr, static: StaticValues, names: Mapping[str, Value] | None = None) -> Value:
    """The value of `expr`; tiles are their names, bags are lists. Raises `NotConstant`."""
    return _Evaluation(static).value(expr, dict(names or {}))


def constant_int(expr: ir.Expr, static: StaticValues, names: Mapping[str, Value] | None = None) -> int:
    value = constant(expr, static, names)
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) > LARGEST:
        raise NotConstant
    return value


class _Evaluation:
    """One value being found, in a bounded number of steps."""

    def __init__(self, static: StaticValues) -> None:
        self.static = static
        self.left = MOST_STEPS

    def value(self, expr: ir.Expr, names: dict[str, Value]) -> Value:
        found = self._value(expr, names)
        self._spend(1 + len(found) if isinstance(found, list) else 1)
        return found

    def _spend(self, steps: int) -> None:
        self.left -= steps
        if self.left < 0:
            raise NotConstant

    def _value(self, expr: ir.Expr, names: dict[str, Value]) -> Value:
        static = self.static
        match expr:
            case ir.Const(value=value):
                return value
            case ir.Local(name=name) if name in names:
                return names[name]
            case ir.OptionRead(name=name) if name in static.options:
                return static.options[name]
            case ir.Builtin(name="players") if static.players is not None:
                return list(range(static.players))
            case ir.Builtin(name="tiles"):
                return list(static.tiles)
            case ir.Builtin(name="kinds"):
                return [*sorted(set(static.tiles))]
            case ir.BagOf(items=items):
                return [self.value(item, names) for item in items]
            case ir.If(test=test, yes=yes, no=no):
                return self.value(yes if self.value(test, names) else no, names)
            case ir.CallDef(name=name, args=args) if name in static.definitions:
                definition = static.definitions[name]
                inner = {p.name: self.value(a, names) for p, a in zip(definition.params, args, strict=True)}
                if definition.single:
                    return self.value(definition.cases[0].expr, inner)
                return any(self.value(case.expr, inner) for case in definition.cases)
            case ir.Fold(names=(_,), size=None):
                return self._fold(expr, names)
            case ir.Op(op=op, args=args):
                return self._operate(op, args, names)
            case _:
                raise NotConstant

    def _fold(self, expr: ir.Fold, names: dict[str, Value]) -> Value:
        kind, [name], item, test = expr.kind, expr.names, expr.item, expr.test
        members = self.value(expr.domain, names)
        if not isinstance(members, list) or kind not in ("count", "sum", "most", "least"):
            raise NotConstant
        chosen = [m for m in members if test is None or self.value(test, {**names, name: m})]
        if kind == "count":
            return len(chosen)
        values = [
            v
            for m in chosen
            if item is not None and isinstance(v := self.value(item, {**names, name: m}), int)
        ]
        if kind == "sum":
            return sum(values)
        return (max if kind == "most" else min)(values, default=0)

    def _operate(self, op: str, args: tuple[ir.Expr, ...], names: dict[str, Value]) -> Value:
        if op in ("and", "or", "implies"):
            left = bool(self.value(args[0], names))
            if op == "and":
                return left and bool(self.value(args[1], names))
            return bool(self.value(args[1], names)) if left is (op == "implies") else True
        values = [self.value(a, names) for a in args]
        if op == "not":
            return not values[0]
        if op == "size" and isinstance(values[0], list):
            return len(values[0])
        if op in ("eq", "ne"):
            return (values[0] == values[1]) is (op == "eq")
        if op == "bag_add" and isinstance(values[0], list) and isinstance(values[1], list):
            return values[0] + values[1]
        if op == "bag_sub" and isinstance(values[0], list) and isinstance(values[1], list):
            self._spend(len(values[0]) * len(values[1]) // 64)
            rest = list(values[0])
            for item in values[1]:
                if item in rest:
                    rest.remove(item)
            return rest
        numbers = [v for v in values if isinstance(v, int)]
        if len(numbers) != len(values):
            raise NotConstant
        return _number(op, numbers)


def _number(op: str, numbers: list[int]) -> Value:
    a = numbers[0]
    b = numbers[-1]
    if op in ("div", "mod") and b == 0:
        raise NotConstant
    if op == "pow" and not (0 <= b <= 64 and abs(a) <= 64):
        raise NotConstant
    if op == "range":
        if b - a > WIDEST:
            raise NotConstant
        return list(range(a, b + 1))
    match op:
        case "neg":
            return -a
        case "add":
            return a + b
        case "sub":
            return a - b
        case "mul":
            return a * b
        case "div":
            return a // b
        case "mod":
            return a % b
        case "pow":
            return int(a**b)
        case "lt":
            return a < b
        case "le":
            return a <= b
        case "gt":
            return a > b
        case "ge":
            return a >= b
        case _:
            raise NotConstant
