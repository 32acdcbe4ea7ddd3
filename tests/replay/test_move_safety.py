"""Moves of tiles that no condition places: listing, playing and proving leave out events whose tiles are
missing."""

from __future__ import annotations

import io
import json
import random
from pathlib import Path
from typing import Any

import pytest

from golpae.elaborate.check import elaborate
from golpae.ir.ruleset import RuleSet
from golpae.lower.move_safety import moves_safely
from golpae.replay import simulate
from golpae.replay.explain import explain
from golpae.replay.legal_events import Legal
from golpae.replay.machine import Machine
from golpae.replay.machine_cache import Library
from golpae.replay.replay import replay
from golpae.replay.report import Report
from golpae.verify.options import Settings
from golpae.verify.verifier import verify
from tests.replay.shared import machine, rule_set

GRAB = """
game grab "Grab"
players 2 to 2

tiles 8 of 4 kinds
  all: two of each a b c d

zones
  pile: tiles seen by everyone, holds the set
  line: row seen by everyone
  each player's hand: tiles seen by its owner
  each player's lane: row seen by everyone
  each player's shown: melds seen by everyone

state of the hand
  mover: seat
  held: tile or none = none
  who: seat or none = none
  kept: tile = a

shape couple(a, b): a = b
arrangement many: 2 couples

deal from pile
  hands: 2 for first, 2 for the others
  then mover := first

action grab(tile) by p "grab"
  turn: p = mover "it is not {p}'s turn"
  MORE

end
  due: over "not over"

payout

finish

always not-many: every p in players: size of p's hand <= 2
"""
TAKES = "then move tile from pile to p's hand"
GIVES = "then move tile from p's hand to pile"


def elaborated(tmp_path: Path, text: str) -> RuleSet:
    (tmp_path / "grab.golpae").write_text(text, encoding="utf-8")
    return elaborate("grab", [tmp_path])


def grab(tmp_path: Path, *more: str) -> RuleSet:
    return elaborated(tmp_path, GRAB.replace("MORE", "\n  ".join(more)))


def grabs_safely(rules: RuleSet) -> bool:
    return moves_safely(rules, next(action for action in rules.actions if action.name == "grab"))


def played(rules: RuleSet, *tiles: str) -> Report:
    lines: list[dict[str, Any]] = [
        {"golpae": 1, "rules": "grab", "players": ["An", "Bo"]},
        {"do": "deal", "first": 0, "hands": [["a", "a"], ["b", "c"]]},
        *({"do": "grab", "by": 0, "tile": tile} for tile in tiles),
    ]
    stream = io.BytesIO("\n".join(map(json.dumps, lines)).encode())
    (report,) = replay(stream, "a game", Library(lambda name: rules))
    return report


def test_legal_events_have_moves_that_can_be_done(tmp_path: Path) -> None:
    report = played(grab(tmp_path, TAKES))
    assert report.end is not None
    found, header, state = report.end
    assert found.may_fail_midway == {"grab"}
    told = [simulate.written(found, e)["tile"] for e in Legal(found).events(state)]
    assert told == ["b", "c", "d"]
    assert len(header.players) == 2


def test_a_refusal_lists_what_was_legal_before_the_event(tmp_path: Path) -> None:
    report = played(grab(tmp_path, "then held := tile", TAKES, "then mover := p"), "b", "b", "b")
    assert (report.outcome.verdict.value, report.outcome.event) == ("illegal", 3)
    assert report.refusal is not None
    assert explain(report.refusal).legal == ("An: grab c | d",)
    assert report.end is not None
    found, _, state = report.end
    assert found.function(found.rules.properties[0].expr, ())(state) is False  # An holds three, not four


def test_the_prover_plays_only_moves_that_can_be_done(tmp_path: Path) -> None:
    found = verify(grab(tmp_path, TAKES), 2, {}, Settings(cached=False))
    verdicts = {f.name: f.verdict for f in found}
    assert verdicts == {"not-many": "refuted", "tiles-are-kept": "proved", "some-event-is-legal": "refuted"}


@pytest.mark.parametrize(
    ("clauses", "sure"),
    [
        (["held: tile in pile", TAKES], True),
        (["held: tile in p's hand", TAKES], False),
        (["held: tile in p's hand or tile in pile", TAKES], False),
        (["held: tile in pile", TAKES, "then move tile from pile to line"], False),
        (["held: tile in pile", "then when tile /= a: move tile from pile to p's hand"], True),
        (["then when tile in pile: move tile from pile to p's hand"], True),
        (["then move all from line to p's hand"], True),
        (["end: tile = front of line", "then move tile from front of line to p's hand"], True),
        (["end: tile = front of line", "then move tile from back of line to p's hand"], False),
        (["end: tile fits back of line", "then move tile from back of line to p's hand"], True),
        (
            [
                "held: tile in p's hand",
                "end: held = back of line and held is not none",
                "then move tile from p's hand to back of line",
                "then move held from back of line to p's hand",
            ],
            False,
        ),
        (["own: kept in p's hand", "then kept := tile", "then move kept from p's hand to line"], False),
        (["held: tile in pile", "then for each q in players: move tile from pile to q's hand"], False),
        (["held: tile in p's hand", "then for each q in players: move all from q's hand to line"], True),
        (["held: tile in p's hand", "then pass each player's hand to the left", GIVES], False),
        (
            [
                "held: tile = front of p's lane",
                "then pass each player's lane to the left",
                "then move tile from front of p's lane to pile",
            ],
            False,
        ),
    ],
)
def test_a_move_is_safe_if_a_condition_places_its_tiles(
    tmp_path: Path, clauses: list[str], sure: bool
) -> None:
    assert grabs_safely(grab(tmp_path, *clauses)) is sure


