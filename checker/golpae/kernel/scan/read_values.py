"""Read the values of keys, by type.

Input: the layout of an instance, and a position in a text. Output: code that writes a value to its address and reads on
behind it, and the functions that this code calls.
Guarantee: a value is written only if the strict reader (`replay.decode`) reads the same; for anything else, and for
types that the layout refuses, code leaves for `fail`.
"""

from __future__ import annotations

from collections.abc import Callable

from golpae.ir.types import (
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
from golpae.kernel.language.code import Expr, Function, Get, Lit
from golpae.kernel.language.writer import (
    ONE,
    ZERO,
    Writer,
    add,
    below,
    eq,
    shl,
)
from golpae.kernel.layout import WORD, Arg, Layout, is_scalar, none_of
from golpae.kernel.scan.gaps import Gaps
from golpae.kernel.scan.groups import Groups
from golpae.kernel.scan.planes import Planes
from golpae.kernel.scan.text import Cursor, NameReader
from golpae.kernel.unsupported import NotCompiled

_ONE_DIGIT = 10


class Values:
    """Writes how values are read, and collects the functions for those that are not one number."""

    def __init__(self, layout: Layout, gaps: Gaps | None) -> None:
        self._layout, self._gaps = layout, gaps
        self._tiles = NameReader(layout, "tile", layout.instance.numbers())
        self._choices: dict[Choice, NameReader] = {}
        self._names: dict[Type, str] = {}
        self.functions: list[Function] = [*self._tiles.functions]
        if gaps is not None:
            self.functions.append(self._tile())
        self._groups = Groups(layout, lambda cursor: self._scalar(cursor, Tile()), self.functions)

    def reader(self, arg: Arg) -> Callable[[Cursor], None]:
        """Return a function that emits the reading of a key's value."""
        return lambda cursor: self.arg(cursor, arg)

    def arg(self, cursor: Cursor, arg: Arg) -> None:
        """Read the value of a key that is there."""
        if not arg.nullable:
            self._given(cursor, arg)
            return
        writer = cursor.writer
        cursor.settle()
        with writer.when(cursor.follows(b"null")):
            cursor.skip(4)
            cursor.settle()
            self.none(writer, arg)
        with writer.otherwise():
            self._given(cursor, arg)
            cursor.settle()

    def none(self, writer: Writer, arg: Arg) -> None:
        """Write the value of a key that is left out or null."""
        if arg.parts:
            for part in range(arg.parts):
                writer.store(8, Lit(arg.address + part * WORD), Lit(none_of(arg.kind)))
        else:
            scalar = is_scalar(arg.kind)
            writer.store(8, Lit(arg.address), Lit(none_of(arg.kind)) if scalar else ZERO)

    def _given(self, cursor: Cursor, arg: Arg) -> None:
        address = arg.address
        if arg.parts:
            for part in range(arg.parts):
                cursor.expect(b"[") if part == 0 else cursor.comma()
                cursor.writer.store(8, Lit(address + part * WORD), self._scalar(cursor, Tile()))
            cursor.expect(b"]")
            return
        if not is_scalar(arg.kind) and (arg.optional or arg.nullable):
            cursor.writer.store(8, Lit(address), ONE)
            address += WORD
        if arg.listed:
            cursor.run(self._listed(arg), Lit(address))
        else:
            self.value(cursor, arg.kind, Lit(address))

    def value(self, cursor: Cursor, kind: Type, address: Expr) -> None:
        """Read a value that is not none."""
        try:
            self._layout.slots(kind)
        except NotCompiled:
            cursor.writer.leave(cursor.fail)
            return
        if is_scalar(kind) and not isinstance(kind, Opt):
            cursor.writer.store(8, address, self._scalar(cursor, kind))
        else:
            cursor.run(self._function(kind), address)

    # ------------------------------------------------------------------ one number

    def _scalar(self, cursor: Cursor, kind: Type) -> Expr:
        match kind:
            case Seat():
                return self.seat(cursor)
            case Tile():
                cursor.expect(b'"')
                return self._tiles.read(cursor)
            case Choice(words):
                if kind not in self._choices:
                    numbers = {word: words.index(word) for word in words}
                    reader = NameReader(self._layout, f"word_{len(self._choices)}", numbers)
                    self._choices[kind] = reader
                    self.functions += reader.functions
                cursor.expect(b'"')
                return self._choices[kind].read(cursor)
            case Int():
                return cursor.number()
            case Bool():
                return self._truth(cursor)
            case Meld() | Bag() | Each() | Opt() | NoneType() | Points() | Patterns():
                cursor.writer.leave(cursor.fail)
                return ZERO

    def seat(self, cursor: Cursor) -> Expr:
        """Read a seat."""
        players = self._layout.players
        if players <= _ONE_DIGIT:
            return cursor.digit(players)
        seat = cursor.number()
        cursor.require(below(seat, Lit(players)))
        return seat

    def _truth(self, cursor: Cursor) -> Expr:
        writer = cursor.writer
        cursor.settle()
        value = writer.var(cursor.follows(b"true"))
        with writer.when(value):
            cursor.skip(4)
            cursor.settle()
        with writer.otherwise():
            cursor.expect(b"false")
            cursor.settle()
        return value

    def _tile(self) -> Function:
        """Return `scan_tile`: from the position of the name of a tile, in quotes, to that behind it, or 0; the tile."""
        writer = Writer("scan_tile", params=1, results=2)
        with writer.block() as fail:
            cursor = Cursor(writer, writer.param(0), fail, spaced=False)
            tile = self._scalar(cursor, Tile())
            cursor.settle()
            writer.give(cursor.at, tile)
        writer.give(ZERO, ZERO)
        return writer.function()

    # ------------------------------------------------------------------ lists

    def _function(self, kind: Type) -> str:
        """Return the name of a function from a position and an address to the position behind a value, or 0."""
        if kind not in self._names:
            self._names[kind] = name = f"scan_value_{len(self._names)}"
            writer = Writer(name, params=2, results=1)
            with writer.block() as fail:
                cursor = Cursor(writer, writer.param(0), fail, spaced=True)
                self._whole(cursor, kind, writer.param(1))
                cursor.settle()
                writer.give(cursor.at)
            writer.give(ZERO)
            self.functions.append(writer.function())
        return self._names[kind]

    def _listed(self, arg: Arg) -> str:
        """Return the name of such a function for tiles that are kept as they are listed, too."""
        name = f"scan_listed_{arg.listed}"
        if all(function.name != name for function in self.functions):
            writer = Writer(name, params=2, results=1)
            with writer.block() as fail:
                cursor = Cursor(writer, writer.param(0), fail, spaced=True)
                self._bag(cursor, Tile(), writer.param(1), arg.listed)
                cursor.settle()
                writer.give(cursor.at)
            writer.give(ZERO)
            self.functions.append(writer.function())
        return name

    def _whole(self, cursor: Cursor, kind: Type, address: Get) -> None:
        match kind:
            case Bag(Bag(Tile()) | Int() | Meld() as item):
                self._counted(cursor, item, address)
            case Bag(item):
                self._bag(cursor, item, address)
            case Each(item):
                self._each(cursor, item, address)
            case Meld():
                self._groups.meld(cursor, address)
            case Patterns():
                self._groups.patterns(cursor, address)
            case _:
                cursor.writer.leave(cursor.fail)

    def _each(self, cursor: Cursor, item: Type, address: Get) -> None:
        writer, size = cursor.writer, self._layout.slots(item) * WORD
        end = writer.let(add(address, Lit(self._layout.players * size)))
        cursor.expect(b"[")
        cursor.settle()
        with writer.block() as done, writer.loop() as again:
            self.value(cursor, item, address)
            cursor.settle()
            writer.set(address, add(address, Lit(size)))
            writer.leave(done, eq(address, end))
            cursor.comma()
            writer.leave(again)
        cursor.expect(b"]")

    def _counted(self, cursor: Cursor, item: Type, address: Get) -> None:
        """Read a list of bags, numbers or melds: how many there are, then these."""
        writer, size = cursor.writer, self._layout.slots(item) * WORD
        room = (self._layout.slots(Bag(item)) - 1) * WORD // size
        count, place = writer.var(0), writer.var(add(address, Lit(WORD)))

        def read_item() -> None:
            writer.leave(cursor.fail, eq(count, Lit(room)))
            self.value(cursor, item, place)
            cursor.settle()
            writer.set(place, add(place, Lit(size)))
            writer.set(count, add(count, ONE))

        cursor.items(read_item)
        writer.store(8, address, count)

    def _bag(self, cursor: Cursor, item: Type, address: Get, listed: int = 0) -> None:
        """Read a bag into its planes; where `listed` is not 0, its members go there as they are listed, too."""
        writer = cursor.writer
        bag = Planes(writer, self._layout, item, address)
        count = writer.var(0)

        def add_member(member: Expr) -> None:
            if listed:
                writer.leave(cursor.fail, eq(count, Lit(len(self._layout.whole))))
                writer.store(2, shl(count, ONE), member, listed + WORD)
                writer.set(count, add(count, ONE))
            bag.add(member)

        def read_member() -> None:
            member = writer.let(self._scalar(cursor, item))
            cursor.settle()
            add_member(member)

        if self._gaps is None or not isinstance(item, Tile):
            cursor.items(read_member)
        else:
            cursor.settle()
            with writer.when(self._gaps.follows(cursor, 1)):
                cursor.expect(b"[")
                self._gaps.each(cursor, add_member)
                cursor.expect(b"]")
                cursor.settle()
            with writer.otherwise():
                cursor.items(read_member)
                cursor.settle()
        bag.store(cursor)
        if listed:
            writer.store(8, Lit(listed), count)
