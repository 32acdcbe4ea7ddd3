"""One event in replay and in the prover's transition relation: at known tables, and at unknown ones."""

from __future__ import annotations

import random

import pytest

from golpae.elaborate.instance import bounds, options_of
from golpae.elaborate.load import load
from golpae.prove.evaluation.evaluator import Opaque
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.values import Unsupported
from golpae.replay.legal_events import Event
from golpae.replay.machine import State
from golpae.syntax import tree as t
from golpae.verify.replay_bridge import symbolic_state
from tests.prove.play import any_event, spoilt, taken
from tests.prove.shared import (
    Both,
    alike,
    assert_allowed,
    assert_refused,
    both,
    differences,
    names_of,
    possible,
    replayed,
    step_of,
    turned,
    turned_event,
)
from tests.replay.shared import rule_set

GAMES = ("jjak", "ho-hpai", "korean-mahjong", "three-dozen")
LONG = "korean-mahjong"  # a hand of which takes a while, and whose unknown table is large


def rule_sets(*games: str) -> list[str]:
    """Each game by itself, and with each of its switches."""
    out = []
    for game in games:
        switches = [d.name.text for d in load(game).decls if isinstance(d, t.Variant)]
        out += [game, *(f"{game}+{s}" for s in switches)]
    return out


def seats(rules: str) -> list[int]:
    found = rule_set(rules)
    low, high = bounds(found, options_of(found, {}))
    return [low, *([high] if high > low else [])]


# ------------------------------------------------------------------ one event


def assert_alike(both: Both, state: State, event: Event, unknown: bool = False) -> bool:
    """Replay and the prover say the same of an event; gives whether it is legal."""
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
    table: SymbolicState = before
    if unknown:
        table = both.unknown.table
        given = [*both.unknown.facts, *(truth for _, truth in differences(both, table, before))]
    if action.kind == "deal":
        assert not isinstance(after, str)
        (step,) = both.rules.steps(action, table)
        assert_allowed(both, step, after, given, about)
        return True
    try:
        step = step_of(both, event, table)
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
    """The event, others that are legal, spoilt ones and any at all."""
    machine = both.machine
    out = [event]
    if machine.actions[event.action].kind == "deal":
        return out
    legal = list(both.legal.events(state)) if often > 2 else []
    out += rng.sample(legal, min(often, len(legal)))
    for _ in range(often):
        found = any_event(machine, state, rng)
        out += [spoilt(machine, state, rng.choice(out), rng), *([found] if found is not None else [])]
    return out


def assert_alike_throughout(
    both: Both, rng: random.Random, moments: int, often: int, unknown: bool = False, hands: int = 1
) -> tuple[int, int]:
    """Compare at about so many moments of a random match; gives how many events were legal and not."""
    whole = list(taken(both.machine, rng, hands))
    kept = set(rng.sample(range(len(whole)), min(moments, len(whole))))
    kept |= {i for i, (_, e) in enumerate(whole) if both.machine.actions[e.action].kind != "play"}
    seen = [0, 0]
    for number in sorted(kept):
        state, event = whole[number]
        for one in some_events(both, state, event, rng, often):
            seen[assert_alike(both, state, one, unknown)] += 1
    return seen[1], seen[0]


# ------------------------------------------------------------------ at known tables


@pytest.mark.parametrize("rules", rule_sets("jjak", "ho-hpai", "three-dozen"))
def test_a_known_table_changes_as_in_replay(rules: str) -> None:
    for players in seats(rules):
        legal, illegal = assert_alike_throughout(both(rules, players), random.Random(players), 6, 3)
        assert legal > 5
        assert illegal > 5


def test_a_known_table_of_a_larger_set_changes_as_in_replay() -> None:
    assert_alike_throughout(both("three-dozen", 3, double=7), random.Random(3), 12, 3)


@pytest.mark.parametrize("rules", rule_sets(LONG))
def test_a_known_table_of_a_long_game_changes_as_in_replay(rules: str) -> None:
    legal, illegal = assert_alike_throughout(both(rules, 4), random.Random(4), 25, 1)
    assert legal > 10
    assert illegal > 5


