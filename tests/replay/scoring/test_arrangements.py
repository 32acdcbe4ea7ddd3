"""The search of arrangements, compared with brute force: it lists every way to lay out a hand once.

Random rule texts combine a few shapes and arrangements. Groups overlap, belong to several parts, are conditions on
all of their tiles (`it is ...`), or are on the table already.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from itertools import permutations
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from golpae.replay.runtime import Meld
from golpae.replay.scoring import layout_search
from golpae.replay.scoring.arrangements import Shapes
from tests.replay.scoring.tiny import KINDS, NAMES, shapes_of

MOON = 6

Group = tuple[int, ...]
Groups = frozenset[Group]  # a shape as all its bags of tiles, each sorted
Laid = tuple[Group, bool, str | None]  # a group, whether it lay on the table already, its label there
Way = tuple[tuple[Laid, ...], ...]  # for each part its groups


# ------------------------------------------------------------------ the same shapes, here and as rule text


def all_bags(size: int) -> Iterator[Group]:
    """Yield every bag of so many tiles, sorted."""
    if size == 0:
        yield ()
    for bag in all_bags(size - 1) if size else ():
        yield from ((*bag, kind) for kind in KINDS if not bag or kind >= bag[-1])


def red(*tiles: int) -> bool:
    return all(tile <= 3 for tile in tiles)


def blue(*tiles: int) -> bool:
    return all(tile in (4, 5) for tile in tiles)


# The tests of shapes with named tiles: how they are written, and whether tiles in this order pass.
NAMED: list[tuple[int, str, Any]] = [
    (1, "a in reds", red),
    (1, "a in blues or a = moon", lambda a: not red(a)),
    (2, "a = b", lambda a, b: a == b),
    (2, "a = b and a in reds", lambda a, b: a == b and red(a)),
    (2, "a /= b", lambda a, b: a != b),
    (2, "a in reds and b in blues", lambda a, b: red(a) and blue(b)),
    (2, "a in reds and b in blues and a's rank = b's rank", lambda a, b: blue(b) and a == b - 4),
    (2, "{a, b} in {{1r, 1b}, {moon, moon}}", lambda a, b: (a, b) in ((0, 4), (4, 0), (MOON, MOON))),
    (3, "a = b and b = c", lambda a, b, c: a == b == c),
    (
        3,
        "a in reds and b in reds and c in reds and b's rank = a's rank + 1 and c's rank = b's rank + 1",
        lambda a, b, c: red(a, b, c) and a + 2 == b + 1 == c,
    ),
    (3, "a = b and c = moon", lambda a, b, c: a == b and c == MOON),
    (4, "a = b and c = d and a /= c", lambda a, b, c, d: a == b and c == d and a != c),
]

# The tests of all tiles together.
WHOLE: list[tuple[str, Any]] = [
    ("every x in it: x in reds", lambda bag: red(*bag)),
    ("size of kinds of it = 2", lambda bag: len(set(bag)) == 2),
    ("some x in it: x = moon", lambda bag: MOON in bag),
]


@cache
def named(number: int) -> Groups:
    size, _, test = NAMED[number]
    return frozenset(b for b in all_bags(size) if any(test(*order) for order in permutations(b)))


@cache
def whole(number: int, size: int) -> Groups:
    return frozenset(bag for bag in all_bags(size) if WHOLE[number][1](bag))


@dataclass(frozen=True)
class Part:
    count: int
    different: bool
    shape: str
    word: str

    def __str__(self) -> str:
        return f"{self.count} {'different ' if self.different else ''}{self.word}"


@dataclass
class Rules:
    """Shapes and arrangements, as rule text and as sets of bags."""

    text: str
    shapes: dict[str, Groups]
    above: dict[str, set[str]]  # a shape, and the unions it belongs to
    arrangements: dict[str, tuple[Part, ...]]


@st.composite
def rules(draw: st.DrawFn) -> Rules:
    found = Rules("", {}, {}, {})
    lines: list[str] = []
    for number in range(draw(st.integers(1, 4))):
        name = f"kin{number}"
        kind = draw(
            st.sampled_from(("named", "named", "named", "listed", "whole", "whole", "union", "union"))
        )
        if kind == "union" and found.shapes:
            members = draw(st.lists(st.sampled_from(sorted(found.shapes)), min_size=2, max_size=3))
            lines.append(f"shape {name}: {' or '.join(members)}")
            found.shapes[name] = frozenset().union(*(found.shapes[m] for m in members))
            for unions in found.above.values():
                if unions & set(members):
                    unions.add(name)
        elif kind == "listed":
            bag = tuple(sorted(draw(st.lists(st.sampled_from(KINDS), min_size=1, max_size=4))))
            lines.append(f"shape {name}: {{{', '.join(NAMES[k] for k in bag)}}}")
            found.shapes[name] = frozenset({bag})
        elif kind == "whole":
            size, test = draw(st.integers(1, 3)), draw(st.sampled_from(range(len(WHOLE))))
            lines.append(f"shape {name} of {size}: {WHOLE[test][0]}")
            found.shapes[name] = whole(test, size)
        else:
            test = draw(st.sampled_from(range(len(NAMED))))
            size, words, _ = NAMED[test]
            lines.append(f"shape {name}({', '.join('abcd'[:size])}): {words}")
            found.shapes[name] = named(test)
        found.above[name] = {name}
    for name in ("first", "second")[: draw(st.integers(1, 2))]:
        parts = draw(some_parts(sorted(found.shapes)))
        found.arrangements[name] = parts
        lines.append(f"arrangement {name}: {' and '.join(map(str, parts))}")
    if len(found.arrangements) == 2:
        lines.append("arrangement either: first or second")
        lines.append("arrangement again: either or first")
    found.text = "\n".join(lines) + "\n"
    return found


@st.composite
def some_parts(draw: st.DrawFn, shapes: list[str]) -> tuple[Part, ...]:
    """Draw parts with a word each: a shape, or its plural."""
    words = [*shapes, *(shape + "s" for shape in shapes)]
    chosen = draw(st.lists(st.sampled_from(words), min_size=1, max_size=3, unique=True))
    count = st.sampled_from((1, 1, 2, 3))
    return tuple(Part(draw(count), draw(st.booleans()), word.removesuffix("s"), word) for word in chosen)


# ------------------------------------------------------------------ brute force


def partitions(tiles: Group) -> Iterator[list[Group]]:
    """Yield every way to put tiles into heaps; equal ways come several times."""
    if not tiles:
        yield []
        return
    for heaps in partitions(tiles[1:]):
        yield [tiles[:1], *heaps]
        for i, heap in enumerate(heaps):
            yield [*heaps[:i], (tiles[0], *heap), *heaps[i + 1 :]]


@cache
def all_heaps(tiles: Group) -> frozenset[tuple[Group, ...]]:
    """Return every way to put sorted tiles into heaps, once."""
    return frozenset(tuple(sorted(heaps)) for heaps in partitions(tiles))


def laid(group: Group) -> Laid:
    return tuple(sorted(group)), isinstance(group, Meld), getattr(group, "label", None)


def brute(
    found: Rules, parts: tuple[Part, ...], tiles: Sequence[int], fixed: Sequence[Meld] = ()
) -> set[Way]:
    """Return all ways by brute force."""
    ways: set[Way] = set()

    def is_of(one: Laid, shape: str) -> bool:
        group, _, label = one
        return group in found.shapes[shape] if label is None else shape in found.above.get(label, ())

    def serve(waiting: Sequence[Laid], out: tuple[tuple[Laid, ...], ...]) -> None:
        if not waiting:
            ways.add(tuple(tuple(sorted(groups, key=repr)) for groups in out))
            return
        for i, part in enumerate(parts):
            twice = part.different and any(group == waiting[0][0] for group, _, _ in out[i])
            if len(out[i]) < part.count and not twice and is_of(waiting[0], part.shape):
                serve(waiting[1:], (*out[:i], (*out[i], waiting[0]), *out[i + 1 :]))

    for heaps in all_heaps(tuple(sorted(tiles))):
        if len(heaps) + len(fixed) == sum(part.count for part in parts):
            serve([*map(laid, fixed), *map(laid, heaps)], tuple(() for _ in parts))
    return ways


def same_ways(ways: Iterable[Sequence[Sequence[Group]]], wanted: Iterable[Way]) -> bool:
    """Check that the search lists the expected ways, each once."""
    found = (tuple(tuple(sorted(map(laid, groups), key=repr)) for groups in way) for way in ways)
    return Counter(found) == Counter(wanted)


# ------------------------------------------------------------------ hands


@dataclass
class Case:
    rules: Rules
    name: str  # the arrangement in question
    hand: list[int]
    fixed: list[Meld]
    bounds: dict[str, int]  # limits of the search, which do not change its result

    def shapes(self, stack: ExitStack) -> Shapes:
        for name, value in self.bounds.items():
            stack.enter_context(patch.object(layout_search, name, value))
        return shapes_of(self.rules.text)


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Draw mostly groups of an arrangement, some of them on the table; sometimes of a wrong part, or other
    tiles."""
    found = draw(rules())
    name = draw(st.sampled_from(sorted(found.arrangements)))
    hand: list[int] = []
    fixed: list[Meld] = []
    melds = draw(st.booleans())
    low = draw(st.sampled_from((1, 2, 3, 7)))  # few kinds, so that groups overlap
    wrong = draw(st.integers(0, 3)) == 0
    parts = found.arrangements[name]
    for part in parts:
        groups = sorted(found.shapes[draw(st.sampled_from(parts)).shape if wrong else part.shape])
        groups = [group for group in groups if max(group) < low] or groups
        for _ in range(part.count if groups else 0):
            group = draw(st.sampled_from(groups))
            if melds and draw(st.integers(0, 2)) == 0:
                shapes = [s for s in sorted(found.shapes) if group in found.shapes[s]]
                label = draw(st.sampled_from((None, "other", *shapes, *shapes)))
                fixed.append(Meld(draw(st.permutations(group)), label))
            elif len(hand) + len(group) <= 8:
                hand.extend(group)
    if hand and draw(st.integers(0, 3)) == 0:
        hand[0] = draw(st.sampled_from(KINDS))
    if draw(st.integers(0, 9)) == 0:
        hand = draw(st.lists(st.sampled_from(KINDS), max_size=6))
    bounds = {
        "MOST_WAYS": draw(st.sampled_from((500, 500, 0, 1))),
        "SHORT": draw(st.sampled_from((16, 0))),
        "CACHED": draw(st.sampled_from((50_000, 1, 5))),
    }
    return Case(found, name, draw(st.permutations(hand)), fixed, bounds)


