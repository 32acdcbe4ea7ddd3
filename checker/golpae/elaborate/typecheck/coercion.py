"""Values used as another type that holds them.

Input: an expression and the type that it is used as, which it fits. Output: an expression of that type.
Guarantee: a meld that is used as tiles is, in the IR, the bag of its tiles: its label is left behind.

A word of a shorter list that is used as one of a longer list becomes that word there.

    p's shown = sets        melds and bags of tiles        bag_eq(each(it in shown: tiles(it)), sets)
    t's group = trump       a group, and also no-trump     eq(if t's group = clubs then clubs else ..., trump)
"""

from __future__ import annotations

from dataclasses import replace

from golpae.elaborate.typecheck.overloads import without_none
from golpae.ir import expr as ir
from golpae.ir.types import BOOL, MELD, NONE, TILES, Bag, Choice, Meld, Opt, Type, words_in


def _in_words(value: ir.Expr, needed: Type) -> ir.Expr:
    """Return a word, or a bag of words, as one of a longer list of words."""
    kind = value.type
    if isinstance(kind, Opt):
        present = _in_words(replace(value, type=kind.item), needed)
        wide = Opt(present.type)
        return ir.If(ir.Op("is_none", (value,), BOOL), ir.Const(None, NONE), present, wide)
    if isinstance(kind, Bag) and isinstance(needed, Bag):
        if isinstance(value, ir.BagOf):
            return ir.BagOf(tuple(_in_words(item, needed.item) for item in value.items), needed)
        item = _in_words(ir.Local("it", kind.item), needed.item)
        return ir.Fold("each", ("it",), value, item, None, needed)
    assert isinstance(kind, Choice)
    if isinstance(value, ir.Const):
        return ir.Const(value.value, needed)
    if isinstance(value, ir.If):
        return ir.If(value.test, _in_words(value.yes, needed), _in_words(value.no, needed), needed)
    *words, last = kind.words
    out: ir.Expr = ir.Const(last, needed)
    for word in reversed(words):
        out = ir.If(ir.Op("eq", (value, ir.Const(word, kind)), BOOL), ir.Const(word, needed), out, needed)
    return out


def coerced(value: ir.Expr, expected: Type) -> ir.Expr:
    """Return a value as the type that it is used as: without labels if that holds none."""
    bare, needed = without_none(value.type), without_none(expected)
    if words_in(bare) and words_in(needed) and words_in(bare) != words_in(needed):
        return _in_words(value, needed)
    if isinstance(bare, Meld) and isinstance(needed, Bag):
        return ir.Op("tiles", (value,), Opt(TILES) if isinstance(value.type, Opt) else TILES)
    if value.type == Bag(MELD) and isinstance(needed, Bag) and isinstance(needed.item, Bag):
        item = ir.Op("tiles", (ir.Local("it", MELD),), TILES)
        return ir.Fold("each", ("it",), value, item, None, Bag(TILES))
    return value
