"""Check the words that only properties have: `earlier`, and `every way of` a score.

Input: a surface expression, its scope and the checker of its text. Output: an IR expression. Raises
`RefusedExpression`.
Guarantee: `earlier` stands where an event has happened, and ways read nothing but a hand and what is given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from golpae.diagnostics import Span
from golpae.elaborate.typecheck import overloads, type_errors
from golpae.elaborate.typecheck.names import require_score
from golpae.elaborate.typecheck.scope import Scope
from golpae.elaborate.typecheck.symbols import RefusedExpression
from golpae.ir import expr as ir
from golpae.ir.types import BOOL, Type
from golpae.syntax import tree as t

if TYPE_CHECKING:
    from golpae.elaborate.typecheck.expressions import Checker


def earlier(checker: Checker, expr: t.Earlier, scope: Scope, expected: Type | None) -> ir.Expr:
    if not scope.event:
        raise type_errors.no_event(expr)
    value = checker.infer(expr.arg, scope.earlier(), expected)
    return ir.Earlier(value, value.type)


def ways(checker: Checker, expr: t.Ways, scope: Scope) -> ir.Expr:
    symbols, score = checker.symbols, expr.score.text
    head = Span(expr.span.text, expr.span.start, expr.score.span.end)
    if checker.in_ways or not checker.ways_allowed:
        raise type_errors.misplaced_ways(head, score, checker.in_ways)
    require_score(symbols, expr.score)
    if score not in symbols.keep_scopes:
        raise RefusedExpression
    asked = next(
        filter(None, map(symbols.dependencies.first_read, symbols.dependencies.exprs_of(("score", score)))),
        None,
    )
    if asked is not None:
        raise type_errors.ways_of_game(expr.score.span, score, asked)
    checker.in_ways = True
    try:
        # the names of the score hide names outside it
        own = symbols.keep_scopes[score]
        names: dict[str, Type] = {**scope.locals, "kept": BOOL, **own.locals}
        body = checker.check(expr.body, BOOL, Scope(names, asked=own.asked, by_face=own.by_face))
    finally:
        checker.in_ways = False
    read = symbols.dependencies.first_read(body)
    if read is not None:
        raise type_errors.ways_read(expr.body.span, score, read)
    return ir.Ways(overloads.QUANTIFIERS[expr.kind], score, body, BOOL)
