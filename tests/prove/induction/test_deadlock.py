"""A hand without a legal event is a deadlock."""

from __future__ import annotations

import pytest

from golpae.ir.lifecycle import OVER
from golpae.prove.encoding.transition_system import TransitionSystem
from golpae.prove.induction.candidate import Candidate
from golpae.prove.induction.deadlock import check_deadlock_freedom
from golpae.prove.induction.invariant_templates import basics
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.values import Truth, at_least, negate, same
from tests.prove.induction.pile import GAME, PUT, induction_of, system_of
from tests.prove.probe import rule_set

REST = "\naction rest by p\n  then turns := turns + 1\n"


def not_over(state: SymbolicState) -> Truth:
    return negate(same(state.at, OVER))


def test_an_action_that_is_always_legal_excludes_deadlocks() -> None:
    induction = induction_of(GAME + REST)
    induction.add_invariants([Candidate("not over", not_over), *basics(induction.system)])
    assert check_deadlock_freedom(induction) is None


def test_a_game_that_can_get_stuck_is_not_proved_free_of_deadlocks() -> None:
    assert check_deadlock_freedom(induction_of(PUT)) is not None


HANDS = """
shape twin(a, b): a = b
arrangement pairs: 2 twins

action show by p
  pairs: p's hand is pairs
  then turns := turns + 1
"""
EITHER = "\naction rest by p\n  few: turns >= 0 or p's hand is pairs\n  then turns := turns + 1\n"
NO_PAIRS = "\naction rest by p\n  pairs: not p's hand is pairs\n  then turns := turns + 1\n"


@pytest.mark.parametrize("rest", [EITHER, NO_PAIRS])
def test_hands_are_asked_about_where_that_is_needed(rest: str) -> None:
    induction = induction_of(PUT + HANDS + rest)
    begun = [Candidate("begun", lambda state: at_least(state.vars["turns"], 0)), *basics(induction.system)]
    induction.add_invariants([Candidate("not over", not_over), *begun])
    assert check_deadlock_freedom(induction) is None


def test_a_condition_about_hands_that_refuses_is_named_with_its_action() -> None:
    failure = check_deadlock_freedom(induction_of(PUT + HANDS))
    assert failure is not None
    assert set(failure.refused) <= {"put.turn", "put.held", "show.pairs"}, failure.refused


def test_keys_of_an_action_that_the_state_refuses_are_not_gone_through(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    system = system_of(rule_set(GAME))
    state = system.unknown_state()
    state.vars["mover"] = 1
    (put,) = (action for action in system.rules.actions if action.name == "put")
    assert list(system.steps_by(1, put, state, exhaustive=True))
    monkeypatch.setattr(TransitionSystem, "choices", pytest.fail)
    assert not list(system.steps_by(0, put, state, exhaustive=True))
