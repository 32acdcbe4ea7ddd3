"""Colours of statuses.

Input: text, or the status of a result. Output: text with or without colour.
Guarantee: a status always has the same colour.
"""

from __future__ import annotations

from collections.abc import Callable

from golpae.verify.status import AS_EXPECTED, DEVIATES, UNDECIDED

Paint = Callable[[str, str], str]
COLOURS = {AS_EXPECTED: "32", DEVIATES: "31", UNDECIDED: "33"}


def unpainted(text: str, colour: str) -> str:
    """Return text as it is, for an output without colours."""
    return text


def painted(text: str, colour: str) -> str:
    """Return text in a colour, one of `COLOURS`' values."""
    return f"\x1b[{colour}m{text}\x1b[0m"


def colour(standing: str) -> str:
    """Return the colour of a result by its status."""
    return COLOURS[standing]
