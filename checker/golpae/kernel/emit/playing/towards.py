"""Games in which seats go towards the nearest win, and some perhaps play at random, in the kernel language.

Input: the listing of an instance, what its tiles are good for, what seats see. Output: the function `choose`.
Guarantee: the choices of `golpae.simulate.towards`, by the same numbers.

A rating is one number: who wins, whether the event is sensible, nearness, what is spared; then, in bits that are not
compared, whether it is sensible, and whether the seat would do it before others.

    packed(tiles)        how many of some tiles can be in groups at most, no two with the same tile; or `lacking`
    support(tile)        how many tiles can still go together with one
    one_of(seat, asked)  the event of one of the best choices of a seat; -1 if that has not the bit that is asked for
"""

from __future__ import annotations

from functools import reduce

from golpae.ir.types import TILE
from golpae.kernel.emit.expressions import Expressions
from golpae.kernel.emit.playing.choices import Choices
from golpae.kernel.emit.playing.greedy import Greedy
from golpae.kernel.emit.playing.lacking import Lacking
from golpae.kernel.emit.playing.listing import Listing
from golpae.kernel.emit.playing.rating import Aims
from golpae.kernel.emit.remembering import remembering
from golpae.kernel.emit.values import Bits
from golpae.kernel.language.code import Expr, Function, Get, Lit
from golpae.kernel.language.writer import (
    ONE,
    ZERO,
    Writer,
    add,
    both,
    call,
    count_bits,
    either,
    eq,
    ge,
    gt,
    is_zero,
    load,
    lt,
    ne,
    select,
    shl,
    shr,
    sub,
    without,
)
from golpae.kernel.layout import NONE, WORD

MOST_STEPS = 2_000  # as in golpae.simulate.aims, where tiles are left over then
ANY, CALLS, SENSIBLE = 0, 1, 2
_BITS = 2  # that are not compared
_FIELD = 20  # bits of nearness, and of what is spared


