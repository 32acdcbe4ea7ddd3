"""The stakes at which two payouts have to be compared, so that all stakes are.

Input: two rule sets.
Output: a few stakes, or None if no number of them is enough.
Guarantee: if both pay the same from one position at these stakes, they do at every stake.

Payments are polynomials in the stake, unless something other than `+`, `-` and `*` is done to it. Two polynomials of
degree n that agree at n + 1 numbers are equal.
"""

from __future__ import annotations

from collections.abc import Mapping

from golpae.ir import expr as ir
from golpae.ir.dependencies import Dependencies, paying_effects, pays
from golpae.ir.ruleset import Definition, RuleSet
from golpae.ir.traverse import exprs_of, flat
from golpae.ir.types import Int

MOST_STAKES = 8


def stakes_to_try(a: RuleSet, b: RuleSet) -> tuple[int, ...] | None:
    """Return the stakes at which the payments of two rule sets have to be the same."""
    degrees = [_degree_of(rules) for rules in (a, b)]
    known = [degree for degree in degrees if degree is not None]
    if len(known) < 2 or max(known) >= MOST_STAKES:
        return None
    return tuple(range(1, max(known) + 2))


def _degree_of(rules: RuleSet) -> int | None:
    definitions = {d.name: d for d in rules.definitions}
    dependencies = Dependencies(rules)
    degrees: list[int] = [0]
    for effect in flat(paying_effects(rules)):
        for expr in exprs_of(effect):
            amount = pays(effect) and isinstance(expr.type, Int)
            degree = _degree(expr, definitions, dependencies) if amount else _none_of(expr, dependencies)
            if degree is None:
                return None
            degrees.append(degree)
    return max(degrees)


def _degree(expr: ir.Expr, definitions: Mapping[str, Definition], dependencies: Dependencies) -> int | None:
    """Return a bound on the degree of a number as a polynomial in the stake; None if it may be none."""
    if isinstance(expr, ir.Builtin) and expr.name == "stake":
        return 1
    if isinstance(expr, ir.Op) and expr.op in ("add", "sub", "mul"):
        degrees = [_degree(arg, definitions, dependencies) for arg in expr.args]
        known = [degree for degree in degrees if degree is not None]
        if len(known) < len(degrees):
            return None
        return sum(known) if expr.op == "mul" else max(known)
    if isinstance(expr, ir.If) and _none_of(expr.test, dependencies) == 0:
        branches = [_degree(branch, definitions, dependencies) for branch in (expr.yes, expr.no)]
        return None if None in branches else max(d for d in branches if d is not None)
    if isinstance(expr, ir.CallDef) and definitions[expr.name].single:
        if all(_none_of(arg, dependencies) == 0 for arg in expr.args):
            return _degree(definitions[expr.name].cases[0].expr, definitions, dependencies)
    return _none_of(expr, dependencies)


def _none_of(expr: ir.Expr, dependencies: Dependencies) -> int | None:
    """Return 0 if an expression does not depend on the stake, otherwise None."""
    return None if "stake" in dependencies.reads([expr]) else 0
