"""Colours of standings, and text that a terminal may show."""

from __future__ import annotations

from collections.abc import Callable

from golpae.verify.status import AS_EXPECTED, DEVIATES, UNDECIDED

Paint = Callable[[str, str], str]
COLOURS = {AS_EXPECTED: "32", DEVIATES: "31", UNDECIDED: "33"}


def unpainted(text: str, colour: str) -> str:
    return text


def painted(text: str, colour: str) -> str:
    return f"\x1b[{colour}m{text}\x1b[0m"


def colour(standing: str) -> str:
    return COLOURS[standing]


def plain(text: str) -> str:
    """Text on one line, no control characters."""
    return "".join(c if c.isprintable() else " " for c in text)
