"""What a hand lacks that fits no arrangement of a score.

Input: the tiles of a hand, the melds that are fixed, and the arrangements of a score.
Output: the arrangement of whose groups the hand has most, with these groups, those that it lacks, and the tiles that
are left over.
Guarantee: of several that are equally near, the first in the text. The search counts its steps; in a very long hand it
may miss some groups.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations, islice

from golpae.ir.ruleset import PartDecl
from golpae.records import dataclass
from golpae.replay.runtime import Meld
from golpae.replay.scoring.arrangements import Shapes
from golpae.replay.scoring.layout_search import TileGroup

MOST_GROUPS = 20_000  # choices of tiles that are tried for a shape
MOST_STEPS = 20_000  # of the search for one arrangement


@dataclass(frozen=True, slots=True)
class Nearest:
    """An arrangement that a hand does not fit. `lacks` has shapes, with the number of groups."""

    arrangement: str
    groups: tuple[TileGroup, ...]
    lacks: tuple[tuple[str, int], ...]
    left: tuple[int, ...]


def nearest(
    shapes: Shapes, arrangements: Iterable[str], hand: Sequence[int], fixed: Sequence[Meld]
) -> Nearest | None:
    """Return the arrangement that leaves the fewest tiles of the hand over, with what it lacks; None if there is no
    arrangement.
    """
    packings = [_Packing(shapes, name, hand, fixed).run() for name in arrangements]
    return min(packings, key=lambda near: len(near.left), default=None)


class _Packing:
    """The search for groups of one arrangement that have most tiles of a hand, no two with the same one."""

    def __init__(self, shapes: Shapes, name: str, hand: Sequence[int], fixed: Sequence[Meld]) -> None:
        self.name = name
        self.parts = shapes.arrangements[name].parts
        self.whole = Counter(hand) + Counter(t for meld in fixed for t in meld)
        self.choices = [self._groups(shapes, part, hand, fixed) for part in self.parts]
        self.steps = 0
        self.best: tuple[tuple[TileGroup, ...], ...] = ()
        self.fewest: int | None = None  # tiles that are left over

    def _groups(
        self, shapes: Shapes, part: PartDecl, hand: Sequence[int], fixed: Sequence[Meld]
    ) -> list[TileGroup]:
        """Return the groups that a part can have, the largest first."""
        groups: dict[TileGroup, None] = {tuple(m): None for m in fixed if shapes.holds(m, part.shape)}
        for size in sorted(shapes.sizes(part.shape), reverse=True):
            for group in islice(combinations(sorted(hand), size), MOST_GROUPS):
                if group not in groups and shapes.is_group(group, part.shape):
                    groups[group] = None
        return [*groups]

    def run(self) -> Nearest:
        self._choose((), (), 0, self.whole)
        lacks: Counter[str] = Counter()
        for part, own in zip(self.parts, self.best, strict=True):
            lacks[part.shape] += part.count - len(own)
        groups = tuple(group for own in self.best for group in own)
        left = self.whole - Counter(t for group in groups for t in group)
        return Nearest(self.name, groups, tuple((+lacks).items()), tuple(sorted(left.elements())))

    def _choose(
        self,
        done: tuple[tuple[TileGroup, ...], ...],
        own: tuple[TileGroup, ...],
        begin: int,
        left: Counter[int],
    ) -> None:
        """Choose more groups of a part, in the order of its choices, or else go on to the next part."""
        self.steps += 1
        if (self.steps > MOST_STEPS and self.fewest is not None) or self.fewest == 0:
            return
        if len(done) == len(self.parts):
            if self.fewest is None or left.total() < self.fewest:
                self.fewest, self.best = left.total(), done
            return
        part, choices = self.parts[len(done)], self.choices[len(done)]
        if len(own) < part.count:
            for at in range(begin, len(choices)):
                group = Counter(choices[at])
                if group <= left:
                    again = at + 1 if part.different else at
                    self._choose(done, (*own, choices[at]), again, left - group)
        self._choose((*done, own), (), 0, left)
