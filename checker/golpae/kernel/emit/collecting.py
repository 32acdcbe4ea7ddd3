"""Values turned into other forms: streams and melds into bags that are kept in planes, `none` into a value of a type.

Input: values. Output: values. Guarantee: what has no such form raises `NotCompiled`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from golpae.ir.types import (
    TILE,
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
from golpae.kernel.emit.bags import Bags, any_of
from golpae.kernel.emit.parts import bare
from golpae.kernel.emit.values import Bits, Group, PerSeat, Plane, Recorded, Scalar, Scored, Stream, Value
from golpae.kernel.language.code import Expr, Get, Lit
from golpae.kernel.language.limits import Limit
from golpae.kernel.language.writer import (
    ONE,
    ZERO,
    Writer,
    both,
    either,
    is_zero,
    le,
    select,
    sub,
)
from golpae.kernel.layout import MOST_COPIES, NO_NUMBER, NONE, Layout, is_planar, is_scalar, none_of
from golpae.kernel.unsupported import NotCompiled


class Collecting:
    """Turns values into other forms in one function."""

    def __init__(self, layout: Layout, writer: Writer, bags: Bags) -> None:
        self.layout, self.writer, self.bags = layout, writer, bags

    def as_bits(self, value: Value) -> Bits:
        """Return a value as a bag in planes. Raises `NotCompiled`."""
        if isinstance(value, Group):
            return Bits(value.tiles.item, value.tiles.planes, value.present)
        if isinstance(value, Bits):
            return value
        if isinstance(value, Stream):
            return self.collected(value)
        raise NotCompiled("a score, patterns or a value for each player where a bag is needed")

    def collected(self, stream: Stream) -> Bits:
        words, planes = self.layout.words(stream.item), self.room(stream.item)
        planes_of_words = [[self.writer.var(0) for _ in range(words)] for _ in range(planes)]

        def put(item: Value, copies: Expr) -> None:
            assert isinstance(item, Scalar)
            self._add(planes_of_words, self.bags.bit(item.value, words), copies)

        stream.each(put)
        return Bits(stream.item, tuple(tuple(plane) for plane in planes_of_words))

    def gathered(self, stream: Stream) -> Bits:
        """Return all tiles of the bags of a stream."""
        words, planes = self.layout.words(TILE), self.layout.planes(TILE)
        gathered_planes = tuple(tuple(self.writer.var(0) for _ in range(words)) for _ in range(planes))

        def put(item: Value, copies: Expr) -> None:
            self.join_into(gathered_planes, self.as_bits(item))

        stream.each(put)
        return Bits(TILE, gathered_planes)

    def join_into(self, target: tuple[tuple[Get, ...], ...], bag: Bits) -> None:
        """Add the members of a bag to planes that are set again."""
        now = Bits(bag.item, tuple(tuple(self.writer.let(word) for word in plane) for plane in target))
        for plane, made in zip(target, self.bags.joined(now, bag, len(target)).planes, strict=True):
            for word, value in zip(plane, made, strict=True):
                self.writer.set(word, value)

    def _add(self, kept: list[list[Get]], bit: Plane, copies: Expr) -> None:
        """Add copies of one member to planes that are set again."""

        def once() -> None:
            carry = bit
            for plane in kept:
                held = [self.writer.let(both(word, c)) for word, c in zip(plane, carry, strict=True)]
                for word, c in zip(plane, carry, strict=True):
                    self.writer.set(word, either(word, c))
                carry = tuple(held)
            self.writer.refer_if(is_zero(is_zero(any_of(carry))), Limit.COPIES)

        if copies == ONE:
            once()
            return
        left = self.writer.var(copies)
        with self.writer.block() as done, self.writer.loop() as again:
            self.writer.leave(done, le(left, ZERO))
            once()
            self.writer.set(left, sub(left, ONE))
            self.writer.leave(again)

    def room(self, item: Type) -> int:
        """Return how many copies of one member a bag that is collected can have."""
        return max(self.layout.copies, 4) if isinstance(item, Tile) else MOST_COPIES

    def any_value(self, kind: Type) -> Value:
        """Return some value of a type, for code that is never reached. Raises `NotCompiled`."""
        if is_scalar(kind):
            return Scalar(ZERO, kind, 0)
        match kind:
            case Bag(item):
                if is_planar(item):
                    return self.bags.empty(item, self.layout.words(item))
                return Stream(item, lambda run: None, ZERO, short=True)
            case Meld():
                return Group(Lit(NONE), self.bags.empty(TILE, self.layout.words(TILE)))
            case Opt(item):
                return self.any_value(item)
            case Each(item):
                return PerSeat((self.any_value(item),) * self.layout.players)
            case Points():
                return Scored(Lit(NO_NUMBER), ZERO)
            case Patterns():
                return Recorded(ZERO, ZERO)
            case Bool() | Int() | Seat() | Tile() | Choice() | NoneType():
                raise NotCompiled("a single value where a list or a meld is needed")

    def coerced(self, value: Value, kind: Type) -> Value:
        """Return a value as one of a wider type: `none` and the empty bag have no type of their own."""
        if isinstance(value, Scalar) and isinstance(value.kind, NoneType):
            if is_scalar(kind):
                return Scalar(Lit(none_of(kind)), kind)
            some = self.any_value(kind)
            if isinstance(some, Bits | Group | PerSeat | Stream):
                return replace(some, present=ZERO)
            if isinstance(some, Scored):
                return some
            raise NotCompiled("none where recorded patterns are needed")
        wanted = bare(kind)
        if isinstance(wanted, Bag) and isinstance(value, Bits | Stream) and value.item != wanted.item:
            return self._members_as(value, wanted.item)
        return value

    def _members_as(self, value: Bits | Stream, item: Type) -> Value:
        """Return a bag with members of a wider type."""
        if isinstance(value, Bits) and all(word == ZERO for plane in value.planes for word in plane):
            some = self.any_value(Bag(item))
            assert isinstance(some, Bits | Stream)
            return replace(some, present=value.present)
        if is_planar(item):
            raise NotCompiled(
                "a list of numbers, bags or melds where a bag of tiles, players or words is needed"
            )
        stream = self.streamed(value)

        def each(run: Callable[[Value, Expr], None]) -> None:
            stream.each(lambda member, copies: run(self.coerced(member, item), copies))

        return Stream(item, each, stream.size, stream.present)

    def streamed(self, value: Bits | Stream) -> Stream:
        """Return a bag as one that is gone through."""
        if isinstance(value, Stream):
            return value
        bag = value

        def each(run: Callable[[Value, Expr], None]) -> None:
            self.bags.each(
                bag.planes[0],
                lambda member: run(Scalar(member, bag.item), self.bags.copies(member, bag)),
            )

        return Stream(bag.item, each, present=bag.present)

    def chosen(self, test: Expr, yes: Value, no: Value) -> Value:
        """Return one of two values that have both been found."""
        if isinstance(yes, Scalar) and isinstance(no, Scalar):
            return Scalar(
                self.writer.let(select(test, yes.value, no.value)), yes.kind, max(yes.bound, no.bound)
            )
        if isinstance(yes, Bits) and isinstance(no, Bits):
            return self.bags.chosen(test, yes, no)
        if isinstance(yes, Group) and isinstance(no, Group):
            let = self.writer.let
            label, present = (
                let(select(test, a, b)) for a, b in ((yes.label, no.label), (yes.present, no.present))
            )
            return Group(label, self.bags.chosen(test, yes.tiles, no.tiles), present)
        if isinstance(yes, Scored) and isinstance(no, Scored):
            let = self.writer.let
            names = {**yes.numbers, **no.numbers}
            nothing = Lit(NO_NUMBER)
            numbers = {
                n: let(select(test, yes.numbers.get(n, nothing), no.numbers.get(n, nothing))) for n in names
            }
            total, fits = let(select(test, yes.total, no.total)), let(select(test, yes.fits, no.fits))
            return Scored(total, fits, numbers=numbers)
        raise NotCompiled("a choice between two values of which one is a list")
