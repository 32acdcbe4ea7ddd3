"""Wild tiles (docs/semantics.md, 1.14, 2.13 and 2.14)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from golpae.elaborate.instance import instantiate
from golpae.replay.machine import Machine
from golpae.replay.machine_cache import Library
from golpae.replay.score_hand import Scored, score_hand
from tests.elaborate.tile_sets import check_theorems, rules

SET = """
    coins: two of each "{size}c" for size in 1 to 4
    stars: one of each star moon
    wild: stars
"""
SHAPES = """
shape trio(a, b, c): a = b and b = c
shape pair(a, b): a = b
shape run(t, next) of 2 or more: next's size = t's size + 1 and (number of t in it: t in wild) <= 1
shape odd of 2: (sum of t's size for t in it) = 7
shape alike of 3 or more: (every t, u in it: t = u) and (number of t in it: t not in wild) >= 2
shape set: trio or run
arrangement whole: 1 trio and 1 pair
arrangement pairs: 2 different pairs
"""


def test_wild_tiles_count_as_others_in_shapes_and_arrangements() -> None:
    theorems = [
        SHAPES + "theorem named: {1c, star, moon} is trio and {1c, 2c, star} is not trio",
        "theorem row: {1c, star, 3c} is run and {star, 4c} is run and {1c, star, moon, 4c} is not run",
        "theorem end: {1c, 2c, 3c, 4c, star} is not run and {star, moon} is not run",
        "theorem whole-shape: {moon, 4c} is odd and {2c, star} is not odd",
        "theorem several-sizes: {1c, 1c, star, moon} is alike and {1c, star, moon} is not alike",
        "theorem union: {1c, star, 3c} is set and {1c, star, moon} is set",
        "theorem arranged: {1c, 1c, star, moon, 3c} is whole and {1c, 2c, 3c, star, moon} is not whole",
        "theorem within: {2c, moon} in pairs within {1c, 2c, moon} and {2c, star} not in pairs within {1c, 2c, moon}",
        "theorem without: {2c} in {1c, 2c, moon} without pairs",
        "theorem laid: {{1c, moon}, {star, 3c}} lay out {1c, star, moon, 3c} as pairs",
        "theorem which: not {{1c, star}, {star, 3c}} lay out {1c, star, moon, 3c} as pairs",
        "theorem itself: star in wild and star /= moon and star's group = stars and size of wild = 2",
        "theorem face: moon's face = star and faces of {moon, 1c} = {star, 1c}",
    ]
    check_theorems(SET, theorems)


def test_what_a_wild_tile_may_count_as_can_be_said() -> None:
    theorems = [
        SHAPES + "theorem trio: {1c, 1c, star} is trio and {2c, 2c, star} is not trio",
        "theorem stars: {star, moon} is pair and {1c, moon, star} is trio",
    ]
    check_theorems(SET + "    wild-as: {1c}", theorems)


def test_a_wild_tile_may_count_as_a_wild_one() -> None:
    theorems = [
        "shape low of 2: every t in it: t's size <= 1\ntheorem low: {2c, 1c} is low and {3c, 1c} is not low"
    ]
    lines = 'coins: two of each "{size}c" for size in 1 to 3\nwild: {2c}\nwild-as: {1c, 2c}'
    check_theorems(lines, theorems)


def test_nothing_is_wild_in_a_variant_that_says_so() -> None:
    theorems = [
        SHAPES + "theorem none: {1c, star, 3c} is not run and {1c, 1c, star} is not trio and {1c, 1c} is pair"
    ]
    check_theorems(SET.replace("wild: stars", "wild: {}"), theorems)


@pytest.mark.parametrize(
    ("hand", "points"),
    [
        (["1c", "1c", "star", "moon", "3c"], 12),
        (["1c", "1c", "moon", "3c", "3c"], 11),
        (["1c", "2c", "3c"], None),
    ],
)
def test_a_score_lays_out_wild_tiles_as_they_are_needed(hand: Sequence[str], points: int | None) -> None:
    score = (
        SHAPES
        + """
score worth
  given
    hand: tiles
  hand: hand
  as: whole
  total: sum
  pattern laid 10: yes
  pattern stars 1 for each t in hand: t in wild
"""
    )
    library = Library(lambda name: rules(SET, score))
    scored = score_hand({"rules": "g", "hand": [*hand]}, library, 2)
    assert isinstance(scored, Scored), scored
    assert scored.points == points


def test_groups_of_a_hand_are_listed_without_those_of_the_set() -> None:
    """Of six ranks in six colours with four wild tiles, the set has too many rows, and a hand has few."""
    text = """
        stones: two of each "{size}{hue}" for size in 1 to 13, hue in red "r", blue "b", gold "g", grey "y"
        stars: four of each star
        wild: stars
    """
    more = "shape run(t, next) of 3 to 13: next's hue = t's hue and next's size = t's size + 1"
    machine = Machine(instantiate(rules(text, more), 2, {}))
    numbers = machine.instance.numbers()
    hand = [numbers[name] for name in ("1r", "2r", "4r", "5r", "7b", "9b", "11b", "13g", "star", "star")]
    found = machine.shapes.parted("within", hand, "run")
    assert len(found) > 10
    assert all(machine.shapes.holds(group, "run") for group in found)
