"""Games in which seats play greedily, and some perhaps at random, in the kernel language.

Input: the listing of an instance, what its tiles are good for, what seats see.
Output: the function `choose`.
Guarantee: the choices of `golpae.simulate.greedy`, made as `docs/semantics.md` (11.7, 11.8) says, by the same numbers.

    choose()   the number of the event that a seat takes in this position; -1 if there is none
    rated()    how that event is rated, and 8 more if no choice of the seat is rated worse; -1 if none was compared
"""

from __future__ import annotations

from collections.abc import Callable

from golpae.kernel.emit.expressions import Expressions
from golpae.kernel.emit.playing.choices import Choices
from golpae.kernel.emit.playing.listing import Listing
from golpae.kernel.emit.playing.rating import GAINS, Aims, Ratings
from golpae.kernel.language.code import Expr, Function, Lit
from golpae.kernel.language.writer import (
    ONE,
    ZERO,
    Writer,
    add,
    both,
    call,
    either,
    eq,
    ge,
    gt,
    is_zero,
    load,
    lt,
    select,
    shl,
    shr,
    sub,
)
from golpae.kernel.layout import NONE

NO_WORSE = 8  # a bit of `rated`


class Greedy(Ratings):
    """Writes the functions of one instance. Raises `NotCompiled`."""

    choosing_params = 1

    def __init__(self, listing: Listing, aims: Aims, choices: Choices) -> None:
        super().__init__(listing, aims, choices)
        self._rated = self.layout.allocate(1)

    def functions(self) -> list[Function]:
        """Return the functions that choose."""
        chosen = [self._ask_order(), self._one_of(), self._at_random(), self._choose()]
        return [*self.rating(), *chosen, *([self._how_rated()] if self.parts.tells else [])]

    def _how_rated(self) -> Function:
        """`rated()`, for a module that says why a seat would do something."""
        writer = Writer("rated", 0, 1)
        writer.give(load(8, ZERO, self._rated))
        return writer.function()

    def _ask_order(self) -> Function:
        """`ask_order()`: lists the seats that can choose, in the order of their first choices. It returns how many
        choices are of no player.
        """
        writer = self.parts.writer("ask_order", 0, 1)
        of = Expressions(self.parts, writer)
        writer.store(8, ZERO, ZERO, self._seats)
        writer.store(8, ZERO, Lit(NONE), self._rated)
        nobody, seen = writer.var(0), writer.var(0)

        def one(choice: Expr, first: Expr, owner: Expr) -> None:
            with writer.block() as done:
                with writer.when(lt(owner, ZERO)):
                    writer.set(nobody, add(nobody, ONE))
                    writer.leave(done)
                bit = writer.let(shl(ONE, owner))
                with writer.when(is_zero(both(seen, bit))):
                    writer.set(seen, either(seen, bit))
                    many = writer.let(load(8, ZERO, self._seats))
                    writer.store(8, shl(many, Lit(3)), owner, self._order)
                    writer.store(8, ZERO, add(many, ONE), self._seats)

        self.choices.each(of, one)
        writer.give(nobody)
        return writer.function()

    def _one_of(self) -> Function:
        """`one_of(seat)`: the event of one of the choices of a seat that are rated best."""
        writer = self.parts.writer("one_of", self.choosing_params, 1)
        of = Expressions(self.parts, writer)
        seat = writer.param(0)
        best, many, own = writer.var(-1), writer.var(0), writer.var(0)

        def each(run: Callable[[Expr, Expr], None]) -> None:
            def one(choice: Expr, first: Expr, owner: Expr) -> None:
                with writer.when(eq(owner, seat)):
                    run(choice, writer.let(load(8, shl(choice, Lit(3)), self._rating)))

            self.choices.each(of, one)

        def compare(choice: Expr, rated: Expr) -> None:
            rating = writer.let(self.compared(rated))
            with writer.when(gt(rating, best)):
                writer.set(best, rating)
                writer.set(many, 0)
            writer.set(many, add(many, eq(rating, best)))
            writer.set(own, add(own, ONE))

        each(compare)
        writer.store(8, ZERO, select(eq(many, own), either(best, Lit(NO_WORSE)), best), self._rated)
        left = writer.var(call("below", many))

        def take(choice: Expr, rated: Expr) -> None:
            with writer.when(eq(self.compared(rated), best)):
                with writer.when(is_zero(left)):
                    self.take(writer, choice, rated)
                writer.set(left, sub(left, ONE))

        each(take)
        writer.give(Lit(NONE))
        return writer.function()

    def _at_random(self) -> Function:
        """`at_random(seat, size)`: an event of the choice with a number below `size` among those of a seat, or of
        nobody (-1); -1 if there are not so many.
        """
        writer = self.parts.writer("at_random", 2, 1)
        of = Expressions(self.parts, writer)
        left = writer.var(call("below", writer.param(1)))

        def one(choice: Expr, first: Expr, owner: Expr) -> None:
            with writer.when(eq(owner, writer.param(0))):
                with writer.when(is_zero(left)):
                    writer.give(call("event_of", choice))
                writer.set(left, sub(left, ONE))

        self.choices.each(of, one)
        writer.give(Lit(NONE))
        return writer.function()

    def compared(self, rating: Expr) -> Expr:
        """Return the part of a rating that is compared."""
        return rating

    def take(self, writer: Writer, choice: Expr, rating: Expr) -> None:
        """Write that a choice is taken."""
        writer.give(call("event_of", choice))

    def any_of_best(self, seat: Expr) -> Expr:
        """Return the event of one of the choices of a seat that are rated best."""
        return call("one_of", seat)

    def before_others(self, writer: Writer, seat: Expr) -> None:
        """Write that a seat acts, if it would before others."""
        with writer.when(ge(call("best", seat), Lit(GAINS))):
            writer.give(call("one_of", seat))

    def at_all(self, writer: Writer, seat: Expr) -> None:
        """Write that a seat acts, if it would after nobody wanted to act before others."""
        writer.give(call("one_of", seat))

    def is_careless(self, seat: Expr) -> Expr:
        """Return whether a seat plays at random."""
        seats = sum(1 << at for at in self.aims.at_random)
        return both(shr(Lit(seats), seat), ONE)

    def _choose(self) -> Function:
        writer = self.parts.writer("choose", 0, 1)
        of = Expressions(self.parts, writer)
        writer.let(call("pick", Lit(-1)))
        events = writer.let(load(8, ZERO, self.listing.seen))
        with writer.when(is_zero(events)):
            writer.give(Lit(NONE))
        writer.call_into((), "group", events)
        nobody = writer.let(call("ask_order"))
        choices = writer.let(load(8, ZERO, self.choices.count))
        seats = writer.let(load(8, ZERO, self._seats))
        with writer.when(is_zero(seats)):
            writer.give(call("event_of", call("below", choices)))
        first = load(8, ZERO, self._order)
        with writer.when(both(eq(seats, ONE), is_zero(nobody))):
            with writer.when(self.is_careless(first)):
                writer.give(call("at_random", first, choices))
            with writer.when(gt(choices, ONE)):
                writer.let(call("best", first))
                writer.give(self.any_of_best(first))
            writer.give(call("event_of", ZERO))
        place = writer.var(sub(seats, ONE))
        with writer.block() as shuffled, writer.loop() as again:
            writer.leave(shuffled, lt(place, ONE))
            here = writer.let(shl(place, Lit(3)))
            there = writer.let(shl(call("below", add(place, ONE)), Lit(3)))
            one, other = (writer.let(load(8, at, self._order)) for at in (here, there))
            writer.store(8, here, other, self._order)
            writer.store(8, there, one, self._order)
            writer.set(place, sub(place, ONE))
            writer.leave(again)

        def each(run: Callable[[Expr], None]) -> None:
            of.memory.counted(
                seats, lambda number: run(writer.let(load(8, shl(number, Lit(3)), self._order)))
            )

        def before_others(seat: Expr) -> None:
            with writer.when(is_zero(self.is_careless(seat))):
                self.before_others(writer, seat)

        def at_all(seat: Expr) -> None:
            with writer.when(is_zero(self.is_careless(seat))):
                self.at_all(writer, seat)
            with writer.otherwise():
                choice = writer.let(call("at_random", seat, choices))
                with writer.when(ge(choice, ZERO)):
                    writer.give(choice)

        each(before_others)
        each(at_all)
        with writer.when(nobody):
            writer.give(call("at_random", Lit(NONE), nobody))
        own = writer.var(0)
        first_seat = writer.let(first)
        with writer.when(is_zero(self.is_careless(first_seat))):
            writer.give(self.any_of_best(first_seat))
        self.choices.each(of, lambda _, __, owner: writer.set(own, add(own, eq(owner, first_seat))))
        writer.give(call("at_random", first_seat, own))
        return writer.function()
