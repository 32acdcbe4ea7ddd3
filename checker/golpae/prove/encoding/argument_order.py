"""Whether it matters in which order an event names its tiles.

In: an action with a parameter written `{a, b}`, and the `Evaluator` of a table. Out: whether its conditions and
effects, or what is to hold after it, can tell one order of these tiles from another. Where they cannot, one order
stands for all.

    {a, b} in p's hand            no: a bag has no order
    pair(a, b) or pair(b, a)      no: it is tried, for all tiles of the set
    a's size <= b's size          yes
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement, permutations
from math import comb

from golpae.ir import expr as ir
from golpae.ir.dependencies import first_read
from golpae.ir.ruleset import Action
from golpae.ir.traverse import exprs_in, names_in
from golpae.ir.types import BOOL, INT
from golpae.prove.evaluation.evaluator import Evaluator
from golpae.prove.symbolic.values import Unsupported

MOST_TRIED = 20_000  # choices of tiles


def is_order_sensitive(action: Action, evaluator: Evaluator) -> bool:
    """Whether an action tells the tiles of a `{a, b}` from those of `{b, a}`."""
    exprs = [c.expr for c in action.conditions]
    exprs += exprs_in(e for c in action.effects for e in c.effects)
    exprs += [p.expr for p in evaluator.rules.properties if p.after == action.name]
    each = [frozenset(p.parts) for p in action.params if p.parts]
    return any(_ordered(expr, parts, evaluator) for parts in each for expr in exprs)


def _ordered(expr: ir.Expr, parts: frozenset[str], evaluator: Evaluator) -> bool:
    if not names_in(expr) & parts:
        return False
    match expr:
        case ir.Local():
            return True
        case ir.BagOf(items=items) if _are(items, parts):
            return False
        case _ if expr.type in (BOOL, INT) and _never_matters(expr, parts, evaluator):
            return False
        case ir.CallDef(name=name, args=args):
            given = [a for a in args if isinstance(a, ir.Local) and a.name in parts]
            if any(_ordered(a, parts, evaluator) for a in args if a not in given):
                return True
            if not given:
                return False
            definition = evaluator.definitions[name]
            inner = frozenset(
                p.name for p, a in zip(definition.params, args, strict=True) if any(a is g for g in given)
            )
            return not _are(given, parts) or any(_ordered(c.expr, inner, evaluator) for c in definition.cases)
        case _:
            return any(_ordered(inner, parts, evaluator) for inner in _within(expr))


def _are(items: Sequence[ir.Expr], parts: frozenset[str]) -> bool:
    """Whether these are the parts, each once."""
    named = {i.name for i in items if isinstance(i, ir.Local)}
    return len(items) == len(parts) and named == parts


def _within(expr: ir.Expr) -> Iterator[ir.Expr]:
    for name in expr.__dataclass_fields__:
        value = getattr(expr, name)
        yield from (p for p in (value if isinstance(value, tuple) else (value,)) if isinstance(p, ir.Expr))


def _never_matters(expr: ir.Expr, parts: frozenset[str], evaluator: Evaluator) -> bool:
    """Whether something that asks for these tiles alone is the same in every order, whichever they are."""
    names, kinds = sorted(parts), evaluator.kinds
    if first_read(expr, evaluator.definitions) is not None:
        return False
    if comb(len(kinds) + len(names) - 1, len(names)) > MOST_TRIED:
        return False
    try:
        for tiles in combinations_with_replacement(kinds, len(names)):
            if evaluator.in_set(tiles):
                found = {
                    evaluator.value(expr, None, dict(zip(names, order, strict=True)))
                    for order in permutations(tiles)
                }
                if len(found) > 1 or not all(isinstance(v, bool | int) for v in found):
                    return False
    except (Unsupported, KeyError, TypeError):  # it asks for more than these tiles
        return False
    return True
