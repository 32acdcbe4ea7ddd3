"""Whole games in the prover: legal ones are ways through its transition relation, spoilt ones end where replay says."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
import z3

from golpae.ir import expr as ir
from golpae.prove.encoding.step import Step
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.values import Truth, same
from golpae.replay.legal_events import Event
from golpae.replay.machine import State
from golpae.verify.replay_bridge import symbolic_state
from tests.prove.encoding.test_steps import GAMES, rule_sets, seats
from tests.prove.play import any_event, spoilt, taken
from tests.prove.shared import (
    Both,
    both,
    culprits,
    differences,
    left_open,
    reached,
    replayed,
    step_of,
    turned,
    turned_event,
)


class Way:
    """A way through the transition relation from the first table on, as far as events tell of it."""

    def __init__(self, both: Both) -> None:
        self.both = both
        begin = len(both.rules.symbols.facts)
        self.table: SymbolicState = both.rules.initial_state()
        self.truths: list[Truth] = []
        self.solver = z3.Solver()
        self.add([*both.rules.symbols.facts[begin:], same(self.table.stake, 1)])

    def add(self, truths: Sequence[Truth]) -> None:
        self.truths += truths
        self.solver.add(*(t for t in truths if not isinstance(t, bool)))

    def possible(self, truths: Sequence[Truth] = ()) -> bool:
        """Whether there is a way on which these truths hold as well."""
        if any(t is False for t in (*self.truths, *truths)):
            return False
        self.solver.push()
        self.solver.add(*(t for t in truths if t is not True))
        said = self.solver.check()
        self.solver.pop()
        assert said != z3.unknown
        return bool(said == z3.sat)

    def step(self, event: Event, after: State | None) -> Step:
        """The step of an event; of a deal, the one to the state after it."""
        if self.both.machine.actions[event.action].kind != "deal":
            return step_of(self.both, event, self.table)
        (found,) = self.both.rules.steps(self.both.machine.actions[event.action], self.table)
        assert after is not None
        real = symbolic_state(self.both.machine, after)
        self.add([t for _, t in differences(self.both, found.after, real)])
        return found

    def take(self, event: Event, after: State) -> None:
        step = self.step(event, after)
        named = [*step.guards, *((f"fact {n}", t) for n, t in enumerate((*step.facts, *step.definitions)))]
        if not self.possible([t for _, t in named]):
            raise AssertionError((event, culprits(self.truths, named)))
        self.add([t for _, t in named])
        self.table = step.after

    def agrees(self, state: State) -> bool:
        real = symbolic_state(self.both.machine, state)
        return self.possible([t for _, t in differences(self.both, self.table, real)])


def one_hand(both: Both, rng: random.Random, most: int) -> list[Event]:
    """A hand from the beginning of a match, the table turned so that seat 0 is dealt the first player's hand."""
    events = [event for _, event in taken(both.machine, rng, 1, most)]
    kinds = [both.machine.actions[e.action].kind for e in events]
    first = events[kinds.index("deal")].args[0] if "deal" in kinds else 0
    return [turned_event(both.machine, e, -first) for e in events]


def assert_game_is_a_way(both: Both, events: list[Event]) -> None:
    state, way = both.machine.new_state(), Way(both)
    for event in events:
        after = replayed(both.machine, state, event)
        assert not isinstance(after, str)
        way.take(event, after)
        state = after
    assert way.agrees(state)


def assert_spoilt_game_ends_where_replay_says(both: Both, events: list[Event], rng: random.Random) -> bool:
    """Change an event; gives whether that makes the game illegal."""
    state, way = both.machine.new_state(), Way(both)
    at = rng.randrange(len(events))
    for number, event in enumerate(events):
        if number == at:
            other = any_event(both.machine, state, rng) if rng.random() < 0.3 else None
            event = other or spoilt(both.machine, state, event, rng)
        after = replayed(both.machine, state, event)
        if isinstance(after, str):
            if both.machine.actions[event.action].kind == "deal":
                return True
            step = way.step(event, None)
            if not forgotten(both, event, after) and not left_open(both, step, after, known=True):
                assert not way.possible([step.guard, *step.facts, *step.definitions]), (event, after)
            return True
        way.take(event, after)
        state = after
    return False


def forgotten(both: Both, event: Event, condition: str) -> bool:
    """Whether a condition asks what lies at an end of a row: the prover does not remember what lay behind it."""
    action = both.machine.actions[event.action]
    if condition == "moves":
        return True
    expr = next(c.expr for c in action.conditions if c.name == condition)
    return any(isinstance(n, ir.Fits | ir.ZoneEnd) for n in reached(both, expr))


def assert_games_agree(rules: str, seed: int, most: int, often: int) -> None:
    for players in seats(rules):
        one, rng = both(rules, players), random.Random(seed)
        events = one_hand(one, rng, most)
        assert_game_is_a_way(one, events)
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


def test_turning_there_and_back_changes_nothing() -> None:
    one = both("korean-mahjong", 4)
    for state, event in taken(one.machine, random.Random(3), 1, 40):
        again = turned(one.machine, turned(one.machine, state, 3), 1)
        real = symbolic_state(one.machine, state)
        assert all(t is True for _, t in differences(one, symbolic_state(one.machine, again), real))
        assert turned_event(one.machine, turned_event(one.machine, event, 3), 1) == event
