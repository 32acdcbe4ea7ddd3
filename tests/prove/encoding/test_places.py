"""Places in rows: the prover and replay agree on them, while tiles come and go at both ends."""

from __future__ import annotations

import random
from functools import cache

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from golpae import replay_bridge as adapt
from golpae.prove.evaluation import evaluator
from golpae.prove.symbolic import moved_rows, zones
from golpae.prove.symbolic.terms import Unsupported
from golpae.prove.symbolic.values import Bag, all_of, equal, negate, same
from golpae.replay.legal_events import Event
from golpae.replay.machine import State
from golpae.replay.random_deal import random_deal
from golpae.replay_bridge import symbolic_state
from tests.prove.encoding.collisions import COLLISIONS, quick, wander
from tests.prove.encoding.steps import assert_alike
from tests.prove.evaluation.definitions import assert_definitions_alike
from tests.prove.game_path import Path
from tests.prove.shared import Both, both_of, differences, possible, replayed, step_of

# The rules read some place of each row, so that the prover models all; and some actions move several tiles at once.
ASKED = """
define on-path(n: number): path at n
define in-well(n: number): well at n
define on-lane(q: seat, n: number): q's lane at (n - 1)
define last-of-path: path at (size of path)

action both_ends(tiles: {a, b}, back: tile) by p "to the front of the path and the back of the well, and back"
  held: {a, b} in p's hand "no"
  then move a from p's hand to front of path
  then move b from p's hand to back of well
  then move back from back of path to front of p's lane

action heap_up(tiles) by p "several at once"
  there: tiles in heap "no"
  then move tiles from heap to back of well

action heap_before(tiles) by p "several at once, at the front"
  there: tiles in heap "no"
  then move tiles from heap to front of path

action turn_over by p "a row on top of another one, turned over, and both at the back of a third"
  then move all from path to front of p's lane
  then move all from p's lane to well

action from_anywhere(tile) by p "the first of its kind"
  there: tile in path "no"
  then move tile from path to back of p's lane

action run_on "a whole row behind another"
  then move all from path to well

action run_before "a whole row before another, the last tile first"
  then move all from well to front of path

action reverse by p
  then move all from p's lane to front of p's lane

action hand_on(q: seat) by p "a lane to a player who may be the same"
  then move all from p's lane to q's lane

action mix by p "some of the well is hidden, and goes to the lane"
  then shuffle well
  then move all from p's lane to well
  then move all from well to front of p's lane

action rob(one, other: tile) by p "two from the front, whatever lies there"
  then move one from front of well to p's hand
  then move other from front of well to p's hand
  then move other from p's hand to front of well
"""
PLACES = COLLISIONS.replace(
    "\ndeal from heap\n", ASKED.split("\naction", maxsplit=1)[0] + "\ndeal from heap\n"
) + ("\naction" + ASKED.split("\naction", maxsplit=1)[1])
# After these no place is unknown that was concrete before.
EXACT = {
    "stay", "twice", "blind", "through", "hidden", "take_first", "to_front", "from_back", "lane", "when_not",
    "turn_round", "both_ends", "heap_up", "heap_before", "turn_over", "from_anywhere",
    "pour", "run_on", "run_before", "reverse", "hand_on", "mix",
}  # fmt: skip


@cache
def places(players: int) -> Both:
    return both_of(PLACES, players)


@cache
def few(players: int) -> Both:
    """Return a table whose prover models few places."""
    return both_of(PLACES, players)


def assert_consistent(both: Both, state: State, event: Event) -> None:
    """Check that the facts about new unknown values hold in every state, for legal and illegal events."""
    if both.machine.actions[event.action].kind == "deal":
        return
    unknown = both.unknown
    pinned = [t for _, t in differences(both, unknown.state, symbolic_state(both.machine, state))]
    try:
        step = step_of(both, event, unknown.state)
    except Unsupported:
        return
    assert possible([*unknown.facts, *pinned, *step.facts, *step.definitions]), event


