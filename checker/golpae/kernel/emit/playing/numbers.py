"""Random numbers in the kernel language.

Input: a layout. Output: the functions that draw.
Guarantee: the same seed and number of a game give the numbers that `docs/semantics.md` (11.1, 11.2) describes.

    begin(seed, game)   from now on, draws are those of this game
    below(size)         a number below `size`, each with the same chance
"""

from __future__ import annotations

from golpae.kernel.language.code import Function, Get, Lit
from golpae.kernel.language.writer import (
    ONE,
    ZERO,
    Writer,
    add,
    both,
    either,
    eq,
    ge,
    is_zero,
    load,
    lt,
    mul,
    remainder,
    shl,
    shr,
    xor,
)
from golpae.kernel.layout import WORD, Layout

_PARITY = 0x1BD11BDAA9FC1A22  # constants of Threefry
_TURNS = (16, 42, 12, 31, 16, 32, 24, 21)
_ROUNDS = 20
_DRAWS = 1 << 32  # values of a draw
_EACH_BLOCK = 4  # draws


class Numbers:
    """Writes the functions that draw numbers, which lie in the memory of a layout."""

    def __init__(self, layout: Layout) -> None:
        self.seed, self.game, self.draws = (layout.allocate(1) for _ in range(3))
        self.block = layout.allocate(2)

    def functions(self) -> list[Function]:
        """Return the functions that the head of this module lists, and the one that makes a block of numbers."""
        return [self._begin(), self._block(), self._below()]

    def _begin(self) -> Function:
        writer = Writer("begin", 2)
        writer.store(8, ZERO, writer.param(0), self.seed)
        writer.store(8, ZERO, writer.param(1), self.game)
        writer.store(8, ZERO, ZERO, self.draws)
        return writer.function()

    def _block(self) -> Function:
        """`block(number)`: the numbers of a block, by Threefry-2x64-20, are written to memory."""
        writer = Writer("block", 1)
        let = writer.let
        first, second = (let(load(8, ZERO, at)) for at in (self.seed, self.game))
        keys = (first, second, let(xor(Lit(_PARITY), xor(first, second))))
        x, y = let(add(writer.param(0), first)), second
        for number in range(_ROUNDS):
            turn = _TURNS[number % 8]
            x = let(add(x, y))
            y = let(xor(either(shl(y, Lit(turn)), shr(y, Lit(64 - turn))), x))
            if number % 4 == 3:
                injected = number // 4 + 1
                x = let(add(x, keys[injected % 3]))
                y = let(add(add(y, keys[(injected + 1) % 3]), Lit(injected)))
        for place, word in enumerate((x, y)):
            writer.store(8, ZERO, word, self.block + place * WORD)
        return writer.function()

    def _below(self) -> Function:
        """`below(size)`: a number below `size`, each with the same chance."""
        writer = Writer("below", 1, 1)
        size = writer.param(0)
        with writer.when(eq(size, ONE)):
            writer.give(ZERO)
        writer.give(self.drawn(writer, size))
        return writer.function()

    def drawn(self, writer: Writer, size: Get) -> Get:
        """Write that a number below `size` is drawn."""
        drawn_number = writer.new()
        with writer.block() as done, writer.loop() as again:
            draws = writer.let(load(8, ZERO, self.draws))
            place = writer.let(both(draws, Lit(_EACH_BLOCK - 1)))
            with writer.when(is_zero(place)):
                writer.call_into((), "block", shr(draws, Lit(2)))
            writer.store(8, ZERO, add(draws, ONE), self.draws)
            product = writer.let(mul(load(4, shl(place, Lit(2)), self.block), size))
            writer.set(drawn_number, shr(product, Lit(32)))
            rest = writer.let(both(product, Lit(_DRAWS - 1)))
            writer.leave(done, ge(rest, size))  # the remainder is less than `size`
            writer.leave(again, lt(rest, remainder(Lit(_DRAWS), size)))
        return drawn_number
