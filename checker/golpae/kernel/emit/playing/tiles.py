"""Bags of tiles as lists of words, in the kernel language.

Input: the layout of an instance, tiles by their numbers. Output: entries of tables, and code that goes through these.
Guarantee: an entry with more copies of a tile than there are is within no bag.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from golpae.ir.types import TILE
from golpae.kernel.emit.expressions import Expressions
from golpae.kernel.emit.values import Bits
from golpae.kernel.language.code import Expr, Lit
from golpae.kernel.language.writer import ONE, Writer, add, is_zero, load, lowest_bit, shl, sub
from golpae.kernel.layout import BITS, WORD, Layout


class Tiles:
    """Tiles of one instance."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.planes, self.words = layout.planes(TILE), layout.words(TILE)
        self.many = self.planes * self.words

    def bag(self, words: Sequence[Expr]) -> Bits:
        """Return the bag of these words."""
        planes = (tuple(words[p * self.words : (p + 1) * self.words]) for p in range(self.planes))
        return Bits(TILE, tuple(planes))

    def flat(self, of: Expressions, bag: Bits) -> list[Expr]:
        """Return the words of a bag; refer if it has more copies of a tile than there are."""
        return [word for plane in of.bags.fitted(bag, self.planes).planes for word in plane]

    def entry(self, tiles: Sequence[int]) -> bytes:
        """Return a bag as it lies in the memory."""
        planes = [[0] * self.words for _ in range(self.planes)]
        for kind, count in Counter(tiles).items():
            if count > self.planes:  # more than there are: no bag has it
                return b"\xff" * (self.many * WORD)
            for plane in planes[:count]:
                plane[kind // BITS] |= 1 << kind % BITS
        return b"".join(word.to_bytes(WORD, "little") for plane in planes for word in plane)

    def table(self, entries: Sequence[Sequence[bytes]]) -> int:
        """Return where the entries of each kind are: their number, and where they begin."""
        data = b""
        for own in entries:
            first = self.layout.hold(b"".join(own)) if own else 0
            data += len(own).to_bytes(WORD, "little") + first.to_bytes(WORD, "little")
        return self.layout.hold(data)

    def each_entry(
        self, writer: Writer, table: Expr, tile: Expr, size: int, run: Callable[[Expr], None]
    ) -> None:
        """Write what happens for each entry of a kind, of so many words, with its address."""
        head = writer.let(add(table, shl(tile, Lit(4))))
        left, at = writer.var(load(8, head)), writer.var(load(8, head, WORD))
        with writer.block() as done, writer.loop() as again:
            writer.leave(done, is_zero(left))
            run(at)
            writer.set(at, add(at, Lit(size * WORD)))
            writer.set(left, sub(left, ONE))
            writer.leave(again)

    def at(self, writer: Writer, address: Expr) -> Bits:
        """Return the bag that lies at an address."""
        return self.bag([writer.let(load(8, address, place * WORD)) for place in range(self.many)])

    def lowest(self, writer: Writer, bag: Bits) -> Expr:
        """Return the lowest kind in a bag that is not empty."""
        lowest_tile = writer.var(0)
        with writer.block() as done:
            for word, bits in enumerate(bag.planes[0]):
                writer.set(lowest_tile, add(lowest_bit(bits), Lit(word * BITS)))
                writer.leave(done, bits)
        return writer.let(lowest_tile)
