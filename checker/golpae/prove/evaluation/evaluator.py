"""Expressions of the IR over values that may be unknown.

Input: an expression, a `SymbolicState` and the values of its names. Output: its value, a concrete one if all that it
depends on is concrete. Guarantee: what a solver cannot express (the points of unknown tiles) is a symbol, the same
one for the same question.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, assert_never

from golpae.elaborate.instance import Instance
from golpae.ir import expr as ir
from golpae.ir.distinct_names import word_of
from golpae.ir.lifecycle import OVER
from golpae.ir.types import (
    MELD,
    SEAT,
    TILE,
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
    spoken,
)
from golpae.ir.types import Bag as BagType
from golpae.prove.evaluation import operators
from golpae.prove.evaluation.alternatives import shapes_and_scores
from golpae.prove.evaluation.choice_counts import ChoiceCounter
from golpae.prove.evaluation.composed import may_fit, number_of, points_of
from golpae.prove.evaluation.context import Context, Names, ShapeOracle
from golpae.prove.evaluation.definition_calls import DefinitionCalls
from golpae.prove.evaluation.memo_keys import Memo
from golpae.prove.evaluation.quantifiers import Quantifiers
from golpae.prove.evaluation.reads import DefinitionReads
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.symbol_factory import SymbolFactory
from golpae.prove.symbolic.terms import Unsupported, spend
from golpae.prove.symbolic.values import (
    BLANK,
    Bag,
    GuardedUnion,
    MeldValue,
    Number,
    Truth,
    Value,
    all_of,
    any_of,
    as_bag,
    as_number,
    as_truth,
    bag_of,
    bags_same,
    cases,
    conj,
    each_case,
    guarded_union,
    implies,
    ite,
    merge,
    negate,
    same,
    sub_bags,
)
from golpae.prove.symbolic.zones import PLACES, Zone, fits, place_of, visible


class Opaque:
    """A parameter without any value. No solver can express what needs it."""


OPAQUE = Opaque()


class Evaluator:
    """Expressions of one table. `symbols` makes the symbols that stand for what is unknown."""

    def __init__(self, instance: Instance, oracle: ShapeOracle, symbols: SymbolFactory) -> None:
        context = Context(instance, oracle, symbols)
        self.context = context
        self.abstraction = context.abstraction
        self.symbols = symbols
        self.instance = instance
        self.rules = context.rules
        self.players = context.players
        self.kinds = context.kinds
        self.copies = context.copies
        self.definitions = context.definitions
        self.arrangements = context.arrangements
        self.scores = context.scores
        self.in_set = context.in_set
        self._numbers = instance.numbers()
        self._faces = instance.faces
        self._attributes = {n: i for i, n in enumerate(self.rules.tiles.attributes)}
        self._before: SymbolicState | None = None  # while a truth after an event is evaluated
        memo, reads = Memo(symbols), DefinitionReads(self.definitions, self.scores)
        self._memo = memo
        self.shapes, self.encoded_scores = shapes_and_scores(context, reads, self.value)
        self._calls = DefinitionCalls(context, reads, memo, self.value)
        self.counter = ChoiceCounter(context, self.shapes, self._calls, self.value)
        self._quantifiers = Quantifiers(context, self.shapes, self.counter, reads, memo, self.value)

    def saved(self) -> Callable[[], None]:
        """Return a function that forgets what was evaluated since now, but for what states remember."""
        parts = [part.saved() for part in (self.symbols, self._memo, self._calls, self.abstraction)]

        def restore() -> None:
            for part in parts:
                part()

        return restore

    # ------------------------------------------------------------------ expressions

    def truth(self, expr: ir.Expr, state: SymbolicState | None, names: Names) -> Truth:
        """Return the value of an expression that is true or false."""
        return as_truth(self.value(expr, state, names))

    def truth_after(self, expr: ir.Expr, before: SymbolicState, after: SymbolicState, names: Names) -> Truth:
        """Return a truth right after an event; it may read the state before the event."""
        self._before = before
        try:
            return self.truth(expr, after, names)
        finally:
            self._before = None

    def number(self, expr: ir.Expr, state: SymbolicState | None, names: Names) -> Number:
        """Return the value of an expression that is a number."""
        return as_number(self.value(expr, state, names))

    def bag(self, expr: ir.Expr, state: SymbolicState | None, names: Names) -> Bag:
        """Return the value of an expression that is a bag."""
        return as_bag(self.value(expr, state, names))

    def value(self, expr: ir.Expr, state: SymbolicState | None, names: Names) -> Value:
        """Return the value of an expression. Raises `Unsupported`."""
        spend(1)
        match expr:  # the most frequent ones first
            case ir.Op():
                return self._op(expr, state, names)
            case ir.CallDef(name=name, args=args):
                return self._calls.call(name, tuple(self.value(a, state, names) for a in args), state)
            case ir.Const(value=value, type=kind):
                return self._numbers[str(value)] if isinstance(kind, Tile) else value
            case ir.Local(name=name):
                local = names[name]
                if local is OPAQUE:
                    raise Unsupported(f"`{word_of(name)}`, whose value is unknown")
                return local
            case ir.StateRead(name=name, seat=seat):
                var = _under_way(state).vars[name]
                value = var if seat is None else _at(var, self.value(seat, state, names))
                if value is BLANK:
                    raise Unsupported(f"what `{name}` holds, {spoken(expr.type)}", f"state.{name}")
                return value
            case ir.ZoneRead(name=name, seat=seat):
                return self._zone(name, seat, state, names).bag
            case ir.ZoneEnd(name=name, seat=seat, end=end):
                zone = self._zone(name, seat, state, names)
                return None if zone.row is None else visible(getattr(zone.row, end))
            case ir.ZonePlace(name=name, seat=seat, number=number):
                zone = self._zone(name, seat, state, names)
                where = self.value(number, state, names)
                lying = [(g, place_of(zone, n, self._behind)) for g, n in cases(where)]
                return merge(lying) if len(lying) > 1 else lying[0][1]
            case ir.Earlier(expr=inner):
                if self._before is None:
                    raise Unsupported("`earlier` before the first event")
                return self.value(inner, self._before, names)
            case ir.Fits(tile=tile, name=name, seat=seat, end=end):
                zone = self._zone(name, seat, state, names)
                return fits(zone, self.value(tile, state, names), end)
            case ir.FitsPlace(tile=tile, name=name, seat=seat, number=number):
                zone = self._zone(name, seat, state, names)
                return may_fit(self, zone, self.value(tile, state, names), self.value(number, state, names))
            case ir.FitsOrder(tiles=tiles, name=name, seat=seat):
                zone = self._zone(name, seat, state, names)
                return self.abstraction.fits_order(self.bag(tiles, state, names), zone)
            case ir.FitsScore(patterns=patterns, score=score):
                arguments = (self.value(patterns, state, names), self.value(score, state, names))
                return self.abstraction.truth("patterns", arguments)
            case ir.Builtin():
                return self._builtin(expr, state, names)
            case ir.OptionRead(name=name):
                return self.instance.options[name]
            case ir.Attr(name=name, tile=tile):
                return each_case(self.value(tile, state, names), lambda k: self._attribute(name, k))
            case ir.Group(name=name):
                return Bag({i: 1 for i in self.kinds if self.instance.kinds[i].is_in(name)})
            case ir.Faces(arg=arg):
                return operators.by_face(self.value(arg, state, names), self._faces)
            case ir.OwnValue(values=values, seat=seat):
                return _at(self.value(values, state, names), self.value(seat, state, names))
            case ir.BagOf(items=items, type=kind):
                keeps_none = isinstance(kind, BagType) and isinstance(kind.item, Opt)
                return bag_of((self._item(i, state, names) for i in items), keeps_none)
            case ir.Quant():
                return self._quantifiers.quantified(expr, state, names)
            case ir.Fold():
                return self._quantifiers.folded(expr, state, names)
            case ir.If(test=test, yes=yes, no=no):
                holds = self.truth(test, state, names)
                if holds is True or holds is False:
                    return self.value(yes if holds else no, state, names)
                return ite(holds, self.value(yes, state, names), self.value(no, state, names))
            case ir.IsShape(arg=arg, shape=shape):
                arrangement = self.context.arrangement
                if isinstance(arg, ir.Local) and arg.name == "arrangement" and arrangement is not None:
                    return self.shapes.belongs(arrangement, shape)
                return each_case(self.value(arg, state, names), lambda v: self.shapes.is_shape(v, shape))
            case ir.LayOut(groups=groups, tiles=tiles, arrangement=arrangement):
                melds, bag = self.bag(groups, state, names), self.bag(tiles, state, names)
                return self.shapes.make_arrangement(melds, bag, arrangement)
            case ir.IsBeside(tiles=tiles, melds=melds, arrangement=arrangement):
                beside = self.bag(tiles, state, names), self.bag(melds, state, names)
                return self.shapes.is_beside(*beside, arrangement)
            case ir.Parted(kind=kind, shape=shape, tiles=tiles):
                return self.shapes.parted(kind, self.bag(tiles, state, names), shape)
            case ir.CallScore(name=_, args=_):
                return points_of(self, expr, state, names)
            case ir.ScoreNumber(score=score, number=number):
                return number_of(self, score, number, state, names)
            case ir.Ways() | ir.Implicit():
                raise Unsupported("`every way of` within another condition")
            case _:
                assert_never(expr)

    def _item(self, expr: ir.Expr, state: SymbolicState | None, names: Names) -> Value:
        """Return a member of a bag: of a zone, which tiles it may hold if these are few."""
        value = self.value(expr, state, names)
        if isinstance(value, Bag) and not value.concrete and isinstance(expr, ir.ZoneRead):
            if expr.type == BagType(Tile()):
                options = sub_bags(value, self.copies)
                if options is not None:
                    melds = [(truth, MeldValue(tiles)) for truth, tiles in options]
                    return guarded_union([*melds, (negate(any_of(truth for truth, _ in melds)), None)])
        return value

    def _zone(self, name: str, seat: ir.Expr | None, state: SymbolicState | None, names: Names) -> Zone:
        return _under_way(state).zone(name, None if seat is None else self.value(seat, state, names))

    def _behind(self) -> Value:
        """Return an unknown tile, which lies in a row behind the first PLACES; None if no row is that long."""
        if sum(self.copies.values()) <= PLACES:
            return None
        self.abstraction.overapproximate = True
        return self.symbols.of("behind", [*self.kinds, None], TILE)

    def _unbounded(self, label: str) -> Number:
        """Return a number that may be any."""
        number = self.symbols.number(label)
        self.abstraction.overapproximate = True
        return number

    def _attribute(self, name: str, kind: Value) -> Value:
        if kind is None:
            return 0
        tile = self.instance.kinds[kind]
        return tile.group if name == "group" else tile.attributes[self._attributes[name]]

    def _builtin(self, expr: ir.Builtin, state: SymbolicState | None, names: Names) -> Value:
        match expr.name:
            case "players":
                return Bag(dict.fromkeys(range(self.players), 1))
            case "tiles":
                return Bag(dict(self.copies))
            case "kinds":
                return Bag(dict.fromkeys(self.kinds, 1))
            case "stake":
                return _under_way(state).stake
            case "winner":
                return _under_way(state).winner
            case "over":
                return same(_under_way(state).at, OVER)
            case "hands-played":
                return _under_way(state).hands_played
            case "total":
                assert expr.seat is not None
                return _at(_under_way(state).total, self.value(expr.seat, state, names))
            case "right" | "left":
                assert expr.seat is not None
                step = 1 if expr.name == "right" else -1
                seat = self.value(expr.seat, state, names)
                return guarded_union(
                    (g, None if s is None else (s + step) % self.players) for g, s in cases(seat)
                )
            case _:
                assert_never(expr.name)

    def _op(self, expr: ir.Op, state: SymbolicState | None, names: Names) -> Value:
        """Return the value of an operator; `and`, `or`, `implies`, `otherwise` may leave an argument unevaluated."""
        op, args = expr.op, expr.args
        if op == "and":
            return all_of(self.truth(a, state, names) for a in args)
        if op == "or":
            return any_of(self.truth(a, state, names) for a in args)
        if op == "implies":
            left = self.truth(args[0], state, names)
            return True if left is False else implies(left, self.truth(args[1], state, names))
        if op == "otherwise":
            left = self.value(args[0], state, names)
            missing = same(left, None)
            if missing is False:
                return left
            right = self.value(args[1], state, names)
            if missing is True:
                return right
            there = [(g, v) for g, v in cases(left) if v is not None]
            return merge([(missing, right), *there])
        if op == "member" and isinstance(args[1], ir.BagOf):
            one = self.value(args[0], state, names)
            if not isinstance(one, Bag):
                items = [self.value(i, state, names) for i in args[1].items]
                return any_of(conj(negate(same(one, None)), same(one, item)) for item in items)
        if op == "bag_member" and isinstance(args[1], ir.BagOf):
            bag = self.bag(args[0], state, names)
            return any_of(bags_same(bag, self.bag(i, state, names)) for i in args[1].items)
        return operators.apply(op, [self.value(a, state, names) for a in args], self._unbounded)

    # ------------------------------------------------------------------ unknown values

    def unknown(self, label: str, kind: Type, members: Sequence[Any] = ()) -> Value:
        """Return an unknown value of a type. Raises `Unsupported` for a type with endless values.

        Bags of numbers and of bags hold some of `members`; a meld is one of them.
        """
        match kind:
            case Bool():
                return self.symbols.truth(label)
            case Int():
                return self.symbols.number(label)
            case BagType(Tile()):
                return self.symbols.bag(label, dict.fromkeys(self.context.named))
            case BagType(Seat()):
                return self.symbols.bag(label, dict.fromkeys(range(self.players)), SEAT)
            case BagType(Bool() | Choice() as item):
                return self.symbols.bag(label, dict.fromkeys(self.values(item)), item)
            case Opt(Int() | BagType() as item):
                there = self.symbols.truth(label)
                return merge([(there, self.unknown(label, item, members)), (negate(there), None)])
            case Opt(Meld()):
                return self.symbols.of(label, [*members, None], MELD)
            case BagType(Int() | Meld() | BagType(Tile()) as item):
                return self.symbols.bag(label, dict.fromkeys(members), item)
            case Meld():
                return self.symbols.of(label, [*members], MELD) if members else BLANK
            case Each(item):
                return [self.unknown(label, item, members) for _ in range(self.players)]
            case Opt(item):
                return self.symbols.of(label, [*self.state_values(item), None], item)
            case _:
                return self.symbols.of(label, self.state_values(kind), kind)

    def state_values(self, kind: Type) -> list[Any]:
        """Return all values that a state of a type can have; a text may give it a tile that is withdrawn."""
        return [*self.context.named] if isinstance(kind, Tile) else self.values(kind)

    def values(self, kind: Type) -> list[Any]:
        """Return all values of a type. Raises `Unsupported` for a type with endless values."""
        match kind:
            case Seat():
                return [*range(self.players)]
            case Tile():
                return [*self.kinds]
            case Choice(words):
                return [*words]
            case Bool():
                return [False, True]
            case Opt(item):
                return [*self.values(item), None]
            case Int() | Meld() | BagType() | Each() | NoneType() | Points() | Patterns():
                raise Unsupported(f"listing all values of {kind}")
            case _:
                assert_never(kind)


def _under_way(state: SymbolicState | None) -> SymbolicState:
    if state is None:
        raise Unsupported("reading a game under way outside a game")
    return state


def _at(values: Any, seat: Value) -> Value:
    """Return the value of a seat that may be unknown, out of a value for each seat."""
    if isinstance(values, GuardedUnion):  # one of several
        return merge([(g, _at(each, seat)) for g, each in values.cases if each is not None])
    if isinstance(seat, int):
        return values[seat]
    options = [(g, values[s]) for g, s in cases(seat) if s is not None]
    if not options:
        raise Unsupported("the state of a player who is none")
    return merge(options)
