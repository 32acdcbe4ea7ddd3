"""Values in messages are said in one way: a tile by its title, also in bags, melds and values that may be none."""

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
from tests.differential.texts import RuleText

TEXT = Path(__file__).with_name("texts") / "titles.golpae"
HANDS = [["c1", "c2", "c2", "sun"], ["c3", "c3", "moon", "moon"]]
DEAL = {"do": "deal", "first": 0, "hands": HANDS}
PUTS = [{"do": "put", "by": 0, "tile": "c2"}, {"do": "put", "by": 0, "tile": "sun"}]
SHOW = {"do": "show", "by": 1, "tiles": ["c3", "moon"]}
GAMES: list[tuple[list[dict[str, Any]], str]] = [
    (
        [{"do": "put", "by": 1, "tile": "sun"}],
        "the-sun is not in coin 3, coin 3, the-moon, the-moon, of which the-moon the-moon are stars",
    ),
    (
        [*PUTS, {"do": "put", "by": 0, "tile": "sun"}],
        "the-sun is not in coin 1, coin 2, of which no tiles are stars",
    ),
    ([PUTS[0], PUTS[0]], "coin 2 again"),
    (
        [PUTS[0], SHOW, {"do": "show", "by": 0, "tiles": ["c1", "c4"]}],
        "coin 1, coin 4 are not all in coin 1, coin 2, the-sun; the first were coin 2",
    ),
    (
        [*PUTS, SHOW, SHOW, {"do": "show", "by": 1, "tiles": ["moon", "c3"]}],
        "Bo shows coin 3, the-moon; coin 3, the-moon and cannot show coin 3, the-moon; last the-sun; coin 2, the-sun",
    ),
]


@pytest.fixture(scope="module")
def machine() -> Machine:
    rule_set = RuleText("titles", TEXT.read_text("utf-8")).rule_set()
    made = Library(lambda name: rule_set).machine("titles", 2, {})
    assert isinstance(made, Machine)
    return made


@pytest.mark.parametrize(("events", "said"), GAMES, ids=range(len(GAMES)))
def test_a_message_says_titles(machine: Machine, events: list[dict[str, Any]], said: str) -> None:
    header = {"golpae": 1, "rules": "titles", "players": ["An", "Bo"]}
    text = "".join(json.dumps(line) + "\n" for line in (header, DEAL, *events))
    library = Library(lambda name: machine.rules)
    (report,) = replay(io.BytesIO(text.encode()), "titles.jsonl", library)
    assert report.explanation is not None, report.outcome
    assert report.explanation.message == said


@pytest.mark.skipif(not available(), reason="modules do not run here")
def test_the_hosts_say_titles(machine: Machine, tmp_path: Path) -> None:
    file = tmp_path / "titles.wasm"
    file.write_bytes(build(machine.instance).wasm)
    tasks = [Task(str(file), ("An", "Bo"), 1, (Step(DEAL), *map(Step, events))) for events, _ in GAMES]
    found = in_python(tasks)
    assert [answers[-1]["message"] for answers in found] == [said for _, said in GAMES]
    if NODE is not None:
        assert in_javascript(tasks, tmp_path) == found
