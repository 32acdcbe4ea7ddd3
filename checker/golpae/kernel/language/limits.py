"""What a module has no room or no steps for, so that it stops where a game comes to that.

Input: none. Output: the limits, and their names in words.
Guarantee: a module writes the number of a limit to the address `WHY` before it stops there.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

STEPS = 8  # the address of the steps that a module has left; without any it stops
WHY = 16  # the address of why it stopped
WHERE = 24  # the address of the number of the clause that it was at, from 1 on, if it notes that


class Limit(IntEnum):
    """Numbers below 0: those above are reasons of one text."""

    STEPS = -1
    COPIES = -2
    ROOM = -3
    NUMBERS = -4
    EVENTS = -5
    EFFECTS = -6
    WAYS = -7
    ENOUGH = -8


_NAMES = {
    Limit.STEPS: "one event, or one hand, takes very many steps",
    Limit.COPIES: "more copies of one tile together than there is room for",
    Limit.ROOM: "more members in a list than there is room for",
    Limit.NUMBERS: "a number of more than 62 bits",
    Limit.EVENTS: "very many events in one position, or values that are tried for them",
    Limit.EFFECTS: "an effect that cannot be carried out",
    Limit.ENOUGH: "enough steps were counted",
    Limit.WAYS: "very many ways to lay out tiles, or to score them",
}

ENOUGH = _NAMES[Limit.ENOUGH]


def named() -> dict[int, str]:
    """Return the limits in words, by their numbers."""
    return {int(limit): words for limit, words in _NAMES.items()}


def why(number: int, refused: Sequence[str]) -> str | None:
    """Return in words why a module stopped that wrote this number to `WHY`; `refused` are the reasons of its text. None
    if it did not say so.
    """
    if number < 0:
        return _NAMES[Limit(number)]
    return refused[number - 1] if number else None
