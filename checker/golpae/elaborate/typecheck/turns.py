"""The players from one on round the table: `the next q after p: test`, `the last q before p: test`.

Input: such an expression and its scope. Output: its value in words that every reader knows.
Guarantee: what is asked is typed once, so that it has each fault once.

    the next q after p: test    becomes, for up to three players,
    (the q in {p's right}: test) otherwise (the q in {p's right's right}: test) otherwise (the q in {p's ...}: test)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from golpae.elaborate.typecheck.choices.sequences import MOST_AS_NUMBER
from golpae.elaborate.typecheck.symbols import RefusedExpression
from golpae.ir import expr as ir
from golpae.ir.types import BOOL, SEAT, SEATS, Opt
from golpae.syntax import tree as t

if TYPE_CHECKING:
    from golpae.elaborate.typecheck.expressions import Checker
    from golpae.elaborate.typecheck.scope import Scope


def round_the_table(checker: Checker, expr: t.Fold, scope: Scope) -> ir.Expr:
    """Return the first player with the test, going round from one player; that player comes last."""
    start = checker.check(expr.domain, SEAT, scope)
    [word] = expr.names
    assert expr.test is not None
    test = checker.check(expr.test, BOOL, scope.with_local(word.text, SEAT))
    players = checker.symbols.most_players
    if players is None:
        message = f"`{expr.kind}` goes round a table of unknown size: an option decides how many may play"
        raise RefusedExpression("G007", message, expr.span, MOST_AS_NUMBER)
    side: ir.WordName = "right" if expr.kind == "the next" else "left"
    seat, tests = start, []
    for _ in range(players):
        seat = ir.Builtin(side, seat, SEAT)
        one = ir.BagOf((seat,), SEATS)
        tests.append(ir.Fold("the", (word.text,), one, None, test, Opt(SEAT)))
    out: ir.Expr = tests.pop()
    while tests:
        out = ir.Op("otherwise", (tests.pop(), out), Opt(SEAT))
    return out
