"""Find every way to lay out tiles as the groups of an arrangement.

Input: a plan of an arrangement, sorted tiles, and melds whose groups are fixed.
Output: every way, as the groups of each part.
Guarantee: exact, and each way is listed once.

A hand is cut where no group can reach across. Each piece is laid out separately, once for all hands:

    2 runs and 1 twin    1f 2f 3f 3f 4f 5f | 2-1 2-1    ->    {2 runs: 1 way} and {1 twin: 1 way}

The lowest tile of a piece must be in some group, so only groups that start with it are tried, each with the ways
to lay out the rest. The groups come from the shape's own list or from the hand, whichever is shorter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field
from itertools import combinations
from math import comb
from typing import Generic, TypeVar

from golpae.records import dataclass
from golpae.replay.runtime import Meld
from golpae.replay.steps import Tries

TileGroup = tuple[int, ...]
Placed = tuple[TileGroup, int]  # a group and the number of the part it serves as
Way = tuple[Placed, ...]  # sorted, so by lowest tile
Ways = dict[int, list[Way]]  # by weight
Counts = tuple[int, ...]  # how many groups of each part
CACHED = 50_000  # answers of each kind
MOST_WAYS = 500  # of a piece; a hand with such a piece is searched as a whole, way by way
SHORT = 16  # a list of groups that is never too long to go through
UNKNOWN: Ways = {}
NO_TILES: Ways = {0: [()]}
NO_WEIGHT = frozenset({0})

Result = TypeVar("Result")


class AnswerCache(dict[TileGroup, Result], Generic[Result]):
    """Answers by their tiles. It is emptied when it gets too large."""

    def __init__(self) -> None:
        super().__init__()
        self.room = CACHED

    def put(self, tiles: TileGroup, answer: Result, size: int = 1) -> Result:
        self.room -= size
        if self.room < 0:
            self.clear()
            self.room = CACHED - size
        self[tiles] = answer
        return answer


@dataclass(frozen=True, slots=True)
class LayoutPlan:
    """An arrangement made ready for the search.

    Every group has the weight of its part. INVARIANT: groups weigh the same together exactly if there are as
    many of each part, since no piece of a hand has more groups of a part than `counts` allows.
    """

    counts: Counts
    base: int
    weights: tuple[int, ...]  # of each part: 1, base, base * base, ...
    different: tuple[bool, ...]
    shapes: tuple[str, ...]
    sizes: tuple[frozenset[int], ...]  # of each part's groups
    starting: dict[int, list[Placed]] | None  # the groups by lowest kind; None if they cannot be listed
    reach: tuple[int, ...]  # for each kind, the highest in any group that starts with it
    part_of: tuple[
        int, ...
    ]  # kinds with the same number may be in groups with one another, directly or through others
    mixed: bool  # between two kinds with the same number there is one with another
    long: bool  # a search may take very many tries, so that they are counted
    cached: AnswerCache[Ways | None] = field(default_factory=AnswerCache)  # None: more than MOST_WAYS
    needs: dict[Counts, tuple[int, int, int]] = field(default_factory=dict)
    weighed: AnswerCache[frozenset[int]] = field(default_factory=AnswerCache)
    paired: dict[TileGroup, list[Placed]] = field(default_factory=dict)  # the groups by their first two tiles
    numbers: set[int] = field(default_factory=set)  # of tiles that some of the groups can have

    def of_least_groups(self) -> LayoutPlan | None:
        """Return a plan with no groups but the smallest of each part; None if all groups are of one size, or if groups
        are not listed.
        """
        least = [min(sizes, default=0) for sizes in self.sizes]
        if self.starting is None or all(len(sizes) < 2 for sizes in self.sizes):
            return None
        starting = {
            kind: [(group, part) for group, part in listed if len(group) == least[part]]
            for kind, listed in self.starting.items()
        }
        sizes = tuple(frozenset({size}) for size in least)
        return LayoutPlan(
            self.counts,
            self.base,
            self.weights,
            self.different,
            self.shapes,
            sizes,
            starting,
            self.reach,
            self.part_of,
            self.mixed,
            self.long,
        )

    def may_have(self, many: int) -> bool:
        """Return whether some of the groups, no more of each part than there are, can have so many tiles together."""
        if not self.numbers:
            numbers = {0}
            for count, sizes in zip(self.counts, self.sizes, strict=True):
                for _ in range(count):
                    numbers |= {number + size for number in numbers for size in sizes}
            self.numbers.update(numbers)
        return many in self.numbers

    def need(self, counts: Counts) -> tuple[int, int, int]:
        """Return the least and the greatest number of tiles in these counts of groups, and the groups' weight."""
        if counts not in self.needs:
            used = [(c, s) for c, s in zip(counts, self.sizes, strict=True) if c]
            least, most = (sum(c * end(s, default=0) for c, s in used) for end in (min, max))
            weight = sum(c * w for c, w in zip(counts, self.weights, strict=True))
            self.needs[counts] = least, most, weight
        return self.needs[counts]

    def cut(self, tiles: Sequence[int]) -> dict[int, TileGroup]:
        """Return those of sorted tiles that may be in groups with one another, by the numbers of their parts."""
        cut: dict[int, list[int]] = {}
        for tile in tiles:
            cut.setdefault(self.part_of[tile], []).append(tile)
        return {part: tuple(own) for part, own in cut.items()}

    def within(self, tiles: TileGroup) -> Iterator[Placed]:
        """Yield the listed groups that start with the lowest of sorted tiles, and whose second tile is there too."""
        if not self.paired:
            for listed in (self.starting or {}).values():
                for group, part in listed:
                    self.paired.setdefault(group[:2], []).append((group, part))
        first = tiles[0]
        yield from self.paired.get((first,), ())
        for second in dict.fromkeys(tiles[1:]):
            yield from self.paired.get((first, second), ())

    def pieces(self, tiles: TileGroup) -> Iterator[TileGroup]:
        """Yield sorted tiles, cut where no group of them can reach across."""
        if self.mixed:
            yield from self.cut(tiles).values()
            return
        reach, start, end = self.reach, 0, -1
        for at, tile in enumerate(tiles):
            if tile > end:
                if at:
                    yield tiles[start:at]
                start, end = at, reach[tile]
            elif reach[tile] > end:
                end = reach[tile]
        if tiles:
            yield tiles[start:]

    def may_precede(self, first: Placed, way: Way) -> bool:
        """Return whether a group may come before the groups of a way. They have one order, so no way comes twice."""
        return not way or first < way[0] or (first == way[0] and not self.different[first[1]])


