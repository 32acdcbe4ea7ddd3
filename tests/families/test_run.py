"""A family is decided in groups of rule sets: each by itself, and so many of them in one call."""

from __future__ import annotations

from pathlib import Path

import pytest

from golpae.progress import Progress
from golpae.prove.answer import PROVED, UNKNOWN, Witness
from golpae.report.families.proofs import more, table
from golpae.verify.families import run
from golpae.verify.families.run import (
    FamilyCall,
    FamilyName,
    FamilyPart,
    FamilyResult,
    decide_family,
    group_names,
    groups,
)
from golpae.verify.options import Settings
from golpae.verify.properties import CONSERVATION
from golpae.verify.switches.idle import where_unshown
from golpae.verify.switches.of_switch import SwitchGroup, having_both
from golpae.verify.switches.pairs import Pairs
from golpae.verify.switches.run import changes
from tests.attribute.guilds import GUILDS

pytestmark = pytest.mark.solver


@pytest.fixture
def name(tmp_path: Path) -> FamilyName:
    (tmp_path / "guilds.golpae").write_text(GUILDS, encoding="utf-8")
    return FamilyName("guilds", (), (), (tmp_path,))


def test_a_group_is_the_same_without_the_others(name: FamilyName) -> None:
    _, made = groups(name)
    assert len(made) == 2  # with and without `short`, which changes the set
    for one, group in zip(made, group_names(name), strict=True):
        alone = group.choices()
        assert alone is not one
        assert (alone.region.cubes, alone.free, alone.rule_set) == (one.region.cubes, one.free, one.rule_set)


def test_groups_beyond_the_limit_are_unknown_with_a_short_condition(
    name: FamilyName, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "MOST_GROUPS", 1)
    call = FamilyCall(name, (2,), {}, Settings(), CONSERVATION)
    (found,) = decide_family(call, 1, False, Progress())
    assert found.conditions == {PROVED: "without short", UNKNOWN: "short"}
    assert [line.split("  ")[-1].strip() for line in table([found])][1:] == [
        "holds without short; unknown with short",
        "unknown: 1 of 2 groups of rule sets are decided in one call",
    ]


def test_of_groups_beyond_the_limit_nobody_knows_what_a_switch_changes(
    name: FamilyName, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "MOST_GROUPS", 1)
    monkeypatch.setattr(SwitchGroup, "parts", lambda *_: iter(()))
    monkeypatch.setattr(Pairs, "left", lambda self, region: region.space.nothing)
    family, _ = groups(name)
    both, short = having_both(family, "free"), family.bits(["short"])
    [by_games] = where_unshown(name, [("free", both.cubes)], 2, {}, Settings())
    for found in (changes(name, "free", 2, {}, Settings()), by_games):
        assert family.space.region(found.unknown) == both.restrict((short, short))
        assert found.why == "1 of 2 groups of rule sets are decided in one call"


def test_what_is_reached_before_the_first_event_is_told_as_a_game() -> None:
    part = FamilyPart(((0, 0),), PROVED, "a game of 0 events", "guilds", Witness((), ()))
    reached = FamilyResult(
        "guilds+*", 2, {}, "reachable", "few", (), 4, 4, (part,), {PROVED: 4}, {PROVED: "always"}, None
    )
    assert [*more(reached)] == ["a game of 0 events: guilds"]
