"""When a condition says something: the question whether it is vacuous.

Input: a truth. Output: another truth, where it applies: false wherever the first one holds whatever stands in place of
what it says, because its premise is false or what it goes through is empty.
Guarantee: if the second one is false wherever a property is asked, the property is vacuous. The converse does not hold:
a form that is not named here applies everywhere. Where the first one has a value, the second one has.

    every t in hand: t in seen implies f(t)    ->    some t in hand: t in seen
    not A or B                                 ->    A
"""

from __future__ import annotations

from golpae.ir import expr as ir
from golpae.ir.traverse import joined
from golpae.ir.types import BOOL, INT

ALWAYS = ir.Const(True, BOOL)
NO_PREMISE = "its premise is never true"
NOTHING = "it goes through nothing"


def has_to_apply(expr: ir.Expr, negated: bool = False) -> list[tuple[str, ir.Expr]]:
    """Return premises, each with a reason: if it is nowhere true, the expression, or its negation, is vacuous for that
    reason.

    The first reason counts.
    """
    there = where_it_applies(expr, negated, premises=False)
    applies = where_it_applies(expr, negated)
    out = [(NOTHING, there)] if there != ALWAYS else []
    return [*out, (NO_PREMISE, applies)] if applies not in (ALWAYS, there) else out


def where_it_applies(expr: ir.Expr, negated: bool = False, premises: bool = True) -> ir.Expr:
    """Return where a truth, or its opposite if `negated`, says something; `ALWAYS` if everywhere.

    Without `premises`, only what it goes through counts.
    """
    if isinstance(expr, ir.Op):
        return _of_op(expr, negated, premises)
    if isinstance(expr, ir.Quant):
        return _of_quantifier(expr, negated, premises)
    if isinstance(expr, ir.Ways) and (expr.kind == "some") is negated:
        body = where_it_applies(expr.body, negated or expr.kind == "no", premises)
        return ir.Ways("some", expr.score, body, BOOL)
    if isinstance(expr, ir.If) and not negated:
        yes, no = (where_it_applies(e, False, premises) for e in (expr.yes, expr.no))
        return ALWAYS if yes == no == ALWAYS else ir.If(expr.test, yes, no, BOOL)
    return ALWAYS


def _of_op(expr: ir.Op, negated: bool, premises: bool) -> ir.Expr:
    match expr.op:
        case "not":
            return where_it_applies(expr.args[0], not negated, premises)
        case "implies" if not negated:
            premise, conclusion = expr.args
            return _both(premise if premises else ALWAYS, where_it_applies(conclusion, False, premises))
        case "or" if not negated and premises:
            return _of_alternatives(list(joined(expr, "or")))
        case "and" if not negated:
            return _any([where_it_applies(a, False, premises) for a in expr.args])
        case "or" if negated:
            return _any([where_it_applies(a, True, premises) for a in expr.args])
        case _:
            return ALWAYS


def _of_alternatives(parts: list[ir.Expr]) -> ir.Expr:
    """Return where alternatives say something: those with `not` are premises, unless all or none are.

    INVARIANT: each is evaluated only where those before it do not hold, for they may ask what is none.
    """
    refused = [p.args[0] if isinstance(p, ir.Op) and p.op == "not" else None for p in parts]
    if all(r is None for r in refused) or None not in refused:
        return ALWAYS
    said = where_it_applies(parts[-1]) if refused[-1] is None else refused[-1]
    for part, premise in zip(parts[-2::-1], refused[-2::-1], strict=True):
        said = _any([part, said]) if premise is None else _both(premise, said)
    return said


def _of_quantifier(expr: ir.Quant, negated: bool, premises: bool) -> ir.Expr:
    """Return where some member is gone through of which the body says something."""
    if (expr.kind == "some") is not negated:
        return ALWAYS  # it says that there is one
    body = where_it_applies(expr.body, negated or expr.kind == "no", premises)
    if expr.size is not None and body == ALWAYS:
        copies = ir.Op("size", (expr.domain,), INT)
        least = ir.Op("le", (ir.Const(0, INT), expr.size), BOOL)
        return _both(least, ir.Op("le", (expr.size, copies), BOOL))
    return ir.Quant("some", expr.names, expr.domain, body, BOOL, expr.size)


def _both(*parts: ir.Expr) -> ir.Expr:
    premises = tuple(p for p in parts if p != ALWAYS)
    if not premises:
        return ALWAYS
    return premises[0] if len(premises) == 1 else ir.Op("and", premises, BOOL)


def _any(parts: list[ir.Expr]) -> ir.Expr:
    if not parts or ALWAYS in parts:
        return ALWAYS
    return parts[0] if len(parts) == 1 else ir.Op("or", tuple(parts), BOOL)
