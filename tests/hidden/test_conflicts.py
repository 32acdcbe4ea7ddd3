"""Conflicts of recorded games with hidden tiles: what they are made of, and that no part of them can be left out."""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path

import pytest

from golpae.hidden.conflicts.one_search import Apart
from golpae.hidden.following import Completed
from golpae.prove.solving.solver import MILLION
from golpae.trace import Verdict
from tests.differential.texts import RuleText
from tests.hidden.game_of_jjak import HEADER, changed
from tests.hidden.left_out import one_search, outcome_of, parts

TAKEN = Path(__file__).parent / "spades_taken_by_another.jsonl"
SHELF = """game shelf "A player takes what lies in front"

players 2 to 2

tiles
  coins: one of each a b c

zones
  stock: row seen by nobody, holds the set
  each player's hand: tiles seen by its owner

state of the hand
  mover: seat or none = none

deal from stock
  set: first = mover "somebody else begins"
  hands: 1 for everyone
  then mover := first

action show(tile) by p
  held: tile in p's hand
  then move tile from p's hand to back of stock

end
  due: stock is empty
"""
FREE = """game free "Whoever shows the key frees the turn"

players 2 to 2

tiles
  coins: one of each b c d
  keys: one of each a

zones
  stock: row seen by nobody, holds the set
  each player's hand: tiles seen by its owner
  shown: tiles seen by everyone

state of the hand
  mover: seat
  free: yes or no = no

deal from stock
  hands: 2 for everyone
  then mover := first

action show(tile) by p
  turn: p = mover or free
  held: tile in p's hand
  then
    move tile from p's hand to shown
    when tile in keys: free := yes
    mover := mover's left

end
  due: stock is empty and free
"""
FREE_HEADER = {"golpae": 1, "rules": "free", "players": ["An", "Bo"]}


@pytest.mark.solver
def test_who_takes_a_trick_is_a_matter_of_two_cards() -> None:
    """The king of spades beats the queen, whatever else is in the trick and whatever was played before it."""
    lines = [json.loads(line) for line in TAKEN.read_text().splitlines()]
    outcome = outcome_of(lines)
    assert (outcome.verdict, outcome.event) == (Verdict.ILLEGAL, 34)
    assert parts(outcome) == [(32, None), (33, None), (34, "turn")]
    assert [part.says for part in outcome.conflict[:2]] == ["P3: play K of spades", "P0: play Q of spades"]


@pytest.mark.solver
@pytest.mark.parametrize("order", [*permutations(range(4))][::5])
def test_answers_do_not_depend_on_the_questions_before(order: tuple[int, ...]) -> None:
    """Bo lays 6-6 6-6, and An discards a third one."""
    events = changed(e1={"hands": [5, 6]}, e5={"tile": "?"}, e6={"tile": "6-6"})[:6]
    lay, discard = (2, None), (6, None)
    pair = frozenset({(2, "pair")})
    search = one_search([HEADER, *events], [lay, (3, None), discard], pair)
    questions = [([lay, discard], True), ([lay], False), ([discard], False), ([lay, (3, None)], False)]
    for number in order:
        records, is_apart = questions[number]
        found = search.asked_of(records, pair, MILLION, 40)
        assert isinstance(found, Apart if is_apart else Completed)
        if isinstance(found, Apart):
            assert found.records == {lay, discard}


@pytest.mark.solver
def test_a_condition_is_left_out_by_a_literal() -> None:
    events = changed(e1={"hands": [5, 6]}, e2={"tiles": ["6-6", "5-5"]})[:2]
    pair = frozenset({(2, "pair")})
    search = one_search([HEADER, *events], [(2, None)], pair)
    assert isinstance(search.asked_of([(2, None)], frozenset(), MILLION, 40), Completed)
    assert search.asked_of([(2, None)], pair, MILLION, 40) == Apart(frozenset({(2, None)}), pair)


@pytest.mark.solver
def test_a_condition_may_have_the_name_of_what_every_game_asks() -> None:
    header = {"golpae": 1, "rules": "shelf", "players": ["An", "Bo"]}
    deal = {"do": "deal", "first": 0, "hands": [["?"], ["?"]]}
    outcome = outcome_of([header, deal], RuleText("shelf", SHELF, 0).rule_set())
    assert (outcome.verdict, outcome.event) == (Verdict.ILLEGAL, 1)
    assert parts(outcome) == [(1, "set")]


@pytest.mark.solver
def test_a_hand_that_is_partly_known_is_a_record() -> None:
    """Bo has both 6-6, and An discards one: what Bo lays and discards is not needed for that."""
    hand = ["6-6", "6-6", "?", "?", "?", "?"]
    hidden = {"tiles": ["?", "?"]}
    events = changed(e1={"hands": [5, hand]}, e2=hidden, e3=hidden, e5={"tile": "?"}, e6={"tile": "6-6"})
    outcome = outcome_of([HEADER, *events])
    assert (outcome.verdict, outcome.event) == (Verdict.ILLEGAL, 6)
    assert parts(outcome) == [(1, 1), (6, None)]


@pytest.mark.solver
def test_a_condition_that_leaves_no_seat_out_is_behind_its_literal() -> None:
    """An shows twice in turn: the first tile was the key, but only if `turn` is asked."""
    shows = [{"do": "show", "by": 0, "tile": "b"}, {"do": "show", "by": 0, "tile": "?"}]
    lines = [FREE_HEADER, {"do": "deal", "first": 0, "hands": [2, 2]}, *shows]
    turn = frozenset({(3, "turn")})
    search = one_search(lines, [(2, None)], turn, turn, RuleText("free", FREE, 0).rule_set())
    assert not search.narrowed
    assert isinstance(search.asked_of([(2, None)], frozenset(), MILLION, 40), Completed)
    assert search.asked_of([(2, None)], turn, MILLION, 40) == Apart(frozenset({(2, None)}), turn)


@pytest.mark.solver
def test_words_name_events_before_whose_conditions_count() -> None:
    """Bo cannot show the key, because An did, who could not have shown twice without it."""
    shows = [{"do": "show", "by": by, "tile": tile} for by, tile in ((0, "?"), (0, "?"), (1, "a"))]
    lines = [FREE_HEADER, {"do": "deal", "first": 0, "hands": [2, 2]}, *shows]
    outcome = outcome_of(lines, RuleText("free", FREE, 0).rule_set())
    assert (outcome.verdict, outcome.event) == (Verdict.ILLEGAL, 4)
    assert parts(outcome) == [(4, None), (3, "turn")]
    assert "event 3 (An's show)" in (outcome.message or "")
