"""Rows, whose order may be hidden.

Input: the address of a row. Output: what is in it, and how tiles are put there and taken away.
Guarantee: while all places of a row are hidden, its ring holds nothing that counts; a tile that is not where it is
taken from is referred.
"""

from __future__ import annotations

from golpae.ir.types import TILE, TILES
from golpae.kernel.emit.bags import Bags
from golpae.kernel.emit.values import Bits
from golpae.kernel.language.code import Expr, Function, Get, Lit
from golpae.kernel.language.limits import Limit
from golpae.kernel.language.writer import (
    ONE,
    ZERO,
    Writer,
    add,
    both,
    call,
    either,
    eq,
    ge,
    is_zero,
    load,
    ne,
    select,
    shl,
    sub,
)
from golpae.kernel.layout import HIDDEN, NONE, WORD, Layout, RowPlaces
from golpae.kernel.unsupported import NotCompiled


class Rows:
    """Writes operations on rows into one function."""

    def __init__(self, layout: Layout, writer: Writer, bags: Bags) -> None:
        self._layout, self._writer, self._bags = layout, writer, bags
        self._places: RowPlaces = layout.row(0)

    # ------------------------------------------------------------------ reading

    def size(self, row: Expr) -> Expr:
        return self._writer.let(self._load(row, self._places.size))

    def tiles(self, row: Expr) -> Bits:
        """Return every tile of a row."""
        return self._bits(row, self._places.tiles)

    def hidden_tiles(self, row: Expr) -> Bits:
        return self._bits(row, self._places.hidden_tiles)

    def end(self, row: Expr, end: str) -> Expr:
        """Return the tile at an end, or none."""
        return self._writer.let(call("row_end", row, Lit(int(end == "back"))))

    def place(self, row: Expr, number: Expr) -> Expr:
        """Return the tile at a place, the front is 1, or none."""
        return self._writer.let(call("row_tile", row, number))

    def fits(self, row: Expr, tile: Expr, end: str) -> Expr:
        """Return whether the tile at an end can be this one."""
        return self._writer.let(call("row_fits", row, tile, Lit(int(end == "back"))))

    def fits_place(self, row: Expr, tile: Expr, number: Expr) -> Expr:
        """Return whether the tile at a place, the front is 1, can be this one."""
        return self._writer.let(call("row_fits_place", row, tile, number))

    # ------------------------------------------------------------------ changing

    def take(self, row: Expr, tile: Expr) -> None:
        """Take a tile from its first place from the front."""
        writer = self._writer
        size, hidden = self._load(row, self._places.size), self._load(row, self._places.hidden)
        with writer.when(eq(size, hidden)):
            self._take_hidden(row, tile)
        with writer.otherwise():
            if writer.tries:
                writer.fail_if(is_zero(self._bags.has(tile, self.tiles(row), True)))
            writer.call_into((), "row_take", row, tile)

    def _take_hidden(self, row: Expr, tile: Expr) -> None:
        """Take a tile from a row of which no place is visible."""
        writer, bags = self._writer, self._bags
        bits = self.hidden_tiles(row)
        writer.fail_if(is_zero(bags.has(tile, bits, True)))
        rest = bags.minus(bits, bags.single(TILE, tile, len(bits.planes[0])))
        for place in (self._places.tiles, self._places.hidden_tiles):
            bags.store(rest, self._layout.planes(TILE), add(row, Lit(place)))
        for place in (self._places.size, self._places.hidden):
            self._store(row, place, sub(self._load(row, place), ONE))

    def take_end(self, row: Expr, tile: Expr, end: str) -> None:
        """Take a tile from an end where it can be."""
        if self._writer.tries:
            self._writer.fail_if(is_zero(self.fits(row, tile, end)))
        self._writer.call_into((), "row_take_end", row, tile, Lit(int(end == "back")))

    def take_place(self, row: Expr, tile: Expr, number: Expr) -> None:
        """Take a tile from a place, the front is 1, where it can be."""
        if self._writer.tries:
            self._writer.fail_if(is_zero(self.fits_place(row, tile, number)))
        self._writer.call_into((), "row_take_place", row, tile, number)

    def put(self, row: Expr, tile: Expr, end: str | None) -> None:
        """Put a tile at an end, the back if none is named."""
        self._writer.call_into((), "row_put", row, tile, Lit(int(end != "front")))

    def put_hidden(self, row: Expr, tiles: Bits, end: str | None) -> None:
        """Put tiles at an end whose order nobody knows; a single one has a known place."""
        writer, bags = self._writer, self._bags
        many = bags.size(tiles)
        with writer.when(eq(many, ONE)):
            bags.each(tiles.planes[0], lambda tile: self.put(row, tile, end))
        with writer.otherwise():
            left = writer.var(many)
            with writer.block() as done, writer.loop() as again:
                writer.leave(done, is_zero(left))
                writer.call_into((), "row_put_place", row, Lit(HIDDEN), Lit(int(end != "front")))
                writer.set(left, sub(left, ONE))
                writer.leave(again)
            planes = self._layout.planes(TILE)
            for place in (self._places.tiles, self._places.hidden_tiles):
                whole = bags.joined(self._bits(row, place), tiles, planes)
                bags.store(whole, planes, add(row, Lit(place)))
            hidden = self._load(row, self._places.hidden)
            self._store(row, self._places.hidden, add(hidden, many))

    def copy(self, row: Expr) -> Expr:
        """Return the address of a copy of a row."""
        slots = self._layout.row_slots
        apart = Lit(self._layout.allocate(slots))
        self._writer.copy(apart, row, Lit(slots * WORD))
        return apart

    def put_row(self, row: Expr, other: Expr, end: str | None) -> None:
        """Put the places of another row at an end, one after the other from its front on."""
        self._writer.call_into((), "row_put_row", row, other, Lit(int(end != "front")))

    def shuffle(self, row: Expr) -> None:
        """Hide the order."""
        self._bags.store(self.tiles(row), self._layout.planes(TILE), add(row, Lit(self._places.hidden_tiles)))
        self._store(row, self._places.hidden, self._load(row, self._places.size))

    def cut(self, row: Expr, number: Expr) -> None:
        """Put so many places from the front on behind the others; the event fails if there are not so many."""
        there = both(ge(number, ZERO), ge(self._load(row, self._places.size), number))
        self._writer.fail_if(is_zero(there))
        self._writer.call_into((), "row_cut", row, number)

    def fill(self, row: Expr, tiles: Bits, size: Expr) -> None:
        """Let a row have just these tiles, all hidden."""
        planes = self._layout.planes(TILE)
        for place in (self._places.tiles, self._places.hidden_tiles):
            self._bags.store(tiles, planes, add(row, Lit(place)))
        for place in (self._places.size, self._places.hidden):
            self._store(row, place, size)

    def clear(self, row: Expr) -> None:
        self.fill(row, self._bags.empty(TILE, self._layout.words(TILE)), ZERO)

    def fits_order(self, row: Expr, tiles: Bits) -> Expr:
        """Return whether tiles, as they are listed, can be the whole row. Raises `NotCompiled`."""
        return self._writer.let(
            both(
                self._bags.same(self.tiles(row), tiles),
                call("row_fits_order", row, Lit(self._listed(tiles))),
            )
        )

    def arrange(self, row: Expr, tiles: Bits) -> None:
        """Let a row have just these tiles, as they are listed. Raises `NotCompiled`."""
        self._writer.call_into((), "row_arrange", row, Lit(self._listed(tiles)))
        self._bags.store(tiles, self._layout.planes(TILE), add(row, Lit(self._places.tiles)))

    def _listed(self, tiles: Bits) -> int:
        if not tiles.listed:
            raise NotCompiled("an order of tiles that is not that of a key")
        return tiles.listed

    # ------------------------------------------------------------------ parts

    def _bits(self, row: Expr, place: int) -> Bits:
        layout = self._layout
        return self._bags.loaded(TILE, layout.planes(TILE), layout.words(TILE), add(row, Lit(place)))

    def _load(self, row: Expr, place: int) -> Expr:
        return load(8, ZERO, row.value + place) if isinstance(row, Lit) else load(8, row, place)

    def _store(self, row: Expr, place: int, value: Expr) -> None:
        if isinstance(row, Lit):
            self._writer.store(8, ZERO, value, row.value + place)
        else:
            self._writer.store(8, row, value, place)


