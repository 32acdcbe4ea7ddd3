"""Rules of sources as continuous integration names them: `game/J7`, the number of a rulebook.

Input: a rule set, and the numbers that a clause cites.
Output: a `Rule`.
Guarantee: a clause that cites no number is a rule by its own path.
"""

from __future__ import annotations

from collections.abc import Sequence

from golpae.ir.ruleset import RuleSet
from golpae.report.ci.findings import Rule


def numbers_of(rules: RuleSet, clause: str) -> tuple[str, ...]:
    """Return the numbers that a condition of an action cites, given by its path."""
    action, _, condition = clause.partition(".")
    named = {c.name: c.ids for a in rules.actions if a.name == action for c in a.conditions}
    return named.get(condition, ())


def rule_of(rules: RuleSet, numbers: Sequence[str], clause: str) -> Rule:
    """Return the rule that a clause of these numbers stands for: the first that a source has, or the clause itself."""
    known = [number for number in numbers if rules.rule(number) is not None]
    for number in (*known, *numbers):
        rule = rules.rule(number)
        if rule is not None:
            section = f", {rule.section}" if rule.section else ""
            title = dict(rules.sources).get(rule.source)
            source = f"source {rule.source}{section}" + (f" ({title})" if title else "")
            return Rule(f"{rules.game}/{number}", rule.gist, rule.gist, source)
        title = dict(rules.sources).get(number)
        source = f"source {number}" + (f" ({title})" if title else "")
        return Rule(f"{rules.game}/{number}", title or f"source {number}", "", source)
    return Rule(f"{rules.game}/{clause}", f"{clause} of {rules.title}")
