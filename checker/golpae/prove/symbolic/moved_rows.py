"""Moves that keep the order of a row: of a whole row to a row (4.5), of a tile from no particular place (4.6).

Input: rows, where tiles arrive or which tile leaves, and what the rules ever read of rows. Output: the row afterwards.
Guarantee: as of `zones`. A row that moves to the front arrives in reverse, for its tiles go one by one. A tile leaves
the first place, from the front, at which it can lie.

    front of dark: 1 2        move all from table to front of dark        front of dark: 5 4 3 1 2
    front of table: 3 4 5
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

from golpae.prove.symbolic.symbol_factory import SymbolFactory
from golpae.prove.symbolic.values import (
    Number,
    Truth,
    Value,
    any_of,
    at_least,
    bag_of,
    conj,
    disj,
    equal,
    ite,
    joined,
    merge,
    negate,
    size,
    without,
)
from golpae.prove.symbolic.zones import (
    ANY,
    NEW,
    PLACES,
    Places,
    SymbolicRow,
    Tracking,
    Zone,
    can_lie,
    fits,
    merged_zones,
    new_place,
    put,
    row_of,
    take,
)

RowMove = tuple[str, str, str | None]  # from a row to a row, at an end of it
RowPart = tuple[str, str]  # the name of a row, and `front`, `back` or `places`


def all_read(moves: Iterable[RowMove], read: set[RowPart]) -> set[RowPart]:
    """Return `read` and all parts of rows on which these depend through moves of whole rows."""
    moves = list(moves)
    while more := {part for move in moves for part in _read_before(move, read)} - read:
        read = read | more
    return read


def _read_before(move: RowMove, read: set[RowPart]) -> set[RowPart]:
    """Return the parts of the source of a move on which the parts of its target depend that are read."""
    source, target, end = move
    parts = {part for name, part in read if name == target}
    turned = {"front": "back", "back": "front"} if end == "front" else {}
    needed = {turned.get(part, part) for part in parts}
    if "places" in needed and end == "front":
        needed.add("back")  # the first of more than PLACES tiles
    return {(source, part) for part in needed}


def joined_rows(
    target: Zone, source: Zone, end: str | None, symbols: SymbolFactory, tracking: Tracking | None
) -> Zone:
    """Return a row after all tiles of another one arrived at one of its ends."""
    if target.row is None or tracking is None:
        return Zone(joined(target.bag, source.bag))
    if source.row is None:  # of a player who is none
        return put(target, source.bag, end, None, symbols, tracking)
    bag = joined(target.bag, source.bag)
    old, new = target.row, source.row
    there, arriving = size(target.bag), size(source.bag)
    none_there, none_arrive = equal(there, 0), equal(arriving, 0)
    places: Sequence[Value] = ANY
    if end == "front":
        front, back = ite(none_arrive, old.front, new.back), ite(none_there, new.front, old.back)
        if tracking.places:
            beyond = [new.back, *(new_place(bag, symbols, tracking, i) for i in range(1, PLACES))]
            places = Places([partial(_turned, arriving, i, old, new, beyond[i]) for i in range(PLACES)])
    else:
        front, back = ite(none_there, new.front, old.front), ite(none_arrive, old.back, new.back)
        if tracking.places:
            places = Places([partial(_behind, there, i, old, new) for i in range(PLACES)])
    row = row_of(bag, symbols, tracking, front, back, joined(old.hidden, new.hidden), places)
    free = disj(conj(none_there, new.free), conj(none_arrive, old.free))
    return Zone(bag, replace(row, free=free))


def cut_row(zone: Zone, number: Number, symbols: SymbolFactory, tracking: Tracking | None) -> Zone:
    """Return a row after so many places from the front went behind the others.

    Its order is exact if the number is the same in all states and places are read. Otherwise it may be any order.
    """
    if zone.row is None or tracking is None or number == 0:
        return zone
    bag, row, there = zone.bag, zone.row, size(zone.bag)
    places: Sequence[Value] = ANY
    front = back = NEW
    if row.places and isinstance(number, int) and 0 < number < PLACES:
        beyond = [new_place(bag, symbols, tracking, i) for i in range(PLACES)]
        places = Places([partial(_cut_place, there, i, number, row, beyond[i]) for i in range(PLACES)])
        front, back = places[0], row.places[number - 1]
    turned = Zone(bag, row_of(bag, symbols, tracking, front, back, row.hidden, places))
    stays = any_of([row.free, equal(number, 0), equal(there, number)])
    return merged_zones([(stays, zone), (negate(stays), turned)])


def _cut_place(there: Number, place: int, number: int, old: SymbolicRow, beyond: Value) -> Value:
    """Return a place after a cut, the front is 0; `beyond` if what lies there came from behind the first PLACES."""
    least, at = max(place + 1, number), place + number
    round_again = [(equal(there, n), old.places[at - n]) for n in range(least, at + 1)]
    onward = old.places[at] if at < PLACES else beyond
    return merge([(at_least(least - 1, there), None), *round_again, (at_least(there, at + 1), onward)])


def _behind(there: Number, place: int, old: SymbolicRow, new: SymbolicRow) -> Value:
    """Return a place after a row arrived behind so many tiles, the front is 0."""
    shifted = [(equal(there, n), new.places[place - n]) for n in range(place + 1)]
    return merge([(at_least(there, place + 1), old.places[place]), *shifted])


def _turned(arriving: Number, place: int, old: SymbolicRow, new: SymbolicRow, beyond: Value) -> Value:
    """Return a place after so many tiles arrived at the front, in reverse; `beyond` if they are more than PLACES."""
    before = [(equal(arriving, n), old.places[place - n]) for n in range(place + 1)]
    turned = [(equal(arriving, n), new.places[n - 1 - place]) for n in range(place + 1, PLACES + 1)]
    return merge([*before, *turned, (at_least(arriving, PLACES + 1), beyond)])


def without_tile(zone: Zone, tile: Value, symbols: SymbolFactory, tracking: Tracking | None) -> Zone:
    """Return a row after a tile left the first place at which it can lie."""
    tiles = bag_of([tile])
    if zone.row is None or tracking is None or not (tracking.front or tracking.back or tracking.places):
        return take(zone, tiles, None, symbols, tracking)
    at_front, bag, row = fits(zone, tile, "front"), without(zone.bag, tiles), zone.row
    later = row_of(bag, symbols, tracking)
    front = row.front if tracking.front else None
    back = ite(can_lie(row, row.back, tile), later.back, row.back) if tracking.back else None
    hidden, places = later.hidden, later.places
    if tracking.places:
        left = [can_lie(row, place, tile) for place in row.places]
        places = Places([partial(_closed_up, left, i, row.places, later.places) for i in range(PLACES)])
    others = Zone(bag, SymbolicRow(front, back, hidden, places))
    return merged_zones(
        [(at_front, take(zone, tiles, "front", symbols, tracking)), (negate(at_front), others)]
    )


def _closed_up(left: list[Truth], place: int, before: Sequence[Value], unknown: Sequence[Value]) -> Value:
    """Return a place after the tile of the first place at which it can be left, the front is 0."""
    beyond = before[place + 1] if place + 1 < PLACES else unknown[place]
    return ite(any_of(left[: place + 1]), beyond, before[place])