# ------------------------------------------------------------------ at random

quick = settings(max_examples=120, deadline=None, derandomize=True)
long = settings(max_examples=10_000, deadline=None)


def every_way_once(case: Case) -> None:
    found, hand, parts = case.rules, case.hand, case.rules.arrangements[case.name]
    with ExitStack() as stack:
        shapes = case.shapes(stack)
        with_melds, without = brute(found, parts, hand, case.fixed), brute(found, parts, hand)
        for _ in range(2):  # the second time from memory
            assert same_ways(shapes.arrange(hand, case.name, case.fixed), with_melds)
            assert same_ways(shapes.arrange(hand, case.name), without)
            assert shapes.holds(hand, case.name) == bool(without)


def unions_and_groups(case: Case) -> None:
    found, hand = case.rules, case.hand
    with ExitStack() as stack:
        shapes = case.shapes(stack)
        each = {name: brute(found, parts, hand) for name, parts in found.arrangements.items()}
        members = {name: [name] for name in each}
        if len(each) == 2:
            members |= {"either": [*each], "again": [*each]}
        for name, plain in members.items():
            wanted = [way for member in plain for way in each[member]]
            assert same_ways(shapes.ways(hand, name), wanted)
            assert shapes.holds(hand, name) == bool(wanted)
            as_groups = {tuple(sorted(g for part in way for g, _, _ in part)) for way in wanted}
            for heaps in all_heaps(tuple(sorted(hand))):
                assert shapes.lie_as(heaps, hand, name) == (heaps in as_groups)
            assert not shapes.lie_as([[*hand, 0]], hand, name)
        for shape, groups in found.shapes.items():
            for heap in (hand, hand[:1], hand[:2], tuple(hand[:2]), hand[:3], hand[1:4]):
                assert shapes.holds(heap, shape) == (tuple(sorted(heap)) in groups)
            for meld in case.fixed:
                by_label = meld.label is not None and shape in found.above.get(meld.label, ())
                by_tiles = meld.label is None and tuple(sorted(meld)) in groups
                assert shapes.holds(meld, shape) == (by_label or by_tiles)


