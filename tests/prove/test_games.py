"""Whole games in the prover: legal ones are paths of its transition relation, spoilt ones end as in replay."""

from __future__ import annotations

import random

import pytest

from golpae.ir import expr as ir
from golpae.ir.dependencies import nodes_through
from golpae.prove.encoding.step import MOVES
from golpae.replay.legal_events import Event
from golpae.replay_bridge import symbolic_state
from tests.prove.encoding.steps import GAMES, rule_sets, seats
from tests.prove.game_path import Path
from tests.prove.play import any_event, spoilt, taken
from tests.prove.shared import (
    Both,
    both,
    differences,
    left_open,
    replayed,
    turned,
    turned_event,
)


def one_hand(both: Both, rng: random.Random, most: int) -> list[Event]:
    """Return the first hand of a match, with the table turned so that seat 0 is the first player."""
    events = [event for _, event in taken(both.machine, rng, 1, most)]
    kinds = [both.machine.actions[e.action].kind for e in events]
    first = events[kinds.index("deal")].args[0] if "deal" in kinds else 0
    return [turned_event(both.machine, e, -first) for e in events]


def assert_game_is_a_path(both: Both, events: list[Event]) -> None:
    state, path = both.machine.new_state(), Path(both)
    for event in events:
        after = replayed(both.machine, state, event)
        assert not isinstance(after, str)
        path.take(event, after)
        state = after
    assert path.agrees(state)


def assert_spoilt_game_ends_where_replay_says(both: Both, events: list[Event], rng: random.Random) -> bool:
    """Change an event, and return whether that makes the game illegal."""
    state, path = both.machine.new_state(), Path(both)
    at = rng.randrange(len(events))
    for number, event in enumerate(events):
        if number == at:
            other = any_event(both.machine, state, rng) if rng.random() < 0.3 else None
            event = other or spoilt(both.machine, state, event, rng)
        after = replayed(both.machine, state, event)
        if isinstance(after, str):
            if both.machine.actions[event.action].kind == "deal":
                return True
            step = path.step(event, None)
            if not forgotten(both, event, after) and not left_open(both, step, after, is_concrete=True):
                assert not path.possible([step.guard, *step.facts, *step.definitions]), (event, after)
            return True
        path.take(event, after)
        state = after
    return False


def forgotten(both: Both, event: Event, condition: str) -> bool:
    """Return whether a condition reads an end of a row; the prover does not know the tiles behind it."""
    action = both.machine.actions[event.action]
    if condition == MOVES:
        return True
    expr = next(c.expr for c in action.conditions if c.name == condition)
    return any(
        isinstance(n, ir.Fits | ir.ZoneEnd) for n in nodes_through(expr, both.system.evaluator.definitions)
    )


def assert_games_agree(rules: str, seed: int, most: int, often: int) -> None:
    for players in seats(rules):
        one, rng = both(rules, players), random.Random(seed)
        events = one_hand(one, rng, most)
        assert_game_is_a_path(one, events)
        for _ in range(often):
            assert_spoilt_game_ends_where_replay_says(one, events, rng)


@pytest.mark.parametrize("rules", GAMES)
def test_games_are_ways_through_the_transition_relation(rules: str) -> None:
    assert_games_agree(rules, 1, 30, 1)


@pytest.mark.fuzz
@pytest.mark.parametrize("rules", rule_sets(*GAMES))
@pytest.mark.parametrize("seed", range(3))
def test_many_games_are_ways_through_the_transition_relation(rules: str, seed: int) -> None:
    assert_games_agree(rules, seed, 150, 8)


def test_turning_the_table_back_restores_the_state() -> None:
    one = both("korean-mahjong", 4)
    for state, event in taken(one.machine, random.Random(3), 1, 40):
        again = turned(one.machine, turned(one.machine, state, 3), 1)
        real = symbolic_state(one.machine, state)
        assert all(t is True for _, t in differences(one, symbolic_state(one.machine, again), real))
        assert turned_event(one.machine, turned_event(one.machine, event, 3), 1) == event