class LayoutSearch:
    """Searches the ways to lay out tiles.

    `is_group(tiles, shape)` returns whether tiles, in any order, are a group of a shape; `is_of(meld, shape)` also
    looks at the label of a meld. With `tries`, every search raises `TooManySteps` when it has too many. With `alone`,
    it is for one question, and finds nothing that other questions have left.
    """

    def __init__(
        self,
        is_group: Callable[[TileGroup, str], bool],
        is_of: Callable[[Sequence[int], str], bool],
        tries: Tries | None = None,
        alone: bool = False,
    ) -> None:
        self._is_group = is_group
        self._is_of = is_of
        self._own: AnswerCache[Ways | None] | None = AnswerCache() if alone else None
        self._tries = tries

    def alone(self, tries: Tries | None) -> LayoutSearch:
        """Return a search for one question, with a count of its tries if they are counted."""
        return LayoutSearch(self._is_group, self._is_of, tries, alone=True)

    def arrange(
        self, plan: LayoutPlan, tiles: Sequence[int], fixed: Sequence[Meld]
    ) -> Iterator[list[list[TileGroup]]]:
        """Yield every way to lay out all tiles and fixed melds: the groups of each part."""
        group = tuple(sorted(tiles))
        for counts, placed in self._place_fixed(plan, fixed) if fixed else [(plan.counts, None)]:
            for way in self._all_ways(plan, group, counts):
                out = [[*before] for before in placed] if placed else [[] for _ in counts]
                for own, part in way:
                    out[part].append(own)
                if not fixed or all(_differ(g) for g, d in zip(out, plan.different, strict=True) if d):
                    yield out

    def can_lie(self, plan: LayoutPlan, tiles: TileGroup) -> bool:
        """Return whether there is a way to lay out sorted tiles."""
        least, most, weight = plan.need(plan.counts)
        if not least <= len(tiles) <= most:
            return False
        sure, sums = 0, {0}  # weights of the pieces so far: of those with one way, and of the rest
        for piece in plan.pieces(tiles):
            ways = self._ways_of(plan, piece)
            if ways is None:
                return next(self._all_ways(plan, tiles, plan.counts), None) is not None
            if not ways:
                return False
            if len(ways) == 1:
                sure += next(iter(ways))
            else:
                sums = {a + b for a in sums for b in ways}
        return weight - sure in sums

    def weights(self, plan: LayoutPlan, tiles: TileGroup) -> frozenset[int] | None:
        """Return the weights of the groups of each layout of sorted tiles, in at most the groups of each part; None if
        there are too many layouts.
        """
        if not any(plan.different) and plan.starting is not None:
            return self._weights_of(plan, tiles)
        sums = {0}
        for piece in plan.pieces(tiles):
            ways = self._ways_of(plan, piece)
            if ways is None:
                return None
            sums = {a + b for a in sums for b in ways}
        return frozenset(sums)

    def _weights_of(self, plan: LayoutPlan, tiles: TileGroup) -> frozenset[int]:
        """Return the weights of layouts in which groups may be equal, so that no layout has to be looked at as a
        whole.
        """
        if not tiles:
            return NO_WEIGHT
        known = plan.weighed.get(tiles)
        if known is not None:
            return known
        weights: set[int] = set()
        for group, part in plan.within(tiles) if plan.may_have(len(tiles)) else ():
            rest = without(tiles, group)
            if rest is not None:
                own, most = plan.weights[part], plan.counts[part]
                for weight in self._weights_of(plan, rest):
                    if weight // own % plan.base < most:
                        weights.add(weight + own)
        return plan.weighed.put(tiles, frozenset(weights))

    def counts_beside(self, plan: LayoutPlan, fixed: Sequence[Meld]) -> set[Counts]:
        """Return how many groups of each part can be left to find beside melds, whatever these are counted as."""
        return {counts for counts, _ in self._place_fixed(plan, fixed)}

    def _place_fixed(
        self, plan: LayoutPlan, fixed: Sequence[Meld]
    ) -> Iterator[tuple[Counts, list[list[TileGroup]]]]:
        """Yield the ways to count melds as parts: how many of each part are left to find, and the melds it has."""
        counts = list(plan.counts)
        placed: list[list[TileGroup]] = [[] for _ in counts]
        same_as = [(sorted(meld), getattr(meld, "label", None)) for meld in fixed]
        served: list[int] = []  # the part that each meld counts as

        def place(index: int) -> Iterator[tuple[Counts, list[list[TileGroup]]]]:
            if self._tries is not None:
                self._tries.spend(1)
            if index == len(fixed):
                yield tuple(counts), placed
                return
            # equal melds are counted in one order only
            first = max(
                (part for one, part in enumerate(served) if same_as[one] == same_as[index]), default=0
            )
            for part in range(first, len(counts)):
                if counts[part] and self._is_of(fixed[index], plan.shapes[part]):
                    counts[part] -= 1
                    placed[part].append(fixed[index])
                    served.append(part)
                    yield from place(index + 1)
                    served.pop()
                    placed[part].pop()
                    counts[part] += 1

        return place(0)

    def _all_ways(self, plan: LayoutPlan, tiles: TileGroup, counts: Counts) -> Iterator[Way]:
        """Yield every way to lay out sorted tiles in these counts of groups."""
        least, most, weight = plan.need(counts)
        if not least <= len(tiles) <= most:
            return
        pieces = []
        for piece in plan.pieces(tiles):
            ways = self._ways_of(plan, piece)
            if ways is None:
                yield from self._each_way(plan, tiles, counts)
                return
            if not ways:
                return
            pieces.append(ways)
        for way in _joined(pieces, weight):
            if self._tries is not None:
                self._tries.spend(1)
            yield tuple(sorted(way)) if plan.mixed else way

    def _ways_of(self, plan: LayoutPlan, piece: TileGroup) -> Ways | None:
        """Return the ways to lay out a piece in at most the groups of each part, cached; None if there are too many."""
        cache = plan.cached if self._own is None else self._own
        cached = cache.get(piece, UNKNOWN)
        if cached is not UNKNOWN:
            return cached
        if not piece:
            return NO_TILES
        ways_by_weight: Ways = {}
        size = 0
        for first in self._starting(plan, piece):
            group, part = first
            rest = without(piece, group)
            if rest is None:
                continue
            others = self._ways_of(plan, rest)
            if others is None:
                return cache.put(piece, None)
            for weight, ways in others.items():
                if weight // plan.weights[part] % plan.base < plan.counts[part]:
                    new = [(first, *way) for way in ways if plan.may_precede(first, way)]
                    if new:
                        ways_by_weight.setdefault(weight + plan.weights[part], []).extend(new)
                        size += len(new)
            if size > MOST_WAYS:
                return cache.put(piece, None)
        return cache.put(piece, ways_by_weight, size + 1)

    def _each_way(
        self, plan: LayoutPlan, tiles: TileGroup, counts: Counts, after: Placed | None = None
    ) -> Iterator[Way]:
        """Yield the ways of `_all_ways` one by one, without a cache."""
        if not tiles:
            if not any(counts):
                yield ()
            return
        for first in self._starting(plan, tiles):
            group, part = first
            if counts[part] and (after is None or plan.may_precede(after, (first,))):
                rest = without(tiles, group)
                if rest is not None:
                    left = (*counts[:part], counts[part] - 1, *counts[part + 1 :])
                    for others in self._each_way(plan, rest, left, first):
                        yield (first, *others)

    def _starting(self, plan: LayoutPlan, tiles: TileGroup) -> Sequence[Placed]:
        """Return groups that start with the lowest of these tiles, at least all those within the tiles; sorted."""
        listed = None if plan.starting is None else plan.starting.get(tiles[0], [])
        if listed is not None and len(listed) <= SHORT:
            if self._tries is not None:
                self._tries.spend(1 + len(listed))
            return listed
        others = tiles[1:]
        sizes = {size for own in plan.sizes for size in own if size <= len(tiles)}
        choices = sum(comb(len(others), size - 1) for size in sizes)
        if self._tries is not None:
            self._tries.spend(choices if listed is None else min(choices, len(listed)))
        if listed is not None and len(listed) <= choices:
            return listed
        groups = sorted({(tiles[0], *more) for size in sizes for more in combinations(others, size - 1)})
        return [
            (g, part) for g in groups for part, shape in enumerate(plan.shapes) if self._is_group(g, shape)
        ]


