"""The facts about an event never contradict each other: otherwise every proof would be vacuous."""

from __future__ import annotations

from itertools import groupby

import pytest

from golpae.elaborate.check import elaborate
from golpae.elaborate.instance import instantiate
from golpae.prove.encoding.step import Step
from golpae.prove.evaluation.memo_keys import key_of
from golpae.prove.induction.induction import Induction
from golpae.prove.solving.solver import SAT, UNSAT
from golpae.verify.analysis import Analysis
from golpae.verify.options import Settings

slow = pytest.mark.slow


def event(step: Step) -> str:
    """Return the event of a step, in words."""
    return f"{step.action.name} {[(name, key_of(value)) for name, value in step.names.items()]}"


def contradicted(induction: Induction) -> list[str]:
    """Return the events that their conditions allow and their facts exclude."""
    out = []
    session = induction.session()
    for name, ways in groupby(induction.steps, event):
        steps = list(ways)
        may = [s for s in steps if session.check(name, [s.guard]).status != UNSAT]
        if may and not any(session.check(name, s.path_condition).status == SAT for s in may):
            out.append(name)
    return out


@pytest.mark.parametrize(
    ("rules", "players"),
    [
        ("jjak", 2),
        pytest.param("ho-hpai", 3, marks=slow),
        pytest.param("three-dozen", 2, marks=slow),
        pytest.param("three-dozen", 3, marks=slow),
        pytest.param("korean-mahjong", 4, marks=slow),
    ],
)
def test_facts_contradict_no_possible_event(rules: str, players: int) -> None:
    induction = Analysis(instantiate(elaborate(rules), players, {}), Settings()).induction
    session = induction.session()
    assert session.check("the table", []).status == SAT
    for step in induction.steps:
        assert session.check(event(step), [*step.facts, *step.definitions]).status == SAT, event(step)
    assert contradicted(induction) == []
    possible = {s.action.name for s in induction.steps if session.check("it", s.path_condition).status == SAT}
    assert possible == {a.name for a in induction.system.rules.actions}


def test_contradictory_facts_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    induction = Analysis(instantiate(elaborate("ho-hpai"), 3, {}), Settings()).induction
    monkeypatch.setattr(Step, "path_condition", property(lambda step: (*step.facts, False)))
    assert contradicted(induction) == list(dict.fromkeys(map(event, induction.steps)))
