"""Are the expressions of a rule set as every reader of them may assume?

Input: a `RuleSet`; expressions in it, with the type that is needed and the names in scope. Output: what is wrong, in
words for golpae's own developers.
Guarantee: see `wellformed`, which this is the part of that knows expressions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import assert_never

from golpae.ir import expr as ir
from golpae.ir.ruleset import ParamDecl, RuleSet
from golpae.ir.traverse import flat, nodes
from golpae.ir.types import (
    BOOL,
    INT,
    MELDS,
    NONE,
    NUMBERS,
    SEAT,
    TILE,
    TILES,
    Bag,
    Each,
    Meld,
    Patterns,
    Points,
    Type,
    fits,
    spoken,
)

Names = Mapping[str, Type]
ARITY: dict[ir.OpName, int] = {"not": 1, "neg": 1, "size": 1, "kinds": 1, "is_none": 1, "total": 1}
TRUTHS = {"and", "or", "implies", "not"}
NUMBERS_IN = {"lt", "le", "gt", "ge", "add", "sub", "mul", "div", "mod", "pow", "neg", "range"}
ANSWER_TRUTH = TRUTHS | {
    *("eq", "ne", "bag_eq", "bag_ne", "lt", "le", "gt", "ge", "member", "bag_member", "within", "is_none"),
}


class Expressions:
    """Checks expressions against the declarations of one rule set."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.zones = {z.name: z for z in rules.zones}
        self.vars = {v.name: v for v in rules.vars}
        self.definitions = {d.name: d for d in rules.definitions}
        self.scores = {s.name: s for s in rules.scores}
        self.shapes = {s.name: s for s in rules.shapes}
        self.arrangements = {a.name: a for a in rules.arrangements}
        self.options = {o.name for o in rules.options}
        self.groups = {g.name for g in rules.tiles.groups}
        effects = flat(e for a in rules.actions for c in a.effects for e in c.effects)
        self.labels = {e.label for e in effects if isinstance(e, ir.Move)}

    def seat(self, seat: ir.Expr | None, names: Names, where: str) -> Iterator[str]:
        if seat is not None:
            yield from self.typed(seat, SEAT, names, where)

    def typed(self, expr: ir.Expr, expected: Type, names: Names, where: str) -> Iterator[str]:
        """Return the faults of an expression that is used as `expected`."""
        if not fits(expr.type, expected):
            yield f"{where}: {spoken(expr.type)} stands for {spoken(expected)}"
        yield from self.expr(expr, names, where)

    def _all(self, exprs: Iterable[ir.Expr], names: Names, where: str) -> Iterator[str]:
        for expr in exprs:
            yield from self.expr(expr, names, where)

    def expr(self, expr: ir.Expr, names: Names, where: str) -> Iterator[str]:
        match expr:
            case ir.Const():
                if (expr.value is None) is not (expr.type == NONE):
                    yield f"{where}: a constant {expr.value!r} of type {spoken(expr.type)}"
            case ir.Local(name=name):
                if name not in names:
                    yield f"{where}: {name} is not in scope"
                elif not fits(expr.type, names[name]):
                    yield f"{where}: {name} is read as {spoken(expr.type)}"
            case ir.StateRead(name=name, seat=seat):
                var = self.vars.get(name)
                if var is None or var.each_player is (seat is None) or not fits(expr.type, var.type):
                    yield f"{where}: no such state {name}"
                yield from self.seat(seat, names, where)
            case ir.ZoneRead(name=name, seat=seat):
                zone = self.zones.get(name)
                if zone is None or zone.each_player is (seat is None):
                    yield f"{where}: no such zone {name}"
                elif expr.type != (MELDS if zone.kind == "melds" else TILES):
                    yield f"{where}: {name} is read as {spoken(expr.type)}"
                yield from self.seat(seat, names, where)
            case (
                ir.ZoneEnd(name=name, seat=seat)
                | ir.ZonePlace(name=name, seat=seat)
                | ir.Fits(name=name, seat=seat)
                | ir.FitsOrder(name=name, seat=seat)
            ):
                zone = self.zones.get(name)
                if zone is None or zone.kind != "row" or zone.each_player is (seat is None):
                    yield f"{where}: no such row {name}"
                yield from self.seat(seat, names, where)
                if isinstance(expr, ir.ZonePlace):
                    yield from self.typed(expr.number, INT, names, where)
                elif isinstance(expr, ir.Fits):
                    yield from self.typed(expr.tile, TILE, names, where)
                elif isinstance(expr, ir.FitsOrder):
                    yield from self.typed(expr.tiles, TILES, names, where)
            case ir.Earlier(expr=inner):
                yield from self.typed(inner, expr.type, names, where)
                if any(isinstance(node, ir.Earlier) for node in nodes(inner)):
                    yield f"{where}: earlier than what was earlier"
            case ir.FitsScore(patterns=patterns, score=score):
                yield from self.typed(patterns, Patterns(), names, where)
                yield from self.typed(score, Points(), names, where)
            case ir.Builtin(name=name, seat=seat):
                if (name in ("right", "left", "total")) is (seat is None):
                    yield f"{where}: {name} with or without a player"
                yield from self.seat(seat, names, where)
            case ir.OptionRead(name=name):
                if name not in self.options:
                    yield f"{where}: no option {name}"
            case ir.Attr(name=name, tile=tile):
                if name != "group" and name not in self.rules.tiles.attributes:
                    yield f"{where}: no attribute {name}"
                yield from self.typed(tile, TILE, names, where)
            case ir.Group(name=name):
                if name not in self.groups:
                    yield f"{where}: no group {name}"
            case ir.OwnValue(values=values, seat=seat):
                yield from self.typed(values, Each(expr.type), names, where)
                yield from self.typed(seat, SEAT, names, where)
            case ir.CallDef(name=name, args=args):
                definition = self.definitions.get(name)
                if definition is None:
                    yield f"{where}: no definition {name}"
                else:
                    yield from self._args(name, definition.params, args, names, where)
                    if expr.type != definition.type:
                        yield f"{where}: {name} gives {spoken(definition.type)}"
            case ir.CallScore(name=name, args=args):
                if name not in self.scores:
                    yield f"{where}: no score {name}"
                else:
                    yield from self._args(name, self.scores[name].params, args, names, where)
            case ir.Op():
                yield from self._op(expr, names, where)
            case ir.BagOf(items=items):
                item = item_of(expr.type)
                for each in items:
                    yield from self.typed(each, item, names, where)
            case ir.Quant(names=bound, domain=domain, body=body, size=size):
                yield from self.expr(domain, names, where)
                chosen = item_of(domain.type)
                if size is not None:
                    chosen = Bag(chosen)
                    yield from self.typed(size, INT, names, where)
                    if len(bound) != 1:
                        yield f"{where}: {len(bound)} names of members together"
                yield from self.typed(body, BOOL, {**names, **dict.fromkeys(bound, chosen)}, where)
            case ir.Ways(score=name, body=body):
                if name not in self.scores:
                    yield f"{where}: no score {name}"
                # the names of the score's own parts and patterns are taken at their word
                own = {n.name: n.type for n in nodes(body) if isinstance(n, ir.Local)}
                yield from self.typed(body, BOOL, {**names, **own}, where)
                if goes_through_ways(body):
                    yield f"{where}: ways within ways"
            case ir.Fold():
                yield from self._fold(expr, names, where)
            case ir.If(test=test, yes=yes, no=no):
                yield from self.typed(test, BOOL, names, where)
                for branch in (yes, no):
                    yield from self.typed(branch, expr.type, names, where)
            case ir.IsShape(arg=arg, shape=shape):
                if shape not in {*self.shapes, *self.arrangements, *self.labels}:
                    yield f"{where}: no shape {shape}"
                yield from self.typed(arg, TILES, names, where)
            case ir.LayOut(groups=groups, tiles=tiles, arrangement=arrangement):
                if arrangement not in self.arrangements:
                    yield f"{where}: no arrangement {arrangement}"
                yield from self.typed(groups, Bag(TILES), names, where)
                yield from self.typed(tiles, TILES, names, where)
            case ir.Implicit(kind=kind):
                if kind not in ir.IMPLICIT:
                    yield f"{where}: no implicit condition {kind}"
            case _:
                assert_never(expr)

    def _args(
        self, name: str, params: tuple[ParamDecl, ...], args: tuple[ir.Expr, ...], names: Names, where: str
    ) -> Iterator[str]:
        if len(params) != len(args):
            yield f"{where}: {name} with {len(args)} values"
            return
        for param, arg in zip(params, args, strict=True):
            yield from self.typed(arg, param.type, names, where)

    def _op(self, expr: ir.Op, names: Names, where: str) -> Iterator[str]:
        if expr.op not in ir.OPS:
            yield f"{where}: no operator {expr.op}"
        if len(expr.args) != ARITY.get(expr.op, 2):
            yield f"{where}: {expr.op} of {len(expr.args)}"
        if expr.op in ANSWER_TRUTH and expr.type != BOOL:
            yield f"{where}: {expr.op} gives {spoken(expr.type)}"
        if expr.op == "range" and expr.type != NUMBERS:
            yield f"{where}: a range gives {spoken(expr.type)}"
        operand = BOOL if expr.op in TRUTHS else INT if expr.op in NUMBERS_IN else None
        for arg in expr.args:
            if operand is not None:
                yield from self.typed(arg, operand, names, where)
            else:
                yield from self.expr(arg, names, where)

    def _fold(self, expr: ir.Fold, names: Names, where: str) -> Iterator[str]:
        yield from self.expr(expr.domain, names, where)
        chosen = item_of(expr.domain.type)
        if expr.size is not None:
            chosen = Bag(chosen)
            yield from self.typed(expr.size, INT, names, where)
            if expr.kind != "count" or len(expr.names) != 1:
                yield f"{where}: a {expr.kind} of {len(expr.names)} names of members together"
        inner = {**names, **dict.fromkeys(expr.names, chosen)}
        if expr.test is not None:
            yield from self.typed(expr.test, BOOL, inner, where)
        if (expr.item is not None) is not (expr.kind in ("sum", "gather", "most", "least", "each")):
            yield f"{where}: a {expr.kind} with or without an item"
        if expr.item is not None:
            yield from self.expr(expr.item, inner, where)


def goes_through_ways(expr: ir.Expr) -> bool:
    """Return whether an expression goes through the ways of a score."""
    return any(isinstance(node, ir.Ways) for node in nodes(expr))


def item_of(kind: Type) -> Type:
    """Return the type of the members of a bag; a meld holds tiles."""
    if isinstance(kind, Bag):
        return kind.item
    return TILE if isinstance(kind, Meld) else NONE
