"""What a module cannot decide, and what cannot happen, leaves everything as it was."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from golpae.build.module import build
from golpae.elaborate.instance import instantiate
from golpae.kernel.language.host import available
from tests.build.hosts import NODE, Step, Task, in_javascript, in_python
from tests.differential.texts import RuleText

pytestmark = pytest.mark.skipif(not available(), reason="modules do not run here")

# What `take` moves lies in one of two zones; its conditions do not say which.
TEXT = """\
game taking "Taking"

players 2 to 2

tiles
  coins: one of each "c{n}" for n in 1 to 4

zones
  pool: tiles seen by everyone, holds the set
  apart: tiles seen by everyone
  each player's hand: tiles seen by its owner

state of the hand
  taken: number = 0

deal from pool
  hands: 1 for everyone

action lay_aside(tile) by p
  there: tile in pool
  then move tile from pool to apart

action take(tile) by p
  there: tile in pool or tile in apart
  then taken := taken + 1
  then move tile from pool to p's hand

action count(points: number) by p
  few: points < 100
  then taken := taken + 1
  then taken := points ^ 90

end
  due: taken > 5
"""
DEAL = {"do": "deal", "first": 0, "hands": [["c1"], ["c2"]]}
ASIDE = {"do": "lay_aside", "by": 0, "tile": "c3"}
TAKE = {"do": "take", "by": 1, "tile": "c3"}
COUNT = {"do": "count", "by": 1, "points": 9}


@pytest.fixture
def task(tmp_path: Path) -> Task:
    module = tmp_path / "taking.wasm"
    module.write_bytes(build(instantiate(RuleText("taking", TEXT).rule_set(), 2, {})).wasm)
    steps = (
        Step(DEAL),
        Step(ASIDE),
        Step(TAKE),
        Step(COUNT),
        Step(ASIDE, shown=True),
        Step({**ASIDE, "tile": "c4"}),
    )
    return Task(str(module), ("An", "Bo"), 1, steps)


def answers_of(said: list[Any]) -> None:
    """Require that nothing has changed where the module could not decide."""
    dealt, aside, take, count, state, following, again, other = said
    assert (dealt["verdict"], aside["verdict"], other["verdict"]) == ("legal", "legal", "legal")
    assert (take["verdict"], take["clause"], take["facts"]) == ("illegal", "taking.take.then", [])
    assert take["message"] == "this event moves tiles from a place where they are not"
    assert count == {"verdict": "referred", "reason": "a number of more than 62 bits"}
    assert {event["tile"] for event in following["events"]} == {"c4"}  # nobody can take c3
    assert state["states"] == {"taken": 0}
    assert state["zones"] == {"pool": ["c4"], "apart": ["c3"], "hand": [["c1"], ["c2"]]}
    assert (again["verdict"], again["clause"]) == ("illegal", "taking.lay_aside.there")
    assert again["facts"] == [["An's hand", "c1"], ["pool", "c4"]]
    assert "c3" not in again["legal"]


def test_the_host_in_python_stays_where_it_was(task: Task) -> None:
    answers_of(in_python([task])[0])


@pytest.mark.process
@pytest.mark.skipif(NODE is None, reason="there is no Node on this machine, which runs JavaScript")
def test_the_host_in_javascript_stays_where_it_was(task: Task, tmp_path: Path) -> None:
    answers_of(in_javascript([task], tmp_path)[0])


@pytest.mark.process
@pytest.mark.skipif(NODE is None, reason="there is no Node on this machine, which runs JavaScript")
def test_both_hosts_say_that_a_line_must_be_an_object(task: Task, tmp_path: Path) -> None:
    odd: list[Any] = [None, 5, "x", []]
    spoilt = replace(task, steps=tuple(map(Step, odd)))
    said = [{"verdict": "malformed", "message": "this line must be a JSON object"}] * len(odd)
    assert in_python([spoilt]) == in_javascript([spoilt], tmp_path) == [said]


@pytest.mark.process
@pytest.mark.skipif(NODE is None, reason="there is no Node on this machine, which runs JavaScript")
def test_both_hosts_say_alike_what_they_have_no_room_for(task: Task, tmp_path: Path) -> None:
    crowded = replace(task, steps=(Step({**DEAL, "hands": [["c1"] * 9, ["c2"]]}),))
    [[said]] = in_python([crowded])
    assert said["verdict"] == "referred"
    assert in_javascript([crowded], tmp_path) == [[said]]


@pytest.mark.process
@pytest.mark.skipif(NODE is None, reason="there is no Node on this machine, which runs JavaScript")
def test_a_key_that_every_object_of_javascript_has_can_be_missing(tmp_path: Path) -> None:
    module = tmp_path / "taking.wasm"
    text = (
        TEXT.replace("action take(tile)", "action take(constructor: tile)")
        .replace("tile in pool or tile in apart", "constructor in pool or constructor in apart")
        .replace("move tile from pool to p's hand", "move constructor from pool to p's hand")
    )
    module.write_bytes(build(instantiate(RuleText("taking", text).rule_set(), 2, {})).wasm)
    task = Task(str(module), ("An", "Bo"), 1, (Step(DEAL), Step({"do": "take", "by": 0})))
    [[_, said]] = in_javascript([task], tmp_path)
    assert said == {"verdict": "malformed", "message": "`take` lacks the key `constructor`"}
