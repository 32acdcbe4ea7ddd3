"""Render why an event was refused, as `golpae check` prints it below the place of the event.

Input: an explanation, the clause and the rule set.
Output: lines of text, which may hold what a trace holds.
Guarantee: the same lines wherever a refusal is shown.
"""

from __future__ import annotations

from golpae.replay.report import Explanation


def refusal_lines(explanation: Explanation, clause: str | None, rules: str | None) -> list[str]:
    """Return the message on an event, the broken clause with its rules, what mattered, and what was legal."""
    lines = [f"  {explanation.message}", f"  broken: {clause} in {rules}"]
    lines.extend(f"  rule: {rule}" for rule in explanation.rules)
    lines.extend(f"  {what}: {value}" for what, value in explanation.facts)
    if explanation.legal is not None:
        lines.append(f"  legal here: {'; '.join(explanation.legal) or 'nothing'}")
    return lines
