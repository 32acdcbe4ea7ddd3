"""Values in the memory of a module.

Input: addresses and types. Output: values, and code that goes through lists.
Guarantee: a value is loaded once, when this is called.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from golpae.ir.types import (
    MELD,
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
)
from golpae.kernel.layout import WORD, Layout, is_planar, is_scalar
from golpae.kernel.unsupported import NotCompiled


class Memory:
    """Loads values in one function."""

    def __init__(self, layout: Layout, writer: Writer, bags: Bags) -> None:
        self.layout, self.writer, self.bags = layout, writer, bags

    def loaded(self, kind: Type, address: Expr, of_state: bool) -> Value:
        """Return the value of a type that lies at an address. Raises `NotCompiled`."""
        let = self.writer.let
        base, offset = (ZERO, address.value) if isinstance(address, Lit) else (address, 0)
        if is_scalar(kind):
            return Scalar(let(load(8, base, offset)), kind)
        behind = add(address, Lit(WORD))
        match kind:
            case Bag(item) if not is_planar(item):
                return self._listed(item, address, of_state)
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
                inner, present = self.loaded(item, behind, of_state), let(load(8, base, offset))
                if isinstance(inner, Bits | Group | PerSeat | Recorded | Stream):
                    return replace(inner, present=present)
                raise NotCompiled("a score that is read where none is possible")
            case Patterns() if not of_state:
                return Recorded(address)
            case Bool() | Int() | Seat() | Tile() | Choice() | NoneType() | Points() | Patterns():
                raise NotCompiled("a score that is read from a state or a key")

    def _listed(self, item: Type, address: Expr, of_state: bool) -> Stream:
        """Return the list at an address."""
        many = self.writer.let(load(8, address))

        def each(run: Callable[[Value, Expr], None]) -> None:
            self.counted(many, lambda at: run(self.member(item, address, at, of_state), ONE))

        return Stream(item, each, many, at=address if of_state else None, short=True)

    def member(self, item: Type, address: Expr, at: Expr, of_state: bool) -> Value:
        """Return the member at a place of a list, from 0 on. Raises `NotCompiled`."""
        stride = self.layout.slots(item, of_state) * WORD
        start = self.writer.let(add(address, add(Lit(WORD), mul(at, Lit(stride)))))
        return self.loaded(item, start, of_state)

    def counted(self, many: Expr, run: Callable[[Expr], None]) -> None:
        """Write what happens for each number from 0 to below `many`."""
        writer = self.writer
        at = writer.var(0)
        with writer.block() as done, writer.loop() as again:
            writer.leave(done, ge(at, many))
            writer.count_member()
            run(writer.let(at))
            writer.set(at, add(at, ONE))
            writer.leave(again)

    def melds(self, address: Expr) -> Stream:
        """Return the melds of a zone."""
        return self._listed(MELD, address, False)
