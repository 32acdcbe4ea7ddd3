"""A verdict shows the tiles of the player whom an event is about, who need not be the one who acts."""

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
from tests.build.hosts import NODE, Step, Task, in_javascript, in_python
from tests.committed import TOP
from tests.differential.texts import RuleText

TEXT = TOP / "docs" / "examples" / "fair-open.golpae"
NAMES = ["An", "Bo", "Cho"]
DEAL = {"do": "deal", "first": 0, "hands": [["c1", "c1", "c2"], ["c2", "c3", "c3"], ["c4", "c4", "c5"]]}
Event = dict[str, Any]


def put(by: int, tile: str) -> Event:
    return {"do": "put", "by": by, "tile": tile}


BOTH = [("Bo's hand", "c2 c3 c3"), ("An's hand", "c1 c1 c2")]
GAMES: list[tuple[list[Event], str, list[tuple[str, str]]]] = [
    ([put(1, "c6")], "An does not hold c6", BOTH),
    ([put(1, "c2"), put(1, "c6")], "Bo does not hold c6", BOTH[:1]),
    ([put(1, "c2"), put(1, "c2")], "c2 lies there", [*BOTH[:1], ("line", "c2")]),
]


@pytest.fixture(scope="module")
def machine() -> Machine:
    rule_set = RuleText("fair-open", TEXT.read_text("utf-8")).rule_set()
    made = Library(lambda name: rule_set).machine("fair-open", 3, {})
    assert isinstance(made, Machine)
    return made


@pytest.mark.parametrize(("events", "said", "facts"), GAMES, ids=range(len(GAMES)))
def test_the_hand_that_is_played_from_is_shown(
    machine: Machine, events: list[Event], said: str, facts: list[tuple[str, str]]
) -> None:
    header = {"golpae": 1, "rules": "fair-open", "players": NAMES}
    text = "".join(json.dumps(line) + "\n" for line in (header, DEAL, *events))
    (report,) = replay(io.BytesIO(text.encode()), "open.jsonl", Library(lambda name: machine.rules))
    assert report.explanation is not None, report.outcome
    assert (report.explanation.message, list(report.explanation.facts)) == (said, facts)


@pytest.mark.skipif(not available(), reason="modules do not run here")
def test_the_hosts_show_the_hand_that_is_played_from(machine: Machine, tmp_path: Path) -> None:
    file = tmp_path / "open.wasm"
    file.write_bytes(build(machine.instance).wasm)
    tasks = [Task(str(file), tuple(NAMES), 1, (Step(DEAL), *map(Step, events))) for events, _, _ in GAMES]
    found = in_python(tasks)
    assert [[tuple(fact) for fact in answers[-1]["facts"]] for answers in found] == [f for _, _, f in GAMES]
    if NODE is not None:
        assert in_javascript(tasks, tmp_path) == found
