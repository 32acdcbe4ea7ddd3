"""Theorems of a set whose size is an option: for every value of it at once, as an unknown number.

In: a table, and an expression that is true at it. Out: the option for whose every value it is true, from its lowest
on, however large the set; None where that is not shown. A tile is the numbers in its name, which lie in the ranges of
the set; so what is asked of all tiles is asked of all such numbers:

    bones: one of each "{high}-{low}" for high in 0 to double, low in 0 to high
    every t in tiles: t's high <= double        0 <= low <= high <= double  implies  high <= double

A number of tiles is compared with a small number only: there are at least so many where so many different ones are.
Sums, scores, shapes and whatever asks for players are not put so, and neither is a set of several groups.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations, count
from typing import Any

import z3

from golpae.elaborate.instance import Instance, holes, values_of
from golpae.ir import expr as ir
from golpae.ir.dependencies import nodes_through
from golpae.ir.types import Tile
from golpae.prove.solving.solver import UNSAT, Limits, Solver
from golpae.prove.symbolic.values import Unsupported

SECONDS = 5  # for the one question
MOST = 6  # tiles that a number of tiles is compared with


@dataclass(frozen=True, slots=True)
class _Tile:
    """A tile, as the numbers in its name."""

    numbers: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class _Tiles:
    """Tiles of the set, each at most once: those for which a question is true."""

    has: Callable[[_Tile], Any]


def for_all_values(table: Instance, expr: ir.Expr, solver: Solver) -> str | None:
    """The option for whose every value an expression is true, in words; None where this is not shown."""
    definitions = {d.name: d for d in table.rule_set.definitions}
    tests = [expr.args[0]] if isinstance(expr, ir.Op) and expr.op == "implies" else []
    if any(isinstance(n, ir.OptionRead) for test in tests for n in nodes_through(test, definitions)):
        return None  # it speaks of some values only
    group = table.rule_set.tiles.groups[0]
    said = [e for r in group.ranges for e in (r.low, r.high)]
    options = {
        n.name for e in (expr, *said) for n in nodes_through(e, definitions) if isinstance(n, ir.OptionRead)
    }
    if len(options) != 1:
        return None
    [option] = options
    try:
        set_ = _Set(table, option)
        goal = z3.Not(set_.truth(expr, {}))
    except Unsupported:
        return None
    limits = Limits(min(solver.limits.milliseconds, 1000 * SECONDS), solver.limits.megabytes)
    asking = Solver(limits, solver.smt2, solver.crosscheck, f"{solver.prefix}every-{option}-", solver.queries)
    low = values_of(table.rule_set, option).start
    reply = asking.check(f"for every {option}", [set_.value >= low, goal])
    solver.queries = asking.queries
    return f"{option} from {low} on" if reply.status == UNSAT and not asking.unconfirmed else None


class _Set:
    """Expressions over the tiles of one set, whose option is `value`."""

    def __init__(self, table: Instance, option: str) -> None:
        tiles = table.rule_set.tiles
        self.group = tiles.groups[0]
        ranges = [r.name for r in self.group.ranges]
        if (
            len(tiles.groups) != 1
            or self.group.copies != 1
            or self.group.names
            or tiles.withdrawn is not None
        ):
            raise Unsupported("a set of several groups")
        pattern = self.group.pattern or ""
        if {*holes(pattern)} != {*ranges} or {*tiles.attributes} != {*ranges} or "}{" in pattern:
            raise Unsupported("tiles that are more than their numbers")
        self.ranges = self.group.ranges
        self.at = {name: i for i, name in enumerate(ranges)}
        self.named = {k.name: k for k in table.kinds}
        self.order = {name: i for i, name in enumerate(tiles.attributes)}
        self.definitions = {d.name: d for d in table.rule_set.definitions}
        self.option = option
        self.value = z3.Int(option)
        self._number = count()

    # ------------------------------------------------------------------ expressions

    def truth(self, expr: ir.Expr, names: Mapping[str, Any]) -> Any:
        found = self.of(expr, names)
        if isinstance(found, bool):
            return z3.BoolVal(found)
        if isinstance(found, z3.BoolRef):
            return found
        raise Unsupported("what is neither yes nor no")

    def number(self, expr: ir.Expr, names: Mapping[str, Any]) -> Any:
        found = self.of(expr, names)
        if isinstance(found, bool) or not isinstance(found, int | z3.ArithRef):
            raise Unsupported("what is no number")
        return found

    def tile(self, expr: ir.Expr, names: Mapping[str, Any]) -> _Tile:
        found = self.of(expr, names)
        if not isinstance(found, _Tile):
            raise Unsupported("what is no tile")
        return found

    def tiles(self, expr: ir.Expr, names: Mapping[str, Any]) -> _Tiles:
        found = self.of(expr, names)
        if not isinstance(found, _Tiles):
            raise Unsupported("what are no tiles of the set")
        return found

    def of(self, expr: ir.Expr, names: Mapping[str, Any]) -> Any:
        """The value of an expression. Raises `Unsupported`."""
        match expr:
            case ir.Const(value=str(name), type=Tile()):
                kind = self.named[name]
                return _Tile(tuple(kind.attributes[self.order[r.name]] for r in self.ranges))
            case ir.Const(value=bool() | int() as value):
                return value
            case ir.Local(name=name):
                return names[name]
            case ir.OptionRead(name=name) if name == self.option:
                return self.value
            case ir.Attr(name=name, tile=tile) if name in self.at:
                return self.tile(tile, names).numbers[self.at[name]]
            case ir.Builtin(name="tiles" | "kinds") | ir.Group():
                return _Tiles(lambda t: True)
            case ir.CallDef(name=name, args=args):
                definition = self.definitions[name]
                inner = {p.name: self.of(a, names) for p, a in zip(definition.params, args, strict=True)}
                if definition.single:
                    return self.of(definition.cases[0].expr, inner)
                return z3.Or(*(self.truth(c.expr, inner) for c in definition.cases))
            case ir.BagOf(items=items):
                return self._written(items)
            case ir.Fold(kind="those", names=(name,), domain=domain, item=None, test=test):
                return self._those(name, domain, test, names)
            case ir.Fold(kind="each", names=(name,), domain=domain, item=ir.Local(name=said), test=test) if (
                said == name
            ):
                return self._those(name, domain, test, names)
            case ir.Quant(kind=kind, names=bound, domain=domain, body=body, size=None):
                return self._quantified(kind, bound, self.tiles(domain, names), body, names)
            case ir.If(test=test, yes=yes, no=no):
                ways = [self.of(yes, names), self.of(no, names)]
                if any(isinstance(way, _Tile | _Tiles) for way in ways):
                    raise Unsupported("one of two tiles")
                return z3.If(self.truth(test, names), *ways)
            case ir.Op(op=op, args=args):
                return self._op(op, args, names)
            case _:
                raise Unsupported("what is asked of known sets only")

    def _written(self, items: tuple[ir.Expr, ...]) -> _Tiles:
        found = [self.tile(item, {}) for item in items if isinstance(item, ir.Const)]
        if len({t.numbers for t in found}) != len(items):
            raise Unsupported("tiles that may be the same one")
        return _Tiles(lambda t: z3.Or(*(_same(t, other) for other in found)))

    def _those(self, name: str, domain: ir.Expr, test: ir.Expr | None, names: Mapping[str, Any]) -> _Tiles:
        tiles = self.tiles(domain, names)
        if test is None:
            return tiles
        return _Tiles(lambda t: z3.And(tiles.has(t), self.truth(test, {**names, name: t})))

    # ------------------------------------------------------------------ all tiles

    def symbols(self, name: str) -> tuple[_Tile, list[Any], list[Any]]:
        """Any tile of the set, the unknown numbers of it, and that they lie in their ranges."""
        number = next(self._number)
        unknown = [z3.Int(f"{name}.{r.name}.{number}") for r in self.ranges]
        within = []
        for i, bound in enumerate(self.ranges):
            before = {r.name: u for r, u in zip(self.ranges[:i], unknown[:i], strict=True)}
            low, high = self.number(bound.low, before), self.number(bound.high, before)
            within += [unknown[i] >= low, unknown[i] <= high]
        return _Tile(tuple(unknown)), unknown, within

    def _quantified(
        self, kind: str, bound: tuple[str, ...], domain: _Tiles, body: ir.Expr, names: Mapping[str, Any]
    ) -> Any:
        inner, unknown, start = dict(names), [], []
        for name in bound:
            inner[name], numbers, within = self.symbols(name)
            unknown += numbers
            start += [*within, domain.has(inner[name])]
        start += [z3.Not(_same(inner[a], inner[b])) for a, b in combinations(bound, 2)]
        found = self.truth(body, inner)
        if kind == "every":
            return z3.ForAll(unknown, z3.Implies(z3.And(*start), found))
        some = z3.Exists(unknown, z3.And(*start, found))
        return some if kind == "some" else z3.Not(some)

    def _at_least(self, expr: ir.Fold, often: int, names: Mapping[str, Any]) -> Any:
        """Whether at least so many tiles are such."""
        if often > MOST:
            raise Unsupported("so many tiles")
        tiles = self._those(expr.names[0], expr.domain, expr.test, names)
        unknown: list[Any] = []
        start: list[Any] = []
        chosen: list[_Tile] = []
        for _ in range(max(0, often)):
            tile, numbers, within = self.symbols(expr.names[0])
            unknown += numbers
            start += [*within, tiles.has(tile)]
            if chosen:  # in one order, so that none is counted twice
                start.append(_before(chosen[-1], tile))
            chosen.append(tile)
        return z3.Exists(unknown, z3.And(*start)) if unknown else z3.BoolVal(True)

    # ------------------------------------------------------------------ operators

    def _op(self, op: str, args: tuple[ir.Expr, ...], names: Mapping[str, Any]) -> Any:
        counted = self._counting(args[0], names) if op in COMPARED or op == "member" else None
        if counted is not None:
            return self._compared(op, *counted, args[1], names)
        match op:
            case "and":
                return z3.And(*(self.truth(a, names) for a in args))
            case "or":
                return z3.Or(*(self.truth(a, names) for a in args))
            case "not":
                return z3.Not(self.truth(args[0], names))
            case "implies":
                return z3.Implies(self.truth(args[0], names), self.truth(args[1], names))
            case "member":
                return z3.And(True, self.tiles(args[1], names).has(self.tile(args[0], names)))
            case "bag_eq" | "bag_ne":
                one, other = (self.tiles(a, names) for a in args)
                tile, unknown, within = self.symbols("it")
                alike = z3.And(True, one.has(tile)) == z3.And(True, other.has(tile))
                found = z3.ForAll(unknown, z3.Implies(z3.And(*within), alike))
                return found if op == "bag_eq" else z3.Not(found)
            case "bag_sub":
                one, other = (self.tiles(a, names) for a in args)
                return _Tiles(lambda t: z3.And(one.has(t), z3.Not(z3.And(True, other.has(t)))))
            case "eq" | "ne":
                left, right = (self.of(a, names) for a in args)
                if isinstance(left, _Tile) and isinstance(right, _Tile):
                    found = _same(left, right)
                elif isinstance(left, _Tile | _Tiles) or isinstance(right, _Tile | _Tiles):
                    raise Unsupported("what may be none")
                else:
                    found = z3.And(True, left == right)
                return found if op == "eq" else z3.Not(found)
        left, *rest = (self.number(a, names) for a in args)
        match op, rest:
            case "neg", []:
                return -left
            case "add", [right]:
                return left + right
            case "sub", [right]:
                return left - right
            case "mul", [right]:
                return left * right
            case "mod", [right]:
                return _mod(left, right)
            case "lt", [right]:
                return z3.And(True, left < right)
            case "le", [right]:
                return z3.And(True, left <= right)
            case "gt", [right]:
                return z3.And(True, left > right)
            case "ge", [right]:
                return z3.And(True, left >= right)
            case _:
                raise Unsupported(f"`{op}` of unknown numbers")

    def _counting(self, expr: ir.Expr, names: Mapping[str, Any]) -> tuple[ir.Fold, Mapping[str, Any]] | None:
        """A number of tiles, itself or by a definition, with the names that it uses; None for other numbers."""
        match expr:
            case ir.Fold(kind="count", names=(_,), size=None):
                return expr, names
            case ir.CallDef(name=name, args=args) if self.definitions[name].single:
                definition = self.definitions[name]
                inner = {p.name: self.of(a, names) for p, a in zip(definition.params, args, strict=True)}
                return self._counting(definition.cases[0].expr, inner)
            case _:
                return None

    def _compared(
        self, op: str, fold: ir.Fold, inside: Mapping[str, Any], other: ir.Expr, names: Mapping[str, Any]
    ) -> Any:
        """A number of tiles against a known number, or in some known numbers."""
        if op == "member":
            if not isinstance(other, ir.BagOf):
                raise Unsupported("a number among unknown ones")
            return z3.Or(*(self._compared("eq", fold, inside, item, names) for item in other.items))
        number = self.number(other, names)
        if not isinstance(number, int):
            raise Unsupported("a number of tiles against an unknown one")
        least, more = self._at_least(fold, number, inside), self._at_least(fold, number + 1, inside)
        return {
            "eq": z3.And(least, z3.Not(more)),
            "ne": z3.Not(z3.And(least, z3.Not(more))),
            "ge": least,
            "gt": more,
            "lt": z3.Not(least),
            "le": z3.Not(more),
        }[op]


COMPARED = frozenset({"eq", "ne", "lt", "le", "gt", "ge"})


def _same(one: _Tile, other: _Tile) -> Any:
    return z3.And(*(z3.And(True, a == b) for a, b in zip(one.numbers, other.numbers, strict=True)))


def _before(one: _Tile, other: _Tile) -> Any:
    """Whether a tile comes before another, by its numbers from the first on."""
    found: Any = z3.BoolVal(False)
    for a, b in reversed(list(zip(one.numbers, other.numbers, strict=True))):
        found = z3.Or(a < b, z3.And(a == b, found))
    return found


def _mod(left: Any, right: Any) -> Any:
    """The rest of a division, said without one where the number is less than twice what it is divided by."""
    if isinstance(left, int) and isinstance(right, int):
        return left % right if right else 0
    near = z3.If(left < right, left, left - right)
    rest = z3.Function("rest", z3.IntSort(), z3.IntSort(), z3.IntSort())  # whatever it is beyond
    return z3.If(z3.And(right > 0, left >= 0, left < 2 * right), near, rest(left, right))
