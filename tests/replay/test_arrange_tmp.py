"""The search of arrangements against brute force: it finds every way to lay out a hand, and each one once.

Rule texts of a few shapes and arrangements are put together at random, so that groups overlap, serve as
different parts, are asked for all together (`it is ...`) or lie on the table already.
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

from golpae.diagnostics import Text
from golpae.elaborate.check import check
from golpae.elaborate.instance import instance
from golpae.elaborate.load import Loaded
from golpae.elaborate.resolve import resolve
from golpae.replay import arrange
from golpae.replay.arrange import Shapes
from golpae.replay.machine import Machine
from golpae.replay.zones import Meld
from golpae.syntax import tree as t
from golpae.syntax.parse import parse

TINY = """
game tiny "A set of seven kinds"
players 2 to 2
tiles
  reds: 9 of each "{rank}r" for rank in 1 to 4
  blues: 9 of each "{rank}b" for rank in 1 to 2
  odd: 9 of each moon "the moon"
zones
  bag: tiles seen by nobody, holds the set
  each player's hand: tiles seen by its owner
deal from bag
  hands: 3 for everyone
end
  due: over
"""
NAMES = ("1r", "2r", "3r", "4r", "1b", "2b", "moon")
KINDS = range(len(NAMES))
RANK = (1, 2, 3, 4, 1, 2, None)

Group = tuple[int, ...]
Groups = frozenset[Group]  # what a shape is: all bags of tiles that are of it, each sorted
Way = tuple[tuple[tuple[Group, str | None], ...], ...]  # for each part its groups, with their labels


def table(text: str) -> Machine:
    """The machine of the tiny game with these lines besides."""
    decls = parse(Text.of("tiny", TINY + text)).decls
    (game,) = (d for d in decls if isinstance(d, t.Game))
    loaded = Loaded(tuple(d for d in decls if d is not game), game, ())
    return Machine(instance(check(resolve("tiny", loaded)), 2, {}))


# ------------------------------------------------------------------ the same shapes, here and as rule text


def all_bags(size: int) -> Iterator[Group]:
    """Every bag of so many tiles, sorted."""
    if size == 0:
        yield ()
    for bag in all_bags(size - 1) if size else ():
        yield from ((*bag, kind) for kind in KINDS if not bag or kind >= bag[-1])


def red(*tiles: int) -> bool:
    return all(k <= 3 for k in tiles)


def blue(*tiles: int) -> bool:
    return all(k in (4, 5) for k in tiles)


def next_to(a: int, b: int) -> bool:
    return red(a, b) and b == a + 1


# The tests of shapes with named tiles: how they are written, and whether tiles in some order pass.
NAMED: list[tuple[int, str, Any]] = [
    (1, "a in reds", lambda a: red(a)),
    (1, "a in blues or a = moon", lambda a: a >= 4),
    (2, "a = b", lambda a, b: a == b),
    (2, "a = b and a in reds", lambda a, b: a == b and red(a)),
    (2, "a /= b", lambda a, b: a != b),
    (2, "a in reds and b in blues", lambda a, b: red(a) and blue(b)),
    (2, "a's rank = b's rank and a /= moon and b /= moon", lambda a, b: a < 6 and b < 6 and RANK[a] == RANK[b]),
    (2, "{a, b} in {{1r, 1b}, {moon, moon}}", lambda a, b: (a, b) in ((0, 4), (4, 0), (6, 6))),
    (3, "a = b and b = c", lambda a, b, c: a == b == c),
    (3, "a in reds and b in reds and c in reds and b's rank = a's rank + 1 and c's rank = b's rank + 1",
     lambda a, b, c: next_to(a, b) and next_to(b, c)),
    (3, "a = b and c = moon", lambda a, b, c: a == b and c == 6),
    (4, "a = b and c = d and a /= c", lambda a, b, c, d: a == b and c == d and a != c),
]  # fmt: skip

# The tests of all tiles together.
WHOLE: list[tuple[str, Any]] = [
    ("every x in it: x in reds", lambda bag: red(*bag)),
    ("size of kinds of it = 2", lambda bag: len(set(bag)) == 2),
    ("some x in it: x = moon", lambda bag: 6 in bag),
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


@dataclass
class Rules:
    """Shapes and arrangements, as rule text and as what they come to."""

    text: str
    shapes: dict[str, Groups]
    above: dict[str, set[str]]  # a shape, and the unions it belongs to
    arrangements: dict[str, tuple[Part, ...]]


@st.composite
def rules(draw: st.DrawFn) -> Rules:
    lines: list[str] = []
    shapes: dict[str, Groups] = {}
    above: dict[str, set[str]] = {}
    for number in range(draw(st.integers(1, 4))):
        name = f"kin{number}"
        kind = draw(st.sampled_from(("named", "named", "named", "listed", "whole", "union")))
        members = draw(st.lists(st.sampled_from(sorted(shapes)), min_size=2, max_size=3)) if shapes else []
        if kind == "union" and members:
            lines.append(f"shape {name}: {' or '.join(members)}")
            shapes[name] = frozenset().union(*(shapes[m] for m in members))
            for unions in above.values():
                if unions & set(members):
                    unions.add(name)
        elif kind == "listed":
            bag = tuple(sorted(draw(st.lists(st.sampled_from(KINDS), min_size=1, max_size=4))))
            lines.append(f"shape {name}: {{{', '.join(NAMES[k] for k in bag)}}}")
            shapes[name] = frozenset({bag})
        elif kind == "whole":
            size, test = draw(st.integers(1, 3)), draw(st.sampled_from(range(len(WHOLE))))
            lines.append(f"shape {name} of {size}: {WHOLE[test][0]}")
            shapes[name] = whole(test, size)
        else:
            test = draw(st.sampled_from(range(len(NAMED))))
            size, words, _ = NAMED[test]
            lines.append(f"shape {name}({', '.join('abcd'[:size])}): {words}")
            shapes[name] = named(test)
        above[name] = {name}
    arrangements: dict[str, tuple[Part, ...]] = {}
    for name in ("first", "second")[: draw(st.integers(1, 2))]:
        parts = []
        for word in draw(st.lists(st.sampled_from(sorted(shapes)), min_size=1, max_size=3, unique=True)):
            parts.append(Part(draw(st.integers(1, 3)), draw(st.booleans()), word))
        written = [f"{p.count} {'different ' if p.different else ''}{p.shape}" for p in parts]
        if draw(st.booleans()):  # the same shape once more, by its other word
            parts.append(Part(draw(st.integers(1, 2)), draw(st.booleans()), parts[0].shape))
            written.append(
                f"{parts[-1].count} {'different ' if parts[-1].different else ''}{parts[-1].shape}s"
            )
        lines.append(f"arrangement {name}: {' and '.join(written)}")
        arrangements[name] = tuple(parts)
    if len(arrangements) == 2:
        lines.append("arrangement either: first or second")
        lines.append("arrangement again: either or first")
    return Rules("\n".join(lines) + "\n", shapes, above, arrangements)


# ------------------------------------------------------------------ brute force


def partitions(tiles: Group) -> Iterator[list[Group]]:
    """Every way to put tiles into heaps, the same way many times over."""
    if not tiles:
        yield []
        return
    first, rest = tiles[0], tiles[1:]
    for heaps in partitions(rest):
        yield [(first,), *heaps]
        for i, heap in enumerate(heaps):
            yield [*heaps[:i], (first, *heap), *heaps[i + 1 :]]


def brute(
    found: Rules, parts: tuple[Part, ...], tiles: Sequence[int], fixed: Sequence[Meld] = ()
) -> set[Way]:
    """All ways, found without any thought."""
    ways: set[Way] = set()
    lying = [(tuple(sorted(m)), m.label) for m in fixed]

    def fits(one: tuple[Group, str | None], part: Part) -> bool:
        group, label = one
        return (
            group in found.shapes[part.shape] if label is None else part.shape in found.above.get(label, ())
        )

    def serve(waiting: list[tuple[Group, str | None]], out: list[list[tuple[Group, str | None]]]) -> None:
        if not waiting:
            if all(len(groups) == part.count for groups, part in zip(out, parts, strict=True)):
                ways.add(tuple(tuple(sorted(groups, key=repr)) for groups in out))
            return
        for i, part in enumerate(parts):
            twice = part.different and any(group == waiting[0][0] for group, _ in out[i])
            if len(out[i]) < part.count and not twice and fits(waiting[0], part):
                serve(waiting[1:], [[*g, waiting[0]] if i == j else g for j, g in enumerate(out)])

    for heaps in {tuple(sorted(heaps)) for heaps in partitions(tuple(sorted(tiles)))}:
        if len(heaps) + len(fixed) == sum(part.count for part in parts):
            serve([*lying, *((heap, None) for heap in heaps)], [[] for _ in parts])
    return ways


def as_found(way: Sequence[Sequence[Group]]) -> Way:
    """A way of the search in the form of `brute`."""
    return tuple(
        tuple(sorted(((tuple(sorted(g)), getattr(g, "label", None)) for g in groups), key=repr))
        for groups in way
    )


def same_ways(ways: Iterable[Sequence[Sequence[Group]]], wanted: Iterable[Way]) -> bool:
    """Whether these are the ways wanted, each once."""
    return Counter(map(as_found, ways)) == Counter(wanted)


# ------------------------------------------------------------------ hands


def a_hand(draw: st.DrawFn, found: Rules, parts: tuple[Part, ...], most: int = 7) -> list[int]:
    """A hand that an arrangement may lay out: some of its groups, now and then with a tile changed."""
    tiles: list[int] = []
    for part in parts:
        groups = sorted(found.shapes[part.shape])
        for _ in range(part.count):
            if groups:
                tiles.extend(draw(st.sampled_from(groups)))
    tiles = tiles[: draw(st.sampled_from((most, most, most, most - 1, 0)))]
    if tiles and draw(st.integers(0, 3)) == 0:
        tiles[0] = draw(st.sampled_from(KINDS))
    return draw(st.permutations(tiles))


@st.composite
def cases(draw: st.DrawFn) -> tuple[Rules, str, list[int], list[Meld]]:
    found = draw(rules())
    name = draw(st.sampled_from(sorted(found.arrangements)))
    hand = a_hand(draw, found, found.arrangements[name])
    fixed: list[Meld] = []
    for _ in range(draw(st.sampled_from((0, 0, 1, 2, 3)))):
        shape = draw(st.sampled_from(sorted(found.shapes)))
        groups = sorted(found.shapes[shape])
        if groups:
            label = draw(st.sampled_from((None, shape, shape, "other")))
            fixed.append(Meld(draw(st.permutations(draw(st.sampled_from(groups)))), label))
    if fixed and draw(st.booleans()):
        fixed.append(Meld(fixed[0], fixed[0].label))
    # the rest of the hand: what the melds leave over of it
    return (
        found,
        name,
        hand[: max(0, len(hand) - sum(map(len, fixed)))] if draw(st.booleans()) else hand,
        fixed,
    )


@st.composite
def ways_of_searching(draw: st.DrawFn) -> dict[str, int]:
    """The bounds of the search: what it finds does not depend on them."""
    return {
        "MOST_WAYS": draw(st.sampled_from((500, 500, 0, 1))),
        "SHORT": draw(st.sampled_from((16, 0))),
        "REMEMBERED": draw(st.sampled_from((200_000, 1, 5))),
    }


def searched(found: Rules, bounds: dict[str, int], stack: ExitStack) -> Shapes:
    for name, value in bounds.items():
        stack.enter_context(patch.object(arrange, name, value, create=True))
    return table(found.text).shapes


# ------------------------------------------------------------------ tests

quick = settings(max_examples=250, deadline=None, derandomize=True)
long = settings(max_examples=20_000, deadline=None)


def every_way_once(case: tuple[Rules, str, list[int], list[Meld]], bounds: dict[str, int]) -> None:
    found, name, hand, fixed = case
    with ExitStack() as stack:
        shapes = searched(found, bounds, stack)
        for _ in range(2):  # also when it remembers
            wanted = brute(found, found.arrangements[name], hand, fixed)
            assert same_ways(shapes.arrange(hand, name, fixed), wanted)
            plain = brute(found, found.arrangements[name], hand)
            assert same_ways(shapes.arrange(hand, name), plain)
            assert shapes.holds(hand, name) == bool(plain)


def unions_and_groups(case: tuple[Rules, str, list[int], list[Meld]], bounds: dict[str, int]) -> None:
    found, name, hand, fixed = case
    with ExitStack() as stack:
        shapes = searched(found, bounds, stack)
        each = {n: brute(found, parts, hand) for n, parts in found.arrangements.items()}
        names = {n: [n] for n in each} | ({"either": [*each], "again": [*each]} if len(each) == 2 else {})
        for union, members in names.items():
            wanted = [way for member in members for way in each[member]]
            assert same_ways(shapes.ways(hand, union), wanted)
            assert shapes.holds(hand, union) == bool(wanted)
            as_groups = {tuple(sorted(g for part in way for g, _ in part)) for way in wanted}
            for heaps in {tuple(sorted(heaps)) for heaps in partitions(tuple(sorted(hand)))}:
                assert shapes.lie_as(heaps, hand, union) == (heaps in as_groups)
        assert not shapes.lie_as([[*hand, 0]], hand, name)
        for shape, groups in found.shapes.items():
            assert shapes.holds(hand, shape) == (tuple(sorted(hand)) in groups)
            for heap in (hand[:1], hand[:2], tuple(hand[:2]), hand[:3], hand[1:4]):
                assert shapes.holds(heap, shape) == (tuple(sorted(heap)) in groups)
            for meld in fixed:
                of_tiles = tuple(sorted(meld)) in groups
                by_label = meld.label is not None and shape in found.above.get(meld.label, ())
                assert shapes.holds(meld, shape) == (of_tiles if meld.label is None else by_label)


@quick
@given(cases(), ways_of_searching())
def test_every_way_is_found_once(case: Any, bounds: dict[str, int]) -> None:
    every_way_once(case, bounds)


@quick
@given(cases(), ways_of_searching())
def test_unions_and_groups_are_judged_by_the_same_ways(case: Any, bounds: dict[str, int]) -> None:
    unions_and_groups(case, bounds)


@pytest.mark.fuzz
@long
@given(cases(), ways_of_searching())
def test_every_way_is_found_once_at_length(case: Any, bounds: dict[str, int]) -> None:
    every_way_once(case, bounds)
    unions_and_groups(case, bounds)
