"""Habits about players and their places: `the winner scores 3`, `each team scores 3`, `place p in players`.

Input: the place where the parser stopped, and the terminals that it could have taken.
Output: a `Diagnostic` at the cause, or None if no habit is recognised.
Guarantee: the advice uses the author's own words if they are short.
"""

from __future__ import annotations

import re

from golpae.diagnostics import Diagnostic, Span, Text
from golpae.syntax.habits.places import LOOK, WORD, ending, fault, line_of, line_start, shortened

OWNER = rf"(?:{WORD}'s\s+)*{WORD}"
DOES = r"(?:scores|pays|wins)(?![\w-])"


def with_article(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose `the winner scores 3`."""
    before = ending(rf"(?<![\w'-])(the)\s+(?:({WORD})\s+)?\Z", text, span.start)
    if before is None:
        return None
    rest = text.content[before.end(1) : span.start + LOOK]
    said = re.match(rf"\s+({WORD})\s+{DOES}", rest)
    if said is None:
        return None
    _, line = line_of(text, span.start)
    effect = line[before.start(1) - line_start(text, span.start) :].removeprefix("the").strip()
    when = "when winner is not none: " if said[1] == "winner" else ""
    end = before.end(1) + said.end(1)
    message = "a player who does something has no `the`"
    return fault(text, before.start(1), end, message, f"write `{when}{shortened(effect)}`")


def each_team(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose `each team scores 3`."""
    before = ending(r"(?<![\w'-])(each)\s+\Z", text, span.start)
    does = re.compile(rf"team\s+({DOES}[^;\n#]*)").match(text.content, span.start, span.start + LOOK)
    if span.words != "team" or before is None or does is None:
        return None
    advice = f"write `each player in teams {shortened(does[1].strip())}`: `teams` has one player of each team"
    return fault(text, before.start(1), span.end, "players score, pay and win, and no teams", advice)


def place_of(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose `place p in players` and `the place of p in players`."""
    if span.words == "of" and (the := ending(r"(?<![\w'-])(the)\s+place\s+\Z", text, span.start)):
        rest = re.compile(rf"\s+({OWNER}\s+in\s+{WORD})").match(text.content, span.end, span.end + LOOK)
        advice = f"write `place of {rest[1] if rest else 'p in players'}`"
        return fault(text, the.start(1), span.end, "a place has no `the`", advice)
    before = ending(r"(?<![\w'-])(place)\s+\Z", text, span.start)
    of = re.compile(rf"{OWNER}\s+in\s+{WORD}").match(text.content, span.start, span.start + LOOK)
    if before is None or of is None:
        return None
    message = "an `of` is missing behind `place`"
    return fault(text, before.start(1), span.end, message, f"write `place of {of[0]}`")


def several_sizes(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose `{x for x of 2 to 3 in s}`."""
    before = ending(
        rf"(?<![\w'-])(?:for|some|every|no|number\s+of)\s+({WORD})\s+of\s+(\d+)\s+\Z", text, span.start
    )
    if span.words != "to" or before is None or "IN" not in expected:
        return None
    most = re.match(r"\s+(\d+)", text.content[span.end : span.end + LOOK])
    end = span.end + (most.end() if most else 0)
    last = most[1] if most else "3"
    name = before[1]
    advice = f"write it once for each number: `{name} of {before[2]} in ...`, and so on to `{name} of {last} in ...`"
    return fault(text, before.start(2), end, "a choice has one number of members", advice)


def named_and_not(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose `f(a, last: b)`."""
    named = re.compile(rf",\s*({WORD})\s*:").match(text.content, span.start, span.start + LOOK)
    call = ending(rf"(?<![\w'-])({WORD})\(([^()]*)\Z", text, span.start)
    if span.words != "," or named is None or call is None:
        return None
    message = "either all values have their names, or none has"
    advice = f"write `{call[1]}(...: {shortened(call[2])}, {named[1]}: ...)`, with a name in place of the first `...`"
    return fault(text, call.start(2), named.end(1), message, advice)
