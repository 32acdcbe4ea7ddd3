"""One replay stands for all rule sets that agree on what it reads of the switches."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from golpae.families.choices import PREFIX, choices
from golpae.families.family import Family
from golpae.replay.state_layout import var_in
from golpae.verify.families.deciding_games import Games, levels
from golpae.verify.families.family_table import FamilyTable
from golpae.verify.families.searches import search
from golpae.verify.options import Settings
from golpae.verify.properties import properties_of
from tests.families.loaded import Load, load_from, members
from tests.families.shells import FAMILY

pytestmark = pytest.mark.solver


def table_of(folder: Path, text: str) -> FamilyTable:
    load: Load = load_from(folder, "shells", text)
    [made] = choices(Family("shells", load), [folder])
    return FamilyTable(made, load, 2, {}, Settings())


def test_a_game_shows_something_where_each_replay_by_itself_shows_it(tmp_path: Path) -> None:
    table = table_of(tmp_path, FAMILY)
    games, machine, rng = Games(table), table.machine, random.Random(5)
    every = members(table.family)
    asked = 0
    for prop in properties_of(table.choices.rule_set):
        for first in rng.sample(every, 4):
            with machine.at(table.choices.values(first)):
                events = search(machine, prop, 1, 4)
            if events is None:
                continue
            shown = games.replays.where_it_shows(prop, table.choices.region, first, events)
            alone = {on for on in every if games.replays.shows(prop, on, events)}
            assert set(shown.members()) == alone
            assert first in alone
            asked += 1
    assert asked > 4


def test_rule_sets_come_by_how_many_switches_are_on(tmp_path: Path) -> None:
    region = table_of(tmp_path, FAMILY).choices.region
    found = list(levels(region))
    assert sorted(on for some in found for on in some) == sorted(region.members())
    assert [{on.bit_count() for on in some} for some in found] == [{n} for n in range(len(found))]


def test_the_first_values_of_a_match_are_those_of_its_rule_set(tmp_path: Path) -> None:
    begins = FAMILY.replace(
        "state of the hand", "state of the match\n  begun: number = copies\n\nstate of the hand", 1
    )
    table = table_of(tmp_path, begins)
    for on in (False, True):
        with table.machine.at({PREFIX + "trio": on}):
            assert var_in(table.machine.new_state(), "begun") == (3 if on else 2)
