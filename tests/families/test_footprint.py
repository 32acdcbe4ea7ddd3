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