OTHER_END = "end: if at = front then tile fits back of line else tile fits front of line"


@pytest.mark.parametrize(
    ("clauses", "sure"),
    [
        (
            [
                OTHER_END,
                "then when at = front: move tile from back of line to p's hand",
                "then when not (at = front): move tile from front of line to p's hand",
            ],
            True,
        ),
        ([OTHER_END, "then when at = back: move tile from back of line to p's hand"], False),
        ([OTHER_END, "then move tile from front of line to p's hand"], False),
        ([OTHER_END, "no: at is none", "then move tile from front of line to p's hand"], True),
        (
            [
                OTHER_END,
                "held: kept in p's hand",
                "then p's side := at otherwise back",
                "then when p's side = back",
                "  move kept from p's hand to back of line",
                "  move tile from front of line to p's hand",
                "then when p's side = front",
                "  move kept from p's hand to front of line",
                "  move tile from back of line to p's hand",
            ],
            True,
        ),
        (
            [
                OTHER_END,
                "then p's side := at otherwise back",
                "then mover's side := back",
                "then when p's side = back: move tile from front of line to p's hand",
            ],
            False,
        ),
        (
            [
                OTHER_END,
                "then p's side := at otherwise back",
                "then for each q in players: q's side := front",
                "then when p's side = front: move tile from back of line to p's hand",
            ],
            False,
        ),
        (
            [
                OTHER_END,
                "then p's side := at otherwise back",
                "then when tile = a: p's side := front",
                "then when p's side = back: move tile from front of line to p's hand",
            ],
            False,
        ),
    ],
)
def test_each_value_of_a_choice_is_a_case_of_its_own(tmp_path: Path, clauses: list[str], sure: bool) -> None:
    text = GRAB.replace("grab(tile)", "grab(tile, optional at: one of front, back)")
    text = text.replace("  mover: seat\n", "  mover: seat\n  each player's side: one of front, back = back\n")
    rules = elaborated(tmp_path, text.replace("MORE", "\n  ".join(clauses)))
    assert grabs_safely(rules) is sure


def test_a_tile_need_not_be_at_the_front_of_a_row_that_was_arranged(tmp_path: Path) -> None:
    clauses = """held: tile fits front of line
  order: row fits line
  then arrange line as row
  then move tile from front of line to pile"""
    text = GRAB.replace("grab(tile)", "grab(tile, row: tiles)").replace("MORE", clauses)
    (tmp_path / "grab.golpae").write_text(text, encoding="utf-8")
    assert not grabs_safely(elaborate("grab", [tmp_path]))


@pytest.mark.parametrize(("whose", "sure"), [("p", True), ("mover", False)])
def test_a_loop_over_groups_is_safe_if_no_round_moves_the_next_one(
    tmp_path: Path, whose: str, sure: bool
) -> None:
    effects = f"move g from {whose}'s hand to p's shown\n      mover := mover's right"
    text = GRAB.replace("grab(tile)", "grab(groups: list of tiles)").replace(
        "MORE", f"there: groups lay out {whose}'s hand as many\n  then for each g in groups\n      {effects}"
    )
    assert grabs_safely(elaborated(tmp_path, text)) is sure


@pytest.mark.parametrize(
    "there",
    [
        "tile fits front of who's lane",
        "tile = front of who's lane",
        "tile in who's hand",
        "{tile, tile} in who's hand",
    ],
)
def test_a_zone_of_no_player_makes_no_event_legal(tmp_path: Path, there: str) -> None:
    report = played(grab(tmp_path, f"there: who is not none and {there}", GIVES))
    assert report.end is not None
    found, _, state = report.end
    assert list(Legal(found).events(state)) == []


def test_a_deal_whose_effects_fail_is_not_dealt(tmp_path: Path) -> None:
    text = GRAB.replace("MORE", TAKES).replace(
        "first\n\naction", "first\n  then move a from pile to line\n\naction"
    )
    verdicts = {f.name: f.verdict for f in verify(elaborated(tmp_path, text), 2, {}, Settings(cached=False))}
    assert verdicts["tiles-are-kept"] == "proved"
    assert verdicts["not-many"] == "refuted"


def test_moved_tiles_leave_no_negative_count(tmp_path: Path) -> None:
    text = GRAB.replace("grab(tile)", "grab(ts: tiles)").replace(
        "MORE", "there: ts in p's hand\n  then move ts from p's hand to pile"
    )
    found = verify(elaborated(tmp_path, text), 2, {}, Settings(cached=False), "not-many")
    assert [f.verdict for f in found] == ["proved"]


@pytest.mark.parametrize("game", ["jjak", "ho-hpai", "three-dozen", "korean-mahjong"])
def test_safe_actions_of_bundled_games_never_fail_midway(game: str) -> None:
    rules = rule_set(game)
    found: Machine = machine(game, 4)
    sure = {a.name for a in rules.actions if moves_safely(rules, a)}
    assert len(sure) > len(rules.actions) / 2
    rng, legal = random.Random(7), Legal(found)
    for _ in range(3):
        state = found.new_state(1)
        for event, _ in zip(simulate.play(found, state, rng), range(150), strict=False):
            assert event["do"] in found.steps
            for other in legal.events(state):
                if other.action in sure:
                    found.apply(other.action, found.copy(state), other.args)
