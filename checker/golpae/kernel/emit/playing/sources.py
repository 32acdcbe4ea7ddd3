"""The values of keys that are worth trying, in the kernel language.

Input: where the values of a key come from. Output: code that goes through them, in the order of `docs/semantics.md`
(11.5); each is written to the memory of its key before what comes next.
Guarantee: each value comes once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, assert_never

from golpae.ir import expr as ir
from golpae.ir.ruleset import ParamDecl
from golpae.ir.types import (
    SEAT,
    TILE,
    TILES,
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
from golpae.kernel.emit.actions import argument
from golpae.kernel.emit.lists.ordering import LONG, comparing, sorting
from golpae.kernel.emit.parts import Names
from golpae.kernel.emit.playing.selecting import all_parts, any_bag, going, selected
from golpae.kernel.emit.playing.ways import all_lists, all_ways
from golpae.kernel.emit.values import Group, PerSeat, Plane, Scalar, Stream, Value
from golpae.kernel.language.code import Expr, Lit
from golpae.kernel.language.limits import Limit
from golpae.kernel.language.writer import (
    ONE,
    ZERO,
    add,
    both,
    call,
    either,
    ge,
    load,
    lt,
    mul,
    ne,
    select,
    shl,
    sub,
)
from golpae.kernel.layout import BITS, NONE, WORD, Arg, is_scalar, none_of
from golpae.kernel.unsupported import NotCompiled
from golpae.lower import event_plan as plans

if TYPE_CHECKING:
    from golpae.kernel.emit.expressions import Expressions

MOST_OF_KEY = 2048  # bags or melds of a list that a key is one of
Try = Callable[[Value], None]


class Sources:
    """Writes what goes through the values of keys."""

    def __init__(self, expressions: Expressions) -> None:
        self._of = expressions
        self.layout, self.writer, self.bags = expressions.layout, expressions.writer, expressions.bags

    # ------------------------------------------------------------------ one value

    def none(self, param: ParamDecl, arg: Arg, then: Try) -> None:
        """Write what happens if a key is none."""
        if is_scalar(arg.kind):
            self._scalar(param, arg, Lit(none_of(param.type)), then)
            return
        self.writer.store(8, ZERO, ZERO, arg.address)
        then(argument(self._of, arg))

    def _scalar(self, param: ParamDecl, arg: Arg, value: Expr, then: Try) -> None:
        self.writer.store(8, ZERO, value, arg.address)
        then(Scalar(value, param.type))

    def _given(self, arg: Arg, value: Value, then: Try) -> None:
        """Write what happens for a value that is no single number, which may be none."""
        keeping, address = self._of.keeping, arg.address
        if arg.optional or arg.nullable:
            self.writer.store(8, ZERO, ONE, address)
            address += WORD
        match arg.kind:
            case Bag(Tile() | Seat() | Choice() | Bool() as item):
                bits = self._of.collecting.as_bits(value)
                self.bags.store(bits, self.layout.planes(item), Lit(address))
            case Each(Int()):
                keeping.keep(arg.kind, value, Lit(address))
            case Bag(Bag(Tile())):
                self._put_bags(value, address)
            case Meld() if isinstance(value, Group):
                self.writer.store(8, ZERO, value.label, address)
                self.bags.store(value.tiles, self.layout.planes(TILE), Lit(address + WORD))
            case (
                Bool()
                | Int()
                | Seat()
                | Tile()
                | Choice()
                | NoneType()
                | Points()
                | Patterns()
                | Bag()
                | Each()
                | Meld()
                | Opt()
            ):
                raise NotCompiled("a key that is a list of numbers, a list of melds or a score")
            case _:
                assert_never(arg.kind)
        then(argument(self._of, arg))

    def _put_bags(self, value: Value, address: int) -> None:
        """Write a list of bags of tiles as an event has it."""
        writer, layout = self.writer, self.layout
        if not isinstance(value, Stream):
            raise NotCompiled("a key that is a list of bags, but equals something that is no list")
        many, size, planes = writer.var(0), layout.slots(TILES) * WORD, layout.planes(TILE)

        def one(item: Value, copies: Expr) -> None:
            writer.refer_if(ge(many, Lit(layout.room(TILES))), Limit.ROOM)
            at = writer.let(add(mul(many, Lit(size)), Lit(address + WORD)))
            self.bags.store(self._of.collecting.as_bits(item), planes, at)
            writer.set(many, add(many, ONE))

        value.each(one)
        writer.store(8, ZERO, many, address)

    # ------------------------------------------------------------------ all values

    def values(
        self,
        param: ParamDecl,
        arg: Arg,
        source: plans.Source,
        names: Names,
        without_none: bool,
        then: Try,
    ) -> None:
        """Write what happens for each value of a source; not for none, if `without_none`. Raises `NotCompiled`."""
        kind = param.type
        match source:
            case plans.Single():
                raise AssertionError("a key has values")
            case plans.Nothing():
                self.none(param, arg, then)
            case plans.Only(value=value):
                self._only(param, arg, value, names, without_none, then)
            case plans.Members(bag=bag):
                self._members(param, arg, self._of.value(bag, names), then)
            case plans.Layouts(of=of):
                if len(self._of.layouts.groups.wild.kinds) > 1:
                    raise NotCompiled("the ways to lay out tiles of which several kinds are wild")
                tiles = self._of.bits(of.tiles, names)
                all_ways(self._of, tiles, of.arrangement, lambda groups: self._given(arg, groups, then))
            case plans.RowEnd() | plans.Either():
                self.bags.each(self._plane(source, names), lambda tile: self._scalar(param, arg, tile, then))
            case plans.Selected(bag=bag, size=size):
                chosen = self._of.bits(bag, names)
                selected(
                    self._of, chosen, self._of.scalar(size, names), lambda bits: self._given(arg, bits, then)
                )
            case plans.Parts(bag=bag):
                all_parts(self._of, self._of.bits(bag, names), lambda bits: self._given(arg, bits, then))
            case plans.GroupsWithin(shape=shape, bag=bag):
                tiles = self._of.bits(bag, names)
                all_lists(self._of, tiles, shape, lambda groups: self._given(arg, groups, then))
            case plans.AnyValue():
                self._any_value(param, arg, kind, without_none, then)
            case plans.Between(low=low, high=high):
                first, last = (self.writer.let(self._of.scalar(e, names)) for e in (low, high))
                if isinstance(kind, Opt) and not without_none:
                    self.none(param, arg, then)
                going(self.writer, first, add(last, ONE), lambda at: self._scalar(param, arg, at, then))
            case plans.AnyBag(ordered=ordered):
                if isinstance(kind, Opt):
                    self.none(param, arg, then)
                any_bag(self._of, arg, ordered, lambda: then(argument(self._of, arg)))
            case plans.AnyList():
                raise AssertionError("a list is gone through by `lists`")
            case _:
                assert_never(source)

    def _only(
        self,
        param: ParamDecl,
        arg: Arg,
        expr: ir.Expr,
        names: Names,
        without_none: bool,
        then: Try,
    ) -> None:
        writer = self.writer
        value = self._each_seat(expr, names) if isinstance(arg.kind, Each) else self._of.value(expr, names)
        can_be_none = isinstance(param.type, Opt) and not without_none
        if is_scalar(arg.kind):
            if not isinstance(value, Scalar):
                raise NotCompiled("a key that is a single value, but equals a bag or a score")
            result = writer.let(value.value)
            none = none_of(param.type)
            if isinstance(expr.type, NoneType):
                result = Lit(none)
            elif isinstance(expr.type, Opt) and none_of(expr.type) != none:
                raise NotCompiled("a key that may be none and equals a value that may be none in another way")
            is_there = (
                ONE if can_be_none or not isinstance(expr.type, Opt | NoneType) else ne(result, Lit(none))
            )
            with writer.when(is_there):
                self._scalar(param, arg, result, then)
            return
        if isinstance(expr.type, Opt | NoneType):
            raise NotCompiled("a key that equals a bag that may be none")
        self._given(arg, self._of.collecting.coerced(value, arg.kind), then)

    def _each_seat(self, expr: ir.Expr, names: Names) -> Value:
        """Return the value for each player that a condition names for every player."""
        if not (isinstance(expr, ir.Fold) and expr.kind == "each" and expr.item is not None):
            return self._of.value(expr, names)
        (seat,), item = expr.names, expr.item
        players = range(self.layout.players)
        return PerSeat(tuple(self._of.value(item, {**names, seat: Scalar(Lit(p), SEAT)}) for p in players))

    def _members(self, param: ParamDecl, arg: Arg, value: Value, then: Try) -> None:
        writer = self.writer
        if isinstance(value, Stream) and value.item == arg.kind and isinstance(value.item, Meld | Bag):
            self._lists_in(arg, value, then)
            return
        if isinstance(value, Stream):
            if not is_scalar(value.item) or isinstance(value.item, Opt):
                raise NotCompiled("a key that is a member of a list of another kind")
            listed = self._of.keeping.listed(value)
            last, is_first = writer.var(0), writer.var(1)

            def member(item: Value, copies: Expr) -> None:
                assert isinstance(item, Scalar)
                number = writer.let(item.value)
                with writer.when(either(is_first, ne(number, last))):
                    writer.set(is_first, 0)
                    writer.set(last, number)
                    self._scalar(param, arg, number, then)

            listed.each(member)
            return
        bits = self._of.collecting.as_bits(value)
        self.bags.each(bits.planes[0], lambda tile: self._scalar(param, arg, tile, then))

    def _lists_in(self, arg: Arg, value: Stream, then: Try) -> None:
        """Write what happens for each meld or bag of a list, each once, in order."""
        writer, item = self.writer, value.item
        start, compare = self._sorted(value), comparing(self._of.parts, item)
        last = writer.var(ZERO)  # where the last one lies, 0 before the first

        def member(at: Expr) -> None:
            place = writer.let(add(start, add(Lit(WORD), mul(at, Lit(self.layout.slots(item, True) * WORD)))))
            is_new = writer.var(ONE)
            with writer.when(last):
                writer.set(is_new, ne(call(compare, last, place), ZERO))
            writer.set(last, place)
            with writer.when(is_new):
                self._given(arg, self._of.memory.loaded(item, place, True), then)

        self._of.memory.counted(writer.let(load(8, start)), member)

    def _sorted(self, value: Stream) -> Expr:
        """Return where the members of a list lie in order, which may be more than a value can have."""
        if value.at is not None:
            return value.at
        writer, layout, item = self.writer, self.layout, value.item
        stride, many = layout.slots(item, True) * WORD, writer.var(0)
        start = Lit(layout.allocate(1 + MOST_OF_KEY * stride // WORD))

        def put(member: Value, copies: Expr) -> None:
            writer.refer_if(ge(many, Lit(MOST_OF_KEY)), Limit.ROOM)
            self._of.keeping.keep(
                item, member, writer.let(add(mul(many, Lit(stride)), Lit(start.value + WORD)))
            )
            writer.set(many, add(many, ONE))

        value.each(put)
        writer.store(8, ZERO, many, start.value)
        writer.call_into((), sorting(self._of.parts, item, LONG), start)
        return start

    def _plane(self, source: plans.Members | plans.RowEnd | plans.Either, names: Names) -> Plane:
        """Return the tiles of a source."""
        match source:
            case plans.Members(bag=bag):
                return self._of.bits(bag, names).planes[0]
            case plans.RowEnd(of=of):
                return self._row_end(of, names)
            case plans.Either(one=one, other=other):
                planes = (self._plane(one, names), self._plane(other, names))
                return tuple(self.writer.let(either(a, b)) for a, b in zip(*planes, strict=True))
            case _:
                assert_never(source)

    def _row_end(self, of: ir.Fits | ir.FitsPlace, names: Names) -> Plane:
        """Return the tile at an end or a place of a row, or every tile of it if nobody can know it."""
        row = self._of.zone_at(of.name, of.seat, names)
        end = self._of.scalar(of.there, names)
        whole = self.bags.kinds(self._of.rows.tiles(row))
        single = self.bags.bit(end, len(whole.planes[0]))
        unknown = self.writer.let(lt(end, ZERO))
        return tuple(
            self.writer.let(select(unknown, a, b)) for a, b in zip(whole.planes[0], single, strict=True)
        )

    def _any_value(self, param: ParamDecl, arg: Arg, kind: Type, without_none: bool, then: Try) -> None:
        optional = isinstance(kind, Opt) and not without_none
        bare = kind.item if isinstance(kind, Opt) else kind
        first = Lit(NONE) if optional else ZERO
        end = Lit(self.layout.members(bare))
        going(self.writer, first, end, lambda at: self._scalar(param, arg, at, then))

    # ------------------------------------------------------------------ lists

    def lists(
        self,
        param: ParamDecl,
        source: plans.Source,
        names: Names,
        run: Callable[[Sequence[Expr]], None],
        narrowed: Callable[[Plane, Sequence[Expr]], Plane],
    ) -> None:
        """Write what happens for each sorted list of a key `{a, b}`; its last tile is one that `narrowed` gives
        for the others. Raises `NotCompiled`.
        """
        if isinstance(source, plans.Members):
            value = self._of.value(source.bag, names)
            plane: Plane = self._of.collecting.as_bits(value).planes[0]
        elif isinstance(source, plans.AnyList):
            words = self.layout.words(TILE)
            kinds = range(len(self.layout.instance.kinds))
            plane = self.bags.constant(TILE, words, kinds).planes[0]
        else:
            raise NotCompiled("a key `{a, b}` whose tiles no condition takes from a bag")
        size = len(param.parts)

        def choose(plane: Plane, chosen: tuple[Expr, ...]) -> None:
            if len(chosen) == size:
                run(chosen)
                return
            is_last = len(chosen) + 1 == size

            def one(tile: Expr) -> None:
                rest = plane
                if not is_last:  # this one and those behind it
                    rest = tuple(
                        self.writer.let(both(word, _behind(tile, w))) for w, word in enumerate(plane)
                    )
                choose(rest, (*chosen, tile))

            self.bags.each(narrowed(plane, chosen) if is_last else plane, one)

        choose(plane, ())


def _behind(tile: Expr, word: int) -> Expr:
    """Return the bits of a word from a member on."""
    first = sub(tile, Lit(word * BITS))
    own = shl(Lit(-1), first)
    return select(lt(first, ZERO), Lit(-1), select(ge(first, Lit(BITS)), ZERO, own))
