"""Regions of rule sets agree with plain sets of numbers."""

from __future__ import annotations

from functools import reduce
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from golpae.attribute.corpus import most
from golpae.families.region import Cube, Region, Space

SWITCHES = 4
EVERY = range(1 << SWITCHES)
cubes = st.builds(lambda spoken, on: (spoken, on & spoken), st.sampled_from(EVERY), st.sampled_from(EVERY))


def members(region: Region) -> set[int]:
    return {rules for rules in EVERY if rules in region}


def inside(cube: Cube) -> set[int]:
    return {rules for rules in EVERY if (rules ^ cube[1]) & cube[0] == 0}


def cut(space: Space, away: list[Cube]) -> Region:
    return reduce(Region.subtract, away, space.everything)


@given(st.lists(cubes, max_size=5), cubes)
def test_subtracting_and_restricting_agree_with_sets(away: list[Cube], cube: Cube) -> None:
    region = cut(Space(SWITCHES), away)
    expected = set(EVERY).difference(*map(inside, away))
    assert members(region) == expected
    assert members(region.subtract(cube)) == expected - inside(cube)
    assert members(region.restrict(cube)) == expected & inside(cube)
    assert members(region.subtract(cube).union(region.restrict(cube))) == expected
    assert bool(region) == bool(expected)


@given(st.lists(cubes, max_size=4), st.lists(cubes, max_size=4))
def test_intersection_and_difference_agree_with_sets(one: list[Cube], other: list[Cube]) -> None:
    space = Space(SWITCHES)
    first, second = cut(space, one), cut(space, other)
    assert members(first.intersection(second)) == members(first) & members(second)
    assert members(first.difference(second)) == members(first) - members(second)


@given(st.lists(cubes, max_size=5))
def test_the_cubes_of_a_region_are_disjoint(away: list[Cube]) -> None:
    region = cut(Space(SWITCHES), away)
    assert all(not inside(a) & inside(b) for a, b in combinations(region.cubes, 2))


@given(st.lists(cubes, max_size=5))
def test_varying_switches_and_smallest_rule_sets_agree_with_sets(away: list[Cube]) -> None:
    region = cut(Space(SWITCHES), away)
    rules = members(region)
    if not rules:
        assert region.smallest() == []
        return
    fewest = min(r.bit_count() for r in rules)
    assert region.smallest() == sorted(r for r in rules if r.bit_count() == fewest)
    assert region.sample in rules
    varying = {switch for a in rules for b in rules for switch in [a ^ b] if (a ^ b).bit_count() == 1}
    differing = reduce(lambda seen, r: seen | (r ^ region.sample), rules, 0)
    assert all(region.varies & switch for switch in varying)
    assert region.varies == differing


@given(st.lists(cubes, max_size=4))
def test_equal_regions_made_in_one_way_are_the_same_object(away: list[Cube]) -> None:
    space = Space(SWITCHES)
    assert cut(space, away) is cut(space, away)


@given(
    st.lists(st.tuples(st.lists(cubes, max_size=3), st.integers(1, 5)), max_size=6),
    st.lists(cubes, max_size=2),
)
def test_most_agrees_with_counting_every_rule_set(
    asked: list[tuple[list[Cube], int]], gone: list[Cube]
) -> None:
    space = Space(SWITCHES)
    universe = cut(space, gone)
    counts: dict[Region, int] = {}
    for away, count in asked:
        region = cut(space, away)
        counts[region] = counts.get(region, 0) + count
    best, accepting = most(universe, counts)
    totals = {rules: sum(n for region, n in counts.items() if rules in region) for rules in members(universe)}
    highest = max(totals.values(), default=0)
    assert best == highest
    assert members(accepting) == {rules for rules, total in totals.items() if total == highest}
