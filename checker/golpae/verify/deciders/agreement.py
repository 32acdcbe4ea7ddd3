"""Compares what games show with what induction proves.

Input: the analysis of one instance, a property, and the answer of all games.
Output: nothing.
Guarantee: raises `Contradiction` if a game, which replay has accepted, shows what induction proves to be impossible.
"""

from __future__ import annotations

from golpae.ir.ruleset import PropertyDecl
from golpae.prove.answer import Answer
from golpae.prove.induction.candidate import Failure
from golpae.prove.induction.conservation import check_conservation
from golpae.prove.induction.deadlock import check_deadlock_freedom
from golpae.prove.induction.ranking import check_ranking
from golpae.prove.symbolic.terms import Unsupported
from golpae.verify.analysis import Analysis
from golpae.verify.deciders.always import inductive_failure
from golpae.verify.properties import CONSERVATION, DEADLOCK_FREEDOM


class Contradiction(Exception):
    """Two ways to decide a property contradict each other: a fault of golpae."""


def compare_with_induction(analysis: Analysis, prop: PropertyDecl, answer: Answer) -> None:
    """Raise `Contradiction` if induction proves that there is no game such as the witness of an answer."""
    if answer.witness is None or answer.bound is not None:
        return  # nothing is shown, or only that a hand has more events than the text says
    try:
        failure = _failure(analysis, prop)
    except Unsupported:
        return
    if failure is None:
        raise Contradiction(f"induction proves that no game does what this one does: {answer.story}")


def _failure(analysis: Analysis, prop: PropertyDecl) -> Failure | None:
    """Return why induction does not prove a property, with the invariants that it has at once; None if it does."""
    induction = analysis.induction
    if prop.name == CONSERVATION:
        return check_conservation(induction)
    if prop.name == DEADLOCK_FREEDOM:
        return check_deadlock_freedom(induction)
    if prop.kind == "ends":
        return check_ranking(induction, prop.expr, prop.after)
    return inductive_failure(induction, prop)
