"""Keys whose values are groups of a shape, laid out and added to, and the only tile that a deal puts somewhere."""

from __future__ import annotations

import random

import pytest

from golpae.elaborate.instance import instantiate
from golpae.verify.options import Settings
from golpae.verify.properties import DEADLOCK_FREEDOM, properties_of
from golpae.verify.verifier import Verifier
from tests.prove.encoding.steps import assert_alike
from tests.prove.meanings import rule_set_of
from tests.prove.play import taken
from tests.prove.shared import both_of

BUTTONS = """
game buttons "Buttons"

players 2 to 2

tiles 12 of 12 kinds
  buttons: one of each "{colour}-{size}" for colour in 1 to 4, size in 1 to 3

zones
  box: tiles seen by nobody, holds the set
  shown: row seen by everyone
  each player's hand: tiles seen by its owner
  each player's cards: melds seen by everyone

state of the hand
  mover: seat
  stage: one of take, lay, add = take

shape alike of 2 to 4: every t, u in it: t's size = u's size

deal from box
  hands: 4 for everyone
  shown: 1
  then mover := first

action take(tile) by p "take"
  turn: stage = take and p = mover "no"
  top: tile = top of shown "no"
  then move tile from top of shown to p's hand
  then stage := lay

action lay(sets: list of tiles) by p "lay"
  turn: stage = lay and p = mover "no"
  alike: every m in sets: m is alike "no"
  held: (sum of m for m in sets) in p's hand "no"
  then for each m in sets: move m from p's hand to p's cards
  then mover := p's right
  then stage := add

action add(tile, onto: tile) by p "add"
  turn: stage = add and p = mover "no"
  held: tile in p's hand "no"
  fits: some m in p's right's cards: onto in m and m + tile is alike "no"
  then move tile from p's hand to (the m in p's right's cards: onto in m)

action rest by p "rest"
  turn: stage = add and p = mover "no"
  then the hand is over

end
  due: over
"""


@pytest.mark.parametrize(
    ("stated", "verdict"),
    [
        (
            "always alike: every p in players: every m in p's cards: every t, u in m: t's size = u's size",
            "proved",
        ),
        ("always none-before: stage = take implies every p in players: p's cards is empty", "proved"),
        ("always pairs: every p in players: every m in p's cards: size of m = 2", "refuted"),
        ("always shown: stage = take implies size of mover's hand = 4 and size of shown = 1", "proved"),
    ],
)
def test_groups_of_a_shape_become_melds(stated: str, verdict: str) -> None:
    verifier = Verifier(instantiate(rule_set_of(f"{BUTTONS}\n{stated}\n"), 2, {}), Settings(games=40))
    assert verifier.verify(verifier.instance.rule_set.properties[0]).verdict == verdict


def test_somebody_can_always_act() -> None:
    """No groups may be laid out, and the one tile that was dealt to the row is its top."""
    stated = "always shown: stage = take implies size of mover's hand = 4 and size of shown = 1"
    verifier = Verifier(instantiate(rule_set_of(f"{BUTTONS}\n{stated}\n"), 2, {}), Settings(games=40))
    [free] = [p for p in properties_of(verifier.instance.rule_set) if p.name == DEADLOCK_FREEDOM]
    assert verifier.verify(free).verdict == "proved"


def test_steps_are_those_of_replay() -> None:
    pair, rng = both_of(BUTTONS, 2), random.Random(4)
    tried = [assert_alike(pair, state, event) for state, event in taken(pair.machine, rng, hands=4, most=40)]
    assert any(tried)
