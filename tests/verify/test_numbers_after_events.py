"""What is said of an event holds for numbers of any size, also where golpae stops a game."""

from __future__ import annotations

from pathlib import Path

import pytest

from golpae.elaborate.check import elaborate
from golpae.verify.families.scheduler import FamilyName
from golpae.verify.options import Settings
from golpae.verify.switches.changes import changes
from golpae.verify.verifier import verify

pytestmark = pytest.mark.solver

TEXT = """\
game grows "Grows"

players 3 to 3

tiles
  coins: two of each "{size}c" for size in 1 to 12

zones
  box: tiles seen by nobody, holds the set
  heap: tiles seen by everyone
  each player's hand: tiles seen by its owner

state of the hand
  mover: seat
  taken: number = 0

deal from box
  hands: 4 for everyone
  then mover := first

action put(tile) by p
  turn: p = mover "no"
  held: tile in p's hand "no"
  then move tile from p's hand to heap
  then mover := p's right
  then grow: taken := taken + 1

end
  due: every p in players: p's hand is empty

payout
  then each: for each q in players: q scores taken

always counted: taken = size of heap
always small after put: earlier(0 * 10 ^ taken = 0)
always large after put: earlier(0 * 10 ^ (4000 * taken) = 0)
never beyond after put: earlier(0 * 10 ^ (4000 * taken) > 0)

variant fails "it grows too large"
  replace put.grow: taken := taken + 1 + 0 * 10 ^ (4000 * taken)

variant dear "more for everyone"
  replace payout.each: for each q in players: q scores taken + 1
"""


@pytest.mark.parametrize("name", ["small", "large", "beyond"])
def test_a_property_of_an_event_with_large_numbers_is_proved(name: str, tmp_path: Path) -> None:
    (tmp_path / "grows.golpae").write_text(TEXT, encoding="utf-8")
    [found] = verify(elaborate("grows", [tmp_path]), 3, {}, Settings(), name)
    assert found.verdict == "proved", found.story


def test_a_switch_with_large_numbers_that_add_nothing_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "grows.golpae").write_text(TEXT, encoding="utf-8")
    name = FamilyName("grows", (), ("dear",), (tmp_path,))
    found = changes(name, "fails", 3, {}, Settings())
    assert found.unknown == ()
