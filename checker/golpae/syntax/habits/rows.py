"""Habits about rows: a place that is neither end, several tiles from an end, a row that is cut.

Input: the place where the parser stopped, and the terminals that it could have taken.
Output: a `Diagnostic` at the cause, or None if no habit is recognised.
Guarantee: the advice uses the author's own words if they are short.
"""

from __future__ import annotations

import re

from golpae.diagnostics import Diagnostic, Span, Text
from golpae.syntax.habits.places import WORD, ending, fault

ROW = rf"(?:{WORD}'s\s+)*{WORD}"
SOME = re.compile(r"(?<![\w'-])move\s+((?:the\s+)?(?:first|last|top|bottom|next)\s+)(?:\d+\s+)?\Z")


def place_of_row(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose `t fits row at 5` and `move t from row at 5 to ...`."""
    if span.words != "at" or "AT" in expected:
        return None
    if asked := ending(rf"(?<![\w'-])({WORD})\s+fits\s+({ROW})\s+\Z", text, span.start):
        tile, row = asked[1], asked[2]
        message = "a tile fits an end of a row, and no other place"
        advice = f"write `{tile} fits front of {row}`; `{row} at 5` is a tile if everyone sees the row"
        return fault(text, span.start, span.end, message, advice)
    if taken := ending(rf"(?<![\w'-])(from|to)\s+({ROW})\s+\Z", text, span.start):
        word, row = taken[1], taken[2]
        message = (
            "tiles leave a row at an end of it" if word == "from" else "tiles come to a row at an end of it"
        )
        advice = f"write `{word} front of {row}`, or `{word} {row}` alone"
        return fault(text, span.start, span.end, message, advice)
    return None


def some_of_row(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose `move first 3 of row to ...` and `move the last 14 of row to ...`."""
    moved = ending(SOME.pattern, text, span.start)
    if moved is None or not (span.words.isdecimal() or span.words == "of"):
        return None
    advice = (
        "name them in the event: `(tiles: {a, b, c})`, and then `move tiles from a to b`; or write `move all`"
    )
    return fault(text, moved.start(1), span.end, "an effect moves tiles that have names", advice)


def cut(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose `cut row` and `cut row at 5`."""
    word = ending(r"(?<![\w'-])(cut|split)\s+\Z", text, span.start)
    if word is None or not {"WINS", "PAYS"} <= expected or re.match(WORD, span.words) is None:
        return None
    advice = f"write `shuffle {span.words}`: then nobody knows its order"
    return fault(text, word.start(1), span.end, "no effect cuts a row", advice)
