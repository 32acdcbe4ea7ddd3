"""Read lists of tiles that are numbers of words instead of text: the gaps of words, as `trace.packed` describes them.

Input: where such numbers lie in the memory, and which tile each word is. Output: code that goes through a gap.
Guarantee: code leaves for `fail` if a word is no tile, or if the numbers end before the gap does. In a line that is
text it finds no gap, whatever its bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from golpae.kernel.language.code import Expr, Lit, Width
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
    load,
    lt,
    shl,
    sub,
)
from golpae.kernel.scan.text import Cursor

SHORT = 240  # as `trace.packed` has it, and so the others here
MOST_NUMBERS = SHORT + (256 - SHORT) * 256  # of words
_CLOSE, _SPACED = 1, 2  # the bytes that are gaps
TILE: Width = 2  # bytes of what is known of a word: a tile and 1, or 0


@dataclass(frozen=True, slots=True)
class Gaps:
    """Where it lies in the memory, one word each, where the numbers of the line that is read begin and end, where the
    next gap of it does, and where the tiles of all words lie. `end` is 0 while a line is read that is text.
    """

    first: int
    end: int
    at: int
    tiles: int

    def begin(self, writer: Writer) -> None:
        """Write that the line is read from its first gap on."""
        writer.store(8, ZERO, load(8, ZERO, self.first), self.at)

    def follows(self, cursor: Cursor, ahead: int) -> Expr:
        """Return whether a gap stands so many bytes ahead."""
        return is_gap(cursor.load(1, ahead))

    def each(self, cursor: Cursor, run: Callable[[Expr], None]) -> None:
        """Read a gap; `run` writes what happens for each tile."""
        writer = cursor.writer
        cursor.skip(1)
        cursor.settle()
        at = writer.var(load(8, ZERO, self.at))
        end = writer.let(load(8, ZERO, self.end))
        cursor.require(lt(at, end))
        tiles, left = writer.let(load(8, ZERO, self.tiles)), writer.var(load(1, at))
        number = writer.new()
        writer.set(at, add(at, ONE))
        with writer.block() as done, writer.loop() as again:
            writer.leave(done, is_zero(left))
            writer.set(number, load(1, at))
            with writer.when(ge(number, Lit(SHORT))):
                writer.set(number, two_bytes(at, number))
                writer.set(at, add(at, ONE))
            writer.set(at, add(at, ONE))
            tile = writer.let(load(TILE, add(tiles, shl(number, ONE))))
            cursor.require(tile)
            run(writer.let(sub(tile, ONE)))
            writer.set(left, sub(left, ONE))
            writer.leave(again)
        cursor.require(ge(end, at))
        writer.store(8, ZERO, at, self.at)


def is_gap(byte: Expr) -> Expr:
    """Return whether a byte of a word is a gap."""
    return below(sub(byte, Lit(_CLOSE)), Lit(_SPACED))


def is_spaced(gap: Expr) -> Expr:
    """Return whether spaces stand between the words that fill a gap."""
    return eq(gap, Lit(_SPACED))


def two_bytes(at: Expr, first: Expr) -> Expr:
    """Return the number of a word that has two bytes, of which this is the first one."""
    return add(either(shl(sub(first, Lit(SHORT)), Lit(8)), load(1, at, 1)), Lit(SHORT))
