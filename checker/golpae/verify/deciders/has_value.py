"""Asks whether a property has a value at every position, before golpae says that it is proved.

Input: the analysis of one instance, a property, and the answer to it.
Output: the same answer, or `unknown`.
Guarantee: a proof that no game shows is said only of a property that passes no limit of numbers (section 7.10 of the
semantics), at any position. The prover counts without limits.
"""

from __future__ import annotations

from dataclasses import replace

from golpae.ir.limits import DIGITS, WIDEST
from golpae.ir.ruleset import PropertyDecl
from golpae.prove.answer import PROVED, REFUTED, UNKNOWN, Answer
from golpae.prove.limits.limits import WITHIN
from golpae.prove.limits.static import POWER
from golpae.prove.symbolic.parts import parts_apart
from golpae.prove.symbolic.terms import OF_PROPERTY, Unsupported
from golpae.verify.analysis import Analysis, NotKept
from golpae.verify.deciders.always import invariant_failure
from golpae.verify.deciders.phrases import names_of


def with_value(analysis: Analysis, prop: PropertyDecl, answer: Answer) -> Answer:
    """Return an answer, or that nobody knows if the property may have no value. Raises `NotKept`."""
    is_static = prop.after is None and analysis.is_static(prop.expr)
    if answer.verdict not in (PROVED, REFUTED) or (answer.witness is not None and not is_static):
        return answer
    if analysis.limits.of_property(prop) == WITHIN:
        return answer
    lemmas = _shown(analysis, prop)
    if lemmas is not None:
        return replace(answer, lemmas=tuple(dict.fromkeys((*answer.lemmas, *lemmas))))
    if analysis.settings.kept is not None:
        raise NotKept
    return Answer(UNKNOWN, _story(analysis, prop), unsupported=OF_PROPERTY + prop.name)


def _shown(analysis: Analysis, prop: PropertyDecl) -> tuple[str, ...] | None:
    """Return the invariants by which a property always has a value, or None if that is not shown."""
    value = next(
        (p for p in analysis.instance.rule_set.properties if p.name == f"{prop.name} has a value"), None
    )
    if value is None:
        return None
    try:
        with analysis.apart(value.name), parts_apart():
            if value.kind == "theorem":
                return () if analysis.theorems.prove(value.name, value.expr).verdict == PROVED else None
            if invariant_failure(analysis, value) is not None:
                return None
            return names_of([c for c in analysis.induction.invariants if c.stated is not prop])
    except Unsupported:
        return None


def _story(analysis: Analysis, prop: PropertyDecl) -> str:
    what, where = analysis.limits.passing(prop)[0]
    more = f"{DIGITS:,} digits" if what == POWER else f"{WIDEST:,} numbers"
    place = f" in `{where}`" if where else ""
    return f"the property may have no value: {what}{place} may have more than {more}"
