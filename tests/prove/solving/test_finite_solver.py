"""The solver for numbers of few values."""

from __future__ import annotations

from itertools import product

import pytest
import z3

from golpae.prove.solving.finite_solver import FiniteSolver
from golpae.prove.solving.solver import MILLION

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
@pytest.mark.parametrize("other", [OPEN == 7, X * OPEN == 100, X % 3 == 5])
def test_comparisons_of_other_numbers_can_be_true_or_not(other: z3.BoolRef) -> None:
    found = solver(z3.Implies(YES, other), X + Y == -1, Y >= -1)
    assert found.check({"yes": YES})[0] == "sat"
    assert found.model().values([X, Y]) == [0, -1]


@pytest.mark.solver
def test_a_number_that_depends_on_such_a_comparison_is_one_of_two() -> None:
    chosen = z3.If(OPEN >= 0, X, Y)
    assert solver(chosen >= 3, X + Y <= 2).check({})[0] == "sat"
    assert solver(chosen >= 3, X + Y <= 0).check({})[0] == "unsat"


@pytest.mark.solver
@pytest.mark.parametrize(
    "truth",
    [
        X + 2 * Y - 3 >= X * Y,
        z3.If(YES, X, -Y) == z3.If(X > Y, 2, X - Y),
        z3.And(X - Y < 2, z3.Or(X * X == Y * Y, z3.Not(YES))),
        z3.PbEq([(X == 1, 1), (Y == 1, 2), (YES, 1)], 2),
        (X + Y <= 1) == z3.Implies(YES, X != 2),
        z3.Sum([z3.If(n == X, 1, 0) for n in range(4)] + [Y, Y]) <= z3.IntVal(0),
    ],
)
def test_truths_of_few_values_have_the_models_of_the_numbers(truth: z3.BoolRef) -> None:
    for x, y, yes in product(range(4), range(-2, 3), [False, True]):
        right = z3.simplify(
            z3.substitute(truth, (X, z3.IntVal(x)), (Y, z3.IntVal(y)), (YES, z3.BoolVal(yes)))
        )
        found = solver(truth, x == X, y == Y, yes == YES)
        assert found.check({})[0] == ("sat" if z3.is_true(right) else "unsat")


@pytest.mark.solver
def test_a_number_keeps_within_what_is_said_of_it() -> None:
    total = X + Y
    found = FiniteSolver({"x": (0, 3), "y": (-2, 2)})
    found.keep_within([total], 0, 1)
    found.add([total + X >= 4])
    assert found.check({})[0] == "sat"
    x, y = found.model().values([X, Y])
    assert (x, y) == (3, -2)


@pytest.mark.solver
def test_a_comparison_of_numbers_of_many_values_is_decided_where_a_model_has_it_wrong() -> None:
    a, b, c = z3.Ints("a b c")
    made = FiniteSolver({"a": (0, 40), "b": (0, 40), "c": (0, 40)})
    made.limit(40 * MILLION)
    made.add([a * b * c == 31 * 37 * 29, a >= b, b >= c, c >= 29, c <= 30, a >= 36])
    assert made.check({})[0] == "sat"
    assert made.model().values([a, b, c]) == [37, 31, 29]
    made.add([b <= 30])
    assert made.check({})[0] == "unsat"


@pytest.mark.solver
def test_only_a_number_that_does_not_count_can_leave_its_supposed_bounds() -> None:
    made = FiniteSolver({"x": (0, 3), "y": (0, 3)})
    more = X + 1
    made.suppose_within([more], 0, 3)
    made.add([z3.If(YES, more, X) == 3, z3.Implies(YES, X >= 2), Y == X])
    assert made.check({"yes": YES})[0] == "sat"
    assert made.model().values([X, Y]) == [2, 2]
    made.add([X == 3])  # no tile is moved, so that one more does not count
    assert made.check({"yes": YES})[0] == "unsat"
    assert made.check({})[0] == "sat"
