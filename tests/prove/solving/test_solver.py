"""Questions are put to a solver, and to a second one, which takes no time of a proof."""

from __future__ import annotations

import time

import pytest
import z3

from golpae.prove.solving import solver as solve
from golpae.prove.solving.solver import SAT, UNSAT, Disagreement, Solver

ONE, OTHER = z3.Bool("one"), z3.Bool("other")
NEVER = [ONE, z3.Not(ONE)]


class Clock:
    """A clock that goes on only when somebody waits."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        monkeypatch.setattr(time, "monotonic", lambda: self.now)

    def waits(self, status: str) -> str:
        self.now += 100
        return status


def test_the_time_of_the_second_solver_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    monkeypatch.setattr(solve, "cvc5_status", lambda text, milliseconds: clock.waits(UNSAT))
    solver = Solver(crosscheck=True)
    clock.now += 7
    assert solver.check("never", NEVER).status == UNSAT
    solver.unsat_core("never", NEVER, {})
    assert (solver.confirmed, clock.now, solver.clock) == (2, 207, 7)


def test_the_time_of_a_disagreement_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    monkeypatch.setattr(solve, "cvc5_status", lambda text, milliseconds: clock.waits(SAT))
    solver = Solver(crosscheck=True)
    with pytest.raises(Disagreement, match="never: z3 says unsat, cvc5 says sat"):
        solver.check("never", NEVER)
    assert (clock.now, solver.clock) == (100, 0)


@pytest.mark.parametrize("broad", [False, True])
def test_a_session_starts_from_its_facts(broad: bool) -> None:
    session = Solver().session([z3.Or(ONE, OTHER)], broad)
    assert session.check("neither", [z3.Not(ONE), z3.Not(OTHER)]).status == UNSAT
    reply = session.check("the other", [z3.Not(ONE)])
    assert reply.status == SAT
    assert z3.is_true(reply.model[OTHER])
