"""Quantifiers and folds over the numbers between two bounds, such as `sum of price(n) for n in {1 to short}`.

Input: an expression whose members are numbers between bounds, the values of the bounds, and the state that it reads.
Output: a value for each choice of bounds if these are few; otherwise one unknown value for the bounds and all that the
expression reads. Guarantee: an unknown value can be whatever replay computes. If there are no numbers between the
bounds, it is that of no members.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from golpae.ir import expr as ir
from golpae.ir.traverse import asks_earlier, names_in
from golpae.ir.types import Int, Points
from golpae.prove.evaluation import operators
from golpae.prove.evaluation.context import Context, Names
from golpae.prove.evaluation.memo_keys import ByIdentity
from golpae.prove.evaluation.reads import DefinitionReads, values_read
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.terms import Unsupported
from golpae.prove.symbolic.values import (
    Bag,
    Truth,
    Value,
    as_number,
    at_least,
    cases,
    conj,
    disj,
    ite_number,
    merge,
    negate,
)

MOST_BOUNDS = 64  # choices of bounds for each of which the value is computed

Compute = Callable[[Bag], Value]  # the value for known members


def over_numbers(
    context: Context,
    reads: DefinitionReads,
    expr: ir.Quant | ir.Fold,
    bounds: Sequence[Value],
    state: SymbolicState | None,
    names: Names,
    compute: Compute,
) -> Value:
    """Return the value of an expression over the numbers between two bounds. Raises `Unsupported`."""
    lows, highs = map(cases, bounds)
    known = all(v.__class__ is int for _, v in (*lows, *highs))
    if known and len(lows) * len(highs) <= MOST_BOUNDS:
        options = [
            (conj(g, h), compute(operators.between(low, high))) for g, low in lows for h, high in highs
        ]
        return merge(options) if len(options) > 1 else options[0][1]
    low, high = map(as_number, bounds)
    arguments = _arguments(context, reads, expr, state, names)
    some = at_least(high, low)
    if isinstance(expr, ir.Quant):
        truth: Truth = context.abstraction.truth(expr.kind, (low, high, *arguments))
        return conj(some, truth) if expr.kind == "some" else disj(negate(some), truth)
    if expr.kind == "count":
        number = context.abstraction.unknown_number("number of", (low, high, *arguments))
        return ite_number(conj(some, at_least(number, 1)), number, 0)
    if expr.kind in ("sum", "most", "least") and isinstance(expr.type, Int | Points):
        number = context.abstraction.unknown_number(expr.kind, (low, high, *arguments))
        return ite_number(some, number, 0)
    raise Unsupported("numbers between unknown bounds")


def _arguments(
    context: Context,
    reads: DefinitionReads,
    expr: ir.Quant | ir.Fold,
    state: SymbolicState | None,
    names: Names,
) -> tuple[Any, ...]:
    """Return all that the value of an expression depends on, beside the bounds. Raises `Unsupported`."""
    read = reads.of_expr(expr)
    if asks_earlier(expr) or (read and state is None):
        raise Unsupported("numbers between unknown bounds")
    used = (names[name] for name in sorted(names_in(expr)) if name in names)
    values = values_read(read, (), state) if state is not None else ()
    return (ByIdentity(expr), context.arrangement, *used, *values)
