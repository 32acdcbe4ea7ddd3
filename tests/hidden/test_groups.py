"""Lists of groups whose tiles nobody saw."""

from __future__ import annotations

import random
from collections import Counter
from itertools import islice

import pytest

from golpae.elaborate.instance import instantiate
from golpae.replay.machine import Machine
from golpae.replay.simulate import play
from golpae.trace import Verdict
from tests.differential.texts import RuleText
from tests.hidden.against_brute import compare, logs_of
from tests.hidden.brute import can_hold
from tests.hidden.left_out import outcome_of, parts
from tests.hidden.tiny import TinyGame

BUTTONS = """game buttons "Whoever lays out all buttons has won"

players 2 to 2

tiles 8 of 8 kinds
  buttons: one of each "{colour}-{size}" for colour in 1 to 4, size in 1 to 2

zones
  box: tiles seen by nobody, holds the set
  each player's hand: tiles seen by its owner
  each player's cards: melds seen by everyone

state of the hand
  mover: seat or none = none

shape alike of 2 to 3: every t, u in it: t's size = u's size

deal from box
  hands: 3 for everyone
  then mover := first

action take(tile) by p
  turn: p = mover
  left: tile in box
  then move tile from box to p's hand
  then mover := p's left

action lay(sets: list of tiles) by p
  turn: p = mover
  alike: every m in sets: m is alike
  held: (sum of m for m in sets) in p's hand
  then for each m in sets: move m from p's hand to p's cards
  then mover := p's left

action add(tile, onto: tile) by p
  turn: p = mover
  held: tile in p's hand
  fits: some m in p's cards: onto in m and m + tile is alike
  then move tile from p's hand to (the m in p's cards: onto in m)
  then mover := p's left

end
  due: box is empty
"""
TEXT = RuleText("buttons", BUTTONS, 0)
HEADER = {"golpae": 1, "rules": "buttons", "players": ["An", "Bo"]}
HANDS = [["1-1", "2-1", "3-2"], ["3-1", "4-1", "4-2"]]
DEAL = {"do": "deal", "first": 0, "hands": HANDS}


@pytest.mark.solver
@pytest.mark.parametrize("seed", range(6))
def test_groups_are_judged_as_all_ways_to_fill_them_in_are(seed: int) -> None:
    rng = random.Random(seed)
    machine = Machine(instantiate(TEXT.rule_set(), 2, {}), counting=True)
    game = TinyGame(TEXT, machine, [*islice(play(machine, machine.new_state(), rng, hands=1, longest=9), 9)])
    counts: Counter[str] = Counter()
    findings = [one for _, log in logs_of(game, rng) for one in compare(game, log, counts)]
    assert not findings
    assert not counts["unknown"]


@pytest.mark.solver
def test_tiles_of_a_group_are_found() -> None:
    lay = {"do": "lay", "by": 0, "sets": [["?", "2-1"]]}
    outcome = outcome_of([HEADER, DEAL, lay], TEXT.rule_set())
    assert outcome.completion is not None
    assert outcome.completion[1]["sets"] == [["1-1", "2-1"]]


@pytest.mark.solver
@pytest.mark.parametrize(
    ("hands", "sets", "expected"),
    [
        ([3, 3], [["1-1", "?", "2-2"]], [(2, None), (2, "alike")]),  # no group has a 1-1 and a 2-2
        ([3, HANDS[1]], [["1-1", "3-1"]], [(1, 1), (2, None)]),  # Bo has the 3-1
        ([HANDS[0], 3], [["3-2", "?"]], [(1, 0), (2, None), (2, "alike")]),  # An has no mate of it
    ],
)
def test_a_group_that_cannot_be_is_a_conflict(
    hands: list[object], sets: list[list[str]], expected: list[tuple[int, object]]
) -> None:
    lay = {"do": "lay", "by": 0, "sets": sets}
    outcome = outcome_of([HEADER, {**DEAL, "hands": hands}, lay], TEXT.rule_set())
    assert (outcome.verdict, outcome.event) == (Verdict.ILLEGAL, 2)
    assert parts(outcome) == expected


@pytest.mark.solver
@pytest.mark.parametrize("hands", [[3, 3], [["1-1", "2-1", "3-1"], ["1-2", "4-1", "4-2"]]])
@pytest.mark.parametrize("sets", [[["1-1", "2-1"], ["?", "?"]], [["1-1", "?"], ["2-1", "?"]]])
@pytest.mark.parametrize("is_first", [True, False])
def test_the_named_condition_fails_for_all_tiles(
    hands: list[object], sets: list[list[str]], is_first: bool
) -> None:
    """An lays four tiles of three. They cannot be moved, so that no condition is part of the conflict; but tiles can be
    filled in with which they are `alike`.
    """
    deal = {**DEAL, "hands": hands}
    events = [deal, {"do": "lay", "by": 0, "sets": sets}]
    if not is_first:  # Bo lays none first
        events[:1] = [{**deal, "first": 1}, {"do": "lay", "by": 1, "sets": []}]
    outcome = outcome_of([HEADER, *events], TEXT.rule_set())
    assert (outcome.verdict, outcome.event) == (Verdict.ILLEGAL, len(events))
    assert not outcome.conflict
    assert (outcome.clause, outcome.message) == ("buttons.lay.held", "`held` does not hold")
    machine = Machine(instantiate(TEXT.rule_set(), 2, {}))
    fitting = [*events[:-1], {**events[-1], "sets": [["1-1", "2-1"], ["?", "?"]]}]
    assert can_hold(machine, fitting, "alike")
    assert not can_hold(machine, events, "held")
