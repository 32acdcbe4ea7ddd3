"""Colours of statuses.

Input: text, or the status of a result. Output: text with or without colour.
Guarantee: a status always has the same colour.
"""

from __future__ import annotations

from collections.abc import Callable

from golpae.diagnostics.colour import painted
from golpae.verify.status import AS_EXPECTED, DEVIATES, NOT_ASKED, UNDECIDED

__all__ = ["COLOURS", "Paint", "colour", "painted", "unpainted"]
Paint = Callable[[str, str], str]
COLOURS = {AS_EXPECTED: "32", DEVIATES: "31", UNDECIDED: "33", NOT_ASKED: "2"}


def unpainted(text: str, colour: str) -> str:
    """Return text as it is, for an output without colours."""
    return text


def colour(standing: str) -> str:
    """Return the colour of a result by its status."""
    return COLOURS[standing]
