"""A hand without a legal event is a deadlock."""

from __future__ import annotations

from golpae.ir.lifecycle import OVER
from golpae.prove.induction.candidate import Candidate
from golpae.prove.induction.deadlock import check_deadlock_freedom
from golpae.prove.induction.invariant_templates import basics
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.values import Truth, negate, same
from tests.prove.induction.pile import GAME, PUT, induction_of

REST = "\naction rest by p\n  then turns := turns + 1\n"


def not_over(state: SymbolicState) -> Truth:
    return negate(same(state.at, OVER))


def test_an_action_that_is_always_legal_excludes_deadlocks() -> None:
    induction = induction_of(GAME + REST)
    induction.add_invariants([Candidate("not over", not_over), *basics(induction.system)])
    assert check_deadlock_freedom(induction) is None


def test_a_game_that_can_get_stuck_is_not_proved_free_of_deadlocks() -> None:
    assert check_deadlock_freedom(induction_of(PUT)) is not None
