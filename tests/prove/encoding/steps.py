"""Shared by the tests of steps: one event in replay and in the prover, and many events of a game."""

from __future__ import annotations

import random

from golpae.elaborate.instance import bounds, options_of
from golpae.elaborate.load import load
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.terms import Unsupported
from golpae.replay.legal_events import Event
from golpae.replay.machine import State
from golpae.replay_bridge import symbolic_state
from golpae.syntax import tree as t
from tests.prove.play import any_event, spoilt, taken
from tests.prove.shared import (
    Both,
    assert_allowed,
    assert_refused,
    differences,
    replayed,
    step_of,
    turned,
    turned_event,
)
from tests.replay.shared import rule_set

GAMES = ("jjak", "ho-hpai", "korean-mahjong", "three-dozen")
LONG = "korean-mahjong"  # its hands are long, and its unknown state is large


def rule_sets(*games: str) -> list[str]:
    """Return each game alone, and with each of its switches."""
    out = []
    for game in games:
        switches = [d.name.text for d in load(game).decls if isinstance(d, t.Variant)]
        out += [game, *(f"{game}+{s}" for s in switches)]
    return out


def seats(rules: str) -> list[int]:
    elaborated = rule_set(rules)
    low, high = bounds(elaborated, options_of(elaborated, {}))
    return [low, *([high] if high > low else [])]


# ------------------------------------------------------------------ one event


def assert_alike(both: Both, state: State, event: Event, unknown: bool = False) -> bool:
    """Check that replay and the prover agree on an event. Return whether it is legal."""
    machine = both.machine
    action = machine.actions[event.action]
    after = replayed(machine, state, event)
    about = (machine.rules.rules, machine.instance.players, event)
    if action.kind == "deal":
        assert not isinstance(after, str)
        first = event.args[0]
        state, after = turned(machine, state, -first), turned(machine, after, -first)
    before = symbolic_state(machine, state)
    given = []
    start: SymbolicState = before
    if unknown:
        start = both.unknown.state
        given = [*both.unknown.facts, *(truth for _, truth in differences(both, start, before))]
    if action.kind == "deal":
        assert not isinstance(after, str)
        (step,) = both.system.steps(action, start)
        assert_allowed(both, step, after, given, about)
        return True
    try:
        step = step_of(both, event, start)
    except Unsupported:
        if not unknown:
            raise
        return not isinstance(after, str)
    if isinstance(after, str):
        assert_refused(both, step, after, given, about)
        return False
    assert_allowed(both, step, after, given, about)
    return True


def some_events(both: Both, state: State, event: Event, rng: random.Random, often: int) -> list[Event]:
    """Yield the event, other legal events, spoilt ones and random ones."""
    machine = both.machine
    out = [event]
    if machine.actions[event.action].kind == "deal":
        return out
    legal = list(both.legal.events(state)) if often > 2 else []
    out += rng.sample(legal, min(often, len(legal)))
    for _ in range(often):
        random_event = any_event(machine, state, rng)
        out += [
            spoilt(machine, state, rng.choice(out), rng),
            *([random_event] if random_event is not None else []),
        ]
    return out


def assert_alike_throughout(
    both: Both, rng: random.Random, moments: int, often: int, unknown: bool = False, hands: int = 1
) -> tuple[int, int]:
    """Compare at about so many moments of a random match; gives how many events were legal and not."""
    whole = list(taken(both.machine, rng, hands))
    chosen = set(rng.sample(range(len(whole)), min(moments, len(whole))))
    chosen |= {i for i, (_, e) in enumerate(whole) if both.machine.actions[e.action].kind != "play"}
    seen = [0, 0]
    for number in sorted(chosen):
        state, event = whole[number]
        for one in some_events(both, state, event, rng, often):
            seen[assert_alike(both, state, one, unknown)] += 1
    return seen[1], seen[0]


def assert_turns(both: Both, state: State, event: Event, by: int) -> None:
    """Check that an event at a turned table is as legal as before, and leads to the turned state."""
    machine = both.machine
    after = replayed(machine, state, event)
    elsewhere = replayed(machine, turned(machine, state, by), turned_event(machine, event, by))
    about = (machine.rules.rules, machine.instance.players, event, by)
    if isinstance(after, str) or isinstance(elsewhere, str):
        assert after == elsewhere, about
        return
    expected = symbolic_state(machine, turned(machine, after, by))
    actual = symbolic_state(machine, elsewhere)
    wrong = [name for name, truth in differences(both, actual, expected) if truth is not True]
    assert not wrong, (about, wrong)