@pytest.mark.fuzz
@pytest.mark.parametrize("rules", rule_sets(*GAMES))
@pytest.mark.parametrize("seed", range(5))
def test_known_tables_change_as_in_replay_for_long(rules: str, seed: int) -> None:
    for players in seats(rules):
        assert_alike_throughout(both(rules, players), random.Random(seed), 120, 6, hands=3)


# ------------------------------------------------------------------ at unknown tables


@pytest.mark.parametrize("rules", ["jjak", "ho-hpai", "three-dozen"])
def test_an_unknown_table_that_is_known_in_the_end_changes_as_in_replay(rules: str) -> None:
    players = seats(rules)[0]
    assert_alike_throughout(both(rules, players), random.Random(1), 4, 1, unknown=True)


@pytest.mark.fuzz
@pytest.mark.parametrize("rules", rule_sets(*GAMES))
def test_unknown_tables_change_as_in_replay_for_long(rules: str) -> None:
    for players in seats(rules):
        assert_alike_throughout(both(rules, players), random.Random(9), 12, 1, unknown=True)


# ------------------------------------------------------------------ the events that the prover thinks of


def assert_thought_of(both: Both, state: State, event: Event) -> None:
    """Some instance of its action is the event, and leads where replay says."""
    machine, action = both.machine, both.machine.actions[event.action]
    after = replayed(machine, state, event)
    assert not isinstance(after, str)
    names = names_of(action, event.args)
    seat = event.args[0] if action.by is not None else 0
    real = symbolic_state(machine, after)
    for step in both.rules.steps_by(seat, action, symbolic_state(machine, state)):
        named = [
            alike(value, names[name])
            for name, value in step.names.items()
            if name in names and not isinstance(value, Opaque) and not isinstance(names[name], Opaque)
        ]
        truths = [*named, step.guard, *step.facts, *step.definitions]
        if possible([*truths, *(t for _, t in differences(both, step.after, real))]):
            return
    raise AssertionError((machine.rules.rules, event))


@pytest.mark.parametrize("rules", GAMES)
def test_every_legal_event_is_an_instance_of_its_action(rules: str) -> None:
    one, rng = both(rules, seats(rules)[0]), random.Random(2)
    whole = list(taken(one.machine, rng, 1, 60))
    for state, event in rng.sample(whole, min(12, len(whole))):
        if one.machine.actions[event.action].kind != "deal":
            assert_thought_of(one, state, event)


@pytest.mark.fuzz
@pytest.mark.parametrize("rules", rule_sets(*GAMES))
def test_every_event_of_long_games_is_an_instance_of_its_action(rules: str) -> None:
    for players in seats(rules):
        one = both(rules, players)
        for state, event in taken(one.machine, random.Random(8), 2):
            if one.machine.actions[event.action].kind != "deal":
                assert_thought_of(one, state, event)


# ------------------------------------------------------------------ turning the table


def assert_turns(both: Both, state: State, event: Event, by: int) -> None:
    """Where everybody moves so many seats on, the event is as legal, and leads to the same table, turned."""
    machine = both.machine
    after = replayed(machine, state, event)
    elsewhere = replayed(machine, turned(machine, state, by), turned_event(machine, event, by))
    about = (machine.rules.rules, machine.instance.players, event, by)
    if isinstance(after, str) or isinstance(elsewhere, str):
        assert after == elsewhere, about
        return
    wanted = symbolic_state(machine, turned(machine, after, by))
    found = symbolic_state(machine, elsewhere)
    wrong = [name for name, truth in differences(both, found, wanted) if truth is not True]
    assert not wrong, (about, wrong)


@pytest.mark.parametrize("rules", rule_sets(*GAMES))
def test_nothing_changes_by_where_everybody_sits(rules: str) -> None:
    players = seats(rules)[-1]
    one, rng = both(rules, players), random.Random(11)
    for state, event in taken(one.machine, rng, 1 if rules.startswith(LONG) else 2):
        for other in some_events(one, state, event, rng, 1):
            assert_turns(one, state, other, rng.randrange(1, players) if players > 1 else 0)
