"""The words of this folder: what each of them is typed as.

Input: an expression that is a choice, a question to an order, or a number next to others. Output: its value in the IR.
Guarantee: each word is named here once; a fault in it raises `Refused`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from golpae.elaborate.typecheck.choices import numbers, sequences
from golpae.elaborate.typecheck.choices.cases import by_cases
from golpae.elaborate.typecheck.scope import Scope
from golpae.ir import expr as ir
from golpae.ir.types import INT, Type
from golpae.syntax import tree as t

if TYPE_CHECKING:
    from golpae.elaborate.typecheck.expressions import Checker

Word = t.Rounded | t.Extreme | t.NextTo | t.PlaceOf | t.Cases


def value(checker: Checker, expr: Word, scope: Scope, expected: Type | None) -> ir.Expr:
    """Return the value of an expression. Raises `Refused`."""
    match expr:
        case t.Rounded(number=number, direction=direction, unit=unit):
            of, to = (checker.check(part, INT, scope) for part in (number, unit))
            return numbers.rounded(of, direction, to)
        case t.Extreme(kind=kind, left=left, right=right):
            one, other = (checker.check(part, INT, scope) for part in (left, right))
            return numbers.extreme(kind, one, other)
        case t.NextTo():
            return sequences.next_to(checker, expr, scope)
        case t.PlaceOf():
            return sequences.place_of(checker, expr, scope)
        case t.Cases(by=_, rows=_, in_line=_):
            return by_cases(checker, expr, scope, expected)
        case _:
            assert_never(expr)
