"""What a switch changes over all settings of the others is what all games of each pair of rule sets show."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as Tree

import pytest

from golpae.cli.main import main
from golpae.elaborate.instance import instantiate
from golpae.families.family import Family
from golpae.replay.machine import Machine
from golpae.report.ci.places import TextPlaces
from golpae.report.ci.switches import changed_by_switches
from golpae.verify.families.scheduler import FamilyName, groups
from golpae.verify.options import Settings
from golpae.verify.switches.changes import changes
from golpae.verify.switches.idle import where_same, where_unshown
from golpae.verify.switches.of_switch import Changes, SwitchGroup, having_both
from golpae.verify.switches.pairs import Pairs
from tests.families.loaded import load_from
from tests.families.takes import TAKES, parted, told
from tests.lint.piles import GAME as PILES
from tests.lint.piles import LONG, NEVER

pytestmark = pytest.mark.solver


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "takes.golpae").write_text(TAKES, encoding="utf-8")
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize("switch", ["small", "dear", "high", "slow", "strict", "quick"])
def test_all_games_of_all_settings_agree(switch: str, folder: Path) -> None:
    agree(TAKES, switch, folder)


def test_all_games_of_the_settings_of_two_switches_agree(tmp_path: Path) -> None:
    rules, *variants = TAKES.split("\nvariant ")
    agree(
        "\nvariant ".join([rules, *(v for v in variants if v.startswith(("high", "quick")))]),
        "high",
        tmp_path,
    )


@pytest.mark.slow
def test_settings_that_the_language_forbids_are_left_out(tmp_path: Path) -> None:
    clash = '\nvariant steep "the rate grows faster"\n  replace rate: 3 ^ taken\n'
    agree(TAKES + clash, "high", tmp_path)


def test_what_stays_unknown_is_asked_whether_anything_changes_there(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = FamilyName("takes", (), ("small", "strict", "dear", "high"), (folder,))
    both = having_both(groups(name)[0], "slow")
    monkeypatch.setattr(SwitchGroup, "parts", lambda *_: [("otherwise", both, "too many cases")])
    found = changes(name, "slow", 2, {}, Settings())
    assert both.size == 2
    assert (found.otherwise, found.unknown, found.why) == ((), (), None)


def test_what_an_earlier_effect_changes_is_read_after_the_event(tmp_path: Path) -> None:
    (tmp_path / "piles.golpae").write_text(PILES + NEVER + LONG, encoding="utf-8")
    name = FamilyName("piles", (), (), (tmp_path,))
    found = changes(name, "long", 2, {}, Settings())
    never, long = (groups(name)[0].bits([switch]) for switch in ("never", "long"))
    assert (found.less, found.more, found.unknown) == ((), (), ())
    assert found.otherwise == ((never | long, 0),)


def agree(text: str, switch: str, folder: Path) -> None:
    load = load_from(folder, "takes", text)
    family = Family("takes", load)
    name = FamilyName("takes", (), (), (folder,))
    found = changes(name, switch, 2, {}, Settings())
    [idle] = where_same(name, [(switch, having_both(family, switch).cubes)], 2, {}, Settings())
    [games] = where_unshown(name, [(switch, having_both(family, switch).cubes)], 2, {}, Settings())
    bit = family.bits([switch])
    assert not found.unknown
    unsure = family.space.region(idle.unknown)  # games come before these proofs
    assert idle.all == games.all == found.all
    for number in range(1 << len(family.names)):
        both = {number, number | bit}
        if not number & bit and all(one in family.universe for one in both):
            expected = parted(load, family.called(number), family.called(number | bit))
            assert told(found, family, number) == expected, family.called(number)
            is_changed = number in family.space.region(idle.otherwise)
            assert number in unsure or is_changed == bool(expected), family.called(number)
            assert expected or number in family.space.region(games.unknown), family.called(number)
        elif not number & bit:
            assert number not in family.space.region(found.all)


@pytest.mark.parametrize("compiled", [True, False])
def test_games_under_two_settings_leave_out_nothing_where_they_never_part(
    compiled: bool, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("golpae.verify.switches.pairs.available", lambda: compiled)
    load = load_from(folder, "takes", TAKES)
    family, [made] = groups(FamilyName("takes", (), (), (folder,)))
    lefts = []

    def alone(rules: str) -> Machine:
        return Machine(instantiate(load(rules), 2, {}))

    for switch in ("slow", "small", "high"):
        bit, both = family.bits([switch]), having_both(family, switch)
        left = Pairs(made, made.instance(2, {}), bit, 1, alone).left(both)
        lefts.append(left.size)
        for number in random.Random(2).sample(sorted(both.members()), 4):
            if number not in left:
                assert parted(load, family.called(number), family.called(number | bit)), number
    assert lefts[0] == 32
    assert lefts[2] == 0


def test_the_table_says_where_and_shows_a_game(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = ["compare", "takes+*", "--spec-path", str(folder), "--jobs", "1"]
    assert main([*call, "--switch", "dear"]) == 0
    out = capsys.readouterr().out
    assert out.splitlines() == [
        "takes+*, dear: 32 settings of the other switches",
        "  2 players  goes on or pays otherwise: always",
        "             4 events of takes, the shortest; takes+dear pays otherwise",
    ]
    assert main([*call, "--switch", "dear", "--format", "json"]) == 0
    (result,) = json.loads(capsys.readouterr().out)["results"]
    assert result["settings"] == 32
    assert main([*call, "--switch", "dear", "--except", "small", "--except", "slow"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("takes+* (without small and slow), dear: 8 settings of the other switches\n")
    assert main([*call, "--switch", "dear", "--except", "small", "--format", "json"]) == 0
    (result,) = json.loads(capsys.readouterr().out)["results"]
    assert (result["rules"], result["options"]) == ("takes+* (without small)", {})


def test_continuous_integration_has_a_suite_for_each_switch(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call = ["compare", "takes+*", "--spec-path", str(folder), "--jobs", "1", "--switch", "dear"]
    assert main([*call, "--except", "small", "--format", "junit"]) == 0
    (suite,) = Tree.fromstring(capsys.readouterr().out)
    (case,) = suite
    assert (suite.get("name"), case.get("name")) == ("takes+* (without small), dear", "2 players")
    assert case.findtext("system-out") == (
        "goes on or pays otherwise: always\n4 events of takes, the shortest; takes+dear pays otherwise"
    )
    assert main([*call, "--format", "sarif"]) == 0
    (result,) = json.loads(capsys.readouterr().out)["runs"][0]["results"]
    line = result["locations"][0]["physicalLocation"]["region"]["startLine"]
    assert TAKES.splitlines()[line - 1].startswith("variant dear")
    assert main([*call, "--players", "5", "--format", "junit"]) == 2
    assert Tree.fromstring(capsys.readouterr().out).get("failures") == "1"


def test_in_continuous_integration_only_what_is_unknown_fails(folder: Path) -> None:
    family = Family("takes", load_from(folder, "takes", TAKES))
    everywhere = having_both(family, "dear").cubes
    same = Changes("dear", 2, everywhere, (), (), (), (), ())
    found = [same, replace(same, more=everywhere), replace(same, unknown=everywhere, why="nobody asked")]
    run = changed_by_switches("takes+*", {"double": 6}, found, family, 3, TextPlaces([folder]))
    assert [case.fails for case in run.cases] == [False, False, True]
    assert [len(case.findings) for case in run.cases] == [0, 1, 1]
    assert run.words == "3 tables, 1 with something unknown"
    assert run.cases[2].name == "2 players, double 6"
    assert run.cases[2].told == "unknown: always\nunknown, because nobody asked"
    assert run.findings[1].message == "dear, 2 players, double 6: unknown: always"
    assert changed_by_switches("takes+*", {}, found[:1], family, 0, TextPlaces([folder])).words == (
        "1 table, all decided"
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["takes+*"], "is about a switch"),
        (["takes+*", "--switch", "smal"], "did you mean `small`?"),
        (["takes+*", "--switch", "small", "--time-limit", "nan"], "`--time-limit` must be more than 0"),
        (["takes", "--switch", "small"], "`--switch` needs a game with `+*`"),
        (["takes+*", "takes", "--switch", "small"], "`--switch` needs a game with `+*`"),
        (["takes+small+*", "--switch", "small"], "has no switch `small`"),
        (["takes+*", "--switch", "small", "--layer", "text"], "without `--layer`"),
        (["takes+*", "--switch", "small", "--players", "5"], "`takes` is for 2 players, not for 5"),
        (["takes+*", "--switch", "small", "--except", "daer"], "did you mean `dear`?"),
        (["takes+*", "--switch", "small", "--except", ""], "its variants and readings are `small`, `strict`"),
        (["takes+*", "--switch", "small", "--except", "small"], "`--except small` leaves out what"),
        (
            ["takes+dear+*", "--switch", "small", "--except", "dear"],
            "all rule sets of `takes+dear+*` have `dear`",
        ),
        (["takes", "takes+small", "--except", "dear"], "`--except` needs a game with `+*`, and `--switch`"),
        (["takes+*", "--except", "dear"], "is about a switch"),
    ],
)
def test_a_wrong_call_is_told(
    words: list[str], message: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", *words, "--spec-path", str(folder)]) == 2
    assert message in capsys.readouterr().err
