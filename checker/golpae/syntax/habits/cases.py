"""Habits about definitions by cases, and about numbers that are rounded.

Input: the place where the parser stopped, and the terminals that it could have taken.
Output: a `Diagnostic` at the cause, or None if no habit is recognised.
Guarantee: a block of named questions and one of cases are told apart in the advice.
"""

from __future__ import annotations

import re

from golpae.diagnostics import Diagnostic, Span, Text
from golpae.syntax.habits.places import block_of, ending, fault, line_of, line_start, shortened

ROWS = {"WHEN", "OTHERWISE"}


def other_row(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose a line of another kind of block among the cases of a definition."""
    start = line_start(text, span.start)
    _, line = line_of(text, span.start)
    label = shortened(line.partition(":")[0])
    if start == span.start and expected >= ROWS and (other := re.match(r"(else\s+if|elif|else)\b", line)):
        rest = shortened(line[other.end() :].strip(" :"))
        advice = f"write `otherwise: {rest}`" if other[1] == "else" else f"write `when {rest}`"
        return fault(text, start, start + other.end(), f"a definition has no `{other[1]}`", advice)
    if start == span.start and expected >= ROWS:
        if "NAME" not in expected:
            message = f"`{label}` is no case: the lines of this block begin with `when` or `otherwise`"
            return fault(text, start, start + len(label), message, "write `when ...: ...`")
        if re.match(r"-?\d", label):
            message = f"nothing says of which value `{label}` is a case"
            advice = "write the value behind the head of the definition: `define ... by n`"
            return fault(text, start, start + len(label), message, advice)
    if expected >= {"COLON", "OR"} and ending(r"\n[ \t]*when[ \t]+\Z", text, span.start):
        message = "`when` asks a question, but these cases are values of what stands behind `by`"
        advice = "write a value, or leave `by ...` out and begin each line with `when`"
        return fault(text, start, start + len("when"), message, advice)
    return None


def if_as_case(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose `if n > 3: 1` as a case of a definition, and `define f: when n > 3: 1 ...` on one line."""
    start = line_start(text, span.start)
    _, line = line_of(text, span.start)
    in_block = text.position(start)[1] > 1 and block_of(text, start) == "define"
    if in_block and re.match(r"if\b", line) and span.start <= start + len("if "):
        return fault(text, start, start + len("if"), "a case begins with `when`", "write `when ...: ...`")
    on_line = re.match(r"define\b[^:]*(?:\([^)]*\))?\s*(:)\s*when\b", line)
    if on_line is not None and span.start >= start + on_line.end() - len("when"):
        advice = "write `if ... then ... else ...`, or leave this `:` out and begin a line under it with each `when`"
        return fault(
            text, start + on_line.start(1), start + on_line.end(), "cases stand in lines of their own", advice
        )
    return None


def colon_in_line(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose `define f(n: number) by n: 0: E, 1: S`, and `otherwise: W` behind cases of one line."""
    start = line_start(text, span.start)
    _, line = line_of(text, span.start)
    head = re.match(r"\s*define\b[^\"#]*?\)?\s+by\s+([^:]*[^:\s])\s*:\s*(\S.*)", line)
    if head is None or span.start < start + head.start(2):
        return None
    slip = re.compile(r"(?:\A|,)[^,:{(]*?(:)(?!=)").search(head[2])
    if slip is None:
        return None
    at = start + head.start(2) + slip.start(1)
    key = shortened(head[2][: slip.start(1)].rpartition(",")[2].strip())
    value = shortened(re.split(r",", head[2][slip.end(1) :])[0].strip())
    advice = f"write `{key} {value}`, or each case on a line of its own"
    return fault(text, at, at + 1, "cases on one line have no `:`", advice)


def after_rounding(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose a sum that goes on behind a number that is rounded."""
    rounded = ending(r"rounded\s+(up|down)\s+to\s+\S+\s*\Z", text, span.start)
    if rounded is None or not re.match(r"[-+*]|div\b|mod\b", span.words):
        return None
    advice = f"put it in brackets: `(... {rounded[0].strip()}) {span.words} ...`"
    return fault(text, span.start, span.end, "nothing can follow what is rounded", advice)
