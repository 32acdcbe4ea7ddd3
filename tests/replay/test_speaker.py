"""Scores and events in words."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import permutations
from typing import Any, cast

import pytest

from golpae.build.templates import templates
from golpae.elaborate.instance import instantiate
from golpae.kernel.module import ModuleRequest, compiled
from golpae.replay.legal_events import Event
from golpae.replay.machine import Machine
from golpae.replay.scoring.score import Best, ScoredLayout
from golpae.replay.speaker import Speaker, said_numbers
from golpae.trace import Header
from tests.build.hosts import python_host
from tests.cli.table import PUT
from tests.differential.texts import RuleText


def best(total: int, *ways: Mapping[str, int]) -> Best:
    return Best(total, tuple(ScoredLayout("whole", (), None, way, total, total) for way in ways))


@pytest.mark.parametrize(
    ("ways", "said"),
    [
        (({"a": 1, "b": 2}, {"a": 2, "b": 1}), "3 (a 2, b 1)"),
        (({"b": 2, "c": 1}, {"c": 3}), "3 (b 2, c 1)"),
        (({"b": 3}, {"c": 1, "a": 2}), "3 (c 1, a 2)"),
        (({"a": 3}, {"a": 3, "b": 0}, {"a": 3, "c": 0}), "3 (a 3, b 0)"),
    ],
)
def test_the_way_that_is_said_does_not_depend_on_the_order_of_ways(
    ways: tuple[dict[str, int], ...], said: str
) -> None:
    speaker = cast("Any", Speaker.__new__(Speaker))
    for order in permutations(ways):
        assert speaker.score(best(3, *order)) == said


def test_of_patterns_that_do_not_add_up_those_worth_the_whole_score_are_said() -> None:
    speaker = cast("Any", Speaker.__new__(Speaker))
    assert speaker.score(best(3, {"a": 3, "b": 3, "c": 1})) == "3 (a 3, b 3)"


def test_an_action_is_said_once_if_its_tile_begins_with_its_name() -> None:
    text = PUT.replace(
        "plain: two of each 1-1 2-2 3-3 4-4 5-5 6-6", 'plain: two of each 1-1 "put 1" 2-2 3-3 4-4 5-5 6-6'
    )
    machine = Machine(instantiate(RuleText("put", text).rule_set(), 2, {"dealt": 2}))
    speaker = Speaker(machine, Header("put", "put", (), ("An", "Bo"), 1, {}, None))
    said = [speaker.event(Event("put", (0, tile))) for tile in (0, 1)]
    assert said == ["put 1", "put 2-2"]
    assert speaker.event(Event("put", (0, 0)), unseen=[1]) == "put a tile"
    host = python_host().Words(
        templates(machine, compiled(machine.instance, ModuleRequest(None, True, alone=True))), ["", ""]
    )
    assert [host.event({"do": "put", "by": 0, "tile": tile}) for tile in ("1-1", "2-2")] == said


def test_numbers_that_are_0_are_not_said_beside_others() -> None:
    assert said_numbers({"limits": 0, "han": 3, "fu": 30}) == "3 han, 30 fu"
    assert said_numbers({"limits": 0, "han": 0}) == "0 limits, 0 han"
