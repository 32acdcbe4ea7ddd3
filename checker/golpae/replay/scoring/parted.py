"""The groups of a shape within tiles, and what can be left of tiles without some of them.

Input: the shapes of one instance, tiles, the name of a shape. Output: bags of tiles, each once.
Guarantee: exact. What was found is cached, and costs the same steps each time that it is asked for.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from itertools import combinations
from math import comb
from typing import Protocol

from golpae.ir import expr as ir
from golpae.ir.ruleset import ShapeDecl
from golpae.ir.scoring import grows, is_listed, plain_shapes
from golpae.replay.scoring.layout_search import AnswerCache, TileGroup, without
from golpae.replay.scoring.wild import WildTiles
from golpae.replay.steps import MOST_TRIES, Steps

Found = tuple[tuple[TileGroup, ...], int]  # bags, and the steps that it took to find them


class ShapeGroups(Protocol):
    """The groups of shapes."""

    shapes: dict[str, ShapeDecl]
    wild: WildTiles
    kinds: int

    def set_has(self, tiles: Sequence[int]) -> bool: ...

    def are_listed(self, shapes: Sequence[str]) -> bool: ...

    def groups(self, name: str) -> Collection[TileGroup]: ...

    def sizes(self, name: str) -> frozenset[int]: ...

    def is_group(self, tiles: TileGroup, name: str) -> bool: ...

    def listed_of(self, shape: ShapeDecl, copies: Sequence[int]) -> Iterator[TileGroup]: ...


class PartedTiles:
    """Finds groups within tiles, and what can be left of tiles."""

    def __init__(self, shapes: ShapeGroups, steps: Steps) -> None:
        self._shapes, self._steps = shapes, steps
        self._by_lowest: dict[str, defaultdict[int, list[TileGroup]]] = {}
        self._found: defaultdict[tuple[str, str], AnswerCache[Found]] = defaultdict(AnswerCache)

    def parted(self, kind: ir.PartedKind, tiles: Sequence[int], name: str) -> list[TileGroup]:
        """Return all groups of a shape that are within tiles, each once; or all that can be left without some of them.

        Raises `TooManySteps`.
        """
        group = tuple(sorted(tiles))
        cached = self._found[kind, name].get(group)
        if cached is None:
            find = self._groups_within if kind == "within" else self._rests
            tile_groups, cost = self._steps.apart(name, MOST_TRIES, lambda: tuple(find(group, name)))
            cached = self._found[kind, name].put(group, (tile_groups, cost), 1 + len(tile_groups))
        tile_groups, cost = cached
        self._steps.charge(cost)
        return [*tile_groups]

    def lists_within(self, tiles: Sequence[int], name: str) -> Iterator[tuple[TileGroup, ...]]:
        """Yield each list of groups of a shape that are together within tiles, each once, the empty one too.

        Raises `TooManySteps`.
        """
        groups = self.parted("within", tiles, name)
        waiting: list[tuple[TileGroup, int, tuple[TileGroup, ...]]] = [(tuple(sorted(tiles)), 0, ())]
        while waiting:
            left, first, taken = waiting.pop()
            yield taken
            self._steps.charge(len(groups) - first)
            for at in range(first, len(groups)):
                rest = without(left, groups[at])
                if rest is not None:
                    waiting.append((rest, at, (*taken, groups[at])))

    def _groups_within(self, tiles: TileGroup, name: str) -> list[TileGroup]:
        """Return the groups of a shape that are within sorted tiles, sorted."""
        written = self._shapes.wild.written(tiles)
        if written == tiles:
            return self._groups_of(tiles, name)
        wild = [tile for tile in tiles if tile in self._shapes.wild.kinds]
        return sorted(self._with_each(self._groups_of(written, name), wild))

    def _groups_of(self, tiles: TileGroup, name: str) -> list[TileGroup]:
        """Return the groups of a shape that are within sorted tiles, sorted; wild ones are all the first one."""
        shapes = self._shapes.shapes
        if (not grows(name, shapes) or self._shapes.set_has(tiles)) and self._shapes.are_listed((name,)):
            if name not in self._by_lowest:
                self._by_lowest[name] = defaultdict(list)
                for group in sorted(self._shapes.groups(name)):
                    self._by_lowest[name][group[0]].append(group)
            starting = [
                group for kind in dict.fromkeys(tiles) for group in self._by_lowest[name].get(kind, ())
            ]
            self._steps.charge(len(starting))
            return [group for group in starting if without(tiles, group) is not None]
        tile_groups = set[TileGroup]()
        if is_listed(name, shapes):
            counts = Counter(tiles)
            for plain in plain_shapes(name, shapes):
                if grows(plain, shapes):
                    copies = [counts[kind] for kind in range(self._shapes.kinds)]
                    tile_groups.update(self._shapes.listed_of(shapes[plain], copies))
                else:
                    tile_groups.update(self._groups_of(tiles, plain))
            return sorted(tile_groups)
        for size in self._shapes.sizes(name):
            if size <= len(tiles):
                self._steps.charge(comb(len(tiles), size))
                tile_groups |= {
                    group for group in combinations(tiles, size) if self._shapes.is_group(group, name)
                }
        return sorted(tile_groups)

    def _with_each(self, groups: Sequence[TileGroup], wild: Sequence[int]) -> set[TileGroup]:
        """Return groups with each choice of wild tiles in place of the first wild kind."""
        of_wild, tile_groups = self._shapes.wild, set[TileGroup]()
        chosen: dict[int, set[TileGroup]] = {}
        for group in groups:
            number = of_wild.number(group)
            if number not in chosen:
                chosen[number] = {*combinations(wild, number)}
            self._steps.charge(len(chosen[number]))
            tile_groups |= {tuple(sorted((*of_wild.natural(group), *own))) for own in chosen[number]}
        return tile_groups

    def _rests(self, tiles: TileGroup, name: str) -> list[TileGroup]:
        """Return all remainders of sorted tiles after any number of groups of a shape is taken out, sorted."""
        starting: defaultdict[int, list[TileGroup]] = defaultdict(list)
        for group in self._groups_within(tiles, name):
            starting[group[0]].append(group)
        tile_groups: dict[TileGroup, set[TileGroup]] = {(): {()}}

        def rests(left: TileGroup) -> set[TileGroup]:
            if left not in tile_groups:
                remainders = {(left[0], *more) for more in rests(left[1:])}
                for group in starting.get(left[0], ()):
                    less = without(left, group)
                    if less is not None:
                        remainders |= rests(less)
                self._steps.charge(len(remainders))
                tile_groups[left] = remainders
            return tile_groups[left]

        return sorted(rests(tiles))
