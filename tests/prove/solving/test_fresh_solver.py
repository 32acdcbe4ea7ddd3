"""A solver in its own context answers as z3 does, and names what its proof needs."""

from __future__ import annotations

import re
from pathlib import Path

import z3

import golpae
from golpae.prove.solving.fresh_solver import FreshSolver

A, B, N = z3.Bool("a"), z3.Bool("b"), z3.Int("n")


def test_a_model_has_values_of_terms_of_the_main_context() -> None:
    solver = FreshSolver()
    solver.add([N >= 3, N <= 3, A])
    assert solver.check({})[0] == "sat"
    model = solver.model()
    assert model.values([N, N + 1, 5, A, B], complete=False) == [3, 4, 5, True, None]
    assert dict(model.constants()) == {"n": 3, "a": True}
    assert model.holds(A)
    assert not model.holds(B)


def test_a_model_changes_no_later_answer() -> None:
    """z3 takes other steps here once a model has come into the main context."""
    at = z3.Int("at")
    rules = [at >= 0, at <= 12]
    for place in range(12):
        here, hidden = z3.Int(f"here {place}"), z3.Int(f"hidden {place}")
        rules += [here >= 0, here <= 1, z3.Implies(at == place, here - hidden >= 1)]
    works = []
    for _ in range(4):
        solver = FreshSolver()
        solver.add(rules)
        assert solver.check({})[0] == "sat"
        assert solver.model().holds(z3.And(rules))
        works.append(solver.work)
    assert len(set(works)) == 1


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


def test_no_part_of_golpae_uses_what_looks_at_the_clock_in_z3() -> None:
    """`z3.Solver` tries tactics first, some of which give up after seconds: a busy machine then has other answers. That
    of QF_FD tries none: it turns numbers of few values into bits, and searches with a counted effort.
    """
    timed = re.compile(r"\bz3\.(Solver|SolverFor(?!\(\"QF_FD\")|Tactic|TryFor|Then|OrElse|ParOr|Optimize)\(")
    files = list(Path(golpae.__file__).parent.rglob("*.py"))
    assert [file.name for file in files if "z3.SimpleSolver(" in file.read_text("utf-8")]
    assert [file.name for file in files if timed.search(file.read_text("utf-8"))] == []
