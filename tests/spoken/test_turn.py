"""The turn of a rule set in its order: read from its conditions, not from names or games."""

from __future__ import annotations

import pytest

from golpae.elaborate.check import elaborate
from golpae.spoken.turn import course_of


def course(game: str) -> list[tuple[str, str, str]]:
    """Return each action with its stages, and whether it is in one's own turn, out of it, or either."""
    turn = course_of(elaborate(game, []))
    words = {(True, False): "own", (False, True): "another's", (True, True): "any"}
    return [
        (action.name, " ".join(when.stages), words[when.in_turn, when.out_of_turn])
        for action, when in turn.actions
    ]


def test_a_turn_is_in_the_order_of_its_stages() -> None:
    assert course("jjak") == [
        ("claim", "acquire", "own"),
        ("draw", "acquire", "own"),
        ("lay", "lay", "own"),
        ("discard", "lay", "own"),
    ]


def test_what_can_be_done_at_any_stage_comes_last() -> None:
    names = [name for name, _, _ in course("korean-mahjong")]
    assert names[0] == "draw"
    assert names[-2:] == ["replace", "win"]


def test_an_action_may_be_out_of_turn() -> None:
    found = {name: (stages, whose) for name, stages, whose in course("korean-mahjong")}
    assert found["pung"] == ("draw", "any")
    assert found["ready"] == ("play", "own")


def test_calls_come_before_play_whatever_the_order_of_the_text() -> None:
    names = [name for name, _, _ in course("bridge")]
    assert names.index("bid") < names.index("contract") < names.index("play")


@pytest.mark.parametrize("game", ["whist", "block-dominoes"])
def test_rules_without_stages_are_in_the_order_of_the_text(game: str) -> None:
    rules = elaborate(game, [])
    turn = course_of(rules)
    assert turn.stages == ()
    assert [action.name for action, _ in turn.actions] == [a.name for a in rules.actions if a.kind == "play"]


@pytest.mark.parametrize("game", ["ho-hpai", "riichi", "go-stop", "gin-rummy", "three-dozen"])
def test_every_action_is_possible_at_some_stage(game: str) -> None:
    assert all(stages for _, stages, _ in course(game))
