"""Where two settings of a switch part is told by what a game is for the rules: its order in memory is no difference,
and effects that cannot happen refuse an event.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from golpae.verify.families.scheduler import FamilyName, groups
from golpae.verify.options import Settings
from golpae.verify.switches.changes import changes
from golpae.verify.switches.idle import where_same, where_unshown
from golpae.verify.switches.of_switch import having_both

pytestmark = pytest.mark.solver

TEXT = """\
game pairs "Pairs"

players 2 to 2

tiles
  coins: two of each "{size}c" for size in 1 to 2

zones
  box: tiles seen by nobody, holds the set
  heap: tiles seen by everyone
  each player's hand: tiles seen by its owner

state of the hand
  mover: seat

deal from box
  hands: 2 for everyone
  then mover := first

action put(one: tile, two: tile) by p
  turn: p = mover "no"
  held: one in p's hand and two in p's hand - one "no"
  then laid: move one from p's hand to heap; move two from p's hand to heap
  then mover := p's right

end
  due: every p in players: p's hand is empty

payout
  then nothing: for each q in players: q scores 0

variant turned "the second one first"
  replace put.laid: move two from p's hand to heap; move one from p's hand to heap

variant large "a large one goes"
  replace put.laid: move 2c from p's hand to heap; move two from p's hand to heap
"""


@pytest.fixture
def name(tmp_path: Path) -> FamilyName:
    (tmp_path / "pairs.golpae").write_text(TEXT, encoding="utf-8")
    return FamilyName("pairs", (), ("large",), (tmp_path,))


def test_tiles_of_a_bag_in_another_order_in_memory_are_no_difference(name: FamilyName) -> None:
    found = changes(name, "turned", 2, {}, Settings())
    assert (found.less, found.more, found.otherwise, found.shown) == ((), (), (), ())


def test_effects_that_cannot_happen_show_a_difference(name: FamilyName, tmp_path: Path) -> None:
    name = FamilyName("pairs", (), ("turned",), (tmp_path,))
    both = having_both(groups(name)[0], "large").cubes
    found = changes(name, "large", 2, {}, Settings())
    assert found.otherwise == both
    assert not found.unknown
    for ask in (where_unshown, where_same):
        [of_switch] = ask(name, [("large", both)], 2, {}, Settings())
        assert of_switch.otherwise == both
        assert not of_switch.unknown
