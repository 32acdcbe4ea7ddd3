"""Compare words by the order of a kind of value: `trump < no-trump`.

Input: two expressions that are words, and the kinds in order of the text. Output: the comparison of their places.
Guarantee: the IR has no order of words: a word becomes the number of its place.

    trump < no-trump      (if trump = clubs then 1 else if trump = diamonds then 2 else ...) < 5
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from golpae.diagnostics import Span, quoted_list
from golpae.elaborate.typecheck import group_words
from golpae.elaborate.typecheck.names import is_value
from golpae.elaborate.typecheck.overloads import without_none
from golpae.elaborate.typecheck.scope import Scope
from golpae.elaborate.typecheck.symbols import RefusedExpression, SymbolTable
from golpae.elaborate.typecheck.type_errors import mismatched
from golpae.ir import expr as ir
from golpae.ir.types import BOOL, INT, Choice, Opt, join
from golpae.syntax import tree as t

if TYPE_CHECKING:
    from golpae.elaborate.typecheck.expressions import Checker


def compared(checker: Checker, expr: t.Binary, scope: Scope) -> tuple[ir.Expr, ir.Expr]:
    """Return two numbers, or the places of two words of a kind that is in order."""
    symbols, left = checker.symbols, expr.left
    is_word = isinstance(left, t.Name) and not is_value(symbols, left.name, scope)
    left_first = not is_word and not group_words.is_group(symbols, left)
    first, second = (expr.left, expr.right) if left_first else (expr.right, expr.left)  # `clubs < trump`
    one = checker.infer(first, scope)
    kind = without_none(one.type)
    if not isinstance(kind, Choice):
        one = checker.fit(one, first, INT, scope)
        two = checker.check(second, INT, scope)
    else:
        two = checker.infer(second, scope, kind)
        joined = join(kind, without_none(two.type))
        if not isinstance(joined, Choice):
            raise mismatched(second, two.type, kind, scope)
        for side, value in ((first, one), (second, two)):
            if isinstance(value.type, Opt):
                raise mismatched(side, value.type, value.type.item, scope)
        order = order_of(symbols, joined, expr.span)
        one, two = place(order, one), place(order, two)
    return (one, two) if left_first else (two, one)


def order_of(symbols: SymbolTable, words: Choice, span: Span) -> tuple[str, ...]:
    """Return the words of the kind whose order these have, the lowest first. Raises `RefusedExpression`."""
    orders = [order for order in symbols.orders if set(words.words) <= set(order)]
    if not orders:
        listed = ", ".join(words.words)
        advice = f"say which is higher: `kind ... in order: {listed}`, the lowest first"
        raise RefusedExpression("T001", f"the words {quoted_list(words.words)} have no order", span, advice)
    first, *others = orders
    for other in others:
        if [w for w in first if w in words.words] != [w for w in other if w in words.words]:
            message = f"two kinds of value have {quoted_list(words.words)} in different orders"
            raise RefusedExpression("T001", message, span, "compare words of one of these kinds")
    return first


def place(order: tuple[str, ...], word: ir.Expr) -> ir.Expr:
    """Return the place of a word in an order, 1 for the lowest."""
    kind = word.type
    assert isinstance(kind, Choice)
    if isinstance(word, ir.Const):
        return ir.Const(order.index(str(word.value)) + 1, INT)
    *words, last = sorted(kind.words, key=order.index)
    out: ir.Expr = ir.Const(order.index(last) + 1, INT)
    for each in reversed(words):
        test = ir.Op("eq", (word, ir.Const(each, kind)), BOOL)
        out = ir.If(test, ir.Const(order.index(each) + 1, INT), out, INT)
    return out
