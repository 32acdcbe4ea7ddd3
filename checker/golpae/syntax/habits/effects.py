"""Habits in effects: forgotten words, `if` and `else`, brackets after `pays`.

Input: the place where the parser stopped, and the terminals that it could have taken.
Output: a `Diagnostic` at the cause, or None if no habit is recognised.
Guarantee: the advice uses the author's own words if they are short.
"""

from __future__ import annotations

import re

from golpae.diagnostics import Diagnostic, Span, Text
from golpae.syntax.habits.places import LOOK, WORD, ending, fault, is_closed, line_of, line_start, shortened

SETS = {"WINS", "PAYS", "SCORES"}  # what can follow the owner at the beginning of an effect
# An effect from its first word, which is no word of its own if the parser expects the name of a clause.
EFFECT = re.compile(
    r"(?:move|shuffle|cut|arrange)\s+[\w{(]|nobody\s+wins\b|the\s+hand\s+is\s+over\b|pass\s+each\b|when\s|for\s+each\s"
    r"|repeat\s|each\s+(?:player|team)(?:'s)?\s|every\s+other\s+player\s"
    rf"|(?:{WORD}'s\s+)*{WORD}(?:\s*:=|\s+(?:wins|pays|scores)\b)|{WORD}\("
)


def without_then(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose an effect at the beginning of a line that is to be a clause."""
    start = line_start(text, span.start)
    head = text.content[start : span.start].strip()
    sets = head.endswith(":") and span.words == "="  # the parser takes `:=` apart at such a place
    if not (expected == {"COLON"} and re.fullmatch(WORD, head)) and not sets:
        return None
    if text.position(start)[1] == 1 or EFFECT.match(text.content, start) is None:
        return None
    return lacks_then(text, start, start + len(head.rstrip(" :")))


def effects_follow(text: Text, offset: int) -> bool:
    """Return whether a line that ends here is one word, and the line under it an effect that is deeper."""
    start = line_start(text, offset)
    below = re.compile(r"\s*\n([ \t]*)(?=\S)").match(text.content, offset)
    if below is None or not re.fullmatch(WORD, text.content[start:offset]):
        return False
    deeper = len(below[1]) + 1 > text.position(start)[1]
    return deeper and EFFECT.match(text.content, below.end()) is not None


def lacks_then(text: Text, start: int, end: int) -> Diagnostic:
    word = text.content[start:end]
    return fault(text, start, end, "an effect begins with `then`", f"write `then` before `{word}`")


def else_of_no_when(text: Text, span: Span, _: set[str]) -> Diagnostic | None:
    """Diagnose `else: turns > 1` under a line that has no `when`."""
    start = line_start(text, span.start)
    number, line = line_of(text, span.start)
    above = text.line(number - 1) if number > 1 else ""
    indent = text.position(start)[1] - 1
    same = len(above) - len(above.lstrip()) == indent
    if not re.match(r"else\s*:", line) or not same or re.search(r"\bwhen\b", above):
        return None
    advice = "write `else: ...` under its `when`, without `then`; or give the clause another name"
    return fault(text, start, start + len("else"), "no `when` belongs to this `else`", advice)


def if_or_else(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose `if` among effects, which have none, and an `else` that is written in another way."""
    if span.words == "else" and ("SEMICOLON" in expected or expected == {"ANCHOR", "_NL"}):
        advice = (
            "write `when ...: ... else: ...`, or `else: ...` under the lines of a `when`, indented like it"
        )
        return fault(text, span.start, span.end, "no `when` belongs to this `else`", advice)
    if {"WHEN", "COLON"} <= expected and ending(r"(?<![\w'-])else\s*\Z", text, span.start):
        if span.words in ("if", "unless"):
            return fault(text, span.start, span.end, "an effect has no `if`", "write `else when ...: ...`")
        _, line = line_of(text, span.start)
        rest = shortened(line[span.start - line_start(text, span.start) :].strip())
        return fault(text, span.start, span.end, "a `:` follows `else`", f"write `else: {rest}`")
    if span.words in (":", "when") and (parted := ending(r"(;)\s*else\s*\Z", text, span.start)):
        return fault(text, parted.start(1), span.end, "no `;` stands before an `else`", "leave the `;` out")
    if span.words in ("elif", "elsif", "elseif") and "SEMICOLON" in expected:
        advice = "write `else when ...: ...`"
        return fault(text, span.start, span.end, f"the language has no `{span.words}`", advice)
    if span.words == ":" and (named := ending(r"(?<![\w'-])(otherwise)\s*\Z", text, span.start)):
        return fault(
            text, named.start(1), span.end, "the other case of a `when` is its `else`", "write `else: ...`"
        )
    match = ending(r"(?<![\w'-])if\s*(?:\([^;\n]*\)\s*)?\Z", text, span.start)
    if match is None or not expected >= SETS:
        return None
    advice = "write `when ...: ...`; `else: ...` after it says what happens in the other case"
    return fault(text, match.start(), match.start() + len("if"), "an effect has no `if`", advice)


OWNER = rf"(?:{WORD}'s\s+)*{WORD}"
ENDS = re.compile(r"(?<![\w'-])(?:end|ends|stop|stops|finish|over)\Z")


def amount(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose an amount that is written in another way than `p pays q 3` and `p scores 3`."""
    start = line_start(text, span.start)
    before = text.content[start : span.start]
    if paid := re.search(rf"(?<![\w'-])pays\s+({OWNER})\s*(\(.*\))\s*\Z", before):
        if span.words in ("*", "+", "-", "^", "div", "mod") and is_closed(paid[2]):
            at = start + paid.start(2)
            message = f"these brackets belong to `{paid[1]}`, so the amount is missing"
            return fault(text, at, start + paid.end(2), message, _amount_first(text, span, paid[1], paid[2]))
    if (named := re.search(rf"(?<![\w'-])(pays\s+{OWNER}|scores)\s*\Z", before)) and span.words in (
        ":",
        ",",
        "=",
    ):
        _, line = line_of(text, span.start)
        rest = shortened(line[span.end - start :].strip()) or "1"
        message = "the amount follows without a sign"
        return fault(text, span.start, span.end, message, f"write `{named[1]} {rest}`")
    if span.words == "-" and (named := re.search(rf"({OWNER})\s+pays\s+({OWNER})\s+\Z", before)):
        less = re.match(r"\s+([\w-]+)", text.content[span.end : span.end + LOOK])
        number = less[1] if less else "1"
        message = f"the amount is missing: `{named[2]} - {number}` takes one from the other"
        advice = f"write `pays {named[2]} -{number}`, or turn it round: `{named[2]} pays {named[1]} {number}`"
        end = span.end + (less.end() if less else 0)
        return fault(text, start + named.start(2), end, message, advice)
    if span.words == "to" and (turned := re.search(r"(?<![\w'-])pays\s+(\S.*?)\s*\Z", before)):
        payee = re.match(rf"\s+({OWNER})", text.content[span.end : span.end + 100])
        advice = f"write `pays {payee[1] if payee else 'q'} {shortened(turned[1])}`"
        return fault(text, span.start, span.end, "whoever is paid comes before the amount", advice)
    if span.words in ("gets", "get", "gains", "receives", "earns", "wins") and SETS - {"WINS"} <= expected:
        advice = "write `p scores 1` for points that nobody pays, and `q pays p 1` for others"
        return fault(text, span.start, span.end, f"unexpected `{span.words}`", advice)
    return None


def _amount_first(text: Text, span: Span, payee: str, brackets: str) -> str:
    """Return how to write an amount that begins with brackets, which the name before it takes."""
    _, line = line_of(text, span.start)
    rest = line[span.end - line_start(text, span.start) :].strip()
    simple = re.fullmatch(rf"\d+|{OWNER}", rest)
    if simple and span.words in "*+":
        return f"write `pays {payee} {rest} {span.words} {shortened(brackets)}`"
    return f"begin the amount with a word: write `define amount: ...`, and then `pays {payee} amount`"


def condition_of_effect(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose `when x then y`, `when x, y` and `y when x`."""
    start = line_start(text, span.start)
    _, line = line_of(text, span.start)
    before = text.content[start : span.start].strip()
    if span.words in ("then", ",") and "COLON" in expected:
        if test := re.search(r"(?<![\w'-])when\s+((?:(?!\bwhen\b).)*)\Z", before):
            advice = f"write `when {shortened(test[1])}: ...`"
            return fault(text, span.start, span.end, "a `:` follows the condition of an effect", advice)
    if span.words in ("when", "if", "unless") and "SEMICOLON" in expected:
        effect = re.match(rf"(?:then\s+)?(?:{WORD}:\s+)?(.*)\Z", before)
        condition = shortened(line[span.end - start :].strip())
        condition = f"not ({condition})" if span.words == "unless" else condition
        advice = f"write `when {condition}: {shortened(effect[1] if effect else '')}`"
        return fault(text, span.start, span.end, "the condition of an effect comes first", advice)
    return None


def joined_by_and(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose `then a := 1 and b := 2`."""
    joined = ending(rf":=[^;\n]*(?<![\w'-])(and)\s+{OWNER}\s*\Z", text, span.start)
    if joined is None or span.words not in (":=", "wins", "pays", "scores"):
        return None
    return fault(
        text, joined.start(1), joined.end(1), "`and` joins questions", "write `;` between two effects"
    )


def end_of_hand(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose `then end hand`, and other words for the end of a hand."""
    before = text.content[line_start(text, span.start) : span.start].rstrip()
    match = ENDS.search(before)
    if match is None or not expected >= SETS:
        return None
    start = line_start(text, span.start) + match.start()
    advice = "write `p wins`, or `nobody wins` if points decide, or nobody has won"
    return fault(text, start, start + len(match[0]), "an effect ends a hand with `wins`", advice)


def colon_after_then(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose `then: ...`."""
    _, line = line_of(text, span.start)
    before = text.content[line_start(text, span.start) : span.start]
    if span.words != ":" or before.strip() != "then":
        return None
    advice = "leave the `:` out; deeper lines are the effects"
    if line[len(before) + 1 :].strip():
        advice = f"leave the `:` out, or name the effect: `then name: {shortened(line[len(before) + 1 :].strip())}`"
    return fault(text, span.start, span.end, "an effect without a name has no `:`", advice)


def number_of_tiles(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose `move 4 tiles from a to b`."""
    counted = ending(r"(?<![\w'-])move\s+(\S+)\s+\Z", text, span.start)
    if (
        counted is None
        or "FROM" not in expected
        or re.match(r"(?:tiles?|cards?|pieces?)\b", span.words) is None
    ):
        return None
    advice = "name them in the event: `(tiles: {a, b, c})`, and then `move tiles from a to b`"
    message = "an effect moves tiles that have names"
    return fault(text, counted.start(1), span.end, message, advice)
