"""`total: highest`: one pattern counts, the first in the text that has the largest number."""

from __future__ import annotations

import pytest

from golpae.elaborate.instance import instantiate
from golpae.replay.machine import Machine
from tests.prove.meanings import game, rule_set_of

TEXT = game(
    coins="two of each 1c 2c 3c",
    hands=2,
    more="""
shape couple(a, b): a = b
arrangement whole: 1 couple
score top "top"
  given
    hand: tiles
    on: numbers
  hand: hand
  as: whole
  total: highest
  pattern a 0 - 5: 1 in on
  pattern b 0 - 3: 2 in on
  pattern c 4: 3 in on
  pattern d 4: 4 in on
""",
    actions="""
action show(patterns, on: numbers) by p "show"
  fits: patterns fits top(hand: {1c, 1c}, on: on) "other patterns"
""",
)


@pytest.mark.parametrize(
    ("on", "patterns"), [([1], {"a": -5}), ([1, 2], {"b": -3}), ([1, 4], {"d": 4}), ([2, 3, 4], {"c": 4})]
)
def test_one_pattern_counts(on: list[int], patterns: dict[str, int]) -> None:
    machine = Machine(instantiate(rule_set_of(TEXT), 2, {}))
    best = machine.scorers["top"].best(None, [0, 0], on)
    assert best is not None
    assert best.total == sum(patterns.values())
    assert [dict(layout.patterns) for layout in best.layouts] == [patterns]
    state = machine.new_state()
    deal = machine.read("deal", {"do": "deal", "first": 0, "hands": [["1c", "1c"], ["2c", "2c"]]})
    assert isinstance(deal, tuple)
    machine.apply("deal", state, deal)
    for other in ({}, {"a": -5}, {"b": -3}, {"c": 4}, {"d": 4}, {"c": 4, "d": 4}, {"a": -5, "b": -3}):
        event = machine.read("show", {"do": "show", "by": 0, "patterns": other, "on": on})
        assert isinstance(event, tuple)
        assert (machine.check("show", state, event) == -1) is (other == patterns)