def row_functions(layout: Layout) -> list[Function]:
    """Return the functions of rows that expressions and effects call."""
    if not any(zone.kind == "row" for zone in layout.instance.rule_set.zones):
        return []
    makers = (
        *(_end, _place, _fits, _fits_place, _put_place, _put, _put_row),
        *(_take_end, _take_place, _take, _cut, _fits_order, _arrange),
    )
    return [make(layout, layout.row(0), layout.slots(TILES)) for make in makers]


def _ring_at(row: Expr, number: Expr, layout: Layout, places: RowPlaces) -> Expr:
    """Return the address of the place of a number, 0 at the front, less the offset of the ring."""
    at = both(add(load(8, row, places.front), number), Lit(layout.ring - 1))
    return add(row, shl(at, ONE))


def _slot(writer: Writer, row: Expr, number: Expr, layout: Layout, places: RowPlaces) -> Expr:
    """Return the tile at a place from 0 on, or HIDDEN."""
    all_hidden = eq(load(8, row, places.size), load(8, row, places.hidden))
    held = load(2, _ring_at(row, number, layout, places), places.slots)
    return writer.let(select(all_hidden, Lit(HIDDEN), held))


def _last(row: Expr, back: Expr, places: RowPlaces) -> Expr:
    return select(back, sub(load(8, row, places.size), ONE), ZERO)


