"""Edits of a score that cannot give any hand the points that are recorded.

Input: a score, the text with an edit, and what is known of the hands whose points differ.
Output: whether the edit cannot help.
Guarantee: "in vain" only if more patterns never make fewer points: no pattern takes points away, none stands alone, and
total and conditions grow with what the patterns count.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from golpae.elaborate.load import Loaded
from golpae.learn.terms import words_in
from golpae.syntax import tree as t

GROWING_TOTALS = ("sum", "highest")
UNIMPLIED = "unimplied"
OWN_COUNTS = ("eligible", "points")
"""What `keep` can compare beside the numbers in which patterns count."""


@dataclass(frozen=True, slots=True)
class Differs:
    """A hand whose points differ: those by the text and those that are recorded, None if it is worth nothing."""

    worth: int | None
    recorded: int | None
    patterns: tuple[str, ...]


def in_vain(score: t.Score, changed: Loaded, differing: Sequence[Differs]) -> bool:
    """Return whether only the test of a pattern differs, and cannot help: all hands are worth too much and none has the
    pattern, so another test of it can only add points.
    """
    if not differing or not all(
        one.worth is not None and one.worth > (one.recorded or 0) for one in differing
    ):
        return False
    scores = (d for d in changed.decls if isinstance(d, t.Score))
    new = next((one for one in scores if one.name == score.name), score)
    if len(new.patterns) != len(score.patterns):
        return False
    pairs = zip(score.patterns, new.patterns, strict=True)
    other = [old.name.text for old, one in pairs if old.test != one.test and old.value == one.value]
    return len(other) == 1 and not any(other[0] in one.patterns for one in differing) and _grows(score)


def _grows(score: t.Score) -> bool:
    """Return whether one pattern more never makes fewer points."""
    if any(p.alone or not isinstance(p.value, t.Number) or p.value.value < 0 for p in score.patterns):
        return False
    patterns = {p.name.text for p in score.patterns}
    counts = {*OWN_COUNTS, *(word.text for word in score.numbers)}
    for field in score.fields:
        match field.name.text, field.expr:
            case "total", t.Name(name=name) if name in GROWING_TOTALS:
                pass
            case "total", total if not _number_grows(total, patterns, counts):
                return False
            case "keep", keep if not _truth_grows(keep, patterns, counts):
                return False
            case _:
                pass
    return True


def _number_grows(expr: t.Expr, patterns: set[str], counts: set[str]) -> bool:
    match expr:
        case t.Name(name=name):
            return name in counts or (name not in patterns and name != UNIMPLIED)
        case t.Extreme(left=left, right=right) | t.Binary(op="+", left=left, right=right):
            return _number_grows(left, patterns, counts) and _number_grows(right, patterns, counts)
        case t.Binary(op="*", left=left, right=right) if all(
            _is_count(part, counts) for part in (left, right)
        ):
            return True
        case _:
            return not words_in(expr) & (patterns | counts)


def _is_count(expr: t.Expr, counts: set[str]) -> bool:
    match expr:
        case t.Number(value=value):
            return value >= 0
        case t.Name(name=name):
            return name in counts
        case _:
            return False


def _truth_grows(expr: t.Expr, patterns: set[str], counts: set[str]) -> bool:
    match expr:
        case t.Binary(op="and" | "or", left=left, right=right):
            return _truth_grows(left, patterns, counts) and _truth_grows(right, patterns, counts)
        case t.Binary(op=">=" | ">", left=left, right=t.Number()):
            return _number_grows(left, patterns, counts)
        case t.Name():
            return True
        case _:
            return not words_in(expr) & (patterns | counts)
