"""Which switches matter to which part of an action."""

from __future__ import annotations

from pathlib import Path

import pytest

from golpae.elaborate.cache import elaborate_cached
from golpae.families.family import Family
from tests.attribute.guilds import GUILDS


@pytest.fixture
def family(tmp_path: Path) -> Family:
    (tmp_path / "guilds.golpae").write_text(GUILDS, encoding="utf-8")
    return Family("guilds", lambda rules: elaborate_cached(rules, (tmp_path,)))


def test_every_switch_matters_to_the_start_or_to_an_action(family: Family) -> None:
    footprint = family.footprint
    matters = footprint.start
    for action in footprint.actions.values():
        matters |= action.every | action.explaining
    faulty = family.bits(family.faulty)
    assert matters | faulty == family.every


def test_switches_without_reported_definitions_are_among_those_with_them(family: Family) -> None:
    for action in family.footprint.actions.values():
        assert action.checking | action.applying | action.decoding | action.every == action.every
        assert action.effects | action.every == action.every
        assert action.every | action.explaining == action.explaining
        for switches in action.checking_until.values():
            assert switches | action.checking == action.checking


def test_only_switches_of_reported_definitions_are_left_out(family: Family) -> None:
    footprint = family.footprint
    reported = 0
    for switches in footprint.reported.values():
        reported |= switches
    for action in footprint.actions.values():
        silent = action.checking | action.applying
        assert action.every & ~silent & ~reported == 0


PAYING = """\
game tolls "Tolls"

players 2 to 2

tiles
  coins: one of each "c{rank}" for rank in 1 to 4

zones
  pool: tiles seen by nobody, holds the set
  each player's hand: tiles seen by its owner

state of the hand
  mover: seat

deal from pool
  hands: 2 for everyone
  then mover := first

action give(tile) by p
  turn: p = mover
  held: tile in p's hand
  then move tile from p's hand to pool
  then toll: mover := p's right
  then when p's hand is empty: p wins

end
  due: over

payout
  points: for each q in players: q scores (if q's gains > 0 then 1 else 0)

variant paid "a toll is paid"
  replace give.toll: p pays p's right 1

variant plain "nothing is counted"
  replace payout.points: for each q in players: q scores 0
"""


def test_a_state_that_one_switch_removes_and_another_keeps_splits_the_start(tmp_path: Path) -> None:
    (tmp_path / "tolls.golpae").write_text(PAYING, encoding="utf-8")
    tolls = Family("tolls", lambda rules: elaborate_cached(rules, (tmp_path,)))
    names = {
        rules: [var.name for var in elaborate_cached(rules, (tmp_path,)).vars]
        for rules in ("tolls", "tolls+plain", "tolls+paid+plain")
    }
    assert [("gains" in own) for own in names.values()] == [True, False, True]
    assert tolls.footprint.start == tolls.bits(["paid", "plain"])
