"""Habits about rows: several tiles from an end, a row that is cut.

Input: the place where the parser stopped, and the terminals that it could have taken.
Output: a `Diagnostic` at the cause, or None if no habit is recognised.
Guarantee: the advice uses the author's own words if they are short.
"""

from __future__ import annotations

import re

from golpae.diagnostics import Diagnostic, Span, Text
from golpae.syntax.habits.places import WORD, ending, fault

SOME = re.compile(r"(?<![\w'-])move\s+((?:the\s+)?(?:first|last|top|bottom|next)\s+)(?:\d+\s+)?\Z")


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
