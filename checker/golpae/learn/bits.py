"""How much shorter games are told if more is known about what is legal.

Telling one of eight legal events takes three bits, telling one of two takes one. A condition that refuses what nobody
ever did makes the games shorter by the bits that it saves; it is worth having if that is more than its own words take.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import log2

WORD = 5.0
"""Bits of each word of an edit."""

REFUSED = 24.0
"""Bits of a game that is illegal, which has to be told without rules from there."""


AFTER = 3.0
"""Bits of each event after a refused one, beside those that it takes by the rules: what is legal then is a guess."""


def saved(legal: int, refused: int) -> float:
    """Return the bits that are saved where `refused` of the legal events are not."""
    return of_choice(legal) - of_choice(legal - refused) if refused < legal else 0.0


def of_choice(legal: int) -> float:
    """Return the bits of saying which of so many events happened, rounded, so that all machines have the same."""
    return round(log2(legal), 6) if legal > 1 else 0.0


def of_words(words: Iterable[str]) -> float:
    return WORD * sum(1 for _ in words)
