"""Habits in expressions: owners, shares and words of other languages.

Input: the place where the parser stopped, and the terminals that it could have taken.
Output: a `Diagnostic` at the cause, or None if no habit is recognised.
Guarantee: the advice uses the author's own words if they are short.
"""

from __future__ import annotations

import re

from golpae.diagnostics import Diagnostic, Span, Text
from golpae.syntax.habits.effects import EFFECT, lacks_then
from golpae.syntax.habits.places import LOOK, WORD, ending, fault, line_of, line_start, shortened


def owner(text: Text, offset: int) -> Diagnostic | None:
    """Return the fault of the `'s` at `offset`, behind something that cannot be an owner, or None."""
    if text.content[offset : offset + 2] != "'s":
        return None
    in_clause = text.content[offset - 1 : offset] != ")" and text.position(line_start(text, offset))[1] > 1
    if in_clause and EFFECT.match(text.content, start := line_start(text, offset)):
        return lacks_then(text, start, offset + 2)
    if number := ending(r"(?<![\w-])\d+\Z", text, offset):
        message = f"`{number[0]}` is a number, and only tiles and players are owners"
        advice = "write the whole name of the tile, as it is listed under `tiles`"
        return fault(text, number.start(), offset + 2, message, advice)
    if counted := ending(rf"(?<![\w'-])number\s+of\s+{WORD}\Z", text, offset):
        rest = re.compile(rf"(?:'s\s+{WORD})+").match(text.content, offset, offset + LOOK)
        whole = re.sub(r"\Anumber\s+of\s+", "", counted[0]) + (rest[0] if rest else "")
        advice = f"write `size of {whole}`, or `number of t in {whole}: ...`"
        message = "`number of` counts those of which something holds"
        return fault(text, counted.start(), offset + len(rest[0] if rest else "'s"), message, advice)
    if word := ending(rf"{WORD}\Z", text, offset):
        message = f"`{word[0]}'s` cannot be at this place"
        return fault(text, word.start(), offset + 2, message, "write a name without an owner")
    return None


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
    if span.words != "of" or before is None or "OF" in expected or not expected & {"COMPARE", "WINS"}:
        return None
    after = re.match(rf"\s+((?:{WORD}'s\s+)*{WORD})(?!['\w(-])", text.content[span.end :])
    if comparison := re.fullmatch(r"(smaller|smallest|less|lower|larger|largest|greater|higher)", before[1]):
        which = (
            "smaller" if comparison[1][0] in "sl" and comparison[1] not in ("larger", "largest") else "larger"
        )
        message = f"one of two numbers is `the {which} of` both"
        return fault(text, before.start(1), span.end, message, f"write `the {which} of ... and ...`")
    example = f"{after[1]}'s {before[1]}" if after else "p's hand"
    return fault(text, span.start, span.end, "an owner is written with `'s`", f"write `{example}`")


