"""Habits about rows: a place that is counted in other words, several tiles from an end, a row that is cut.

Input: the place where the parser stopped, and the terminals that it could have taken.
Output: a `Diagnostic` at the cause, or None if no habit is recognised.
Guarantee: the advice uses the author's own words if they are short.
"""

from __future__ import annotations

import re

from golpae.diagnostics import Diagnostic, Span, Text
from golpae.syntax.habits.places import LOOK, WORD, ending, fault, shortened

ROW = rf"(?:{WORD}'s\s+)*{WORD}"
BEHIND = re.compile(r"from\s+(?:the\s+)?(back|end|bottom|top|front|start)(?![\w-])")
END = re.compile(r"(back|front|top|end|bottom)(?:\s+of\s+(?!the\b)(" + ROW + r"))?(?![\w-])")
END_OF_ROW = re.compile(r"(first|last)\s+(\d+)\s+of\s+([A-Za-z][\w-]*)")
SOME = re.compile(r"(?<![\w'-])move\s+((?:the\s+)?(?:first|last|top|bottom|next)\s+)(?:\d+\s+)?\Z")


def place_of_row(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose `back of row at 3`, `row at 3 from back`, `row at 3 from the end` and `cut row at 3 from the back`."""
    if span.words == "at" and (
        end := ending(rf"(?<![\w'-])(front|back|top)\s+of\s+({ROW})\s+\Z", text, span.start)
    ):
        side = "front" if end[1] == "front" else "back"
        advice = f"write `{end[2]} at ... from the {side}`"
        return fault(text, end.start(1), span.end, "a place is counted from an end of its row", advice)
    if span.words == "from" and (
        cut_at := ending(rf"(?<![\w'-])cut\s+({ROW})\s+at\s+(\S[^\n]*?)\s+\Z", text, span.start)
    ):
        counted = BEHIND.match(text.content, span.start)
        row, number = cut_at[1], shortened(cut_at[2])
        if counted is None:
            return None
        if counted[1] in ("back", "end", "top"):
            number = number if re.fullmatch(r"[\w-]+", number) else f"({number})"
            number = f"size of {row} - {number}"
        message = "the place of a cut is counted from the first tile of its row"
        return fault(text, span.start, counted.end(), message, f"write `cut {row} at {number}`")
    if span.words == "from" and ending(rf"(?<![\w'-]){ROW}\s+at\s+[\w-]+\s+\Z", text, span.start):
        side_word = BEHIND.match(text.content, span.start)
        if side_word is None:
            return None
        side = "front" if side_word[1] in ("front", "start") else "back"
        message = "a place is counted from the front or the back of its row"
        return fault(text, span.start, side_word.end(), message, f"write `from the {side}`")
    return None


def end_of_row(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose `move t from the back of row to ...` and `t fits the front of row`."""
    before = ending(r"(?<![\w'-])(?:from|to|fits)\s+(the\s+)\Z", text, span.start)
    end = None if before is None else END.match(text.content, span.start)
    if before is None or end is None or end[2] is None:
        return None
    side = {"end": "back", "bottom": "front"}.get(end[1], end[1])
    advice = f"write `{side} of {end[2]}`"
    return fault(text, before.start(1), end.end(1), "an end of a row has no `the`", advice)


def some_of_row(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose `move first 3 of row to ...` and `move the last 14 of row to ...`."""
    moved = ending(SOME.pattern, text, span.start)
    if moved is None or not (span.words.isdecimal() or span.words == "of"):
        return None
    advice = (
        "name them in the event: `(tiles: {a, b, c})`, and then `move tiles from a to b`; or write `move all`"
    )
    match = END_OF_ROW.search(moved[0] + text.content[span.start : span.start + LOOK])
    if match is not None:
        name = f"`part some: {match[1]} {match[2]} of {match[3]}`"
        advice = f"give a part of the row a name, {name}; or name tiles in the event: `(tiles: {{a, b}})`"
    return fault(text, moved.start(1), span.end, "an effect moves tiles that have names", advice)


def cut(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose `cut row`, `split row at 5` and `cut row by 5`."""
    if where := ending(rf"(?<![\w'-])cut\s+({ROW})\s*\Z", text, span.start):
        if "AT" not in expected:
            return None
        advice = f"write `cut {where[1]} at 20`, or with a key of the event: `cut {where[1]} at n`"
        return fault(text, where.start(), where.end(1), "a cut says how many tiles go to the back", advice)
    word = ending(r"(?<![\w'-])(split)\s+\Z", text, span.start)
    if word is None or not {"WINS", "PAYS"} <= expected or re.match(WORD, span.words) is None:
        return None
    advice = f"write `cut {span.words} at n`: the first `n` tiles go behind the others"
    return fault(text, word.start(1), span.end, "no effect splits a row", advice)
