"""The solver for numbers of few values."""

from __future__ import annotations

import pytest
import z3

from golpae.prove.solving.finite_solver import FiniteSolver

X, Y, OPEN = z3.Ints("x y open")
YES = z3.Bool("yes")


def solver(*truths: z3.BoolRef) -> FiniteSolver:
    made = FiniteSolver({"x": (0, 3), "y": (-2, 2)})
    made.add(truths)
    return made


@pytest.mark.solver
def test_numbers_keep_to_their_bounds() -> None:
    assert solver(X + Y >= 6).check({})[0] == "unsat"
    assert solver(X - Y <= -3).check({})[0] == "unsat"
    five_or_six = z3.If(YES, 5, 6)
    found = solver(five_or_six == X + Y, 2 * X - Y >= 4)
    assert found.check({})[0] == "sat"
    assert found.model().values([X, Y, YES]) == [3, 2, True]


@pytest.mark.solver
def test_assumptions_hold_for_one_answer() -> None:
    found = solver(z3.Implies(YES, X == 2), X + Y == 5)
    assert found.check({"yes": YES})[0] == "unsat"
    assert found.check({})[0] == "sat"
    before = found.work
    found.add([YES])
    assert found.check({})[0] == "unsat"
    assert found.work >= before > 0


@pytest.mark.solver
@pytest.mark.parametrize("other", [OPEN == 7, X * Y == 100, X % 3 == 5])
def test_comparisons_of_other_numbers_can_be_true_or_not(other: z3.BoolRef) -> None:
    found = solver(z3.Implies(YES, other), X + Y == -1, Y >= -1)
    assert found.check({"yes": YES})[0] == "sat"
    assert found.model().values([X, Y]) == [0, -1]


@pytest.mark.solver
def test_a_number_that_depends_on_such_a_comparison_is_one_of_two() -> None:
    chosen = z3.If(OPEN >= 0, X, Y)
    assert solver(chosen >= 3, X + Y <= 2).check({})[0] == "sat"
    assert solver(chosen >= 3, X + Y <= 0).check({})[0] == "unsat"
