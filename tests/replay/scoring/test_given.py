"""Values of a score that ask the game: what they are where a text uses the score, and without a game."""

from __future__ import annotations

from typing import Any

from golpae.lower.written import written
from golpae.replay.machine import Machine
from golpae.replay.machine_cache import Library
from golpae.replay.score_hand import Fault, Scored, Waiting, score_hand
from golpae.verify.options import Settings
from golpae.verify.verifier import Verifier
from tests.differential.checks import Limits, check_text
from tests.differential.texts import RuleText
from tests.replay.scoring.own_values import TEXT as OWN

TEXT = """
game given "A score that asks the game"

players 2 to 2

tiles
  coins: three of each "{n}c" for n in 1 to 3

zones
  stock: tiles seen by nobody, holds the set
  pool: tiles seen by everyone
  each player's hand: tiles seen by its owner

state of the hand
  mover: seat
  wish: tile or none = none
  each player's vow: one of small, large or none = none

shape pair(a, b): a = b
arrangement pairs: 2 pairs

score worth
  given
    p: seat
    win: tile
    hand: tiles = p's hand
    vow: one of small, large or none = p's vow
    alike: number = number of q in players: q's vow = vow and win in pool + hand
    wished: yes or no = wish = win
    bonus: number = 2
    double: number = bonus + bonus
  hand: hand + win
  as: pairs
  keep: yes
  total: sum
  pattern base 1: yes
  pattern vow 2: vow = large
  pattern alike alike: yes
  pattern wished double: wished

define others(t: tile, p: seat): number of q in players: worth(q, t) is not none and q /= p

deal from stock
  hands: 3 for everyone
  then mover := first

action swear(word: one of small, large) by p "swear"
  once: p's vow is none "{p} has sworn"
  then p's vow := word

action lay(tile) by p "lay a coin out"
  turn: p = mover "it is not {p}'s turn"
  held: tile in p's hand "{p} does not hold {tile}"
  few: size of pool < 2 "two coins lie there"
  then move tile from p's hand to pool
  then wish := tile
  then mover := p's right

action show(tile, points: number, optional others: number) by p "show the hand"
  from: tile in stock "{tile} is not in the stock"
  worth: worth(p, tile) is not none "{p}'s hand counts nothing"
  points: points = worth(p, tile) "the hand counts {worth(p, tile)}"
  all: every q in players: q = p implies points = (worth(q, tile) otherwise 0) "{p}"
  others: others is none or others = others(tile, p) "not {others}"
  then p wins

action stop by p "end the hand"
  turn: p = mover "it is not {p}'s turn"
  then nobody wins

end
  due: over "the hand is not over"

claim at-most: every way of worth: alike <= 2 and double = 4 implies points <= 9
claim sworn: every way of worth: not vow = large implies vow = small
"""


def library(text: str = TEXT) -> Library:
    rules = RuleText("given", text, 1).rule_set()
    return Library(lambda _: rules)


def scored(**given: Any) -> Scored | Fault:
    found = score_hand({"rules": "given", "hand": ["1c", "1c", "2c"], "win": "2c", **given}, library())
    assert isinstance(found, Scored | Fault)
    return found


def test_without_a_game_what_asks_it_has_to_be_told() -> None:
    fault = scored(wished=False, double=4)
    assert isinstance(fault, Fault)
    assert fault.message == "the hand lacks the key `alike`"
    found = scored(alike=0, wished=True)  # `vow` may be none, and `double` is worked out
    assert isinstance(found, Scored)
    assert found.points == 5
    assert isinstance(scored(alike=1, wished=True, double=4, vow="large"), Scored)


def test_what_only_such_values_name_is_no_value_of_a_hand() -> None:
    for other in ({"p": 0}, {"bonus": 2}):
        fault = scored(alike=0, wished=True, **other)
        assert isinstance(fault, Fault)
        assert fault.message.startswith(f"unknown key `{next(iter(other))}` in the hand")


def test_games_are_the_same_for_the_judge_the_reference_and_the_compiled_path() -> None:
    report = check_text(RuleText("given", TEXT, 1), Limits(steps=True))
    assert report.findings == []


def test_names_keep_their_meaning_where_a_score_is_used() -> None:
    """`q` is called so in a value that asks the game and where the score is used."""
    machine = library().machine("given", 2, {})
    assert isinstance(machine, Machine)
    written = repr(next(d for d in machine.rules.definitions if d.name == "others").cases)
    assert "StateRead(name='wish'" in written
    assert "Local(name='q'" in written
    assert "q~~" in written


def test_claims_are_about_all_values() -> None:
    machine = library().machine("given", 2, {})
    assert isinstance(machine, Machine)
    verifier = Verifier(machine.instance, Settings())
    verdicts = {p.name: str(verifier.verify(p).verdict) for p in machine.rules.properties}
    assert verdicts["sworn"] == "refuted"


def own(*hand: str, **others: Any) -> Scored | Waiting | Fault:
    return score_hand({"rules": "own", "hand": [*hand], **others}, library(OWN))


def points(*hand: str, **others: Any) -> int | None:
    found = own(*hand, **others)
    assert isinstance(found, Scored), found
    return found.points


def test_a_hand_has_what_is_worked_out_from_its_tiles_as_they_are_stated() -> None:
    assert points("1c", "2c", "2c", win="1c") == 1
    assert points("1c", "2c", "2c", win="1g") == 1 + 1 + 2
    assert points("1g", "2c", "2c", win="1c") == 1 + 1 + 2


def test_what_is_stated_counts_before_what_is_worked_out() -> None:
    assert points("1g", "2c", "2c", win="1c", gold=0) == 1
    assert points("1g", "2c", "2c", win="1c", twice=1) == 1 + 1 + 1
    fault = own("1g", "2c", "2c", win="1c", gold=3)
    assert isinstance(fault, Fault)
    assert fault.message == "too much gold"


def test_each_tile_that_completes_a_hand_has_its_own_values() -> None:
    found = own("1c", "2c", "2c")
    assert isinstance(found, Waiting)
    assert {wait.tile: wait.points for wait in found.waits} == {"1c": 1, "1g": 4}
    stated = own("1c", "2c", "2c", gold=0)
    assert isinstance(stated, Waiting)
    assert {wait.tile: wait.points for wait in stated.waits} == {"1c": 1, "1g": 1}


def test_values_that_are_worked_out_are_the_same_in_games_and_for_the_judge() -> None:
    report = check_text(RuleText("own", OWN, 1), Limits(steps=True))
    assert report.findings == []


def test_a_condition_with_such_a_score_is_written_as_the_text_has_it() -> None:
    machine = library(OWN).machine("own", 2, {})
    assert isinstance(machine, Machine)
    show = next(a for a in machine.rules.actions if a.name == "show")
    condition = next(c for c in show.conditions if c.name == "points")
    assert written(condition.expr, machine.rules) == "points = worth(hand: p's hand, win: tile)"
