"""What a switch changes that is no choice is what all games of each pair of rule sets show, or unknown."""

from __future__ import annotations

from pathlib import Path

import pytest

from golpae.cli.main import main
from golpae.elaborate.instance import instantiate
from golpae.replay.machine import Machine
from golpae.search.witness import replays
from golpae.verify.families.apart import sides_of
from golpae.verify.families.at_table import CanDiffer, can_differ
from golpae.verify.families.idle import where_same, where_unshown
from golpae.verify.families.of_switch import having_both
from golpae.verify.families.run import FamilyName, groups
from golpae.verify.families.switches import changes
from golpae.verify.options import Settings
from tests.families.loaded import load_from
from tests.families.stalls import STALLS
from tests.families.takes import parted
from tests.families.test_switches import told

pytestmark = pytest.mark.solver


@pytest.fixture
def stalls(tmp_path: Path) -> FamilyName:
    (tmp_path / "stalls.golpae").write_text(STALLS, encoding="utf-8")
    return FamilyName("stalls", (), (), (tmp_path,))


@pytest.mark.parametrize(
    ("switch", "shown", "undecided"), [("heavy", 16, 16), ("worthy", 8, 8), ("idle", 0, 0), ("fewer", 16, 16)]
)
def test_all_games_of_all_settings_agree(
    switch: str, shown: int, undecided: int, stalls: FamilyName, tmp_path: Path
) -> None:
    load = load_from(tmp_path, "stalls", STALLS)
    family, _ = groups(stalls)
    bit, both = family.bits([switch]), having_both(family, switch)
    found = changes(stalls, switch, 2, {}, Settings())
    [games] = where_unshown(stalls, [(switch, both.cubes)], 2, {}, Settings())
    [proofs] = where_same(stalls, [(switch, both.cubes)], 2, {}, Settings())
    unknown, unsure, unshown = (
        family.space.region(cubes) for cubes in (found.unknown, proofs.unknown, games.unknown)
    )
    assert (both.size, unknown.size, both.size - unshown.size) == (16, undecided, shown)
    for number in sorted(both.members()):
        expected = parted(load, family.called(number), family.called(number | bit))
        if switch == "fewer":
            expected |= {"more"}  # of a deal that records what is left, which `parted` leaves out
        assert told(found, family, number) <= expected
        assert number in unknown or told(found, family, number) == expected
        assert number in unsure or not expected
        assert number in unshown or expected


def test_each_game_is_one_of_the_rule_set_that_it_names(stalls: FamilyName) -> None:
    for switch in ("heavy", "worthy", "fewer"):
        for game in changes(stalls, switch, 2, {}, Settings()).shown:
            for rules, accepted in ((game.rules, True), (game.other, False)):
                machine = Machine(instantiate(stalls.load(rules), 2, {}))
                header = {"golpae": 1, "rules": rules, "players": 2}
                assert replays(machine, header, game.events).accepted == accepted, (rules, game)


def test_two_groups_without_the_switch_and_with_it_make_all_settings(stalls: FamilyName) -> None:
    family, made = groups(stalls)
    for switch in family.names:
        sides = list(sides_of(family, made, switch))
        settings = [number for one in sides for number in one.settings.members()]
        assert sorted(settings) == sorted(having_both(family, switch).members())
        for one in sides:
            bit = family.bits([switch])
            assert all(n in one.off.region and n | bit in one.on.region for n in one.settings.members())
            assert one.is_choice(switch) == (switch == "quick")


def test_texts_that_say_the_same_cannot_differ(stalls: FamilyName) -> None:
    def can(one: str, other: str) -> CanDiffer:
        return can_differ(*(instantiate(stalls.load(rules), 2, {}) for rules in (one, other)))

    assert can("stalls", "stalls+idle") == CanDiffer(conditions=False, effects=False)
    assert can("stalls", "stalls+worthy") == CanDiffer(conditions=False, effects=True)
    assert can("stalls", "stalls+heavy") == CanDiffer(conditions=True, effects=True)
    assert can("stalls", "stalls+fewer") == CanDiffer(conditions=True, effects=True)
    assert can("stalls", "stalls+quick") == CanDiffer(conditions=True, effects=False)


def test_the_table_says_what_is_known_where_something_is_not(
    stalls: FamilyName, capsys: pytest.CaptureFixture[str]
) -> None:
    call = ["compare", "stalls+*", "--spec-path", str(stalls.places[0]), "--jobs", "1", "--switch"]
    assert main([*call, "idle"]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == ["  2 players  changes nothing: always"]
    assert main([*call, "heavy"]) == 3
    first, *_ = capsys.readouterr().out.splitlines()[1:]
    assert first == "  2 players  allows more and less, and may change more: always"
    assert main([*call, "worthy"]) == 3
    known, unknown, why, *games = capsys.readouterr().out.splitlines()[1:]
    assert known == "  2 players  goes on or pays otherwise: without heavy"
    assert unknown.strip() == "unknown: heavy"
    assert why.strip().startswith("unknown, because `worthy` changes a shape or a score")
    assert [game.strip() for game in games] == ["4 events of stalls+worthy; stalls pays otherwise"]
