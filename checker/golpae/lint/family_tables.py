"""What is vacuous at one table under which rule sets of a game, with the switches as unknowns.

Input: what decides properties of a group of rule sets at a table; what may be vacuous, each with the rule sets that
have it. Output: `VacuousRegions`.
Guarantee: what is noted for a region is vacuous at this table under each of its rule sets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress

from golpae.families.region import Region
from golpae.ir import expr as ir
from golpae.ir.applies import has_to_apply
from golpae.ir.dependencies import reads_unset
from golpae.ir.lifecycle import BEFORE
from golpae.ir.limits import TooManySteps
from golpae.ir.ruleset import PropertyDecl, form_of
from golpae.lint.notes import Key
from golpae.lint.possible import Possible, VacuousRegions
from golpae.lint.vacuity import conditions_at, vacuity_of
from golpae.prove.solving.solver import LimitReached
from golpae.prove.symbolic.parts import parts_apart
from golpae.prove.symbolic.terms import Unsupported
from golpae.prove.symbolic.values import Truth, conj, negate, same
from golpae.replay.steps import MOST_IN_ALL
from golpae.verify.deciders.phrases import never_happens
from golpae.verify.families.analysis import FamilyAnalysis
from golpae.verify.families.decide import FamilyVerifier
from golpae.verify.families.family_table import own_property
from golpae.verify.stated import is_not_asked
from golpae.workers import tell_doing

MOST_CASES = 64  # settings of the switches that a property of the rules alone depends on
TOO_MANY = "too many cases"


def vacuous_at(
    verifier: FamilyVerifier,
    region: Region,
    wanted: Mapping[Key, Region],
    vacuous_regions: VacuousRegions,
    at: str,
) -> None:
    """Note what is vacuous at one table under rule sets of a region."""
    one = verifier.choices
    analysis = verifier.table.analysis(region)
    tell_doing(f"{at}: looking for invariants")
    with suppress(Unsupported, LimitReached, TooManySteps):
        analysis.strengthen()
    for prop in one.rule_set.properties:
        key = "property", prop.name
        if key in wanted:
            tell_doing(f"{at}: `{prop.name}`")
            analysis.machine.limit_steps(MOST_IN_ALL)
            try:
                with parts_apart():
                    _property(verifier, analysis, prop, wanted[key], vacuous_regions)
            except Unsupported as fault:
                vacuous_regions.note(key, wanted[key], f"the prover does not support {fault}", unknown=True)
            except (LimitReached, TooManySteps) as limit:
                vacuous_regions.note(key, wanted[key], str(limit), unknown=True)
    conditions_at(analysis, lambda: Possible(analysis.induction, one), wanted, vacuous_regions, at)


def _property(
    verifier: FamilyVerifier,
    analysis: FamilyAnalysis,
    prop: PropertyDecl,
    region: Region,
    vacuous_regions: VacuousRegions,
) -> None:
    """Note where a property is vacuous."""
    key = "property", prop.name
    if verifier.is_static(prop, region):
        parts = verifier.parts_of_rules(prop, region)
        if len(parts) > MOST_CASES:
            vacuous_regions.note(key, region, TOO_MANY, unknown=True)
            return
        for part in parts:
            alone = verifier.table.verifier(part.sample)
            reason = vacuity_of(alone, own_property(alone, prop))
            if reason is not None:
                vacuous_regions.note(key, part, reason)
        return
    possible = Possible(analysis.induction, verifier.choices)
    induction = analysis.induction
    steps = [step for step in induction.steps if step.action.name == prop.after]
    left = region
    if prop.after is not None:
        taken = [conj(*s.path_condition) for s in steps]
        left = _where_not(possible, prop, taken, left, vacuous_regions, never_happens(prop.after))
    for here, expr in possible.settled(prop.expr):
        own = left.intersection(here)
        for reason, applies in has_to_apply(expr, form_of(prop.kind).negated):
            if not own:
                break
            if prop.after is None:
                formulas = [_now(analysis, prop, applies)]
            else:
                formulas = [
                    conj(
                        *s.path_condition,
                        negate(is_not_asked(induction, prop, s)),
                        induction.system.after(applies, s),
                    )
                    for s in steps
                ]
            own = _where_not(possible, prop, formulas, own, vacuous_regions, reason)


def _where_not(
    possible: Possible,
    prop: PropertyDecl,
    formulas: Sequence[Truth],
    region: Region,
    vacuous_regions: VacuousRegions,
    reason: str,
) -> Region:
    """Note where none of these can be true, and return where one can."""
    can, unsure = possible.of(f"{prop.name} applies", formulas, (), region)
    vacuous_regions.note(("property", prop.name), region.difference(can).difference(unsure), reason)
    return can.union(unsure)  # what has no answer is as if it applied, as with one rule set


def _now(analysis: FamilyAnalysis, prop: PropertyDecl, applies: ir.Expr) -> Truth:
    """Return whether a property applies in the unknown state."""
    induction = analysis.induction
    symbols = induction.system.symbols
    begin = len(symbols.facts)
    truth = induction.system.evaluator.truth(applies, induction.state, {})
    unset = reads_unset(prop.expr, induction.system.rules)
    played = negate(same(induction.state.at, BEFORE)) if unset else True
    return conj(*symbols.facts[begin:], played, truth)


def cases(region: Region, switches: int, most: int) -> list[Region] | None:
    """Return the parts of a region in which these switches are the same, or None if there are too many."""
    waiting = [region]
    out: list[Region] = []
    while waiting:
        left = waiting.pop()
        varies = left.varies & switches
        if varies:
            bit = varies & -varies
            waiting += [left.restrict((bit, bit)), left.restrict((bit, 0))]
        elif len(out) == most:
            return None
        else:
            out.append(left)
    return out
