"""Wild tiles: which groups a shape has if some of its tiles may count as others.

Input: an instance, whose wild tiles are all written as the first of them. Output: the groups that a group of counted
tiles stands for, with wild tiles in place of some; whether a shape may have so many wild tiles.
Guarantee: exact, and each group once for each group of counted tiles.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, combinations_with_replacement
from typing import Any

from golpae.elaborate.instance import Instance
from golpae.ir import expr as ir
from golpae.ir.ruleset import ShapeDecl
from golpae.ir.scoring import WILD, most_wild
from golpae.replay.scoring.layout_search import TileGroup
from golpae.replay.steps import Steps


class WildTiles:
    """The wild tiles of one instance. `function` compiles what a shape asks about them."""

    def __init__(
        self,
        instance: Instance,
        function: Callable[[ir.Expr, tuple[str, ...]], Callable[..., Any]],
        steps: Steps,
    ) -> None:
        self.kinds, self.counted = frozenset(instance.wild), instance.wild_as
        self._function, self._steps = function, steps
        self._first = instance.wild[0] if instance.wild else None
        self._allowed: dict[tuple[str, int, int], bool] = {}
        self._tests: dict[str, Callable[..., Any]] = {}

    def written(self, tiles: TileGroup) -> TileGroup:
        """Return sorted tiles with the first wild kind in place of each wild tile."""
        if self._first is None or self.kinds.isdisjoint(tiles):
            return tiles
        return tuple(sorted(self._first if tile in self.kinds else tile for tile in tiles))

    def number(self, tiles: TileGroup) -> int:
        """Return how many of these tiles are wild."""
        return 0 if self._first is None else tiles.count(self._first)

    def natural(self, tiles: TileGroup) -> TileGroup:
        """Return the tiles that are not wild."""
        return tuple(tile for tile in tiles if tile != self._first)

    def allows(self, shape: ShapeDecl, wild: int, size: int) -> bool:
        """Return whether a group of a shape may have so many wild tiles and so many tiles."""
        if shape.wild is None:
            return True
        key = shape.name, wild, size
        if key not in self._allowed:
            if shape.name not in self._tests:
                self._tests[shape.name] = self._function(shape.wild, ("it", WILD))
            self._allowed[key] = bool(self._tests[shape.name](None, [0] * size, wild))
        return self._allowed[key]

    def most(self, shape: ShapeDecl, copies: Sequence[int]) -> int:
        """Return how many wild tiles of these a group of a shape may have."""
        return 0 if self._first is None else most_wild(shape, copies[self._first])

    def as_counted(self, shape: ShapeDecl, copies: Sequence[int]) -> list[int]:
        """Return how many tiles of a group may count as each kind, out of these tiles."""
        most, out = self.most(shape, copies), list(copies)
        for kind in self.kinds:
            out[kind] = 0
        for kind in self.counted if most else ():
            out[kind] += most
        return out

    def groups(
        self, shape: ShapeDecl, counted: TileGroup, copies: Sequence[int] | None
    ) -> Iterator[TileGroup]:
        """Yield the groups that count as one of a shape: with wild tiles in place of some of its tiles.

        With `copies`, there are no more tiles of each kind.
        """
        if self._first is None:
            if self.allows(shape, 0, len(counted)):
                yield counted
            return
        first, size = self._first, len(counted)
        most = size if copies is None else self.most(shape, copies)
        waiting: list[tuple[TileGroup, int, list[tuple[int, int]]]] = [
            ((), 0, list(Counter(counted).items()))
        ]
        while waiting:
            group, wild, left = waiting.pop()
            self._steps.charge(1)
            if not left:
                if self.allows(shape, wild, size):
                    yield tuple(sorted((*group, *[first] * wild)))
                continue
            (kind, often), *others = left
            natural = often if copies is None else min(often, copies[kind])
            if kind in self.kinds:
                natural = 0
            for stays in range(natural, -1, -1):
                if wild + often - stays > most or (stays < often and kind not in self.counted):
                    break
                waiting.append(((*group, *[kind] * stays), wild + often - stays, others))

    def fillings(
        self, tiles: TileGroup, wild: int, may_be: Callable[[TileGroup], bool]
    ) -> Iterator[TileGroup]:
        """Yield tiles with what so many wild ones may count as, sorted; only what `may_be`, more tiles left out."""
        waiting = [(tuple(sorted(tiles)), 0, wild)]
        while waiting:
            filled, start, left = waiting.pop()
            if not left:
                yield filled
                continue
            self._steps.charge(len(self.counted) - start)
            for at in range(start, len(self.counted)):
                more = tuple(sorted((*filled, self.counted[at])))
                if may_be(more):
                    waiting.append((more, at, left - 1))

    def spread(self, groups: Iterable[TileGroup]) -> Iterator[TileGroup]:
        """Yield groups with each choice of wild kinds in place of the first one."""
        for group in groups:
            for own in combinations_with_replacement(sorted(self.kinds), self.number(group)):
                self._steps.charge(1)
                yield tuple(sorted((*self.natural(group), *own)))

    def each_choice(
        self, way: Sequence[Sequence[TileGroup]], tiles: Sequence[int]
    ) -> Iterator[list[list[TileGroup]]]:
        """Yield a layout of tiles, with each choice of their wild tiles in place of the first wild kind."""
        groups = [group for part in way for group in part]

        def chosen(at: int, left: list[int]) -> Iterator[list[TileGroup]]:
            self._steps.charge(1)
            if at == len(groups):
                yield []
                return
            for own in sorted({*combinations(left, self.number(groups[at]))}):
                rest = list(left)
                for tile in own:
                    rest.remove(tile)
                for more in chosen(at + 1, rest):
                    yield [tuple(sorted((*self.natural(groups[at]), *own))), *more]

        for choice in chosen(0, [tile for tile in tiles if tile in self.kinds]):
            waiting = iter(choice)
            yield [[next(waiting) for _ in part] for part in way]
