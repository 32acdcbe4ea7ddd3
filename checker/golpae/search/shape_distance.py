"""Count how many tiles must change until some tiles form a shape or an arrangement.

Input: a machine, and tiles by their numbers.
Output: a number of tiles, 0 or more.
Guarantee: it is a heuristic: it may exceed the true number, since only the `BEAM` best partial arrangements are
extended.
"""

from __future__ import annotations

from collections import Counter
from heapq import nsmallest

from golpae.replay.machine import Machine

LARGEST = 4  # tiles of a group whose members are listed
MOST_COMPARED = 200  # groups that a group is compared with
BEAM = 6  # partial arrangements that are extended
MOST_CACHED = 20_000

Part = tuple[str, int]  # a shape, and how many groups have it
Group = tuple[tuple[int, int], ...]  # kinds of tiles, and how many of each


class ShapeDistance:
    """Distances to the shapes and arrangements of one machine."""

    def __init__(self, machine: Machine) -> None:
        self._shapes = machine.shapes
        self._kinds = len(machine.instance.kinds)
        self._distances: dict[tuple[str, tuple[int, ...]], float] = {}
        self._groups: dict[str, list[Group]] = {}

    def compositions(self, name: str) -> list[list[Part]]:
        """Return the compositions of a shape or an arrangement; none if a group of it is too large to be listed."""
        compositions = list(self._shapes.made_of(name))
        small = all(self._is_small(shape) for parts in compositions for shape, _ in parts)
        return compositions if small else []

    def distance(self, name: str, compositions: list[list[Part]], tiles: tuple[int, ...]) -> float:
        """Return how many of some tiles, in order, must change for the best composition."""
        key = (name, tiles)
        if key not in self._distances:
            if len(self._distances) > MOST_CACHED:
                self._distances.clear()
            self._distances[key] = float(min(self._missing(parts, tiles) for parts in compositions))
        return self._distances[key]

    def _is_small(self, shape: str) -> bool:
        declared = self._shapes.shapes[shape]
        if declared.test is None:
            return all(self._is_small(member) for member in declared.union)
        return bool(declared.names) and declared.sizes[-1] <= LARGEST

    def _size(self, shape: str) -> int:
        """Return how many tiles the largest group of a shape has."""
        declared = self._shapes.shapes[shape]
        return (
            declared.sizes[-1]
            if declared.test is not None
            else max(map(self._size, declared.union), default=1)
        )

    def _missing(self, parts: list[Part], tiles: tuple[int, ...]) -> int:
        slots = sorted(
            ((shape, self._size(shape)) for shape, n in parts for _ in range(n)), key=lambda s: -s[1]
        )
        counts = Counter(tiles)
        partial = [(0, tuple(counts[k] for k in range(self._kinds)))]
        for shape, size in slots:
            grown: list[tuple[int, int, int]] = []
            for at, (missing, rest) in enumerate(partial):
                for number, group in enumerate(self._groups_of(shape)):
                    lacking = missing
                    for kind, count in group:
                        if rest[kind] < count:
                            lacking += count - rest[kind]
                    grown.append((lacking, at, number))
            following: dict[tuple[int, ...], int] = {}
            for lacking, at, number in nsmallest(2 * BEAM, grown):
                left = list(partial[at][1])
                for kind, count in self._groups_of(shape)[number]:
                    left[kind] = max(0, left[kind] - count)
                following.setdefault(tuple(left), lacking)
            partial = [(lacking, rest) for rest, lacking in list(following.items())[:BEAM]]
            if not partial:  # no tiles at all have this shape
                partial = [(len(tiles) + size, tuple(counts[k] for k in range(self._kinds)))]
        return partial[0][0]

    def _groups_of(self, shape: str) -> list[Group]:
        """Return the groups of a shape that contain no other group of it."""
        if shape not in self._groups:
            ordered = sorted(self._shapes.groups(shape), key=lambda g: (len(g), g))
            minimal: list[Counter[int]] = []
            for group in map(Counter, ordered):
                if not any(other <= group for other in minimal[:MOST_COMPARED]):
                    minimal.append(group)
            self._groups[shape] = [tuple(sorted(g.items())) for g in minimal]
        return self._groups[shape]
