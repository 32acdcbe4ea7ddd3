"""The orders of some tiles.

Guarantee: importing this module loads nothing else of golpae.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations


def distinct_orders(tiles: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Give each different order of sorted tiles once, the sorted one first."""
    if len(set(tiles)) == len(tiles):
        yield from permutations(tiles)
        return
    for first in dict.fromkeys(tiles):
        rest = list(tiles)
        rest.remove(first)
        yield from ((first, *others) for others in distinct_orders(rest))
