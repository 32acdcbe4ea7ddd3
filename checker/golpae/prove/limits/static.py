"""Bounds of expressions, from their text alone.

Input: an instance, and bounds of its states, of the stake and of what players have in total.
Output: for an expression, the bounds of its value; the powers and `{a to b}` in it, and in all that it refers to, that
these bounds do not keep within the limits.
Guarantee: at a position at which the states are within their bounds, and for names within theirs, every value is within
the bounds that are returned, as far as it has one. What is not among `passing` passes no limit there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import comb
from typing import NamedTuple, assert_never

from golpae.elaborate.instance import Instance
from golpae.ir import expr as ir
from golpae.ir.dependencies import Dependencies
from golpae.ir.limits import WIDEST
from golpae.ir.ruleset import ScoreDecl
from golpae.ir.scoring import words_of
from golpae.ir.traverse import children, nodes
from golpae.ir.types import (
    Bag,
    Bool,
    Choice,
    Each,
    Int,
    Meld,
    NoneType,
    Opt,
    Patterns,
    Points,
    Seat,
    Tile,
    Type,
)
from golpae.prove.limits.bounds import (
    ENDLESS,
    NOTHING,
    Bound,
    added,
    divided,
    either,
    multiplied,
    negated,
    passes_as_power,
    raised,
    remainder,
    times,
)

EVENTS = 10**20  # no game has as many
TOTAL = "total"  # what players have in total, among the states
MOST_LISTED = 1_000  # members of which choices are counted exactly

Names = Mapping[str, Bound]


class Passing(NamedTuple):
    """What may pass a limit: `a power` or `{a to b}`, in a definition, a shape or a score, if it is in one."""

    what: str
    where: str


POWER, RANGE = "a power", "`{a to b}`"


class Static:
    """Bounds of the expressions of one instance. `states` are those of its states, by name, and of `TOTAL`."""

    def __init__(self, instance: Instance, states: Mapping[str, Bound], stake: Bound) -> None:
        self.instance = instance
        self.states = states
        rules = instance.rule_set
        self._stake = stake
        self._tiles = len(instance.whole)
        self._definitions = {d.name: d for d in rules.definitions}
        self._shapes = {s.name: s for s in rules.shapes}
        self._arrangements = {a.name: a for a in rules.arrangements}
        self._scores = {s.name: s for s in rules.scores}
        self._dependencies = Dependencies(rules)
        self._attributes = {
            name: either(*(Bound(k.attributes[i], k.attributes[i]) for k in instance.kinds))
            for i, name in enumerate(rules.tiles.attributes)
        }
        self._alternatives = [Static(other, states, stake) for _, other in instance.alternatives]
        self._limited: dict[ir.Expr, bool] = {}
        self._known: dict[tuple[str, str, tuple[Bound, ...]], tuple[Bound, frozenset[Passing]]] = {}
        self._passing: set[Passing] = set()
        self._where = ""

    def passing(self, expr: ir.Expr, names: Names) -> list[Passing]:
        """Return what may pass a limit in an expression, or in what it refers to."""
        if not self.is_limited(expr):
            return []
        outer, self._passing = self._passing, set()
        try:
            self.of(expr, names)
            return sorted(self._passing)
        finally:
            self._passing = outer

    def is_limited(self, expr: ir.Expr) -> bool:
        """Return whether an expression, or what it refers to, has a power or `{a to b}`."""
        if expr not in self._limited and any(one.is_limited(expr) for one in self._alternatives):
            self._limited[expr] = True
        if expr not in self._limited:
            reached = self._dependencies.reached_by([expr])
            exprs = [expr, *(e for part in reached for e in self._dependencies.exprs_of(part))]
            self._limited[expr] = any(
                isinstance(node, ir.Op) and node.op in ("pow", "range") for e in exprs for node in nodes(e)
            )
        return self._limited[expr]

    # ------------------------------------------------------------------ expressions

    def of(self, expr: ir.Expr, names: Names) -> Bound:
        """Return the bounds of the value of an expression; a name without bounds can have any value of its type."""
        if isinstance(expr, ir.DuringGame) and not isinstance(expr, ir.StateRead | ir.ZoneRead | ir.Earlier):
            self._children(expr, names)
            return self.any_of(expr.type)
        match expr:
            case ir.Const(value=value):
                is_number = isinstance(value, int) and not isinstance(value, bool)
                return Bound(int(value or 0), int(value or 0)) if is_number else NOTHING
            case ir.Local(name=name, type=kind):
                return names[name] if name in names else self.any_of(kind)
            case ir.StateRead(name=name):
                self._children(expr, names)
                return self.states[name]
            case ir.ZoneRead():
                self._children(expr, names)
                return Bound(0, 0, self._tiles)
            case ir.Earlier(expr=inner):
                return self.of(inner, names)
            case ir.Builtin():
                self._children(expr, names)
                return self._word(expr.name)
            case ir.OptionRead(name=name):
                number = self.instance.options[name]
                return Bound(number, number)
            case ir.Attr(name=name):
                self._children(expr, names)
                return either(NOTHING, self._attributes.get(name, NOTHING))
            case ir.Group():
                return Bound(0, 0, len(self.instance.kinds))
            case ir.OwnValue(values=values, seat=seat):
                self.of(seat, names)
                return self.of(values, names)
            case ir.CallDef(name=name, args=args):
                return self._called("definition", name, tuple(self.of(arg, names) for arg in args))
            case ir.CallScore(name=name, args=args):
                return self._called("score", name, tuple(self.of(arg, names) for arg in args))
            case ir.Op():
                return self._op(expr, [self.of(arg, names) for arg in expr.args])
            case ir.BagOf(items=items):
                bound = either(*(self.of(item, names) for item in items))
                return Bound(bound.low, bound.high, max(bound.most, len(items)), bound.factor)
            case ir.Quant():
                self._within(expr, names)
                return NOTHING
            case ir.Fold():
                return self._fold(expr, names)
            case ir.If(test=test, yes=yes, no=no):
                self.of(test, names)
                return either(self.of(yes, names), self.of(no, names))
            case ir.IsShape(shape=shape) | ir.LayOut(arrangement=shape):
                self._children(expr, names)
                return self._called("shape", shape, ())
            case ir.Ways(score=score):
                params = self._scores[score].params
                given = tuple(_given(p.type, self.any_of(p.type), self._tiles) for p in params)
                self._called("score", score, given)
                return NOTHING
            case ir.FitsScore():
                self._children(expr, names)
                return NOTHING
            case _:
                assert_never(expr)

    def any_of(self, kind: Type) -> Bound:
        """Return bounds that every value of a type is within."""
        match kind:
            case Bool() | Seat() | Tile() | Choice() | NoneType():
                return NOTHING
            case Meld():
                return Bound(0, 0, self._tiles)
            case Int() | Points() | Patterns():
                return Bound(-ENDLESS, ENDLESS)
            case Bag(item):
                return either(Bound(0, 0, ENDLESS), self.any_of(item))
            case Each(item):
                return either(Bound(0, 0, self.instance.players), self.any_of(item))
            case Opt(item):
                return self.any_of(item)
            case _:
                assert_never(kind)

    def domain(self, expr: ir.Expr, names: Names) -> Bound:
        """Return the bounds of what a quantifier, a sum or a loop goes through, and how many members that has."""
        bound = self.of(expr, names)
        most = max(bound.most, self.instance.players)  # a value for each player is not a bag
        return Bound(bound.low, bound.high, most, bound.factor)

    def _children(self, expr: ir.Expr, names: Names) -> None:
        for child in children(expr):
            self.of(child, names)

    def _word(self, name: ir.WordName) -> Bound:
        match name:
            case "players":
                return Bound(0, 0, self.instance.players)
            case "tiles":
                return Bound(0, 0, self._tiles)
            case "kinds":
                return Bound(0, 0, len(self.instance.kinds))
            case "stake":
                return self._stake
            case "hands-played":
                return Bound(0, EVENTS)
            case "total":
                return self.states[TOTAL]
            case "right" | "left" | "over" | "winner":
                return NOTHING
            case _:
                assert_never(name)

    def _op(self, expr: ir.Op, args: list[Bound]) -> Bound:
        left, right = args[0], args[-1]
        match expr.op:
            case "and" | "or" | "implies" | "not" | "eq" | "bag_eq" | "lt" | "le" | "gt" | "ge":
                return NOTHING
            case "member" | "bag_member" | "within" | "is_none":
                return NOTHING
            case "add":
                return added(left, right)
            case "sub":
                return added(left, negated(right))
            case "neg":
                return negated(left)
            case "mul":
                return multiplied(left, right)
            case "div":
                return divided(left, right)
            case "mod":
                return remainder(left, right)
            case "pow":
                if passes_as_power(left, right):
                    self._passing.add(Passing(POWER, self._where))
                return raised(left, right)
            case "range":
                if left.factor or right.factor or right.high - left.low >= WIDEST:
                    self._passing.add(Passing(RANGE, self._where))
                return Bound(left.low, max(left.low, right.high), WIDEST, max(left.factor, right.factor))
            case "bag_add":
                both = either(left, right)
                return Bound(both.low, both.high, min(ENDLESS, left.most + right.most), both.factor)
            case "bag_sub" | "kinds" | "tiles" | "total":
                return left
            case "size":
                return Bound(0, max(left.most, self.instance.players))
            case "otherwise":
                return either(left, right)
            case _:
                assert_never(expr.op)

    def _within(self, expr: ir.Quant | ir.Fold, names: Names) -> tuple[Bound, Bound, Names]:
        """Return the bounds of a domain, of the size of choices, and of the names within a quantifier or a sum."""
        domain = self.domain(expr.domain, names)
        size = Bound(1, len(expr.names)) if expr.size is None else self.of(expr.size, names)
        inner = {**names, **dict.fromkeys(expr.names, domain)}
        if isinstance(expr, ir.Quant):
            self.of(expr.body, inner)
        elif expr.test is not None:
            self.of(expr.test, inner)
        return domain, size, inner

    def _fold(self, expr: ir.Fold, names: Names) -> Bound:
        domain, size, inner = self._within(expr, names)
        item = domain if expr.item is None else self.of(expr.item, inner)
        number = _choices(domain.most, size, expr.size is not None)
        match expr.kind:
            case "count":
                return Bound(0, number)
            case "sum":
                return times(number, item)
            case "gather":
                return Bound(
                    item.low, item.high, max(item.most, min(ENDLESS, number * item.most)), item.factor
                )
            case "each":
                return Bound(item.low, item.high, max(item.most, number), item.factor)
            case "most" | "least":
                return either(NOTHING, item)  # 0 of an empty bag
            case "the" | "those":
                return either(item, domain)
            case _:
                assert_never(expr.kind)

    # ------------------------------------------------------------------ what is referred to

    def _called(self, kind: str, name: str, args: tuple[Bound, ...]) -> Bound:
        """Return the bounds of a definition, a shape or a score with arguments."""
        key = kind, name, args
        if key not in self._known:
            outer, where = self._passing, self._where
            self._passing, self._where = set(), name
            try:
                bound = self._value_of(kind, name, args)
                self._known[key] = bound, frozenset(self._passing)
            finally:
                self._passing, self._where = outer, where
        bound, passing = self._known[key]
        self._passing |= passing
        return bound

    def _value_of(self, kind: str, name: str, args: tuple[Bound, ...]) -> Bound:
        if kind == "definition":
            definition = self._definitions[name]
            names = dict(zip((p.name for p in definition.params), args, strict=True))
            return either(*(self.of(case.expr, names) for case in definition.cases))
        if self._alternatives:  # one of these says what shapes and scores are
            for one in self._alternatives:
                one._passing = self._passing
            return either(*(one._called(kind, name, args) for one in self._alternatives))
        if kind == "score":
            return self._score(self._scores[name], args)
        if name in self._shapes:
            shape = self._shapes[name]
            if shape.test is not None:
                self.of(shape.test, {} if shape.names else {"it": Bound(0, 0, shape.size)})
            for other in shape.union:
                self._called(kind, other, ())
        elif name in self._arrangements:  # what is neither is a label, which is asked of no tiles
            arrangement = self._arrangements[name]
            for other in (*(part.shape for part in arrangement.parts), *arrangement.union):
                self._called(kind, other, ())
        return NOTHING

    def _score(self, score: ScoreDecl, args: tuple[Bound, ...]) -> Bound:
        """Return the bounds of the points of a score."""
        names: dict[str, Bound] = {}
        for param, arg in zip(score.params, args, strict=True):
            names[param.name] = arg if param.initial is None else either(arg, self.of(param.initial, names))
        for name in score.arrangements:
            self._called("shape", name, ())
        cut = self.of(score.hand, names).most + (
            0 if score.fixed is None else self.of(score.fixed, names).most
        )
        groups = Bound(0, 0, min(ENDLESS, cut * self._tiles))  # no group has more tiles than the set
        names |= dict.fromkeys(words_of(score, self._arrangements), groups)
        if score.marking is not None:
            self.of(score.marking[0], names)
            names[score.marking[1]] = groups
        for name, expr in score.defines:
            names[name] = self.of(expr, names)
        points = NOTHING
        for pattern in score.patterns:
            inner, often = names, 1
            if pattern.each is not None:
                domain = self.domain(pattern.each[1], names)
                inner, often = {**names, pattern.each[0]: domain}, domain.most
            self.of(pattern.test, inner)
            points = added(points, times(often, self.of(pattern.value, inner)))
        if score.keep is not None:
            self.of(score.keep, names)
        return points


def _given(kind: Type, bound: Bound, tiles: int) -> Bound:
    """Return bounds of what can be given with a score: its tiles, and the tiles of its melds, are in the set."""
    bare = kind.item if isinstance(kind, Opt) else kind
    is_of_tiles = isinstance(bare, Bag) and isinstance(bare.item, Tile | Meld)
    return replace(bound, most=min(bound.most, tiles)) if is_of_tiles else bound


def _choices(members: int, size: Bound, together: bool) -> int:
    """Return how many choices of some members a bag has at most; `together`, their order does not count."""
    if not together:
        return min(ENDLESS, int(members ** max(1, size.high)))
    if members > MOST_LISTED:
        return ENDLESS
    return max(comb(members, k) for k in range(members + 1)) if size.high > 0 or size.factor else 1
