"""Pieces of groups: the tiles of a hand that can become a group of an arrangement, and how many tiles that saves.

Input: the groups of each part of an arrangement, as kinds of tiles.
Output: a `Composition`, from which the number of tiles that a hand lacks can be counted piece by piece.
Guarantee: a piece that takes more tiles than another one, and saves no more, is left out.

Of `2 sets` whose groups are {1 2 3} and {2 2 2}, an empty hand lacks 6. The piece {2} saves 1, {2 3} and {2 2}
save 2.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import combinations

from golpae.records import dataclass

MOST_PIECES = 5_000  # of one composition
MOST_SIZE = 256  # of one composition
MOST_TILES, MOST_KINDS = 16, 10  # that are looked at, of different tiles that go together


@dataclass(frozen=True, slots=True)
class Piece:
    """Tiles in order, and how many fewer tiles are missing with them."""

    tiles: tuple[int, ...]
    saved: int


@dataclass(frozen=True, slots=True)
class ArrangementPart:
    """`count` groups of a shape. With `alone`, two of them cannot be of the same kind of tile, and nothing else is."""

    count: int
    pieces: tuple[Piece, ...]
    alone: bool


@dataclass(frozen=True, slots=True)
class Composition:
    """The parts of an arrangement. `lacking` is how many tiles an empty hand lacks. Tiles of different
    collections in `together` are in no group with one another, and those of `single` in none with other kinds.
    """

    lacking: int
    parts: tuple[ArrangementPart, ...]
    together: tuple[tuple[int, ...], ...]
    single: tuple[int, ...]

    @property
    def strides(self) -> tuple[int, ...]:
        """What a group of each part adds to the number that says how many groups of each part there are."""
        out, stride = [], 1
        for part in self.parts:
            out.append(stride)
            stride *= part.count + 1
        return tuple(out)

    @property
    def size(self) -> int:
        """How many of these numbers there are."""
        size = 1
        for part in self.parts:
            size *= part.count + 1
        return size

    def after(self, part: int) -> list[int]:
        """Return the numbers that have a group of a part."""
        stride, most = self.strides[part], self.parts[part].count + 1
        return [number for number in range(self.size) if number // stride % most]

    def sums(self) -> list[list[tuple[int, int]]]:
        """Return, for each number, the pairs of numbers that have as many groups of each part together."""
        out: list[list[tuple[int, int]]] = [[] for _ in range(self.size)]
        digits = [
            tuple(n // s % (p.count + 1) for s, p in zip(self.strides, self.parts, strict=True))
            for n in range(self.size)
        ]
        for one, some in enumerate(digits):
            for other, more in enumerate(digits):
                if all(a + b <= p.count for a, b, p in zip(some, more, self.parts, strict=True)):
                    out[one + other].append((one, other))
        return out


@dataclass(frozen=True, slots=True)
class Needed:
    """`count` groups, pairwise different if `different`: one of `groups` each."""

    count: int
    different: bool
    groups: Collection[tuple[int, ...]]


def composition(needed: Sequence[Needed]) -> Composition | None:
    """Return the pieces that these parts are made of; None if a part has no groups, or if there are too many pieces to
    count.
    """
    if not all(part.groups for part in needed):
        return None
    parts, lacking = [], 0
    for part in needed:
        least = min(map(len, part.groups))
        pieces = _pieces(part.groups, least)
        if pieces is None:
            return None
        plain = all(len({*group}) == 1 for group in part.groups)
        parts.append(ArrangementPart(part.count, pieces, part.different and plain and len(needed) == 1))
        lacking += part.count * least
    if sum(len(part.pieces) for part in parts) > MOST_PIECES:
        return None
    together = _together(group for part in needed for group in part.groups)
    single = tuple(sorted(kind for kinds in together if len(kinds) == 1 for kind in kinds))
    made = Composition(lacking, tuple(parts), tuple(kinds for kinds in together if len(kinds) > 1), single)
    return made if made.size <= MOST_SIZE else None


def _pieces(groups: Collection[tuple[int, ...]], least: int) -> tuple[Piece, ...] | None:
    saved: dict[tuple[int, ...], int] = {}
    for group in {tuple(sorted(group)) for group in groups}:
        for many in range(1, len(group) + 1):
            for tiles in combinations(group, many):
                saved[tiles] = max(saved.get(tiles, 0), least - len(group) + many)
        if len(saved) > MOST_PIECES:
            return None
    return tuple(
        Piece(tiles, many)
        for tiles, many in sorted(saved.items())
        if many
        and all(saved.get(fewer, 0) < many for n in range(1, len(tiles)) for fewer in combinations(tiles, n))
    )


def _together(groups: Iterable[tuple[int, ...]]) -> tuple[tuple[int, ...], ...]:
    """Return the kinds that are in groups with one another, directly or through others."""
    classes: dict[int, set[int]] = {}
    for group in groups:
        joined = {*group}.union(*(classes[kind] for kind in group if kind in classes))
        classes.update(dict.fromkeys(joined, joined))
    return tuple(sorted({tuple(sorted(kinds)) for kinds in classes.values()}))
