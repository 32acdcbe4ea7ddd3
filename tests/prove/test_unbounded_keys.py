"""Some number for a key is legal where conditions leave room for one."""

from __future__ import annotations

import pytest

from golpae.elaborate.instance import instantiate
from golpae.verify.deciders.any_game import deadlock_failure
from golpae.verify.verifier import Verifier
from tests.prove.meanings import SETTINGS, game, rule_set_of, verdicts


def ending(end_key: str, condition: str, best: str) -> str:
    """Return a text in which a hand ends with this key, under this condition, and sets `best`."""
    end = f"\nend({end_key})\n  due: over\n  more: {condition}\n  then best := {best}\n"
    return game(end=end, more="state of the match\n  best: number = 0")


def stuck(end_key: str, condition: str) -> str:
    """Return whether some event is legal, if a hand ends with this key, under this condition."""
    return verdicts(ending(end_key, condition, "said mod 100"))["some-event-is-legal"]


@pytest.mark.parametrize(
    "condition",
    ["said >= best", "best < said", "said > best and said > 3 - 3", "said <= best - 1", "best > said"],
)
def test_a_number_next_to_its_bound_is_legal(condition: str) -> None:
    assert stuck("said: number", condition) == "proved"


@pytest.mark.parametrize("condition", ["said > best and said <= best", "said < best and said > best - 1"])
def test_no_number_lies_between_bounds_that_leave_no_room(condition: str) -> None:
    assert stuck("said: number", condition) != "proved"


@pytest.mark.parametrize(
    ("condition", "best"),
    [
        ("said >= best", "said"),
        ("said > best", "said"),
        ("best > said", "said"),
        ("said = best * 7 + 1", "said"),
        ("said = best + best", "best + 3"),
    ],
)
def test_a_proof_is_about_keys_of_any_size(condition: str, best: str) -> None:
    text = ending("said: number", condition, best)
    verifier = Verifier(instantiate(rule_set_of(text), 2, {}), SETTINGS)
    assert deadlock_failure(verifier.analysis, set()) is None
