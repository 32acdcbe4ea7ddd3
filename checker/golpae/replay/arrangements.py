"""Shapes and arrangements: which tiles make which groups, and every way to lay out a hand in groups.

In: the shapes and arrangements of one table. Out: answers to "are these tiles of that shape?" and all
arrangements of a bag of tiles. Exact: each way is found once. Shapes are worked out when first asked for.

A hand is cut where no group can reach across, and each piece is laid out by itself, once for all hands:

    2 runs and 1 twin    1f 2f 3f 3f 4f 5f | 2-1 2-1    ->    {2 runs: 1 way} and {1 twin: 1 way}

The lowest tile of a piece has to lie in some group, so only groups that start with it are tried, each with
the ways to lay out the rest. They come from the shape's own list or from the hand, whichever is shorter.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import comb
from typing import Any, Generic, TypeVar

from golpae.elaborate.instance import Instance
from golpae.ir import expr as ir
from golpae.ir.ruleset import PartDecl, ShapeDecl
from golpae.ir.traverse import conjuncts, free
from golpae.replay.runtime import Meld, same

Group = tuple[int, ...]
Placed = tuple[Group, int]  # a group and the number of the part it serves as
Way = tuple[Placed, ...]  # sorted, so by lowest tile
Ways = dict[int, list[Way]]  # by weight
Counts = tuple[int, ...]  # how many groups of each part
REMEMBERED = 50_000  # answers of each kind
MOST_WAYS = 500  # of a piece; a hand with such a piece is searched as a whole, way by way
SHORT = 16  # a list of groups that is never too long to go through
UNKNOWN: Ways = {}
NO_TILES: Ways = {0: [()]}

Answer = TypeVar("Answer")


class _Memory(dict[Group, Answer], Generic[Answer]):
    """Answers by the tiles they are about. Forgets all where they become too many."""

    def __init__(self) -> None:
        super().__init__()
        self.room = REMEMBERED

    def put(self, tiles: Group, answer: Answer, size: int = 1) -> Answer:
        self.room -= size
        if self.room < 0:
            self.clear()
            self.room = REMEMBERED - size
        self[tiles] = answer
        return answer


@dataclass(frozen=True, slots=True)
class _Plan:
    """An arrangement made ready for the search.

    Every group has the weight of its part. INVARIANT: groups weigh the same together just where there are as
    many of each part, since no piece of a hand has more groups of a part than `counts` says.
    """

    counts: Counts
    base: int
    weights: tuple[int, ...]  # of each part: 1, base, base * base, ...
    different: tuple[bool, ...]
    shapes: tuple[str, ...]
    sizes: tuple[frozenset[int], ...]  # of each part's groups
    starting: dict[int, list[Placed]] | None  # the groups by lowest kind; None where they cannot be listed
    reach: tuple[int, ...]  # for each kind, the highest that a group starting with it has
    known: _Memory[Ways | None] = field(default_factory=_Memory)  # None: more than MOST_WAYS
    needs: dict[Counts, tuple[int, int, int]] = field(default_factory=dict)

    def need(self, counts: Counts) -> tuple[int, int, int]:
        """How many tiles so many groups of each part have at least and at most, and what they weigh."""
        if counts not in self.needs:
            wanted = [(c, s) for c, s in zip(counts, self.sizes, strict=True) if c]
            least, most = (sum(c * end(s, default=0) for c, s in wanted) for end in (min, max))
            weight = sum(c * w for c, w in zip(counts, self.weights, strict=True))
            self.needs[counts] = least, most, weight
        return self.needs[counts]

    def pieces(self, tiles: Group) -> Iterator[Group]:
        """Sorted tiles, cut where no group of them can reach across."""
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
        """Whether a group may come before a way's. They come in one order only, so each way is found once."""
        return not way or first < way[0] or (first == way[0] and not self.different[first[1]])


