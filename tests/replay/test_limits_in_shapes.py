"""A shape that needs a number beyond what golpae goes on with is a fault of the rules, which names the condition."""

from __future__ import annotations

import random

import pytest

from golpae.elaborate.instance import instantiate
from golpae.ir.limits import TooManySteps
from golpae.replay.legal_events import Legal
from golpae.replay.machine import Machine
from golpae.replay.random_deal import random_deal
from tests.prove.meanings import game, rule_set_of

COINS = 'two of each "{size}c" for size in 4 to 9'
BIG = "\nshape big(a): 2 ^ (10 ^ (a's size)) > 3\narrangement one-big: 1 big\n"
GO = """
action go by p "go"
  big: p's hand is big "no"
  then n := n + 1

action make by p "make"
  big: p's hand is one-big "no"
  then n := n + 1
"""


def test_a_condition_whose_shape_passes_a_limit_has_no_meaning() -> None:
    text = game(coins=COINS, state="n: number = 0", actions=GO, more=BIG)
    machine = Machine(instantiate(rule_set_of(text), 2, {}))
    legal, state = Legal(machine), machine.new_state(1)
    seat = legal.can_deal(state)[0]
    deal = random_deal(machine, state, seat, random.Random(1))
    machine.apply(deal.action, state, deal.args)
    for name in ("go", "make"):
        with pytest.raises(TooManySteps, match="4,000 digits"):
            machine.check(name, state, (seat,))
    with pytest.raises(TooManySteps):
        list(legal.events(state))
