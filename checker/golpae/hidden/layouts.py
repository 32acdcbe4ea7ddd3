"""Groups of an arrangement, put together so that all tiles of a place that are certain are among them.

Input: an arrangement, and what a place can have: at least, at most, and together in some cases. Output: as many tiles
as the place has, and the groups that they make, or nearly make. Guarantee: all certain tiles are there, and no others
than those that can be. Chance comes from the generator that is given.

A place may have a tile that belongs to no group, and may lack one that completes them:

    1a 2a 3a 5b 5b ? with a pair and runs of three     ->     1a 2a 3a 5b 5b 6b, where 4b or 7b is lacking
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from random import Random

from golpae.hidden.lemmas import Lemmas
from golpae.ir.ruleset import ArrangementDecl
from golpae.replay.machine import Machine

MOST_STEPS = 120  # groups that are tried for one layout
WITH_NAMED = 0.5  # how often a tile that an event names belongs to what is put together
Faces = tuple[tuple[int, int], ...]
"""The tiles of a group: how often it has which face."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """The tiles that a place has for all choices that are known to be possible, those that it has for some, and what it
    has for each.
    """

    low: Counter[int]
    high: Counter[int]
    seen: tuple[Counter[int], ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """Groups for an arrangement, each with its shape. `with_it` is a tile of theirs that is not in the place, if it is
    known; `lacking` says how many are not, and `beside` how many tiles of the place are in no group. The place has to
    have the tiles that are `certain`.
    """

    arrangement: ArrangementDecl
    groups: tuple[tuple[str, Counter[int]], ...]
    with_it: int | None
    lacking: int
    beside: int
    certain: Counter[int]


@dataclass(slots=True)
class _Open:
    """A layout that is not complete: certain tiles in no group yet, tiles that groups can still have, parts that are
    left, how many tiles they have to have, and how many tiles may stay in no group.
    """

    certain: Counter[int]
    can_be: Counter[int]
    shapes: tuple[str, ...]
    tiles: int
    beside: int
    groups: tuple[tuple[str, Counter[int]], ...] = ()


class Layouts:
    """The layouts of the arrangements of one machine."""

    def __init__(self, machine: Machine, lemmas: Lemmas, random: Random) -> None:
        self._lemmas, self._random = lemmas, random
        self._faces = machine.instance.faces
        self._groups: dict[str, list[Faces]] = {}
        self._with_face: dict[tuple[str, int], list[Faces]] = {}
        self._of_face: dict[int, list[int]] = {}
        self._steps = 0
        for kind, face in enumerate(self._faces):
            self._of_face.setdefault(face, []).append(kind)

    def new(
        self, arrangement: ArrangementDecl, size: int, bounds: Bounds, named: Sequence[int]
    ) -> tuple[Counter[int], Layout] | None:
        """Return tiles for a place of some size, and their layout: at times with a tile that is `named`. None if none
        is found.
        """
        with_it = self._random.choice(named) if named and self._random.random() < WITH_NAMED else None
        lacking = self._random.randint(0, 1) if with_it is None else 1
        beside = self._random.randint(0, 1)
        certain = self._some_of(self._random.choice(bounds.seen), bounds.low)
        return self._filled(Layout(arrangement, (), with_it, lacking, beside, certain), size, bounds)

    def _some_of(self, tiles: Counter[int], low: Counter[int]) -> Counter[int]:
        """Return tiles without some of those that are not certain: unknown tiles are few, and not independent."""
        open_ones = [*(tiles - low).elements()]
        many = self._random.randint(min(1, len(open_ones)), len(open_ones))
        return tiles - Counter(self._random.sample(open_ones, many))

    def near(self, base: Layout, size: int, bounds: Bounds) -> tuple[Counter[int], Layout] | None:
        """Return tiles for a place, and a layout that has all but one or two groups of another one."""
        kept = self._random.sample(base.groups, max(0, len(base.groups) - self._random.randint(1, 2)))
        return self._filled(replace(base, groups=tuple(kept)), size, bounds)

    def _filled(self, layout: Layout, size: int, bounds: Bounds) -> tuple[Counter[int], Layout] | None:
        """Return tiles for a place, and a layout with more groups."""
        shapes = [part.shape for part in layout.arrangement.parts for _ in range(part.count)]
        used: Counter[int] = Counter()
        for shape, group in layout.groups:
            shapes.remove(shape)
            used += group
        outside = Counter([] if layout.with_it is None else [layout.with_it])
        whole = bounds.high + outside
        self._random.shuffle(shapes)
        begun = _Open(
            layout.certain + outside - used,
            whole - used,
            tuple(shapes),
            size + layout.lacking - layout.beside - used.total(),
            layout.beside,
            layout.groups,
        )
        self._steps = MOST_STEPS
        found = next(self._completed(begun), None) if used <= whole else None
        if found is None:
            return None
        tiles = sum((group for _, group in found.groups), Counter[int]())
        if not outside <= tiles:
            return None
        tiles -= outside
        if layout.lacking > outside.total():
            spare = [*(tiles - layout.certain).elements()]
            if not spare:
                return None
            tiles -= Counter([self._random.choice(spare)])
        tiles |= layout.certain
        more = [*(bounds.high - tiles).elements()]
        missing = size - tiles.total()
        if not 0 <= missing <= len(more):
            return None
        return tiles + Counter(self._random.sample(more, missing)), replace(layout, groups=found.groups)

    def _completed(self, begun: _Open) -> Iterator[_Open]:
        """Yield layouts with groups for all tiles that are left."""
        if begun.tiles == 0:
            if begun.certain.total() <= begun.beside:
                yield begun
            return
        if begun.certain.total() > begun.tiles + begun.beside:
            return
        tile = min(begun.certain, default=None)
        options = [partial(self._with_groups, begun, tile)]
        if tile is not None and begun.beside:
            options.append(partial(self._without, begun, tile))
        for option in self._random.sample(options, len(options)):
            yield from option()

    def _without(self, begun: _Open, tile: int) -> Iterator[_Open]:
        """Yield layouts in which a certain tile is in no group."""
        left = begun.certain - Counter([tile])
        yield from self._completed(replace(begun, certain=left, beside=begun.beside - 1))

    def _with_groups(self, begun: _Open, tile: int | None) -> Iterator[_Open]:
        """Yield layouts with a group more, one that has a certain tile if there is one."""
        for shape in dict.fromkeys(begun.shapes):
            fitting = self._listed(shape) if tile is None else self._listed_with(shape, self._faces[tile])
            for faces in self._random.sample(fitting, len(fitting)):
                if self._steps <= 0:
                    return
                group = self._group(faces, begun)
                if group is not None:
                    self._steps -= 1
                    yield from self._completed(_with_group(begun, shape, group))

    def _group(self, faces: Faces, begun: _Open) -> Counter[int] | None:
        """Return tiles with some faces, rather certain ones; None if there are not so many."""
        tiles: Counter[int] = Counter()
        if sum(often for _, often in faces) > begun.tiles:
            return None
        for face, often in faces:
            for _ in range(often):
                kinds = self._of_face[face]
                able = [k for k in kinds if begun.certain[k] > tiles[k]]
                able = able or [k for k in kinds if begun.can_be[k] > tiles[k]]
                if not able:
                    return None
                tiles[able[0] if len(able) == 1 else self._random.choice(able)] += 1
        return tiles

    def _listed_with(self, shape: str, face: int) -> list[Faces]:
        if (shape, face) not in self._with_face:
            groups = self._listed(shape)
            self._with_face[shape, face] = [g for g in groups if any(one == face for one, _ in g)]
        return self._with_face[shape, face]

    def _listed(self, shape: str) -> list[Faces]:
        """Return the groups of a shape."""
        if shape not in self._groups:
            groups = self._lemmas.groups(shape) or []
            self._groups[shape] = [tuple(sorted(Counter(group).items())) for group in groups]
        return self._groups[shape]


def _with_group(begun: _Open, shape: str, group: Counter[int]) -> _Open:
    """Return a layout with one more group."""
    shapes = [*begun.shapes]
    shapes.remove(shape)
    return _Open(
        begun.certain - group,
        begun.can_be - group,
        tuple(shapes),
        begun.tiles - group.total(),
        begun.beside,
        (*begun.groups, (shape, group)),
    )
