"""Zones whose tiles may be unknown, and what puts tiles into them and takes tiles out of them.

Input: a zone, the tiles, and what the rules ever read of a row. Output: the zone afterwards. Guarantee: the bag of a
zone is exact; the ends and places of a row include every order that the tiles may lie in.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, overload

from golpae.ir.types import TILE
from golpae.prove.symbolic.symbol_factory import SymbolFactory
from golpae.prove.symbolic.terms import Unsupported
from golpae.prove.symbolic.values import (
    EMPTY,
    Bag,
    Number,
    Truth,
    Value,
    any_of,
    at_least,
    bag_minus,
    bag_of,
    cases,
    conj,
    disj,
    equal,
    guarded_union,
    holds,
    iff,
    implies,
    ite,
    ite_number,
    joined,
    merge,
    minus,
    negate,
    plus,
    same,
    size,
    total_of,
    uncounted,
    without,
)

HIDDEN = "?"  # the tile at an end or place of a row whose order nobody can know
PLACES = 16  # of a row, from the front on, that are modelled; nothing says what lies behind them


class Places(Sequence[Value]):
    """The places of a row, each computed when it is first read. Few rules read places, and all events change them.

    INVARIANT: what computes a place makes no symbol, and its parts count for nobody.
    """

    __slots__ = ("_made", "_make")

    def __init__(self, make: Sequence[Callable[[], Value]]) -> None:
        self._make: list[Callable[[], Value] | None] = list(make)
        self._made: list[Value] = [None] * len(self._make)

    def __len__(self) -> int:
        return len(self._make)

    @overload
    def __getitem__(self, at: int) -> Value: ...

    @overload
    def __getitem__(self, at: slice) -> Sequence[Value]: ...

    def __getitem__(self, at: int | slice) -> Any:
        if isinstance(at, slice):
            return Places([partial(self.__getitem__, i) for i in range(*at.indices(len(self)))])
        make = self._make[at]
        if make is not None:
            with uncounted():
                self._made[at] = make()
            self._make[at] = None
        return self._made[at]


@dataclass(frozen=True, slots=True)
class SymbolicRow:
    """What lies at the front and the back of a row: a tile, none, or HIDDEN; None for an end
    that the rules never read.

    `hidden` are the tiles that may lie in places whose tile nobody can know. `free` is true only if this is so of every
    place: then the tiles may lie in any order. `places` are the first PLACES of the row,
    if the rules read places: a tile, HIDDEN, or none behind the last tile.
    """

    front: Value = None
    back: Value = None
    hidden: Bag = EMPTY
    places: Sequence[Value] = ()
    free: Truth = False


@dataclass(frozen=True, slots=True)
class Zone:
    """The tiles, or melds, of a zone, and its order if it is a row."""

    bag: Bag
    row: SymbolicRow | None = None


def merged_zones(options: list[tuple[Truth, Zone]]) -> Zone:
    """Return one of several zones, under guards as in `merge`."""
    options = [(g, z) for g, z in options if g is not False]
    if len(options) == 1 or all(z is options[0][1] for _, z in options):
        return options[0][1]
    bag = merge([(g, z.bag) for g, z in options])
    rows = [(g, z.row) for g, z in options if z.row is not None]
    if not rows:
        return Zone(bag)
    front, back = (guarded_union([(g, getattr(r, end)) for g, r in rows]) for end in ("front", "back"))
    numbers = range(min(len(r.places) for _, r in rows))  # none, if one has no places: nothing reads them
    places = Places([partial(_merged_place, rows, number) for number in numbers])
    free = any_of(conj(g, r.free) for g, r in rows)
    return Zone(bag, SymbolicRow(front, back, merge([(g, r.hidden) for g, r in rows]), places, free))


def _merged_place(rows: list[tuple[Truth, SymbolicRow]], number: int) -> Value:
    return guarded_union((g, r.places[number]) for g, r in rows)


@dataclass(frozen=True, slots=True)
class Tracking:
    """What the rules ever read of a row: its front, its back, its places; and whether nobody may know its order."""

    name: str
    front: bool
    back: bool
    may_hide: bool
    places: bool = False


NEW: Value = object()  # an end that fits the row and is otherwise unknown
ANY: Sequence[Value] = ()  # places that fit the row and are otherwise unknown


def row_of(
    bag: Bag,
    symbols: SymbolFactory,
    tracking: Tracking,
    front: Value = NEW,
    back: Value = NEW,
    hidden: Bag | None = None,
    places: Sequence[Value] = ANY,
) -> SymbolicRow:
    """Return a row with these tiles; its NEW ends fit it and are otherwise unknown."""
    if not tracking.may_hide:
        hidden = EMPTY
    elif not tracking.front and not tracking.back and not tracking.places:
        return SymbolicRow()
    elif hidden is None:
        hidden = Bag({k: symbols.number(f"{tracking.name}.hidden", 0) for k, _ in bag.items()})
        for key, count in hidden.items():
            symbols.fact(at_least(bag.count(key), count))
    if tracking.places:
        places = places or _new_places(bag, hidden, symbols, tracking)
        front = places[0]
    ends = []
    for value, tracked, end in ((front, tracking.front, "front"), (back, tracking.back, "back")):
        if not tracked:
            value = None
        elif value is NEW:
            value = _new_end(bag, hidden, symbols, tracking, end)
            if tracking.places:
                value = _last(bag, places, value)
        ends.append(value)
    return SymbolicRow(ends[0], ends[1], hidden, places if tracking.places else ())


def empty_row(tracking: Tracking | None) -> SymbolicRow:
    """Return a row without tiles."""
    return SymbolicRow(places=(None,) * PLACES if tracking is not None and tracking.places else (), free=True)


def _new_end(bag: Bag, hidden: Bag, symbols: SymbolFactory, tracking: Tracking, end: str) -> Value:
    kinds = [k for k, _ in bag.items()]
    values = [*kinds, None, *([HIDDEN] if tracking.may_hide else [])]
    lying = symbols.of(f"{tracking.name}.{end}", values, TILE)
    empty = equal(size(bag), 0)
    for guard, plain in cases(lying):
        if plain is None:
            symbols.fact(iff(guard, empty))
        elif plain == HIDDEN:
            symbols.fact(implies(guard, at_least(size(hidden), 1)))
        else:
            symbols.fact(implies(guard, at_least(minus(bag.count(plain), hidden.count(plain)), 1)))
    return lying


def _new_places(bag: Bag, hidden: Bag, symbols: SymbolFactory, tracking: Tracking) -> tuple[Value, ...]:
    """Return unknown places: as many as there are tiles, with these tiles in them."""
    places = tuple(new_place(bag, symbols, tracking, i) for i in range(PLACES))
    # INVARIANT: every bag satisfies this: its hidden tiles are among its tiles, for they are none or made for it
    lying: dict[Any, list[Truth]] = {}
    for place in places:
        for guard, plain in cases(place):
            lying.setdefault(plain, []).append(guard)
    for plain, guards in lying.items():
        if plain is not None:
            there = size(hidden) if plain == HIDDEN else minus(bag.count(plain), hidden.count(plain))
            symbols.deferred.append(at_least(there, total_of(ite_number(g, 1, 0) for g in guards)))
    return places


def new_place(bag: Bag, symbols: SymbolFactory, tracking: Tracking, index: int) -> Value:
    """Return the tile at a place, the front is 0; none behind the last tile."""
    kinds = [k for k, _ in bag.items()]
    values = [*kinds, *([HIDDEN] if tracking.may_hide else [])] or [None]
    lying = symbols.of(f"{tracking.name}.{index}", values, TILE)
    return ite(at_least(size(bag), index + 1), lying, None)


def _last(bag: Bag, places: Sequence[Value], beyond: Value) -> Value:
    """Return the last place of a row; `beyond` if it lies behind the first PLACES."""
    count = size(bag)
    at = [(equal(count, i), place) for i, place in enumerate((None, *places))]
    return merge([*at, (at_least(count, PLACES + 1), beyond)])


def fits(zone: Zone, tile: Value, end: str) -> Truth:
    """Return whether a tile can be the one at an end of a row."""
    if zone.row is None:  # of a player who is none
        return False
    if tile is None:  # the end of an empty row
        return False
    return can_lie(zone.row, getattr(zone.row, end), tile)


def fits_place(zone: Zone, tile: Value, number: Number, beyond: Callable[[], Truth]) -> Truth:
    """Return whether a tile can be the one at a place, the front is 1; `beyond` if it lies behind the first PLACES.

    Raises `Unsupported`.
    """
    if zone.row is None or tile is None:
        return False
    row = zone.row
    if not row.places:
        raise Unsupported("places of this row")
    if isinstance(number, int):
        if 1 <= number <= PLACES:
            return can_lie(row, row.places[number - 1], tile)
        return conj(at_least(size(zone.bag), number), beyond()) if number > PLACES else False
    near = [conj(equal(number, i + 1), can_lie(row, place, tile)) for i, place in enumerate(row.places)]
    there = conj(at_least(number, PLACES + 1), at_least(size(zone.bag), number))
    return any_of([*near, conj(there, beyond())])


def take_place(
    zone: Zone, tile: Value, number: Number, symbols: SymbolFactory, tracking: Tracking | None
) -> Zone:
    """Return a row after a tile left a place, the front is 1; what lies at its ends then may be anything that fits."""
    tiles = bag_of([tile])
    if zone.row is None or tracking is None or (number == 1 and not zone.row.places):
        return take(zone, tiles, None if zone.row is None else "front", symbols, tracking)
    bag, row = without(zone.bag, tiles), zone.row
    later = row_of(bag, symbols, tracking)
    if not row.places or not isinstance(number, int) or not 1 <= number <= PLACES:
        return Zone(bag, later)
    left = row.places[number - 1]
    less = without(row.hidden, tiles)
    was_hidden = same(left, HIDDEN)
    hidden = Bag({k: ite_number(was_hidden, less.count(k), row.hidden.count(k)) for k in row.hidden.counts})
    beyond = new_place(bag, symbols, tracking, PLACES - 1)
    places = Places(
        [
            *(partial(row.places.__getitem__, i) for i in range(number - 1)),
            *(partial(row.places.__getitem__, i) for i in range(number, PLACES)),
            lambda: beyond,
        ]
    )
    was_last = equal(size(zone.bag), number)
    before = None if number == 1 else row.places[number - 2]
    back = NEW if row.back is None else ite(was_last, before, row.back)
    return Zone(bag, row_of(bag, symbols, tracking, row.front, back, hidden, places))


def can_lie(row: SymbolicRow, lying: Value, tile: Value) -> Truth:
    """Return whether a tile can be the one at a place of a row at which this lies."""
    hidden = same(lying, HIDDEN)
    return disj(conj(negate(hidden), same(lying, tile)), conj(hidden, holds(row.hidden, tile)))


def visible(end: Value) -> Value:
    """Return the tile at an end as the rules read it: none if nobody can know it."""
    return guarded_union((g, None if v == HIDDEN else v) for g, v in cases(end))


def put(
    zone: Zone, tiles: Bag, end: str | None, only: Value, symbols: SymbolFactory, tracking: Tracking | None
) -> Zone:
    """Return a zone after tiles were put into it; `only` is the tile if it is a single one."""
    bag = joined(zone.bag, tiles)
    if zone.row is None or tracking is None:
        return Zone(bag)
    if only is None:
        several = _places_with(zone, bag, end, symbols, tracking)
        return Zone(bag, row_of(bag, symbols, tracking, places=several))
    empty = equal(size(zone.bag), 0)
    front = only if end == "front" else ite(empty, only, zone.row.front)
    back = ite(empty, only, zone.row.back) if end == "front" else only
    before, places = zone.row.places, ANY
    if before and end == "front":
        places = Places([lambda: only, *(partial(before.__getitem__, i) for i in range(PLACES - 1))])
    elif before:
        there = size(zone.bag)
        places = Places([partial(_with_place, there, i, only, before) for i in range(PLACES)])
    return Zone(bag, row_of(bag, symbols, tracking, front, back, zone.row.hidden, places))


def _with_place(there: Number, number: int, only: Value, before: Sequence[Value]) -> Value:
    """Return a place after a tile was put behind so many, the front is 0."""
    return ite(equal(there, number), only, before[number])


def _places_with(
    zone: Zone, bag: Bag, end: str | None, symbols: SymbolFactory, tracking: Tracking
) -> tuple[Value, ...]:
    """Return the places after several tiles were put down in an unknown order."""
    if not tracking.places:
        return ()
    assert zone.row is not None
    new = [new_place(bag, symbols, tracking, i) for i in range(PLACES)]
    if end == "front":
        return tuple(new)
    there = size(zone.bag)
    pairs = zip(zone.row.places, new, strict=True)
    return tuple(ite(at_least(there, i + 1), old, made) for i, (old, made) in enumerate(pairs))


def put_unordered(
    zone: Zone, tiles: Bag, end: str | None, symbols: SymbolFactory, tracking: Tracking | None
) -> Zone:
    """Return a zone after tiles without an order were put into it: a single one is known, several are hidden."""
    if zone.row is None or tracking is None or not tracking.may_hide:
        return put(zone, tiles, end, None, symbols, tracking)
    bag = joined(zone.bag, tiles)
    row, before, there, number = zone.row, zone.row.places, size(zone.bag), size(tiles)
    several = at_least(number, 2)
    hidden = Bag(
        {k: ite_number(several, c, row.hidden.count(k)) for k, c in joined(row.hidden, tiles).items()}
    )
    empty = equal(there, 0)
    ends: list[Value] = []
    for lying, tracked, name in ((row.front, tracking.front, "front"), (row.back, tracking.back, "back")):
        arrived = _arrived(tiles, lying) if tracked else None
        ends.append(arrived if name == (end or "back") else ite(empty, arrived, lying))
    places = ANY
    if before and end == "front":
        places = Places([partial(_behind_new, tiles, number, i, before) for i in range(PLACES)])
    elif before:
        places = Places([partial(_with_new, tiles, there, number, i, before) for i in range(PLACES)])
    return Zone(bag, row_of(bag, symbols, tracking, ends[0], ends[1], hidden, places))


def _arrived(tiles: Bag, without: Value) -> Value:
    """Return the tile at the end at which tiles without an order arrive; `without` if none arrives, HIDDEN if several
    do.
    """
    number = size(tiles)
    one = equal(number, 1)
    return merge(
        [
            (equal(number, 0), without),
            *((conj(one, at_least(count, 1)), kind) for kind, count in tiles.items()),
            (at_least(number, 2), HIDDEN),
        ]
    )


def _with_new(tiles: Bag, there: Number, number: Number, place: int, before: Sequence[Value]) -> Value:
    """Return a place after so many tiles without an order arrived behind those that were there, the front is 0."""
    old, new = at_least(there, place + 1), at_least(place, there)
    arriving = conj(new, at_least(plus(there, number), place + 1))
    first = conj(arriving, equal(there, place))
    return merge(
        [
            (old, before[place]),
            (first, _arrived(tiles, None)),
            (conj(arriving, negate(first)), HIDDEN),
            (conj(new, negate(arriving)), None),
        ]
    )


def _behind_new(tiles: Bag, number: Number, place: int, before: Sequence[Value]) -> Value:
    """Return a place after so many tiles without an order arrived before those that were there, the front is 0."""
    moved = [(equal(number, n), before[place - n]) for n in range(place + 1)]
    return merge([*moved, (at_least(number, place + 1), HIDDEN if place else _arrived(tiles, None))])


def take(zone: Zone, tiles: Bag, end: str | None, symbols: SymbolFactory, tracking: Tracking | None) -> Zone:
    """Return a zone after its tiles were taken: from one end (then it is one tile) or from anywhere."""
    if zone.row is None or tracking is None:
        return Zone(bag_minus(zone.bag, tiles))
    if zone.row.free is True and isinstance(size(zone.bag), int) and isinstance(size(tiles), int):
        return free_row(bag_minus(zone.bag, tiles))
    # this is also computed for events that do not happen: the facts about new ends must be satisfiable even if the
    # tiles are not there; hence `without`
    bag = without(zone.bag, tiles)
    if end is None:
        return Zone(bag, row_of(bag, symbols, tracking))
    hidden = zone.row.hidden
    if tracking.may_hide:
        was_hidden = same(getattr(zone.row, end), HIDDEN)
        less = without(hidden, tiles)
        hidden = Bag({k: ite_number(was_hidden, less.count(k), hidden.count(k)) for k in hidden.counts})
    empty = equal(size(bag), 0)
    other = ite(empty, None, zone.row.back if end == "front" else zone.row.front)
    front, back = (NEW, other) if end == "front" else (other, NEW)
    places = zone.row.places
    if tracking.places and end == "front":
        last = new_place(bag, symbols, tracking, PLACES - 1)
        places = Places([*(partial(places.__getitem__, i) for i in range(1, PLACES)), lambda: last])
    elif tracking.places:
        there = size(zone.bag)
        places = Places([partial(_without_place, there, i, places) for i in range(PLACES)])
    return Zone(bag, row_of(bag, symbols, tracking, front, back, hidden, places))


def _without_place(there: Number, number: int, before: Sequence[Value]) -> Value:
    """Return a place after the last of so many tiles was taken, the front is 0."""
    return ite(equal(there, number + 1), None, before[number])


def shuffled(zone: Zone, symbols: SymbolFactory, tracking: Tracking | None) -> Zone:
    """Return a row after a shuffle: nobody knows its order."""
    if zone.row is None or tracking is None:
        return zone
    end = ite(equal(size(zone.bag), 0), None, HIDDEN)
    row = row_of(zone.bag, symbols, tracking, end, end, zone.bag, hidden_places(zone.bag))
    return Zone(zone.bag, replace(row, free=True))


def free_row(bag: Bag) -> Zone:
    """Return a row of so many tiles in an order that nobody knows."""
    end = ite(equal(size(bag), 0), None, HIDDEN)
    return Zone(bag, SymbolicRow(end, end, bag, hidden_places(bag), True))


def row_in_order(tiles: Sequence[Value], symbols: SymbolFactory, tracking: Tracking | None, bag: Bag) -> Zone:
    """Return a row of a bag of tiles, which lie in this order, from the front on."""
    if tracking is None:
        return Zone(bag, SymbolicRow())
    places = (*tiles[:PLACES], *[None] * (PLACES - len(tiles)))
    front, back = (tiles[0], tiles[-1]) if tiles else (None, None)
    return Zone(bag, row_of(bag, symbols, tracking, front, back, EMPTY, places))


def hidden_places(bag: Bag) -> tuple[Value, ...]:
    """Return the places of a row whose order nobody knows."""
    return tuple(ite(at_least(size(bag), i + 1), HIDDEN, None) for i in range(PLACES))


def place_of(zone: Zone, number: Number, beyond: Callable[[], Value]) -> Value:
    """Return the tile at a place as the rules read it, the front is 1; `beyond` for a place behind the first PLACES."""
    if zone.row is None:
        return None
    if not zone.row.places:
        raise Unsupported("places of this row")
    if isinstance(number, int):
        if number > PLACES:
            return ite(at_least(size(zone.bag), number), beyond(), None)
        return visible(zone.row.places[number - 1]) if number >= 1 else None
    at = [(equal(number, i + 1), visible(place)) for i, place in enumerate(zone.row.places)]
    behind = conj(at_least(number, PLACES + 1), at_least(size(zone.bag), number))
    none = disj(at_least(0, number), conj(at_least(number, PLACES + 1), negate(behind)))
    return merge([*at, (none, None), (behind, beyond())])


def arranged(zone: Zone, symbols: SymbolFactory, tracking: Tracking | None) -> Zone:
    """Return a row after its hidden places became known; what was known stays."""
    if zone.row is None or tracking is None or not tracking.may_hide:
        return zone
    row, seen = zone.row, row_of(zone.bag, symbols, tracking, hidden=EMPTY)
    front, back = _revealed(row.front, seen.front), _revealed(row.back, seen.back)
    pairs = zip(row.places, seen.places, strict=False)  # none, if nothing reads the places
    places = tuple(_revealed(old, new) for old, new in pairs)
    return Zone(zone.bag, SymbolicRow(front, back, EMPTY, places))


def _revealed(lying: Value, seen: Value) -> Value:
    """Return the tile at a place: `seen` if it was hidden."""
    known = [(guard, tile) for guard, tile in cases(lying) if tile != HIDDEN]
    hidden = same(lying, HIDDEN)
    return guarded_union([*known, *((conj(hidden, guard), tile) for guard, tile in cases(seen))])
