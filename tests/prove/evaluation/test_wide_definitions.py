"""A truth about many unknown hands is one symbol if no solver can express what is asked of each."""

from __future__ import annotations

import z3

from golpae.prove.symbolic.values import constants
from tests.prove.induction.pile import system_of
from tests.prove.probe import rule_set

MELDS = """
zones
  each player's melds: melds seen by everyone

state of the hand
  turns: number = 0

shape twin(a, b): a = b
arrangement pairs: 2 twins

define has-waits(p: seat, s: tiles): some t in kinds: s + t beside p's melds is pairs

action lay(tiles: {a, b}) by p
  twin: a = b
  then move {a, b} from p's hand to p's melds as twin

action rest by p
  then turns := turns + 1

always somebody-waits: every p in players: has-waits(p, p's hand)
"""


def test_waiting_beside_unknown_melds_is_one_symbol_for_the_same_hand() -> None:
    system = system_of(rule_set(MELDS))
    state = system.unknown_state()
    (waits,) = (p.expr for p in system.rules.properties if p.name == "somebody-waits")
    holds = system.evaluator.truth(waits, state, {})
    assert not isinstance(holds, bool)
    assert len(constants([holds])) == 2
    later = state.copy()
    later.vars["turns"] = 7
    again = system.evaluator.truth(waits, later, {})
    assert isinstance(again, z3.ExprRef)
    assert again.eq(holds)


def test_waiting_without_melds_is_what_the_hands_say() -> None:
    system = system_of(rule_set(MELDS))
    (waits,) = (p.expr for p in system.rules.properties if p.name == "somebody-waits")
    assert system.evaluator.truth(waits, system.initial_state(), {}) is False
