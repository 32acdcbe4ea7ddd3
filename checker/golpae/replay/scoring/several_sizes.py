"""The groups of a shape of several sizes: those that grow while a test holds, and those of tiles in a row.

Input: a shape, and how many copies of each kind the set has. Output: the groups that the set has; whether
tiles are one. Guarantee: exact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from golpae.ir import expr as ir
from golpae.ir.ruleset import ShapeDecl
from golpae.replay.scoring.layout_search import TileGroup
from golpae.replay.steps import Steps


class SeveralSizes:
    """Lists groups of one instance."""

    def __init__(
        self,
        copies: Sequence[int],
        function: Callable[[ir.Expr, tuple[str, ...]], Callable[..., Any]],
        steps: Steps,
    ) -> None:
        self._copies, self._function, self._steps = copies, function, steps
        self._followers: dict[str, list[list[int]]] = {}

    def grown(self, shape: ShapeDecl, growth: ir.Expr) -> Iterator[TileGroup]:
        """Yield the groups of a shape of several sizes: tiles are added, in order, while what holds of all holds."""
        assert shape.test is not None
        grows, test, kinds = (
            self._function(growth, ("it",)),
            self._function(shape.test, ("it",)),
            range(len(self._copies)),
        )
        waiting: list[TileGroup] = [()]
        while waiting:
            group = waiting.pop()
            self._steps.charge(len(kinds) - (group[-1] if group else 0))
            for kind in kinds[group[-1] if group else 0 :]:
                if group.count(kind) == self._copies[kind]:
                    continue
                more = (*group, kind)
                if grows(None, list(more)):
                    if len(more) in shape.sizes and test(None, list(more)):
                        yield more
                    if len(more) < shape.sizes[-1]:
                        waiting.append(more)

    def _next(self, shape: ShapeDecl) -> list[list[int]]:
        """Return for each kind the kinds that may come next to it in a row."""
        if shape.name not in self._followers:
            assert shape.test is not None
            test, kinds = self._function(shape.test, shape.names), range(len(self._copies))
            self._steps.charge(len(kinds) ** 2)
            self._followers[shape.name] = [[one for one in kinds if test(None, kind, one)] for kind in kinds]
        return self._followers[shape.name]

    def is_row(self, tiles: TileGroup, shape: ShapeDecl) -> bool:
        """Return whether sorted tiles can be put in a row so that the test holds of each two neighbours."""
        following, seen = self._next(shape), set[tuple[TileGroup, int]]()
        waiting = [(_less(tiles, first), first) for first in dict.fromkeys(tiles)]
        while waiting:
            left, last = waiting.pop()
            if not left:
                return True
            if (left, last) not in seen:
                seen.add((left, last))
                self._steps.charge(len(left))
                fitting = (kind for kind in dict.fromkeys(left) if kind in following[last])
                waiting += [(_less(left, kind), kind) for kind in fitting]
        return False

    def rows(self, shape: ShapeDecl) -> Iterator[TileGroup]:
        """Yield the groups of tiles in a row that the set has, each once or more often."""
        following, kinds = self._next(shape), range(len(self._copies))
        waiting: list[tuple[TileGroup, int]] = [((kind,), kind) for kind in kinds if self._copies[kind]]
        seen = {*waiting}
        while waiting:
            group, last = waiting.pop()
            if len(group) in shape.sizes:
                yield group
            if len(group) == shape.sizes[-1]:
                continue
            self._steps.charge(len(following[last]))
            for kind in following[last]:
                longer = tuple(sorted((*group, kind))), kind
                if group.count(kind) < self._copies[kind] and longer not in seen:
                    seen.add(longer)
                    waiting.append(longer)


def _less(tiles: TileGroup, tile: int) -> TileGroup:
    """Return tiles without one of them."""
    at = tiles.index(tile)
    return (*tiles[:at], *tiles[at + 1 :])