def _joined(pieces: Sequence[Ways], weight: int, at: int = 0) -> Iterator[Way]:
    """Yield every choice of one way for each piece from `at` on with this total weight, joined to one way."""
    if at == len(pieces):
        if not weight:
            yield ()
        return
    for own, ways in pieces[at].items():
        if own <= weight:
            for others in _joined(pieces, weight - own, at + 1):
                for way in ways:
                    yield way + others


def parts_of(kinds: int, groups: Iterable[TileGroup]) -> tuple[int, ...]:
    """Return for each kind the lowest kind that it may be in groups with, directly or through others."""
    lowest = list(range(kinds))

    def root(kind: int) -> int:
        while lowest[kind] != kind:
            kind = lowest[kind]
        return kind

    for group in groups:
        roots = {root(kind) for kind in group}
        for other in roots:
            lowest[other] = min(roots)
    return tuple(root(kind) for kind in range(kinds))


def _differ(groups: Sequence[Sequence[int]]) -> bool:
    return len({tuple(sorted(g)) for g in groups}) == len(groups)


def without(tiles: TileGroup, group: TileGroup) -> TileGroup | None:
    """Return the tiles without those of a group, or None if they lack one."""
    rest = list(tiles)
    for tile in group:
        if tile not in rest:
            return None
        rest.remove(tile)
    return tuple(rest)
