"""Habits about what is said once: names for values, and groups of effects and conditions.

Input: the place where the parser stopped, and the terminals that it could have taken.
Output: a `Diagnostic` at the cause, or None if no habit is recognised.
Guarantee: the advice is a line in the author's own words, if they are short.

    let many be size of p's hand      where many is size of p's hand
    require playing(p)                requires playing(p)
"""

from __future__ import annotations

import re

from golpae.diagnostics import Diagnostic, Span, Text
from golpae.syntax.habits.places import WORD, block_of, ending, fault, line_of, line_start, shortened

BLOCKS = ("action", "deal", "end", "finish", "payout")
NAMING = re.compile(
    rf"(where|let|with|define|set|given|var)\s+({WORD})\s*(?::=|=|:|\bbe\b|\bas\b|\bis\b)\s*(\S.*)"
)
REQUIRING = re.compile(
    rf"(require|required|need|needs|ensure|check|include|use|uses)\b:?\s+({WORD}(?:\(.*\))?)"
)

THE_ONE = re.compile(rf"(?<![\w'-])the\s+(?:one\s+)?({WORD})\s+in\s+\S[^:]*\Z")  # without a question


def name_for_a_value(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose `where x = 3`, `let x be 3` and `define x: 3` in an action, and `where` behind a condition."""
    start = line_start(text, span.start)
    _, line = line_of(text, span.start)
    if text.position(start)[1] == 1 or block_of(text, start) not in BLOCKS:
        return None
    behind = re.search(rf"\S.*?\s(where\s+{WORD}\s+is\s.*)", line)
    if span.words == "where" and behind is not None and start + behind.start(1) == span.start:
        message = "a name for a value has a line of its own"
        advice = f"write `{shortened(behind[1])}` on a line above this one"
        return fault(text, span.start, span.end, message, advice)
    named = NAMING.fullmatch(line)
    if named is None or span.start > start + named.start(3):
        return None
    meant = f"where {named[2]} is {named[3]}"
    return fault(
        text, start, start + named.end(2), "a value gets a name with `where`", f"write `{shortened(meant)}`"
    )


def only_one(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose `where x is the only q in players: ...`, also with `exactly one` or `one`."""
    _, line = line_of(text, span.start)
    said = re.match(
        rf"where\s+{WORD}\s+is\s+((?:the\s+)?(?:only\s+one|only|exactly\s+one|one))\s+({WORD})\s+in\s+(\S.*)",
        line,
    )
    if said is None or span.start > line_start(text, span.start) + said.end(2):
        return None
    start = line_start(text, span.start) + said.start(1)
    advice = f"write `the one {said[2]} in {shortened(said[3])}`"
    return fault(text, start, start + len(said[1]), "what there is exactly one of is `the one`", advice)


def required_group(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose `require playing(p)`."""
    start = line_start(text, span.start)
    _, line = line_of(text, span.start)
    match = REQUIRING.fullmatch(line)
    if match is None or text.position(start)[1] == 1 or span.start > start + match.end(1) + 2:
        return None
    message, advice = "a group of conditions is required", f"write `requires {shortened(match[2])}`"
    return fault(text, start, start + len(match[1]), message, advice)


def called_group(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose `then do tally(p)`."""
    word = ending(r"(?<![\w'-])(do|call|run|perform|apply|invoke)\s+\Z", text, span.start)
    if word is None or not re.compile(rf"{WORD}\(").match(text.content, span.start):
        return None
    advice = f"leave `{word[1]}` out"
    return fault(text, word.start(1), word.end(1), "the name of a group is enough", advice)


def condition_without_name(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose `p = mover` as a line of a group of conditions, or of an action."""
    start = line_start(text, span.start)
    _, line = line_of(text, span.start)
    block = block_of(text, start)
    asks = re.fullmatch(rf"(?:{WORD}'s\s+)*{WORD}\s*(?:=|/=|<=?|>=?|\bin\b|\bis\b)\s.*", line)
    if asks is None or text.position(start)[1] == 1 or block not in ("conditions", *BLOCKS):
        return None
    if span.words not in ("=", "/=", "<", "<=", ">", ">=", "in", "is") or ":" in line[: span.start - start]:
        return None
    return fault(text, start, span.end, "a condition has a name", f"write `name: {shortened(line)}`")
