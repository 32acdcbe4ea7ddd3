"""A bag of tiles, players or words while it is read.

Input: members, one after the other. Output: code that adds them to the planes of a bag.
Guarantee: code leaves for `fail` if there are more copies of a member than planes.
"""

from __future__ import annotations

from golpae.ir.types import Type
from golpae.kernel.language.code import Expr, Lit
from golpae.kernel.language.writer import ONE, ZERO, Writer, add, both, either, load, lt, shl, shr
from golpae.kernel.layout import BITS, WORD, Layout
from golpae.kernel.scan.text import Cursor

_IN_LOCALS = 8  # planes that are kept in locals while a list is read


class Planes:
    """A bag while it is read: in locals if it is small, otherwise where it will lie."""

    def __init__(self, writer: Writer, layout: Layout, item: Type, address: Expr) -> None:
        self._writer, self._address = writer, address
        self._planes, self._words = layout.planes(item), layout.words(item)
        self._too_many = writer.var(0)
        in_locals = self._words == 1 and self._planes <= _IN_LOCALS
        self._held = [writer.var(0) for _ in range(self._planes)] if in_locals else []
        if not in_locals:
            _clear(writer, address, self._planes * self._words)

    def add(self, member: Expr) -> None:
        """Add a member."""
        writer = self._writer
        bit = writer.let(shl(ONE, member))
        for plane in self._held:
            more = writer.let(both(plane, bit))
            writer.set(plane, either(plane, bit))
            bit = more
        if not self._held:
            place = writer.let(add(self._address, shl(shr(member, Lit(6)), Lit(3))))
            for number in range(self._planes):
                offset = number * self._words * WORD
                known = writer.let(load(8, place, offset))
                writer.store(8, place, either(known, bit), offset)
                bit = writer.let(both(known, bit))
        writer.set(self._too_many, either(self._too_many, bit))

    def store(self, cursor: Cursor) -> None:
        """Write the bag to its address; leave for `fail` if there are more copies of a member than planes."""
        for number, plane in enumerate(self._held):
            self._writer.store(8, self._address, plane, number * WORD)
        self._writer.leave(cursor.fail, self._too_many)


def _clear(writer: Writer, address: Expr, slots: int) -> None:
    if slots <= BITS:
        for place in range(slots):
            writer.store(8, address, ZERO, place * WORD)
        return
    slot = writer.var(address)
    end = writer.let(add(address, Lit(slots * WORD)))
    with writer.loop() as again:
        writer.store(8, slot, ZERO)
        writer.set(slot, add(slot, Lit(WORD)))
        writer.leave(again, lt(slot, end))
