"""The random numbers of games that golpae plays by itself.

Input: a seed, the number of a game, and how many things there are to choose from.
Output: choices.
Guarantee: a choice depends only on the seed, the game and the draws before it, so games can be played in any order,
on any number of workers, and in any program that does what `docs/semantics.md` says.
Source: J. Salmon, M. Moraes, R. Dror, D. Shaw, "Parallel Random Numbers: As Easy as 1, 2, 3", SC 2011: Threefry-2x64
with 20 rounds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

WORDS: Final = 1 << 64  # values of a word
DRAWS: Final = 1 << 32  # values of a draw
_MASK = WORDS - 1
_PARITY = 0x1BD11BDAA9FC1A22
_TURNS = (
    16,
    42,
    12,
    31,
    16,
    32,
    24,
    21,
)  # bits that a round turns the second word by; every eighth is the same
_ROUNDS = 20
EACH_BLOCK: Final = 4  # numbers

Item = TypeVar("Item")


def threefry(key: tuple[int, int], counter: tuple[int, int]) -> tuple[int, int]:
    """Return the two words of Threefry-2x64-20 for a key and a counter of two words each."""
    keys = (key[0], key[1], _PARITY ^ key[0] ^ key[1])
    x, y = (counter[0] + keys[0]) & _MASK, (counter[1] + keys[1]) & _MASK
    for number in range(_ROUNDS):
        turn = _TURNS[number % 8]
        x = (x + y) & _MASK
        y = ((y << turn | y >> (64 - turn)) & _MASK) ^ x
        if number % 4 == 3:
            injected = number // 4 + 1
            x = (x + keys[injected % 3]) & _MASK
            y = (y + keys[(injected + 1) % 3] + injected) & _MASK
    return x, y


class Chance:
    """The choices of one game. `draws` counts the numbers drawn so far.

    Raises ValueError if the seed or the game is not a number of 64 bits.
    """

    __slots__ = ("_block", "_key", "draws")

    def __init__(self, seed: int, game: int) -> None:
        if not (0 <= seed < WORDS and 0 <= game < WORDS):
            raise ValueError("a seed and the number of a game have 64 bits")
        self._key = (seed, game)
        self._block = 0  # the four numbers of a block, the next one in the lowest bits
        self.draws = 0

    def draw(self) -> int:
        """Return the next number, from 0 to `DRAWS` - 1."""
        if self.draws % EACH_BLOCK == 0:
            first, second = threefry(self._key, (self.draws // EACH_BLOCK, 0))
            self._block = second << 64 | first
        self.draws += 1
        number = self._block % DRAWS
        self._block >>= 32
        return number

    def below(self, size: int) -> int:
        """Return a number from 0 to `size` - 1, each with the same chance. If there is only one, nothing is drawn.

        A size above `DRAWS` takes as many numbers as it needs at once. Raises ValueError if `size` is below 1.
        Source: D. Lemire, "Fast Random Integer Generation in an Interval", TOMACS 29 (2019).
        """
        if size < 1:
            raise ValueError(f"there is no choice of {size}")
        if size == 1:
            return 0
        bits = -(-(size - 1).bit_length() // 32) * 32
        while True:
            drawn = 0
            for _ in range(0, bits, 32):
                drawn = drawn << 32 | self.draw()
            product = drawn * size
            if product % (1 << bits) >= (1 << bits) % size:
                return product >> bits

    def choice(self, items: Sequence[Item]) -> Item:
        """Return one of some items. Raises ValueError if there is none."""
        return items[self.below(len(items))]

    def shuffled(self, items: Iterable[Item]) -> list[Item]:
        """Return items in an order by chance (R. Fisher, F. Yates)."""
        out = list(items)
        for place in range(len(out) - 1, 0, -1):
            other = self.below(place + 1)
            out[place], out[other] = out[other], out[place]
        return out
