"""An action that puts and takes the same tile ends with the sum of its moves, whether the state is concrete or not."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from golpae.replay.legal_events import Event
from golpae.replay.random_deal import random_deal
from golpae.replay_bridge import symbolic_state
from tests.prove.encoding.collisions import COLLISIONS, collisions, long, quick, wander
from tests.prove.encoding.steps import assert_alike, assert_turns
from tests.prove.shared import both_of, replayed


def assert_way_is_alike(players: int, seed: int, length: int, unknown: bool) -> None:
    both, rng = collisions(players), random.Random(seed)
    for state, events in wander(both, rng, length):
        for event in events:
            assert_alike(both, state, event, unknown=unknown)


@quick
@given(st.integers(2, 3), st.integers(0, 2**32))
def test_a_concrete_state_with_collisions_changes_as_in_replay(players: int, seed: int) -> None:
    assert_way_is_alike(players, seed, 25, unknown=False)


@settings(quick, max_examples=3)
@given(st.integers(0, 2**32))
def test_an_unknown_state_with_collisions_changes_as_in_replay(seed: int) -> None:
    assert_way_is_alike(2, seed, 8, unknown=True)


@pytest.mark.fuzz
@long
@given(st.integers(2, 3), st.integers(0, 2**32))
def test_many_concrete_states_with_collisions_change_as_in_replay(players: int, seed: int) -> None:
    assert_way_is_alike(players, seed, 60, unknown=False)


@pytest.mark.fuzz
@long
@given(st.integers(2, 3), st.integers(0, 2**32))
def test_many_unknown_states_with_collisions_change_as_in_replay(players: int, seed: int) -> None:
    assert_way_is_alike(players, seed, 25, unknown=True)


@quick
@given(st.integers(2, 3), st.integers(0, 2**32))
def test_turning_the_table_turns_the_step(players: int, seed: int) -> None:
    both, rng = collisions(players), random.Random(seed)
    for state, events in wander(both, rng, 25):
        for event in events:
            assert_turns(both, state, event, rng.randrange(1, players))


def test_every_action_of_the_test_game_happens() -> None:
    both = collisions(3)
    done = set()
    for seed in range(20):
        for state, events in wander(both, random.Random(seed), 60):
            done |= {e.action for e in events if not isinstance(replayed(both.machine, state, e), str)}
    assert done >= {a.name for a in both.machine.rules.actions if a.kind == "play"}


def test_a_concrete_state_has_all_copies() -> None:
    both = collisions(2)
    for state, _ in wander(both, random.Random(2), 20):
        symbolic = symbolic_state(both.machine, state)
        assert both.system.states.count_copies(symbolic, 0) == 3


LOOPS = {  # effects whose outcome depends on the order of the rounds, and whether they go through players
    "for each q in players: mover := q": True,
    "for each q in players: when q's hand is empty: q wins": True,
    "for each t in p's hand: last := t": False,
    "for each t in p's hand: move t from p's hand to back of path": False,
}


@pytest.mark.parametrize("effect", LOOPS)
def test_the_rounds_of_a_loop_come_in_the_order_of_the_values(effect: str) -> None:
    both = both_of(COLLISIONS.replace("then count := count + 1", f"then {effect}", 1), 3)
    state = both.machine.new_state()
    deal = random_deal(both.machine, state, 0, random.Random(1))
    both.machine.apply(deal.action, state, deal.args)
    assert_alike(both, state, Event("stay", (0, state.z_hand[0][0])), unknown=False)


@pytest.mark.parametrize(("effect", "through_players"), LOOPS.items())
def test_every_seat_acts_if_a_loop_depends_on_the_order_of_seats(effect: str, through_players: bool) -> None:
    both = both_of(COLLISIONS.replace("then count := count + 1", f"then {effect}", 1), 3)
    actors = both.system.actors(both.machine.actions["stay"])
    assert actors == (range(3) if through_players else range(1))
