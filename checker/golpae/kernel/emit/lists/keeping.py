"""Values written into memory: states, what is given with a score, what a loop goes through, lists that are compared.

Input: values and their types. Output: code that writes them to an address; values that lie in memory.
Guarantee: a value that does not fit is referred; a type that is never kept raises `NotCompiled`. Lists are sorted, so
that equal ones are equal word by word.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from golpae.ir.types import (
    TILE,
    Bag,
    Bool,
    Choice,
    Each,
    Int,
    Meld,
    NoneType,
    Opt,
    Patterns,
    Points,
    Seat,
    Tile,
    Type,
)
from golpae.kernel.emit.lists.ordering import comparing, removing, sorting
from golpae.kernel.emit.values import Bits, Group, PerSeat, Scalar, Stream, Value
from golpae.kernel.language.code import Expr, Lit
from golpae.kernel.language.limits import Limit
from golpae.kernel.language.writer import ONE, ZERO, add, both, call, eq, ge, load, mul
from golpae.kernel.layout import WORD, is_planar, is_scalar
from golpae.kernel.unsupported import NotCompiled

if TYPE_CHECKING:
    from golpae.kernel.emit.expressions import Expressions


class Keeping:
    """Writes values into memory in one function."""

    def __init__(self, expressions: Expressions) -> None:
        self._of = expressions
        self.layout, self.writer, self.parts = expressions.layout, expressions.writer, expressions.parts

    def keep(self, kind: Type, value: Value, address: Expr) -> None:
        """Write a value to an address, from which it must not be read meanwhile. Raises `NotCompiled`."""
        layout = self.layout
        if is_scalar(kind):
            if not isinstance(value, Scalar):
                raise NotCompiled("a bag or a score that is kept as a single value")
            self._store(address, value.value)
            return
        match kind:
            case Opt(item):
                if not isinstance(value, Bits | Group | Stream | PerSeat):
                    raise NotCompiled("a score that is kept where none is possible")
                self._store(address, value.present)
                self.keep(item, value, self._behind(address, WORD))
            case Each(item):
                if not isinstance(value, PerSeat):
                    raise NotCompiled(
                        "a single value, a bag or a meld that is kept as a value for each player"
                    )
                stride = layout.slots(item, True) * WORD
                for seat, own in enumerate(value.values):
                    self.keep(item, own, self._behind(address, seat * stride))
            case Bag(item) if is_planar(item):
                bits = self._of.collecting.as_bits(value)
                self._of.bags.store(bits, layout.planes(item, True), address)
            case Bag(item):
                if not isinstance(value, Stream):
                    raise NotCompiled("a single value, a meld or a score that is kept as a list")
                self._list(item, value, address)
            case Meld():
                if not isinstance(value, Group):
                    raise NotCompiled("tiles without a label that are kept as a meld")
                self._store(address, value.label)
                self._of.bags.store(value.tiles, layout.planes(TILE, True), self._behind(address, WORD))
            case Bool() | Int() | Seat() | Tile() | Choice() | NoneType() | Points() | Patterns():
                raise NotCompiled("a score that is kept in a state or a list")

    def _store(self, address: Expr, value: Expr) -> None:
        if isinstance(address, Lit):
            self.writer.store(8, ZERO, value, address.value)
        else:
            self.writer.store(8, address, value)

    def _behind(self, address: Expr, offset: int) -> Expr:
        return self.writer.let(add(address, Lit(offset)))

    def _list(self, item: Type, value: Stream, address: Expr) -> None:
        writer, stride = self.writer, self.layout.slots(item, True) * WORD
        if value.at is not None and value.item == item:
            size = add(mul(load(8, value.at), Lit(stride)), Lit(WORD))
            writer.copy(address, value.at, size)
            return
        many, room = writer.var(0), self.layout.room(item)

        def one(member: Value, copies: Expr) -> None:
            def put() -> None:
                writer.refer_if(ge(many, Lit(room)), Limit.ROOM)
                at = writer.let(add(add(address, Lit(WORD)), mul(many, Lit(stride))))
                self.keep(item, member, at)
                writer.set(many, add(many, ONE))

            if copies == ONE:
                put()
            else:
                self._of.memory.counted(copies, lambda _: put())

        value.each(one)
        self._store(address, many)
        writer.call_into((), sorting(self.parts, item), address)

    # ------------------------------------------------------------------ values in memory of their own

    def apart(self, kind: Type, value: Value) -> Expr:
        """Return the address of a copy of a value, for which nothing else is used. Raises `NotCompiled`."""
        address = Lit(self.layout.allocate(self.layout.slots(kind, True)))
        self.keep(kind, value, address)
        return address

    def copied(self, kind: Type, value: Value) -> Value:
        """Return a copy of a value, which no effect changes. Raises `NotCompiled`."""
        return self._of.memory.loaded(kind, self.apart(kind, value), True)

    def kept(self, kind: Type, value: Value) -> Expr:
        """Return where a value lies until the next effect. Raises `NotCompiled`."""
        if isinstance(value, Stream) and value.at is not None and Bag(value.item) == kind:
            return value.at
        return self.apart(kind, value)

    def listed(self, value: Stream) -> Stream:
        """Return a list as one in memory, sorted. Raises `NotCompiled`."""
        kind = Bag(value.item)
        stream = self._of.memory.loaded(kind, self.kept(kind, value), True)
        assert isinstance(stream, Stream)
        return replace(stream, present=value.present)

    def one_of(self, kind: Type, branches: Sequence[tuple[Expr, Callable[[], Value]]]) -> Value:
        """Return the value of the branch whose test holds; just one does. Raises `NotCompiled`."""
        address = Lit(self.layout.allocate(self.layout.slots(kind, True)))
        for test, branch in branches:
            with self.writer.when(test):
                self.keep(kind, self._of.collecting.coerced(branch(), kind), address)
        return self._of.memory.loaded(kind, address, True)

    # ------------------------------------------------------------------ two lists

    def same(self, kind: Type, one: Value, other: Value) -> Expr:
        """Return whether two values with lists are equal. Raises `NotCompiled`."""
        return eq(call(comparing(self.parts, kind), self.kept(kind, one), self.kept(kind, other)), ZERO)

    def minus(self, large: Stream, small: Stream) -> tuple[Stream, Expr]:
        """Return a list without the members of another, and whether it had them all. Raises `NotCompiled`."""
        writer, item = self.writer, large.item
        rest, had = self.apart(Bag(item), large), writer.var(1)
        remove = removing(self.parts, item)

        def one(member: Value, copies: Expr) -> None:
            at = self.apart(item, member)

            def take() -> None:
                was_there = writer.let(call(remove, rest, at))
                writer.set(had, both(had, was_there))

            if copies == ONE:
                take()
            else:
                self._of.memory.counted(copies, lambda _: take())

        small.each(one)
        left = self._of.memory.loaded(Bag(item), rest, True)
        assert isinstance(left, Stream)
        return left, had
