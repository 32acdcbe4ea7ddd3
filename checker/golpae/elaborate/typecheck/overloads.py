"""Choose the operator of the IR by the types of the operands.

Input: an operator as written and the types of its operands. Output: the operator of the IR and its type, or a `Clash`.
Guarantee: pure; no expression is checked here.

    =  of tiles and tiles        bag_eq
    +  of tiles and a tile       bag_add, the tile in a bag
    sum of tiles                 gather
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, assert_never

from golpae.ir import expr as ir
from golpae.ir.types import INT, MELD, TILE, Bag, Meld, NoneType, Opt, Points, Type, fits, join
from golpae.syntax import tree as t

Sign = t.Arithmetic | Literal["^"]
BAG_ARITHMETIC: dict[ir.OpName, ir.OpName] = {"add": "bag_add", "sub": "bag_sub"}
ORDER: dict[str, ir.OpName] = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
QUANTIFIERS: dict[str, ir.QuantKind] = {"some": "some", "every": "every", "no": "no"}
FOLDS: dict[str, ir.FoldKind] = {
    "number of": "count",
    "sum of": "sum",
    "most of": "most",
    "least of": "least",
    "the": "the",
    "those": "those",
}


@dataclass(frozen=True, slots=True)
class Clash:
    """An operand whose type is not the one needed."""

    operand: Literal["left", "right"]
    actual: Type
    needed: Type


def member_type(kind: Type) -> Type | None:
    """Return the type of the members of a bag or meld, or None for any other type."""
    if isinstance(kind, Meld):
        return TILE
    return kind.item if isinstance(kind, Bag) else None


def without_none(kind: Type) -> Type:
    """Return the type without `or none`."""
    return kind.item if isinstance(kind, Opt) else kind


def number_of_points(expr: ir.Expr) -> ir.Expr:
    """Return a score as the number that it comes to, or none; any other expression as it is."""
    return ir.Op("total", (expr,), Opt(INT)) if isinstance(expr.type, Points) else expr


def equality(left: Type, right: Type) -> ir.OpName | Clash:
    """Return the operator of `left = right`."""
    bags = [member_type(kind) is not None for kind in (left, right)]
    if join(left, right) is None and not all(bags):
        return Clash("right", right, left)
    if not any(bags) or left == right == MELD:
        return "eq"
    if isinstance(left, Opt):
        return Clash("left", left, left.item)
    if isinstance(right, Opt):
        return Clash("right", right, right.item)
    return "bag_eq"


def membership(left: Type, item: Type) -> ir.OpName | Clash:
    """Return the operator of `left in right` for members of `right` of type `item`."""
    bare = without_none(left)
    member = member_type(bare)
    if isinstance(item, NoneType):  # of `{}`, which has no members of any type
        if member is None:
            return "member"
        return Clash("left", left, bare) if isinstance(left, Opt) else "within"
    if isinstance(member, NoneType):
        return "within" if member_type(item) is None else "bag_member"
    if member is None or bare == item == MELD:
        return "member" if fits(bare, item) else Clash("left", left, item)
    inner = member_type(item)
    if inner is not None and fits(member, inner):
        return "bag_member"
    if fits(member, item):
        return Clash("left", left, bare) if isinstance(left, Opt) else "within"
    return Clash("left", left, item)


def arithmetic(sign: Sign, left: Type) -> tuple[ir.OpName, Type] | Clash:
    """Return the operator of `left sign ...` and the type of numbers, or of the bag's members, on its right."""
    op = _operator(sign)
    item = member_type(left)
    if item is not None and op in BAG_ARITHMETIC:
        return BAG_ARITHMETIC[op], item
    return (op, INT) if fits(left, INT) else Clash("left", left, INT)


def _operator(sign: Sign) -> ir.OpName:
    match sign:
        case "+":
            return "add"
        case "-":
            return "sub"
        case "*":
            return "mul"
        case "div" | "mod":
            return sign
        case "^":
            return "pow"
        case _:
            assert_never(sign)


def as_bag(right: ir.Expr, item: Type) -> ir.Expr | Clash:
    """Return the right operand of a sum or difference with a bag of items, as a bag; a `Clash` if it has
    another type.
    """
    if member_type(right.type) is not None and fits(right.type, Bag(item)):
        return right
    return ir.BagOf((right,), Bag(item)) if fits(right.type, item) else Clash("right", right.type, item)


def fold(words: str, member: Type, item: Type | None) -> tuple[ir.FoldKind, Type]:
    """Return the kind and the type of a fold over members; `item` is the type of what is summed or compared."""
    kind = FOLDS[words]
    gathered = None if item is None else member_type(item)
    if kind == "sum" and gathered is not None:
        return "gather", Bag(gathered)
    if kind == "the":
        return kind, Opt(member)
    return kind, Bag(member) if kind == "those" else INT


def from_front(row: t.Expr, number: t.Expr, end: str) -> t.Expr:
    """Return the number of a place of a row, counted from an end, as it is counted from the front."""
    if end == "front":
        return number
    size = t.Unary(number.span, "size of", row)
    return t.Binary(number.span, "-", t.Binary(number.span, "+", size, t.Number(number.span, 1)), number)


def end_of(word: str) -> ir.End:
    """Return the end of a row that `front`, `back` or `top` means."""
    return "front" if word == "front" else "back"
