"""Questions are put to a solver, and to a second one, which confirms them."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest
import z3

from golpae.prove.solving import solver as solve
from golpae.prove.solving.model import Model
from golpae.prove.solving.solver import OUT_OF_EFFORT, SAT, UNKNOWN, UNSAT, Limits, Solver, SolverDisagreement

ONE, OTHER = z3.Bool("one"), z3.Bool("other")
NEVER = [ONE, z3.Not(ONE)]


def test_the_second_solver_confirms(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solve, "cvc5_status", lambda text, effort: UNSAT)
    solver = Solver(crosscheck=True)
    assert solver.check("never", NEVER).status == UNSAT
    solver.unsat_core("never", NEVER, {})
    assert (solver.queries, solver.confirmed) == (2, 2)


def test_a_disagreement_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solve, "cvc5_status", lambda text, effort: SAT)
    with pytest.raises(SolverDisagreement, match="never: z3 says unsat, cvc5 says sat"):
        Solver(crosscheck=True).check("never", NEVER)


def test_the_second_solver_counts_its_work() -> None:
    script = solve._script(pigeons(8))
    assert solve.cvc5_status(script, 1) == UNSAT
    assert solve.cvc5_status(script, 1e-6) == UNKNOWN


NUMBER, OTHER_NUMBER = z3.Ints("number other")


@pytest.mark.parametrize(
    ("logic", "formula", "answer"),
    [
        ("QF_LIA", z3.If(ONE, NUMBER * 2, OTHER_NUMBER / 3) == NUMBER % 5, SAT),
        ("LIA", z3.ForAll([NUMBER], NUMBER > OTHER_NUMBER), UNSAT),
        ("ALL", z3.And(NUMBER * OTHER_NUMBER == 6, NUMBER > 4, OTHER_NUMBER > 1), UNSAT),
    ],
)
def test_a_script_names_the_narrowest_logic(logic: str, formula: z3.BoolRef, answer: str) -> None:
    script = solve._script([formula])
    assert script.startswith(f"(set-logic {logic})\n")
    assert solve.cvc5_status(script, 1) == solve.z3_status(script) == answer


def test_values_that_one_solver_found_are_confirmed_by_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """cvc5 is asked again, without them, only if they do not show it."""
    asked, scripts = [], []
    cvc5_status = solve.cvc5_status

    def noted(script: str, effort: float) -> str:
        asked.append((script.count("(assert (= |"), cvc5_status(script, effort)))
        scripts.append(script)
        return asked[-1][1]

    monkeypatch.setattr(solve, "cvc5_status", noted)
    solver = Solver(crosscheck=True)
    number = z3.Int("a number")
    formulas = [z3.If(ONE, number, NUMBER) == -3, z3.Not(ONE), number > 1]
    assert solver.check("values", formulas).status == SAT
    assert asked == [(3, SAT)]
    assert "(assert (= |number| (- 3)))" in scripts[0]
    assert solver.check("none", [*formulas, NUMBER > 0]).status == UNSAT
    assert asked[1:] == [(0, UNSAT)]
    monkeypatch.setattr(Model, "constants", lambda model: [("a number", 0)])
    assert solver.check("other values", formulas).status == SAT
    assert asked[2:] == [(1, UNSAT), (0, SAT)]
    assert (solver.queries, solver.confirmed) == (3, 3)


def pigeons(birds: int) -> list[z3.BoolRef]:
    """Return that so many birds sit in one hole less, each in one of its own: false, and long to refute."""
    sits = [[z3.Bool(f"{bird} in {hole}") for hole in range(birds - 1)] for bird in range(birds)]
    alone = [
        z3.Not(z3.And(a, b)) for one, other in combinations(sits, 2) for a, b in zip(one, other, strict=True)
    ]
    return [*(z3.Or(*holes) for holes in sits), *alone]


def test_the_work_for_a_question_does_not_depend_on_others() -> None:
    alone, after_others = Solver(), Solver()
    for birds in (3, 5, 4):
        after_others.check("others", pigeons(birds))
    before = after_others.spent
    for solver in (alone, after_others):
        assert solver.check("pigeons", pigeons(6)).status == UNSAT
    assert after_others.spent - before == alone.spent > 0


def under(names: str, order: str) -> z3.BoolRef:
    """Return a question with a quantifier over numbers of these names, which are made in this order."""
    made = {name: z3.Int(name) for name in order}
    a, b, c = (made[name] for name in names)
    return z3.Exists([a], z3.And(a + b <= 2 * c, z3.ForAll([b], a + 2 * b + c >= 0)))


def test_the_text_of_a_question_does_not_depend_on_what_was_made_first() -> None:
    texts = [solve._script([under(names, order)]) for names, order in (("mno", "mno"), ("uvw", "wvu"))]
    [read_mno, read_uvw] = (solve.read_back([under(names, names)])[0].sexpr() for names in ("mno", "uvw"))
    same = str.maketrans("uvw", "mno")
    assert texts[0] != texts[1]
    assert texts[0] == re.sub(r"\b[uvw]\b", lambda found: found[0].translate(same), texts[1])
    assert read_mno == re.sub(r"\b[uvw]\b", lambda found: found[0].translate(same), read_uvw)


def test_a_question_that_takes_too_much_work_has_no_answer() -> None:
    reply = Solver().check("pigeons", pigeons(8), units=1_000)
    assert (reply.status, reply.reason) == (UNKNOWN, OUT_OF_EFFORT)
    assert Solver(Limits(effort=30)).check("pigeons", pigeons(5), units=10_000).status == UNSAT
    assert Solver(Limits(most=1_000)).check("pigeons", pigeons(8)).status == UNKNOWN


def test_a_question_that_stands_for_several_may_take_as_much_work_as_they() -> None:
    assert Solver().session(()).check("pigeons", pigeons(7), units=2_000).status == UNKNOWN
    assert Solver().session(()).check("pigeons", pigeons(7), units=2_000, stands_for=30).status == UNSAT


def test_a_session_goes_on_after_a_question_without_an_answer() -> None:
    session = Solver().session([z3.Or(ONE, OTHER)])
    assert session.check("pigeons", pigeons(8), units=1_000).reason == OUT_OF_EFFORT
    assert session.check("neither", [z3.Not(ONE), z3.Not(OTHER)]).status == UNSAT


def test_a_core_names_the_assumptions_of_a_proof() -> None:
    assumed = {"first": z3.Bool("a"), "second": z3.Bool("b")}
    core = Solver().unsat_core("core", [z3.Implies(assumed["first"], ONE), z3.Not(ONE)], assumed)
    assert core == ("first",)


@pytest.mark.parametrize("broad", [False, True])
def test_a_session_starts_from_its_facts(broad: bool) -> None:
    session = Solver().session([z3.Or(ONE, OTHER)], broad)
    assert session.check("neither", [z3.Not(ONE), z3.Not(OTHER)]).status == UNSAT
    reply = session.check("the other", [z3.Not(ONE)])
    assert reply.status == SAT
    assert reply.satisfied_by.holds(OTHER)


def test_questions_are_written_with_their_answers(tmp_path: Path) -> None:
    both, neither = Solver(smt2=tmp_path, prefix="a-"), Solver(smt2=tmp_path, prefix="a-")
    both.check("question", [ONE, OTHER])
    neither.check("question", NEVER)  # the same number, the same words and another question
    neither.check("pigeons", pigeons(8), units=1_000)
    scripts = {path.name: path.read_text("utf-8") for path in sorted(tmp_path.iterdir())}
    assert len(scripts) == 3
    assert all(name.endswith(".smt2") for name in scripts)
    found = Counter(
        (status, solve.z3_status(script))
        for script in scripts.values()
        for status in re.findall(r"^\(set-info :status (\w+)\)$", script, re.MULTILINE)
    )
    assert found == {(SAT, SAT): 1, (UNSAT, UNSAT): 1, (UNKNOWN, UNSAT): 1}


@pytest.mark.parametrize(("is_first_try", "about"), [(False, "few"), (True, "")])
def test_what_a_first_try_uses_is_no_part_of_its_effort(is_first_try: bool, about: str) -> None:
    solver = Solver()
    one, other = z3.Ints("one other")
    formulas = [one * other == 221, one > 1, other > one]
    assert solver.session(()).check("few", formulas, is_first_try=is_first_try).status == SAT
    assert solver.spent > 0
    assert solver.fullest[1] == about
