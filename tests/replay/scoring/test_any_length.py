"""Shapes of several sizes: which bags have them, and the arrangements that have them, compared with brute force."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, combinations_with_replacement

import pytest

from tests.replay.scoring.tiny import KINDS, shapes_of

RED = range(4)  # the kinds 1r to 4r
RUN = """shape run of 2 or more: (every t, u in it: t in reds and t /= u)
  and (most of t's rank for t in it) - (least of t's rank for t in it) = size of it - 1
"""
SAME = "shape same of 2 to 3: every t, u in it: t = u\n"
TESTED = (
    "shape few of 1 to 2: moon in it\n"  # says nothing of every tile, so its groups are tested as they come
)


def is_run(tiles: tuple[int, ...]) -> bool:
    different = len({*tiles}) == len(tiles) >= 2
    return different and all(t in RED for t in tiles) and max(tiles) - min(tiles) == len(tiles) - 1


def is_same(tiles: tuple[int, ...]) -> bool:
    return len(tiles) in (2, 3) and len({*tiles}) == 1


def is_few(tiles: tuple[int, ...]) -> bool:
    return len(tiles) in (1, 2) and 6 in tiles


def hands(most: int) -> Iterator[tuple[int, ...]]:
    for size in range(1, most + 1):
        yield from combinations_with_replacement(KINDS, size)


def test_a_shape_holds_of_bags_of_all_its_sizes() -> None:
    shapes = shapes_of(RUN + SAME + TESTED)
    for tiles in hands(5):
        for name, test in (("run", is_run), ("same", is_same), ("few", is_few)):
            assert shapes.is_group(tiles, name) == test(tiles), (name, tiles)


@pytest.mark.parametrize("other", ["same", "few"])
def test_an_arrangement_may_have_groups_of_several_sizes(other: str) -> None:
    shapes = shapes_of(RUN + SAME + TESTED + f"arrangement both: 1 run and 1 {other}\n")
    second = {"same": is_same, "few": is_few}[other]
    for tiles in hands(6):
        found = {tuple(map(tuple, (way[0][0], way[1][0]))) for way in shapes.ways(tiles, "both")}
        expected = set()
        for mask in range(1 << len(tiles)):
            one = tuple(t for i, t in enumerate(tiles) if mask >> i & 1)
            two = tuple(t for i, t in enumerate(tiles) if not mask >> i & 1)
            if is_run(one) and second(two):
                expected.add((one, two))
        assert found == expected, tiles
        assert shapes.holds(tiles, "both") == bool(expected), tiles


def test_more_tiles_than_the_set_has_are_laid_out_too() -> None:
    shapes = shapes_of("shape same of 2 or more: every t, u in it: t = u\narrangement two: 2 sames\n")
    assert shapes.holds((6,) * 12, "two")
    assert shapes.holds((0,) * 12, "two")
    assert not shapes.holds((0,) * 11 + (1,), "two")


LADDER = "shape ladder(t, next) of 2 or more: t in reds and next in reds and next's rank = t's rank + 1\n"
EQUALS = "shape equals(t, next) of 1 to 3: t = next\n"


def test_tiles_in_a_row() -> None:
    shapes = shapes_of(LADDER + EQUALS + "shape any: ladder or equals\n")
    for tiles in hands(5):
        assert shapes.is_group(tiles, "ladder") == is_run(tiles), tiles
        assert shapes.is_group(tiles, "equals") == (len({*tiles}) == 1 and len(tiles) <= 3), tiles
    assert shapes.groups("ladder") == {tuple(range(a, b)) for a in range(4) for b in range(a + 2, 5)}


TWO = "shape two(a, b): a in reds and b in reds and b's rank = a's rank + 1\n"


def is_two(tiles: tuple[int, ...]) -> bool:
    return len(tiles) == 2 and is_run(tiles)


def brute_rests(tiles: tuple[int, ...], groups: set[tuple[int, ...]]) -> set[tuple[int, ...]]:
    found = {tiles}
    for group in groups:
        left = list(tiles)
        for tile in group:
            if tile not in left:
                break
            left.remove(tile)
        else:
            found |= brute_rests(tuple(left), groups)
    return found


@pytest.mark.parametrize(
    ("text", "test"),
    [
        (LADDER, is_run),
        (RUN, is_run),
        (SAME, is_same),
        (TESTED, is_few),
        (TWO, lambda tiles: is_run(tiles[:3]) and len(tiles) == 2),
    ],
)
def test_what_is_within_tiles_and_what_is_left_of_them(
    text: str, test: Callable[[tuple[int, ...]], bool]
) -> None:
    name = text.split()[1].split("(", maxsplit=1)[0]
    shapes = shapes_of(text)
    for tiles in hands(5):
        groups = {g for size in range(1, 6) for g in combinations(tiles, size) if test(g)}
        assert shapes.parted("within", tiles, name) == sorted(groups), tiles
        assert shapes.parted("without", tiles, name) == sorted(brute_rests(tiles, groups)), tiles
