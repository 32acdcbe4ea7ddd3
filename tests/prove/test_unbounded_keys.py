"""Some number for a key is legal where conditions leave room for one."""

from __future__ import annotations

import pytest

from tests.prove.meanings import game, verdicts


def stuck(end_key: str, condition: str) -> str:
    """Return whether some event is legal, if a hand ends with this key, under this condition."""
    end = f"\nend({end_key})\n  due: over\n  more: {condition}\n  then best := said\n"
    return verdicts(game(end=end, more="state of the match\n  best: number = 0"))["some-event-is-legal"]


@pytest.mark.parametrize(
    "condition",
    ["said >= best", "best < said", "said > best and said > 3 - 3", "said <= best - 1", "best > said"],
)
def test_a_number_next_to_its_bound_is_legal(condition: str) -> None:
    assert stuck("said: number", condition) == "proved"


@pytest.mark.parametrize("condition", ["said > best and said <= best", "said < best and said > best - 1"])
def test_no_number_lies_between_bounds_that_leave_no_room(condition: str) -> None:
    assert stuck("said: number", condition) != "proved"
