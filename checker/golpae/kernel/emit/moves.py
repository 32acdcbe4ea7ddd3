"""Moves of tiles and melds in the kernel language.

Input: the parts of a statement that moves tiles, and the values of names. Output: code that carries it out.
Guarantee: a tile or meld that is not where it is taken from is referred, or a reason to give 0 if the move is only
tried.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from golpae.ir import expr as ir
from golpae.ir.types import TILE, TILES, Meld, Tile
from golpae.kernel.emit.expressions import Expressions
from golpae.kernel.emit.parts import Names
from golpae.kernel.emit.values import Bits, Group, Scalar, Value
from golpae.kernel.language.code import Expr, Lit
from golpae.kernel.language.limits import Limit
from golpae.kernel.language.writer import ONE, ZERO, add, both, is_zero, load, lt, mul, sub
from golpae.kernel.layout import NONE, WORD, is_scalar
from golpae.kernel.unsupported import NotCompiled


class Moves:
    """Writes moves into one function."""

    def __init__(self, expressions: Expressions) -> None:
        self._expressions = expressions
        self._layout, self._writer = expressions.layout, expressions.writer
        self._bags, self._rows = expressions.bags, expressions.rows
        self._parts = expressions.parts

    def held(self, expr: ir.Expr, names: Names) -> Value:
        """Return a value that no later change of the game reaches."""
        value = self._expressions.value(expr, names)
        if isinstance(value, Scalar):
            return replace(value, value=self._writer.let(value.value))
        if isinstance(value, Group):
            return value
        bits = self._expressions.collecting.as_bits(value)
        if bits.present != ONE:
            raise NotCompiled("tiles that are moved and may be none")
        return bits

    # ------------------------------------------------------------------ tiles

    def take(self, what: ir.Expr, place: ir.Place, names: Names) -> None:
        """Write how a tile, or tiles, leave a zone of tiles or a row."""
        if isinstance(what.type, Tile):
            self._take(place, self._writer.let(self._expressions.scalar(what, names)), names)
            return
        moved = self._expressions.bits(what, names)
        if self._kind(place) == "row":
            self._each_copy(moved, lambda tile: self._take(place, tile, names))
            return
        zone = self.zone(place, names)
        bits = self._loaded(zone)
        self._writer.fail_if(is_zero(self._bags.within(moved, bits)))
        self._store_tiles(zone, self._bags.minus(bits, moved))

    def _take(self, place: ir.Place, tile: Expr, names: Names) -> None:
        zone = self.zone(place, names)
        if self._kind(place) == "row":
            if place.end is None:
                self._rows.take(zone, tile)
            elif place.number is not None:
                self._rows.take_place(
                    zone, tile, self._writer.let(self._expressions.scalar(place.number, names))
                )
            else:
                self._rows.take_end(zone, tile, place.end)
            return
        bits = self._loaded(zone)
        self._writer.fail_if(is_zero(self._bags.has(tile, bits, False)))
        self._store_tiles(zone, self._bags.minus(bits, self._bags.single(TILE, tile, len(bits.planes[0]))))

    def take_all(self, place: ir.Place, names: Names) -> Value:
        """Write how everything leaves a zone. Return its tiles."""
        zone, kind = self.zone(place, names), self._kind(place)
        if kind == "melds":
            gathered = self._expressions.collecting.gathered(self._expressions.memory.melds(zone))
            self._writer.store(8, zone, ZERO)
            return gathered
        moved = self._rows.tiles(zone) if kind == "row" else self._loaded(zone)
        if kind == "row":
            self._rows.clear(zone)
        else:
            self._store_tiles(zone, self._bags.empty(TILE, self._layout.words(TILE)))
        return moved

    def put(self, what: ir.Expr, place: ir.Place, names: Names) -> None:
        """Write how a tile, or tiles, arrive in a zone of tiles or a row."""
        zone, row = self.zone(place, names), self._kind(place) == "row"
        if row and isinstance(what.type, Tile):
            self._rows.put(zone, self._writer.let(self._expressions.scalar(what, names)), place.end)
        elif row:
            self._rows.put_hidden(zone, self._expressions.bits(what, names), place.end)
        else:
            bits = self._loaded(zone)
            self._store_tiles(
                zone, self._bags.joined(bits, self._tiles(what, names), self._layout.planes(TILE))
            )

    def move_row(self, source: ir.Place, target: ir.Place, names: Names) -> None:
        """Write how all tiles of a row go to a row."""
        zone = self.zone(source, names)
        places = self._rows.copy(zone)
        self._rows.clear(zone)
        self._rows.put_row(self.zone(target, names), places, target.end)

    def _tiles(self, what: ir.Expr, names: Names) -> Bits:
        if is_scalar(what.type):
            tile = self._writer.let(self._expressions.scalar(what, names))
            return self._bags.single(TILE, tile, self._layout.words(TILE))
        return self._expressions.bits(what, names)

    def _loaded(self, zone: Expr) -> Bits:
        loaded = self._expressions.memory.loaded(TILES, zone, False)
        assert isinstance(loaded, Bits)
        return loaded

    def _store_tiles(self, zone: Expr, tiles: Bits) -> None:
        self._bags.store(tiles, self._layout.planes(TILE), zone)

    def _each_copy(self, bag: Bits, run: Callable[[Expr], None]) -> None:
        """Write what happens for every tile of a bag, in the order of the set."""

        def one(member: Expr) -> None:
            copies = self._bags.copies(member, bag)
            if copies == ONE:
                run(member)
            else:
                self._expressions.memory.counted(copies, lambda _: run(member))

        self._bags.each(bag.planes[0], one)

    # ------------------------------------------------------------------ melds

    def move_melds(self, source: ir.Place, label: str | None, target: ir.Place, names: Names) -> None:
        """Write how all melds of a zone go to another one, or to the same."""
        writer, zone = self._writer, self.zone(source, names)
        room = self._layout.slots(Meld()) * len(self._layout.whole)
        apart = Lit(self._layout.allocate(1 + room))
        writer.copy(apart, zone, Lit((1 + room) * WORD))
        writer.store(8, zone, ZERO)
        arrives = self.zone(target, names)

        def one(meld: Value, copies: Expr) -> None:
            assert isinstance(meld, Group)
            self._append_meld(arrives, Group(meld.label if label is None else self._label(label), meld.tiles))

        self._expressions.memory.melds(apart).each(one)

    def new_meld(self, tiles: ir.Expr, label: str | None, place: ir.Place, names: Names) -> None:
        """Write how tiles become a meld, if there are any."""
        made, zone = self._expressions.bits(tiles, names), self.zone(place, names)
        with self._writer.when(is_zero(self._bags.is_empty(made))):
            self._append_meld(zone, Group(self._label(label), made))

    def take_meld(self, meld: ir.Expr, place: ir.Place, names: Names) -> None:
        """Write how a meld leaves a zone of melds."""
        zone = self.zone(place, names)
        self._remove_meld(zone, self._find_meld(zone, self._meld(meld, names)))

    def put_meld(self, meld: ir.Expr, label: str | None, place: ir.Place, names: Names) -> None:
        """Write how a meld arrives in a zone of melds."""
        made = self._meld(meld, names)
        own = made.label if label is None else self._label(label)
        self._append_meld(self.zone(place, names), Group(own, made.tiles))

    def change_meld(
        self,
        place: ir.ZoneRead,
        expr: ir.Expr,
        arriving: Bits | None,
        leaving: Bits | None,
        label: str | None,
        names: Names,
    ) -> None:
        """Write how tiles join a meld of a zone, or leave it."""
        writer, meld = self._writer, self._meld(expr, names)
        zone = self._expressions.zone_at(place.name, place.seat, names)
        address = self._find_meld(zone, meld)
        tiles = meld.tiles
        if leaving is not None:
            writer.fail_if(is_zero(self._bags.within(leaving, tiles)))
            tiles = self._bags.minus(tiles, leaving)
        if arriving is not None:
            tiles = self._bags.joined(tiles, arriving, self._layout.planes(TILE))
        gone = writer.let(self._bags.is_empty(tiles))
        with writer.when(gone):
            self._remove_meld(zone, address)
        with writer.when(is_zero(gone)):
            self._put_meld(address, Group(meld.label if label is None else self._label(label), tiles))

    def _meld(self, expr: ir.Expr, names: Names) -> Group:
        meld = self._expressions.value(expr, names)
        if not isinstance(meld, Group):
            raise NotCompiled("tiles without a label that are moved as a meld")
        return meld

    def _label(self, label: str | None) -> Expr:
        return Lit(NONE) if label is None else Lit(self._layout.labels.index(label))

    def _append_meld(self, zone: Expr, meld: Group) -> None:
        writer, stride = self._writer, self._layout.slots(Meld()) * WORD
        many = writer.let(load(8, zone))
        writer.refer_if(is_zero(lt(many, Lit(len(self._layout.whole)))), Limit.ROOM)
        self._put_meld(writer.let(add(zone, add(Lit(WORD), mul(many, Lit(stride))))), meld)
        writer.store(8, zone, add(many, ONE))

    def _put_meld(self, address: Expr, meld: Group) -> None:
        self._writer.store(8, address, meld.label)
        self._bags.store(meld.tiles, self._layout.planes(TILE), self._writer.let(add(address, Lit(WORD))))

    def _find_meld(self, zone: Expr, meld: Group) -> Expr:
        """Return the address of an equal meld in a zone; there has to be one."""
        writer, stride = self._writer, self._layout.slots(Meld()) * WORD
        writer.fail_if(is_zero(meld.present))
        meld_start = writer.var(0)

        def one(at: Expr) -> None:
            start = writer.let(add(zone, add(Lit(WORD), mul(at, Lit(stride)))))
            other = self._expressions.memory.loaded(Meld(), start, False)
            assert isinstance(other, Group)
            with writer.when(both(is_zero(meld_start), self._bags.same_groups(meld, other))):
                writer.set(meld_start, start)

        self._expressions.memory.counted(writer.let(load(8, zone)), one)
        writer.fail_if(is_zero(meld_start))
        return meld_start

    def _remove_meld(self, zone: Expr, address: Expr) -> None:
        """Take a meld out of a zone; those behind it move up, so that they are listed as replay lists them."""
        writer, stride = self._writer, self._layout.slots(Meld()) * WORD
        many = load(8, zone)
        end = writer.let(add(zone, add(Lit(WORD), mul(many, Lit(stride)))))
        behind = writer.let(add(address, Lit(stride)))
        writer.copy(address, behind, sub(end, behind))
        writer.store(8, zone, sub(many, ONE))

    def _kind(self, place: ir.Place) -> str:
        return self._parts.zones[place.zone].kind

    def zone(self, place: ir.Place, names: Names) -> Expr:
        """Return the address of a zone."""
        return self._expressions.zone_at(place.zone, place.seat, names)
