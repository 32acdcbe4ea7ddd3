"""What two rule sets count the hands of a score: data only.

Input: nothing. Output: a `ScoreAnswer`. Guarantee: if a score is refuted, a hand or words say why.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

NO_NUMBERS: Mapping[str, int] = MappingProxyType({})
REFUSED = "refused"  # by `golpae score`


@dataclass(frozen=True, slots=True)
class CountedHand:
    """A hand that two rule sets count differently: its keys, as `golpae score` takes them, and what it comes to in each
    (None: nothing; `REFUSED`: it cannot be given). `numbers` are those that its patterns count in each, if they count
    in several.
    """

    hand: Mapping[str, Any]
    totals: tuple[int | str | None, int | str | None]
    numbers: tuple[Mapping[str, int], Mapping[str, int]] = (NO_NUMBERS, NO_NUMBERS)

    @property
    def differing(self) -> Mapping[str, tuple[int, int]]:
        """Return the numbers that both rule sets count, and count differently."""
        ours, theirs = self.numbers
        return {name: (n, theirs[name]) for name, n in ours.items() if theirs.get(name, n) != n}


@dataclass(frozen=True, slots=True)
class ScoreAnswer:
    """Whether two rule sets count all hands of a score alike: `proved`, `refuted` by a hand, or `unknown`.

    `detail` is one line on how it was reached, or why it was not; `{a}` and `{b}` stand for the names of the two.
    """

    score: str
    verdict: str
    detail: str
    hand: CountedHand | None = None
