"""Random hands of korean-mahjong, as golpae numbers its tiles and as a public library for riichi does.

The set here has craks, dots, winds and dragons: the library's man, pin and honors. Its third suit is never used.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence

Tiles = list[int]
KINDS = range(25)  # as golpae numbers them: craks, dots, winds, dragons
COPIES = 4


def a_set(rng: random.Random, kinds: Sequence[int]) -> Tiles:
    kind = rng.choice(kinds)
    if kind < 18 and kind % 9 < 7 and rng.random() < 0.6:
        return [kind, kind + 1, kind + 2]
    return [kind] * 3


def complete_hand(rng: random.Random) -> Tiles:
    """Return four sets and a pair, or (one in ten) seven pairs, often of few kinds."""
    while True:
        suits = rng.choice((KINDS, KINDS, range(9), range(9, 18), range(18, 25), range(18)))
        if rng.random() < 0.1:
            tiles = [kind for kind in rng.choices(suits, k=7) for _ in range(2)]
        else:
            tiles = [tile for _ in range(4) for tile in a_set(rng, suits)] + [rng.choice(suits)] * 2
        if max(Counter(tiles).values()) <= COPIES:
            return tiles


def hands(seed: int, number: int) -> Iterator[Tiles]:
    """Yield hands of 14 tiles: complete ones, ones with one or two tiles changed, and random ones."""
    rng = random.Random(seed)
    while number:
        tiles = complete_hand(rng)
        for at in rng.sample(range(14), rng.choice((0, 0, 1, 1, 1, 2, 2))):
            tiles[at] = rng.choice(KINDS)
        if rng.random() < 0.05:
            tiles = rng.sample([kind for kind in KINDS for _ in range(COPIES)], 14)
        if max(Counter(tiles).values()) <= COPIES:
            rng.shuffle(tiles)
            number -= 1
            yield tiles


def theirs(tile: int) -> int:
    """Return the library's number of a kind."""
    return tile if tile < 18 else tile + 9


def counts(tiles: Sequence[int]) -> list[int]:
    """Return how many there are of each kind, as the library counts."""
    held = [0] * 34
    for tile in tiles:
        held[theirs(tile)] += 1
    return held


def copies(tiles: Sequence[int]) -> list[int]:
    """Return each tile as one of its four copies, as the library numbers them."""
    return [4 * theirs(tile) + list(tiles[:at]).count(tile) for at, tile in enumerate(tiles)]
