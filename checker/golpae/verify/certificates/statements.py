"""Obligations of theorems: the questions to the solver on which the answer rests.

Input: a property that reads nothing of a game under way. Output: each question with the answer that golpae rests on.
Guarantee: the same text, table and version of the solver give the same questions. If golpae answers without the solver,
there is one obligation, which is trivial and says so.
"""

from __future__ import annotations

from golpae.elaborate.blocks import BRINGS
from golpae.elaborate.instance import Instance
from golpae.ir.ruleset import PropertyDecl
from golpae.prove.answer import PROVED
from golpae.prove.induction.obligations import TRUE
from golpae.prove.solving.obligation import Goal, Hypothesis, Obligation, Role
from golpae.prove.solving.solver import SAT, Answered
from golpae.prove.theorem import Theorems
from golpae.verify.analysis import Analysis
from golpae.verify.options import Settings
from golpae.verify.pattern_implications import brings

THEOREM = "theorem"


class NotProved(Exception):
    """Today golpae does not prove a statement."""


def statement(instance: Instance, prop: PropertyDecl, effort: float) -> tuple[Theorems, list[Obligation]]:
    """Return the obligations of a theorem, and what their symbols belong to. Raises `NotProved` and `Unsupported`."""
    analysis = Analysis(instance, Settings(effort=effort))
    answered: list[Answered] = []
    analysis.solver.answered = answered
    with analysis.apart(prop.name):
        if prop.name.endswith(BRINGS):
            score = next(s for s in instance.rule_set.scores if s.name == prop.name.removesuffix(BRINGS))
            holds = brings(analysis.theorems, score).verdict == PROVED
        else:
            outcome = analysis.theorems.outcome(prop.name, prop.expr)
            holds = outcome is not None and outcome.holds
    if not holds:
        raise NotProved(prop.name)
    obligations = [_obligation(prop, one) for one in _that_count(answered)]
    if not obligations:
        goal = Goal(prop.name, True, TRUE)
        obligations = [Obligation(THEOREM, f"{prop.name} is true of this set of tiles", (), (goal,))]
    return analysis.theorems, obligations


def _obligation(prop: PropertyDecl, answered: Answered) -> Obligation:
    words = f"of the statement `{answered.about}`"
    hypotheses = tuple(Hypothesis(words, truth, Role.CASE) for truth in answered.formulas)
    if answered.status == SAT:
        return Obligation(THEOREM, f"{prop.name}: there is such a case", hypotheses, (), expected="sat")
    goal = Goal("there is no such case", False)
    return Obligation(THEOREM, f"{prop.name}: {answered.about}", hypotheses, (goal,))


def _that_count(answered: list[Answered]) -> list[Answered]:
    """Return the questions without those that were asked again with axioms, because they had a model without them."""
    out = []
    for number, one in enumerate(answered):
        then = {id(f) for after in answered[number + 1 : number + 2] for f in after.formulas}
        if one.status != SAT or not {id(f) for f in one.formulas} < then:
            out.append(one)
    return out
