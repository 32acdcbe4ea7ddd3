"""Values used as another type that holds them.

Input: an expression and the type that it is used as, which it fits. Output: an expression of that type.
Guarantee: a meld that is used as tiles is, in the IR, the bag of its tiles: its label is left behind.

    p's shown = sets        melds and bags of tiles        bag_eq(each(it in shown: tiles(it)), sets)
"""

from __future__ import annotations

from golpae.elaborate.typecheck.overloads import without_none
from golpae.ir import expr as ir
from golpae.ir.types import MELD, TILES, Bag, Meld, Opt, Type


def coerced(value: ir.Expr, expected: Type) -> ir.Expr:
    """Return a value as the type that it is used as: without labels if that holds none."""
    bare, needed = without_none(value.type), without_none(expected)
    if isinstance(bare, Meld) and isinstance(needed, Bag):
        return ir.Op("tiles", (value,), Opt(TILES) if isinstance(value.type, Opt) else TILES)
    if value.type == Bag(MELD) and isinstance(needed, Bag) and isinstance(needed.item, Bag):
        item = ir.Op("tiles", (ir.Local("it", MELD),), TILES)
        return ir.Fold("each", ("it",), value, item, None, Bag(TILES))
    return value
