"""Scores in words."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import permutations
from typing import Any, cast

import pytest

from golpae.replay.scoring.score import Best, ScoredLayout
from golpae.replay.speaker import Speaker


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
