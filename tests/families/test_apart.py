"""What a switch changes that is no choice is what all games of each pair of rule sets show, or unknown."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from golpae.cli.main import main
from golpae.elaborate.instance import instantiate
from golpae.families.at_table import CanDiffer, can_differ
from golpae.replay.machine import Machine
from golpae.search.witness import replays
from golpae.verify.families.scheduler import FamilyName, groups
from golpae.verify.options import Settings
from golpae.verify.switches.apart import sides_of
from golpae.verify.switches.changes import changes
from golpae.verify.switches.idle import where_same, where_unshown
from golpae.verify.switches.of_switch import WHATS, Changes, Hit, Machines, having_both
from golpae.verify.switches.pairs import Pairs
from golpae.verify.switches.refusals import event_of
from tests.families.loaded import load_from
from tests.families.scored import scored
from tests.families.stalls import STALLS
from tests.families.takes import parted, told

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
    if shown:
        replayed(stalls, found)
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


def replayed(name: FamilyName, found: Changes) -> None:
    """Replay each game by the rule set that plays it, and by the one with the other setting."""
    assert found.shown
    for game in found.shown:
        for rules, accepted in ((game.rules, True), (game.other, game.at == "otherwise")):
            machine = Machine(instantiate(name.load(rules), 2, {}))
            header = {"golpae": 1, "rules": rules, "players": 2}
            assert replays(machine, header, game.events).accepted == accepted, (rules, game)


WORTH = "(worth({1c}) otherwise 0)"
ODD: dict[
    str, tuple[dict[str, str], str, dict[str, str]]
] = {  # texts, a switch, and where it does what it does
    "the sign of what is paid more differs": (
        {"pay": f"(if {WORTH} = 2 then one else two)"},
        "rich",
        {"otherwise": "dear"},
    ),
    "a condition that never fails, and the payments": (
        {"lay": "(worth({tile}) otherwise 0) < 10", "pay": WORTH},
        "rich",
        {"otherwise": ""},
    ),
    "an event earlier with fewer switches": (
        {
            "lay": f"{WORTH} = 2 or picked /= 21",
            "pick": f"(not strict or n = 7) and (strict or taken < 2 or {WORTH} = 2 or picked + n /= 21)",
        },
        "rich",
        {"less": "tight+later"},
    ),
    "an order that conditions choose": (
        {"pair": "(worth({a}) otherwise 0) >= (worth({b}) otherwise 0)"},
        "turned",
        {"otherwise": ""},
    ),
    "an order that conditions choose by a definition": (
        {"lay": "rank(tile) = 2", "pair": "rank(a) >= rank(b)"},
        "falling",
        {"less": ""},
    ),
    "a condition that is called as the one of the payments": (
        {"due": f"{WORTH} < 3"},
        "rich",
        {"less": ""},
    ),
    "an effect that cannot happen": (
        {"late": f"when {WORTH} = 3: move {{1c, 1c, 1c}} from p's hand to heap"},
        "rich",
        {"otherwise": ""},
    ),
}


@pytest.mark.parametrize("case", ODD)
def test_a_switch_shows_what_it_does(case: str, tmp_path: Path) -> None:
    texts, switch, expected = ODD[case]
    (tmp_path / "scored.golpae").write_text(scored(**texts), encoding="utf-8")
    name = FamilyName(
        "scored", (), ("begun", "fewer", "no-large", "plain", "first-small", "more"), (tmp_path,)
    )
    found = changes(name, switch, 2, {}, Settings())
    replayed(name, found)
    family, _ = groups(name)
    for what in WHATS:
        region = family.space.region(getattr(found, what))
        if what in expected:
            assert family.bits(expected[what].split("+") if expected[what] else []) in region, what
        else:
            assert not region, what
    if "pair" in texts and "otherwise" not in expected:  # no game shows it, and it is so
        assert found.unknown
        assert "`falling` may change which order the tiles of `pair` have" in (found.why or "")


def test_one_game_shows_what_either_setting_allows_alone(tmp_path: Path) -> None:
    text = scored(
        lay=f"(worth({{tile}}) otherwise 0) = (if {WORTH} = 2 then 2 else 1)"
    )  # small coins; large ones if rich
    (tmp_path / "scored.golpae").write_text(text, encoding="utf-8")
    name = FamilyName("scored", (), (), (tmp_path,))
    family, (made, *_) = groups(name)
    bit = family.bits(["rich"])
    pairs = Pairs(made, made.instance(2, {}), bit, 1, Machines(name, 2, {}))
    machine = Machine(made.instance(2, {}))
    lines: list[dict[str, Any]] = [
        {"do": "deal", "first": 0, "hands": [["1c", "2c"], ["1c", "2c"]]},
        {"do": "lay", "by": 0, "tile": "1c"},
    ]
    deal, small, large = (event_of(machine, line) for line in (*lines, {**lines[1], "tile": "2c"}))
    assert deal
    assert small
    assert large
    assert pairs._mirrored(Hit("less", 0, (deal, small))) == Hit("more", bit, (deal, large))
    assert pairs._mirrored(Hit("more", bit, (deal, large))) == Hit("less", 0, (deal, small))


def test_what_no_replay_has_shown_is_unknown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = scored(lay=f"{WORTH} = 2 or strict and taken > 90")
    (tmp_path / "scored.golpae").write_text(text, encoding="utf-8")
    name = FamilyName("scored", (), ("begun", "fewer", "no-large", "first-small", "more"), (tmp_path,))
    family, _ = groups(name)
    expected = changes(name, "rich", 2, {}, Settings())
    for limit in ("MOST", "REPLAYS"):
        monkeypatch.setattr(f"golpae.verify.switches.pairs.{limit}", 1)
    found = changes(name, "rich", 2, {}, Settings())
    replayed(name, found)
    less, unknown, every = (
        family.space.region(cubes) for cubes in (found.less, found.unknown, expected.less)
    )
    assert 0 < less.size < every.size
    assert not less.difference(every)
    assert every.difference(less).difference(unknown).size == 0


NOTHING, CONDITIONS, EFFECTS, BOTH = (
    CanDiffer(conditions, effects)
    for conditions, effects in ((False, False), (True, False), (False, True), (True, True))
)


@pytest.mark.parametrize(
    ("texts", "switch", "expected"),
    [
        ({}, "rich", NOTHING),
        ({}, "plain", NOTHING),
        ({"lay": f"{WORTH} = 2"}, "rich", CONDITIONS),
        ({"lay": f"{WORTH} = 2"}, "plain", CONDITIONS),
        ({"lay": f"{WORTH} = 2"}, "no-large", CONDITIONS),
        ({"lay": "{tile} is light"}, "no-large", CONDITIONS),
        ({"lay": "{tile} is one-light"}, "no-large", CONDITIONS),
        ({"lay": "rank(tile) = 2"}, "falling", CONDITIONS),
        ({"late": f"picked := {WORTH}"}, "rich", EFFECTS),
        ({"pay": WORTH}, "rich", EFFECTS),
        ({"pay": WORTH, "lay": f"{WORTH} = 2"}, "rich", BOTH),
        ({"pair": "rank(a) >= rank(b)"}, "falling", BOTH),  # and other orders
        ({}, "begun", BOTH),
        ({}, "fewer", BOTH),
        ({}, "later", CONDITIONS),
        ({}, "first-small", BOTH),
        ({}, "more", BOTH),
    ],
)
def test_what_the_texts_say_can_differ(
    texts: dict[str, str], switch: str, expected: CanDiffer, tmp_path: Path
) -> None:
    (tmp_path / "scored.golpae").write_text(scored(**texts), encoding="utf-8")
    name = FamilyName("scored", (), (), (tmp_path,))
    plain, changed = (instantiate(name.load(rules), 2, {}) for rules in ("scored", f"scored+{switch}"))
    assert can_differ(plain, changed) == can_differ(changed, plain) == expected


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
    assert [line.strip() for line in capsys.readouterr().out.splitlines()[1:3]] == [
        "2 players  changes no game: always",
        "hands count differently by `unasked`: always",
    ]
    assert main([*call, "heavy"]) == 3
    first, *_ = capsys.readouterr().out.splitlines()[1:]
    assert first == "  2 players  allows more and less, and may change more: always"
    assert main([*call, "worthy"]) == 3
    known, unknown, why, *games = capsys.readouterr().out.splitlines()[1:]
    assert known == "  2 players  goes on or pays otherwise: without heavy"
    assert unknown.strip() == "unknown: heavy"
    assert why.strip().startswith("unknown, because `worthy` changes a shape or a score")
    assert [game.strip() for game in games] == ["4 events of stalls+worthy; stalls pays otherwise"]
