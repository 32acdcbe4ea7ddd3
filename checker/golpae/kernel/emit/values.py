"""Values while code is written: where the parts of a value are, as expressions of the kernel language.

Input: none. Output: the classes of values.
Guarantee: every part is a number or a local that nobody sets again, so that a value can be used any number of times.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from golpae.ir.types import Type
from golpae.kernel.language.code import Expr
from golpae.kernel.language.writer import ONE

FAR = 1 << 62  # no number that is kept is further from 0

Plane = tuple[Expr, ...]  # its words


@dataclass(frozen=True, slots=True)
class Scalar:
    """A truth, number, player, tile, word or none; a number is at most `bound` away from 0."""

    value: Expr
    kind: Type
    bound: int = FAR


@dataclass(frozen=True, slots=True)
class Bits:
    """A bag of `item`s in planes; with `present` 0 it is none instead. Unless `listed` is 0, there lies their number,
    then they themselves in the order in which they were written, two bytes for each.
    """

    item: Type
    planes: tuple[Plane, ...]
    present: Expr = ONE
    listed: int = 0


@dataclass(frozen=True, slots=True)
class Group:
    """A meld: its label and tiles; with `present` 0 it is none instead.

    `shapes` has a bit for each shape that is listed and that the meld has, if that is known.
    """

    label: Expr
    tiles: Bits
    present: Expr = ONE
    shapes: Expr | None = None


@dataclass(frozen=True, slots=True)
class PerSeat:
    """A value for each player; with `present` 0 it is none instead."""

    values: tuple[Value, ...]
    present: Expr = ONE


@dataclass(frozen=True, slots=True)
class Stream:
    """A bag of items that are gone through one after the other; with `present` 0 it is none instead.

    `each` writes code that is run for every item, with the item and how many copies of it there are. This is `short`
    if it only loads or counts. If the items lie in memory as a sorted list, that is `at`.
    """

    item: Type
    each: Callable[[Callable[[Value, Expr], None]], None]
    size: Expr | None = None
    present: Expr = ONE
    at: Expr | None = None
    short: bool = False


@dataclass(frozen=True, slots=True)
class Scored:
    """A score: its total or NO_NUMBER, and whether a way with that total counts the patterns that are asked for.

    Unless `shown` is 0, what each pattern counts in a best way lies there until the next score, NO_NUMBER without. If
    patterns count in several numbers, these are the `numbers` by name, and `score` is its name.
    """

    total: Expr
    fits: Expr
    shown: int = 0
    patterns: tuple[str, ...] = ()
    numbers: Mapping[str, Expr] = field(default_factory=dict)
    score: str = ""


@dataclass(frozen=True, slots=True)
class Recorded:
    """Patterns as a trace records them, at an address; with `present` 0 none instead."""

    address: Expr
    present: Expr = ONE


@dataclass(frozen=True, slots=True)
class Arranged:
    """Inside a score: the arrangement that is tried."""

    name: str


Value = Scalar | Bits | Group | PerSeat | Stream | Scored | Recorded | Arranged
