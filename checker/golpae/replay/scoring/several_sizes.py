"""The groups of a shape of several sizes: those that grow while a test holds, and those of tiles in a row.

Input: a shape, and how many copies of each kind there are. Output: the groups of these tiles; whether tiles are one.
Guarantee: exact.
"""

from __future__ import annotations

from bisect import bisect_left
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
        kinds: int,
        function: Callable[[ir.Expr, tuple[str, ...]], Callable[..., Any]],
        steps: Steps,
    ) -> None:
        self._kinds, self._function, self._steps = range(kinds), function, steps
        self._followers: dict[str, list[list[int]]] = {}

    def grown(self, shape: ShapeDecl, growth: ir.Expr, copies: Sequence[int]) -> Iterator[TileGroup]:
        """Yield the groups of a shape of several sizes: tiles are added, in order, while what holds of all holds."""
        assert shape.test is not None
        grows, test = self._function(growth, ("it",)), self._function(shape.test, ("it",))
        kinds = [kind for kind in self._kinds if copies[kind]]
        waiting: list[TileGroup] = [()]
        while waiting:
            group = waiting.pop()
            following = kinds[bisect_left(kinds, group[-1]) :] if group else kinds
            self._steps.charge(len(following))
            for kind in following:
                if group.count(kind) == copies[kind]:
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
            test, kinds = self._function(shape.test, shape.names), self._kinds
            self._steps.charge(len(kinds) ** 2)
            self._followers[shape.name] = [[one for one in kinds if test(None, kind, one)] for kind in kinds]
        return self._followers[shape.name]

    def is_row(self, tiles: TileGroup, shape: ShapeDecl, wild: int = 0, counted: Sequence[int] = ()) -> bool:
        """Return whether sorted tiles can be put in a row so that the test holds of each two neighbours.

        There are `wild` tiles more, each of which counts as one of `counted`.
        """
        following, seen = self._next(shape), set[tuple[TileGroup, int, int]]()
        waiting = [(_less(tiles, first), wild, first) for first in dict.fromkeys(tiles)]
        waiting += [(tiles, wild - 1, first) for first in counted if wild]
        while waiting:
            left, more, last = waiting.pop()
            if not left and not more:
                return True
            if (left, more, last) not in seen:
                seen.add((left, more, last))
                self._steps.charge(len(left) + (len(following[last]) if more else 0))
                fitting = (kind for kind in dict.fromkeys(left) if kind in following[last])
                waiting += [(_less(left, kind), more, kind) for kind in fitting]
                if more:
                    waiting += [(left, more - 1, kind) for kind in following[last] if kind in counted]
        return False

    def rows(self, shape: ShapeDecl, copies: Sequence[int]) -> Iterator[TileGroup]:
        """Yield the groups of tiles in a row that there are, each once or more often."""
        following = self._next(shape)
        waiting: list[tuple[TileGroup, int]] = [((kind,), kind) for kind in self._kinds if copies[kind]]
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
                if group.count(kind) < copies[kind] and longer not in seen:
                    seen.add(longer)
                    waiting.append(longer)


def _less(tiles: TileGroup, tile: int) -> TileGroup:
    """Return tiles without one of them."""
    at = tiles.index(tile)
    return (*tiles[:at], *tiles[at + 1 :])
