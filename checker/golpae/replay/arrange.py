"""Shapes and arrangements: which tiles make which groups, and every way to lay a hand out in groups.

In: the shapes and arrangements of one table. Out: answers to "are these tiles of that shape?" and all
arrangements of a bag of tiles. Exact: each way is found once. Shapes are worked out when first asked for.

The search takes the lowest tile that is left: it has to lie in some group, so only groups that start with
it are tried. Those come from the shape's own list or from the hand, whichever is shorter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from math import comb
from typing import Any

from golpae.elaborate.instance import Instance
from golpae.ir import expr as ir
from golpae.ir.ruleset import ArrangementDecl, PartDecl, ShapeDecl
from golpae.replay.parts import conjuncts, free
from golpae.replay.zones import Meld, same

Group = tuple[int, ...]
REMEMBERED = 200_000


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
        self._by_lowest: dict[str, dict[int, list[Group]]] = {}
        self._found: dict[tuple[str, Group], bool] = {}
        self._asked: dict[str, bool] = {}
        self._tests: dict[str, Callable[..., Any]] = {}
        self._above = {s.name: self._unions_of(s.name) for s in table.rule_set.shapes}

    def holds(self, tiles: Sequence[int], name: str) -> bool:
        """Whether tiles are of a shape, or make an arrangement. A labelled meld is of its label's shape only."""
        label = tiles.label if isinstance(tiles, Meld) else None
        if label is not None:
            return name == label or name in self._above.get(label, ())
        group = tuple(sorted(tiles))
        if name in self.shapes:
            return self.is_group(group, name)
        if name not in self.arrangements:
            return False  # a label that no shape is called by
        key = (name, group)
        if key not in self._found:
            if len(self._found) >= REMEMBERED:
                self._found.clear()
            self._found[key] = next(self.ways(group, name), None) is not None
        return self._found[key]

    def is_group(self, group: Group, name: str) -> bool:
        """Whether sorted tiles are of a shape."""
        shape = self.shapes[name]
        if self._whole(name):
            key = (name, group)
            if key not in self._found:
                if shape.union:
                    self._found[key] = any(self.is_group(group, member) for member in shape.union)
                else:
                    self._found[key] = len(group) == shape.size and bool(self._test(shape)(None, list(group)))
            return self._found[key]
        return group in self.groups(name)

    def lie_as(self, groups: Sequence[Sequence[int]], tiles: Sequence[int], name: str) -> bool:
        """Whether these groups are all the tiles, laid out as an arrangement."""
        if not same([t for g in groups for t in g], tiles):
            return False
        wanted = sorted(tuple(sorted(g)) for g in groups)
        return any(sorted(g for part in way for g in part) == wanted for way in self.ways(tiles, name))

    def ways(self, tiles: Sequence[int], name: str) -> Iterator[list[list[Group]]]:
        """Every way to lay tiles out as an arrangement or one of a union's."""
        arrangement = self.arrangements[name]
        for member in arrangement.union or (name,):
            yield from self.ways(tiles, member) if arrangement.union else self.arrange(tiles, member)

    def _whole(self, name: str) -> bool:
        """Whether a shape is a test of all its tiles together, whose groups are not listed but asked for."""
        if name not in self._asked:
            shape = self.shapes[name]
            whole = shape.test is not None and not shape.names
            self._asked[name] = whole or any(self._whole(member) for member in shape.union)
        return self._asked[name]

    def _test(self, shape: ShapeDecl) -> Callable[..., Any]:
        if shape.name not in self._tests:
            assert shape.test is not None
            self._tests[shape.name] = self._function(shape.test, ("it",))
        return self._tests[shape.name]

    def _sizes(self, name: str) -> frozenset[int]:
        """How many tiles a group of a shape has."""
        shape = self.shapes[name]
        return (
            frozenset({shape.size})
            if shape.test is not None
            else frozenset().union(*(self._sizes(u) for u in shape.union))
        )

    def groups(self, name: str) -> frozenset[Group]:
        """All groups of tiles of a shape, each sorted by kind."""
        if name not in self._groups:
            shape = self.shapes[name]
            if shape.test is None:
                self._groups[name] = frozenset().union(*(self.groups(u) for u in shape.union))
            else:
                self._groups[name] = frozenset(self._all_of(shape))
        return self._groups[name]

    def arrange(
        self, tiles: Sequence[int], name: str, fixed: Sequence[Meld] = ()
    ) -> Iterator[list[list[Group]]]:
        """Every way to lay all tiles out as an arrangement: for each of its parts, the groups. Fixed melds count as groups."""
        arrangement = self.arrangements[name]
        for left, placed in self._place_fixed(arrangement, list(fixed)):
            for groups in self._split(tuple(sorted(tiles)), left, None):
                out = [[*before] for before in placed]
                for part, group in groups:
                    out[part].append(group)
                if all(
                    not p.different or len({tuple(sorted(g)) for g in out[i]}) == len(out[i])
                    for i, p in enumerate(arrangement.parts)
                ):
                    yield out

    # ------------------------------------------------------------------ the search

    def _place_fixed(
        self, arrangement: ArrangementDecl, fixed: list[Meld]
    ) -> Iterator[tuple[tuple[tuple[int, PartDecl, int], ...], list[list[Group]]]]:
        """The ways to count melds that lie already as parts; then what is left to find: (part, its shape, how many)."""
        parts = arrangement.parts
        counts = [p.count for p in parts]
        placed: list[list[Group]] = [[] for _ in parts]

        def place(index: int) -> Iterator[None]:
            if index == len(fixed):
                yield None
                return
            for i, part in enumerate(parts):
                if counts[i] and self.holds(fixed[index], part.shape):
                    counts[i] -= 1
                    placed[i].append(fixed[index])
                    yield from place(index + 1)
                    placed[i].pop()
                    counts[i] += 1

        for _ in place(0):
            yield (
                tuple((i, p, counts[i]) for i, p in enumerate(parts) if counts[i]),
                [list(x) for x in placed],
            )

    def _split(
        self, tiles: Group, left: tuple[tuple[int, PartDecl, int], ...], last: tuple[int, Group] | None
    ) -> Iterator[list[tuple[int, Group]]]:
        if not tiles:
            if not left:
                yield []
            return
        lowest = tiles[0]
        for at, (index, part, count) in enumerate(left):
            rest_parts = left[:at] + (((index, part, count - 1),) if count > 1 else ()) + left[at + 1 :]
            for group in self._starting(tiles, part.shape):
                # groups that start with the same tile are taken in one order only
                if last is not None and last[1][0] == lowest and (index, group) < last:
                    continue
                rest = _without(tiles, group)
                if rest is not None:
                    for others in self._split(rest, rest_parts, (index, group)):
                        yield [(index, group), *others]

    def _starting(self, tiles: Group, shape: str) -> Sequence[Group]:
        """Groups of a shape that start with the lowest of these tiles, at least those that the tiles hold."""
        if self._whole(shape):
            held = {
                (tiles[0], *more) for size in self._sizes(shape) for more in combinations(tiles[1:], size - 1)
            }
            return sorted(group for group in held if self.is_group(group, shape))
        groups = self.groups(shape)
        if shape not in self._by_lowest:
            by_lowest: dict[int, list[Group]] = {}
            for group in sorted(groups):
                by_lowest.setdefault(group[0], []).append(group)
            self._by_lowest[shape] = by_lowest
        listed = self._by_lowest[shape].get(tiles[0], ())
        sizes = {len(g) for g in listed}
        if sum(comb(len(tiles) - 1, size - 1) for size in sizes) < len(listed):
            found = {(tiles[0], *more) for size in sizes for more in combinations(tiles[1:], size - 1)}
            return sorted(found & groups)
        return listed

    # ------------------------------------------------------------------ the groups of a shape

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


def _without(tiles: Group, group: Group) -> Group | None:
    """The tiles without those of a group, or None where they do not hold it. Both are sorted."""
    out: list[int] = []
    at = 0
    size = len(group)
    for tile in tiles:
        if at < size and group[at] == tile:
            at += 1
        else:
            out.append(tile)
    return tuple(out) if at == size else None