def _end(layout: Layout, places: RowPlaces, slots: int) -> Function:
    writer = Writer("row_end", 2, 1)
    row, back = writer.param(0), writer.param(1)
    with writer.when(is_zero(load(8, row, places.size))):
        writer.give(Lit(NONE))
    tile = _slot(writer, row, _last(row, back, places), layout, places)
    writer.give(select(eq(tile, Lit(HIDDEN)), Lit(NONE), tile))
    return writer.function()


def _place(layout: Layout, places: RowPlaces, slots: int) -> Function:
    writer = Writer("row_tile", 2, 1)
    row, number = writer.param(0), writer.param(1)
    least, most = ge(number, ONE), ge(load(8, row, places.size), number)
    with writer.when(is_zero(both(least, most))):
        writer.give(Lit(NONE))
    tile = _slot(writer, row, sub(number, ONE), layout, places)
    writer.give(select(eq(tile, Lit(HIDDEN)), Lit(NONE), tile))
    return writer.function()


def _hidden_has(writer: Writer, layout: Layout, row: Expr, tile: Expr, places: RowPlaces) -> Expr:
    bags = Bags(writer)
    held = bags.loaded(TILE, layout.planes(TILE), layout.words(TILE), add(row, Lit(places.hidden_tiles)))
    return writer.let(bags.has(tile, held, True))


def _fits(layout: Layout, places: RowPlaces, slots: int) -> Function:
    writer = Writer("row_fits", 3, 1)
    row, tile, back = (writer.param(i) for i in range(3))
    with writer.when(is_zero(load(8, row, places.size))):
        writer.give(ZERO)
    slot = _slot(writer, row, _last(row, back, places), layout, places)
    with writer.when(eq(slot, Lit(HIDDEN))):
        writer.give(_hidden_has(writer, layout, row, tile, places))
    writer.give(eq(slot, tile))
    return writer.function()


def _fits_place(layout: Layout, places: RowPlaces, slots: int) -> Function:
    writer = Writer("row_fits_place", 3, 1)
    row, tile, number = (writer.param(i) for i in range(3))
    least, most = ge(number, ONE), ge(load(8, row, places.size), number)
    with writer.when(is_zero(both(least, most))):
        writer.give(ZERO)
    slot = _slot(writer, row, sub(number, ONE), layout, places)
    with writer.when(eq(slot, Lit(HIDDEN))):
        writer.give(_hidden_has(writer, layout, row, tile, places))
    writer.give(eq(slot, tile))
    return writer.function()


