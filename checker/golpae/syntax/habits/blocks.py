"""Habits of lines: one that continues the line above it, although a block was meant, or that is too deep.

Input: the place where the parser stopped, and the lines around it.
Output: a `Diagnostic`, or None if no habit is recognised.
Guarantee: the advice says how to write what is there as a block.

    then low: when pool is empty          line 3 has words after its `:`, so that deeper lines continue it;
      nobody wins                         the block is `then low`, under it `when pool is empty`
"""

from __future__ import annotations

import re

from golpae.diagnostics import Diagnostic, Span, Text
from golpae.syntax.habits.effects import EFFECT
from golpae.syntax.habits.places import LOOK, WORD, fault, joined_start, line_of, line_start, shortened

GOES_ON = re.compile(r"[+*]|-\s|(?:and|or|implies|otherwise|div|mod|then)(?![\w-])")  # what begins no line

NEW_LINE = re.compile(rf"then\b|(?:{WORD}\s+){{0,3}}{WORD}:(?!=)")
# The line that opens a block of effects, and the effects in it.
HEAD = re.compile(rf"(then\s+{WORD}|{WORD}|then)?(:?\s*)((?:when|for\s+each)\b.*)\Z")
PLAIN = re.compile(rf"(?:then\s+)?({WORD}):\s.*")  # a line with a name, an effect and no `when`
UNBRACKETED = re.compile(r"(?<![\w'-])when\b[^#]*\b(?:some|every|no)\b[^#]*:")


def continued(text: Text, characters: str, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose a line that continues the line above, because it is deeper, and should not."""
    start = line_start(text, span.start)
    first = joined_start(characters, span.start)
    if "_INDENT" in expected or first >= start or start != span.start:
        return None
    number, head = line_of(text, first)
    before, words = _line_before(text, start)
    if "COLON" in expected and UNBRACKETED.search(words[:LOOK]):
        advice = f"put the condition of line {before} in brackets: `when (every ...)`"
        return fault(text, start, span.end, f"unexpected `{span.words}`", advice)
    opened, plain = HEAD.fullmatch(head), PLAIN.fullmatch(head)
    message = f"this line continues line {number}, which has words after a `:`"
    if plain is not None and "SEMICOLON" in expected and EFFECT.match(text.content, start) and opened is None:
        alone = f"then {plain[1]}" if head.startswith("then") else f"{plain[1]}:"
        advice = f"to open a block, write `{alone}` alone, and each effect in a line under it"
        return fault(text, start, span.end, message, f"{advice}; to go on, end line {number} with `;`")
    if opened is not None and (EFFECT.match(text.content, start) or _asks(text, start)):
        goes_on = None if _opens(text, start) else _how_to_go_on(head, words, before, expected)
        advice = f"to open a block, {_as_block(number, opened)}"
        return fault(text, start, span.end, message, f"{advice}; {goes_on}" if goes_on else advice)
    if NEW_LINE.match(text.content, start):
        advice = f"indent it like line {before}; a deeper line continues the line above it"
        return fault(text, start, span.end, f"unexpected `{span.words}`", advice)
    return None


def _line_before(text: Text, offset: int) -> tuple[int, str]:
    """Return the number and the words of the last line before this one that has words."""
    above = text.content[: text.starts[text.position(offset)[0] - 1]].rstrip()
    number, _ = text.position(max(0, len(above) - 1))
    return number, text.line(number)


def _asks(text: Text, start: int) -> bool:
    """Return whether a line has a `:` and words after it, as a test with its effect has."""
    return re.compile(r"[^#\"\n]*:\s+\S").match(text.content, start) is not None


def _opens(text: Text, start: int) -> bool:
    """Return whether a line begins with `when` or `for each`: a `;` would make it part of the effect before."""
    return re.compile(r"when\b|for\b").match(text.content, start) is not None


def _as_block(number: int, opened: re.Match[str]) -> str:
    """Return how to write a line with effects as a block."""
    name, colon, effects = opened.groups()
    parts = re.split(r":\s+(?=when\b|for\s+each\b)", effects)
    last = re.split(rf":\s+(?={EFFECT.pattern})", parts[-1])[0]
    heads = [f"`{shortened(part.rstrip(':'))}`" for part in (*parts[:-1], last)]
    if name is None or name == "then" or not colon.strip():
        return f"leave out the `:` of line {number}, and write its effects in deeper lines"
    alone = name if name.startswith("then") else f"{name}:"
    return (
        f"end line {number} after `{alone}`, and write {' and, deeper, '.join(heads)} under it, without a `:`"
    )


def _how_to_go_on(head: str, above: str, number: int, expected: set[str]) -> str | None:
    """Return how to go on in the same line."""
    if "SEMICOLON" in expected:
        return f"to go on, end line {number} with `;`"
    return f"to go on, end line {number} with `:`" if "COLON" in expected and above.strip() == head else None


def too_deep(text: Text, start: int, end: int) -> Diagnostic:
    """Return the fault of a line, from `start`, that is deeper than the line above it, which opens no block."""
    span = Span(text, start, end)
    number, words = _line_before(text, start)
    advice = "put a `:` into the line above, or move this line left"
    if GOES_ON.match(text.content, start):
        advice = f"line {number} goes on in this one only within brackets: put them around the whole value"
    if EFFECT.match(text.content, start):
        word = span.words
        advice = (
            f"indent it like line {number}; a deeper line needs `when ...`, `else` or `for each ...` above it"
        )
        if words.lstrip().startswith("then"):
            advice = f"write `then {word} ...` and indent it like line {number}, or join the two with `;`"
    return Diagnostic("S003", "this line is indented too far", span, advice)


def nothing_follows(words: str) -> tuple[str, str] | None:
    """Return message and advice about a line that ends with a `:` of which nothing follows, or None."""
    block = re.search(rf"(?<![\w'-])(then\s+{WORD}|when\s[^:]*|else|for\s+each\s[^:]*)\s*:\Z", words)
    if block is None:
        return None
    return (
        f"`{shortened(block[1])}` opens a block without a `:`",
        "leave the `:` out; deeper lines are the effects",
    )
