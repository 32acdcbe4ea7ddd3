"""Candidates that some step violates are dropped, and those that need them as well."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import z3

from golpae.prove.induction.candidate import Candidate
from golpae.prove.induction.induction import Induction
from golpae.prove.solving.solver import OUT_OF_EFFORT, QUESTION, UNKNOWN, Reply, Session
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.values import Truth, any_of, at_least, same
from tests.prove.induction.pile import GAME, induction_of


def low(state: SymbolicState) -> Truth:
    return at_least(3, state.vars["turns"])


def natural(state: SymbolicState) -> Truth:
    return at_least(state.vars["turns"], 0)


def started(state: SymbolicState) -> Truth:
    return any_of([at_least(state.vars["turns"], 1), same(state.vars["mover"], None)])


def names(induction: Induction) -> list[str]:
    return [c.name for c in induction.invariants]


def test_a_candidate_that_a_step_violates_is_dropped_and_the_rest_stays() -> None:
    induction = induction_of(GAME)
    assert induction.add_invariants([Candidate("low", low), Candidate("natural", natural)])
    assert names(induction) == ["natural"]
    assert induction.failures["low"].where == "put"


def test_a_candidate_that_needs_another_holds_together_with_it_only() -> None:
    alone = induction_of(GAME)
    alone.add_invariants([Candidate("started", started)])
    assert names(alone) == []
    together = induction_of(GAME)
    together.add_invariants([Candidate("started", started), Candidate("natural", natural)])
    assert names(together) == ["started", "natural"]
    later = induction_of(GAME)
    later.add_invariants([Candidate("natural", natural)])
    later.add_invariants([Candidate("started", started)])
    assert names(later) == ["natural", "started"]


def test_nothing_is_added_after_the_deadline() -> None:
    induction = induction_of(GAME)
    assert not induction.add_invariants([Candidate("natural", natural)], most=-1)
    assert names(induction) == []


def test_one_question_is_about_several_steps_of_an_action() -> None:
    induction = induction_of(GAME)
    before = induction.solver.queries
    assert induction.add_invariants([Candidate("natural", natural)])
    assert induction.solver.queries - before < len(induction.steps)


def test_of_several_steps_those_that_a_model_takes_drop_candidates() -> None:
    for late in (0, 1, 2):  # the step that breaks it is not always the first of its action
        induction = induction_of(GAME)
        puts = [n for n, step in enumerate(induction.steps) if step.action.name == "put"]
        broken = puts[min(late, len(puts) - 1)]
        step = induction.steps[broken]
        after = step.after.copy()
        after.vars["turns"] = 9
        induction.steps[broken] = replace(step, after=after)
        assert induction.add_invariants([Candidate("low", low), Candidate("natural", natural)])
        assert names(induction) == ["natural"]


def test_what_is_asked_does_not_depend_on_the_order_of_what_is_needed() -> None:
    """Needs are sets of names, whose order depends on the hash seed of the process."""
    asked = []
    for order in (1, -1):
        induction = induction_of(GAME)
        solver = induction.solver
        solver.answered = []
        candidates = [Candidate("natural", natural), Candidate("started", started), Candidate("low", low)]
        needs = {c.name: [one.name for one in candidates][::order] for c in candidates}
        assert induction.violated(candidates, needs) == {"low"}
        assert not induction.add_as_said(candidates, needs)
        asked.append([formula.sexpr() for one in solver.answered for formula in one.formulas])
    assert asked[0] == asked[1]


def test_no_candidate_is_taken_for_one_that_was_dropped() -> None:
    """z3 gives the number of a formula that nobody holds any more to another one."""

    def beyond(least: int) -> Candidate:
        return Candidate(
            f"beyond {least}", lambda s: z3.And(s.vars["turns"] >= least, s.vars["turns"] > least - 9)
        )

    for many in range(20):
        induction = induction_of(GAME)
        assert induction.add_invariants([*map(beyond, range(many, 0, -1)), beyond(0)])
        assert names(induction) == ["beyond 0"]


def test_what_first_tries_leave_open_is_asked_in_parts_with_more_units(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first, later = set[int](), set[int]()
    check = Session.check

    def without_first_tries(
        self: Session,
        about: str,
        formulas: Any,
        units: int = QUESTION,
        *others: Any,
        is_first_try: bool = False,
    ) -> Reply:
        (first if is_first_try else later).add(units)
        if is_first_try:
            return Reply(UNKNOWN, None, OUT_OF_EFFORT)
        return check(self, about, formulas, units, *others)

    candidates = [Candidate("natural", natural), Candidate("started", started), Candidate("low", low)]
    induction = induction_of(GAME)
    with monkeypatch.context() as changed:
        changed.setattr(Session, "check", without_first_tries)
        induction.add_invariants(candidates)
    assert names(induction) == ["natural", "started"]
    assert first
    assert min(later) > 3 * max(first)
