"""Choices of several members of a bag: together, or at different places of a list.

Input: a bag, and how many members are chosen. Output: code that is run for each choice.
Guarantee: each copy of a member is one of its own, so a choice comes once for each way to make it, unless only
different choices are asked for; no choice comes if there are fewer members, or if less than 0 are chosen. Of 0 members
there is one choice.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from golpae.ir.types import Type
from golpae.kernel.emit.parts import Names
from golpae.kernel.emit.values import Bits, Scalar, Stream, Value
from golpae.kernel.language.code import Expr, Lit
from golpae.kernel.language.limits import Limit
from golpae.kernel.language.writer import (
    ONE,
    ZERO,
    add,
    both,
    either,
    eq,
    ge,
    gt,
    is_zero,
    load,
    lt,
    ne,
    shl,
    sub,
)
from golpae.kernel.layout import MOST_NUMBERS
from golpae.kernel.unsupported import NotCompiled

if TYPE_CHECKING:
    from golpae.kernel.emit.expressions import Expressions


class Choosing:
    """Writes choices into one function."""

    def __init__(self, expressions: Expressions) -> None:
        self._of = expressions
        self.layout, self.writer = expressions.layout, expressions.writer

    def each(self, bag: Value, size: Expr, run: Callable[[Value], None], different: bool = False) -> None:
        """Write what happens for each bag of `size` members. Raises `NotCompiled`."""
        if different and isinstance(bag, Stream):
            raise NotCompiled("all different choices of several members of a list")
        writer, allocate = self.writer, self.layout.allocate
        size = writer.let(size)
        if isinstance(bag, Stream):
            listed = self._of.keeping.listed(bag)
            assert listed.at is not None
            assert listed.size is not None
            item, many, address = listed.item, listed.size, listed.at
            room = self.layout.room(item)
        else:
            bits = self._of.collecting.as_bits(bag)
            item, room = bits.item, max(MOST_NUMBERS, len(self.layout.whole))
            address = Lit(allocate(room))
            many = self._spread(bits, address, room)
        chosen = Lit(allocate(room))
        with writer.block() as done:
            writer.leave(done, either(lt(size, ZERO), gt(size, many)))
            self._of.memory.counted(size, lambda at: writer.store(8, self._word(chosen, at), at))
            with writer.loop() as again:
                writer.count_member()
                if isinstance(bag, Stream):
                    run(self._members(item, address, chosen, size))
                elif different:
                    with writer.when(self._is_first(address, chosen, size)):
                        run(self._bag(item, address, chosen, size))
                else:
                    run(self._bag(item, address, chosen, size))
                last = writer.var(size)
                with writer.block() as result, writer.loop() as before:
                    writer.leave(done, is_zero(last))
                    writer.set(last, sub(last, ONE))
                    at = load(8, self._word(chosen, last))
                    writer.leave(result, lt(at, add(sub(many, size), last)))
                    writer.leave(before)
                following = writer.var(add(load(8, self._word(chosen, last)), ONE))
                with writer.block() as closed, writer.loop() as on:
                    writer.leave(closed, ge(last, size))
                    writer.store(8, self._word(chosen, last), following)
                    writer.set(last, add(last, ONE))
                    writer.set(following, add(following, ONE))
                    writer.leave(on)
                writer.leave(again)

    def at_places(
        self,
        left: tuple[str, ...],
        bag: Stream,
        names: Names,
        taken: tuple[Expr, ...],
        run: Callable[[Names, Expr], None],
    ) -> None:
        """Write what happens for each choice of members at different places of a list in memory."""
        if not left:
            run(names, ONE)
            return
        assert bag.at is not None
        assert bag.size is not None
        address = bag.at
        name, *others = left

        def one(at: Expr) -> None:
            free_place: Expr = ONE
            for place in taken:
                free_place = both(free_place, ne(at, place))
            with self.writer.when(free_place):
                member = self._of.memory.member(bag.item, address, at, True)
                self.at_places(tuple(others), bag, {**names, name: member}, (*taken, at), run)

        self._of.memory.counted(bag.size, one)

    def _is_first(self, address: Expr, chosen: Expr, size: Expr) -> Expr:
        """Return whether no equal choice came before: of the copies of a member, the first ones are chosen."""
        writer, is_first = self.writer, self.writer.var(1)

        def one(at: Expr) -> None:
            place = writer.let(load(8, self._word(chosen, at)))
            earlier = writer.let(sub(place, ONE))
            with writer.when(place):
                equal = eq(load(8, self._word(address, place)), load(8, self._word(address, earlier)))
                with writer.when(equal):
                    with writer.when(is_zero(at)):
                        writer.set(is_first, 0)
                    with writer.when(at):
                        before = load(8, self._word(chosen, sub(at, ONE)))
                        writer.set(is_first, both(is_first, eq(before, earlier)))

        self._of.memory.counted(size, one)
        return is_first

    def _word(self, address: Expr, number: Expr) -> Expr:
        return add(address, shl(number, Lit(3)))

    def _spread(self, bag: Bits, address: Expr, room: int) -> Expr:
        """Write each member of a bag into memory, as often as it is in it. Return how many there are."""
        writer, many = self.writer, self.writer.var(0)

        def one(member: Expr) -> None:
            def put(_: Expr) -> None:
                writer.refer_if(ge(many, Lit(room)), Limit.ROOM)
                writer.store(8, self._word(address, many), member)
                writer.set(many, add(many, ONE))

            self._of.memory.counted(self._of.bags.copies(member, bag), put)

        self._of.bags.each(bag.planes[0], one)
        return writer.let(many)

    def _members(self, item: Type, address: Expr, chosen: Expr, size: Expr) -> Stream:
        memory, writer = self._of.memory, self.writer

        def each(run: Callable[[Value, Expr], None]) -> None:
            def one(at: Expr) -> None:
                place = writer.let(load(8, self._word(chosen, at)))
                run(memory.member(item, address, place, True), ONE)

            memory.counted(size, one)

        return Stream(item, each, size)

    def _bag(self, item: Type, address: Expr, chosen: Expr, size: Expr) -> Bits:
        writer = self.writer

        def each(run: Callable[[Value, Expr], None]) -> None:
            def one(at: Expr) -> None:
                place = load(8, self._word(chosen, at))
                run(Scalar(writer.let(load(8, self._word(address, place))), item), ONE)

            self._of.memory.counted(size, one)

        return self._of.collecting.collected(Stream(item, each, size))
