"""Conditions in the words of a text, ready to be asked of states and events.

Input: a text, one of its actions, conditions as they are written.
Output: those that mean something there, as the text has them and as expressions of the IR.
Guarantee: what does not parse or is not well typed is left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from golpae.diagnostics import Span, SpecError, Text
from golpae.elaborate.check import check
from golpae.elaborate.load import Loaded
from golpae.elaborate.resolve import resolve
from golpae.ir.ruleset import RuleSet
from golpae.learn.meaningful import meaningful
from golpae.learn.text import with_clauses
from golpae.syntax import tree as t
from golpae.syntax.parse import parse_question

NAMED = "learned-{}"
TOGETHER = 400  # conditions that are checked together
MOST_ROUNDS = 12


@dataclass(frozen=True, slots=True)
class Asked:
    """A condition: as it is written, as a tree, and what `rules` has as the condition `name` of the action."""

    words: str
    tree: t.Expr
    name: str
    rules: RuleSet


@cache
def parsed(words: str) -> t.Expr | None:
    """Return a condition as a tree, None if it follows no grammar."""
    try:
        _, expr = parse_question(Text.of("learned", words))
    except SpecError:
        return None
    return expr


def asked(
    loaded: Loaded, action: str, conditions: Iterable[str], meaningless: set[str] | None = None
) -> list[Asked]:
    """Return the conditions that mean something in an action. Raises `SpecError` if the text itself has faults.

    `meaningless`: those that are known to mean nothing there; what is found out is added.
    """
    known: set[str] = set() if meaningless is None else meaningless
    trees = {w: expr for w in conditions if w not in known and (expr := parsed(w)) is not None}
    every = list(trees.items())
    found: list[Asked] = []
    for start in range(0, len(every), TOGETHER):
        found += _checked(loaded, action, dict(every[start : start + TOGETHER]))
    known |= trees.keys() - {one.words for one in found}
    return found


def _checked(loaded: Loaded, action: str, trees: dict[str, t.Expr]) -> list[Asked]:
    def make(left: dict[str, t.Expr]) -> RuleSet:
        clauses = [clause(NAMED.format(i), expr) for i, expr in enumerate(left.values())]
        return check(resolve(loaded.game.name.text, with_clauses(loaded, action, clauses)))

    def at_fault(fault: SpecError, left: dict[str, t.Expr]) -> set[str]:
        return {_words(d.span) for d in fault.diagnostics} & left.keys()

    return [
        Asked(words, expr, NAMED.format(i), rules)
        for left, rules in meaningful(trees, make, at_fault, MOST_ROUNDS)
        for i, (words, expr) in enumerate(left.items())
    ]


def clause(name: str, expr: t.Expr) -> t.Clause:
    """Return a condition as a clause."""
    return t.Clause(expr.span, t.Word(expr.span, name), t.Condition(expr.span, expr, None), ())


def _words(span: Span | None) -> str:
    return "" if span is None or span.text.name != "learned" else span.text.content
