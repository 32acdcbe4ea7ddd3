"""Looks for a game that ends in a state with a given property, at random and then with the solver.

Input: the analysis of one instance, an expression and a property.
Output: a game, or the number of events up to which there is certainly none.
Guarantee: replay accepts every game that is returned.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from golpae.ir import expr as ir
from golpae.ir.dependencies import reads_unset, reads_unset_earlier
from golpae.ir.lifecycle import BEFORE
from golpae.ir.ruleset import PropertyDecl
from golpae.prove.answer import PROVED, REFUTED, Witness
from golpae.prove.bmc import BoundedModelChecker, Goal
from golpae.prove.encoding.step import Step
from golpae.prove.symbolic.parts import clause_of_faults
from golpae.prove.symbolic.terms import OF_PROPERTY
from golpae.prove.symbolic.values import Truth, all_of, conj, negate, same
from golpae.replay.legal_events import Event
from golpae.replay.machine import Machine, State
from golpae.search import random_play, witness
from golpae.verify.analysis import Analysis

UNEQUAL = 8  # games after deals in the order of the set
DEPTH = 12  # events of a game that the solver looks for


def find_game(analysis: Analysis, target: ir.Expr, prop: PropertyDecl) -> Witness | int:
    """Return a game to a state in which `target` holds, or how many events no such game has. Raises `Unsupported`."""
    analysis.search()
    settings, machine = analysis.settings, analysis.machine
    game = played_game(analysis, target, prop)
    if game is not None:
        return game
    searched = BoundedModelChecker(analysis.induction.system, analysis.solver).run(
        reaching(analysis, target, prop),
        prop.after,
        prop.within or DEPTH,
        lambda events: ends_in(machine, events, target, prop.after),
    )
    if searched.events is not None:
        return Witness((), tuple(map(dict, witness.completed(machine, searched.events))))
    unequal = random_play.find(
        machine, target, seed=settings.seed, games=UNEQUAL, after=prop.after, policies=random_play.SORTED
    )
    if unequal is not None:
        return Witness(witness.in_words(unequal.names), tuple(unequal.events))
    return searched.depth


def played_game(analysis: Analysis, target: ir.Expr, prop: PropertyDecl) -> Witness | None:
    """Return a game played at random to a state in which `target` holds, or None if none was found."""
    settings = analysis.settings
    game = random_play.find(
        analysis.machine,
        target,
        seed=settings.seed,
        games=settings.scaled(settings.games // 5),
        after=prop.after,
    )
    return None if game is None else Witness(witness.in_words(game.names), tuple(game.events))


def reaching(analysis: Analysis, target: ir.Expr, prop: PropertyDecl) -> Goal:
    """Return whether a step leads to a state in which `target` holds, which a property is about."""
    system, rules = analysis.induction.system, analysis.machine.rules
    unset, unset_earlier = (reads(target, rules) for reads in (reads_unset, reads_unset_earlier))

    def reached(step: Step) -> Truth:
        states = [s for s, read in ((step.after, unset), (step.before, unset_earlier)) if read]
        truth = all_of(negate(same(state.at, BEFORE)) for state in states)
        if truth is False:
            return False
        with clause_of_faults(OF_PROPERTY + prop.name):
            return conj(truth, system.after(target, step))

    return reached


def kept_game(analysis: Analysis, target: ir.Expr, prop: PropertyDecl) -> Witness | None:
    """Return the game that is kept about a property if replay accepts it, and `target` holds at its end.

    What holds before the first event is kept as a game without events.
    """
    stored = analysis.kept(prop)
    if stored is None or stored.verdict != (PROVED if prop.kind == "reachable" else REFUTED):
        return None
    machine, events = analysis.machine, stored.witness
    if prop.after is not None and (not events or events[-1].get("do") != prop.after):
        return None
    try:
        if not ends_in(machine, events, target, prop.after):
            return None
    except (TypeError, ValueError, KeyError, IndexError, AttributeError):  # lines that are no events
        return None
    written = witness.completed(machine, events)
    named = prop.after is not None and stored.named
    last = _last_event(machine, witness.as_trace(machine, written)) if named else None
    names = () if last is None else witness.named(machine, last[0])
    return Witness(witness.in_words(names), tuple(map(dict, written)))


def _last_event(machine: Machine, lines: Sequence[Mapping[str, Any]]) -> tuple[Event, State] | None:
    """Return the last event of a legal trace, with its lists in the order that decides, and the state before it."""
    before = witness.replays(machine, lines[0], lines[1:-1]).state
    event = None if before is None else witness.decided_event(machine, before, lines[-1])
    return None if event is None else (event, before)


def ends_in(
    machine: Machine, events: Sequence[Mapping[str, Any]], target: ir.Expr, after: str | None
) -> bool:
    """Return whether replay accepts a game and the target holds at its end."""
    lines = witness.as_trace(machine, witness.completed(machine, events))
    played = witness.replays(machine, lines[0], lines[1:])
    if not played.accepted or played.state is None:
        return False
    if machine.stage(played.state) == BEFORE and reads_unset(target, machine.rules):
        return False
    names: dict[str, Any] = {}
    before = None
    if after is not None:
        last = _last_event(machine, lines)
        if last is None or last[0].action != after:
            return False
        event, before = last
        if machine.stage(before) == BEFORE and reads_unset_earlier(target, machine.rules):
            return False
        action = machine.actions[after]
        names = dict(zip(witness.names_of(action), witness.bound(action, event.args), strict=True))
    return witness.holds(machine, target, played.state, names, before)
