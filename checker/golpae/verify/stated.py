"""What a rule text states of all positions, as candidates for induction.

Input: a rule set and an `Evaluator`, perhaps of a slice of it.
Output: a candidate for each property that something always or never holds, and for each way to be vacuous.
Guarantee: candidates of the same names are the same predicates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from golpae.ir import expr as ir
from golpae.ir.applies import has_to_apply
from golpae.ir.dependencies import reads_unset, reads_unset_earlier
from golpae.ir.lifecycle import BEFORE
from golpae.ir.ruleset import PropertyDecl, RuleSet, form_of
from golpae.prove.encoding.step import Step
from golpae.prove.evaluation.evaluator import Evaluator
from golpae.prove.induction.candidate import Candidate
from golpae.prove.induction.induction import Induction
from golpae.prove.symbolic.parts import clause_of_faults
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.terms import OF_PROPERTY
from golpae.prove.symbolic.values import Truth, any_of, negate, same
from golpae.verify.properties import is_about_rules


def stated_candidates(rule_set: RuleSet, evaluator: Evaluator) -> Iterator[Candidate]:
    """Yield a candidate for each property that states what is always or never so, and one for each premise of it: that
    it is never true, which makes the property vacuous.
    """
    for prop in rule_set.properties:
        if prop.after is not None or not form_of(prop.kind).invariant:
            continue
        if is_about_rules(rule_set, prop):
            continue
        never = form_of(prop.kind).negated
        yield Candidate(prop.name, predicate_of(evaluator, prop, prop.expr, never), prop)
        if form_of(prop.kind).may_be_vacuous:
            for reason, applies in has_to_apply(prop.expr, never):
                yield Candidate(never_applies(prop, reason), predicate_of(evaluator, prop, applies, True))


def never_applies(prop: PropertyDecl, reason: str) -> str:
    """Return the name of the invariant that makes a property vacuous for this reason."""
    return f"{prop.name}: {reason}"


def predicate_of(
    evaluator: Evaluator, prop: PropertyDecl, expr: ir.Expr, never: bool
) -> Callable[[SymbolicState], Truth]:
    unset = reads_unset(expr, evaluator.rules)

    def predicate(state: SymbolicState) -> Truth:
        before = same(state.at, BEFORE) if unset else False
        if before is True:
            return True
        with clause_of_faults(OF_PROPERTY + prop.name):
            truth = evaluator.truth(expr, state, {})
        return any_of((before, negate(truth) if never else truth))

    return predicate


def postcondition(induction: Induction, prop: PropertyDecl, step: Step) -> Truth:
    """Return the formula that a property claims after a step; it is true if the property does not apply to the step."""
    if step.action.kind == "before" and reads_unset(prop.expr, induction.system.rules):
        return True
    with clause_of_faults(OF_PROPERTY + prop.name):
        truth = induction.system.after(prop.expr, step)
    return any_of(
        (is_not_asked(induction, prop, step), negate(truth) if form_of(prop.kind).negated else truth)
    )


def is_not_asked(induction: Induction, prop: PropertyDecl, step: Step) -> Truth:
    """Return whether a property reads something of the position before a step that has no value there."""
    return reads_unset_earlier(prop.expr, induction.system.rules) and same(step.before.at, BEFORE)
