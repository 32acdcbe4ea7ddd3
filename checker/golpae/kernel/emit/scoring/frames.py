"""Values that functions of one module share through memory: what is given with a score, what a loop goes through.

Input: values and their types. Output: addresses, and the values again.
Guarantee: a value that does not fit is referred; a type that is never kept raises `Unsupported`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from golpae.ir.types import TILES, Bag, Each, Int, Meld, Opt, Tile, Type
from golpae.kernel.emit.values import Bits, Group, PerSeat, Scalar, Stream, Value
from golpae.kernel.language.code import Expr, Lit
from golpae.kernel.language.writer import ONE, ZERO, add, ge, load, mul
from golpae.kernel.layout import WORD, Layout, is_scalar
from golpae.kernel.unsupported import Unsupported

if TYPE_CHECKING:
    from golpae.kernel.emit.expressions import Expressions

ROOM = 16  # melds, bags or numbers of a list


def slots_of(layout: Layout, kind: Type) -> int:
    """Return how many words a value takes. Raises `Unsupported`."""
    match kind:
        case Bag(Meld() | Bag(Tile()) | Int() as item):
            return 1 + ROOM * layout.slots(item)
        case Opt(item) if not is_scalar(kind):
            return 1 + slots_of(layout, item)
        case Each(item):
            return layout.players * slots_of(layout, item)
        case _:
            return layout.slots(kind)


class Frame:
    """Writes values into memory, and loads them, in one function."""

    def __init__(self, expressions: Expressions) -> None:
        self._of = expressions
        self._layout, self._writer = expressions.layout, expressions.writer

    def keep(self, kind: Type, value: Value, address: int) -> None:
        """Write a value to an address. Raises `Unsupported`."""
        layout, writer = self._layout, self._writer
        match kind:
            case _ if is_scalar(kind):
                if not isinstance(value, Scalar):
                    raise Unsupported("such a value given to a score")
                writer.store(8, ZERO, value.value, address)
            case Bag(Meld() | Bag(Tile()) | Int() as item):
                self._list(item, value, address)
            case Opt(item):
                if not isinstance(value, Bits | Group):
                    raise Unsupported("such a value given to a score")
                writer.store(8, ZERO, value.present, address)
                self.keep(item, value, address + WORD)
            case Each(item):
                if not isinstance(value, PerSeat):
                    raise Unsupported("such a value given to a score")
                stride = slots_of(layout, item) * WORD
                for seat, own in enumerate(value.values):
                    self.keep(item, own, address + seat * stride)
            case Bag(item):
                bits = self._of.collecting.as_bits(value)
                self._of.bags.store(bits, layout.planes(item), Lit(address))
            case Meld():
                self._meld(value, Lit(address))
            case _:
                raise Unsupported("such a value given to a score")

    def _meld(self, value: Value, address: Expr) -> None:
        if not isinstance(value, Group):
            raise Unsupported("such a value given to a score")
        self._writer.store(8, address, value.label)
        planes = self._layout.planes(TILES.item)
        self._of.bags.store(value.tiles, planes, self._writer.let(add(address, Lit(WORD))))

    def _list(self, item: Type, value: Value, address: int) -> None:
        writer, layout = self._writer, self._layout
        if not isinstance(value, Stream):
            raise Unsupported("such a list given to a score")
        many, stride = writer.var(0), layout.slots(item) * WORD

        def one(member: Value, copies: Expr) -> None:
            def put() -> None:
                writer.refer_if(ge(many, Lit(ROOM)))
                at = writer.let(add(mul(many, Lit(stride)), Lit(address + WORD)))
                if isinstance(item, Int):
                    if not isinstance(member, Scalar):
                        raise Unsupported("such a list given to a score")
                    writer.store(8, at, member.value)
                elif isinstance(item, Meld):
                    self._meld(member, at)
                else:
                    bits = self._of.collecting.as_bits(member)
                    self._of.bags.store(bits, layout.planes(TILES.item), at)
                writer.set(many, add(many, ONE))

            if copies == ONE:
                put()
            else:
                self._of.memory.counted(copies, lambda _: put())

        value.each(one)
        writer.store(8, ZERO, many, address)

    def loaded(self, kind: Type, address: int) -> Value:
        """Return the value at an address. Raises `Unsupported`."""
        memory, writer = self._of.memory, self._writer
        match kind:
            case Bag(Meld() | Bag(Tile()) | Int() as item):
                many, stride = writer.let(load(8, ZERO, address)), self._layout.slots(item) * WORD

                def each(run: Callable[[Value, Expr], None]) -> None:
                    def one(at: Expr) -> None:
                        start = writer.let(add(mul(at, Lit(stride)), Lit(address + WORD)))
                        run(memory.loaded(item, start, False), ONE)

                    memory.counted(many, one)

                return Stream(item, each, many)
            case Opt(item) if not is_scalar(kind):
                held, present = self.loaded(item, address + WORD), writer.let(load(8, ZERO, address))
                if isinstance(held, Bits):
                    return Bits(held.item, held.planes, present)
                if isinstance(held, Group):
                    return Group(held.label, held.tiles, present)
                raise Unsupported("such a value or none")
            case Each(item) if not is_scalar(item):
                stride = slots_of(self._layout, item) * WORD
                places = range(self._layout.players)
                return PerSeat(tuple(self.loaded(item, address + place * stride) for place in places))
            case _:
                return memory.loaded(kind, Lit(address), False)

    def copied(self, value: Stream) -> Stream:
        """Return a copy of the members of a list, which no effect changes. Raises `Unsupported`."""
        kind = Bag(value.item)
        address = self._layout.allocate(slots_of(self._layout, kind))
        self.keep(kind, value, address)
        copy = self.loaded(kind, address)
        assert isinstance(copy, Stream)
        return copy
