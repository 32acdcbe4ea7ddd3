"""IR expressions in the kernel language.

Input: an expression, the values of its names, a writer. Output: its value, as code that was written finds it.
Guarantee: what cannot be compiled is referred where evaluation reaches it, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import assert_never

from golpae.ir import expr as ir
from golpae.ir.ruleset import TABLE
from golpae.ir.scoring import is_among
from golpae.ir.types import (
    BOOL,
    INT,
    SEAT,
    TILE,
    TILES,
    Bag,
    Choice,
    NoneType,
    Opt,
    Points,
    Tile,
    Type,
)
from golpae.kernel.emit.bag_operators import BagOperators
from golpae.kernel.emit.bags import Bags
from golpae.kernel.emit.calls import Calls
from golpae.kernel.emit.collecting import Collecting
from golpae.kernel.emit.folds import Folds
from golpae.kernel.emit.lists.choosing import Choosing
from golpae.kernel.emit.lists.keeping import Keeping
from golpae.kernel.emit.memory import Memory
from golpae.kernel.emit.narrowing import Narrowing
from golpae.kernel.emit.operators import Operators
from golpae.kernel.emit.parts import Names, Parts, bare, item_of
from golpae.kernel.emit.rows import Rows
from golpae.kernel.emit.scoring.beside import lies_beside
from golpae.kernel.emit.scoring.faces import by_face
from golpae.kernel.emit.scoring.groups import Groups
from golpae.kernel.emit.scoring.layouts import Layouts
from golpae.kernel.emit.scoring.parted import parted
from golpae.kernel.emit.scoring.scores import Scores
from golpae.kernel.emit.values import FAR, Arranged, Bits, Group, PerSeat, Scalar, Scored, Stream, Value
from golpae.kernel.emit.winners import the_winner
from golpae.kernel.language.code import Expr, Get, Lit
from golpae.kernel.language.writer import (
    ONE,
    ZERO,
    Writer,
    add,
    below,
    either,
    eq,
    ge,
    is_zero,
    le,
    load,
    mul,
    select,
    shl,
    sub,
)
from golpae.kernel.layout import (
    MOST_COPIES,
    NO_NUMBER,
    NONE,
    WORD,
    holds_list,
    is_number,
    is_scalar,
    none_of,
)
from golpae.kernel.unsupported import NotCompiled


class Expressions:
    """Writes expressions into one function."""

    def __init__(self, parts: Parts, writer: Writer) -> None:
        self.parts, self.layout, self.writer = parts, parts.layout, writer
        self.patterns: Expr | None = None  # where those lie that scores are asked for from the beginning
        self.bags = Bags(writer)
        self.rows = Rows(parts.layout, writer, self.bags)
        self.memory = Memory(parts.layout, writer, self.bags)
        self.collecting = Collecting(parts.layout, writer, self.bags)
        self.calls, self.operators = Calls(self), Operators(self)
        self.bag_operators, self.folds = BagOperators(self), Folds(self)
        self.keeping, self.choosing, self.narrowing = Keeping(self), Choosing(self), Narrowing(self)

    def into(self, writer: Writer) -> Expressions:
        """Return an emitter of expressions of the same module into another function."""
        return Expressions(self.parts, writer)

    def value(self, expr: ir.Expr, names: Names) -> Value:
        """Write an expression; what is not compiled is referred. Raises `NotCompiled` if it has no value to give."""
        mark = self.writer.mark()
        try:
            return self._value(expr, names)
        except NotCompiled as reason:
            self.writer.restore(mark)
            any_value = self.collecting.any_value(expr.type)  # before the referral, for it may be refused too
            self.parts.refer(self.writer, reason)
            return any_value

    def scalar(self, expr: ir.Expr, names: Names) -> Expr:
        """Write an expression whose value is a truth, number, player, tile, word or none."""
        value = self.value(expr, names)
        if not isinstance(value, Scalar):
            raise NotCompiled("a bag, a meld or a score where a single value is needed")
        return value.value

    def number(self, expr: ir.Expr, names: Names) -> Scalar:
        """Write an expression whose value is a number."""
        value = self.value(expr, names)
        assert isinstance(value, Scalar)
        return value

    def bits(self, expr: ir.Expr, names: Names) -> Bits:
        """Write an expression whose value is a bag that is kept in planes, or a meld, whose tiles are meant."""
        return self.collecting.as_bits(self.value(expr, names))

    def _value(self, expr: ir.Expr, names: Names) -> Value:
        match expr:
            case ir.Const(value=value, type=kind):
                return _const(self.parts.numbers, value, kind)
            case ir.Local(name=name):
                if name not in names:
                    raise NotCompiled(f"`{name}`, whose values are not kept")
                return names[name]
            case ir.StateRead(name=name, seat=seat, type=kind):
                var = next(v for v in self.parts.rules.vars if v.name == name)
                base = self.layout.var(name)
                if var.each_player and seat is None:
                    raise NotCompiled("a state of each player that is read for all at once")
                slots = self.layout.slots(var.type, True)
                if var.scope == TABLE:
                    tile_number = either(
                        load(8, ZERO, self.layout.asked), Lit(1 << self.layout.at_table.index(name))
                    )
                    self.writer.store(8, ZERO, tile_number, self.layout.asked)
                return self.memory.loaded(var.type, self.of_seat(base, slots, seat, names), True)
            case ir.ZoneRead(name=name, seat=seat):
                return self._zone(name, self.zone_at(name, seat, names))
            case ir.ZoneEnd(name=name, seat=seat, end=end, type=kind):
                return Scalar(self.rows.end(self.zone_at(name, seat, names), end), kind)
            case ir.ZonePlace(name=name, seat=seat, number=number, type=kind):
                at = self.scalar(number, names)
                return Scalar(self.rows.place(self.zone_at(name, seat, names), at), kind)
            case ir.Fits(tile=tile, name=name, seat=seat, end=end):
                tile_number = self.scalar(tile, names)
                return Scalar(self.rows.fits(self.zone_at(name, seat, names), tile_number, end), BOOL, 1)
            case ir.FitsPlace(tile=tile, name=name, seat=seat, number=number):
                tile_number, at = self.scalar(tile, names), self.scalar(number, names)
                return Scalar(self.rows.fits_place(self.zone_at(name, seat, names), tile_number, at), BOOL, 1)
            case ir.FitsOrder(tiles=tiles, name=name, seat=seat):
                order = self.bits(tiles, names)
                return Scalar(self.rows.fits_order(self.zone_at(name, seat, names), order), BOOL, 1)
            case ir.LayOut(groups=groups, tiles=tiles, arrangement=arrangement):
                given = self.value(groups, names)
                given = self.collecting.coerced(given, Bag(bare(item_of(groups.type))))
                if not isinstance(given, Stream):
                    raise NotCompiled("`lay out` of groups that are no list")
                whole = self.bits(tiles, names)
                lies = self.layouts.lay_out(given, whole, arrangement, self)
                return Scalar(self.writer.let(lies), BOOL, 1)
            case ir.IsBeside(tiles=tiles, melds=melds, arrangement=arrangement):
                lying = self.value(melds, names)
                return Scalar(lies_beside(self.bits(tiles, names), lying, arrangement, self), BOOL, 1)
            case ir.Parted(kind=kind, shape=shape, tiles=tiles):
                return parted(kind, self.bits(tiles, names), shape, self)
            case ir.CallScore(name=name, args=args):
                return self.scores.call(name, [self.value(arg, names) for arg in args], self)
            case ir.FitsScore(patterns=patterns, score=score):
                return Scalar(self.scores.fits(self.value(patterns, names), score, names, self), BOOL, 1)
            case ir.ScoreNumber(score=score, number=number, type=kind):
                scored = self.value(score, names)
                if not isinstance(scored, Scored) or number not in scored.numbers:
                    raise NotCompiled("a number of a value that is no score")
                return Scalar(scored.numbers[number], kind)
            case ir.Earlier() | ir.Ways():
                raise NotCompiled(_NOT_YET[type(expr)])
            case ir.Builtin():
                return self._builtin(expr, names)
            case ir.OptionRead(name=name):
                value = self.layout.instance.options[name]
                return _const(self.parts.numbers, value, INT)
            case ir.Attr(name=name, tile=tile, type=kind):
                address, bound = self.parts.attribute(name, kind)
                at = shl(self.scalar(tile, names), Lit(3))
                return Scalar(self.writer.let(load(8, at, address)), kind, bound)
            case ir.Group(name=name):
                kinds = enumerate(self.layout.instance.kinds)
                members = [i for i, k in kinds if k.is_in(name) and k.copies]
                return self.bags.constant(TILE, self.layout.words(TILE), members)
            case ir.Faces(arg=arg):
                return by_face(self.value(arg, names), self)
            case ir.OwnValue(values=values, seat=seat):
                return self._own(self.value(values, names), self.scalar(seat, names), expr.type)
            case ir.CallDef(name=name, args=args):
                return self.calls.call(self.parts.definitions[name], args, names)
            case ir.Op():
                return self.operators.op(expr, names)
            case ir.BagOf():
                return self.bag_operators.bag_of(expr, names)
            case ir.Quant():
                return self.folds.quant(expr, names)
            case ir.Fold():
                return self.folds.fold(expr, names)
            case ir.If():
                return self._if(expr, names)
            case ir.IsShape(arg=arg, shape=shape):
                return self._is_shape(self.value(arg, names), shape)
            case ir.Implicit():
                raise NotCompiled("a condition of every game within another one")
            case _:
                assert_never(expr)

    def of_seat(self, base: int, slots: int, seat: ir.Expr | None, names: Names) -> Expr:
        """Return the address of a player's part of a state or zone."""
        if seat is None:
            return Lit(base)
        number = self.writer.let(self.scalar(seat, names))
        if isinstance(seat.type, Opt):
            self.writer.refer_if(is_zero(below(number, Lit(self.layout.players))))
        return self.writer.let(add(mul(number, Lit(slots * WORD)), Lit(base)))

    def zone_at(self, name: str, seat: ir.Expr | None, names: Names) -> Expr:
        """Return the address of a zone."""
        zone = self.parts.zones[name]
        if zone.each_player and seat is None:
            raise NotCompiled("a zone of each player that is read for all at once")
        return self.of_seat(self.layout.zone(name), self.layout.zone_slots(zone), seat, names)

    def _zone(self, name: str, address: Expr) -> Value:
        match self.parts.zones[name].kind:
            case "row":
                return self.rows.tiles(address)
            case "melds":
                return self.memory.melds(address)
            case _:
                return self.memory.loaded(TILES, address, False)

    def _builtin(self, expr: ir.Builtin, names: Names) -> Value:
        layout, players = self.layout, self.layout.players
        let = self.writer.let
        match expr.name:
            case "players":
                return self.bags.constant(SEAT, layout.words(SEAT), range(players))
            case "tiles":
                return self.bags.constant(TILE, layout.words(TILE), layout.whole)
            case "kinds":
                return self.bags.constant(TILE, layout.words(TILE), sorted(set(layout.whole)))
            case "stake":
                return Scalar(let(load(8, ZERO, layout.stake)), INT)
            case "winner":
                return Scalar(the_winner(self.writer, layout), expr.type)
            case "over":
                return Scalar(let(eq(load(8, ZERO, layout.at), Lit(layout.over))), BOOL, 1)
            case "hands-played":
                return Scalar(let(load(8, ZERO, layout.hands_played)), INT)
            case "total":
                if expr.seat is None:
                    raise NotCompiled("the totals of all players that are read at once")
                return Scalar(let(load(8, self.of_seat(layout.totals, 1, expr.seat, names))), INT)
            case "right" | "left":
                assert expr.seat is not None
                seat = let(self.scalar(expr.seat, names))
                if expr.name == "right":
                    beside = select(ge(seat, Lit(players - 1)), ZERO, add(seat, ONE))
                else:
                    beside = select(le(seat, ZERO), Lit(players - 1), sub(seat, ONE))
                return Scalar(let(beside), SEAT)
            case _:
                assert_never(expr.name)

    def _own(self, values: Value, seat: Expr, kind: Type) -> Value:
        if not isinstance(values, PerSeat):
            raise NotCompiled("one player's value of something that is no value for each player")
        seat = self.writer.let(seat)
        self.writer.refer_if(is_zero(below(seat, Lit(self.layout.players))))
        if holds_list(kind):
            own = enumerate(values.values)
            return self.keeping.one_of(kind, [(eq(seat, Lit(p)), partial(_itself, v)) for p, v in own])
        own_value = values.values[0]
        for place, value in enumerate(values.values[1:], 1):
            own_value = self.collecting.chosen(eq(seat, Lit(place)), value, own_value)
        return own_value

    def _if(self, expr: ir.If, names: Names) -> Value:
        writer, yes, no, kind = self.writer, expr.yes, expr.no, expr.type
        holds = writer.let(self.scalar(expr.test, names))
        if isinstance(holds, Lit):
            return self.collecting.coerced(self.value(yes if holds.value else no, names), kind)
        if holds_list(kind):
            return self.keeping.one_of(
                kind,
                [(holds, lambda: self.value(yes, names)), (is_zero(holds), lambda: self.value(no, names))],
            )
        if is_scalar(kind):
            chosen = writer.new()
            bounds: list[int] = []
            none = Lit(NO_NUMBER) if is_number(kind) else Lit(NONE)
            for branch, deciding_test in ((yes, holds), (no, is_zero(holds))):
                with writer.when(deciding_test):
                    value = self.value(branch, names)
                    assert isinstance(value, Scalar)
                    bounds.append(value.bound)
                    writer.set(chosen, none if isinstance(branch.type, NoneType) else value.value)
            return Scalar(chosen, kind, max(bounds))
        if isinstance(bare(kind), Points):
            return self.scores.first_of([(holds, yes), (is_zero(holds), no)], names, self)
        one, other = self._apart(holds, yes, kind, names), self._apart(is_zero(holds), no, kind, names)
        return self.collecting.chosen(holds, one, other)

    def _apart(self, test: Expr, branch: ir.Expr, kind: Type, names: Names) -> Value:
        """Return a bag that is evaluated only if a test holds, empty otherwise."""
        writer = self.writer
        planes: list[list[Get]] = []
        present, label = writer.var(0), writer.var(NONE)
        with writer.when(test):
            value = self.collecting.coerced(self.value(branch, names), kind)
            bag = self.collecting.as_bits(value)
            bag = self.bags.fitted(bag, min(len(bag.planes), MOST_COPIES))
            planes = [[writer.new() for _ in plane] for plane in bag.planes]
            for plane, given in zip(planes, bag.planes, strict=True):
                for word, now in zip(plane, given, strict=True):
                    writer.set(word, now)
            writer.set(present, bag.present)
            if isinstance(value, Group):
                writer.set(label, value.label)
        bits = Bits(bag.item, tuple(tuple(plane) for plane in planes))
        if isinstance(value, Group):
            return Group(label, bits, present)
        return Bits(bag.item, bits.planes, ONE if bag.present == ONE else present)

    def _is_shape(self, value: Value, shape: str) -> Value:
        """Return whether tiles have a shape or make an arrangement."""
        if isinstance(value, Arranged):
            arrangements = {a.name: a for a in self.parts.rules.arrangements}
            return Scalar(Lit(int(is_among(value.name, shape, arrangements))), BOOL, 1)
        if any(s.name == shape for s in self.parts.rules.shapes):
            fits = self.groups.is_shape(value, shape, self)
        elif any(a.name == shape for a in self.parts.rules.arrangements):
            fits = self.layouts.can_lie(self.collecting.as_bits(value), shape, self)
        else:  # a label that is not the name of a shape
            labels = self.layout.labels
            known = shape in labels
            fits = eq(value.label, Lit(labels.index(shape))) if isinstance(value, Group) and known else ZERO
        return Scalar(self.writer.let(fits), BOOL, 1)

    # ------------------------------------------------------------------ shapes and scores

    @property
    def groups(self) -> Groups:
        return self._searches()[0]

    @property
    def layouts(self) -> Layouts:
        return self._searches()[1]

    @property
    def scores(self) -> Scores:
        return self._searches()[2]

    def _searches(self) -> tuple[Groups, Layouts, Scores]:
        """Return the emitters of the module's functions for shapes and scores; they are made when they are first
        needed.
        """
        if self.parts.searches is None:
            groups = Groups(self.parts)
            layouts = Layouts(self.parts, groups)
            self.parts.searches = groups, layouts, Scores(self.parts, layouts)
        return self.parts.searches


def _itself(value: Value) -> Value:
    return value


_NOT_YET = {
    ir.Earlier: "a value before the event",
    ir.Ways: "the ways to score a hand",
}


def _const(numbers: Mapping[str, int], value: bool | int | str | None, kind: Type) -> Scalar:
    bare = kind.item if isinstance(kind, Opt) else kind
    if value is None:
        return Scalar(Lit(none_of(kind)), kind)
    if isinstance(bare, Tile):
        return Scalar(Lit(numbers[str(value)]), kind)
    if isinstance(bare, Choice):
        return Scalar(Lit(bare.words.index(str(value))), kind)
    assert isinstance(value, int)
    if abs(value) > FAR:
        raise NotCompiled("a number of more than 62 bits")
    return Scalar(Lit(int(value)), kind, abs(int(value)))