class Towards(Greedy):
    """Writes the functions of one instance. Raises `NotCompiled`."""

    choosing_params = 2

    def __init__(self, listing: Listing, aims: Aims, choices: Choices) -> None:
        super().__init__(listing, aims, choices)
        self._now, self._steps = self.layout.allocate(1), self.layout.allocate(1)
        self._there = self.layout.allocate(2 * self.many)
        made = aims.compositions
        self._lacking = Lacking(self.parts, self.tiles, made) if made else None

    def rating(self) -> list[Function]:
        """Return the functions that rate."""
        measure = [self._packed(), self._pack()] if self._lacking is None else self._lacking.functions()
        return [*super().rating(), *measure, self._support()]

    def prepare(self, writer: Writer, beyond: Bits) -> None:
        """Write how far the seat is from a win now, and which tiles there are."""
        of = Expressions(self.parts, writer)
        loose, whole = self._kept(writer, self._loose), self._kept(writer, self._whole)
        writer.store(8, ZERO, self._distance(writer, of, loose, whole), self._now)
        for place, word in enumerate(
            word for plane in of.bags.fitted(beyond, 2 * self.planes).planes for word in plane
        ):
            writer.store(8, ZERO, word, self._there + place * WORD)

    # ------------------------------------------------------------------ ratings

    def _distance(self, writer: Writer, of: Expressions, loose: Bits, whole: Bits) -> Expr:
        if self._lacking is not None:
            return writer.let(call("lacking", *self.tiles.flat(of, whole)))
        size = writer.let(of.bags.size(loose))
        if self.aims.groups is None:
            return size
        return writer.let(sub(size, call("packed", *self.tiles.flat(of, loose))))

    def _packed(self) -> Function:
        writer = Writer("packed", self.many, 1)
        words = [writer.param(place) for place in range(self.many)]

        def search() -> list[Get]:
            writer.store(8, ZERO, ZERO, self._steps)
            return [writer.var(call("pack", *words))]

        remembering(self.layout, writer, words, 1, search)
        return writer.function()

    def _pack(self) -> Function:
        writer = Writer("pack", self.many, 1)
        bag = self.tiles.bag([writer.param(place) for place in range(self.many)])
        of = Expressions(self.parts, writer)
        steps = writer.let(add(load(8, ZERO, self._steps), ONE))
        writer.store(8, ZERO, steps, self._steps)
        with writer.when(either(gt(steps, Lit(MOST_STEPS)), of.bags.is_empty(bag))):
            writer.give(ZERO)
        first = self.tiles.lowest(writer, bag)
        best = writer.var(0)

        def one(address: Expr) -> None:
            entry = self.tiles.at(writer, address)
            with writer.when(of.bags.within(entry, bag)):
                rest = self.tiles.flat(of, of.bags.minus(bag, entry))
                most = writer.let(add(of.bags.size(entry), call("pack", *rest)))
                with writer.when(gt(most, best)):
                    writer.set(best, most)

        self.tiles.each_entry(writer, Lit(self._groups[0]), first, self.many, one)
        single = of.bags.single(TILE, first, self.words)
        other = writer.let(call("pack", *self.tiles.flat(of, of.bags.minus(bag, single))))
        writer.give(select(gt(other, best), other, best))
        return writer.function()

    def _support(self) -> Function:
        writer = Writer("support", 1, 1)
        if self.aims.groups is None:
            writer.give(ONE)
            return writer.function()
        of, tile = Expressions(self.parts, writer), writer.param(0)
        words = [writer.let(load(8, ZERO, self._there + place * WORD)) for place in range(2 * self.many)]
        there = Bits(
            TILE, tuple(tuple(words[p * self.words : (p + 1) * self.words]) for p in range(2 * self.planes))
        )
        own = of.bags.bit(tile, self.words)
        partners = [writer.var(0) for _ in range(self.words)]

        def one(address: Expr) -> None:
            entry = self.tiles.at(writer, address)
            with writer.when(of.bags.within(entry, there)):
                for place, word in enumerate(partners):
                    others = without(entry.planes[0][place], own[place])
                    again = both(entry.planes[1][place], own[place]) if self.planes > 1 else ZERO
                    writer.set(word, either(word, either(others, again)))

        self.tiles.each_entry(writer, Lit(self._groups[0]), tile, self.many, one)
        many: Expr = ZERO
        for plane in there.planes:
            for word, kinds in zip(plane, partners, strict=True):
                many = add(many, count_bits(both(word, kinds)))
        itself = reduce(either, (both(kinds, bit) for kinds, bit in zip(partners, own, strict=True)))
        writer.give(sub(many, ne(itself, ZERO)))
        return writer.function()

    def _rate(self) -> Function:
        """`rate(event, seat)`: the position, which `best` has kept, is then what it was."""
        writer = self.parts.writer("rate", 2, 1)
        of, seat = Expressions(self.parts, writer), writer.param(1)
        action, winner, found = self.tried(writer, writer.param(0), seat)
        loose, whole, taken, given = self.moved(writer, of, action, found)
        distance = self._distance(writer, of, loose, whole)
        nearer = writer.let(lt(distance, load(8, ZERO, self._now)))
        takes = writer.let(is_zero(of.bags.is_empty(taken)))
        wins = writer.let(eq(winner, seat))
        result = select(wins, Lit(2), eq(winner, Lit(NONE)))
        sensible = writer.let(either(is_zero(takes), nearer))
        calls = either(wins, both(takes, nearer))
        support = writer.var(0)

        def one(tile: Expr) -> None:
            copies = of.bags.copies(tile, given)
            partners = writer.let(call("support", tile))
            of.memory.counted(writer.let(copies), lambda _: writer.set(support, add(support, partners)))

        of.bags.each(given.planes[0], one)
        rating: Expr = either(shl(result, ONE), sensible)
        rating = add(shl(rating, Lit(_FIELD)), sub(Lit((1 << _FIELD) - 1), distance))
        rating = add(shl(rating, Lit(_FIELD)), sub(Lit((1 << _FIELD) - 1), support))
        writer.give(either(shl(rating, Lit(_BITS)), either(shl(sensible, ONE), calls)))
        return writer.function()

    # ------------------------------------------------------------------ choices

    def any_of_best(self, seat: Expr) -> Expr:
        """Return the event of one of the choices of a seat that are rated best."""
        return call("one_of", seat, Lit(ANY))

    def before_others(self, writer: Writer, seat: Expr) -> None:
        """Write that a seat acts, if it would before others."""
        writer.let(call("best", seat))
        self._act(writer, seat, CALLS)

    def at_all(self, writer: Writer, seat: Expr) -> None:
        """Write that a seat acts, if it would after nobody wanted to act before others."""
        self._act(writer, seat, SENSIBLE)

    def _act(self, writer: Writer, seat: Expr, asked: int) -> None:
        choice = writer.let(call("one_of", seat, Lit(asked)))
        with writer.when(ge(choice, ZERO)):
            writer.give(choice)

    def compared(self, rating: Expr) -> Expr:
        """Return the part of a rating that is compared."""
        return shr(rating, Lit(_BITS))

    def take(self, writer: Writer, choice: Expr, rating: Expr) -> None:
        """Write that a choice is taken, if it has the bit that is asked for."""
        number = writer.param(1)
        with writer.when(both(ne(number, ZERO), is_zero(both(rating, number)))):
            writer.give(Lit(NONE))
        super().take(writer, choice, rating)
