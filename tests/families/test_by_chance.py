"""Games by chance under many rule sets are found on the compiled path, and replay has the last word on them."""

from __future__ import annotations

from pathlib import Path

import pytest

from golpae.elaborate.instance import instantiate
from golpae.families.choices import Choices, choices
from golpae.families.family import Family
from golpae.ir.ruleset import PropertyDecl
from golpae.prove.answer import REFUTED
from golpae.verify.families.by_chance import ChanceGames, chance_games
from golpae.verify.families.deciding_games import Games
from golpae.verify.families.family_table import FamilyTable
from golpae.verify.options import Settings
from golpae.verify.properties import properties_of
from tests.families.loaded import Load, load_from, members
from tests.families.shells import FAMILY

pytestmark = pytest.mark.solver


def made_in(folder: Path) -> tuple[Choices, Load]:
    load = load_from(folder, "shells", FAMILY)
    [made] = choices(Family("shells", load), [folder])
    return made, load


def asked_of(made: Choices, name: str) -> tuple[ChanceGames | None, PropertyDecl]:
    prop = next(p for p in properties_of(made.rule_set) if p.name == name)
    return chance_games(made, instantiate(made.rule_set, 2, {}), prop, 1, 1), prop


def test_chance_finds_games_where_the_property_fails_and_nowhere_else(tmp_path: Path) -> None:
    made, _ = made_in(tmp_path)
    chance, _ = asked_of(made, "few")
    assert chance is not None
    hit = chance.hit(made.region, made.region.sample)
    assert hit is not None
    double = made.family.bits(["double"])
    found = list(chance.found(hit, made.region.members()))
    assert found
    assert all(on & double for on, _ in found)
    assert [len(events) for _, events in found] == sorted(len(events) for _, events in found)
    assert chance.hit(made.region.restrict((double, 0)), 0) is None


def test_games_by_chance_are_the_same_each_time(tmp_path: Path) -> None:
    made, _ = made_in(tmp_path)
    one, other = (asked_of(made, "few")[0] for _ in range(2))
    assert one is not None
    assert other is not None
    hit = one.hit(made.region, 0)
    assert hit is not None
    assert hit == other.hit(made.region, 0)
    assert list(one.found(hit, [hit.number])) == list(other.found(hit, [hit.number]))


def test_a_game_by_chance_counts_where_replay_accepts_it(tmp_path: Path) -> None:
    made, load = made_in(tmp_path)
    _, prop = asked_of(made, "few")
    games = Games(FamilyTable(made, load, 2, {}, Settings()))
    parts = games.played(prop, made.region, (0, 0))
    double = made.family.bits(["double"])
    shown = {on for part in parts for on in members(made.family) if on in part.region}
    assert shown == {on for on in members(made.family) if on & double}
    assert all(part.verdict == REFUTED and part.witness is not None for part in parts)


def test_what_compares_with_the_position_before_is_for_the_reference(tmp_path: Path) -> None:
    made, _ = made_in(tmp_path)
    assert asked_of(made, "changes")[0] is None
    assert asked_of(made, "tiles-are-kept")[0] is None
    assert asked_of(made, "some-event-is-legal")[0] is None
