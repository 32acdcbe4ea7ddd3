"""A definition by cases, written out as `if ... then ... else`.

Input: the rows of a definition. Output: the expression that says the same.
Guarantee: pure; every part keeps its span. Without `otherwise`, the last row is what is left.

    by n                              if n = 0 or n in {3 to 5} then E
      0 or 3 to 5: E          ->      else S
      otherwise: S
"""

from __future__ import annotations

from functools import reduce

from golpae.syntax import tree as t


def written_out(cases: t.Cases) -> t.Expr:
    """Return the choice that says what the cases say."""
    *rows, last = cases.rows
    out = last.value
    for row in reversed(rows):
        if row.keys:
            out = t.If(row.span.to(last.span), test_of(cases, row), row.value, out)
    return out


def test_of(cases: t.Cases, row: t.CaseRow) -> t.Expr:
    """Return the test of a row that is not `otherwise`."""
    if cases.by is None:
        return row.keys[0]
    tests = [_test(cases.by, key) for key in row.keys]
    return reduce(lambda left, right: t.Binary(left.span.to(right.span), "or", left, right), tests)


def _test(by: t.Expr, key: t.Expr) -> t.Expr:
    """Return whether a value is a key, or within it."""
    match key:
        case t.RangeBag():
            return t.Binary(key.span, "in", by, key)
        case t.Nothing():
            return t.Is(key.span, by, t.Word(key.span, "none"), False)
        case _:
            return t.Binary(key.span, "=", by, key)