@quick
@given(cases())
def test_every_way_to_lay_out_a_hand_is_listed_once(case: Case) -> None:
    every_way_once(case)
    unions_and_groups(case)


@pytest.mark.fuzz
@long
@given(cases())
def test_every_way_to_lay_out_many_hands_is_listed_once(case: Case) -> None:
    every_way_once(case)
    unions_and_groups(case)


# ------------------------------------------------------------------ one by one

SOME = """
define next(a, b: tile): a in reds and b in reds and b's rank = a's rank + 1
shape one(a): a in reds
shape twin(a, b): a = b
shape run(a, b, c): next(a, b) and next(b, c)
shape two(a, b): a = a
shape blue-twin(a, b): a = b and a in blues
arrangement ones: 3 ones
arrangement different-ones: 3 different ones
arrangement twins: 2 twins
arrangement chosen-twin: 1 twin and 2 twins
arrangement two-runs: 2 runs
shape couple: twin or run
shape medley of 3: size of kinds of it = 3 and it is not run
arrangement three-couples: 3 couples
arrangement medleys: 2 different medleys
arrangement twin-and-blue-twins: 1 twin and 2 blue-twins
arrangement run-and-couples: 1 run and 2 couples
arrangement twos: 10 twos
"""


@pytest.fixture(scope="module")
def some() -> Shapes:
    return shapes_of(SOME)