def _put_place(layout: Layout, places: RowPlaces, slots: int) -> Function:
    """Put a tile or HIDDEN at an end of the ring, which is written first if all places were hidden so far."""
    writer = Writer("row_put_place", 3, 0)
    row, slot, back = (writer.param(i) for i in range(3))
    size = writer.let(load(8, row, places.size))
    with writer.when(both(eq(size, load(8, row, places.hidden)), ne(slot, Lit(HIDDEN)))):
        writer.store(8, row, ZERO, places.front)
        at = writer.var(0)
        with writer.block() as done, writer.loop() as again:
            writer.leave(done, ge(at, size))
            writer.store(2, add(row, shl(at, ONE)), Lit(HIDDEN), places.slots)
            writer.set(at, add(at, ONE))
            writer.leave(again)
    writer.refer_if(ge(size, Lit(layout.ring)), Limit.ROOM)
    with writer.when(back):
        writer.store(2, _ring_at(row, size, layout, places), slot, places.slots)
    with writer.otherwise():
        front = both(sub(load(8, row, places.front), ONE), Lit(layout.ring - 1))
        writer.store(8, row, front, places.front)
        writer.store(2, _ring_at(row, ZERO, layout, places), slot, places.slots)
    writer.store(8, row, add(size, ONE), places.size)
    return writer.function()


def _change(writer: Writer, layout: Layout, row: Expr, place: int, tile: Expr, more: bool) -> None:
    """Add a tile to a bag of a row, or take one away."""
    bags = Bags(writer)
    planes, words = layout.planes(TILE), layout.words(TILE)
    bits = bags.loaded(TILE, planes, words, add(row, Lit(place)))
    single = bags.single(TILE, tile, words)
    changed = bags.joined(bits, single, planes) if more else bags.minus(bits, single)
    bags.store(changed, planes, add(row, Lit(place)))


def _put(layout: Layout, places: RowPlaces, slots: int) -> Function:
    writer = Writer("row_put", 3, 0)
    row, tile, back = (writer.param(i) for i in range(3))
    writer.call_into((), "row_put_place", row, tile, back)
    _change(writer, layout, row, places.tiles, tile, more=True)
    return writer.function()


def _put_row(layout: Layout, places: RowPlaces, slots: int) -> Function:
    writer = Writer("row_put_row", 3, 0)
    row, other, back = (writer.param(i) for i in range(3))
    at, size = writer.var(0), writer.let(load(8, other, places.size))
    with writer.block() as done, writer.loop() as again:
        writer.leave(done, ge(at, size))
        slot = _slot(writer, other, at, layout, places)
        with writer.when(eq(slot, Lit(HIDDEN))):
            writer.call_into((), "row_put_place", row, slot, back)
            writer.store(8, row, add(load(8, row, places.hidden), ONE), places.hidden)
        with writer.otherwise():
            writer.call_into((), "row_put", row, slot, back)
        writer.set(at, add(at, ONE))
        writer.leave(again)
    bags = Bags(writer)
    planes, words = layout.planes(TILE), layout.words(TILE)
    with writer.when(load(8, other, places.hidden)):
        hidden = bags.loaded(TILE, planes, words, add(other, Lit(places.hidden_tiles)))
        for place in (places.tiles, places.hidden_tiles):
            held = bags.loaded(TILE, planes, words, add(row, Lit(place)))
            bags.store(bags.joined(held, hidden, planes), planes, add(row, Lit(place)))
    return writer.function()


def _take_end(layout: Layout, places: RowPlaces, slots: int) -> Function:
    writer = Writer("row_take_end", 3, 0)
    row, tile, back = (writer.param(i) for i in range(3))
    writer.refer_if(is_zero(call("row_fits", row, tile, back)))
    slot = _slot(writer, row, _last(row, back, places), layout, places)
    with writer.when(eq(slot, Lit(HIDDEN))):
        _change(writer, layout, row, places.hidden_tiles, tile, more=False)
        writer.store(8, row, sub(load(8, row, places.hidden), ONE), places.hidden)
    _change(writer, layout, row, places.tiles, tile, more=False)
    with writer.when(is_zero(back)):
        writer.store(8, row, both(add(load(8, row, places.front), ONE), Lit(layout.ring - 1)), places.front)
    writer.store(8, row, sub(load(8, row, places.size), ONE), places.size)
    return writer.function()


def _take_place(layout: Layout, places: RowPlaces, slots: int) -> Function:
    writer = Writer("row_take_place", 3, 0)
    row, tile, number = (writer.param(i) for i in range(3))
    writer.refer_if(is_zero(call("row_fits_place", row, tile, number)))
    at = writer.var(sub(number, ONE))
    slot = _slot(writer, row, at, layout, places)
    _leave(writer, layout, places, row, at, slot, tile)
    return writer.function()


