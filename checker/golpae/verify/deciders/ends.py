"""Decides whether every hand ends, by a ranking function; a lasso refutes it.

Input: the analysis of one instance and a property whose expression is a ranking function.
Output: an answer.
Guarantee: a refuted property comes with a game that returns to an earlier state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from golpae.ir.ruleset import PropertyDecl
from golpae.prove.answer import PROVED, REFUTED, UNKNOWN, Answer
from golpae.prove.induction.candidate import Failure
from golpae.prove.induction.induction import Induction
from golpae.prove.induction.ranking import check_ranking, highest_after_deal
from golpae.prove.symbolic.parts import clause_of_faults
from golpae.prove.symbolic.terms import OF_PROPERTY
from golpae.search.lasso import TRIES, Lasso, find_lasso, returns
from golpae.verify.analysis import Analysis
from golpae.verify.deciders.phrases import in_a_hand, names_of, refuted_by, refuted_by_return, undecided


def decide_ends(analysis: Analysis, prop: PropertyDecl) -> Answer:
    """Decide whether every hand ends, within the stated number of events. Raises `Unsupported`."""
    kept = analysis.kept(prop)
    if kept is not None and kept.witness:
        start = returns(analysis.machine, kept.witness)
        if start is not None and _goes_on(kept.witness[start:], prop):
            return refuted_by_return(kept.witness, start)
    lasso = None
    if prop.expected == REFUTED and analysis.settings.kept is None:
        lasso = _lasso(analysis, prop)
    if lasso is not None:
        return refuted_by(lasso)
    highest: list[int | None] = []

    def check() -> Failure | None:
        failure = _failure(analysis.induction, prop)
        if failure is None:  # how many events there are at most may need invariants as well
            number = highest_after_deal(analysis.induction, prop.expr)
            highest[:] = [None if number is None else max(number, 0)]  # below 0, no event happens at all
        return failure

    failure = analysis.first_failure(check, kept)
    induction = analysis.induction
    if failure is None:
        most = highest[0]
        story = "by a number that decreases" if most is None else in_a_hand(most, prop.after)
        if most is None and prop.after is not None:
            story = f"`{prop.after}` events are bounded by a number that decreases; other events may go on"
        if prop.within is not None and (most is None or most > prop.within):
            return Answer(UNKNOWN, f"{story}; not proved to end within {prop.within}")
        return Answer(PROVED, story, lemmas=names_of(induction.invariants), bound=most)
    lasso = _lasso(analysis, prop)
    return undecided(failure) if lasso is None else refuted_by(lasso)


def _failure(induction: Induction, prop: PropertyDecl) -> Failure | None:
    with clause_of_faults(OF_PROPERTY + prop.name):
        return check_ranking(induction, prop.expr, prop.after)


def _lasso(analysis: Analysis, prop: PropertyDecl) -> Lasso | None:
    """Return a game that can go on for ever with the events that the property is about, or None."""
    analysis.search()
    settings = analysis.settings
    lasso = find_lasso(analysis.machine, seed=settings.seed, tries=settings.scaled(TRIES))
    return lasso if lasso is not None and _goes_on(lasso.events[lasso.start :], prop) else None


def _goes_on(events: Sequence[Mapping[str, Any]], prop: PropertyDecl) -> bool:
    """Return whether a property is about an event of these."""
    return prop.after is None or any(event["do"] == prop.after for event in events)