class Shapes:
    """The shapes of one table."""

    def __init__(
        self, table: Instance, function: Callable[[ir.Expr, tuple[str, ...]], Callable[..., Any]]
    ) -> None:
        self._table = table
        self._function = function
        self.shapes = {s.name: s for s in table.rule_set.shapes}
        self.arrangements = {a.name: a for a in table.rule_set.arrangements}
        self._groups: dict[str, frozenset[Group]] = {}
        self._asked: dict[str, bool] = {}
        self._tests: dict[str, Callable[..., Any]] = {}
        self._plans: dict[str, tuple[_Plan, ...]] = {}
        self._found: defaultdict[str, _Memory[bool]] = defaultdict(_Memory)
        self._above = {s.name: self._unions_of(s.name) for s in table.rule_set.shapes}

    def holds(self, tiles: Sequence[int], name: str) -> bool:
        """Whether tiles are of a shape, or make an arrangement.

        A labelled meld is only of its label's shape.
        """
        if tiles.__class__ is tuple:  # a group that the search found, most likely asked about before
            answer = self._found[name].get(tiles)
            if answer is not None:
                return answer
        if isinstance(tiles, Meld) and tiles.label is not None:
            return name == tiles.label or name in self._above.get(tiles.label, ())
        if name in self.shapes:
            return self.is_group(tuple(tiles), name)
        if name not in self.arrangements:
            return False  # a label that no shape is called by
        group = tuple(sorted(tiles))
        answer = self._found[name].get(group)
        if answer is None:
            answer = any(self._can_lie(plan, group) for plan in self._plans_of(name))
            self._found[name].put(group, answer)
        return answer

    def made_of(self, name: str) -> Iterator[list[tuple[str, int]]]:
        """For each way to make a shape or an arrangement, the shapes that it takes, and how many groups of each."""
        if name in self.shapes:
            yield [(name, 1)]
        elif name in self.arrangements:
            declared = self.arrangements[name]
            for other in declared.union:
                yield from self.made_of(other)
            if declared.parts:
                yield [(p.shape, p.count) for p in declared.parts]

    def is_group(self, tiles: Group, name: str) -> bool:
        """Whether tiles, in any order, are of a shape."""
        answer = self._found[name].get(tiles)
        if answer is None:
            shape = self.shapes[name]
            if not self.is_whole(name):
                answer = tuple(sorted(tiles)) in self.groups(name)
            elif shape.union:
                answer = any(self.is_group(tiles, member) for member in shape.union)
            else:
                answer = len(tiles) == shape.size and bool(self._test(shape)(None, list(tiles)))
            self._found[name].put(tiles, answer)
        return answer

    def lie_as(self, groups: Sequence[Sequence[int]], tiles: Sequence[int], name: str) -> bool:
        """Whether these groups are all the tiles, laid out as an arrangement."""
        if not same([t for g in groups for t in g], tiles):
            return False
        wanted = sorted(tuple(sorted(g)) for g in groups)
        return any(sorted(g for part in way for g in part) == wanted for way in self.ways(tiles, name))

    def ways(self, tiles: Sequence[int], name: str) -> Iterator[list[list[Group]]]:
        """Every way to lay out tiles as an arrangement or one of a union's."""
        for plan in self._plans_of(name):
            yield from self._arrange(plan, tiles, ())

    def arrange(
        self, tiles: Sequence[int], name: str, fixed: Sequence[Meld] = ()
    ) -> Iterator[list[list[Group]]]:
        """Every way to lay out all tiles and fixed melds as an arrangement: the groups of each part."""
        (plan,) = self._plans_of(name)
        return self._arrange(plan, tiles, fixed)

    # ------------------------------------------------------------------ the search

    def _arrange(
        self, plan: _Plan, tiles: Sequence[int], fixed: Sequence[Meld]
    ) -> Iterator[list[list[Group]]]:
        group = tuple(sorted(tiles))
        for counts, placed in self._place_fixed(plan, fixed) if fixed else [(plan.counts, None)]:
            for way in self._all_ways(plan, group, counts):
                out = [[*before] for before in placed] if placed else [[] for _ in counts]
                for found, part in way:
                    out[part].append(found)
                if not fixed or all(_differ(g) for g, d in zip(out, plan.different, strict=True) if d):
                    yield out

    def _place_fixed(self, plan: _Plan, fixed: Sequence[Meld]) -> Iterator[tuple[Counts, list[list[Group]]]]:
        """The ways to count melds as parts: how many of each part are left to find, and the melds it has."""
        counts = list(plan.counts)
        placed: list[list[Group]] = [[] for _ in counts]
        same_as = [(sorted(meld), getattr(meld, "label", None)) for meld in fixed]
        served: list[int] = []  # the part that each meld counts as

        def place(index: int) -> Iterator[tuple[Counts, list[list[Group]]]]:
            if index == len(fixed):
                yield tuple(counts), placed
                return
            # melds that are the same are counted in one order only
            first = max(
                (part for one, part in enumerate(served) if same_as[one] == same_as[index]), default=0
            )
            for part in range(first, len(counts)):
                if counts[part] and self.holds(fixed[index], plan.shapes[part]):
                    counts[part] -= 1
                    placed[part].append(fixed[index])
                    served.append(part)
                    yield from place(index + 1)
                    served.pop()
                    placed[part].pop()
                    counts[part] += 1

        return place(0)

    def _can_lie(self, plan: _Plan, tiles: Group) -> bool:
        """Whether there is a way to lay out sorted tiles."""
        least, most, weight = plan.need(plan.counts)
        if not least <= len(tiles) <= most:
            return False
        sure, sums = 0, {0}  # what the pieces so far weigh: those that lie in one way, and the others
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

    def _all_ways(self, plan: _Plan, tiles: Group, counts: Counts) -> Iterator[Way]:
        """Every way to lay out sorted tiles in so many groups of each part."""
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
        yield from _joined(pieces, weight)

    def _ways_of(self, plan: _Plan, piece: Group) -> Ways | None:
        """Ways to lay out a piece in no more of each part than there are, worked out once; None: too many."""
        known = plan.known.get(piece, UNKNOWN)
        if known is not UNKNOWN:
            return known
        if not piece:
            return NO_TILES
        found: Ways = {}
        size = 0
        for first in self._starting(plan, piece):
            group, part = first
            rest = _without(piece, group)
            if rest is None:
                continue
            others = self._ways_of(plan, rest)
            if others is None:
                return plan.known.put(piece, None)
            for weight, ways in others.items():
                if weight // plan.weights[part] % plan.base < plan.counts[part]:
                    new = [(first, *way) for way in ways if plan.may_precede(first, way)]
                    if new:
                        found.setdefault(weight + plan.weights[part], []).extend(new)
                        size += len(new)
            if size > MOST_WAYS:
                return plan.known.put(piece, None)
        return plan.known.put(piece, found, size + 1)

    def _each_way(
        self, plan: _Plan, tiles: Group, counts: Counts, after: Placed | None = None
    ) -> Iterator[Way]:
        """The same as `_all_ways`, one way after the other, with nothing remembered."""
        if not tiles:
            if not any(counts):
                yield ()
            return
        for first in self._starting(plan, tiles):
            group, part = first
            if counts[part] and (after is None or plan.may_precede(after, (first,))):
                rest = _without(tiles, group)
                if rest is not None:
                    left = (*counts[:part], counts[part] - 1, *counts[part + 1 :])
                    for others in self._each_way(plan, rest, left, first):
                        yield (first, *others)

    def _starting(self, plan: _Plan, tiles: Group) -> Sequence[Placed]:
        """Groups that start with the lowest of these tiles, at least those that the tiles hold; sorted."""
        listed = None if plan.starting is None else plan.starting.get(tiles[0], [])
        if listed is not None and len(listed) <= SHORT:
            return listed
        others, sizes = tiles[1:], frozenset().union(*plan.sizes)
        if listed is not None and len(listed) <= sum(comb(len(others), size - 1) for size in sizes):
            return listed
        held = sorted({(tiles[0], *more) for size in sizes for more in combinations(others, size - 1)})
        return [(g, part) for g in held for part, shape in enumerate(plan.shapes) if self.is_group(g, shape)]

    # ------------------------------------------------------------------ what the search goes by

    def _plans_of(self, name: str) -> tuple[_Plan, ...]:
        """An arrangement, or each of a union's, made ready. No way is in two of them."""
        if name not in self._plans:
            arrangement = self.arrangements[name]
            if arrangement.union:
                plans = [plan for member in arrangement.union for plan in self._plans_of(member)]
                self._plans[name] = tuple({id(plan): plan for plan in plans}.values())
            else:
                self._plans[name] = (self._plan(arrangement.parts),)
        return self._plans[name]

    def _plan(self, parts: tuple[PartDecl, ...]) -> _Plan:
        kinds = len(self._table.kinds)
        counts = tuple(p.count for p in parts)
        shapes = tuple(p.shape for p in parts)
        base = 1 + kinds * max(counts, default=0)
        listed = not any(self.is_whole(shape) for shape in shapes)
        starting: dict[int, list[Placed]] = {}
        for part, shape in enumerate(shapes if listed else ()):
            for group in self.groups(shape):
                starting.setdefault(group[0], []).append((group, part))
        for groups in starting.values():
            groups.sort()
        highest = {kind: max(group[-1] for group, _ in groups) for kind, groups in starting.items()}
        return _Plan(
            counts,
            base,
            tuple(base**i for i in range(len(parts))),
            tuple(p.different for p in parts),
            shapes,
            tuple(self.sizes(shape) for shape in shapes),
            starting if listed else None,
            tuple(highest.get(kind, kind) if listed else kinds for kind in range(kinds)),
        )

    # ------------------------------------------------------------------ the groups of a shape

    def is_whole(self, name: str) -> bool:
        """Whether a shape is a test of all its tiles together, whose groups are not listed but asked for."""
        if name not in self._asked:
            shape = self.shapes[name]
            whole = shape.test is not None and not shape.names
            self._asked[name] = whole or any(self.is_whole(member) for member in shape.union)
        return self._asked[name]

    def _test(self, shape: ShapeDecl) -> Callable[..., Any]:
        if shape.name not in self._tests:
            assert shape.test is not None
            self._tests[shape.name] = self._function(shape.test, ("it",))
        return self._tests[shape.name]

    def sizes(self, name: str) -> frozenset[int]:
        """How many tiles a group of a shape has."""
        shape = self.shapes[name]
        if shape.test is not None:
            return frozenset({shape.size})
        return frozenset().union(*(self.sizes(member) for member in shape.union))

    def groups(self, name: str) -> frozenset[Group]:
        """All groups of tiles of a shape, each sorted by kind."""
        if name not in self._groups:
            shape = self.shapes[name]
            if shape.test is None:
                self._groups[name] = frozenset().union(*(self.groups(u) for u in shape.union))
            else:
                self._groups[name] = frozenset(self._all_of(shape))
        return self._groups[name]

    def _all_of(self, shape: ShapeDecl) -> Iterator[Group]:
        """Every bag of kinds for whose tiles, in some order, the shape's test holds."""
        assert shape.test is not None
        match shape.test:
            case ir.Op(op="bag_eq", args=(ir.BagOf(items=names), ir.BagOf(items=items))) if all(
                isinstance(i, ir.Const) for i in items
            ) and len(names) == len(items) == len(shape.names):
                if {n.name for n in names if isinstance(n, ir.Local)} == set(shape.names):
                    numbers = self._table.numbers()
                    yield tuple(sorted(numbers[str(i.value)] for i in items if isinstance(i, ir.Const)))
                    return
            case _:
                pass
        waiting = list(conjuncts(shape.test))
        tests: list[list[Callable[..., Any]]] = []
        for i in range(len(shape.names)):
            bound = shape.names[: i + 1]
            tests.append([self._function(e, bound) for e in waiting if free(e) <= set(bound)])
            waiting = [e for e in waiting if not free(e) <= set(bound)]
        kinds = range(len(self._table.kinds))

        def choose(chosen: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
            if len(chosen) == len(shape.names):
                yield chosen
                return
            for kind in kinds:
                more = (*chosen, kind)
                if all(test(None, *more) for test in tests[len(chosen)]):
                    yield from choose(more)

        for group in choose(()):
            yield tuple(sorted(group))

    def _unions_of(self, name: str) -> frozenset[str]:
        """The unions that a shape belongs to, near and far."""
        out: set[str] = set()
        grown = {name}
        while grown:
            grown = {s.name for s in self.shapes.values() if s.test is None and grown & set(s.union)} - out
            out |= grown
        return frozenset(out)


def _joined(pieces: Sequence[Ways], weight: int, at: int = 0) -> Iterator[Way]:
    """Every choice of one way for each piece from `at` on that weighs so much together, in one."""
    if at == len(pieces):
        if not weight:
            yield ()
        return
    for own, ways in pieces[at].items():
        if own <= weight:
            for others in _joined(pieces, weight - own, at + 1):
                for way in ways:
                    yield way + others


def _differ(groups: Sequence[Sequence[int]]) -> bool:
    return len({tuple(sorted(g)) for g in groups}) == len(groups)


def _without(tiles: Group, group: Group) -> Group | None:
    """The tiles without those of a group, or None where they lack one."""
    rest = list(tiles)
    for tile in group:
        if tile not in rest:
            return None
        rest.remove(tile)
    return tuple(rest)
