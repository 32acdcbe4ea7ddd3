"""Moves of tiles and melds in the kernel language.

Input: a move and the values of names. Output: code that carries it out.
Guarantee: what leaves is found, then the place that it goes to, both once; a tile or meld that is not where it is moved
from is referred, or a reason to give 0 where the move is only tried.
"""

from __future__ import annotations

from collections.abc import Callable

from golpae.ir import expr as ir
from golpae.ir.types import TILE, TILES, Meld, Opt, Tile
from golpae.kernel.emit.expressions import Expressions
from golpae.kernel.emit.parts import Names
from golpae.kernel.emit.values import Bits, Group, Value
from golpae.kernel.language.code import Expr, Lit
from golpae.kernel.language.limits import Limit
from golpae.kernel.language.writer import ONE, ZERO, add, both, is_zero, load, lt, mul, sub
from golpae.kernel.layout import NONE, WORD, is_scalar
from golpae.kernel.unsupported import Unsupported


class Moves:
    """Writes moves into one function."""

    def __init__(self, expressions: Expressions) -> None:
        self._expressions = expressions
        self._layout, self._writer = expressions.layout, expressions.writer
        self._bags, self._rows = expressions.bags, expressions.rows
        self._parts = expressions.parts

    def move(self, effect: ir.Move, names: Names) -> None:
        """Write a move: what leaves is found, then the place that it goes to."""
        source, what = effect.source, effect.what
        if isinstance(source, ir.MeldPlace):
            assert what is not None
            moved = self._tiles(what, names)
            self._change_meld(source, None, moved, None, names)
            self._arrive(effect, moved, None, names)
        elif self.kind(source) == "melds":
            self._leave_melds(effect, source, names)
        elif what is None:
            zone = self.zone(source, names)
            row = self.kind(source) == "row"
            if row and isinstance(effect.target, ir.Place) and self.kind(effect.target) == "row":
                places = self._rows.copy(zone)
                self._rows.clear(zone)
                self._rows.put_row(self.zone(effect.target, names), places, effect.target.end)
                return
            moved = self._rows.tiles(zone) if row else self._loaded(zone)
            if row:
                self._rows.clear(zone)
            else:
                self._store_tiles(zone, self._bags.empty(TILE, self._layout.words(TILE)))
            self._arrive(effect, moved, None, names)
        elif isinstance(what.type, Tile) or (isinstance(what.type, Opt) and isinstance(what.type.item, Tile)):
            tile = self._writer.let(self._expressions.scalar(what, names))
            self._take(source, tile, names, may_be_none=not isinstance(what.type, Tile))
            self._arrive(effect, None, tile, names)
        else:
            moved = self._tiles(what, names)
            self._take_all(source, what, moved, names)
            self._arrive(effect, moved, None, names)

    def _tiles(self, what: ir.Expr, names: Names) -> Bits:
        if is_scalar(what.type):
            tile = self._writer.let(self._expressions.scalar(what, names))
            return self._bags.single(TILE, tile, self._layout.words(TILE))
        moved = self._expressions.bits(what, names)
        if moved.present != ONE:
            raise Unsupported("tiles or none moved")
        return moved

    def _loaded(self, zone: Expr) -> Bits:
        loaded = self._expressions.memory.loaded(TILES, zone, False)
        assert isinstance(loaded, Bits)
        return loaded

    def _store_tiles(self, zone: Expr, tiles: Bits) -> None:
        self._bags.store(tiles, self._layout.planes(TILE), zone)

    def _take(self, source: ir.Place, tile: Expr, names: Names, may_be_none: bool = True) -> None:
        zone = self.zone(source, names)
        if self.kind(source) == "row":
            if source.end is None:
                self._rows.take(zone, tile)
            else:
                self._rows.take_end(zone, tile, source.end)
            return
        held = self._loaded(zone)
        self._writer.fail_if(is_zero(self._bags.has(tile, held, may_be_none)))
        self._store_tiles(zone, self._bags.minus(held, self._bags.single(TILE, tile, len(held.planes[0]))))

    def _take_all(self, source: ir.Place, what: ir.Expr, moved: Bits, names: Names) -> None:
        if self.kind(source) == "row":
            if isinstance(what, ir.BagOf):
                for item in what.items:
                    self._take(source, self._writer.let(self._expressions.scalar(item, names)), names)
                return
            self._each_copy(moved, lambda tile: self._take(source, tile, names))
            return
        zone = self.zone(source, names)
        held = self._loaded(zone)
        self._writer.fail_if(is_zero(self._bags.within(moved, held)))
        self._store_tiles(zone, self._bags.minus(held, moved))

    def _each_copy(self, bag: Bits, run: Callable[[Expr], None]) -> None:
        """Write what happens for every tile of a bag, in the order of the set."""

        def one(member: Expr) -> None:
            copies = self._bags.copies(member, bag)
            if copies == ONE:
                run(member)
            else:
                self._expressions.memory.counted(copies, lambda _: run(member))

        self._bags.each(bag.planes[0], one)

    def _arrive(self, effect: ir.Move, moved: Bits | None, tile: Expr | None, names: Names) -> None:
        """Write how tiles arrive: a bag of them, or one tile."""
        target = effect.target
        if isinstance(target, ir.MeldPlace):
            self._change_meld(target, self._bag(moved, tile), None, effect.label, names)
            return
        zone, kind = self.zone(target, names), self.kind(target)
        if kind == "melds":
            bag = self._bag(moved, tile)
            with self._writer.when(is_zero(self._bags.is_empty(bag))):
                self._append_meld(zone, Group(self._label(effect.label), bag))
        elif kind == "row":
            if tile is not None:
                self._rows.put(zone, tile, target.end)
            elif isinstance(effect.what, ir.BagOf):
                for item in effect.what.items:
                    self._rows.put(zone, self._writer.let(self._expressions.scalar(item, names)), target.end)
            else:
                assert moved is not None
                self._rows.put_hidden(zone, moved, target.end)
        else:
            held = self._loaded(zone)
            self._store_tiles(
                zone, self._bags.joined(held, self._bag(moved, tile), self._layout.planes(TILE))
            )

    def _bag(self, moved: Bits | None, tile: Expr | None) -> Bits:
        if moved is not None:
            return moved
        assert tile is not None
        return self._bags.single(TILE, tile, self._layout.words(TILE))

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
        found = writer.var(0)

        def one(at: Expr) -> None:
            start = writer.let(add(zone, add(Lit(WORD), mul(at, Lit(stride)))))
            other = self._expressions.memory.loaded(Meld(), start, False)
            assert isinstance(other, Group)
            with writer.when(both(is_zero(found), self._bags.same_groups(meld, other))):
                writer.set(found, start)

        self._expressions.memory.counted(writer.let(load(8, zone)), one)
        writer.fail_if(is_zero(found))
        return found

    def _remove_meld(self, zone: Expr, address: Expr) -> None:
        """Take a meld out of a zone; those behind it move up, so that they are listed as replay lists them."""
        writer, stride = self._writer, self._layout.slots(Meld()) * WORD
        many = load(8, zone)
        end = writer.let(add(zone, add(Lit(WORD), mul(many, Lit(stride)))))
        behind = writer.let(add(address, Lit(stride)))
        writer.copy(address, behind, sub(end, behind))
        writer.store(8, zone, sub(many, ONE))

    def _change_meld(
        self,
        place: ir.MeldPlace,
        arriving: Bits | None,
        leaving: Bits | None,
        label: str | None,
        names: Names,
    ) -> None:
        """Add tiles to a meld of a zone or take them away."""
        writer, fold = self._writer, place.meld
        assert isinstance(fold, ir.Fold)
        if not isinstance(fold.domain, ir.ZoneRead):
            raise Unsupported("a meld that is not in a zone")
        meld = self._expressions.value(fold, names)
        if not isinstance(meld, Group):
            raise Unsupported("such a meld")
        zone = self._expressions.zone_at(fold.domain.name, fold.domain.seat, names)
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

    def _leave_melds(self, effect: ir.Move, source: ir.Place, names: Names) -> None:
        """Write how melds leave a zone of melds."""
        writer = self._writer
        target = effect.target
        melds = isinstance(target, ir.Place) and self.kind(target) == "melds"
        if effect.what is not None:
            meld = self._expressions.value(effect.what, names)
            if not isinstance(meld, Group):
                raise Unsupported("such a meld")
            zone = self.zone(source, names)
            self._remove_meld(zone, self._find_meld(zone, meld))
            if melds:
                assert isinstance(target, ir.Place)
                label = meld.label if effect.label is None else self._label(effect.label)
                self._append_meld(self.zone(target, names), Group(label, meld.tiles))
            else:
                self._arrive(effect, meld.tiles, None, names)
            return
        zone = self.zone(source, names)
        if melds:
            assert isinstance(target, ir.Place)
            self._move_melds(zone, target, effect.label, names)
            return
        moved = self._expressions.collecting.gathered(self._expressions.memory.melds(zone))
        writer.store(8, zone, ZERO)
        self._arrive(effect, moved, None, names)

    def _move_melds(self, zone: Expr, target: ir.Place, label: str | None, names: Names) -> None:
        """Write how all melds of a zone go to another one, or to the same."""
        writer = self._writer
        room = self._layout.slots(Meld()) * len(self._layout.whole)
        apart = Lit(self._layout.allocate(1 + room))
        writer.copy(apart, zone, Lit((1 + room) * WORD))
        writer.store(8, zone, ZERO)
        arrives = self.zone(target, names)

        def one(meld: Value, copies: Expr) -> None:
            assert isinstance(meld, Group)
            self._append_meld(arrives, Group(meld.label if label is None else self._label(label), meld.tiles))

        self._expressions.memory.melds(apart).each(one)

    def kind(self, place: ir.Place) -> str:
        return self._parts.zones[place.zone].kind

    def zone(self, place: ir.Place, names: Names) -> Expr:
        return self._expressions.zone_at(place.zone, place.seat, names)
