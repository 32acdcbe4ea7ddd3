"""Shapes and arrangements: which tiles make which groups, and how a hand is laid out in groups.

Input: the shapes and arrangements of one instance.
Output: whether tiles have a shape, all groups of a shape, all layouts of a bag of tiles.
Guarantee: exact. The groups of a shape are computed when they are first needed.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import comb
from typing import Any

from golpae.elaborate.instance import Instance
from golpae.ir import expr as ir
from golpae.ir.limits import TooManySteps
from golpae.ir.ruleset import PartDecl, ShapeDecl
from golpae.ir.scoring import (
    grows,
    growth_test,
    is_listed,
    is_whole,
    plain_arrangements,
    sizes_of,
    unions_of,
)
from golpae.replay.runtime import Meld, same
from golpae.replay.scoring.completing import FEW_FIXED, Completing
from golpae.replay.scoring.group_lists import GroupLists
from golpae.replay.scoring.layout_search import (
    AnswerCache,
    LayoutPlan,
    LayoutSearch,
    Placed,
    TileGroup,
    parts_of,
)
from golpae.replay.scoring.parted import PartedTiles
from golpae.replay.scoring.several_sizes import SeveralSizes
from golpae.replay.scoring.wild import WildTiles
from golpae.replay.steps import MOST_OF_TILE, MOST_STEPS, MOST_TRIES, Steps, Tries

FEW_SIZES = 20  # of the groups of one shape


class Shapes:
    """The shapes and arrangements of one instance."""

    def __init__(
        self,
        instance: Instance,
        function: Callable[[ir.Expr, tuple[str, ...]], Callable[..., Any]],
        steps: Steps,
        is_plain: Callable[[ir.Expr], bool],
        counts_members: bool,
    ) -> None:
        self._instance = instance
        self._function = function
        self._steps = steps
        self.shapes = {s.name: s for s in instance.rule_set.shapes}
        self.arrangements = {a.name: a for a in instance.rule_set.arrangements}
        self._search = LayoutSearch(self.is_group, self.holds)
        self._groups: dict[str, frozenset[TileGroup]] = {}
        self._all_groups: dict[str, frozenset[TileGroup]] = {}
        self._whole: dict[str, bool] = {}
        self._tests: dict[str, Callable[..., Any]] = {}
        self._plans: dict[str, tuple[LayoutPlan, ...]] = {}
        self._answers: defaultdict[str, AnswerCache[bool]] = defaultdict(AnswerCache)
        # answers that took steps, with how many; whoever asks again is charged with them again
        self._dear: defaultdict[str, AnswerCache[tuple[bool, int]]] = defaultdict(AnswerCache)
        self._growing: dict[str, bool] = {}
        self._in_list: dict[str, bool] = {}
        self._copies = instance.by_face(withdrawn=True)
        self.kinds = len(self._copies)
        self._several = SeveralSizes(self.kinds, function, steps)
        self.wild = WildTiles(instance, function, steps)
        self._lists = GroupLists(instance, self.shapes, function, steps, self._several, self.wild)
        self.listed_of = self._lists.listed_of
        self.completing = Completing(self, instance, function, steps, is_plain, counts_members).completing
        parted = PartedTiles(self, steps)
        self.parted, self.lists_within = parted.parted, parted.lists_within
        self._unions = {name: unions_of(name, self.shapes) for name in self.shapes}

    def holds(self, tiles: Sequence[int], name: str) -> bool:
        """Return whether tiles have a shape, or make an arrangement.

        A labelled meld is only of its label's shape.
        """
        if tiles.__class__ is tuple:  # a group that the search gave, most likely with a cached answer
            answer = self._answers[name].get(tiles)
            if answer is not None:
                return answer
        if isinstance(tiles, Meld) and tiles.label is not None and name not in self.arrangements:
            return name == tiles.label or name in self._unions.get(tiles.label, ())
        if name in self.shapes:
            return self.is_group(tuple(tiles), name)
        if name not in self.arrangements:
            return False  # a label that is not the name of a shape
        group = tuple(sorted(tiles))
        return self._answer(name, group, MOST_STEPS, lambda: self._can_lie(group, name))

    def _can_lie(self, group: TileGroup, name: str) -> bool:
        return any(self._search_of(plan, name).can_lie(plan, group) for plan in self._plans_of(name, group))

    def _answer(self, name: str, tiles: TileGroup, most: int, value: Callable[[], bool]) -> bool:
        """Return a cached answer about tiles, or find it, in at most so many steps. Raises `TooManySteps`."""
        answer = self._answers[name].get(tiles)
        if answer is not None:
            return answer
        dear = self._dear[name].get(tiles)
        if dear is None:
            holds, cost = self._steps.apart(name, most, value)
            if not cost:
                return self._answers[name].put(tiles, holds)
            dear = self._dear[name].put(tiles, (holds, cost))
        answer, cost = dear
        self._steps.charge(cost)
        return answer

    def _search_of(self, plan: LayoutPlan, name: str) -> LayoutSearch:
        """Return a search for ways of one hand.

        Its tries are counted if they may be very many. What it finds is kept for others only if nobody is charged for
        finding it: where groups are listed, and their number is small.
        """
        if plan.long:
            return self._search.alone(Tries(name, self._steps))
        return self._search.alone(None) if plan.starting is None else self._search

    def made_of(self, name: str) -> Iterator[list[tuple[str, int]]]:
        """Yield, for each way to make a shape or an arrangement, the shapes in it and the number of groups of each."""
        if name in self.shapes:
            yield [(name, 1)]
        elif name in self.arrangements:
            declared = self.arrangements[name]
            for other in declared.union:
                yield from self.made_of(other)
            if declared.parts:
                yield [(p.shape, p.count) for p in declared.parts]

    def lie_as(self, groups: Sequence[Sequence[int]], tiles: Sequence[int], name: str) -> bool:
        """Return whether these groups are all the tiles, laid out as an arrangement."""
        if not same([t for g in groups for t in g], tiles):
            return False
        given = sorted(self.wild.written(tuple(sorted(g))) for g in groups)
        written = self.wild.written(tuple(sorted(tiles)))
        return any(sorted(g for part in way for g in part) == given for way in self._ways(written, name))

    def lies_beside(self, tiles: Sequence[int], melds: Sequence[Meld], name: str) -> bool:
        """Return whether tiles and melds make an arrangement in which each meld, as it lies, is one of the groups."""
        plain = plain_arrangements(name, self.arrangements)
        return any(True for one in plain for _ in self.arrange(tiles, one, melds))

    def ways(self, tiles: Sequence[int], name: str) -> Iterator[list[list[TileGroup]]]:
        """Yield every way to lay out tiles as an arrangement or one of a union's."""
        hand = tuple(sorted(tiles))
        written = self.wild.written(hand)
        for way in self._ways(written, name):
            yield from [way] if written == hand else self.wild.each_choice(way, hand)

    def _ways(self, tiles: Sequence[int], name: str) -> Iterator[list[list[TileGroup]]]:
        """Yield the ways to lay out tiles; wild ones are all the first one."""
        for plan in self._plans_of(name, tiles):
            yield from self._search_of(plan, name).arrange(plan, tiles, ())

    def arrange(
        self, tiles: Sequence[int], name: str, fixed: Sequence[Meld] = ()
    ) -> Iterator[list[list[TileGroup]]]:
        """Yield every way to lay out all tiles and fixed melds as an arrangement: the groups of each part."""
        (plan,) = self._plans_of(name, tiles)
        search = self._search_of(plan, name)
        if len(fixed) > FEW_FIXED and not plan.long:  # these may be counted as parts in very many ways
            search = self._search.alone(Tries(name, self._steps))
        return search.arrange(plan, tiles, fixed)

    # ------------------------------------------------------------------ plans for the search

    def plan_of(self, name: str, tiles: Sequence[int]) -> tuple[LayoutPlan, LayoutSearch] | None:
        """Return the plan of an arrangement that is no union, and the search for it; None if it depends on the hand."""
        if self._grows(name):
            return None
        (plan,) = self._plans_of(name, tiles)
        return plan, self._search_of(plan, name)

    def _plans_of(self, name: str, tiles: Sequence[int]) -> tuple[LayoutPlan, ...]:
        """Return the plan of an arrangement, or of each in a union. No way is in two of them.

        Groups that grow are listed only as far as the set has their tiles; other tiles need a plan of their own.
        """
        in_set = not self._grows(name) or self.set_has(tiles)
        key = name if in_set else f"{name} beyond the set"
        if key not in self._plans:
            arrangement = self.arrangements[name]
            if arrangement.union:
                plans = [plan for member in arrangement.union for plan in self._plans_of(member, tiles)]
                self._plans[key] = tuple({id(plan): plan for plan in plans}.values())
            else:
                self._plans[key] = (self._plan(arrangement.parts, in_set),)
        return self._plans[key]

    def _grows(self, name: str) -> bool:
        """Return whether an arrangement has groups of a shape of several sizes."""
        if name not in self._growing:
            made_of = {shape for way in self.made_of(name) for shape, _ in way}
            self._growing[name] = any(grows(shape, self.shapes) for shape in made_of)
        return self._growing[name]

    def set_has(self, tiles: Sequence[int]) -> bool:
        """Return whether the set has all these tiles, withdrawn ones included."""
        return all(count <= self._copies[kind] for kind, count in Counter(tiles).items())

    def are_listed(self, shapes: Sequence[str]) -> bool:
        """Return whether all groups of some shapes are listed. Too many groups that grow are tested instead."""
        if not all(is_listed(shape, self.shapes) for shape in shapes):
            return False
        for shape in shapes:
            if grows(shape, self.shapes):
                try:
                    self.groups(shape)
                except TooManySteps:
                    return False
        return True

    def _plan(self, parts: tuple[PartDecl, ...], in_set: bool) -> LayoutPlan:
        kinds = len(self._instance.kinds)
        counts = tuple(p.count for p in parts)
        shapes = tuple(p.shape for p in parts)
        base = 1 + kinds * max(counts, default=0)
        tested = any(self.is_whole(shape) or grows(shape, self.shapes) for shape in shapes)
        listed = in_set and self.are_listed(shapes) if tested else True
        starting: dict[int, list[Placed]] = {}
        for part, shape in enumerate(shapes if listed else ()):
            for group in self.groups(shape):
                starting.setdefault(group[0], []).append((group, part))
        for groups in starting.values():
            groups.sort()
        sizes = tuple(self.sizes(shape) for shape in shapes)
        tiles = sum(c * max(s, default=0) for c, s in zip(counts, sizes, strict=True))
        if listed:
            width = max(map(len, starting.values()), default=0)
        elif any(len(own) > FEW_SIZES for own in sizes):
            width = 1 + MOST_TRIES
        else:
            width = sum(comb(max(tiles - 1, 0), size - 1) for own in sizes for size in own)
        part_of = parts_of(kinds, (group for groups in starting.values() for group, _ in groups))
        highest = {kind: max(group[-1] for group, _ in groups) for kind, groups in starting.items()}
        return LayoutPlan(
            counts,
            base,
            tuple(base**i for i in range(len(parts))),
            tuple(p.different for p in parts),
            shapes,
            sizes,
            starting if listed else None,
            tuple(highest.get(kind, kind) if listed else kinds for kind in range(kinds)),
            part_of,
            listed and any(one > other for one, other in pairwise(part_of)),
            width ** sum(counts) > MOST_TRIES,
        )

    # ------------------------------------------------------------------ the groups of a shape

    def is_group(self, tiles: TileGroup, name: str) -> bool:
        """Return whether tiles, in any order, have a shape."""
        answer = self._answers[name].get(tiles)
        if answer is not None:
            return answer
        # sorted, so that the steps are those of the bag, whoever asks first
        ordered = self.wild.written(tuple(sorted(tiles)))
        return self._answer(name, ordered, MOST_OF_TILE, lambda: self._is(ordered, name))

    def _is(self, tiles: TileGroup, name: str) -> bool:
        """Return whether sorted tiles have a shape; wild ones are all the first one."""
        shape = self.shapes[name]
        if self._is_in_list(name):
            return tiles in self.groups(name)
        if shape.union:
            return any(self.is_group(tiles, member) for member in shape.union)
        wild = self.wild.number(tiles)
        if len(tiles) not in shape.sizes or not self.wild.allows(shape, wild, len(tiles)):
            return False
        natural = self.wild.natural(tiles) if wild else tiles
        if shape.in_a_row:
            return self._several.is_row(natural, shape, wild, self.wild.counted)
        test = self._test(shape)
        if not wild:
            return bool(test(None, list(tiles)))
        growth = growth_test(shape)
        grown = None if growth is None else self._function(growth, ("it",))

        def may_be(filled: TileGroup) -> bool:
            return grown is None or bool(grown(None, list(filled)))

        return any(test(None, list(filled)) for filled in self.wild.fillings(natural, wild, may_be))

    def _is_in_list(self, name: str) -> bool:
        """Return whether tiles have a shape if they are in the list of its groups."""
        if name not in self._in_list:
            shape = self.shapes[name]
            tested = shape.in_a_row or self.is_whole(name) or grows(name, self.shapes)
            self._in_list[name] = not tested
        return self._in_list[name]

    def is_whole(self, name: str) -> bool:
        """Return whether a shape is a test of all its tiles together; its groups are tested, not listed."""
        if name not in self._whole:
            self._whole[name] = is_whole(name, self.shapes)
        return self._whole[name]

    def _test(self, shape: ShapeDecl) -> Callable[..., Any]:
        if shape.name not in self._tests:
            assert shape.test is not None
            self._tests[shape.name] = self._function(shape.test, ("it",))
        return self._tests[shape.name]

    def sizes(self, name: str) -> frozenset[int]:
        """Return how many tiles a group of a shape has; of a shape `or more`, no more than there are."""
        return sizes_of(name, self.shapes)

    def groups(self, name: str) -> frozenset[TileGroup]:
        """Return all groups of tiles of a shape, each sorted by kind; each wild tile is the first one.

        Raises `TooManySteps`.
        """
        if name not in self._groups:
            shape = self.shapes[name]
            if shape.test is None:
                self._groups[name] = frozenset().union(*(self.groups(u) for u in shape.union))
            else:
                test = shape.test
                groups, _ = self._steps.apart(
                    name, MOST_TRIES, lambda: frozenset(self._lists.all_of(shape, test))
                )
                self._groups[name] = groups
        return self._groups[name]

    def all_groups(self, name: str) -> frozenset[TileGroup]:
        """Return all groups of a shape, with each wild tile as it is. Raises `TooManySteps`."""
        if len(self.wild.kinds) < 2:
            return self.groups(name)
        if name not in self._all_groups:
            spread = lambda: frozenset(self.wild.spread(self.groups(name)))  # noqa: E731
            self._all_groups[name], _ = self._steps.apart(name, MOST_TRIES, spread)
        return self._all_groups[name]
