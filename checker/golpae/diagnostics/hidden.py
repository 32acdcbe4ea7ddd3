"""Characters that a reader cannot see, or that change how others are shown.

Input: none, or a text. Output: `hidden`, which finds one, ends of lines and tabs among them; the text on one line.
Guarantee: it covers control characters, marks of direction, joiners, fillers, selectors of variants beyond the usual,
tags, halves of characters and characters of private use, whatever the version of Python knows of Unicode. A joiner
between two emoji is none of these: it makes one picture of them, and joins nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

JOINER = "\u200d"
_EMOJI = "[\u2190-\u21ff\u2300-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]"  # pictures and signs, no letters
_JOINS = rf"(?:(?<={_EMOJI})|(?<={_EMOJI}\ufe0f))\u200d(?={_EMOJI})"
_HIDDEN = (
    r"[\x00-\x1f\x7f-\x9f\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    r"\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ud800-\uf8ff\ufeff\uffa0\ufff0-\ufffb"
    r"\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    rf"\U000e0000-\U000e0fff\U000f0000-\U0010ffff]|(?!{_JOINS})\u200d"
)


@cache
def hidden() -> re.Pattern[str]:
    """Return the pattern of such a character. Few texts have one, so it is not compiled before."""
    return re.compile(_HIDDEN)


def on_one_line(text: str) -> str:
    """Return a text with a space for each character that is not shown, or that ends a line."""
    return with_hidden(text, lambda _: " ")


def with_hidden(text: str, written: Callable[[str], str]) -> str:
    """Return a text with each character that is not shown as `written` gives it."""
    if text.isprintable():
        return text
    joins = {match.start() for match in re.finditer(_JOINS, text)}
    return "".join(c if c.isprintable() or at in joins else written(c) for at, c in enumerate(text))
