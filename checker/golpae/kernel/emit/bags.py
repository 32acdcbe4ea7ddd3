"""Operations on bags that are kept in planes.

Input: bags, as planes of expressions, and a writer. Output: bags and numbers, bound to locals.
Guarantee: no operation changes its operands; a member of which there are more copies than planes is referred.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from golpae.ir.types import Type
from golpae.kernel.emit.values import Bits, Group, Plane
from golpae.kernel.language.code import Expr, Lit
from golpae.kernel.language.limits import Limit
from golpae.kernel.language.writer import (
    ONE,
    ZERO,
    Writer,
    add,
    below,
    both,
    count_bits,
    either,
    eq,
    is_zero,
    load,
    lowest_bit,
    select,
    shl,
    shr,
    sub,
    without,
    xor,
)

WORD, BITS = 8, 64


class Bags:
    """Writes operations on bags into one function."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer

    # ------------------------------------------------------------------ making

    def constant(self, item: Type, words: int, members: Iterable[int]) -> Bits:
        """Return a bag of these members."""
        planes: list[list[int]] = []
        for member in members:
            plane = next((p for p in planes if not p[member // BITS] >> member % BITS & 1), None)
            if plane is None:
                plane = [0] * words
                planes.append(plane)
            plane[member // BITS] |= 1 << member % BITS
        return Bits(item, tuple(tuple(map(Lit, plane)) for plane in planes) or (self._empty(words),))

    def empty(self, item: Type, words: int) -> Bits:
        return Bits(item, (self._empty(words),))

    def _empty(self, words: int) -> Plane:
        return (ZERO,) * words

    def loaded(self, item: Type, planes: int, words: int, address: Expr) -> Bits:
        """Return the bag that lies at an address."""
        base, offset = (ZERO, address.value) if isinstance(address, Lit) else (address, 0)
        let = self._writer.let
        return Bits(
            item,
            tuple(
                tuple(let(load(8, base, offset + (p * words + w) * WORD)) for w in range(words))
                for p in range(planes)
            ),
        )

    def store(self, bag: Bits, planes: int, address: Expr) -> None:
        """Write a bag to an address that has room for so many planes; refer if it has more."""
        bag = self.fitted(bag, planes)
        words = len(bag.planes[0])
        base, offset = (ZERO, address.value) if isinstance(address, Lit) else (address, 0)
        for p, plane in enumerate(bag.planes):
            for w, word in enumerate(plane):
                self._writer.store(8, base, word, offset + (p * words + w) * WORD)

    def fitted(self, bag: Bits, planes: int) -> Bits:
        """Return a bag in just so many planes; refer if it has more copies of a member."""
        words = len(bag.planes[0])
        for plane in bag.planes[planes:]:
            for word in plane:
                if word != ZERO:
                    self._writer.refer_if(word, Limit.COPIES)
        planes_left = bag.planes[:planes]
        return Bits(bag.item, planes_left + (self._empty(words),) * (planes - len(planes_left)), bag.present)

    def bit(self, member: Expr, words: int) -> Plane:
        """Return the plane of one member; of none (-1) the empty plane, where there is one word."""
        let = self._writer.let
        if isinstance(member, Lit):
            return tuple(
                Lit(1 << member.value % BITS if member.value // BITS == w else 0) for w in range(words)
            )
        if words == 1:
            return (let(shl(ONE, member)),)
        place, at = let(shr(member, Lit(6))), let(shl(ONE, member))
        return tuple(let(select(eq(place, Lit(w)), at, ZERO)) for w in range(words))

    def single(self, item: Type, member: Expr, words: int) -> Bits:
        """Return the bag of one member, which is not none."""
        return Bits(item, (self.bit(member, words),))

    # ------------------------------------------------------------------ two bags

    def joined(self, one: Bits, other: Bits, most: int) -> Bits:
        """Return the members of both; at least k copies are there if i are in one and k - i in the other."""
        return self._planes(
            one, min(len(one.planes) + len(other.planes), most + 1), most, self._joined_plane(one, other)
        )

    def _joined_plane(self, one: Bits, other: Bits) -> Callable[[int, int], Expr]:
        def plane(k: int, w: int) -> Expr:
            value: Expr = ZERO
            for i in range(k + 2):  # i copies in the one, k + 1 - i in the other
                a = Lit(-1) if i == 0 else _word(one, i - 1, w)
                b = Lit(-1) if i == k + 1 else _word(other, k - i, w)
                value = either(value, both(a, b))
            return value

        return plane

    def minus(self, large: Bits, small: Bits) -> Bits:
        """Return the members of one bag without those of another."""

        def plane(k: int, w: int) -> Expr:
            value: Expr = ZERO
            for j in range(len(large.planes) - k):  # more than k + j there, no more than j here
                there = _word(large, k + j, w)
                value = either(value, there if j >= len(small.planes) else without(there, _word(small, j, w)))
                if j >= len(small.planes):
                    break
            return value

        return self._planes(large, len(large.planes), len(large.planes), plane)

    def _planes(self, like: Bits, many: int, most: int, plane: Callable[[int, int], Expr]) -> Bits:
        words = len(like.planes[0])
        let = self._writer.let
        made = tuple(tuple(let(plane(k, w)) for w in range(words)) for k in range(many))
        return self.fitted(Bits(like.item, made), min(many, most))

    def within(self, small: Bits, large: Bits) -> Expr:
        """Return whether one bag is part of another."""
        return is_zero(
            _any(
                without(word, _word(large, p, w))
                for p, plane in enumerate(small.planes)
                for w, word in enumerate(plane)
            )
        )

    def same(self, one: Bits, other: Bits) -> Expr:
        """Return whether two bags have the same members."""
        many = max(len(one.planes), len(other.planes))
        words = range(len(one.planes[0]))
        return is_zero(_any(xor(_word(one, p, w), _word(other, p, w)) for p in range(many) for w in words))

    def chosen(self, test: Expr, yes: Bits, no: Bits) -> Bits:
        """Return one of two bags."""
        many = max(len(yes.planes), len(no.planes))
        words = range(len(yes.planes[0]))
        let = self._writer.let
        planes = tuple(
            tuple(let(select(test, _word(yes, p, w), _word(no, p, w))) for w in words) for p in range(many)
        )
        return Bits(yes.item, planes, let(select(test, yes.present, no.present)))

    # ------------------------------------------------------------------ one bag

    def size(self, bag: Bits) -> Expr:
        total: Expr = ZERO
        for plane in bag.planes:
            for word in plane:
                total = add(total, count_bits(word))
        return self._writer.let(total)

    def is_empty(self, bag: Bits) -> Expr:
        return is_zero(_any(bag.planes[0]))

    def has(self, member: Expr, bag: Bits, may_be_none: bool) -> Expr:
        """Return whether a member is in a bag."""
        held = _any(map(both, bag.planes[0], self.bit(member, len(bag.planes[0]))))
        is_held = is_zero(is_zero(held))
        most = len(bag.planes[0]) * BITS
        return both(below(member, Lit(most)), is_held) if may_be_none else is_held

    def copies(self, member: Expr, bag: Bits) -> Expr:
        """Return how many copies of a member a bag has, of which there is at least one."""
        total: Expr = ONE
        if len(bag.planes) > 1:
            bit = self.bit(member, len(bag.planes[0]))
            for plane in bag.planes[1:]:
                held = _any(map(both, plane, bit))
                total = add(total, is_zero(is_zero(held)))
        return self._writer.let(total)

    def masked(self, bag: Bits, mask: Plane) -> Bits:
        """Return the copies of those members that are in a plane."""
        let = self._writer.let
        return Bits(
            bag.item, tuple(tuple(let(both(a, b)) for a, b in zip(p, mask, strict=True)) for p in bag.planes)
        )

    def kinds(self, bag: Bits) -> Bits:
        return Bits(bag.item, bag.planes[:1])

    def each(self, plane: Plane, run: Callable[[Expr], None]) -> None:
        """Write what happens for each member of a plane, in order."""
        writer = self._writer
        for w, word in enumerate(plane):
            if word == ZERO:
                continue
            rest = writer.var(word)
            with writer.block() as done, writer.loop() as again:
                writer.leave(done, is_zero(rest))
                member = writer.let(add(lowest_bit(rest), Lit(BITS * w)))
                writer.set(rest, both(rest, sub(rest, ONE)))
                writer.count_member()
                run(member)
                writer.leave(again)

    def same_groups(self, one: Group, other: Group) -> Expr:
        """Return whether two melds have the same label and tiles."""
        return both(eq(one.label, other.label), self.same(one.tiles, other.tiles))


def _word(bag: Bits, plane: int, word: int) -> Expr:
    return bag.planes[plane][word] if plane < len(bag.planes) else ZERO


def _any(words: Iterable[Expr]) -> Expr:
    value: Expr = ZERO
    for word in words:
        value = either(value, word)
    return value


def any_of(words: Sequence[Expr]) -> Expr:
    """Return the bits that are in some word."""
    return _any(words)
