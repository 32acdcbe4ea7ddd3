"""What no game can show does not count: what a proof says, and what a list explains."""

from __future__ import annotations

from pathlib import Path

import pytest

from golpae.coverage.impossible import impossible
from golpae.coverage.tally import GameTally
from golpae.progress import Progress
from golpae.verify.options import Settings
from tests.cli.conftest import Golpae, cache, golpae, here
from tests.coverage.picks import PICKS, WON, traces
from tests.coverage.picks import counted as of_games

__all__ = ["cache", "golpae", "here"]
EMPTY = PICKS.replace("  fits: every b", "  some: size of p's hand >= 1\n  fits: every b")
MINE = PICKS.replace("  fits: every b", "  mine: p = mover\n  fits: every b")
NEVER = "never refuses, because it holds whenever the conditions before it hold"


def counted(at: Path, text: str) -> GameTally:
    return of_games(at, ("picks", WON), text=text)


@pytest.mark.solver
def test_a_condition_that_can_refuse_nothing_is_excused(tmp_path: Path) -> None:
    tally = counted(tmp_path, EMPTY)
    before = tally.share()
    tally.excused |= impossible(tally, Settings(), Progress())
    assert tally.excused == {  # of two players, one is to move and the other sits to the right
        ("put.some", "broken"): NEVER,
        ("put.turn (passing)", "broken"): NEVER,
    }
    assert (tally.share().covered, tally.share().of) == (before.covered, before.of - 2)
    assert [m.why for m in tally.missing() if m.clause.name == "put.some"] == [NEVER]


@pytest.mark.solver
def test_a_condition_that_refuses_with_a_variant_is_not_excused(tmp_path: Path) -> None:
    found = impossible(counted(tmp_path, MINE), Settings(), Progress())
    assert [*found] == [("put.turn (passing)", "broken")]  # `mine` refuses whoever passes


def test_a_list_explains_what_no_game_has_to_show(golpae: Golpae, here: Path) -> None:
    (here / "rules" / "picks.golpae").write_text(PICKS)
    (here / "games.jsonl").write_bytes(traces(("picks", WON)))
    call = ("coverage", "games.jsonl", "--spec-path", "rules", "--explained", "list.txt")
    (here / "list.txt").write_text("finish: happened => one hand is enough\nput.held: held => it is shown\n")
    out = golpae(*call).out
    assert "  actions that happened                    3 of  3  100.0%\n" in out
    assert out.endswith(
        "  no game can show:\n    rules/picks.golpae:49  finish  never happened: one hand is enough\n"
    )
    (here / "list.txt").write_text("finish: held => no\n")
    done = golpae(*call)
    assert (done.status, done.err.splitlines()[0]) == (
        2,
        "golpae: there is no clause `finish` of which `held` could come",
    )


SCORE = """
shape twins(a, b): a = b

arrangement couple: 1 twins

score worth
  given
    held: tiles
  hand: held
  as: couple
  total: sum
  pattern small 1: every t in twins: t's size = 1
  pattern odd 2: some a, b in twins: a /= b

action show(hand: tiles) by p
  held: hand in p's hand
  never: size of p's hand < 0
  worth: worth(held: hand) is not none
  then mover := p

deal from pool
"""
SCORED = PICKS.replace("\ndeal from pool\n", SCORE, 1)


@pytest.mark.solver
def test_patterns_of_no_hand_and_what_an_impossible_action_does_are_excused(tmp_path: Path) -> None:
    tally = counted(tmp_path, SCORED)
    found = impossible(tally, Settings(), Progress())
    assert found["worth.odd", "counted"] == "no hand has it"
    assert ("worth.small", "counted") not in found
    assert found["show.then", "done"].startswith("`show` ")
    assert ("put.then 2", "yes") not in found
