"""Which tiles complete a hand: the same as if each were tried by itself; and what is remembered of definitions."""

from __future__ import annotations

import random
from typing import Any

import pytest

from golpae.elaborate.instance import instantiate
from golpae.ir.limits import TooManySteps
from golpae.replay.machine import Machine
from golpae.replay.runtime import Meld
from golpae.replay.scoring.arrangements import Shapes
from tests.prove.meanings import game, rule_set_of

SHAPES = """
shape run(a, b, c): b's size = a's size + 1 and c's size = b's size + 1
shape trio(a, b, c): a = b and b = c
shape four(a, b, c, d): a = b and b = c and c = d
shape part: run or trio or four
shape twin(a, b): a = b
shape odd of 5: (every t in it: t's size mod 2 = 1) and size of kinds of it = 4
shape long(t, next) of 3 or more: next's size = t's size + 1
arrangement parts: 2 parts and 1 twin
arrangement twins: 3 different twins
arrangement odds: 1 odd
arrangement either: parts or twins or odds
arrangement grown: 1 long and 1 twin
define waits(p: seat): those t in kinds: p's hand + t is either
define waiting: those p in players: waits(p) is not empty
"""
NAMES = ("parts", "twins", "odds", "either", "grown")


@pytest.fixture(scope="module")
def machine() -> Machine:
    text = game(coins='four of each "{size}c" for size in 1 to 9', more=SHAPES)
    return Machine(instantiate(rule_set_of(text), 2, {}))


def _one_by_one(shapes: Shapes, hand: list[int], melds: list[Meld], name: str) -> list[int]:
    kinds = range(9)
    if not melds:
        return [tile for tile in kinds if shapes.holds([*hand, tile], name)]
    return [tile for tile in kinds if shapes.lies_beside([*hand, tile], melds, name)]


@pytest.mark.parametrize("name", NAMES)
def test_the_tiles_that_complete_a_hand_are_those_that_do_so_one_by_one(machine: Machine, name: str) -> None:
    rng = random.Random(3)
    melds = [[], [Meld([1, 2, 3], "run")], [Meld([4, 4, 4, 4], "four"), Meld([0, 0, 0], "trio")]]
    found = 0
    for _ in range(300):
        laid = rng.choice(melds)
        size = rng.choice((4, 5, 7, 8)) - 3 * len(laid)
        near = rng.randrange(4)
        hand = [rng.randrange(near, near + rng.choice((3, 6))) for _ in range(max(size, 1))]
        completing = machine.shapes.completing(range(9), hand, laid, name)
        assert completing == _one_by_one(machine.shapes, hand, laid, name), (hand, laid)
        found += bool(completing)
    assert found


def _dealt(machine: Machine, *hands: list[str]) -> Any:
    state = machine.new_state()
    deal = machine.read("deal", {"do": "deal", "first": 0, "hands": list(hands)})
    assert isinstance(deal, tuple)
    machine.apply("deal", state, deal)
    return state


def test_a_value_is_worked_out_again_when_a_hand_has_changed(machine: Machine) -> None:
    waiting = machine._space["d_waiting"]
    twins = ["1c", "1c", "3c", "3c", "5c"]
    state = _dealt(machine, twins, ["1c", "2c", "3c", "4c", "6c"])
    assert waiting(state) == [0]
    assert waiting(state) is waiting(state)  # remembered
    state.z_hand[0], state.z_hand[1] = state.z_hand[1], state.z_hand[0]
    assert waiting(state) == [1]
    state.z_hand[1].remove(4)
    assert waiting(state) == []


def test_a_remembered_value_takes_the_same_steps_again() -> None:
    more = """
define far(p: seat): some t in p's hand: every u, v, w in tiles: u's size + v's size + w's size > t's size
"""
    text = game(coins='three of each "{size}c" for size in 1 to 12', more=more)
    machine = Machine(instantiate(rule_set_of(text), 2, {}), counting=True)
    assert "remembering(w_far)" in _source(machine)
    state = _dealt(machine, ["1c"], ["2c"])
    costs = []
    for _ in range(3):
        machine.begin_count("far")
        assert machine._space["d_far"](state, 0)
        costs.append(machine._counter._left)
    assert len(set(costs)) == 1
    machine.limit_steps(10_000_000)
    before = machine.steps_taken
    assert machine._space["d_far"](state, 0)
    first = machine.steps_taken - before
    assert machine._space["d_far"](state, 0)
    assert machine.steps_taken - before == 2 * first
    assert first > 10_000
    machine.limit_steps(first + 5)
    assert machine._space["d_far"](state, 0)
    with pytest.raises(TooManySteps):
        machine._space["d_far"](state, 0)


def _source(machine: Machine) -> str:
    from golpae.replay.codegen.module import source_of

    return source_of(machine._emitter)
