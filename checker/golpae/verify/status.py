"""How results compare with what the texts expect.

Input: results.
Output: one word for each, and the exit status for all of them.
Guarantee: an unknown result never passes, and a vacuous one counts as a failure. What nobody asked counts as neither.
"""

from __future__ import annotations

from collections.abc import Iterable

from golpae import exit_codes
from golpae.prove.answer import BOUNDED, UNKNOWN, UNMEASURED
from golpae.verify.result import PropertyResult

AS_EXPECTED, DEVIATES, UNDECIDED, NOT_ASKED = "as expected", "not as expected", "undecided", "not measured"
AGREES = "agrees"


def status(result: PropertyResult) -> str:
    """Return `AS_EXPECTED`, `DEVIATES`, `UNDECIDED`, or `NOT_ASKED` of a claim that this run was not to measure."""
    if result.verdict == UNMEASURED and result.vacuous is None:
        return NOT_ASKED
    if result.verdict == UNKNOWN or (result.verdict == BOUNDED and result.expected != BOUNDED):
        return UNDECIDED
    if result.unjudged:  # where it applies it may have the other verdict
        return UNDECIDED
    if result.vacuous is not None or not result.as_expected:
        return DEVIATES
    return AS_EXPECTED


def unanswered(result: PropertyResult) -> bool:
    """Return whether the second solver was called and gave no answer to some question."""
    return result.checked is not None and result.checked != AGREES


def meaningful(results: Iterable[PropertyResult]) -> list[PropertyResult]:
    """Return the results, without each vacuous one whose property is not vacuous at another table."""
    everything = list(results)
    not_vacuous = {(r.rules, r.name) for r in everything if r.vacuous is None}
    return [r for r in everything if r.vacuous is None or (r.rules, r.name) not in not_vacuous]


def standings(results: Iterable[PropertyResult]) -> list[str]:
    """Return the status of each result in a run: what is vacuous at some tables only is as expected there."""
    everything = list(results)
    counted = {id(r) for r in meaningful(everything)}
    return [status(r) if id(r) in counted else AS_EXPECTED for r in everything]


def exit_status(results: Iterable[PropertyResult], disagreement: bool = False) -> int:
    """Return the exit status: a fault of golpae or a disagreement of two solvers first, then the worst result."""
    counted = meaningful(results)
    if disagreement or any(r.fault is not None for r in counted):
        return exit_codes.FAULT
    if any(status(r) == DEVIATES for r in counted):
        return exit_codes.FAILS
    is_open = any(status(r) == UNDECIDED or unanswered(r) for r in counted)
    return exit_codes.UNKNOWN if is_open else exit_codes.HOLDS
