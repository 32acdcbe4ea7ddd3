"""Moves conserve the tiles; a step that loses one is noticed."""

from __future__ import annotations

from dataclasses import replace

from golpae.prove.induction.conservation import check_conservation
from golpae.prove.symbolic.values import EMPTY
from tests.prove.induction.pile import GAME, induction_of


def test_moves_conserve_the_tiles() -> None:
    assert check_conservation(induction_of(GAME)) is None


def test_a_step_that_loses_tiles_is_named() -> None:
    induction = induction_of(GAME)
    number = next(n for n, step in enumerate(induction.steps) if step.action.name == "take")
    step = induction.steps[number]
    after = step.after.copy()
    after.zones["pool"] = replace(after.zones["pool"], bag=EMPTY)
    induction.steps[number] = replace(step, after=after)
    failure = check_conservation(induction)
    assert failure is not None
    assert failure.where == "take"


def test_one_question_is_about_several_steps() -> None:
    induction = induction_of(GAME)
    before = induction.solver.queries
    assert check_conservation(induction) is None
    assert 0 < induction.solver.queries - before < len(induction.steps) - 1
