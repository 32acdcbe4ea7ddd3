"""What is looked for in recorded games: an expression, in the words of their rules.

Input: `EXPRESSION`, which is asked of every position, or `after ACTION: EXPRESSION`, which may read the event.
Output: the rule set with the expression as a property.
Guarantee: faults of the expression are told as those of rule texts are, with their place in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from golpae.diagnostics import Span, SpecError, Text
from golpae.elaborate.check import check
from golpae.elaborate.load import load
from golpae.elaborate.resolve import resolve, split
from golpae.ir.ruleset import PropertyDecl, RuleSet
from golpae.syntax import tree as t
from golpae.syntax.parse import parse_question

NAME = "what is looked for"  # no text can have a property of this name
SHOWN = "EXPRESSION"


class MeansNothing(SpecError):
    """An expression has faults in rules that have none."""


@dataclass(frozen=True, slots=True)
class Question:
    """An expression that holds or does not, after events of one action or at every position."""

    words: str
    after: t.Word | None
    expr: t.Expr

    @staticmethod
    def of(words: str) -> Question:
        """Read an expression. Raises `SpecError`."""
        flat = " ".join(words.split())
        after, expr = parse_question(Text.of(SHOWN, flat))
        return Question(flat, after, expr)

    def asked_of(self, rules: str, places: Sequence[Path]) -> RuleSet:
        """Return a rule set that has the expression as a property. Raises `SpecError`, and `MeansNothing` if only the
        expression has faults.
        """
        resolved = resolve(rules, load(split(rules)[0], places))
        span = Span(self.expr.span.text, 0, len(self.words))
        name = t.Word(span, NAME)
        asked = t.Property(span, "reachable", name, None, None, self.expr, None, (), after=self.after)
        try:
            return check(replace(resolved, decls=(*resolved.decls, asked)))
        except SpecError as fault:
            check(resolved)  # which raises the faults of the rules, if they have some
            own = [d for d in fault.diagnostics if d.span is not None and d.span.text == span.text]
            raise MeansNothing(own or fault.diagnostics) from None


def property_of(rules: RuleSet) -> PropertyDecl:
    """Return the expression as a property of a rule set that it is asked of."""
    return next(p for p in rules.properties if p.name == NAME)
