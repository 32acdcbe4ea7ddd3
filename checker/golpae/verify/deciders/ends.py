"""Decides whether every hand ends, by a ranking function; a lasso refutes it.

Input: the analysis of one instance and a property whose expression is a ranking function.
Output: an answer.
Guarantee: a refuted property comes with a game that returns to an earlier state, or with a hand that is longer than the
property says. If a game shows that the number is no ranking function, the answer says where, and has the game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from golpae.ir.limits import TooManySteps
from golpae.ir.ruleset import PropertyDecl
from golpae.prove.answer import PROVED, REFUTED, UNKNOWN, Answer, Witness
from golpae.prove.bmc import BoundedModelChecker
from golpae.prove.encoding.step import Step
from golpae.prove.induction.candidate import Failure
from golpae.prove.induction.induction import Induction
from golpae.prove.induction.ranking import check_ranking, falls, highest_after_deal
from golpae.prove.symbolic.parts import clause_of_faults
from golpae.prove.symbolic.terms import OF_PROPERTY, Unsupported
from golpae.prove.symbolic.values import Truth, conj, negate
from golpae.search import random_play, witness
from golpae.search.lasso import TRIES, Lasso, find_lasso, returns
from golpae.search.measures import NotFalling
from golpae.verify.analysis import Analysis
from golpae.verify.confirmation import GAMES
from golpae.verify.deciders.always import can_happen, failure_or_lack
from golpae.verify.deciders.game_search import DEPTH
from golpae.verify.deciders.phrases import (
    events_of,
    in_a_hand,
    names_of,
    never_happens,
    refuted_by,
    refuted_by_return,
    undecided,
)


def decide_ends(analysis: Analysis, prop: PropertyDecl) -> Answer:
    """Decide whether every hand ends, within the stated number of events. Raises `Unsupported`."""
    stored = analysis.kept(prop)
    if stored is not None and stored.witness:
        again = _refuted_again(analysis, prop, stored.witness)
        if again is not None:
            return again
    searching = analysis.settings.kept is None
    if searching and prop.expected == REFUTED:
        refuted = _refuted(analysis, prop)
        if refuted is not None:
            return refuted
    happens, falls_in_games = _in_games(analysis, prop)
    if searching and happens and not falls_in_games:  # so that induction has nothing to prove
        return _refuted(analysis, prop) or _not_falling(analysis, prop, None)
    highest: list[int | None] = []
    vacuous: list[str] = []

    def check() -> Failure | None:
        induction = analysis.induction
        vacuous.clear()
        if not happens and prop.after is not None and not can_happen(induction, prop.after):
            vacuous[:], highest[:] = [never_happens(prop.after)], [0]
            return None
        failure = _failure(induction, prop)
        if failure is None:  # how many events there are at most may need invariants as well
            number = highest_after_deal(induction, prop.expr)
            highest[:] = [None if number is None else max(number, 0)]  # below 0, no event happens at all
        return failure

    failure = failure_or_lack(analysis, check, stored)
    if failure is not None:
        return _refuted(analysis, prop) or _not_falling(analysis, prop, failure)
    most = highest[0]
    story = "by a number that decreases" if most is None else in_a_hand(most, prop.after)
    if most is None and prop.after is not None:
        story = f"`{prop.after}` events are bounded by a number that decreases; other events may go on"
    if prop.within is not None and (most is None or most > prop.within):
        return _too_long(analysis, prop) or Answer(
            UNKNOWN, f"{story}; not proved to end within {prop.within}"
        )
    return Answer(
        PROVED,
        story,
        lemmas=names_of(analysis.induction.invariants),
        bound=most,
        vacuous=vacuous[0] if vacuous else None,
    )


# ------------------------------------------------------------------ games that refute it


def _refuted_again(analysis: Analysis, prop: PropertyDecl, events: Sequence[dict[str, Any]]) -> Answer | None:
    """Return the answer to a property that a game refutes which is kept, or None if it does not."""
    machine = analysis.machine
    start = returns(machine, events)
    if start is not None and _goes_on(events[start:], prop):
        return refuted_by_return(machine, events, start)
    if prop.within is not None and random_play.has_long_hand(machine, prop.within, prop.after, events):
        return _refuted_by_length(prop, events)
    return None


def _refuted(analysis: Analysis, prop: PropertyDecl) -> Answer | None:
    """Return the answer to a property that a game refutes, or None if none is found."""
    lasso = _lasso(analysis, prop)
    return _too_long(analysis, prop) if lasso is None else refuted_by(analysis.machine, lasso)


def _too_long(analysis: Analysis, prop: PropertyDecl) -> Answer | None:
    """Return the answer to a property if a hand is found that has more events than it says."""
    if prop.within is None:
        return None
    analysis.search()
    settings = analysis.settings
    game = random_play.find_long_hand(
        analysis.machine,
        prop.within,
        prop.after,
        seed=settings.seed,
        games=settings.scaled(settings.games // 5),
    )
    return None if game is None else _refuted_by_length(prop, game.events)


def _refuted_by_length(prop: PropertyDecl, events: Sequence[dict[str, Any]]) -> Answer:
    what = "events" if prop.after is None else f"`{prop.after}` events"
    story = f"{events_of(events)}, with more than {prop.within} {what} in a hand"
    return Answer(REFUTED, story, witness=Witness((), tuple(events)))


# ------------------------------------------------------------------ games that show that the number does not


def _in_games(analysis: Analysis, prop: PropertyDecl) -> tuple[bool, bool]:
    """Return whether the first games have an event that the property counts, and whether the number falls in them."""
    target = NotFalling(analysis.machine, prop.expr, prop.after)
    happens = prop.after is None
    with suppress(TooManySteps):
        for before, event, after in analysis.played.steps(GAMES):
            happens = happens or event.action == prop.after
            if target.reached(after, event, before):
                return happens or any(
                    e.action == prop.after for _, e, _ in analysis.played.steps(GAMES)
                ), False
    return happens, True


def _not_falling(analysis: Analysis, prop: PropertyDecl, failure: Failure | None) -> Answer:
    """Return the answer that the number shows nothing, with a game in which it does not fall, if one is found."""
    fault_game = _game_of_fault(analysis, prop, failure)
    if fault_game is None:
        assert failure is not None
        return undecided(failure)
    events, why = fault_game
    story = f"{why}, in {events_of(events)}; a number that falls with each event would show that hands end"
    if prop.after is not None:
        story = (
            f"{why}, in {events_of(events)}; a number that falls with each `{prop.after}`, and rises with no other "
            "event, would show it"
        )
    return Answer(UNKNOWN, story, witness=Witness((), tuple(events)))


def _game_of_fault(
    analysis: Analysis, prop: PropertyDecl, failure: Failure | None
) -> tuple[Sequence[dict[str, Any]], str] | None:
    """Return a game at whose end the number does not fall, and why: by chance, then as the solver finds it."""
    analysis.search()
    settings, machine = analysis.settings, analysis.machine
    fault_game = random_play.find_fault(
        machine,
        prop.expr,
        prop.after,
        seed=settings.seed,
        games=settings.scaled(settings.games // 5),
    )
    if fault_game is not None:
        return fault_game[0].events, fault_game[1]
    if failure is None or failure.unsupported is not None:
        return None
    with suppress(Unsupported):
        return _solved(analysis, prop)
    return None


def _solved(analysis: Analysis, prop: PropertyDecl) -> tuple[Sequence[dict[str, Any]], str] | None:
    """Return a short game at whose end the number does not fall, and why, if the solver finds one."""
    machine, induction = analysis.machine, analysis.induction
    system = induction.system

    def at_fault(step: Step) -> Truth:
        if step.action.kind != "play":
            return False
        with clause_of_faults(OF_PROPERTY + prop.name):
            number = system.evaluator.number(prop.expr, step.before, {})
            return conj(negate(falls(induction, number, prop.expr, prop.after, step)))

    def why(events: Sequence[Mapping[str, Any]]) -> str | None:
        lines = witness.as_trace(machine, witness.completed(machine, events))[1:]
        return random_play.fault_at_end(machine, prop.expr, prop.after, lines)

    searched = BoundedModelChecker(system, analysis.solver).run(
        at_fault, None, DEPTH, lambda events: why(events) is not None
    )
    if searched.events is None:
        return None
    events = [dict(line) for line in witness.completed(machine, searched.events)]
    return events, why(events) or ""


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
