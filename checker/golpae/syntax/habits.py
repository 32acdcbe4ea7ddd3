"""Habits of writers that the grammar refuses far from their cause: a forgotten word, a word of another language.

Input: the place where the parser stopped, and the terminals that it could have taken.
Output: a `Diagnostic` at the cause, or None if no habit is recognised.
Guarantee: a text that parses never gets here; the advice uses the author's own words if they are short.
"""

from __future__ import annotations

import re

from golpae.diagnostics import Diagnostic, Span, Text

LOOK = 1_000  # characters around a place that are looked at: a pattern can take the square of their number
WORD = r"[A-Za-z][\w-]*"
SETS = {"WINS", "PAYS", "SCORES"}  # what can follow the owner at the beginning of an effect
# An effect from its first word, which is no word of its own if the parser expects the name of a clause.
EFFECT = re.compile(
    r"(?:move|shuffle|arrange)\s+[\w{(]|nobody\s+wins\b|pass\s+each\b|when\s|for\s+each\s"
    rf"|(?:{WORD}'s\s+)*{WORD}(?:\s*:=|\s+(?:wins|pays|scores)\b)"
)
NEW_LINE = re.compile(rf"then\b|(?:{WORD}\s+){{0,3}}{WORD}:(?!=)")


def habit(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Return the habit that explains why the words of `span` are unexpected, or None."""
    for recognised in (
        _without_then,
        _if_or_else,
        _of,
        _dot,
        _definition_of_score,
        _choice,
        _drawn,
        _continued,
    ):
        found = recognised(text, span, expected)
        if found is not None:
            return found
    return None


def _ending(pattern: str, text: Text, offset: int) -> re.Match[str] | None:
    """Return how the text before a place matches a pattern that ends there, or None."""
    return re.compile(pattern).search(text.content, max(0, offset - LOOK), offset)


def owner(text: Text, offset: int) -> Diagnostic | None:
    """Return the fault of the `'s` at `offset`, behind something that cannot be an owner, or None."""
    if text.content[offset : offset + 2] != "'s":
        return None
    if EFFECT.match(text.content, start := _line_start(text, offset)) and text.position(start)[1] > 1:
        return _lacks_then(text, start, offset + 2)
    if its := _ending(rf"(?<![\w'-])its ({WORD})\Z", text, offset):
        message = "`its` cannot be followed by another owner"
        return _at(text, its.start(), offset + 2, message, f"write `it's {its[1]}'s`")
    if word := _ending(rf"{WORD}\Z", text, offset):
        message = f"`{word[0]}'s` cannot be at this place"
        return _at(text, word.start(), offset + 2, message, "write a name without an owner")
    if text.content[offset - 1 : offset] != ")":
        return None
    message = "a value in brackets cannot be an owner"
    advice = (
        "give the owner a name: write `define each player's opposite: ...`, and then `p's opposite's hand`"
    )
    if call := _ending(rf"({WORD})\(({WORD})\)\Z", text, offset):
        after = re.match(rf"'s ({WORD})", text.content[offset:])
        whole = f"{call[2]}'s {call[1]}'s {after[1] if after else 'hand'}"
        advice = f"write `define each player's {call[1]}: ...`, and then `{whole}`"
        return _at(text, call.start(), offset + 2, message, advice)
    return _at(text, offset, offset + 2, message, advice)


def share_without_word(text: Text, offset: int) -> Diagnostic | None:
    """Return the fault of `14% of hands` without one of the words that begin a share, or None."""
    before = _ending(r"[\d.]*\Z", text, offset)
    start = offset if before is None else before.start()
    share = re.compile(r"\d+(?:\.\d+)?%(?=\s+of\b)").match(text.content, start)
    if share is None:
        return None
    advice = f"write `about {share[0]} of hands by greedy: ...`, or `over`, `under` or `between`"
    return _at(text, share.start(), share.end(), "a claim about a share says how exact it is", advice)


def at_line_end(words: str, expected: set[str]) -> tuple[str, str] | None:
    """Return message and advice about an incomplete line, up to its end, or None."""
    words = words[-LOOK:]
    reach = re.search(r"(\d+)-(\d+)\Z", words)
    if reach is not None and "TO" in expected:
        return "a range is written with `to`", f"write `{reach[1]} to {reach[2]}`"
    paid = re.search(rf"\bpays\s+((?:{WORD}'s\s+)*{WORD})\s+\((.*)\)\Z", words)
    if paid is not None and _is_closed(paid[2]):
        return "this line does not say how much", f"leave the brackets out: `pays {paid[1]} {paid[2]}`"
    return None


def _is_closed(words: str) -> bool:
    """Return whether each bracket in some words is closed in them."""
    depth = 0
    for char in words:
        depth += (char in "({") - (char in ")}")
        if depth < 0:
            return False
    return depth == 0


# ---------------------------------------------------------------- one function a habit


def _without_then(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose an effect at the beginning of a line that is to be a clause."""
    start = _line_start(text, span.start)
    head = text.content[start : span.start].strip()
    sets = head.endswith(":") and span.words == "="  # the parser takes `:=` apart at such a place
    if not (expected == {"COLON"} and re.fullmatch(WORD, head)) and not sets:
        return None
    if text.position(start)[1] == 1 or EFFECT.match(text.content, start) is None:
        return None
    return _lacks_then(text, start, start + len(head.rstrip(" :")))


def _lacks_then(text: Text, start: int, end: int) -> Diagnostic:
    word = text.content[start:end]
    return _at(text, start, end, "an effect begins with `then`", f"write `then` before `{word}`")


def _if_or_else(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose `if` and `else` among effects, which have neither."""
    advice = "write `when ...: ...`; a second `when` says what happens in the other case"
    if span.words == "else" and "SEMICOLON" in expected:
        return _at(text, span.start, span.end, "an effect has no `else`", advice)
    found = _ending(r"(?<![\w'-])(if|else)\s*(?:\([^;\n]*\)\s*)?\Z", text, span.start)
    if found is None or not expected >= SETS:
        return None
    return _at(text, found.start(1), found.end(1), f"an effect has no `{found[1]}`", advice)


def _of(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose `right of p`."""
    before = _ending(rf"({WORD})\s+\Z", text, span.start)
    if span.words != "of" or before is None or "OF" in expected or "COMPARE" not in expected:
        return None
    after = re.match(rf"\s+({WORD})(?!['\w(-])", text.content[span.end :])
    example = f"{after[1]}'s {before[1]}" if after else "p's hand"
    return _at(text, span.start, span.end, "an owner is written with `'s`", f"write `{example}`")


def _dot(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose `p.hand`."""
    before = _ending(rf"({WORD})\Z", text, span.start)
    after = re.match(WORD, text.content[span.end :])
    if span.words != "." or before is None or after is None or "COMPARE" not in expected:
        return None
    advice = f"write `{before[1]}'s {after[0]}`"
    return _at(text, span.start, span.end, "an owner is written with `'s`", advice)


def _definition_of_score(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose a definition with values of its own inside a score."""
    head = text.content[_line_start(text, span.start) : span.start]
    if span.words != "(" or expected != {"COLON"} or re.fullmatch(rf"define\s+{WORD}\s*", head) is None:
        return None
    message = "a definition inside a score takes no values"
    return _at(text, span.start, span.end, message, "move the definition to the left edge, outside the score")


def _choice(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose `left or right` in place of a kind of value."""
    before = _ending(rf":\s*({WORD})\s+or\s+\Z", text, span.start)
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
    return _at(text, before.start(1), end, message, f"write `one of {', '.join(words)}`")


def _continued(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose a line that continues the line above, because it is deeper, and should not."""
    start = _line_start(text, span.start)
    if start != span.start or "_INDENT" in expected:
        return None
    above = text.content[: text.starts[text.position(start)[0] - 1]].rstrip()
    line, _ = text.position(max(0, len(above) - 1))
    words = text.line(line)
    if len(words) - len(words.lstrip()) >= start - text.starts[text.position(start)[0] - 1]:
        return None
    message = f"unexpected `{span.words}`"
    if "COLON" in expected and re.search(r"(?<![\w'-])when\b[^#]*\b(?:some|every|no)\b[^#]*:", words[:LOOK]):
        advice = f"put the condition of line {line} in brackets: `when (every ...)`"
        return _at(text, span.start, span.end, message, advice)
    if NEW_LINE.match(text.content, start):
        advice = f"indent it like line {line}; a deeper line continues the line above it"
        return _at(text, span.start, span.end, message, advice)
    return None


def _drawn(text: Text, span: Span, _: set[str]) -> Diagnostic | None:
    """Diagnose `drawn: cards`, `drawn cards` and `drawn as "cards"`."""
    start = _line_start(text, span.start)
    line = re.compile(rf'drawn(?:\s*:|\s+as)?\s*"?({WORD})"?').match(text.content, start, start + LOOK)
    blocks = re.findall(r"^[a-z]+", text.content[max(0, start - LOOK) : start], re.MULTILINE)
    if line is None or blocks[-1:] != ["tiles"]:
        return None
    message = "pictures are named with `drawn as`"
    return _at(text, start, line.end(), message, f"write `drawn as {line[1]}`")


def _at(text: Text, start: int, end: int, message: str, advice: str) -> Diagnostic:
    return Diagnostic("S001", message, Span(text, start, end), advice)


def _line_start(text: Text, offset: int) -> int:
    """Return the offset of the first word of the line that has this offset."""
    begin = text.starts[text.position(offset)[0] - 1]
    line = text.content[begin:offset]
    return begin + len(line) - len(line.lstrip())
