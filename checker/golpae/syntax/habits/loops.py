"""Habits about effects that several players have, or that are repeated for each of several values.

Input: the place where the parser stopped, and the terminals that it could have taken.
Output: a `Diagnostic` at the cause, or None if no habit is recognised.
Guarantee: the advice is a whole effect in the author's own words, if they are short.

    every q in winners scores 3      for each q in winners: q scores 3
    all players score 3              each player scores 3
"""

from __future__ import annotations

import re

from golpae.diagnostics import Diagnostic, Span, Text
from golpae.syntax.habits.places import WORD, ending, fault, line_of, line_start, shortened

START = rf"(?:then\s+)?(?:{WORD}:\s+)?"
HAS = r"(?:scores?|pays?|wins?)\b"
EACH = re.compile(
    rf"{START}(?P<loop>for(?:each|\s+all|\s+every|\s+any)?|foreach|every|each|all)\s+(?P<name>{WORD})\s+in\s+"
    rf"(?P<domain>[^:]+?)(?:\s*:\s*(?P<effect>.*)|\s+(?P<has>{HAS}.*))"
)
ALL = re.compile(
    rf"{START}(?P<all>all\s+(?:the\s+)?players|every\s+player|each\s+of\s+them)\s+(?P<has>{HAS}.*)"
)
EACH_PLAYER = re.compile(rf"{START}(?P<loop>for\s+(?:each|every|all)\s+players?)\s*:?\s*(?P<effect>.*)")
EFFECT = re.compile(rf"(?:move|shuffle|cut|when|nobody)\b|[\w'-]+(?:\s+[\w'-]+)*\s*(?::=|{HAS})")


def several_players(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose `every q in winners scores 3`, `for q in players: ...`, `all players score 3` and the like."""
    start = line_start(text, span.start)
    _, line = line_of(text, span.start)
    if text.position(start)[1] == 1:
        return None
    if match := ALL.fullmatch(line):
        word, rest = re.match(r"(score|pay|win)s?(.*)", match["has"]).groups()  # type: ignore[union-attr]
        return _at(text, start, match, "all", f"each player {word}s{rest}")
    match = EACH.fullmatch(line)
    if match and match["name"] != "player" and (match["has"] or EFFECT.match(match["effect"] or "")):
        effect = match["effect"] or f"{match['name']} {match['has']}"
        return _at(text, start, match, "loop", f"for each {match['name']} in {match['domain']}: {effect}")
    if match := EACH_PLAYER.fullmatch(line):
        return _at(text, start, match, "loop", f"for each q in players: {match['effect'] or '...'}")
    return None


def others(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose `every other player scores 1`, which says of nobody that the others are others than this player."""
    before = ending(r"(?<![\w'-])every\s+other\s+player\s+\Z", text, span.start)
    if before is None or not re.fullmatch(HAS, span.words):
        return None
    _, line = line_of(text, span.start)
    rest = shortened(line[span.end - line_start(text, span.start) :].strip())
    meant = f"each player in players - p {span.words} {rest}".strip()
    message = "this does not say other than whom"
    return fault(text, before.start(), span.end, message, f"write `{meant}`, with this player for `p`")


def _at(text: Text, start: int, match: re.Match[str], group: str, meant: str) -> Diagnostic:
    message = f"`{shortened(match[group])}` does not begin an effect"
    return fault(
        text, start + match.start(group), start + match.end(group), message, f"write `{shortened(meant)}`"
    )
