"""States found by random play: each with a game that replay accepts, the same for the same seed."""

from __future__ import annotations

from pathlib import Path

import pytest

from golpae.ir import expr as ir
from golpae.replay.machine import Machine
from golpae.search.random_play import POLICIES, PlayedGame, find, find_deadlock, is_dead_end
from golpae.search.witness import bound, holds, names_of
from tests.verify.shared import BEADS, STUCK, about, made, shown

pytestmark = pytest.mark.property
FOUND = Path(__file__).parent.parent / "differential" / "found"


def does(machine: Machine, expr: ir.Expr, found: PlayedGame | None) -> PlayedGame:
    """Check that the last state of a game, and no earlier one, is the one that was searched for."""
    assert found is not None
    assert holds(machine, expr, shown(machine, found).state)
    return found


@pytest.mark.parametrize("policy", [p for p in POLICIES if p != "long"])
def test_every_policy_that_may_end_hands_finds_a_hand_that_is_won(policy: str) -> None:
    machine, expr = made(BEADS, 2, "winner is not none")
    does(machine, expr, find(machine, expr, seed=3, games=60, policies=(policy,)))


def test_the_same_seed_finds_the_same_game() -> None:
    machine, expr = made(BEADS, 3, "winner is not none")
    one, again, other = (find(machine, expr, seed=seed, games=6) for seed in (1, 1, 2))
    assert one == again
    assert one is None or other is None or one.lines != other.lines


def test_a_state_of_a_later_hand_is_found() -> None:
    machine, expr = made(BEADS, 2, "lead-lost = 1")
    found = does(machine, expr, find(machine, expr, seed=1, games=60))
    assert [e["do"] for e in found.events].count("deal") == 2


def test_the_game_is_shrunk() -> None:
    machine, expr = made(BEADS, 2, "some p in players: size of p's kept = 1")
    found = does(machine, expr, find(machine, expr, seed=1, games=20))
    assert [e["do"] for e in found.events] == ["deal", "draw", "keep"]


def test_an_impossible_state_is_not_found() -> None:
    machine, expr = made(BEADS, 2, "some p in players: size of p's hand > 5")
    assert find(machine, expr, seed=1, games=20) is None


def test_a_property_of_events_names_who_acted_and_with_what() -> None:
    machine, _ = made(BEADS, 2)
    keep = machine.actions["keep"]
    assert names_of(keep) == ("p", "tiles", "a", "b")
    assert bound(keep, (1, [4, 5])) == (1, [4, 5], 4, 5)
    param = {p: e for c in keep.conditions for e in [c.expr] for p in [c.name]}["twins"]
    found = find(machine, param, seed=1, games=20, after="keep")
    assert found is not None
    shown(machine, found)
    names, last = dict(found.names), found.events[-1]
    assert last["do"] == "keep"
    assert names == {"p": last["by"], "tiles": last["tiles"], "a": names["a"], "b": names["a"]}


def test_a_property_of_deals_names_the_first_player() -> None:
    machine, expr = made(BEADS, 2, "mover = first", "deal")
    found = [find(machine, expr, seed=seed, games=20, after="deal") for seed in range(8)]
    firsts = [(dict(f.names)["first"], f.events[-1]["first"]) for f in found if f is not None]
    assert len(firsts) == len(found)
    assert all(told == dealt for told, dealt in firsts)
    assert {told for told, _ in firsts} == {0, 1}


def test_a_shrunk_game_still_shows_it_if_the_tiles_of_a_list_change_their_names() -> None:
    text = (FOUND / "order-in-a-shorter-game.golpae").read_text(encoding="utf-8")
    machine, expr = made(text, 2, "a = copper", "show")
    found = find(machine, expr, seed=1, games=20, after="show")
    assert found is not None
    shown(machine, found)
    assert [e["do"] for e in found.events] == ["deal", "show", "show"]
    assert dict(found.names)["a"] == "copper"


def test_a_hand_without_a_legal_event_is_found() -> None:
    machine, _ = made(STUCK, 2)
    found = find_deadlock(machine, seed=1, games=20)
    assert found is not None
    assert machine.stage(shown(machine, found).state) == "playing"
    assert is_dead_end(machine, found.events)
    assert not is_dead_end(machine, found.events[:-1])
    assert not is_dead_end(machine, [*found.events, {"do": "nothing"}])
    machine, _ = made(BEADS, 2)
    assert find_deadlock(machine, seed=1, games=20) is None


@pytest.mark.parametrize(
    ("rules", "players", "question"),
    [
        ("jjak", 3, "winner is not none and claimed-from is not none"),
        ("jjak", 2, "winner is not none and some p in players: some m in p's laid: m = {6-6, 6-6}"),
        ("jjak+ten-rounds", 2, "not over and hands-played = 1 and some p in players: size of p's hand = 6"),
        pytest.param(
            "three-dozen", 5, "winner is not none and claimed-from is not none", marks=pytest.mark.slow
        ),
        ("ho-hpai", 3, "winner is not none and worth = 1"),
    ],
)
def test_rare_states_of_bundled_games_are_found(rules: str, players: int, question: str) -> None:
    machine, expr = about(rules, players, question)
    does(machine, expr, find(machine, expr, seed=1, games=24))


def test_an_illegal_state_of_jjak_is_not_found() -> None:
    last = "some m in p's laid: m = {6-6, 6-6} and size of p's laid = 1"
    machine, expr = about("jjak", 2, f"over and some p in players: {last}")
    assert find(machine, expr, seed=1, games=8) is None
