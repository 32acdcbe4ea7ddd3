"""Habits in expressions: owners, shares and words of other languages.

Input: the place where the parser stopped, and the terminals that it could have taken.
Output: a `Diagnostic` at the cause, or None if no habit is recognised.
Guarantee: the advice uses the author's own words if they are short.
"""

from __future__ import annotations

import re

from golpae.diagnostics import Diagnostic, Span, Text
from golpae.syntax.habits.effects import EFFECT, lacks_then
from golpae.syntax.habits.places import LOOK, WORD, ending, fault, line_start, shortened


def owner(text: Text, offset: int) -> Diagnostic | None:
    """Return the fault of the `'s` at `offset`, behind something that cannot be an owner, or None."""
    if text.content[offset : offset + 2] != "'s":
        return None
    if EFFECT.match(text.content, start := line_start(text, offset)) and text.position(start)[1] > 1:
        return lacks_then(text, start, offset + 2)
    if tile := ending(r"(?<![\w-])\d[\w-]*\Z", text, offset):
        message = f"`{tile[0]}` cannot be an owner: its name starts with a digit"
        word = re.match(rf"'s\s+({WORD})", text.content[offset : offset + LOOK])
        advice = f"write `some t in {{{tile[0]}}}: ... t's {word[1] if word else 'group'} ...`"
        return fault(text, tile.start(), offset + 2, message, advice)
    if its := ending(rf"(?<![\w'-])its ({WORD})\Z", text, offset):
        message = "`its` cannot be followed by another owner"
        return fault(text, its.start(), offset + 2, message, f"write `it's {its[1]}'s`")
    if word := ending(rf"{WORD}\Z", text, offset):
        message = f"`{word[0]}'s` cannot be at this place"
        return fault(text, word.start(), offset + 2, message, "write a name without an owner")
    if text.content[offset - 1 : offset] != ")":
        return None
    message = "a value in brackets cannot be an owner"
    advice = (
        "give the owner a name: write `define each player's opposite: ...`, and then `p's opposite's hand`"
    )
    if call := ending(rf"({WORD})\(({WORD})\)\Z", text, offset):
        after = re.match(rf"'s ({WORD})", text.content[offset:])
        whole = f"{call[2]}'s {call[1]}'s {after[1] if after else 'hand'}"
        advice = f"write `define each player's {call[1]}: ...`, and then `{whole}`"
        return fault(text, call.start(), offset + 2, message, advice)
    return fault(text, offset, offset + 2, message, advice)


def share_without_word(text: Text, offset: int) -> Diagnostic | None:
    """Return the fault of `14% of hands` without one of the words that begin a share, or None."""
    before = ending(r"[\d.]*\Z", text, offset)
    start = offset if before is None else before.start()
    share = re.compile(r"\d+(?:\.\d+)?%(?=\s+of\b)").match(text.content, start)
    if share is None:
        return None
    advice = f"write `about {share[0]} of hands by greedy: ...`, or `over`, `under` or `between`"
    return fault(text, share.start(), share.end(), "a claim about a share says how exact it is", advice)


def owner_by_of(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose `right of p`."""
    before = ending(rf"({WORD})\s+\Z", text, span.start)
    if span.words != "of" or before is None or "OF" in expected or "COMPARE" not in expected:
        return None
    after = re.match(rf"\s+({WORD})(?!['\w(-])", text.content[span.end :])
    example = f"{after[1]}'s {before[1]}" if after else "p's hand"
    return fault(text, span.start, span.end, "an owner is written with `'s`", f"write `{example}`")


def owner_by_dot(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose `p.hand`."""
    before = ending(rf"({WORD})\Z", text, span.start)
    after = re.match(WORD, text.content[span.end :])
    if span.words != "." or before is None or after is None or "COMPARE" not in expected:
        return None
    advice = f"write `{before[1]}'s {after[0]}`"
    return fault(text, span.start, span.end, "an owner is written with `'s`", advice)


def choice(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose `left or right` in place of a kind of value."""
    before = ending(rf":\s*({WORD})\s+or\s+\Z", text, span.start)
    if before is None or not re.fullmatch(WORD, span.words):
        return None
    if not all(
        name.startswith("__") for name in expected
    ):  # only `none`, which has no name of its own, can follow
        return None
    others = re.match(rf"(?:\s+or\s+{WORD})*", text.content[span.end :])
    words = [before[1], span.words, *re.findall(rf"or\s+({WORD})", others[0] if others else "")]
    end = span.end + (others.end() if others else 0)
    message = "a choice of words begins with `one of`"
    return fault(text, before.start(1), end, message, f"write `one of {', '.join(words)}`")


def quoted_word(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose `t's group = "high"` and `held: "not held" t in hand`."""
    rest = re.compile(r"[ \t]*([^\n#]*)").match(text.content, span.end, span.end + LOOK)
    if span.words.startswith('"') and rest and rest[1].strip() and ending(rf"{WORD}:\s*\Z", text, span.start):
        advice = f"write `{shortened(rest[1])} {shortened(span.words)}`"
        return fault(text, span.start, span.end, "a message follows its condition", advice)
    word = re.fullmatch(rf'"({WORD}|\d+)"', span.words)
    if word is None or not {"LBRACE", "LPAR"} <= expected:
        return None
    message = "only messages and titles are in quotes"
    return fault(text, span.start, span.end, message, f"write `{word[1]}` without quotes")


def contains(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose `hand contains t`."""
    if span.words not in ("contains", "includes", "has", "holds") or "IN" not in expected:
        return None
    whole = ending(rf"((?:{WORD}'s\s+)*{WORD})\s+\Z", text, span.start)
    part = re.match(rf"\s+((?:{WORD}'s\s+)*{WORD})", text.content[span.end : span.end + LOOK])
    advice = f"write `{part[1] if part else 't'} in {whole[1] if whole else 'p' + chr(39) + 's hand'}`"
    return fault(text, span.start, span.end, f"unexpected `{span.words}`", advice)


def words_of_choice(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose `one of {red, white}` and `one of red or white`."""
    if before := ending(r"(?<![\w'-])one\s+of\s+\Z", text, span.start):
        listed = re.compile(rf"[({{]\s*({WORD}(?:\s*,\s*{WORD})*)\s*[)}}]").match(text.content, span.start)
        if listed is None:
            return None
        advice = f"write `one of {shortened(listed[1])}`"
        return fault(text, before.start(), listed.end(), "the words of a choice have no brackets", advice)
    before = ending(rf"(?<![\w'-])one\s+of\s+({WORD}(?:\s*,\s*{WORD})*)\s+(?:or|and)\s+\Z", text, span.start)
    if before is None or re.fullmatch(WORD, span.words) is None or "NAME" in expected:
        return None
    advice = f"write `one of {shortened(before[1])}, {span.words}`"
    return fault(text, before.start(), span.end, "a `,` is between the words of a choice", advice)
