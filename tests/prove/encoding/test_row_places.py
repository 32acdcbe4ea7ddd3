"""Places of rows: one event in replay and in the prover."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.prove.encoding.steps import assert_alike_throughout
from tests.prove.meanings import expected, game, verdicts
from tests.prove.shared import both_of

TEXT = Path(__file__).parents[2] / "kernel" / "texts" / "row-places.golpae"


@pytest.mark.parametrize("unknown", [False, True])
def test_a_tile_leaves_a_place_as_in_replay(unknown: bool) -> None:
    both = both_of(TEXT.read_text(encoding="utf-8"), 2)
    legal, illegal = assert_alike_throughout(both, random.Random(3), 5, 3, unknown=unknown, hands=3)
    assert legal > 5
    assert illegal > 5


PLACES = game(
    hands=2,
    coins="one of each 1c 2c 3c 4c 5c 6c",
    zones="line: row seen by everyone",
    actions="""
action put(tile) by p "put"
  turn: p = mover "no"
  held: tile in p's hand "no"
  then move tile from p's hand to back of line
  then mover := p's right

action mid(tile) by p "take the second tile"
  there: tile fits line at 2 "no"
  then move tile from line at 2 to p's hand

action last(tile) by p "take the last tile"
  there: tile fits line at 1 from the back "no"
  then move tile from line at 1 from the back to p's hand
""",
    properties="""
always closed-up after mid: line at 2 = earlier(line at 3)
always front-stays after mid: front of line = earlier(front of line)
always was-there after mid: tile = earlier(line at 2)
always back-stays after mid: size of line > 1 implies back of line = earlier(back of line)
always was-last after last: tile = earlier(back of line)
always moved after mid expected refuted: size of line > 1 implies line at 2 = earlier(line at 2)
""",
)


CUTS = game(
    hands=2,
    coins="one of each 1c 2c 3c 4c 5c 6c",
    zones="line: row seen by everyone",
    actions="""
action put(tile) by p "put"
  turn: p = mover "no"
  held: tile in p's hand "no"
  then move tile from p's hand to back of line
  then mover := p's right

action cut-two by p "cut at two"
  then cut line at 2

action cut-some(n: number from 0 to 4) by p "cut anywhere"
  then cut line at n
""",
    properties="""
always front after cut-two: size of line > 2 implies front of line = earlier(line at 3)
always back after cut-two: back of line = earlier(line at 2)
always goes-on after cut-two: size of line = 3 implies line at 2 = earlier(front of line)
always so-many after cut-two: size of line >= 2
always holds after cut-some: size of line = earlier(size of line) and size of line >= n
always turns after cut-two expected refuted: front of line = earlier(front of line)
""",
)


def test_the_prover_decides_what_a_cut_leaves() -> None:
    seen = verdicts(CUTS)
    for prop, verdict in expected(CUTS).items():
        assert seen[prop] == verdict, prop


def test_the_prover_decides_what_a_move_from_a_place_leaves() -> None:
    seen = verdicts(PLACES)
    for prop, verdict in expected(PLACES).items():
        assert seen[prop] == verdict, prop
