"""Operators on bags.

Input: an operator and its operands. Output: its value. Guarantee: bags that are not kept in planes are gone through.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from golpae.ir import expr as ir
from golpae.ir.types import (
    BOOL,
    TILE,
    Bag,
    Bool,
    Choice,
    Meld,
    NoneType,
    Opt,
    Seat,
    Tile,
)
from golpae.kernel.emit.parts import Names, bare
from golpae.kernel.emit.values import Bits, Group, PerSeat, Scalar, Stream, Value
from golpae.kernel.language.code import Expr, Lit
from golpae.kernel.language.writer import (
    ONE,
    ZERO,
    add,
    either,
    eq,
    gt,
    is_zero,
    select,
)
from golpae.kernel.layout import MOST_COPIES, is_number, is_scalar
from golpae.kernel.unsupported import Unsupported

if TYPE_CHECKING:
    from golpae.kernel.emit.expressions import Expressions


class BagOperators:
    """Writes operators on bags into one function."""

    def __init__(self, expressions: Expressions) -> None:
        self._of = expressions
        self.layout, self.writer, self.parts = expressions.layout, expressions.writer, expressions.parts
        self.bags = expressions.bags

    def bag_of(self, expr: ir.BagOf, names: Names) -> Value:
        assert isinstance(expr.type, Bag)
        item = expr.type.item
        if isinstance(item, NoneType):
            return self.bags.empty(TILE, self.layout.words(TILE))
        if isinstance(item, Tile | Seat | Choice | Bool):
            words = self.layout.words(item)
            found = self.bags.empty(item, words)
            for i, member in enumerate(expr.items):
                single = self.bags.single(item, self.writer.let(self._of.scalar(member, names)), words)
                found = single if i == 0 else self.bags.joined(found, single, MOST_COPIES)
            return found
        values = [self._of.value(member, names) for member in expr.items]

        def each(run: Callable[[Value, Expr], None]) -> None:
            for value in values:
                run(value, ONE)

        return Stream(item, each, Lit(len(values)))

    def size(self, bag: ir.Expr, names: Names) -> Expr:
        """Return how many members a bag has."""
        if isinstance(bag, ir.ZoneRead) and self.parts.zones[bag.name].kind == "row":
            return self._of.rows.size(self._of.zone_at(bag.name, bag.seat, names))
        return self.size_of(self._of.value(bag, names))

    def size_of(self, value: Value) -> Expr:
        if isinstance(value, Bits | Group):
            return self.bags.size(self._of.collecting.as_bits(value))
        if isinstance(value, PerSeat):
            return Lit(len(value.values))
        if not isinstance(value, Stream):
            raise Unsupported("the size of such a value")
        if value.size is not None:
            return value.size
        total = self.writer.var(0)
        value.each(lambda item, copies: self.writer.set(total, add(total, copies)))
        return total

    def member(self, item: ir.Expr, bag: ir.Expr, names: Names) -> Expr:
        if isinstance(bag, ir.BagOf) and is_scalar(item.type) and not isinstance(bare(item.type), Choice):
            asked = self.writer.let(self._of.scalar(item, names))
            found: Expr = ZERO
            for other in bag.items:
                if is_number(other.type) != is_number(item.type):
                    raise Unsupported("none among numbers")
                found = either(found, eq(asked, self._of.scalar(other, names)))
            return found
        value = self._of.value(item, names)
        held = self._of.value(bag, names)
        if isinstance(held, Bits | Group):
            tiles = self._of.collecting.as_bits(held)
            if not isinstance(value, Scalar) or bare(item.type) != tiles.item:
                raise Unsupported("whether such a value is in a bag")
            return self.bags.has(self.writer.let(value.value), tiles, isinstance(item.type, Opt))
        if not isinstance(held, Stream):
            raise Unsupported("whether such a value is in a bag")
        found_it = self.writer.var(0)

        def compare_with(other: Value, copies: Expr) -> None:
            if isinstance(value, Scalar) and isinstance(other, Scalar) and item.type == held.item:
                same = eq(value.value, other.value)
            elif isinstance(value, Group) and isinstance(other, Group) and isinstance(item.type, Meld):
                same = self.bags.same_groups(value, other)
            else:
                raise Unsupported("whether such a value is in a bag")
            self.writer.set(found_it, either(found_it, same))

        held.each(compare_with)
        return found_it

    def bag_member(self, bag: ir.Expr, bags: ir.Expr, names: Names) -> Expr:
        asked, listed = self._of.bits(bag, names), self._of.value(bags, names)
        if not isinstance(listed, Stream) or isinstance(listed.item, Opt) or asked.present != ONE:
            raise Unsupported("whether a bag is in a bag of bags")
        found = self.writer.var(0)

        def compare_with(other: Value, copies: Expr) -> None:
            self.writer.set(found, either(found, self.bags.same(asked, self._of.collecting.as_bits(other))))

        listed.each(compare_with)
        return found

    def of_two_bags(self, op: str, left: ir.Expr, right: ir.Expr, names: Names) -> Value:
        one, other = self._of.value(left, names), self._of.value(right, names)
        if op == "bag_add" and isinstance(one, Stream) and isinstance(other, Stream):
            first, second = one, other

            def each(run: Callable[[Value, Expr], None]) -> None:
                first.each(run)
                second.each(run)

            return Stream(first.item, each)
        if op in ("bag_eq", "within") and isinstance(one, Stream) and isinstance(other, Stream):
            return Scalar(self._compared(op, one, other), BOOL, 1)
        if isinstance(left.type, Bag) and isinstance(left.type.item, NoneType):
            one = self._of.collecting.coerced(one, right.type)
        if isinstance(right.type, Bag) and isinstance(right.type.item, NoneType):
            other = self._of.collecting.coerced(other, left.type)
        a, b = self._of.collecting.as_bits(one), self._of.collecting.as_bits(other)
        if a.present != ONE or b.present != ONE or a.item != b.item:
            raise Unsupported("such bags together")
        let = self.writer.let
        match op:
            case "bag_eq":
                return Scalar(let(self.bags.same(a, b)), BOOL, 1)
            case "within":
                return Scalar(let(self.bags.within(a, b)), BOOL, 1)
            case "bag_add":
                return self.bags.joined(a, b, MOST_COPIES)
            case _:
                return self.bags.minus(a, b)

    def _compared(self, op: str, one: Stream, other: Stream) -> Expr:
        """Return whether two bags that are gone through are equal, or the first is part of the other."""
        writer = self.writer
        found = writer.var(1)
        with writer.block() as done:
            if op == "bag_eq":
                writer.set(found, eq(self.size_of(one), self.size_of(other)))
                writer.leave(done, is_zero(found))

            def compare(item: Value, copies: Expr) -> None:
                here, there = self._copies_of(item, one), self._copies_of(item, other)
                with writer.when(gt(here, there)):
                    writer.set(found, ZERO)
                    writer.leave(done)

            one.each(compare)
        return found

    def _copies_of(self, item: Value, bag: Stream) -> Expr:
        """Return how many members of a bag are equal to a value."""
        writer = self.writer
        total = writer.var(0)

        def count(other: Value, copies: Expr) -> None:
            if isinstance(item, Scalar) and isinstance(other, Scalar) and item.kind == other.kind:
                same: Expr = eq(item.value, other.value)
            elif isinstance(item, Group) and isinstance(other, Group):
                same = self.bags.same_groups(item, other)
            elif isinstance(item, Bits) and isinstance(other, Bits) and item.present == other.present == ONE:
                same = self.bags.same(item, other)
            else:
                raise Unsupported("such bags compared")
            writer.set(total, add(total, select(same, copies, ZERO)))

        bag.each(count)
        return total
