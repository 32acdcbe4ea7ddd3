"""Games in which everybody plays greedily, in the kernel language.

Input: the listing of an instance, what its tiles are good for, what seats see.
Output: the function `choose`.
Guarantee: the choices of `golpae.simulate.greedy`, made as `docs/semantics.md` (11.7, 11.8) says, by the same numbers.

    choose()   the number of the event that a seat takes in this position; -1 if there is none
"""

from __future__ import annotations

from collections.abc import Callable

from golpae.ir.ruleset import Action
from golpae.ir.types import TILE
from golpae.kernel.emit.expressions import Expressions
from golpae.kernel.emit.playing.listing import MOST_NOTED
from golpae.kernel.emit.playing.rating import GAINS, Ratings
from golpae.kernel.language.code import Expr, Function, Get, Lit
from golpae.kernel.language.writer import (
    ONE,
    ZERO,
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
    sub,
)
from golpae.kernel.layout import NONE


class Greedy(Ratings):
    """Writes the functions of one instance. Raises `Unsupported`."""

    def functions(self) -> list[Function]:
        """Return the functions that choose."""
        return [*self.rating(), self._group(), self._event_of(), self._one_of(), self._choose()]

    def _group(self) -> Function:
        """`group(events)`: puts the events of a position together that a seat cannot tell apart. It returns how many
        are of no player.
        """
        writer = self.parts.writer("group", 1, 1)
        of = Expressions(self.parts, writer)
        writer.store(8, ZERO, ZERO, self._choices)
        writer.store(8, ZERO, ZERO, self._seats)
        nobody, seen = writer.var(0), writer.var(0)

        def one(event: Expr) -> None:
            at = writer.let(shl(event, Lit(3)))
            action = writer.let(self.note(event, 0))
            found = writer.var(NONE)
            with writer.block() as done:
                with writer.when(is_zero(load(8, shl(action, Lit(3)), self._acts))):
                    writer.set(nobody, add(nobody, ONE))
                    writer.leave(done)
                seat = writer.let(self.note(event, 1))
                for number, declared in enumerate(self.parts.rules.actions):
                    if declared.name in self._hidden:
                        with writer.when(eq(action, Lit(number))):
                            self._find_same(of, declared, event, found)
                with writer.when(lt(found, ZERO)):
                    writer.set(found, load(8, ZERO, self._choices))
                    writer.store(8, shl(found, Lit(3)), event, self._first)
                    writer.store(8, ZERO, add(found, ONE), self._choices)
                bit = writer.let(shl(ONE, seat))
                with writer.when(is_zero(both(seen, bit))):
                    writer.set(seen, either(seen, bit))
                    many = writer.let(load(8, ZERO, self._seats))
                    writer.store(8, shl(many, Lit(3)), seat, self._order)
                    writer.store(8, ZERO, add(many, ONE), self._seats)
            writer.store(8, at, found, self._choice_of)

        of.memory.counted(writer.param(0), one)
        writer.give(nobody)
        return writer.function()

    def _find_same(self, of: Expressions, action: Action, event: Expr, found: Get) -> None:
        """Write that the choice is found whose events differ from this one only in a tile that the seat cannot know."""
        writer = of.writer
        hidden, many = self._word_of(action)

        def one(choice: Expr) -> None:
            first = writer.let(load(8, shl(choice, Lit(3)), self._first))
            same: Expr = ONE
            for word in range(many):
                mine, other = self.note(event, word), self.note(first, word)
                if word == hidden:
                    mine, other = lt(mine, ZERO), lt(other, ZERO)
                same = both(same, eq(mine, other))
            with writer.when(same):
                writer.set(found, choice)

        self.each_choice(of, one)

    def _word_of(self, action: Action) -> tuple[int, int]:
        """Return the word of a note that has the tile that a seat cannot know, and how many words count."""
        (hidden,) = self._hidden[action.name]
        word, place = 2, NONE
        for arg in self.layout.args(action):
            if arg.key == hidden.key:
                place = word
            word += arg.parts or 1
        return place, word

    def _event_of(self) -> Function:
        """`event_of(choice)`: one of its events; each of the tiles that it can be has the same chance."""
        writer = self.parts.writer("event_of", 1, 1)
        of = Expressions(self.parts, writer)
        choice = writer.param(0)
        first = writer.let(load(8, shl(choice, Lit(3)), self._first))
        action = writer.let(self.note(first, 0))
        for number, declared in enumerate(self.parts.rules.actions):
            if declared.name in self._hidden:
                with writer.when(eq(action, Lit(number))):
                    self._weighed(of, declared, choice)
        writer.give(first)
        return writer.function()

    def _weighed(self, of: Expressions, action: Action, choice: Expr) -> None:
        writer, layout = of.writer, self.layout
        (hidden,) = self._hidden[action.name]
        word, _ = self._word_of(action)
        zone = self.parts.zones[hidden.zone]
        there = of.bags.empty(TILE, self.words)
        for player in range(layout.players if zone.each_player else 1):
            there = of.bags.joined(there, self._tiles(of, zone, Lit(player)), self.planes)
        total, many = writer.var(0), writer.var(0)
        events = writer.let(load(8, ZERO, self._events))

        def each(run: Callable[[Expr, Expr], None]) -> None:
            def one(event: Expr) -> None:
                with writer.when(eq(load(8, shl(event, Lit(3)), self._choice_of), choice)):
                    tile = writer.let(self.note(event, word))
                    has = writer.let(of.bags.has(tile, there, True))
                    run(event, writer.let(select(has, of.bags.copies(tile, there), ONE)))

            of.memory.counted(events, one)

        def count(event: Expr, weight: Expr) -> None:
            writer.set(total, add(total, weight))
            writer.set(many, add(many, ONE))

        each(count)
        with writer.when(gt(many, ONE)):
            left = writer.var(call("below", total))

            def take(event: Expr, weight: Expr) -> None:
                with writer.when(lt(left, weight)):
                    writer.give(event)
                writer.set(left, sub(left, weight))

            each(take)

    def _one_of(self) -> Function:
        """`one_of(seat)`: the event of one of the choices of a seat that are rated best."""
        writer = self.parts.writer("one_of", 1, 1)
        of = Expressions(self.parts, writer)
        seat = writer.param(0)
        best, many = writer.var(-1), writer.var(0)

        def each(run: Callable[[Expr, Expr], None]) -> None:
            def one(choice: Expr) -> None:
                at = writer.let(shl(choice, Lit(3)))
                with writer.when(eq(self.note(load(8, at, self._first), 1), seat)):
                    run(choice, writer.let(load(8, at, self._rating)))

            self.each_choice(of, one)

        def compare(choice: Expr, rating: Expr) -> None:
            with writer.when(gt(rating, best)):
                writer.set(best, rating)
                writer.set(many, 0)
            writer.set(many, add(many, eq(rating, best)))

        each(compare)
        left = writer.var(call("below", many))

        def take(choice: Expr, rating: Expr) -> None:
            with writer.when(eq(rating, best)):
                with writer.when(is_zero(left)):
                    writer.give(call("event_of", choice))
                writer.set(left, sub(left, ONE))

        each(take)
        writer.give(Lit(NONE))
        return writer.function()

    def _choose(self) -> Function:
        writer = self.parts.writer("choose", 0, 1)
        of = Expressions(self.parts, writer)
        writer.let(call("pick", Lit(-1)))
        events = writer.let(load(8, ZERO, self.listing.seen))
        with writer.when(is_zero(events)):
            writer.give(Lit(NONE))
        writer.refer_if(gt(events, Lit(MOST_NOTED)))
        writer.store(8, ZERO, events, self._events)
        nobody = writer.let(call("group", events))
        seats = writer.let(load(8, ZERO, self._seats))
        with writer.when(is_zero(seats)):
            writer.give(call("below", events))
        first = load(8, ZERO, self._order)
        with writer.when(both(eq(seats, ONE), is_zero(nobody))):
            with writer.when(gt(load(8, ZERO, self._choices), ONE)):
                writer.let(call("best", first))
                writer.give(call("one_of", first))
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

        def ask(number: Expr) -> None:
            seat = writer.let(load(8, shl(number, Lit(3)), self._order))
            with writer.when(ge(call("best", seat), Lit(GAINS))):
                writer.give(call("one_of", seat))

        of.memory.counted(seats, ask)
        writer.give(call("one_of", first))
        return writer.function()
