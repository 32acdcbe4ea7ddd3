"""Habits about what is repeated, and about whose turn is next.

Input: the place where the parser stopped, and the terminals that it could have taken.
Output: a `Diagnostic` at the cause, or None if no habit is recognised.
Guarantee: the advice uses the author's own words if they are short.
"""

from __future__ import annotations

import re

from golpae.diagnostics import Diagnostic, Span, Text
from golpae.syntax.habits.effects import OWNER, SETS
from golpae.syntax.habits.places import WORD, ending, fault, line_of, line_start, shortened

HOW_OFTEN = "a repetition says how often it may happen"
TURN = re.compile(rf"(?<![\w'-])the\s+(next|last)\s+({WORD})\s+(after|before)\s+({OWNER})\s*\Z")


def repetition(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose a repetition without a number, and one that stands behind its effects."""
    start = line_start(text, span.start)
    _, line = line_of(text, span.start)
    rest = shortened(line[span.start - start :].strip())
    if expected >= SETS and (word := ending(r"(?<![\w'-])(repeat|while|until|loop)\s*\Z", text, span.start)):
        test = rest.partition(":")[0].strip()
        if word[1] in ("while", "until"):
            test = f"{word[1]} {test}"
        example = f"at most 10 times {test}" if re.match(r"(while|until)\s", test) else "3 times"
        return fault(text, word.start(1), word.end(1), HOW_OFTEN, f"write `repeat {example}: ...`")
    if span.words in ("until", "while") and "SEMICOLON" in expected:
        effect = re.match(rf"(?:then\s+)?(?:{WORD}:\s+)?(.*)\Z", text.content[start : span.start].strip())
        advice = f"write `repeat at most 10 times {rest}: {shortened(effect[1] if effect else '')}`"
        return fault(text, span.start, span.end, "what is repeated comes last", advice)
    return None


def asked_in_turn(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose `the next player after p` without a question, and `the next q in players: ...`."""
    if "COLON" in expected and (turn := ending(TURN.pattern, text, span.start)):
        return fault(text, turn.start(), turn.end(4), *asks_nothing(turn))
    if "IN" in expected and (
        word := ending(r"(?<![\w'-])the\s+(next|last|first|previous)\s+\Z", text, span.start)
    ):
        side = "the last q before p" if word[1] in ("last", "previous") else "the next q after p"
        return fault(text, word.start(1), span.end, "players are asked in turn", f"write `{side}: ...`")
    return None


def without_order(words: str) -> tuple[str, str] | None:
    """Return message and advice about `next after s` at the end of a line, which names no order; or None."""
    match = re.search(rf"(?<![\w'-])next\s+(after|before)\s+({OWNER})\Z", words)
    if match is None:
        return None
    whole = " ".join(match[0].split())
    return (
        f"`{whole}` does not say in which order",
        f"write `{whole} in ...`, with the name of an order or a kind",
    )


def very_next(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose `next player` and `the player after p`."""
    before = ending(r"(?<![\w'-])(?:the\s+)?(?:(next|previous|last)|player)\s+\Z", text, span.start)
    after = re.compile(rf"(?:player\b)?\s*(?:(after|before)\s+({OWNER}))?").match(text.content, span.start)
    if before is None or after is None or span.words not in ("player", "after", "before"):
        return None
    side = "left" if before[1] in ("previous", "last") or after[1] == "before" else "right"
    message = "the players beside a player are the `right` and the `left` one"
    return fault(text, before.start(), after.end(), message, f"write `{after[2] or 'p'}'s {side}`")


def asks_nothing(turn: re.Match[str]) -> tuple[str, str]:
    """Return message and advice about `the next q after p` without a `:`."""
    words, side = " ".join(turn[0].split()), "right" if turn[3] == "after" else "left"
    advice = f"write `{words}: ...` with a question about `{turn[2]}`; the very next player is `{turn[4]}'s {side}`"
    return f"`{words}` asks nothing", advice
