"""Values in the memory of a module.

Input: addresses and types. Output: values, and code that goes through lists.
Guarantee: a value is loaded once, when this is called.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from golpae.ir.types import (
    INT,
    TILES,
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
from golpae.kernel.emit.bags import Bags
from golpae.kernel.emit.values import Bits, Group, PerSeat, Recorded, Scalar, Stream, Value
from golpae.kernel.language.code import Expr, Lit
from golpae.kernel.language.writer import (
    ONE,
    ZERO,
    Writer,
    add,
    ge,
    load,
    mul,
    shl,
)
from golpae.kernel.layout import WORD, Layout, is_scalar
from golpae.kernel.unsupported import Unsupported

if TYPE_CHECKING:
    pass


class Memory:
    """Loads values in one function."""

    def __init__(self, layout: Layout, writer: Writer, bags: Bags) -> None:
        self.layout, self.writer, self.bags = layout, writer, bags

    def loaded(self, kind: Type, address: Expr, of_state: bool) -> Value:
        """Return the value of a type that lies at an address. Raises `Unsupported`."""
        let = self.writer.let
        base, offset = (ZERO, address.value) if isinstance(address, Lit) else (address, 0)
        if is_scalar(kind):
            return Scalar(let(load(8, base, offset)), kind)
        behind = add(address, Lit(WORD))
        match kind:
            case Bag(Bag(Tile() as tile)):
                return self._listed(tile, address)
            case Bag(Int()) if not of_state:
                many = let(load(8, address))
                return Stream(
                    INT,
                    lambda run: self.counted(many, lambda at: run(self._number_at(address, at), ONE)),
                    many,
                )
            case Bag(item):
                return self.bags.loaded(
                    item, self.layout.planes(item, of_state), self.layout.words(item), address
                )
            case Meld():
                tiles = self.loaded(TILES, behind, of_state)
                assert isinstance(tiles, Bits)
                return Group(let(load(8, base, offset)), tiles)
            case Each(item):
                stride = self.layout.slots(item, of_state) * WORD
                players = range(self.layout.players)
                return PerSeat(
                    tuple(self.loaded(item, add(address, Lit(p * stride)), of_state) for p in players)
                )
            case Opt(item):
                held, present = self.loaded(item, behind, of_state), let(load(8, base, offset))
                if isinstance(held, Bits):
                    return Bits(held.item, held.planes, present)
                if isinstance(held, Group):
                    return Group(held.label, held.tiles, present)
                if isinstance(held, PerSeat):
                    return PerSeat(held.values, present)
                if isinstance(held, Recorded):
                    return Recorded(held.address, present)
                raise Unsupported("such a value or none")
            case Patterns() if not of_state:
                return Recorded(address)
            case Bool() | Int() | Seat() | Tile() | Choice() | NoneType() | Points() | Patterns():
                raise Unsupported("such a value in a state or a key")

    def _listed(self, item: Type, address: Expr) -> Stream:
        """Return the bags of a key that is a list of bags."""
        many, words = self.writer.let(load(8, address)), self.layout.words(item)
        planes = self.layout.planes(item)

        def each(run: Callable[[Value, Expr], None]) -> None:
            self.counted(many, lambda at: run(self._bag_at(item, planes, words, address, at), ONE))

        return Stream(Bag(item), each, many)

    def _number_at(self, address: Expr, at: Expr) -> Scalar:
        return Scalar(self.writer.let(load(8, add(address, shl(at, Lit(3))), WORD)), INT)

    def _bag_at(self, item: Type, planes: int, words: int, address: Expr, at: Expr) -> Bits:
        start = add(address, add(Lit(WORD), mul(at, Lit(planes * words * WORD))))
        return self.bags.loaded(item, planes, words, self.writer.let(start))

    def counted(self, many: Expr, run: Callable[[Expr], None]) -> None:
        """Write what happens for each number from 0 to below `many`."""
        writer = self.writer
        at = writer.var(0)
        with writer.block() as done, writer.loop() as again:
            writer.leave(done, ge(at, many))
            writer.count_round()
            run(writer.let(at))
            writer.set(at, add(at, ONE))
            writer.leave(again)

    def melds(self, address: Expr) -> Stream:
        """Return the melds of a zone."""
        many = self.writer.let(load(8, address))
        stride = self.layout.slots(Meld()) * WORD

        def each(run: Callable[[Value, Expr], None]) -> None:
            def one(at: Expr) -> None:
                start = self.writer.let(add(address, add(Lit(WORD), mul(at, Lit(stride)))))
                run(self.loaded(Meld(), start, False), ONE)

            self.counted(many, one)

        return Stream(Meld(), each, many)
