"""The exit status of a check of a certificate.

Input: what came of it. Output: the status.
Guarantee: HOLDS only if there is something to check, nothing is wrong, and both solvers have answered every obligation.
"""

from __future__ import annotations

from golpae import exit_codes
from golpae.verify.certificates.recheck import LOST, OTHER_VERSION, Rechecked
from golpae.verify.certificates.recheck_table import CVC5, DISAGREE, FALSE, UNANSWERED, Z3


def exit_status(outcome: Rechecked) -> int:
    """Return the exit status: another version first, then a disagreement, what differs, and what has no answer."""
    kinds = {finding.kind for finding in outcome.all_findings}
    if OTHER_VERSION in kinds:
        return exit_codes.WRONG_INPUT
    if kinds & {DISAGREE, FALSE}:
        return exit_codes.FAULT
    if kinds - {UNANSWERED, LOST}:
        return exit_codes.FAILS
    is_open = kinds or is_empty(outcome) or not all_answered(outcome)
    return exit_codes.UNKNOWN if is_open else exit_codes.HOLDS


def is_empty(outcome: Rechecked) -> bool:
    """Return whether the certificate is about no property."""
    return not any(table.properties for table in outcome.tables)


def all_answered(outcome: Rechecked) -> bool:
    """Return whether each solver has confirmed every obligation."""
    return all(table.confirmed[s] == table.obligations for table in outcome.tables for s in (Z3, CVC5))
