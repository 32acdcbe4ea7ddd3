"""One event in replay and in the prover's transition relation: from concrete states, and from unknown ones."""

from __future__ import annotations

import random

import pytest

from golpae.prove.evaluation.evaluator import Opaque
from golpae.replay.legal_events import Event
from golpae.replay.machine import State
from golpae.replay_bridge import symbolic_state
from tests.prove.encoding.steps import (
    GAMES,
    LONG,
    assert_alike_throughout,
    assert_turns,
    rule_sets,
    seats,
    some_events,
)
from tests.prove.play import taken
from tests.prove.shared import (
    Both,
    alike,
    both,
    differences,
    names_of,
    possible,
    replayed,
)

# ------------------------------------------------------------------ from concrete states

# These change definitions, or drop a condition. Other tests of this folder look at them.
SLOW_OF_HO_HPAI = {f"ho-hpai+{switch}" for switch in ("no-sok", "counts-add", "a-ki-as-printed", "may-pass")}


@pytest.mark.parametrize(
    "rules",
    [
        pytest.param(r, marks=pytest.mark.slow) if r in SLOW_OF_HO_HPAI else r
        for r in rule_sets("jjak", "ho-hpai", "three-dozen")
    ],
)
def test_a_concrete_state_changes_as_in_replay(rules: str) -> None:
    """A game at two tables, each variant at one. A fuzz test goes to all of them, and plays longer."""
    for players in seats(rules)[("+" in rules) :]:
        legal, illegal = assert_alike_throughout(both(rules, players), random.Random(players), 6, 3)
        assert legal > 5
        assert illegal > 5


def test_a_concrete_state_of_a_larger_set_changes_as_in_replay() -> None:
    assert_alike_throughout(both("three-dozen", 3, double=7), random.Random(3), 12, 3)


@pytest.mark.parametrize("rules", rule_sets(LONG))
def test_a_concrete_state_of_a_long_game_changes_as_in_replay(rules: str) -> None:
    legal, illegal = assert_alike_throughout(both(rules, 4), random.Random(4), 25, 1)
    assert legal > 10
    assert illegal > 5


@pytest.mark.fuzz
@pytest.mark.parametrize("rules", rule_sets(*GAMES))
@pytest.mark.parametrize("seed", range(5))
def test_concrete_states_of_many_games_change_as_in_replay(rules: str, seed: int) -> None:
    for players in seats(rules):
        assert_alike_throughout(both(rules, players), random.Random(seed), 120, 6, hands=3)


# ------------------------------------------------------------------ from unknown states


@pytest.mark.parametrize("rules", ["jjak", "ho-hpai", "three-dozen"])
def test_an_unknown_state_that_is_fixed_later_changes_as_in_replay(rules: str) -> None:
    players = seats(rules)[0]
    assert_alike_throughout(both(rules, players), random.Random(1), 4, 1, unknown=True)


@pytest.mark.fuzz
@pytest.mark.parametrize("rules", rule_sets(*GAMES))
def test_unknown_states_of_many_games_change_as_in_replay(rules: str) -> None:
    for players in seats(rules):
        assert_alike_throughout(both(rules, players), random.Random(9), 12, 1, unknown=True)


# ------------------------------------------------------------------ the events that the prover thinks of


def assert_thought_of(both: Both, state: State, event: Event) -> None:
    """Check that some instance of the action is the event, with replay's next state."""
    machine, action = both.machine, both.machine.actions[event.action]
    after = replayed(machine, state, event)
    assert not isinstance(after, str)
    names = names_of(action, event.args)
    seat = event.args[0] if action.by is not None else 0
    real = symbolic_state(machine, after)
    for step in both.system.steps_by(seat, action, symbolic_state(machine, state)):
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


@pytest.mark.parametrize("rules", rule_sets(*GAMES))
def test_turning_the_table_turns_the_step(rules: str) -> None:
    players = seats(rules)[-1]
    one, rng = both(rules, players), random.Random(11)
    for state, event in taken(one.machine, rng, 1 if rules.startswith(LONG) else 2):
        for other in some_events(one, state, event, rng, 1):
            assert_turns(one, state, other, rng.randrange(1, players) if players > 1 else 0)