def assert_exact(both: Both, state: State, event: Event) -> bool:
    """Check that all places are concrete after an event of EXACT in a concrete state. Return whether it is one."""
    after = replayed(both.machine, state, event)
    if event.action not in EXACT or isinstance(after, str):
        return False
    step = step_of(both, event, symbolic_state(both.machine, state))
    premises = [*step.facts, *step.definitions, step.guard]
    sure = [
        t for name, t in differences(both, step.after, symbolic_state(both.machine, after)) if " at " in name
    ]
    assert not possible([*premises, negate(all_of(sure))]), event
    return True


def assert_way(both: Both, rng: random.Random, length: int, unknown: bool) -> None:
    for state, events in wander(both, rng, length):
        assert_definitions_alike(both, state, rng)
        for event in events:
            assert_alike(both, state, event, unknown=unknown)
            if unknown:
                assert_consistent(both, state, event)


@quick
@given(st.integers(2, 3), st.integers(0, 2**32))
def test_a_concrete_state_with_places_changes_as_in_replay(players: int, seed: int) -> None:
    assert_way(places(players), random.Random(seed), 25, unknown=False)


@settings(quick, max_examples=2)
@given(st.integers(0, 2**32))
def test_an_unknown_state_with_places_changes_as_in_replay(seed: int) -> None:
    assert_way(places(2), random.Random(seed), 5, unknown=True)


@pytest.mark.fuzz
@settings(max_examples=200, deadline=None)
@given(st.integers(2, 3), st.integers(0, 2**32), st.booleans())
def test_many_states_with_places_change_as_in_replay(players: int, seed: int, unknown: bool) -> None:
    assert_way(places(players), random.Random(seed), 20, unknown)


def test_places_stay_concrete_if_tiles_move_in_any_order_but_that_of_a_row() -> None:
    exact = set()
    for seed in range(6):
        for state, events in wander(places(2), random.Random(seed), 40):
            exact |= {e.action for e in events if assert_exact(places(2), state, e)}
    assert exact == EXACT


def look_at(monkeypatch: pytest.MonkeyPatch, many: int) -> None:
    for module in (adapt, evaluator, moved_rows, zones):
        monkeypatch.setattr(module, "PLACES", many)


def test_an_unknown_place_in_a_row_is_each_of_its_tiles() -> None:
    number = z3.Int("number")
    places = tuple(zones.HIDDEN if i == 1 else i for i in range(zones.PLACES))
    zone = zones.Zone(Bag({7: 18}), zones.SymbolicRow(places=places))
    place = zones.place_of(zone, number, lambda: "behind")
    lying = {0: None, -3: None, 1: 0, 2: None, 3: 2, 16: 15, 17: "behind", 18: "behind", 19: None, 40: None}
    for at, expected in lying.items():
        assert zones.place_of(zone, at, lambda: "behind") == expected
        assert not possible([equal(number, at), negate(same(place, expected))]), at


@pytest.mark.parametrize("seed", range(2))
def test_tiles_beyond_the_modelled_places_may_be_any_tile(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    look_at(monkeypatch, 2)
    rng = random.Random(seed)
    for state, events in wander(few(2), rng, 12):
        for event in events:
            assert_alike(few(2), state, event)
    for state, events in wander(few(2), rng, 3):
        for event in events:
            assert_alike(few(2), state, event, unknown=True)
            assert_consistent(few(2), state, event)


@pytest.mark.parametrize("seed", range(3))
def test_facts_about_one_state_hold_along_a_game(seed: int) -> None:
    """The facts about one state hold of the next, and so on along the game."""
    both, rng = places(2), random.Random(seed)
    way, state = Path(both), both.machine.new_state()
    for _ in range(12):
        if both.machine.stage(state) in ("before", "ended"):
            event = random_deal(both.machine, state, 0, rng)
        else:
            event = rng.choice([e for e in both.legal.events(state) if e.action not in ("stop", "nobody")])
        after = replayed(both.machine, state, event)
        if isinstance(after, str):
            continue
        try:
            way.take(event, after)
        except Unsupported:
            continue
        state = after
        assert way.agrees(state), event
