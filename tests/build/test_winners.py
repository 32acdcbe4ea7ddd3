"""What is said if `winner` is wrong: also where several have won."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from golpae.build.module import build
from golpae.kernel.language.host import available
from golpae.replay.machine import Machine
from golpae.replay.machine_cache import Library
from golpae.replay.replay import replay
from golpae.simulate.compiled import compiled_table
from golpae.simulate.play import Ending, SimulatedTable
from golpae.simulate.policy import Random
from golpae.simulate.tally import Tally
from tests.build.hosts import NODE, Step, Task, in_javascript, in_python
from tests.differential.texts import RuleText
from tests.simulate.shared import table_of

TEXT = Path(__file__).with_name("texts") / "partners.golpae"
NAMES = ["An", "Bo", "Cho", "Da"]
DEAL = {"do": "deal", "first": 2, "hands": [["c3", "c3"], ["c4", "c4"], ["c1", "c2"], ["c1", "c2"]]}


def ended(winner: int | None, *pay: int) -> dict[str, Any]:
    return {"do": "end", "winner": winner, "pay": list(pay)}


GAMES = [
    ("c1", ended(3, 1, 0, 1, 0), "An and Cho have won this hand, so `winner` should be `null`, not Da"),
    ("c2", ended(0, 0, 0, 1, 0), "Cho has won this hand, not An"),
    ("c2", ended(None, 0, 0, 1, 0), "Cho has won this hand, not nobody"),
]


@pytest.fixture(scope="module")
def machine() -> Machine:
    rule_set = RuleText("partners", TEXT.read_text("utf-8")).rule_set()
    made = Library(lambda name: rule_set).machine("partners", 4, {})
    assert isinstance(made, Machine)
    return made


@pytest.mark.parametrize(("tile", "end", "said"), GAMES, ids=range(len(GAMES)))
def test_who_has_won_is_said(machine: Machine, tile: str, end: dict[str, Any], said: str) -> None:
    header = {"golpae": 1, "rules": "partners", "players": NAMES}
    lines = (header, DEAL, {"do": "show", "by": 2, "tile": tile}, end)
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (report,) = replay(io.BytesIO(text.encode()), "partners.jsonl", Library(lambda name: machine.rules))
    assert report.explanation is not None, report.outcome
    assert report.explanation.message == said


@pytest.mark.skipif(not available(), reason="modules do not run here")
def test_the_hosts_say_who_has_won(machine: Machine, tmp_path: Path) -> None:
    file = tmp_path / "partners.wasm"
    file.write_bytes(build(machine.instance).wasm)
    shows = [{"do": "show", "by": 2, "tile": tile} for tile, _, _ in GAMES]
    tasks = [
        Task(str(file), tuple(NAMES), 1, (Step(DEAL), Step(show), Step(end)))
        for show, (_, end, _) in zip(shows, GAMES, strict=True)
    ]
    found = in_python(tasks)
    assert [answers[-1]["message"] for answers in found] == [said for _, _, said in GAMES]
    if NODE is not None:
        assert in_javascript(tasks, tmp_path) == found


def test_hands_that_several_win_are_won(machine: Machine) -> None:
    table = SimulatedTable(machine, [Random()] * 4)
    tally, games = Tally(4), [table.play(1, number) for number in range(40)]
    for number, game in enumerate(games):
        tally.add([number], game)
    assert {len(hand.winners) for game in games for hand in game.hands} == {0, 1, 2}
    assert tally.endings[Ending.WON] + tally.endings[Ending.DRAWN] == 40
    assert sum(tally.wins.values()) > tally.endings[Ending.WON]
    compiled = compiled_table(table, traced=False)
    if available():
        assert compiled is not None
        assert [game.hands for _, game in compiled.games(1, 0, 40, 1)] == [game.hands for game in games]
        assert not compiled.differ


@pytest.mark.parametrize("policy", ["greedy", "towards"])
def test_policies_seek_to_win_together(machine: Machine, policy: str) -> None:
    table = table_of(machine, policy)
    games = [table.play(1, number) for number in range(12)]
    held = [game.events[0].args[1][game.events[1].args[0]] for game in games]
    for game, hand in zip(games, held, strict=True):
        assert bool(game.hands[0].winners) == bool({0, 1}.intersection(hand))
    if available():
        compiled = compiled_table(table, traced=False)
        assert compiled is not None
        assert [game.hands for _, game in compiled.games(1, 0, 12, 1)] == [game.hands for game in games]
