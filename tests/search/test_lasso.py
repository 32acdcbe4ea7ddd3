"""Games with a loop: found if nothing makes a game end; replay reaches the same state twice."""

from __future__ import annotations

import pytest

from golpae.replay.machine import Machine
from golpae.replay.state_layout import StateKey
from golpae.search.lasso import Lasso, find_lasso
from golpae.search.unread_states import unread_states
from golpae.search.witness import replays
from tests.replay.shared import machine as table
from tests.verify.shared import BEADS, REFILLED, made, shown

pytestmark = pytest.mark.property


def closes(machine: Machine, loop: Lasso | None) -> Lasso:
    """Check that the first and the last state of a loop are the same. Return the loop."""
    assert loop is not None
    assert 0 < loop.start < len(loop.events)
    key = StateKey(machine.rules, unread=unread_states(machine.instance))
    last = shown(machine, loop).state
    first = replays(machine, loop.lines[0], loop.events[: loop.start]).state
    assert machine.stage(last) == "playing"
    assert key(first) == key(last)
    return loop


def test_a_game_that_can_repeat_has_a_lasso() -> None:
    machine, _ = made(REFILLED, 2)
    loop = closes(machine, find_lasso(machine, seed=1))
    assert "refill" in [e["do"] for e in loop.events[loop.start :]]


def test_a_game_that_cannot_repeat_has_no_lasso() -> None:
    machine, _ = made(BEADS, 2)
    assert find_lasso(machine, seed=1, tries=6, steps=1_000) is None


def test_a_decreasing_measure_narrows_the_search_for_a_lasso() -> None:
    machine, empty = made(REFILLED, 2, "size of bowl = 0")
    assert empty.__class__.__name__ == "Op"
    size = empty.args[0]  # type: ignore[union-attr]
    closes(machine, find_lasso(machine, seed=1, falling=size))


def test_the_same_seed_gives_the_same_lasso() -> None:
    machine, _ = made(REFILLED, 3)
    assert find_lasso(machine, seed=5) == find_lasso(machine, seed=5)


@pytest.mark.parametrize(
    ("rules", "players"),
    [
        ("ho-hpai", 3),
        ("ho-hpai", 4),
        ("jjak+ten-rounds", 2),
        ("jjak+ten-rounds", 3),
        ("jjak+ten-rounds", 4),
        pytest.param("three-dozen", 2, marks=pytest.mark.slow),
        pytest.param("three-dozen", 3, marks=pytest.mark.slow),
        ("three-dozen", 4),
        ("three-dozen", 5),
    ],
)
def test_bundled_games_that_need_not_end_have_a_lasso(rules: str, players: int) -> None:
    machine = table(rules, players)
    closes(machine, find_lasso(machine, seed=1))


def test_a_hand_of_jjak_has_no_lasso() -> None:
    assert find_lasso(table("jjak", 3), seed=1, tries=4, steps=2_000) is None


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
def test_no_hand_of_jjak_has_a_lasso(players: int) -> None:
    assert find_lasso(table("jjak", players), seed=2) is None


def test_rows_are_equal_states_only_with_equal_knowledge_of_their_order() -> None:
    machine = table("ho-hpai", 3)
    key = StateKey(machine.rules, unread=unread_states(machine.instance))
    one, other = machine.new_state(), machine.new_state()
    assert key(one) == key(other)
    for state, tiles in ((one, (0, 1)), (other, (1, 0))):
        for tile in tiles:
            state.z_line.put_back(tile)
            state.z_rest.append(tile)
    assert key(one) != key(other)
    one.z_line.shuffle()
    other.z_line.shuffle()
    assert key(one) == key(other)
