"""Colours of statuses.

Input: text, or the status of a result. Output: text with or without colour.
Guarantee: a status always has the same colour.
"""

from __future__ import annotations

from golpae.diagnostics.colour import Paint, painted, unpainted
from golpae.verify.status import AS_EXPECTED, DEVIATES, NOT_ASKED, UNDECIDED

__all__ = ["COLOURS", "Paint", "colour", "painted", "unpainted"]
COLOURS = {AS_EXPECTED: "32", DEVIATES: "31", UNDECIDED: "33", NOT_ASKED: "2"}


def colour(standing: str) -> str:
    """Return the colour of a result by its status."""
    return COLOURS[standing]
