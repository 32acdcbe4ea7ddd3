"""Ranking functions: numbers that show that every hand ends.

Input: the `Induction` of one table and a number expression. Output: whether the number is a ranking function, and the
highest value that a hand can start with.
Guarantee: a number that passes is never negative and decreases at each event, so a hand has at most as many events as
the number is after the deal.
"""

from __future__ import annotations

from golpae.ir import expr as ir
from golpae.prove.encoding.step import Step
from golpae.prove.induction.candidate import Failure
from golpae.prove.induction.induction import Induction
from golpae.prove.solving.solver import SAT, UNKNOWN
from golpae.prove.symbolic.values import Number, Truth, at_least, conj, minus, negate

MOST_STEPS = 10_000  # questions for the highest value


def check_ranking(induction: Induction, measure: ir.Expr, action: str | None) -> Failure | None:
    """Check that a number is never negative in a hand and decreases at each event. Return None if so.

    With an action: that it decreases at each event of this action and increases at no other event.
    """
    system = induction.system
    number = system.evaluator.number(measure, induction.state, {})
    violations: dict[str, list[Truth]] = {}
    for step in induction.steps:
        if step.action.kind == "play":
            begin = len(system.symbols.facts)
            goal = falls(induction, number, measure, action, step)
            facts = system.symbols.facts[begin:]
            violation = conj(*step.path_condition, *facts, negate(goal))
            violations.setdefault(step.action.name, []).append(violation)
    for name, of_action in violations.items():
        failure = induction.check_impossible(f"what is left to do, after {name}", name, of_action)
        if failure is not None:
            return failure
    return None


def falls(induction: Induction, number: Number, measure: ir.Expr, action: str | None, step: Step) -> Truth:
    """Return whether a step makes a number fall that has to, or else does not let it rise, and not below 0."""
    later = induction.system.evaluator.number(measure, step.after, {})
    decrease = 1 if action in (None, step.action.name) else 0
    return conj(at_least(minus(number, decrease), later), at_least(later, 0))


def highest_after_deal(induction: Induction, measure: ir.Expr) -> int | None:
    """Return the highest value of a number right after a deal, or None if the solver shows none."""
    system = induction.system
    highest: int | None = None
    for step in induction.steps:
        if step.action.kind != "deal":
            continue
        begin = len(system.symbols.facts)
        start = system.evaluator.number(measure, step.after, {})
        if isinstance(start, int):
            highest = start if highest is None else max(highest, start)
            continue
        formulas = [*step.facts, *system.symbols.facts[begin:], step.guard]
        low = highest
        session = induction.session()
        for _ in range(MOST_STEPS):
            goal = True if low is None else at_least(start, low + 1)
            reply = session.check("highest number", [*formulas, goal])
            if reply.status == UNKNOWN:
                return None
            if reply.status != SAT:
                break
            low = reply.satisfied_by.number(start)
        else:
            return None
        highest = low
    return highest
