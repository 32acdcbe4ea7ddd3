"""How findings compare with what the texts expect.

In: findings. Out: one word for each, and the exit status of all of them. A property that holds because it
speaks of nothing is as bad as one that fails; what is unknown never passes.
"""

from __future__ import annotations

from collections.abc import Iterable

from golpae.prove.answer import BOUNDED, UNKNOWN
from golpae.verify.result import PropertyResult

AS_EXPECTED, DEVIATES, UNDECIDED = "as expected", "not as expected", "undecided"
AGREES = "agrees"
HOLD, FAIL, OPEN, FAULT = 0, 1, 3, 4


def status(finding: PropertyResult) -> str:
    """Whether the verdict is the expected one, another, or none."""
    if finding.verdict == UNKNOWN or (finding.verdict == BOUNDED and finding.expected != BOUNDED):
        return UNDECIDED
    if finding.vacuous is not None or not finding.as_expected:
        return DEVIATES
    return AS_EXPECTED


def unanswered(finding: PropertyResult) -> bool:
    """Whether the second solver was asked and had no answer to some question."""
    return finding.checked is not None and finding.checked != AGREES


def meaningful(findings: Iterable[PropertyResult]) -> list[PropertyResult]:
    """The findings without those of tables at which a property speaks of nothing, where it speaks at another."""
    found = list(findings)
    speaks = {(f.rules, f.name) for f in found if f.vacuous is None}
    return [f for f in found if f.vacuous is None or (f.rules, f.name) not in speaks]


def exit_status(findings: Iterable[PropertyResult], disagreement: bool = False) -> int:
    """The exit status: 4 where two solvers disagree, 1 where a verdict is another one, 3 where one is open."""
    if disagreement:
        return FAULT
    found = meaningful(findings)
    if any(status(f) == DEVIATES for f in found):
        return FAIL
    return OPEN if any(status(f) == UNDECIDED or unanswered(f) for f in found) else HOLD
