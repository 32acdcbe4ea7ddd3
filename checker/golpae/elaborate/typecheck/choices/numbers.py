"""Numbers that are next to others: rounded ones, the smaller and the larger of two.

Input: typed numbers. Output: the sums and folds that say the same.
Guarantee: pure; each number is evaluated once, but the unit twice.

    n rounded up to 100            -(-n div 100) * 100
    the smaller of a and b         least of it for it in {a, b}
"""

from __future__ import annotations

from golpae.ir import expr as ir
from golpae.ir.types import INT, Bag
from golpae.syntax import tree as t


def rounded(number: ir.Expr, direction: t.Direction, unit: ir.Expr) -> ir.Expr:
    """Return the multiple of a unit that is next to a number: `-(-number div unit) * unit` if that is above it."""
    if direction == "down":
        return ir.Op("mul", (ir.Op("div", (number, unit), INT), unit), INT)
    above = ir.Op("neg", (ir.Op("div", (ir.Op("neg", (number,), INT), unit), INT),), INT)
    return ir.Op("mul", (above, unit), INT)


def extreme(kind: t.ExtremeKind, left: ir.Expr, right: ir.Expr) -> ir.Expr:
    """Return the smaller or the larger of two numbers."""
    fold: ir.FoldKind = "least" if kind == "smaller" else "most"
    return ir.Fold(fold, ("it",), ir.BagOf((left, right), Bag(INT)), ir.Local("it", INT), None, INT)
