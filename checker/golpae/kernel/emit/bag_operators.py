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
    TILES,
    Bag,
    Choice,
    Each,
    Meld,
    NoneType,
    Opt,
    Type,
    join,
)
from golpae.kernel.emit.parts import Names, bare, item_of
from golpae.kernel.emit.values import Bits, Group, PerSeat, Scalar, Stream, Value
from golpae.kernel.language.code import Expr, Lit
from golpae.kernel.language.writer import (
    ONE,
    ZERO,
    add,
    both,
    either,
    eq,
    is_zero,
    sub,
)
from golpae.kernel.layout import MOST_COPIES, is_planar, is_scalar
from golpae.kernel.unsupported import NotCompiled

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
        if is_planar(item):
            words = self.layout.words(item)
            bag = self.bags.empty(item, words)
            for i, member in enumerate(expr.items):
                single = self.bags.single(item, self.writer.let(self._of.scalar(member, names)), words)
                bag = single if i == 0 else self.bags.joined(bag, single, MOST_COPIES)
            return bag
        values = [self._of.collecting.coerced(self._of.value(m, names), item) for m in expr.items]

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
            raise NotCompiled("the size of a value that is no bag")
        if value.size is not None:
            return value.size
        total = self.writer.var(0)
        value.each(lambda item, copies: self.writer.set(total, add(total, copies)))
        return total

    def member(self, item: ir.Expr, bag: ir.Expr, names: Names) -> Expr:
        if isinstance(bag, ir.BagOf) and is_scalar(item.type) and not isinstance(bare(item.type), Choice):
            wide = join(item.type, item_of(bag.type)) or item.type
            coerced = self._of.collecting.coerced
            asked = coerced(self._of.value(item, names), wide)
            is_member: Expr = ZERO
            for other in bag.items:
                is_member = either(
                    is_member, self.same(wide, asked, coerced(self._of.value(other, names), wide))
                )
            return is_member
        value = self._of.value(item, names)
        bag_value = self._of.value(bag, names)
        if isinstance(bag_value, Bits | Group):
            members = self._of.collecting.as_bits(bag_value)
            if not isinstance(value, Scalar) or bare(item.type) != members.item:
                return ZERO  # only the empty bag has members of another type
            return self.bags.has(self.writer.let(value.value), members, isinstance(item.type, Opt))
        if not isinstance(bag_value, Stream):
            raise NotCompiled("whether a value is in something that is no bag")
        kind: Type = bag_value.item
        value = self._of.collecting.coerced(value, kind)
        if isinstance(value, Stream):
            value = self._of.keeping.listed(value)
        value_asked, is_there = value, self.writer.var(0)

        def compare_with(other: Value, copies: Expr) -> None:
            if isinstance(value_asked, Bits):  # also one of the tiles of a meld
                other = self._of.collecting.as_bits(other)
            self.writer.set(is_there, either(is_there, self.same(kind, value_asked, other)))

        bag_value.each(compare_with)
        return is_there

    def same(self, kind: Type, one: Value, other: Value) -> Expr:
        """Return whether two values of a type are equal. Raises `NotCompiled`."""
        if isinstance(one, Scalar) and isinstance(other, Scalar):
            return eq(one.value, other.value)
        if isinstance(one, Group) and isinstance(other, Group):
            return self._if_there(one, other, lambda: self.bags.same_groups(one, other))
        if isinstance(one, Bits) and isinstance(other, Bits) and one.item == other.item:
            return self._if_there(one, other, lambda: self.bags.same(one, other))
        if isinstance(one, Stream) and isinstance(other, Stream):
            return self._if_there(one, other, lambda: self._of.keeping.same(bare(kind), one, other))
        if isinstance(one, PerSeat) and isinstance(other, PerSeat):
            own = bare(kind)
            assert isinstance(own, Each)
            result: Expr = ONE
            for a, b in zip(one.values, other.values, strict=True):
                result = both(result, self.same(own.item, a, b))
            alike = result
            return self._if_there(one, other, lambda: alike)
        raise NotCompiled("a comparison of a list with a value of another kind")

    def _if_there(
        self,
        one: Group | Bits | Stream | PerSeat,
        other: Group | Bits | Stream | PerSeat,
        alike: Callable[[], Expr],
    ) -> Expr:
        """Return whether two values that may be none are equal."""
        if one.present == other.present == ONE:
            return alike()
        neither = both(is_zero(one.present), is_zero(other.present))
        return either(neither, both(both(one.present, other.present), alike()))

    def of_two_bags(self, op: str, left: ir.Expr, right: ir.Expr, names: Names) -> Value:
        """Write an operator on two bags; neither is none where it is asked."""
        kind = join(bare(left.type), bare(right.type))
        if kind is None:  # bags of members that are never equal
            one, other = self._of.value(left, names), self._of.value(right, names)
            if op != "bag_eq":
                raise NotCompiled("two bags of different kinds that are joined or taken apart")
            alike = both(is_zero(self.size_of(one)), is_zero(self.size_of(other)))
            return Scalar(self.writer.let(alike), BOOL, 1)
        kind = TILES if isinstance(kind, Meld) else kind
        assert isinstance(kind, Bag)
        coerced = self._of.collecting.coerced
        one, other = coerced(self._of.value(left, names), kind), coerced(self._of.value(right, names), kind)
        if isinstance(one, Stream) and isinstance(other, Stream):
            return self._of_lists(op, kind, one, other)
        a, b = self._of.collecting.as_bits(one), self._of.collecting.as_bits(other)
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

    def _of_lists(self, op: str, kind: Bag, one: Stream, other: Stream) -> Value:
        let, keeping = self.writer.let, self._of.keeping
        match op:
            case "bag_eq":
                return Scalar(let(keeping.same(kind, one, other)), BOOL, 1)
            case "within":
                _, had = keeping.minus(other, one)
                return Scalar(let(had), BOOL, 1)
            case "bag_add":

                def each(run: Callable[[Value, Expr], None]) -> None:
                    one.each(run)
                    other.each(run)

                return Stream(kind.item, each)
            case _:
                left, _ = keeping.minus(one, other)
                return left

    def kinds(self, bag: ir.Expr, names: Names) -> Value:
        """Return each member of a bag once."""
        value = self._of.value(bag, names)
        if not isinstance(value, Stream):
            return self.bags.kinds(self._of.collecting.as_bits(value))
        listed = self._of.keeping.listed(value)
        assert listed.at is not None
        assert listed.size is not None
        item, address, many = listed.item, listed.at, listed.size
        memory, writer = self._of.memory, self.writer

        def each(run: Callable[[Value, Expr], None]) -> None:
            def one(at: Expr) -> None:
                member = memory.member(item, address, at, True)
                new = writer.var(1)
                with writer.when(at):  # equal members lie side by side
                    before = memory.member(item, address, sub(at, ONE), True)
                    writer.set(new, is_zero(self.same(item, before, member)))
                with writer.when(new):
                    run(member, ONE)

            memory.counted(many, one)

        return Stream(item, each)
