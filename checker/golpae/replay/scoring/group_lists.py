"""The lists of the groups of shapes, with wild tiles in place of some that they count as.

Input: the shapes of one instance. Output: each bag of kinds of which a shape holds, each once or more often.
Guarantee: exact. Of shapes of several sizes, the groups that there are tiles for. All wild tiles are the first one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from typing import Any

from golpae.elaborate.instance import Instance
from golpae.ir import expr as ir
from golpae.ir.ruleset import ShapeDecl
from golpae.ir.scoring import grows, growth_test, listed_tiles
from golpae.ir.traverse import conjuncts, free
from golpae.ir.types import BOOL
from golpae.replay.scoring.layout_search import TileGroup
from golpae.replay.scoring.several_sizes import SeveralSizes
from golpae.replay.scoring.wild import WildTiles
from golpae.replay.steps import Steps


class GroupLists:
    """Lists the groups of the shapes of one instance."""

    def __init__(
        self,
        instance: Instance,
        shapes: Mapping[str, ShapeDecl],
        function: Callable[[ir.Expr, tuple[str, ...]], Callable[..., Any]],
        steps: Steps,
        several: SeveralSizes,
        wild: WildTiles,
    ) -> None:
        self._instance, self.shapes, self._function, self._steps = instance, shapes, function, steps
        self._several, self.wild = several, wild
        self._copies = instance.by_face(withdrawn=True)

    def all_of(self, shape: ShapeDecl, test: ir.Expr) -> Iterator[TileGroup]:
        """Yield every bag of kinds for whose tiles, in some order, the shape's test holds.

        Of a shape of several sizes, those that the set has.
        """
        if grows(shape.name, self.shapes):
            yield from self.listed_of(shape, self._copies)
            return
        for counted in self._counted_of(shape, test):
            yield from self.wild.groups(shape, counted, None)

    def listed_of(self, shape: ShapeDecl, copies: Sequence[int]) -> Iterator[TileGroup]:
        """Yield the groups of a shape of several sizes that are within so many copies of each kind, each once or more
        often.
        """
        growth, counted = growth_test(shape), self.wild.as_counted(shape, copies)
        assert shape.in_a_row or growth is not None
        groups = (
            self._several.rows(shape, counted)
            if growth is None
            else self._several.grown(shape, growth, counted)
        )
        for group in groups:
            yield from self.wild.groups(shape, group, copies)

    def _counted_of(self, shape: ShapeDecl, test: ir.Expr) -> Iterator[TileGroup]:
        """Yield every bag of kinds for whose tiles, in some order, the test of a shape of one size holds."""
        constants = listed_tiles(shape)
        if constants is not None:
            numbers = self._instance.numbers()
            yield tuple(sorted(numbers[name] for name in constants))
            return
        waiting = list(conjuncts(test))
        gone = self.wild.kinds.difference(self.wild.counted)
        kinds = [kind for kind in range(len(self._instance.kinds)) if kind not in gone]
        chosen: list[TileGroup] = [()]
        for i in range(len(shape.names)):
            bound = shape.names[: i + 1]
            now = [e for e in waiting if free(e) <= set(bound)]
            waiting = [e for e in waiting if not free(e) <= set(bound)]
            self._steps.charge(len(kinds) * len(chosen))
            if now:
                test = reduce(lambda one, other: ir.Op("and", (one, other), BOOL), now)
                holds = self._function(test, bound)
                chosen = [(*group, kind) for group in chosen for kind in kinds if holds(None, *group, kind)]
            else:
                chosen = [(*group, kind) for group in chosen for kind in kinds]
        for group in chosen:
            yield tuple(sorted(group))
