"""What a switch changes over all settings of the others is what all games of each pair of rule sets show."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from golpae.cli.main import main
from golpae.elaborate.instance import instantiate
from golpae.families.family import Family
from golpae.replay.legal_events import Event, Legal
from golpae.replay.machine import Machine, State
from golpae.replay.state_layout import same_state
from golpae.verify.families.pairs import Pairs
from golpae.verify.families.run import FamilyName, groups
from golpae.verify.families.switches import Changes, changes, having_both, where_idle
from golpae.verify.options import Settings
from tests.families.loaded import load_from
from tests.lint.piles import GAME as PILES
from tests.lint.piles import LONG, NEVER

pytestmark = pytest.mark.solver

TAKES = """\
game takes "Takes"

players 2 to 2

tiles
  coins: two of each "{size}c" for size in 1 to 2

zones
  box: tiles seen by nobody, holds the set
  heap: tiles seen by everyone
  each player's hand: tiles seen by its owner

state of the hand
  mover: seat
  taken: number = 0

define large(t: tile): t = 2c
define late(t: tile): t = 2c
define most: 3
define rate: 1

deal from box
  hands: 1 for everyone
  then mover := first

action put(tile) by p
  turn: p = mover "no"
  held: tile in p's hand "no"
  fits: late(tile) or taken < 1 "no"
  then move tile from p's hand to heap
  then turn-passes: mover := p's right
  then taken := taken + 1
  then when size of heap = 2: p wins

end
  due: over or (every p in players: p's hand is empty) or taken >= most

payout
  then won: when winner is not none: for each q in players - winner: q pays winner rate * stake

variant small "small coins fit too"
  replace late: yes

variant strict "nobody begins with a large coin"
  replace put.held: tile in p's hand and (not large(tile) or taken > 0) "no"

variant dear "who wins gets more"
  replace payout.won: when winner is not none: for each q in players - winner: q pays winner rate * stake + 1

variant high "the rate grows"
  replace rate: 2 ^ taken

variant quick "a hand may end earlier"
  replace most: 1

variant slow "the turn stays"
  replace put.turn-passes: mover := if taken > most then p else p's right
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "takes.golpae").write_text(TAKES, encoding="utf-8")
    return tmp_path


def parted(load: Any, one: str, other: str) -> set[str]:
    """Return how two rule sets part, by going through all games that both allow."""
    machines = [Machine(instantiate(load(rules), 2, {})) for rules in (one, other)]
    found: set[str] = set()
    waiting = [tuple(machine.new_state() for machine in machines)]
    seen = 0
    while waiting:
        states = waiting.pop()
        seen += 1
        assert seen < 2_000
        for event, wanted in _events(machines, states):
            after = [_after(machine, state, event) for machine, state in zip(machines, states, strict=True)]
            if after[0] is None or after[1] is None:
                paid = event.action == "end" and wanted
                found.add("otherwise" if paid else "less" if after[1] is None else "more")
            elif not same_state(after[0], after[1]):
                found.add("otherwise")
            elif machines[0].stage(after[0]) != "ended":
                waiting.append((after[0], after[1]))
    return found


def _events(machines: list[Machine], states: tuple[State, ...]) -> Iterator[tuple[Event, bool]]:
    """Yield the events that either side allows, and whether both allow one of that action."""
    legal = [list(Legal(machine).events(state)) for machine, state in zip(machines, states, strict=True)]
    for machine, state in zip(machines, states, strict=True):
        for first in Legal(machine).can_deal(state):
            hands = [[["1c"], ["1c"]], [["1c"], ["2c"]], [["2c"], ["1c"]], [["2c"], ["2c"]]]
            for dealt in hands:
                args = machine.read("deal", {"do": "deal", "first": first, "hands": dealt})
                yield Event("deal", args), False  # type: ignore[arg-type]
        break
    both = {event.action for event in legal[0]} & {event.action for event in legal[1]}
    for event in (*legal[0], *legal[1]):
        yield event, event.action in both


def _after(machine: Machine, state: State, event: Event) -> State | None:
    if machine.check(event.action, state, event.args) >= 0:
        return None
    new = machine.copy(state)
    machine.apply(event.action, new, event.args)
    return new


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
    [idle] = where_idle(name, [(switch, having_both(family, switch).cubes)], 2, {}, Settings())
    bit = family.bits([switch])
    assert not found.unknown
    assert not idle.unknown
    assert idle.all == found.all
    for number in range(1 << len(family.names)):
        both = {number, number | bit}
        if not number & bit and all(one in family.universe for one in both):
            expected = parted(load, family.called(number), family.called(number | bit))
            assert told(found, family, number) == expected, family.called(number)
            assert (number in family.space.region(idle.otherwise)) == bool(expected), family.called(number)
        elif not number & bit:
            assert number not in family.space.region(found.all)


@pytest.mark.parametrize("compiled", [True, False])
def test_games_under_two_settings_leave_out_nothing_where_they_never_part(
    compiled: bool, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("golpae.verify.families.pairs.available", lambda: compiled)
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


def told(found: Changes, family: Family, number: int) -> set[str]:
    regions = {"less": found.less, "more": found.more, "otherwise": found.otherwise}
    return {what for what, cubes in regions.items() if number in family.space.region(cubes)}


def test_the_table_says_where_and_shows_a_game(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = ["compare", "takes+*", "--spec-path", str(folder), "--jobs", "1"]
    assert main([*call, "--switch", "dear"]) == 0
    out = capsys.readouterr().out
    assert out.splitlines() == [
        "takes+*, dear: 32 settings of the other switches",
        "  2 players  goes on or pays otherwise: always",
        "             4 events of takes; takes+dear pays otherwise",
    ]
    assert main([*call, "--switch", "dear", "--format", "json"]) == 0
    (result,) = json.loads(capsys.readouterr().out)["results"]
    assert result["settings"] == 32


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["takes+*"], "is about a switch"),
        (["takes+*", "--switch", "smal"], "did you mean `small`?"),
        (["takes", "--switch", "small"], "`--switch` needs a game with `+*`"),
        (["takes+*", "takes", "--switch", "small"], "`--switch` needs a game with `+*`"),
        (["takes+small+*", "--switch", "small"], "has no switch `small`"),
        (["takes+*", "--switch", "small", "--layer", "text"], "without `--layer`"),
        (["takes+*", "--switch", "small", "--players", "5"], "is not for 5 players"),
    ],
)
def test_a_wrong_call_is_told(
    words: list[str], message: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", *words, "--spec-path", str(folder)]) == 2
    assert message in capsys.readouterr().err