def test_a_group_may_have_one_tile(some: Shapes) -> None:
    assert list(some.arrange([2, 0, 2], "ones")) == [[[(0,), (2,), (2,)]]]
    assert not list(some.arrange([2, 0, 2], "different-ones"))
    assert list(some.arrange([3, 0, 2], "different-ones")) == [[[(0,), (2,), (3,)]]]


def test_no_tiles_are_no_hand_unless_melds_complete_it(some: Shapes) -> None:
    twins = [Meld((0, 0), "twin"), Meld((5, 5), "twin")]
    assert not list(some.arrange([], "twins"))
    assert not some.holds([], "twins")
    assert list(some.arrange([], "twins", twins)) == [[twins]]
    assert not list(some.arrange([1, 1], "twins", twins))


@pytest.mark.parametrize("most", [0, 500])
def test_a_hand_has_as_many_groups_of_each_part_as_the_arrangement(most: int) -> None:
    """Hands of the right size, in which each piece belongs to some group."""
    with patch.object(layout_search, "MOST_WAYS", most):
        some = shapes_of(SOME)
        assert not some.holds([0, 0, 2, 2, 4, 4], "twin-and-blue-twins")
        assert some.holds([0, 0, 4, 4, 4, 4], "twin-and-blue-twins")
        assert some.holds([4, 4, 4, 4, 4, 4], "twin-and-blue-twins")
        assert not some.holds([0, 0, 2, 2, 4, 4, 5, 5], "three-couples")
        assert not some.holds([0, 1, 1, 2, 2, 3], "three-couples")
        assert some.holds([0, 1, 2, 4, 4, 5, 5], "three-couples")
        assert some.holds([0, 1, 2, 4, 4, 5, 5], "run-and-couples")
        assert not some.holds([0, 0, 1, 1, 4, 4, 5, 5], "run-and-couples")


@pytest.mark.parametrize("hand", [[MOON], [0, 0, 1], [0, 0, 0, 1], [0, 0, 0, 0, 0], [0, 0, 1, 1, 2, 2]])
def test_a_hand_without_a_layout_has_no_ways(some: Shapes, hand: list[int]) -> None:
    assert not list(some.ways(hand, "twins"))
    assert not some.holds(hand, "twins")


def test_two_parts_may_have_the_same_shape(some: Shapes) -> None:
    ways = list(some.arrange([0, 0, 1, 1, 1, 1], "chosen-twin"))
    assert ways == [[[(0, 0)], [(1, 1), (1, 1)]], [[(1, 1)], [(0, 0), (1, 1)]]]


def test_equal_melds_are_counted_in_one_order_only(some: Shapes) -> None:
    twins = [Meld((0, 0), "twin"), Meld((0, 0), "twin"), Meld((0, 0), "twin")]
    assert len(list(some.arrange([], "chosen-twin", twins))) == 1


def test_groups_of_overlapping_kinds_are_laid_out(some: Shapes) -> None:
    assert list(some.arrange([0, 1, 1, 2, 2, 3], "two-runs")) == [[[(0, 1, 2), (1, 2, 3)]]]
    assert list(some.arrange([0, 0, 1, 1, 2, 2], "two-runs")) == [[[(0, 1, 2), (0, 1, 2)]]]


def test_shapes_that_are_conditions_on_a_whole_group_are_laid_out(some: Shapes) -> None:
    assert not list(some.arrange([0, 0, 1, 1, 2, 4], "medleys"))  # 1r 2r 3r is a run
    assert list(some.arrange([0, 0, 1, 1, 4, 5], "medleys")) == [[[(0, 1, 4), (0, 1, 5)]]]
    halves = [heaps for heaps in all_heaps((0, 1, 3, 4, 5, MOON)) if [*map(len, heaps)] == [3, 3]]
    assert list(some.arrange([0, 1, 3, 4, 5, MOON], "medleys")) == [[[a, b]] for a, b in sorted(halves)]
    assert not list(some.arrange([0, 0, 4, 4, 5, 5], "medleys"))


def test_a_hand_with_very_many_layouts_is_laid_out_lazily(some: Shapes) -> None:
    hand = [kind for kind in KINDS for _ in range(3)][:20]
    assert some.holds(hand, "twos")
    assert next(some.arrange(hand, "twos"), None) is not None
