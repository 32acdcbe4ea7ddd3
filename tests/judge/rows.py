"""Rows: tiles in an order that may be hidden (section 4).

Input: a `Row`, tiles. Output: what can be seen of it, and the row after tiles came or went; None where a tile cannot.
Guarantee: a row has as many hidden places as hidden tiles.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tests.judge.values import EMPTY, Bag, Value, bag


@dataclass(frozen=True, slots=True)
class Hidden:
    """A place whose tile is not known."""


HIDDEN = Hidden()


@dataclass(frozen=True, slots=True)
class Row:
    """The places from front to back, each a known tile or `HIDDEN`, and the bag of all hidden tiles (4.1)."""

    places: tuple[Value, ...] = ()
    hidden: Bag = EMPTY


def known_row(tiles: Sequence[Value]) -> Row:
    return Row(tuple(tiles))


def hidden_row(tiles: Bag) -> Row:
    return Row((HIDDEN,) * len(tiles), tiles)


def tiles_of(row: Row) -> Bag:
    """Return all tiles of a row."""
    return bag(place for place in row.places if place != HIDDEN).plus(row.hidden)


def tile_at(row: Row, place: int) -> Value:
    """Return the tile at a place, counted from 1 at the front; None if there is none or it is hidden (4.2)."""
    if not 1 <= place <= len(row.places) or row.places[place - 1] == HIDDEN:
        return None
    return row.places[place - 1]


def can_lie(row: Row, index: int, tile: Value) -> bool:
    """Return whether a tile can be the one at a place, counted from 0."""
    place = row.places[index]
    return row.hidden.count(tile) > 0 if place == HIDDEN else place == tile


def index_of_end(row: Row, end: str) -> int:
    return 0 if end == "front" else len(row.places) - 1


def fits_end(row: Row, end: str, tile: Value) -> bool:
    """Return whether a tile can be the one at an end (4.3)."""
    return bool(row.places) and can_lie(row, index_of_end(row, end), tile)


def fits_place(row: Row, place: int, tile: Value) -> bool:
    """Return whether a tile can be the one at a place, counted from 1 at the front (4.9)."""
    return 1 <= place <= len(row.places) and can_lie(row, place - 1, tile)


def fits_order(row: Row, tiles: Sequence[Value]) -> bool:
    """Return whether tiles, front first, can be the order of a row (4.3)."""
    agrees = all(p in (HIDDEN, t) for p, t in zip(row.places, tiles, strict=False))
    return bag(tiles) == tiles_of(row) and agrees


def taken(row: Row, tile: Value, end: str | None, place: int | None = None) -> Row | None:
    """Return the row without a tile that is taken from an end, or from the first place where it can lie (4.6).

    With a `place`, counted from 1 at the front, it is taken from there (4.10).
    """
    if place is not None:
        places = [place - 1] if 1 <= place <= len(row.places) else []
    elif end is not None:
        places = [index_of_end(row, end)] if row.places else []
    else:
        places = list(range(len(row.places)))
    for index in places:
        if can_lie(row, index, tile):
            rest = row.places[:index] + row.places[index + 1 :]
            return Row(rest, row.hidden.minus(bag([tile])) if row.places[index] == HIDDEN else row.hidden)
    return None


def cut(row: Row, number: int) -> Row | None:
    """Return the row with so many places from the front behind the others (4.11)."""
    if not 0 <= number <= len(row.places):
        return None
    return Row((*row.places[number:], *row.places[:number]), row.hidden)


def put(row: Row, tile: Value, end: str | None) -> Row:
    """Return the row with a known tile at an end, the back unless `end` is front (4.4)."""
    places = (tile, *row.places) if end == "front" else (*row.places, tile)
    return Row(places, row.hidden)


def put_hidden(row: Row, tiles: Bag, end: str | None) -> Row:
    """Return the row with tiles in an unknown order at an end (4.5)."""
    new = (HIDDEN,) * len(tiles)
    return Row((*new, *row.places) if end == "front" else (*row.places, *new), row.hidden.plus(tiles))


def put_row(row: Row, other: Row, end: str | None) -> Row:
    """Return the row with the places of another one, from its front on, each put at an end (4.5)."""
    for place in other.places:
        row = put(row, place, end)
    return Row(row.places, row.hidden.plus(other.hidden))
