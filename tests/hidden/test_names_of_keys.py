"""A key of an ordinary event may have the name of a key of the deal, and a condition that of one that every game asks.
They mean nothing that has to do with these.
"""

from __future__ import annotations

import random
from collections import Counter
from itertools import islice

import pytest

from golpae.elaborate.instance import instantiate
from golpae.replay.machine import Machine
from golpae.replay.simulate import play
from golpae.trace import Verdict
from golpae.verify.privacy.pairs import PairSearch
from tests.differential.texts import RuleText
from tests.hidden.against_brute import compare, logs_of
from tests.hidden.left_out import outcome_of, parts
from tests.hidden.tiny import TinyGame

PEGS = """game pegs "Players drop pegs and show them"

players 2 to 2

tiles
  pegs: one of each a b c d e f g h

zones
  box: tiles seen by nobody, holds the set
  each player's hand: tiles seen by its owner
  shown: tiles seen by everyone

state of the hand
  mover: seat or none = none

deal from box
  hands: 3 for everyone
  then mover := first

action drop(ONE: tile) by p
  turn: p = mover
  held: ONE in p's hand
  then move ONE from p's hand to box
  then mover := p's left

action show(MANY: tiles, ONE: tile) by p
  turn: p = mover
  held: MANY + ONE in p's hand
  then move MANY from p's hand to shown
  then mover := p's left

end
  due: box is empty
"""
HEADER = {"golpae": 1, "rules": "pegs", "players": ["An", "Bo"]}
DEAL = {"do": "deal", "first": 0, "hands": [["a", "b", "c"], 3]}
NAMES = [("tile", "tiles"), ("reserve", "hands"), ("hands", "reserve"), ("first", "open")]


def _text(one: str, many: str) -> RuleText:
    return RuleText("pegs", PEGS.replace("ONE", one).replace("MANY", many), 0)


@pytest.mark.solver
@pytest.mark.parametrize(("one", "many"), NAMES)
def test_an_unknown_tile_can_be_one_of_the_deal(one: str, many: str) -> None:
    """An's hand is known, so that what An drops is no tile that the deal does not state."""
    rules = _text(one, many).rule_set()
    outcome = outcome_of([HEADER, DEAL, {"do": "drop", "by": 0, one: "?"}], rules)
    assert outcome.verdict is Verdict.INCOMPLETE
    assert outcome.completion is not None
    assert outcome.completion[1][one] in "abc"
    show = {"do": "show", "by": 0, one: "?", many: ["?", "c"]}
    outcome = outcome_of([HEADER, DEAL, show], rules)
    assert outcome.completion is not None
    assert {outcome.completion[1][one], outcome.completion[1][many][0]} == {"a", "b"}


@pytest.mark.solver
@pytest.mark.parametrize(("one", "many"), NAMES)
def test_what_an_event_says_is_a_record(one: str, many: str) -> None:
    rules = _text(one, many).rule_set()
    outcome = outcome_of([HEADER, DEAL, {"do": "drop", "by": 0, one: "d"}], rules)
    assert parts(outcome) == [(1, 0), (2, None)]
    drops = [{"do": "drop", "by": by, one: "d"} for by in (0, 1)]
    shows = [{"do": "show", "by": by, one: "?", many: ["d", "e"]} for by in (0, 1)]
    outcome = outcome_of([HEADER, {**DEAL, "hands": [3, 3]}, shows[0], drops[1]], rules)
    assert parts(outcome) == [(2, None), (3, None)]
    outcome = outcome_of([HEADER, {**DEAL, "hands": [3, 3]}, *shows], rules)
    assert parts(outcome) == [(2, None), (3, None)]


@pytest.mark.solver
@pytest.mark.parametrize(("one", "many"), NAMES)
def test_logs_are_judged_as_all_ways_to_fill_them_in_are(one: str, many: str) -> None:
    rng, text = random.Random(3), _text(one, many)
    machine = Machine(instantiate(text.rule_set(), 2, {}), counting=True)
    game = TinyGame(text, machine, [*islice(play(machine, machine.new_state(), rng, hands=1, longest=6), 6)])
    counts: Counter[str] = Counter()
    findings = [finding for _, log in logs_of(game, rng) for finding in compare(game, log, counts)]
    assert not findings
    assert counts["legal: legal"] + counts["incomplete: incomplete"]
    assert not counts["unknown"]


def test_a_search_for_pairs_of_games_swaps_tiles_of_deals_alone() -> None:
    compared = []
    for one, many in NAMES[:2]:
        search = PairSearch(Machine(instantiate(_text(one, many).rule_set(), 2, {}), counting=True), 1)
        assert search.find(1) is None
        compared.append(search.compared)
    assert len({*compared}) == 1


@pytest.mark.solver
@pytest.mark.parametrize("name", ["held", "open", "set", "hands"])
def test_words_for_a_condition_with_the_name_of_one_of_every_game(name: str) -> None:
    rules = RuleText("pegs", _text("tile", "tiles").source.replace("held:", f"{name}:"), 0).rule_set()
    outcome = outcome_of([HEADER, DEAL, {"do": "drop", "by": 0, "tile": "d"}], rules)
    assert (outcome.clause, parts(outcome)) == (f"pegs.drop.{name}", [(1, 0), (2, None)])
    assert "event 1 (An's hand a b c), event 2 (An: drop d) cannot stand together" in str(outcome.message)
    show = {"do": "show", "by": 0, "tile": "?", "tiles": ["?"] * 4}
    outcome = outcome_of([HEADER, DEAL, show], rules)
    assert (outcome.clause, outcome.message) == (f"pegs.show.{name}", f"`{name}` does not hold")
