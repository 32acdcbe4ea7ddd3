"""Colours of statuses, and text that is safe in a terminal.

Input: text, or the status of a result.
Output: text with or without colour.
Guarantee: `plain` text has no control characters.
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


def plain(text: str) -> str:
    """Return text on one line without control characters."""
    return "".join(c if c.isprintable() else " " for c in text)