def _leave(
    writer: Writer, layout: Layout, places: RowPlaces, row: Expr, at: Get, slot: Expr, tile: Expr
) -> None:
    """Take a tile from a place of a row, 0 at the front, at which this lies; the places behind it move up."""
    size = writer.let(load(8, row, places.size))
    with writer.when(eq(slot, Lit(HIDDEN))):
        _change(writer, layout, row, places.hidden_tiles, tile, more=False)
        writer.store(8, row, sub(load(8, row, places.hidden), ONE), places.hidden)
    _change(writer, layout, row, places.tiles, tile, more=False)
    with writer.block() as closed, writer.loop() as on:
        writer.leave(closed, ge(add(at, ONE), size))
        behind = writer.let(load(2, _ring_at(row, add(at, ONE), layout, places), places.slots))
        writer.store(2, _ring_at(row, at, layout, places), behind, places.slots)
        writer.set(at, add(at, ONE))
        writer.leave(on)
    writer.store(8, row, sub(size, ONE), places.size)


def _take(layout: Layout, places: RowPlaces, slots: int) -> Function:
    """Take a tile from a row of which some places are visible: the first visible copy, or the first hidden place."""
    writer = Writer("row_take", 2, 0)
    row, tile = writer.param(0), writer.param(1)
    size = writer.let(load(8, row, places.size))
    hidden = _hidden_has(writer, layout, row, tile, places)
    at, slot = writer.var(0), writer.new()
    with writer.block() as result, writer.loop() as again:
        writer.refer_if(ge(at, size))
        writer.set(slot, load(2, _ring_at(row, at, layout, places), places.slots))
        writer.leave(result, either(eq(slot, tile), both(hidden, eq(slot, Lit(HIDDEN)))))
        writer.set(at, add(at, ONE))
        writer.leave(again)
    _leave(writer, layout, places, row, at, slot, tile)
    return writer.function()


def _cut(layout: Layout, places: RowPlaces, slots: int) -> Function:
    """Put so many places from the front on, one after the other, behind the others."""
    writer = Writer("row_cut", 2, 0)
    row, number = writer.param(0), writer.param(1)
    size = writer.let(load(8, row, places.size))
    with writer.when(ne(size, load(8, row, places.hidden))):
        at = writer.var(0)
        with writer.block() as done, writer.loop() as again:
            writer.leave(done, ge(at, number))
            slot = writer.let(load(2, _ring_at(row, ZERO, layout, places), places.slots))
            front = both(add(load(8, row, places.front), ONE), Lit(layout.ring - 1))
            writer.store(8, row, front, places.front)
            writer.store(2, _ring_at(row, sub(size, ONE), layout, places), slot, places.slots)
            writer.set(at, add(at, ONE))
            writer.leave(again)
    return writer.function()


def _fits_order(layout: Layout, places: RowPlaces, slots: int) -> Function:
    """Whether each place that is not hidden has the tile that is listed for it; the row has as many tiles."""
    writer = Writer("row_fits_order", 2, 1)
    row, listed = writer.param(0), writer.param(1)
    at = writer.var(0)
    with writer.block() as done, writer.loop() as again:
        writer.leave(done, ge(at, load(8, row, places.size)))
        slot = _slot(writer, row, at, layout, places)
        with writer.when(both(ne(slot, Lit(HIDDEN)), ne(slot, load(2, add(listed, shl(at, ONE)), WORD)))):
            writer.give(ZERO)
        writer.set(at, add(at, ONE))
        writer.leave(again)
    writer.give(ONE)
    return writer.function()


def _arrange(layout: Layout, places: RowPlaces, slots: int) -> Function:
    writer = Writer("row_arrange", 2, 0)
    row, listed = writer.param(0), writer.param(1)
    size = writer.let(load(8, listed))
    writer.copy(add(row, Lit(places.slots)), add(listed, Lit(WORD)), shl(size, ONE))
    writer.store(8, row, ZERO, places.front)
    writer.store(8, row, size, places.size)
    writer.store(8, row, ZERO, places.hidden)
    for slot in range(slots):
        writer.store(8, row, ZERO, places.hidden_tiles + slot * WORD)
    return writer.function()
