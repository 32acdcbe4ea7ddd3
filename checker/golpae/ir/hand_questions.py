"""What expressions ask about whole hands, and what they say beside that.

Input: a rule set; expressions of it. Output: whether an expression asks what tiles score or whether they are an
arrangement; a truth that does not ask, and implies it or follows from it.
Guarantee: which of the two it is does not depend on what the hands are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from golpae.ir.dependencies import Dependencies
from golpae.ir.expr import Const, Expr, If, Op, Quant
from golpae.ir.ruleset import RuleSet
from golpae.ir.types import BOOL


def asks_about_hands(rules: RuleSet, hands: bool = True) -> Callable[[Expr], bool]:
    """Return whether expressions ask what tiles score or, with `hands`, whether they are an arrangement.

    Directly or through definitions.
    """
    dependencies = Dependencies(rules)
    whole = {("shape", arrangement.name) for arrangement in rules.arrangements if hands}

    def asks(expr: Expr) -> bool:
        return any(part[0] == "score" or part in whole for part in dependencies.reached_by((expr,)))

    return asks


def without(expr: Expr, asks: Callable[[Expr], bool], good: bool) -> Expr:
    """Return a truth that does not ask about hands: one that follows if `good`, or else one that implies this one."""
    if not asks(expr):
        return expr
    if isinstance(expr, Op) and expr.op in ("and", "or"):
        return replace(expr, args=tuple(without(arg, asks, good) for arg in expr.args))
    if isinstance(expr, Op) and expr.op == "not":
        return replace(expr, args=(without(expr.args[0], asks, not good),))
    if isinstance(expr, Op) and expr.op == "implies":
        premise, conclusion = expr.args
        return replace(expr, args=(without(premise, asks, not good), without(conclusion, asks, good)))
    if isinstance(expr, Quant) and expr.size is None and not asks(expr.domain):
        return replace(expr, body=without(expr.body, asks, good is not (expr.kind == "no")))
    if isinstance(expr, If) and not asks(expr.test):
        yes, no = (without(e, asks, good) for e in (expr.yes, expr.no))
        return replace(expr, yes=yes, no=no)
    return Const(good, BOOL)
