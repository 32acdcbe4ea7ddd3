"""A solver in its own context answers as z3 does, and names what its proof needs."""

from __future__ import annotations

import z3

from golpae.prove.solving.fresh_solver import FreshSolver

A, B, N = z3.Bool("a"), z3.Bool("b"), z3.Int("n")


def test_a_model_is_in_the_main_context() -> None:
    solver = FreshSolver()
    solver.add([N >= 3, N <= 3])
    assert solver.check({}) == ("sat", "")
    assert solver.model().eval(N).as_long() == 3


def test_the_core_names_assumptions_also_if_they_are_asked_again() -> None:
    solver = FreshSolver()
    solver.add([z3.Implies(A, N >= 3), z3.Implies(B, N <= 7)])
    for _ in range(2):
        solver.z3.push()
        solver.add([N == 2])
        assert solver.check({"first": A, "second": B})[0] == "unsat"
        assert solver.core({"first": A, "second": B}) == {"first"}
        solver.z3.pop()
    assert solver.check({"second": B})[0] == "sat"


def test_work_grows_with_each_question() -> None:
    solver = FreshSolver()
    before = solver.work
    solver.add([N * N == 49, N > 0])
    solver.check({})
    assert solver.work > before
