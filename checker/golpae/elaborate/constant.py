"""Values that are fixed before a hand begins: bounds, sizes, withdrawn tiles.

Input: an IR expression, the number of players and the options. Output: its value, or `NotConstant` if it reads a game
in progress.
Guarantee: an expression takes a bounded number of steps; numbers and ranges stay within bounds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Literal, TypeVar, assert_never

from golpae.ir import expr as ir
from golpae.ir.ruleset import Definition
from golpae.records import dataclass

Item = TypeVar("Item")
Value = int | bool | str | None | list["Value"]
LARGEST = 1 << 62
WIDEST = 100_000  # numbers in one range
MOST_STEPS = 1_000_000  # of one evaluation


class NotConstant(Exception):
    """The expression depends on a game in progress, or has no value."""


@dataclass(frozen=True, slots=True)
class StaticValues:
    """The number of players (None if it is not known yet), options, the set's tiles by name, definitions.

    `groups` are the kinds of each group, where the whole set is asked for: while tiles are withdrawn from it.
    """

    players: int | None
    options: Mapping[str, int]
    tiles: Sequence[str]
    definitions: Mapping[str, Definition]
    groups: Mapping[str, Sequence[str]] = field(default_factory=dict)


def constant(expr: ir.Expr, static: StaticValues, names: Mapping[str, Value] | None = None) -> Value:
    """Return the value of `expr`; tiles are their names, bags are lists. Raises `NotConstant`."""
    return _Evaluation(static).value(expr, dict(names or {}))


def constant_int(expr: ir.Expr, static: StaticValues, names: Mapping[str, Value] | None = None) -> int:
    """Return the value of `expr`, a number. Raises `NotConstant`."""
    value = constant(expr, static, names)
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) > LARGEST:
        raise NotConstant
    return value


def constant_or_none(expr: ir.Expr, static: StaticValues) -> int | None:
    """Return the value of `expr`, a number; None if the game decides it."""
    try:
        return constant_int(expr, static)
    except NotConstant:
        return None


class _Evaluation:
    """Evaluates one expression, in a bounded number of steps."""

    def __init__(self, static: StaticValues) -> None:
        self.static = static
        self.left = MOST_STEPS

    def value(self, expr: ir.Expr, names: dict[str, Value]) -> Value:
        value = self._value(expr, names)
        self._spend(1 + len(value) if isinstance(value, list) else 1)
        return value

    def _spend(self, steps: int) -> None:
        self.left -= steps
        if self.left < 0:
            raise NotConstant

    def _value(self, expr: ir.Expr, names: dict[str, Value]) -> Value:
        if isinstance(expr, ir.DuringGame):
            raise NotConstant
        match expr:
            case ir.Const(value=value):
                return value
            case ir.Local(name=name):
                return _entry(names, name)
            case ir.OptionRead(name=name):
                return _entry(self.static.options, name)
            case ir.Builtin(name=name, seat=_):
                return self._word(name)
            case ir.Group(name=name):
                return list(_entry(self.static.groups, name))
            case ir.BagOf(items=items):
                return [self.value(item, names) for item in items]
            case ir.If(test=test, yes=yes, no=no):
                return self.value(yes if self.value(test, names) else no, names)
            case ir.CallDef(name=name, args=args):
                definition = _entry(self.static.definitions, name)
                inner = {p.name: self.value(a, names) for p, a in zip(definition.params, args, strict=True)}
                if definition.single:
                    return self.value(definition.cases[0].expr, inner)
                return any(self.value(case.expr, inner) for case in definition.cases)
            case ir.Fold():
                return self._fold(expr, names)
            case ir.Op(op=op, args=args):
                return self._operate(op, args, names)
            case (
                ir.FitsScore()
                | ir.ScoreNumber()
                | ir.Attr()
                | ir.Faces()
                | ir.OwnValue()
                | ir.Quant()
                | ir.Ways()
                | ir.IsShape()
                | ir.LayOut()
                | ir.IsBeside()
                | ir.Parted()
                | ir.CallScore()
            ):
                raise NotConstant
            case _:
                assert_never(expr)

    def _word(self, name: ir.WordName) -> Value:
        static = self.static
        if name == "players" and static.players is not None:
            return list(range(static.players))
        if name == "tiles":
            return list(static.tiles)
        if name == "kinds":
            return [*sorted(set(static.tiles))]
        raise NotConstant

    def _fold(self, expr: ir.Fold, names: dict[str, Value]) -> Value:
        if len(expr.names) != 1 or expr.size is not None:
            raise NotConstant
        kind, [name], item, test = expr.kind, expr.names, expr.item, expr.test
        members = self.value(expr.domain, names)
        if not isinstance(members, list) or kind not in ("count", "sum", "most", "least", "those"):
            raise NotConstant
        chosen = [m for m in members if test is None or self.value(test, {**names, name: m})]
        if kind == "those":
            return chosen
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

    def _operate(self, op: ir.OpName, args: tuple[ir.Expr, ...], names: dict[str, Value]) -> Value:
        match op:
            case "and" | "or" | "implies":
                left = bool(self.value(args[0], names))
                if op == "and":
                    return left and bool(self.value(args[1], names))
                return bool(self.value(args[1], names)) if left is (op == "implies") else True
            case "not":
                return not self.value(args[0], names)
            case "eq":
                return self.value(args[0], names) == self.value(args[1], names)
            case "size":
                return len(as_list(self.value(args[0], names)))
            case "bag_add":
                first, second = (as_list(self.value(a, names)) for a in args)
                return first + second
            case "bag_sub":
                return self._without(*(as_list(self.value(a, names)) for a in args))
            case "neg" | "add" | "sub" | "mul" | "div" | "mod" | "pow" | "lt" | "le" | "gt" | "ge" | "range":
                return _number(op, [_int(self.value(a, names)) for a in args])
            case (
                "bag_eq" | "member" | "bag_member" | "within" | "is_none" | "kinds" | "tiles"
                | "otherwise" | "total"
            ):  # fmt: skip
                raise NotConstant
            case _:
                assert_never(op)

    def _without(self, bag: list[Value], gone: list[Value]) -> Value:
        self._spend(len(bag) * len(gone) // 64)
        rest = list(bag)
        for item in gone:
            if item in rest:
                rest.remove(item)
        return rest


def _entry(names: Mapping[str, Item], name: str) -> Item:
    if name not in names:
        raise NotConstant
    return names[name]


def as_list(value: Value) -> list[Value]:
    """Return a value that is a list. Raises `NotConstant`."""
    if not isinstance(value, list):
        raise NotConstant
    return value


def _int(value: Value) -> int:
    if not isinstance(value, int):
        raise NotConstant
    return value


NumberOp = Literal["neg", "add", "sub", "mul", "div", "mod", "pow", "lt", "le", "gt", "ge", "range"]


def _number(op: NumberOp, numbers: list[int]) -> Value:
    a = numbers[0]
    b = numbers[-1]
    if op in ("div", "mod") and b == 0:
        raise NotConstant
    if op == "pow" and not (0 <= b <= 64 and abs(a) <= 64):
        raise NotConstant
    if op == "range" and b - a > WIDEST:
        raise NotConstant
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
        case "range":
            return list(range(a, b + 1))
        case _:
            assert_never(op)