def trailing_comma(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose `one of a, b, = a`."""
    comma = ending(r"(,)\s*\Z", text, span.start)
    if comma is None or span.words not in ("=", ")", "}", ":", ";", "or"):
        return None
    return fault(text, comma.start(1), comma.end(1), "nothing follows this comma", "leave the `,` out")


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


VALUE = rf"(?:{WORD}'s\s+)*{WORD}"
QUANTIFIERS = {
    "any": "some",
    "exists": "some",
    "exist": "some",
    "all": "every",
    "each": "every",
    "forall": "every",
}


def quantified_member(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose `sum of n for each n in numbers` and `number of each t in hand: ...`: `each` is read as a name."""
    before = ending(r"(?<![\w'-])(for|number\s+of)\s+(?:each|every|all|any)\s+\Z", text, span.start)
    if before is None or "IN" not in expected:
        return None
    if re.compile(r"\s+in\b").match(text.content, span.end) is None:
        return None
    words = text.content[before.start() : span.end]
    return fault(
        text, before.start(), span.end, f"unexpected `{words}`", f"write `{before[1]} {span.words} in ...`"
    )


def other_quantifier(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose `all t in hand: ...` and `any t in hand: ...`."""
    before = ending(rf"(?<![\w'-])((?:for\s+)?({'|'.join(QUANTIFIERS)}))(\s+)\Z", text, span.start)
    start = span.start
    word = span.words
    if before is not None:
        start, other = before.start(), before[2]
    elif ending(r"(?<![\w'-])for\s+\Z", text, span.start) and word in QUANTIFIERS:
        before, other = ending(r"for\s+\Z", text, span.start), word
        start = before.start() if before else start
        word = (re.compile(rf"\s+({WORD})").match(text.content, span.end, span.end + LOOK) or ["", ""])[1]
    else:
        return None
    if re.compile(rf"\s*{re.escape(word)}?\s+in\b").match(text.content, span.start + len(span.words)) is None:
        return None
    advice = f"write `{QUANTIFIERS[other]} {word or 't'} in ...: ...`"
    return fault(text, start, span.end, f"unexpected `{text.content[start : span.end]}`", advice)


def several_values(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose `a, b in hand`, `n in 1, 2`, `n in 1 to 3` and `n between 1 and 3`."""
    if span.words == "between" and "IN" in expected:
        bounds = re.compile(r"\s+(\S+)\s+and\s+([^\s:;\"]+)").match(text.content, span.end, span.end + LOOK)
        advice = f"write `in {{{bounds[1]} to {bounds[2]}}}`" if bounds else "write `in {1 to 3}`"
        return fault(text, span.start, span.end, "unexpected `between`", advice)
    bound = rf"(?<![\w'-])(?:some|every|no|each|the|those|for)\s+{WORD}\s+in\s+\S+\s*\Z"
    if span.words not in (",", "to") or "TO" in expected or ending(bound, text, span.start):
        return None
    if match := ending(rf"(?<![\w'-])in\s+({VALUE}|\d+)\s*\Z", text, span.start):
        rest = re.compile(rf"(?:\s*(?:,|to)\s*(?:{VALUE}|\d+))+").match(text.content, span.start)
        words = shortened(
            match[1] + text.content[match.end(1) : span.start] + (rest[0] if rest else span.words)
        )
        advice = f"write `in {{{words}}}`"
        return fault(text, span.start, span.end, "several values are in braces", advice)
    match = ending(rf"({VALUE})\s*\Z", text, span.start)
    rest = re.compile(rf"((?:\s*,\s*{VALUE})+)\s+((?:not\s+)?in)\s+({VALUE})").match(text.content, span.start)
    if match is None or rest is None:
        return None
    advice = f"write `{{{shortened(match[1] + rest[1])}}} {rest[2]} {rest[3]}`"
    return fault(text, span.start, span.end, "several values are in braces", advice)


def is_for_equals(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose `n is 3`."""
    before = ending(r"(?<![\w'-])is\s+(not\s+)?\Z", text, span.start)
    if before is None or not (re.fullmatch(r"\d+", span.words) or span.words.endswith("'s")):
        return None
    advice = f"write `{'/=' if before[1] else '='} {span.words}`"
    return fault(text, before.start(), span.end, "`is` asks for a shape, `none` or `empty`", advice)


def is_in(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose `t is in hand`, where `in` looks like the name of a shape."""
    before = ending(r"(?<![\w'-])is\s+(not\s+)?in\s+\Z", text, span.start)
    if before is None or "AND" not in expected:
        return None
    whole = re.compile(VALUE).match(text.content, span.start, span.start + LOOK)
    advice = f"write `{before[1] or ''}in {shortened(whole[0] if whole else span.words)}`"
    return fault(text, before.start(), span.end, "a member is asked for with `in` alone", advice)


def fold_without_of(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose `size p's hand`."""
    before = ending(r"(?<![\w'-])(size|kinds|front|back|top|number|sum|most|least)\s+\Z", text, span.start)
    if before is None or "IN" not in expected or not re.match(r"[A-Za-z{(]", span.words):
        return None
    advice = f"write `{before[1]} of {shortened(span.words)} ...`"
    return fault(text, before.start(1), span.end, f"`{before[1]}` is followed by `of`", advice)


def sum_of_bag(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose `sum of hand`."""
    before = ending(rf"(?<![\w'-])(sum|most|least)\s+of\s+({VALUE})\s*\Z", text, span.start)
    if before is None or "FOR" not in expected or span.words == "for":
        return None
    advice = f"write `{before[1]} of ... for t in {before[2]}`"
    return fault(text, before.start(1), before.end(2), f"`{before[1]} of` says what it takes of each", advice)


def quantifier_alone(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose `some t in hand "message"`."""
    before = ending(rf"(?<![\w'-])(some|every|no)\s+{WORD}\s+in\s+({VALUE})\s*\Z", text, span.start)
    if (
        before is None
        or "COLON" not in expected
        or not expected & {"PLUS", "ROUNDED"}
        or re.match(r"[\w({]", span.words)
    ):
        return None
    other = re.compile(rf",\s*({WORD})\s+in\s").match(text.content, span.start, span.start + LOOK)
    if other is not None:
        advice = f"write `{shortened(before[0])}: {before[1]} {other[1]} in ...: ...`"
        message = f"all names of one `{before[1]}` go through the same values"
        return fault(text, span.start, other.end(1), message, advice)
    advice = f"write `{shortened(before[0])}: ...`"
    if before[1] != "every":
        advice += f", or `{before[2]} is {'not ' if before[1] == 'some' else ''}empty`"
    return fault(text, span.start, span.end, "a `:` and a condition are missing here", advice)


def stated(text: Text, span: Span, _expected: set[str]) -> Diagnostic | None:
    """Diagnose `if stated` without its comma, behind its question, and with the name of a key."""
    start = line_start(text, span.start)
    _, line = line_of(text, span.start)
    before, rest = text.content[start : span.start], line[span.start - start :]
    if word := ending(rf"(?<![\w'-])if\s+(?:{WORD}\s+is\s+)?stated\s*\Z", text, span.start):
        begin, end, question = word.start(), span.end, rest.lstrip(":,")
    elif behind := re.match(r"if\s+stated\b", rest):
        begin, end, question = span.start, span.start + behind.end(), re.sub(rf"\A{WORD}:\s*", "", before)
    elif (word := ending(rf"(?<![\w'-])if\s+{WORD}\s+\Z", text, span.start)) and (
        named := re.match(r"stated\s*,?", rest)
    ):
        begin, end, question = word.start(), span.start + named.end(), rest[named.end() :]
    else:
        return None
    asked = shortened(re.sub(r'"[^"]*"', "", question).strip())
    message = "a question about a key that a trace may leave out begins with `if stated,`"
    return fault(text, begin, end, message, f"write `if stated, {asked}`")
