"""The reference is right about order: conditions, effects, payments, counts, hidden rows, labels."""

import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from docs.generate.files import TOP
from golpae.elaborate.check import elaborate
from golpae.replay.machine_cache import Library
from golpae.replay.replay import replay

Judge = Callable[..., tuple[str, str | None]]

GAME = """
game little "A little game"

players 2 to 2

tiles
  stones: two of each a b c

zones
  pool: row seen by nobody, holds the set
  each player's hand: tiles seen by its owner
  each player's shown: melds seen by everyone

state of the match
  paid: number = 0
  before: number = 0

state of the hand
  steps: number = 0
  last: seat or none = none

shape two(x, y): x = y
shape mixed(x, y): x /= y

deal from pool
  hands: 1 for everyone

end
  then before := hands-played

payout
  won: when winner is not none: winner's left pays winner stake
"""
HEADER = {"golpae": 1, "rules": "ours", "players": ["An", "Bo"]}
DEAL = {"do": "deal", "first": 0, "hands": [["a"], ["b"]]}


@pytest.fixture
def judge(tmp_path: Path) -> Judge:
    """A function that returns the verdict and the broken clause of events, under the little game and these
    lines.
    """

    def judged(lines: str, *events: dict[str, object]) -> tuple[str, str | None]:
        (tmp_path / "little.golpae").write_text(GAME, "utf-8")
        (tmp_path / "ours.golpae").write_text(f'game ours ""\ninclude little\n{lines}\n', "utf-8")
        library = Library(lambda rules: elaborate(rules, [tmp_path]))
        trace = "\n".join(json.dumps(line) for line in (HEADER, *events))
        [report] = list(replay(io.BytesIO(trace.encode()), "-", library))
        assert not library.faults, library.faults
        return report.outcome.verdict.value, report.outcome.clause

    return judged


def end(winner: int | None, *pay: int) -> dict[str, object]:
    return {"do": "end", "winner": winner, "pay": list(pay)}


def test_the_first_condition_that_fails_is_named(judge: Judge) -> None:
    lines = 'action go\n  one: yes "1"\n  then steps := 1\n  two: no "2"\n  three: no "3"'
    assert judge(lines, DEAL, {"do": "go"}) == ("illegal", "ours.go.two")


def test_conditions_come_before_all_effects(judge: Judge) -> None:
    lines = 'action go\n  then steps := 1\n  one: steps = 0 "1"'
    assert judge(lines, DEAL, {"do": "go"})[0] == "incomplete"


def test_an_added_condition_is_checked_last(judge: Judge) -> None:
    lines = 'action go\n  one: no "1"\nadd go.two: no "2"'
    assert judge(lines, DEAL, {"do": "go"}) == ("illegal", "ours.go.one")


def test_each_effect_sees_the_effects_before_it(judge: Judge) -> None:
    lines = (
        "action go\n  then steps := steps + 2\n  then steps := steps * 3\n  then when steps = 6: nobody wins"
    )
    assert judge(lines, DEAL, {"do": "go"}, end(None, 0, 0))[0] == "legal"
    assert judge(lines, DEAL, {"do": "go"}, {"do": "go"}) == ("illegal", "ours.go.open")


def test_payments_are_worked_out_before_the_effects_of_end(judge: Judge) -> None:
    lines = "add payout.more: when last is not none: last scores 5\nadd end.forget: last := none\n"
    lines += "action go by p\n  then last := p"
    assert judge(lines, DEAL, {"do": "go", "by": 1}, end(None, 0, 5))[0] == "legal"


def test_a_hand_is_counted_after_the_effects_of_its_end(judge: Judge) -> None:
    lines = 'add deal.count: before = hands-played - 1 or hands-played = 0 "{before}, {hands-played}"'
    assert judge(lines, DEAL, end(None, 0, 0), DEAL, end(None, 0, 0))[0] == "legal"
    lines = 'add end.sum: paid := most of p\'s total for p in players\nadd deal.late: paid = 0 "late"\n'
    lines += "action go by p\n  then p wins"
    go = {"do": "go", "by": 0}
    assert judge(lines, DEAL, go, end(0, 1, -1), DEAL)[0] == "incomplete"
    assert judge(lines, DEAL, go, end(0, 1, -1), DEAL, go, end(0, 1, -1), DEAL) == (
        "illegal",
        "ours.deal.late",
    )


def test_the_conditions_of_deal_see_the_hand_before(judge: Judge) -> None:
    lines = 'add deal.left: steps = 0 "steps are left"\naction go\n  then steps := 1'
    assert judge(lines, DEAL, {"do": "go"}, end(None, 0, 0), DEAL) == ("illegal", "ours.deal.left")
    lines = "add deal.left: when steps = 1: nobody wins\naction go\n  then steps := 1"
    assert judge(lines, DEAL, {"do": "go"}, end(None, 0, 0), DEAL, {"do": "go"})[0] == "incomplete"


def test_own_conditions_are_checked_between_the_built_in_ones(judge: Judge) -> None:
    lines = 'add deal.never: no "never"'
    assert judge(lines, DEAL | {"hands": [["a"]]}) == ("illegal", "ours.deal.never")
    assert judge(lines, end(None, 0, 0)) == ("illegal", "ours.end.open")
    assert judge("", DEAL, end(0, 9, 9)) == ("illegal", "ours.end.winner")
    assert judge("", DEAL, end(None, 9, 9)) == ("illegal", "ours.end.pay")


DRAW = """
action draw(tile) by p
  place: tile fits front of pool "no"
  then move tile from front of pool to p's hand
"""


def test_the_order_of_a_hidden_row_is_settled_by_draws(judge: Judge) -> None:
    def draw(tile: str) -> dict[str, object]:
        return {"do": "draw", "by": 0, "tile": tile}

    told = DEAL | {"reserve": ["c", "c", "a", "b"]}
    assert judge(DRAW, told, draw("c"))[0] == "incomplete"
    assert judge(DRAW, told, draw("a")) == ("illegal", "ours.draw.place")
    for tile in "abc":
        assert judge(DRAW, DEAL, draw(tile))[0] == "incomplete"
    assert judge(DRAW, DEAL, draw("a"), draw("a")) == ("illegal", "ours.draw.place")


def test_a_labelled_meld_has_the_shape_of_its_label_only(judge: Judge) -> None:
    lines = "action put(tile) by p\n  then move tile from p's hand to p's shown as mixed\n"
    lines += 'action ask by p\n  two: some m in p\'s shown: m is two or not m is mixed "no"'
    put = {"do": "put", "by": 0, "tile": "a"}
    assert judge(lines, DEAL, put, {"do": "ask", "by": 0}) == ("illegal", "ours.ask.two")


def test_the_effect_refuses_a_tile_that_is_not_in_its_zone(judge: Judge) -> None:
    lines = "action put(tile) by p\n  then move tile from p's hand to p's shown"
    assert judge(lines, DEAL, {"do": "put", "by": 0, "tile": "c"}) == ("illegal", "ours.put.then")


def test_clauses_are_named_after_the_including_game() -> None:
    assert elaborate("our-jjak+culin", [TOP / "docs" / "examples"]).game == "our-jjak"
