"""What golden files hold: a text of the language, and what it lowers to."""

from __future__ import annotations

from golpae.ir.ruleset import RuleSet
from golpae.lower.effects import lowered
from golpae.lower.text import lines

LOWERS = "\n# lowers to\n\n"


def lowered_text(rules: RuleSet, block: str) -> str:
    """Return the statements of an action, or of the payout, as text."""
    action = rules.action(block)
    clauses = rules.payout if action is None else action.effects
    out = []
    for clause in lowered(rules, block, clauses):
        out += [clause.path, *lines(clause.statements, 1)]
    return "\n".join(out) + "\n"
