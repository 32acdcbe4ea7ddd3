"""Theorems of a set whose size is an option, for every value of the option at once, as an unknown number.

Input: an instance, and an expression that is true of it. Output: the option for whose every value the expression is
true, from its lowest value on, however large the set; None if this is not shown.
Guarantee: an option is returned only if the solver refutes every counterexample.

A tile is the numbers in its name, which lie in the ranges of the set. A quantifier over tiles becomes one over numbers:

    bones: one of each "{high}-{low}" for high in 0 to double, low in 0 to high
    every t in tiles: t's high <= double        0 <= low <= high <= double  implies  high <= double

A number of tiles is compared with small numbers only: there are at least n tiles if n different ones exist.
Sums, scores, shapes, players and sets of several groups are not supported.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations, count
from typing import Any, Literal, assert_never

import z3

from golpae.elaborate.instance import Instance, holes, values_of
from golpae.ir import expr as ir
from golpae.ir.dependencies import nodes_through
from golpae.ir.types import Tile
from golpae.prove.solving.solver import MILLION, UNSAT, Solver, read_back
from golpae.prove.symbolic.terms import Unsupported

UNITS = 30 * MILLION  # for the only question
MOST = 6  # tiles that a number of tiles is compared with
COMPARED = frozenset({"eq", "lt", "le", "gt", "ge"})
Arithmetic = Literal["neg", "add", "sub", "mul", "mod", "lt", "le", "gt", "ge"]


@dataclass(frozen=True, slots=True)
class _Tile:
    """A tile, as the numbers in its name."""

    numbers: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class _Tiles:
    """Tiles of the set, each at most once: those for which a predicate is true."""

    contains: Callable[[_Tile], Any]


def for_all_values(instance: Instance, expr: ir.Expr, solver: Solver) -> str | None:
    """Return the option for whose every value an expression is true, in words; None if this is not shown."""
    definitions = {d.name: d for d in instance.rule_set.definitions}
    premises = [expr.args[0]] if isinstance(expr, ir.Op) and expr.op == "implies" else []
    if any(isinstance(n, ir.OptionRead) for premise in premises for n in nodes_through(premise, definitions)):
        return None  # the premise excludes some values
    group = instance.rule_set.tiles.groups[0]
    bounds = [e for r in group.ranges for e in (r.low, r.high)]
    options = {
        n.name for e in (expr, *bounds) for n in nodes_through(e, definitions) if isinstance(n, ir.OptionRead)
    }
    if len(options) != 1:
        return None
    [option] = options
    try:
        tile_set = _ParametricSet(instance, option)
        goal = z3.Not(tile_set.truth(expr, {}))
    except Unsupported:
        return None
    prefix = f"{solver.prefix}every-{option}-"
    own_solver = Solver(solver.limits, solver.smt2, solver.crosscheck, prefix, written=solver.written)
    low = values_of(instance.rule_set, option).start
    question = read_back([tile_set.option_value >= low, goal])
    reply = own_solver.check(f"for every {option}", question, UNITS)
    solver.queries, solver.written = solver.queries + own_solver.queries, own_solver.written
    solver.spent, solver.fullest = solver.spent + own_solver.spent, max(solver.fullest, own_solver.fullest)
    is_proved = reply.status == UNSAT and not own_solver.unconfirmed
    return f"{option} from {low} on" if is_proved else None


class _ParametricSet:
    """Evaluates expressions over the tiles of one set, whose option has the unknown `option_value`."""

    def __init__(self, instance: Instance, option: str) -> None:
        tiles = instance.rule_set.tiles
        self.group = tiles.groups[0]
        ranges = [r.name for r in self.group.ranges]
        if len(tiles.groups) != 1 or self.group.copies != 1 or self.group.names or tiles.bags:
            raise Unsupported("a set of several groups")
        pattern = self.group.pattern or ""
        if {*holes(pattern)} != {*ranges} or {*tiles.attributes} != {*ranges} or "}{" in pattern:
            raise Unsupported("tiles with more than numbers in their names")
        self.ranges = self.group.ranges
        self.position = {name: i for i, name in enumerate(ranges)}
        self.kinds = {k.name: k for k in instance.kinds}
        self.order = {name: i for i, name in enumerate(tiles.attributes)}
        self.definitions = {d.name: d for d in instance.rule_set.definitions}
        self.option = option
        self.option_value = z3.Int(option)
        self._number = count()

    # ------------------------------------------------------------------ expressions

    def truth(self, expr: ir.Expr, names: Mapping[str, Any]) -> Any:
        value = self.value(expr, names)
        if isinstance(value, bool):
            return z3.BoolVal(value)
        if isinstance(value, z3.BoolRef):
            return value
        raise Unsupported("a condition that is neither true nor false")

    def number(self, expr: ir.Expr, names: Mapping[str, Any]) -> Any:
        value = self.value(expr, names)
        if isinstance(value, bool) or not isinstance(value, int | z3.ArithRef):
            raise Unsupported("a value that is not a number")
        return value

    def tile(self, expr: ir.Expr, names: Mapping[str, Any]) -> _Tile:
        value = self.value(expr, names)
        if not isinstance(value, _Tile):
            raise Unsupported("a value that is not a tile")
        return value

    def tiles(self, expr: ir.Expr, names: Mapping[str, Any]) -> _Tiles:
        value = self.value(expr, names)
        if not isinstance(value, _Tiles):
            raise Unsupported("a value that is not tiles of the set")
        return value

    def value(self, expr: ir.Expr, names: Mapping[str, Any]) -> Any:
        """Return the value of an expression. Raises `Unsupported`."""
        if isinstance(expr, ir.DuringGame):
            raise Unsupported("a construct that needs a known set")
        match expr:
            case ir.Const(value=str(name), type=Tile()):
                kind = self.kinds[name]
                return _Tile(tuple(kind.attributes[self.order[r.name]] for r in self.ranges))
            case ir.Const(value=bool() | int() as value):
                return value
            case ir.Local(name=name):
                return names[name]
            case ir.OptionRead(name=name) if name == self.option:
                return self.option_value
            case ir.Attr(name=name, tile=tile) if name in self.position:
                return self.tile(tile, names).numbers[self.position[name]]
            case ir.Builtin(name="tiles" | "kinds", seat=_) | ir.Group(name=_):
                return _Tiles(lambda t: True)
            case ir.CallDef(name=name, args=args):
                definition = self.definitions[name]
                inner = {p.name: self.value(a, names) for p, a in zip(definition.params, args, strict=True)}
                if definition.single:
                    return self.value(definition.cases[0].expr, inner)
                return z3.Or(*(self.truth(c.expr, inner) for c in definition.cases))
            case ir.BagOf(items=items):
                return self._literal(items)
            case ir.Fold(kind="those", names=(name,), domain=domain, item=None, test=test, size=_):
                return self._filtered(name, domain, test, names)
            case ir.Fold(
                kind="each", names=(name,), domain=domain, item=ir.Local(name=item), test=test, size=None
            ) if item == name:
                return self._filtered(name, domain, test, names)
            case ir.Quant(kind=kind, names=bound, domain=domain, body=body, size=None):
                return self._quantified(kind, bound, self.tiles(domain, names), body, names)
            case ir.If(test=test, yes=yes, no=no):
                branches = [self.value(yes, names), self.value(no, names)]
                if any(isinstance(branch, _Tile | _Tiles) for branch in branches):
                    raise Unsupported("a choice between tiles")
                return z3.If(self.truth(test, names), *branches)
            case ir.Op(op=op, args=args):
                return self._op(op, args, names)
            case (
                ir.Const() | ir.FitsScore() | ir.ScoreNumber() | ir.Builtin() | ir.OptionRead() | ir.Attr()
                | ir.Faces() | ir.OwnValue() | ir.Quant() | ir.Ways() | ir.Fold() | ir.IsShape() | ir.LayOut()
                | ir.IsBeside() | ir.Parted() | ir.CallScore()
            ):  # fmt: skip
                raise Unsupported("a construct that needs a known set")
            case _:
                assert_never(expr)

    def _literal(self, items: tuple[ir.Expr, ...]) -> _Tiles:
        tiles = [self.tile(item, {}) for item in items if isinstance(item, ir.Const)]
        if len({t.numbers for t in tiles}) != len(items):
            raise Unsupported("tiles that may be the same one")
        return _Tiles(lambda t: z3.Or(*(_same(t, other) for other in tiles)))

    def _filtered(self, name: str, domain: ir.Expr, test: ir.Expr | None, names: Mapping[str, Any]) -> _Tiles:
        tiles = self.tiles(domain, names)
        if test is None:
            return tiles
        return _Tiles(lambda t: z3.And(tiles.contains(t), self.truth(test, {**names, name: t})))

    # ------------------------------------------------------------------ all tiles

    def any_tile(self, name: str) -> tuple[_Tile, list[Any], list[Any]]:
        """Return an unknown tile of the set, its numbers, and the facts that these lie in their ranges."""
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
            inner[name], numbers, within = self.any_tile(name)
            unknown += numbers
            start += [*within, domain.contains(inner[name])]
        start += [z3.Not(_same(inner[a], inner[b])) for a, b in combinations(bound, 2)]
        truth = self.truth(body, inner)
        if kind == "every":
            return z3.ForAll(unknown, z3.Implies(z3.And(*start), truth))
        some = z3.Exists(unknown, z3.And(*start, truth))
        return some if kind == "some" else z3.Not(some)

    def _at_least(self, expr: ir.Fold, number: int, names: Mapping[str, Any]) -> Any:
        """Return whether at least so many tiles are counted."""
        if number > MOST:
            raise Unsupported(f"counting more than {MOST} tiles")
        tiles = self._filtered(expr.names[0], expr.domain, expr.test, names)
        unknown: list[Any] = []
        start: list[Any] = []
        chosen: list[_Tile] = []
        for _ in range(max(0, number)):
            tile, numbers, within = self.any_tile(expr.names[0])
            unknown += numbers
            start += [*within, tiles.contains(tile)]
            if chosen:  # in one order, so that none is counted twice
                start.append(_before(chosen[-1], tile))
            chosen.append(tile)
        return z3.Exists(unknown, z3.And(*start)) if unknown else z3.BoolVal(True)

    # ------------------------------------------------------------------ operators

    def _op(self, op: ir.OpName, args: tuple[ir.Expr, ...], names: Mapping[str, Any]) -> Any:
        count = self._tile_count(args[0], names) if op in COMPARED or op == "member" else None
        if count is not None:
            return self._count_compared(op, *count, args[1], names)
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
                return z3.And(True, self.tiles(args[1], names).contains(self.tile(args[0], names)))
            case "bag_eq":
                one, other = (self.tiles(a, names) for a in args)
                tile, unknown, within = self.any_tile("it")
                alike = z3.And(True, one.contains(tile)) == z3.And(True, other.contains(tile))
                return z3.ForAll(unknown, z3.Implies(z3.And(*within), alike))
            case "bag_sub":
                one, other = (self.tiles(a, names) for a in args)
                return _Tiles(lambda t: z3.And(one.contains(t), z3.Not(z3.And(True, other.contains(t)))))
            case "eq":
                return self._equal(args, names)
            case "neg" | "add" | "sub" | "mul" | "mod" | "lt" | "le" | "gt" | "ge":
                return self._arithmetic(op, args, names)
            case (
                "bag_member"
                | "within"
                | "is_none"
                | "div"
                | "pow"
                | "range"
                | "bag_add"
                | "size"
                | "kinds"
                | "tiles"
                | "otherwise"
                | "total"
            ):
                raise Unsupported(f"`{op}` of unknown numbers")
            case _:
                assert_never(op)

    def _equal(self, args: tuple[ir.Expr, ...], names: Mapping[str, Any]) -> Any:
        left, right = (self.value(a, names) for a in args)
        if isinstance(left, _Tile) and isinstance(right, _Tile):
            return _same(left, right)
        if isinstance(left, _Tile | _Tiles) or isinstance(right, _Tile | _Tiles):
            raise Unsupported("a value that may be none")
        return z3.And(True, left == right)

    def _arithmetic(self, op: Arithmetic, args: tuple[ir.Expr, ...], names: Mapping[str, Any]) -> Any:
        left, *rest = (self.number(a, names) for a in args)
        if op == "neg":
            return -left
        [right] = rest
        match op:
            case "add":
                return left + right
            case "sub":
                return left - right
            case "mul":
                return left * right
            case "mod":
                return _mod(left, right)
            case "lt":
                return z3.And(True, left < right)
            case "le":
                return z3.And(True, left <= right)
            case "gt":
                return z3.And(True, left > right)
            case "ge":
                return z3.And(True, left >= right)
            case _:
                assert_never(op)

    def _tile_count(
        self, expr: ir.Expr, names: Mapping[str, Any]
    ) -> tuple[ir.Fold, Mapping[str, Any]] | None:
        """Return the count of tiles that a number is, directly or by a definition, with the names in it; else None."""
        if isinstance(expr, ir.Fold) and expr.kind == "count" and len(expr.names) == 1 and expr.size is None:
            return expr, names
        if isinstance(expr, ir.CallDef) and self.definitions[expr.name].single:
            definition = self.definitions[expr.name]
            inner = {p.name: self.value(a, names) for p, a in zip(definition.params, expr.args, strict=True)}
            return self._tile_count(definition.cases[0].expr, inner)
        return None

    def _count_compared(
        self, op: str, fold: ir.Fold, inside: Mapping[str, Any], other: ir.Expr, names: Mapping[str, Any]
    ) -> Any:
        """Return whether a count of tiles compares so with a constant, or is one of some constants."""
        if op == "member":
            if not isinstance(other, ir.BagOf):
                raise Unsupported("a number among unknown numbers")
            return z3.Or(*(self._count_compared("eq", fold, inside, item, names) for item in other.items))
        number = self.number(other, names)
        if not isinstance(number, int):
            raise Unsupported("comparing a number of tiles with an unknown number")
        least, more = self._at_least(fold, number, inside), self._at_least(fold, number + 1, inside)
        return {
            "eq": z3.And(least, z3.Not(more)),
            "ge": least,
            "gt": more,
            "lt": z3.Not(least),
            "le": z3.Not(more),
        }[op]


def _same(one: _Tile, other: _Tile) -> Any:
    return z3.And(*(z3.And(True, a == b) for a, b in zip(one.numbers, other.numbers, strict=True)))


def _before(one: _Tile, other: _Tile) -> Any:
    """Return whether a tile precedes another in the lexicographic order of their numbers."""
    before: Any = z3.BoolVal(False)
    for a, b in reversed(list(zip(one.numbers, other.numbers, strict=True))):
        before = z3.Or(a < b, z3.And(a == b, before))
    return before


def _mod(left: Any, right: Any) -> Any:
    """Return the remainder of a division, without a division if the number is less than twice the divisor."""
    if isinstance(left, int) and isinstance(right, int):
        return left % right if right else 0
    near = z3.If(left < right, left, left - right)
    rest = z3.Function("rest", z3.IntSort(), z3.IntSort(), z3.IntSort())  # uninterpreted beyond that
    return z3.If(z3.And(right > 0, left >= 0, left < 2 * right), near, rest(left, right))
