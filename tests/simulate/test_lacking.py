"""How many tiles a hand lacks for an arrangement: the same as by trying all choices of groups."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement, product

import pytest

from golpae.kernel.language.host import available
from golpae.pieces import MOST_KINDS, MOST_PIECES, MOST_SIZE, MOST_TILES, Needed, composition
from golpae.simulate.compiled import compiled_table
from golpae.simulate.lacking import Lacking
from tests.simulate.shared import machine_of, table_of

RUNS = [(k, k + 1, k + 2) for k in range(4)]
ALIKE = [(k, k, k) for k in range(8)]
PAIRS = [(k, k) for k in range(8)]
FOURS = [(k, k, k, k) for k in range(8)]
WHOLE = [(0, 2, 4, 6), (1, 5), (6, 7, 7)]


def by_trying(needed: Sequence[Needed], tiles: Sequence[int]) -> int:
    """Return how many tiles lack for the best choice of groups."""
    ways = [
        combinations(part.groups, part.count)
        if part.different
        else combinations_with_replacement(part.groups, part.count)
        for part in needed
    ]
    wanted = (Counter(tile for part in way for group in part for tile in group) for way in product(*ways))
    return min((want - Counter(tiles)).total() for want in wanted)


@pytest.mark.parametrize(
    "needed",
    [
        [Needed(2, False, [*RUNS, *ALIKE, *FOURS]), Needed(1, False, PAIRS)],
        [Needed(4, True, PAIRS)],
        [Needed(4, False, PAIRS)],
        [Needed(2, False, WHOLE)],
        [Needed(1, False, RUNS), Needed(1, False, FOURS), Needed(1, False, PAIRS)],
    ],
)
def test_no_choice_of_groups_lacks_fewer(needed: list[Needed]) -> None:
    made = composition(needed)
    assert made is not None
    lacking, rng = Lacking([made]), random.Random(1)
    found = Counter[int]()
    for _ in range(150):
        tiles = sorted(rng.choices(range(8), k=rng.randint(0, 9)))
        found[lacking.count(tuple(tiles))] += 1
        assert lacking.count(tuple(tiles)) == by_trying(needed, tiles), tiles
    assert len(found) > 3


def test_the_best_of_several_arrangements_counts() -> None:
    pairs, runs = composition([Needed(3, True, PAIRS)]), composition([Needed(2, False, RUNS)])
    assert pairs is not None
    assert runs is not None
    assert Lacking([pairs, runs]).count((0, 0, 0, 0, 2, 2)) == 2
    assert Lacking([pairs, runs]).count((0, 1, 2, 3, 4)) == 1


def test_no_more_tiles_are_looked_at_than_can_be_counted() -> None:
    kinds = range(30)
    made = composition([Needed(6, False, [*combinations(kinds, 2)])])
    assert made is not None
    lacking = Lacking([made])
    assert lacking.count(tuple(kinds)) == 12 - MOST_KINDS
    assert lacking.count((0,) * 20 + (1,) * MOST_TILES) == 6


def test_groups_with_too_many_pieces_are_not_listed() -> None:
    assert composition([Needed(1, False, [*combinations(range(30), 4)])]) is None
    assert len([*combinations(range(30), 4)]) > MOST_PIECES
    assert composition([Needed(1, False, [])]) is None


def test_so_many_groups_of_each_part_that_counting_would_not_end_are_not_counted() -> None:
    kinds = [Needed(1, False, [(kind,)]) for kind in range(8)]
    largest = composition(kinds)
    assert largest is not None
    assert largest.size == MOST_SIZE
    assert composition([*kinds, Needed(1, False, [(8,)])]) is None


LARGE = """\
game large "Large hands"

players 2 to 2

tiles
  coins: 2 of each a b c d e f g h i j k l m n o q r s t u v

zones
  purse: row seen by nobody, holds the set
  shown: tiles seen by everyone
  each player's hand: tiles seen by its owner

shape two(x, y): x /= y
shape same(x, y): x = y

arrangement many: 2 twos and 3 sames

state of the hand
  mover: seat

deal from purse
  hands: 15 for everyone
  then mover := first

action put(tile) by p "put"
  turn: p = mover "no"
  full: size of p's hand > 14 "no"
  held: tile in p's hand "no"
  then move tile from p's hand to shown
  then mover := p's right

action take(tile) by p "take"
  turn: p = mover "no"
  few: size of p's hand < 15 "no"
  there: tile in shown "no"
  then move tile from shown to p's hand

action win by p "win"
  turn: p = mover "no"
  all: size of p's hand = 10 and p's hand is many "no"
  then p wins

end
  due: over "no"

payout
  won: when winner is not none: for each q in players - winner: q pays winner stake
"""


@pytest.mark.skipif(not available(), reason="modules do not run here")
def test_both_paths_look_at_the_same_tiles() -> None:
    table = table_of(machine_of(LARGE), "towards")
    table.longest = 60
    fast = compiled_table(table, traced=True)
    assert fast is not None
    for number in range(4):
        played = [(event.action, event.args) for event in table.play(1, number).events]
        assert [*fast.player.events(1, number, 1)] == played
