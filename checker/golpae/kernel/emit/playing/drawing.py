"""Hands of a score by chance, in the kernel language.

Input: the layouts of two instances with the same kinds of tiles, and how hands are drawn (`Drawing`).
Output: the functions that draw.
Guarantee: the same seed and number of a hand give the hand that `docs/semantics.md` (11.14) describes.

    draw(number)   1 after a hand was drawn; 0 if this number has none

A hand lies at `Drawn`: its tiles, and for each parameter that takes one value, this value. `a.fits` and `b.fits` say
whether both scores allow it; somebody else writes these.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from golpae.ir.types import TILE, TILES
from golpae.kernel.emit.playing.numbers import Numbers
from golpae.kernel.emit.playing.pairing import SCOPES
from golpae.kernel.language.code import Expr, Function, Lit
from golpae.kernel.language.limits import Limit
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
    mul,
    shl,
    shr,
    sub,
)
from golpae.kernel.layout import WORD, Layout
from golpae.kernel.unsupported import NotCompiled

MOST_HELD = 1 << 20  # words of groups, of all arrangements together


@dataclass(frozen=True, slots=True)
class DrawnPart:
    """A part of an arrangement: the groups that it may have, how many it has, and whether these are different."""

    groups: tuple[tuple[int, ...], ...]
    count: int
    different: bool

    @property
    def possible(self) -> bool:
        """Whether there are enough groups."""
        return len(self.groups) >= (self.count if self.different else min(self.count, 1))


@dataclass(frozen=True, slots=True)
class Drawing:
    """How hands are drawn: the arrangements of each side; the names of the parameter that is a bag of tiles, and of
    those that are one tile of the hand; other parameters, with the values that they may have, as the kernel has them;
    how often these are drawn for one hand.
    """

    arrangements: tuple[tuple[tuple[DrawnPart, ...], ...], ...]
    bag: str
    single_tiles: tuple[str, ...]
    free: tuple[tuple[str, tuple[int, ...]], ...]
    tries: int

    @property
    def longest(self) -> int:
        """The tiles of the largest hand."""
        forms = (form for side in self.arrangements for form in side)
        return max((sum(p.count * _widest(p) for p in form) for form in forms), default=0)


@dataclass(frozen=True, slots=True)
class Drawn:
    """Addresses: of parameters with one value by name; of each side, those of the bag and of the whole hand."""

    values: dict[str, int]
    bags: tuple[int, int]
    whole: tuple[int, int]


class HandDrawing:
    """Writes the functions that draw. The hand and the numbers lie in the memory of `layout`, the second one."""

    def __init__(self, layouts: tuple[Layout, Layout], drawing: Drawing) -> None:
        self._layouts, self._drawing = layouts, drawing
        self.layout = layouts[1]
        self._kinds = len(self.layout.instance.kinds)
        parts = [p for side in drawing.arrangements for form in side for p in form]
        allocate = self.layout.allocate
        self.numbers = Numbers(self.layout)
        self._copies = [self._held([kind.copies for kind in lo.instance.kinds]) for lo in layouts]
        self._most_copies = min(layout.copies for layout in layouts)
        self._counts, self._tiles, self._many = allocate(self._kinds), allocate(drawing.longest), allocate(1)
        self._picks = allocate(max((p.count for p in parts), default=0))
        names = [*drawing.single_tiles, *(name for name, _ in drawing.free)]
        slots = [layout.slots(TILES) for layout in layouts]
        self.drawn = Drawn(
            {name: allocate(1) for name in names},
            (allocate(slots[0]), allocate(slots[1])),
            (allocate(slots[0]), allocate(slots[1])),
        )
        self._left = MOST_HELD
        self._tables = {part: self._table(part) for part in parts}
        self._values = {name: self._held(values) for name, values in drawing.free}

    def _held(self, words: Sequence[int]) -> int:
        return self.layout.hold(b"".join(word.to_bytes(WORD, "little") for word in words)) if words else 0

    def _table(self, part: DrawnPart) -> int:
        """Return where the groups of a part lie: of each its size, then its tiles."""
        rows = [[len(g), *g, *[0] * (_widest(part) - len(g))] for g in part.groups]
        self._left -= sum(map(len, rows))
        if self._left < 0:
            raise NotCompiled("hands that are drawn from more groups than there is room for")
        return self._held([word for row in rows for word in row])

    def functions(self) -> list[Function]:
        """Return the functions that draw."""
        return [*self.numbers.functions(), self._part(), self._put(), self._draw()]

    # ------------------------------------------------------------------ tiles

    def _part(self) -> Function:
        """`part(table, row, groups, count, different)`: add groups to the tiles; a row of the table has so many bytes.

        Different ones are drawn as by R. Floyd: J. Bentley, "Programming Pearls", CACM 30 (1987), 754.
        """
        writer = Writer("part", 5)
        table, row, groups, count, different = map(writer.param, range(5))
        at, chosen = writer.var(0), writer.new()
        with writer.block() as done, writer.loop() as again:
            writer.leave(done, ge(at, count))
            with writer.when(different):
                last = writer.let(add(sub(groups, count), at))
                writer.set(chosen, call("below", add(last, ONE)))
                before = writer.var(0)
                with writer.block() as over, writer.loop() as more:
                    writer.leave(over, ge(before, at))
                    with writer.when(eq(load(8, shl(before, Lit(3)), self._picks), chosen)):
                        writer.set(chosen, last)
                        writer.leave(over)
                    writer.set(before, add(before, ONE))
                    writer.leave(more)
                writer.store(8, shl(at, Lit(3)), chosen, self._picks)
            with writer.otherwise():
                writer.set(chosen, call("below", groups))
            self._add(writer, writer.let(add(table, mul(chosen, row))))
            writer.set(at, add(at, ONE))
            writer.leave(again)
        return writer.function()

    def _add(self, writer: Writer, group: Expr) -> None:
        """Write that the tiles of a group come to the others."""
        many = writer.var(load(8, ZERO, self._many))
        size = writer.let(load(8, group))
        at = writer.var(0)
        with writer.block() as done, writer.loop() as again:
            writer.leave(done, ge(at, size))
            tile = writer.let(load(8, add(group, shl(at, Lit(3))), WORD))
            place = writer.let(shl(tile, Lit(3)))
            writer.store(8, place, add(load(8, place, self._counts), ONE), self._counts)
            writer.store(8, shl(many, Lit(3)), tile, self._tiles)
            writer.set(many, add(many, ONE))
            writer.set(at, add(at, ONE))
            writer.leave(again)
        writer.store(8, ZERO, many, self._many)

    def _put(self) -> Function:
        """`put(bag, planes)`: a bag of so many planes gets the tiles; it has room for them."""
        writer = Writer("put", 2)
        bag, planes = map(writer.param, range(2))
        words = self.layout.words(TILE)
        slot = writer.var(bag)
        end = writer.let(add(bag, mul(planes, Lit(words * WORD))))
        with writer.block() as done, writer.loop() as again:
            writer.leave(done, ge(slot, end))
            writer.store(8, slot, ZERO)
            writer.set(slot, add(slot, Lit(WORD)))
            writer.leave(again)
        at = writer.var(0)
        many = writer.let(load(8, ZERO, self._many))
        with writer.block() as done, writer.loop() as again:
            writer.leave(done, ge(at, many))
            tile = writer.let(load(8, shl(at, Lit(3)), self._tiles))
            bit = writer.var(shl(ONE, both(tile, Lit(63))))
            writer.set(slot, add(bag, shl(shr(tile, Lit(6)), Lit(3))))
            with writer.block() as over, writer.loop() as more:
                writer.leave(over, is_zero(bit))
                known = writer.let(load(8, slot))
                writer.store(8, slot, either(known, bit))
                writer.set(bit, both(known, bit))
                writer.set(slot, add(slot, Lit(words * WORD)))
                writer.leave(more)
            writer.set(at, add(at, ONE))
            writer.leave(again)
        return writer.function()

    def _puts(self, writer: Writer, bags: tuple[int, int]) -> None:
        for layout, bag in zip(self._layouts, bags, strict=True):
            writer.call_into((), "put", Lit(bag), Lit(layout.planes(TILE)))

    # ------------------------------------------------------------------ a hand

    def _draw(self) -> Function:
        writer, drawing = Writer("draw", 1, 1), self._drawing
        writer.store(8, ZERO, ZERO, self._many)
        for kind in range(self._kinds):
            writer.store(8, ZERO, ZERO, self._counts + kind * WORD)
        side = writer.let(both(writer.param(0), ONE))
        for number, forms in enumerate(drawing.arrangements):
            with writer.when(eq(side, Lit(number))):
                chosen = writer.let(call("below", Lit(len(forms))))
                for nth, form in enumerate(forms):
                    with writer.when(eq(chosen, Lit(nth))):
                        self._laid_out(writer, form)
                self._in_set(writer, self._copies[number])
        with writer.when(is_zero(gt(load(8, ZERO, self._many), Lit(len(drawing.single_tiles))))):
            writer.give(ZERO)
        self._puts(writer, self.drawn.whole)
        for name in drawing.single_tiles:
            last = writer.let(sub(load(8, ZERO, self._many), ONE))
            place = writer.let(shl(call("below", add(last, ONE)), Lit(3)))
            writer.store(8, ZERO, load(8, place, self._tiles), self.drawn.values[name])
            writer.store(8, place, load(8, shl(last, Lit(3)), self._tiles), self._tiles)
            writer.store(8, ZERO, last, self._many)
        self._puts(writer, self.drawn.bags)
        tries = writer.var(drawing.tries)
        with writer.loop() as again:
            for name, values in drawing.free:
                value = shl(call("below", Lit(len(values))), Lit(3))
                writer.store(8, ZERO, load(8, value, self._values[name]), self.drawn.values[name])
            a, b = SCOPES
            with writer.when(call(f"{a}.fits")), writer.when(call(f"{b}.fits")):
                writer.give(ONE)
            writer.set(tries, sub(tries, ONE))
            writer.leave(again, gt(tries, ZERO))
        writer.give(ZERO)
        return writer.function()

    def _laid_out(self, writer: Writer, form: Sequence[DrawnPart]) -> None:
        for part in form:
            if not part.possible:
                writer.give(ZERO)
                return
            row = Lit((1 + _widest(part)) * WORD)
            many, different = Lit(len(part.groups)), Lit(int(part.different))
            writer.call_into((), "part", Lit(self._tables[part]), row, many, Lit(part.count), different)

    def _in_set(self, writer: Writer, copies: int) -> None:
        """Write that there is no hand if a set lacks a tile of it; it is referred if a bag of the other has no room."""
        kind = writer.var(0)
        with writer.block() as done, writer.loop() as again:
            writer.leave(done, ge(kind, Lit(self._kinds * WORD)))
            count = writer.let(load(8, kind, self._counts))
            with writer.when(gt(count, load(8, kind, copies))):
                writer.give(ZERO)
            writer.refer_if(gt(count, Lit(self._most_copies)), Limit.COPIES)
            writer.set(kind, add(kind, Lit(WORD)))
            writer.leave(again)


def _widest(part: DrawnPart) -> int:
    return max(map(len, part.groups), default=0)
