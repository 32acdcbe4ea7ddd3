"""The kinds of value in a rule text.

Input: none. Output: the types, their names for players (`spoken`), and which type can be used as which (`fits`).
Guarantee: types are data; equal types are the same kind of value.
"""

from __future__ import annotations

from dataclasses import field
from typing import assert_never

from golpae.records import dataclass


@dataclass(frozen=True, slots=True)
class Bool:
    """yes or no"""


@dataclass(frozen=True, slots=True)
class Int:
    """A whole number."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A player, by seat 0 .. n-1."""


@dataclass(frozen=True, slots=True)
class Tile:
    """A kind of tile; two copies of one kind are the same value."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One of some words."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Meld:
    """A group of tiles on the table, with or without a label. Also a bag of tiles."""


@dataclass(frozen=True, slots=True)
class Bag:
    """Some values, repeats allowed; their order does not matter."""

    item: Type


@dataclass(frozen=True, slots=True)
class Each:
    """One value for each player, seat 0 first."""

    item: Type


@dataclass(frozen=True, slots=True)
class Opt:
    """A value, or none."""

    item: Type


@dataclass(frozen=True, slots=True)
class NoneType:
    """The type of `none` by itself."""


@dataclass(frozen=True, slots=True)
class Points:
    """The score of a hand: its points, or none if it counts nothing, and its patterns. `numbers` are the names of those
    that its patterns count in, if these have names.
    """

    # The metadata is `ADDED_LATER`, which this module cannot import. A score says its numbers itself, so repr does not.
    numbers: tuple[str, ...] = field(default=(), repr=False, metadata={"added later": True})


@dataclass(frozen=True, slots=True)
class Patterns:
    """Patterns as a trace records them: points by name."""


Type = Bool | Int | Seat | Tile | Choice | Meld | Bag | Each | Opt | NoneType | Points | Patterns

BOOL, INT, SEAT, TILE, MELD, NONE = Bool(), Int(), Seat(), Tile(), Meld(), NoneType()
POINTS, PATTERNS = Points(), Patterns()
TILES, SEATS, NUMBERS, MELDS = Bag(TILE), Bag(SEAT), Bag(INT), Bag(MELD)


def spoken(kind: Type) -> str:
    """Return the words of a message for values of this type."""
    match kind:
        case Bool():
            return "yes or no"
        case Int():
            return "a number"
        case Seat():
            return "a player"
        case Tile():
            return "a tile"
        case Choice(words):
            return f"one of {', '.join(words)}"
        case Meld():
            return "a meld"
        case Bag(Tile()):
            return "tiles"
        case Bag(Seat()):
            return "players"
        case Bag(Int()):
            return "numbers"
        case Bag(Meld()):
            return "melds"
        case Bag(item):
            return f"a bag of ({spoken(item)})"
        case Each(item):
            return f"{spoken(item)} for each player"
        case Opt(item):
            return f"{spoken(item)} or none"
        case NoneType():
            return "none"
        case Points():
            return "a score"
        case Patterns():
            return "patterns"


def fits(actual: Type, expected: Type) -> bool:
    """Return whether a value of type `actual` can be used as a value of type `expected`."""
    if actual == expected:
        return True
    match actual, expected:
        case Opt(a), Opt(b):
            return fits(a, b)
        case NoneType(), Opt(_):
            return True
        case _, Opt(b):
            return fits(actual, b)
        case Meld(), Bag(b):
            return fits(TILE, b)
        case Bag(NoneType()), Bag(_) | Meld():
            return True
        case Bag(a), Bag(b):
            return fits(a, b)
        case Each(a), Each(b):
            return fits(a, b) and words_in(a) == words_in(b)
        case Points(), Points(numbers):
            return not numbers
        case Choice(a_words), Choice(b_words):
            return bool(a_words) and set(a_words) <= set(b_words)
        case _:
            return False


def join(a: Type, b: Type) -> Type | None:
    """Return the narrowest type that holds both, or None."""
    if fits(b, a):
        return a
    if fits(a, b):
        return b
    if isinstance(a, NoneType):
        return Opt(b)
    if isinstance(b, NoneType):
        return Opt(a)
    if isinstance(a, Opt) and (inner := join(a.item, b)) is not None:
        return inner if isinstance(inner, Opt) else Opt(inner)
    if isinstance(b, Opt) and (inner := join(a, b.item)) is not None:
        return inner if isinstance(inner, Opt) else Opt(inner)
    if isinstance(a, Points) and isinstance(b, Points):
        return POINTS
    if isinstance(a, Choice) and isinstance(b, Choice) and set(a.words) & set(b.words):
        return Choice((*a.words, *(word for word in b.words if word not in a.words)))
    return None


def has_tiles(kind: Type) -> bool:
    """Return whether values of a type are, or hold, tiles."""
    match kind:
        case Tile() | Meld():
            return True
        case Bag(item) | Each(item) | Opt(item):
            return has_tiles(item)
        case Bool() | Int() | Seat() | Choice() | NoneType() | Points() | Patterns():
            return False
        case _:
            assert_never(kind)


def words_in(kind: Type) -> tuple[str, ...]:
    """Return the words that values of a type are or hold, in their order; none if there are none."""
    match kind:
        case Choice(words):
            return words
        case Bag(item) | Each(item) | Opt(item):
            return words_in(item)
        case Bool() | Int() | Seat() | Tile() | Meld() | NoneType() | Points() | Patterns():
            return ()
        case _:
            assert_never(kind)
