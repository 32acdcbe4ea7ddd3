"""How unlikely is a count, if tiles are shuffled?

Input: draws, each with the chance that it has of being counted.
Output: a bound on the probability that a fair count is as far off.
Guarantee: the bound holds for any number of draws, also if a chance depends on draws before it (Bennett's inequality
for martingales, Freedman 1975). Tiles that are dealt together are no more spread than draws that are put back
(Hoeffding 1963, theorem 4). So an honest archive is accused no more often than the bound says.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb, exp, expm1, factorial, log, log1p, prod


@dataclass(slots=True)
class Count:
    """How often something came, what is expected, and the variance; one draw changes it by `step` at most."""

    seen: int = 0
    expected: float = 0.0
    variance: float = 0.0
    step: float = 1.0
    draws: int = 0

    def add(self, seen: int, chance: float, draws: int = 1) -> None:
        """Count draws, each with this chance to be counted."""
        self.seen += seen
        self.expected += draws * chance
        self.variance += draws * chance * (1 - chance)
        self.draws += draws

    @property
    def too_often(self) -> bool:
        return self.seen > self.expected

    def unlikely(self) -> float:
        """Return the bound: 1 is usual, near 0 cannot be chance."""
        off = abs(self.seen - self.expected)
        if self.variance <= 0:
            return 0.0 if off > 0.5 else 1.0
        rate = self.step * off / self.variance
        weight = self.variance / self.step**2
        return min(1.0, 2 * exp(-weight * ((1 + rate) * log(1 + rate) - rate)))


def shuffles(deals: int, repeated: int) -> int:
    """Return of how repeated shuffles, each as likely, one expects so repeated repeats among deals, about."""
    different = deals - repeated
    fewest, most = float(different), deals * (deals - 1) / 2 / repeated
    for _ in range(100):
        middle = (fewest + most) / 2
        drawn = -expm1(deals * log1p(-1 / middle)) if middle > 1 else 1.0
        if middle * drawn < different:
            fewest = middle
        else:
            most = middle
    return round(most)


def alike(sizes: tuple[int, ...], copies: tuple[int, ...]) -> float:
    """Return a bound on the probability that two fair deals are the same.

    `sizes` are those of the hands; tiles on places of their own count as hands of one. `copies` are those of each kind
    of tile. It is that of the most probable deal.
    """
    tiles = sum(copies)
    ways, left = 1, tiles
    for size in sizes:
        ways *= comb(left, size)
        left -= size
    return min(1.0, prod(map(factorial, copies)) / ways)


def repeats(pairs: float, probability: float, found: int) -> float:
    """Return a bound on the probability that so many of these pairs of fair deals are the same."""
    if not found:
        return 1.0
    return min(1.0, pairs * probability / found)  # Markov
