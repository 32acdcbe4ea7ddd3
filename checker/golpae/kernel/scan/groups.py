"""Read melds, and patterns with their points.

Input: the layout of an instance, and a position in a text. Output: code that writes a meld or patterns to an address.
Guarantee: a value is written only if the strict reader (`replay.decode`) reads the same.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from golpae.ir.types import Tile
from golpae.kernel.language.code import Expr, Function, Get, Lit
from golpae.kernel.language.writer import ONE, add, eq, load, lt, shl, sub
from golpae.kernel.layout import NO_NUMBER, NONE, WORD, Layout
from golpae.kernel.scan.planes import Planes
from golpae.kernel.scan.text import Cursor, NameReader


@dataclass(frozen=True, slots=True)
class _Shapes:
    """The names of tiles and labels, and where the sizes of labels lie: 1 for one that is no shape."""

    names: NameReader
    sizes: int


class Groups:
    """Writes how melds and patterns are read; adds the functions that this needs to `functions`."""

    def __init__(
        self, layout: Layout, read_tile: Callable[[Cursor], Expr], functions: list[Function]
    ) -> None:
        self._layout, self._read_tile, self.functions = layout, read_tile, functions

    def meld(self, cursor: Cursor, address: Get) -> None:
        """Read a meld: `[label, tile, ...]`, `[label, [tile, ...]]` or `[tile, ...]`.

        A single tile that is not in a list of its own stands for as many as the shape has.
        """
        writer, shapes = cursor.writer, self._shapes
        bag = Planes(writer, self._layout, Tile(), writer.let(add(address, Lit(WORD))))
        kinds = len(self._layout.instance.kinds)
        cursor.expect(b'["')
        tile = writer.var(shapes.names.read(cursor))
        cursor.settle()
        times = writer.var(ONE)

        def read_tiles() -> None:
            """Read the tiles behind the first one, to the end of the meld."""
            with writer.block() as done, writer.loop() as again:
                bag.add(tile)
                writer.leave(done, eq(cursor.load(1), Lit(ord("]"))))
                writer.set(times, ONE)
                cursor.comma()
                writer.set(tile, self._read_tile(cursor))
                cursor.settle()
                writer.leave(again)

        with writer.when(lt(tile, Lit(kinds))):
            writer.store(8, address, Lit(NONE))
            read_tiles()
        with writer.otherwise():
            label = writer.let(sub(tile, Lit(kinds)))
            writer.store(8, address, label)
            cursor.comma()
            with writer.when(eq(cursor.load(1), Lit(ord("[")))):

                def read_member() -> None:
                    member = writer.let(self._read_tile(cursor))
                    cursor.settle()
                    bag.add(member)

                cursor.items(read_member)
                cursor.settle()
            with writer.otherwise():
                writer.set(times, load(8, shl(label, Lit(3)), shapes.sizes))
                writer.set(tile, self._read_tile(cursor))
                cursor.settle()
                read_tiles()
        with writer.block() as done, writer.loop() as again:
            writer.set(times, sub(times, ONE))
            writer.leave(done, lt(times, ONE))
            bag.add(tile)
            writer.leave(again)
        cursor.expect(b"]")
        bag.store(cursor)

    @cached_property
    def _shapes(self) -> _Shapes:
        """The names of tiles and labels: a label that is also a tile is a label. Labels come behind all kinds."""
        layout, rules = self._layout, self._layout.instance.rule_set
        sizes = {s.name: 1 if s.most else s.size for s in rules.shapes if s.test is not None}
        unions = {s.name for s in rules.shapes if s.test is None}
        kinds = len(layout.instance.kinds)
        labels = {n: kinds + k for k, n in enumerate(layout.labels) if n in sizes or n not in unions}
        names = NameReader(layout, "shape", {**layout.instance.numbers(), **labels})
        self.functions += names.functions
        held = struct.pack(f"<{len(layout.labels)}q", *(sizes.get(name, 1) for name in layout.labels))
        return _Shapes(names, layout.hold(held))

    def patterns(self, cursor: Cursor, address: Get) -> None:
        """Read an object of points by patterns, each of which a score has."""
        writer, names = cursor.writer, self._pattern_names
        for slot in range(len(self._layout.patterns)):
            writer.store(8, address, Lit(NO_NUMBER), slot * WORD)
        cursor.expect(b"{")
        cursor.settle()
        with writer.block() as done:
            writer.leave(done, eq(cursor.load(1), Lit(ord("}"))))
            with writer.loop() as again:
                cursor.expect(b'"')
                number = writer.let(names.read(cursor))
                cursor.colon()
                place = writer.let(add(address, shl(number, Lit(3))))
                cursor.require(eq(load(8, place), Lit(NO_NUMBER)))
                writer.store(8, place, cursor.number())
                cursor.settle()
                writer.leave(done, eq(cursor.load(1), Lit(ord("}"))))
                cursor.comma()
                writer.leave(again)
        cursor.expect(b"}")

    @cached_property
    def _pattern_names(self) -> NameReader:
        layout = self._layout
        reader = NameReader(layout, "pattern", {name: number for number, name in enumerate(layout.patterns)})
        self.functions += reader.functions
        return reader
