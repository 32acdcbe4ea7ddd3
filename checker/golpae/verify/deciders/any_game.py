"""Decides what has to hold of any game: no tile is lost, and some event is legal until a hand has ended.

Input: the analysis of one instance.
Output: an answer.
Guarantee: a refuted property comes with a game that gets stuck.
"""

from __future__ import annotations

from golpae.ir.ruleset import PropertyDecl
from golpae.lower.ledger import unbalanced
from golpae.prove.answer import PROVED, REFUTED, Answer, Witness
from golpae.prove.induction.candidate import Failure
from golpae.prove.induction.conservation import check_conservation
from golpae.prove.induction.deadlock import check_deadlock_freedom
from golpae.search.random_play import find_deadlock, is_dead_end
from golpae.verify.analysis import Analysis
from golpae.verify.confirmation import gets_stuck
from golpae.verify.deciders.open_position import advice
from golpae.verify.deciders.phrases import count_of, names_of, undecided

STUCK = "a game in which nobody can act"


def decide_conservation(analysis: Analysis, _: PropertyDecl) -> Answer:
    """Decide whether every event puts down as many tiles as it takes. Raises `Unsupported`."""
    failure = conservation_failure(analysis)
    if failure is None:
        return Answer(PROVED, "every move puts down as many tiles as it takes")
    return undecided(failure)


def decide_deadlock_freedom(analysis: Analysis, prop: PropertyDecl) -> Answer:
    """Decide whether some event is legal until a hand has ended. Raises `Unsupported`."""
    stored = analysis.kept(prop)
    if stored is not None and stored.witness and is_dead_end(analysis.machine, stored.witness):
        return Answer(REFUTED, STUCK, witness=Witness((), stored.witness))
    if analysis.settings.kept is None and gets_stuck(analysis.played):
        dead = _stuck_game(analysis)  # no invariants are needed for that
        if dead is not None:
            return dead
    settled: set[int] = set()
    failure = analysis.first_failure(lambda: deadlock_failure(analysis, settled), stored)
    if failure is None:
        invariants = analysis.induction.invariants
        return Answer(PROVED, f"by induction, with {count_of(invariants)}", lemmas=names_of(invariants))
    analysis.search()
    return _stuck_game(analysis) or undecided(failure, _advice(analysis, failure))


def _stuck_game(analysis: Analysis) -> Answer | None:
    """Return the answer with a game in which nobody can act; None if none was found."""
    settings = analysis.settings
    dead = find_deadlock(analysis.machine, seed=settings.seed, games=settings.scaled(settings.games // 10))
    return None if dead is None else Answer(REFUTED, STUCK, witness=Witness((), tuple(dead.events)))


def _advice(analysis: Analysis, failure: Failure) -> str:
    """Return where nobody can act for all that induction knows, in words; "" if it has found no such position."""
    if failure.model is None:
        return ""
    played = (action for action in analysis.instance.rule_set.actions if action.kind == "play")
    return advice(analysis.induction, failure, (c.expr for action in played for c in action.conditions))


def conservation_failure(analysis: Analysis) -> Failure | None:
    """Return why some event may lose or make tiles, or None if none does. Raises `Unsupported`.

    The statements alone show it if each puts down what was taken: that needs no state and no solver.
    """
    if next(unbalanced(analysis.instance.rule_set), None) is None:
        return None
    induction, by_action = analysis.induction, analysis.by_action
    if by_action is not None and by_action.conserves([c.name for c in induction.invariants]):
        return None
    return check_conservation(induction)


def deadlock_failure(analysis: Analysis, settled: set[int]) -> Failure | None:
    """Return why nobody may be able to act, or None if somebody always is. Raises `Unsupported`.

    `settled` is as in `check_deadlock_freedom`.
    """
    induction, by_action = analysis.induction, analysis.by_action
    if by_action is not None and induction.needed is None:
        if by_action.goes_on([c.name for c in induction.invariants]):
            return None
    return check_deadlock_freedom(induction, settled)
