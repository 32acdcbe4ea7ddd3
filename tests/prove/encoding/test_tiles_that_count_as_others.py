"""Faces of tiles: one event in replay and in the prover, from concrete states and from unknown ones."""

from __future__ import annotations

import random
from functools import cache

import pytest

from tests.prove.encoding.steps import assert_alike_throughout
from tests.prove.shared import Both, both_of

TEXT = """
game odd-ones "Tiles that count as others"

players 2 to 2

tiles
  coins: two of each "{size}c" for size in 1 to 3
  odd: one of each 2x like 2c 3x like 3c

zones
  bank: tiles seen by nobody, holds the set
  each player's hand: tiles seen by its owner
  each player's melds: melds seen by everyone

state of the hand
  mover: seat
  seen: tiles = {}
  last: tile or none = none

shape pair(a, b): a = b
arrangement pairs: 2 different pairs

deal from bank
  hands: 3 for everyone
  then mover := first

action lay(tiles: {a, b}) by p "lay a pair"
  turn: p = mover "no"
  held: tiles in p's hand "no"
  pair: {a, b} is pair "no"
  then move {a, b} from p's hand to p's melds as pair
  then seen := seen + faces of {a, b}
  then mover := p's right

action leave(one: tile) by p "put one back"
  turn: p = mover "no"
  held: one in p's hand "no"
  new: (one's face) not in seen or one in odd "no"
  few: size of kinds of faces of p's hand <= 2 or (no m in faces of p's melds: m = {2c, 2c}) "no"
  then last := one's face
  then move one from p's hand to bank
  then mover := p's right
  then when p's hand + one is pairs: the hand is over

end
  due: over or size of mover's hand < 2 "no"

payout
  none: mover scores size of faces of mover's hand
"""


@cache
def odd_ones() -> Both:
    return both_of(TEXT, 2)


@pytest.mark.parametrize("unknown", [False, True])
def test_events_about_faces_change_states_as_in_replay(unknown: bool) -> None:
    legal = illegal = 0
    for seed in range(6):
        found = assert_alike_throughout(odd_ones(), random.Random(seed), 4, 3, unknown)
        legal, illegal = legal + found[0], illegal + found[1]
    assert legal > 10
    assert illegal > 5
