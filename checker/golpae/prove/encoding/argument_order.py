"""Whether the order in which an event names its tiles matters.

Input: an action with a parameter written `{a, b}`, and the `Evaluator` of a table. Output: whether its conditions and
effects, or what has to hold after it, can differ between the orders of these tiles. Guarantee: "no" is certain, so that
one order stands for all.

    {a, b} in p's hand            no: a bag has no order
    pair(a, b) or pair(b, a)      no: it is tried, for all tiles of the set
    a's size <= b's size          yes
"""

from __future__ import annotations

from itertools import combinations_with_replacement, permutations
from math import comb

from golpae.ir import expr as ir
from golpae.ir.ruleset import Action, effects_of
from golpae.ir.traverse import are_all, children, exprs_in, tells_apart
from golpae.ir.types import BOOL, INT
from golpae.prove.evaluation.evaluator import Evaluator
from golpae.prove.symbolic.terms import Unsupported

MOST_TRIED = 20_000  # choices of tiles


def is_order_sensitive(action: Action, evaluator: Evaluator) -> bool:
    """Return whether an action can treat the tiles of `{a, b}` and of `{b, a}` differently."""
    exprs = [c.expr for c in action.conditions]
    exprs += exprs_in(effects_of(action.effects))
    exprs += [p.expr for p in evaluator.rules.properties if p.after == action.name]
    each = [frozenset(p.parts) for p in action.params if p.parts]
    return any(_is_sensitive(expr, parts, evaluator) for parts in each for expr in exprs)


def _is_sensitive(expr: ir.Expr, parts: frozenset[str], evaluator: Evaluator) -> bool:
    if not tells_apart(expr, parts):
        return False
    if isinstance(expr, ir.Local):
        return True
    if expr.type in (BOOL, INT) and _is_symmetric(expr, parts, evaluator):
        return False
    if isinstance(expr, ir.CallDef):
        return _is_call_sensitive(expr, parts, evaluator)
    return any(_is_sensitive(child, parts, evaluator) for child in children(expr))


def _is_call_sensitive(expr: ir.CallDef, parts: frozenset[str], evaluator: Evaluator) -> bool:
    given = [a for a in expr.args if isinstance(a, ir.Local) and a.name in parts]
    if any(_is_sensitive(a, parts, evaluator) for a in expr.args if a not in given):
        return True
    if not given:
        return False
    definition = evaluator.definitions[expr.name]
    inner = frozenset(
        p.name for p, a in zip(definition.params, expr.args, strict=True) if any(a is g for g in given)
    )
    return not are_all(given, parts) or any(_is_sensitive(c.expr, inner, evaluator) for c in definition.cases)


def _is_symmetric(expr: ir.Expr, parts: frozenset[str], evaluator: Evaluator) -> bool:
    """Return whether an expression that needs only these tiles is the same in every order, for all tiles."""
    names, kinds = sorted(parts), evaluator.kinds
    if evaluator.context.dependencies.reads([expr]):
        return False
    if comb(len(kinds) + len(names) - 1, len(names)) > MOST_TRIED:
        return False
    try:
        for tiles in combinations_with_replacement(kinds, len(names)):
            if evaluator.in_set(tiles):
                values = {
                    evaluator.value(expr, None, dict(zip(names, order, strict=True)))
                    for order in permutations(tiles)
                }
                if len(values) > 1 or not all(isinstance(v, bool | int) for v in values):
                    return False
    except (Unsupported, KeyError, TypeError):  # it needs more than these tiles
        return False
    return True
