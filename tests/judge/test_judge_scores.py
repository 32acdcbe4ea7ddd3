"""Section 8 of docs/semantics.md, on the judge: shapes, arrangements, scores. Expected values are by hand."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import dedent

import pytest

from tests.judge.evaluate import Scene
from tests.judge.scores import best, filled, refused, score_value, ways
from tests.judge.shapes import cuts, is_of, lays_out
from tests.judge.texts import Game, begun, dealt, game
from tests.judge.values import Bag, Meld, Patterns, Value, bag

TILES = 'coins: four of each "{n}c" for n in 1 to 4'  # 1c is 0, 2c is 1, 3c is 2, 4c is 3
SHAPES = """
shape run(a, b, c): b's n = a's n + 1 and c's n = a's n + 2
shape trio(a, b, c): a = b and b = c
shape pair(a, b): a = b
shape any-three: run or trio
shape group: any-three or pair
shape low of 2: every t in it: t's n <= 2
shape long of 3 or more: size of kinds of it = 1
shape short of 1 to 2: size of kinds of it = 1
shape chain(t, next) of 3 or more: next's n = t's n + 1
arrangement loose: 1 long and 2 shorts
arrangement two-threes: 2 any-threes
arrangement two-pairs: 2 pairs
arrangement two-kinds: 2 different pairs
arrangement three-and-two: 1 any-three and 1 pair
arrangement all: two-threes or two-pairs or three-and-two
"""


def scene(parts: str = "") -> Scene:
    match = begun(game(SHAPES + parts, tiles=TILES))
    return Scene(match.table, match.state)


def numbers(*places: int) -> Bag:
    """Return tiles by the number that their names have."""
    return bag(place - 1 for place in places)


SHAPED: list[tuple[tuple[int, ...], str, bool]] = [
    ((3, 1, 2), "run", True),
    ((1, 1, 2), "run", False),
    ((1, 2), "run", False),
    ((2, 2, 2), "any-three", True),
    ((2, 2), "group", True),
    ((2, 2), "any-three", False),
    ((1, 2), "low", True),
    ((1, 3), "low", False),
    ((1, 2, 2), "low", False),
    ((1, 1, 1, 2, 3, 4), "two-threes", True),
    ((1, 1, 1, 2, 2, 4), "two-threes", False),
    ((1, 1, 1, 1), "two-pairs", True),
    ((1, 1, 1, 1), "two-kinds", False),
    ((1, 1, 2, 2), "two-kinds", True),
    ((1, 2, 3, 4, 4), "all", True),
    ((1, 2, 3, 4, 4), "two-threes", False),
    ((), "two-pairs", False),
    ((1, 1), "long", False),
    ((1, 1, 1), "long", True),
    ((2, 2, 2, 2), "long", True),
    ((1, 1, 1, 2), "long", False),
    ((1,), "short", True),
    ((1, 1, 1), "short", False),
    ((3, 1, 2, 4), "chain", True),
    ((1, 2, 4), "chain", False),
    ((1, 2), "chain", False),
    ((1, 2, 2, 2, 3, 3), "loose", True),  # 2 2 2, and 1, 3 3
    ((1, 2, 2, 2), "loose", False),  # only one is left beside 2 2 2
]


@pytest.mark.parametrize(("tiles", "name", "expected"), SHAPED)
def test_8_1_and_8_3_shapes_and_arrangements_of_tiles(
    tiles: tuple[int, ...], name: str, expected: bool
) -> None:
    assert is_of(numbers(*tiles), name, scene()) is expected


def test_8_2_a_label_says_what_a_meld_is() -> None:
    tiles = numbers(1, 2, 3)
    named = [
        name
        for name in ("run", "trio", "pair", "any-three", "group")
        if is_of(Meld(tiles, "trio"), name, scene())
    ]
    assert named == ["trio", "any-three", "group"]
    plain = [
        name for name in ("run", "trio", "pair", "any-three", "group") if is_of(Meld(tiles), name, scene())
    ]
    assert plain == ["run", "any-three", "group"]


def test_8_2_a_meld_used_as_tiles_has_lost_its_label() -> None:
    more = """
    define as-meld(m: meld): m is run
    define as-tiles(s: tiles): s is run
    define both: {size of shown for m in shown: as-meld(m) and not as-tiles(m)}
    action lay(these: tiles) by p "lay"
      then move these from p's hand to shown as run
    """
    deal = [["1c", "1c"], ["3c", "4c"]]
    match = dealt(game(SHAPES + dedent(more), tiles=TILES), hands=deal).plays(
        {"do": "lay", "by": 0, "these": ["1c", "1c"]}
    )
    assert match.asks("both") == bag([1])


@pytest.mark.parametrize(
    ("probe", "expected"),
    [
        ("longs within {1c, 1c, 1c, 2c}", [[1, 1, 1]]),
        ("chains within {1c, 2c, 3c, 4c, 4c}", [[1, 2, 3], [2, 3, 4], [1, 2, 3, 4]]),
        ("{1c, 2c, 3c, 4c} without chains", [[1, 2, 3, 4], [4], [1], []]),
        ("{1c, 1c} without longs", [[1, 1]]),
        ("{1c, 1c} without shorts", [[1, 1], [1], []]),
    ],
)
def test_8_13_groups_within_tiles_and_what_is_left(probe: str, expected: list[list[int]]) -> None:
    match = begun(game(f"{SHAPES}define probe: {probe}\n", tiles=TILES))
    assert match.asks("probe") == bag(numbers(*group) for group in expected)


def test_8_4_groups_lay_out_tiles() -> None:
    at = scene()
    tiles = numbers(1, 1, 1, 2, 2, 2, 3, 3, 3)
    threes = bag([numbers(1, 2, 3)] * 3)
    assert not lays_out(threes, tiles, "two-threes", at)
    two = bag([numbers(1, 2, 3), numbers(3, 2, 1)])
    assert lays_out(two, numbers(1, 1, 2, 2, 3, 3), "two-threes", at)
    assert not lays_out(two, numbers(1, 1, 2, 2, 3, 4), "two-threes", at)
    assert not lays_out(
        bag([numbers(1, 1), numbers(2, 2, 3, 3)]), numbers(1, 1, 2, 2, 3, 3), "two-threes", at
    )
    assert lays_out(bag([numbers(4, 4), numbers(1, 2, 3)]), numbers(1, 2, 3, 4, 4), "all", at)


def test_8_5_a_fixed_meld_is_a_group_of_its_label() -> None:
    at = scene()
    leaf = at.table.arrangement("two-threes")
    assert leaf is not None
    hand = numbers(1, 1, 1)
    assert len(list(cuts(leaf, hand, bag([Meld(numbers(2, 3, 4), "run")]), at))) == 1
    assert len(list(cuts(leaf, hand, bag([Meld(numbers(2, 3, 4), "trio")]), at))) == 1
    assert list(cuts(leaf, hand, bag([Meld(numbers(2, 3, 4), "pair")]), at)) == []
    assert list(cuts(leaf, hand, bag([Meld(numbers(1, 1))]), at)) == []


def test_8_5_the_order_of_groups_makes_no_other_way() -> None:
    at = scene()
    leaf = at.table.arrangement("two-threes")
    assert leaf is not None
    found = list(cuts(leaf, numbers(1, 1, 2, 2, 3, 3), Bag(), at))
    assert found == [(bag([Meld(numbers(1, 2, 3))] * 2),)]
    assert len(list(cuts(leaf, numbers(1, 1, 1, 2, 3, 4), Bag(), at))) == 1


SCORE = """
score worth "worth"
  given
    hand: tiles
    shown: melds = {}
    last: tile
    drawn: yes or no = no
  provided
    held: last in hand "not held"
    small: size of hand <= 8 "too many"
  hand: hand
  fixed: shown
  as: all
  marking: last as done
  %s
  define high: most of t's n for t in hand
  define pair-size: size of pair
  pattern threes 2 for each s in any-threes: s is run
  pattern self 1, extra: drawn
  pattern ends 4: done is pair
  pattern of-two 8: pair-size = 2
  pattern kind 16: arrangement is two-pairs
  pattern union 32: arrangement is all and high = 4
  pattern nothing 0: drawn
"""


def worth_of(keys: Mapping[str, Value], lines: str = "total: sum") -> int | None:
    return best("worth", keys, scene(SCORE % lines))


def test_8_6_each_group_with_the_marked_tile_is_a_way_of_its_own() -> None:
    at = scene(SCORE % "total: sum")
    score = at.table.score("worth")
    given = filled(score, {"hand": numbers(1, 1, 1, 2, 3), "last": 0}, at)
    found = [(way.groups, way.marked) for way, _ in ways(score, given, at)]
    pair, run = Meld(numbers(1, 1)), Meld(numbers(1, 2, 3))
    assert found == [((bag([run]), bag([pair])), pair), ((bag([run]), bag([pair])), run)]
    assert list(ways(score, {**given, "last": 3}, at)) == []


def test_8_6_a_fixed_meld_is_not_the_marked_group() -> None:
    at = scene(SCORE % "total: sum")
    score = at.table.score("worth")
    shown = bag([Meld(numbers(1, 2, 3), "run")])
    given = filled(score, {"hand": numbers(2, 2), "shown": shown, "last": 1}, at)
    assert [way.marked for way, _ in ways(score, given, at)] == [Meld(numbers(2, 2))]
    assert list(ways(score, {**given, "last": 0}, at)) == []


def test_8_7_parts_that_an_arrangement_lacks_make_a_pattern_count_nothing() -> None:
    # 2 pairs: `pairs`, no `pair` and no `any-threes`; `done` is one of the two.
    assert worth_of({"hand": numbers(1, 1, 2, 2), "last": 0}) == 4 + 16
    # 1 any-three and 1 pair: `any-three`, not `any-threes`.
    assert worth_of({"hand": numbers(1, 2, 3, 3, 3), "last": 2}) == 4 + 8
    # 2 any-threes.
    assert worth_of({"hand": numbers(1, 1, 2, 2, 3, 3), "last": 0}) == 2 + 2


def test_8_7_arrangement_is_any_union_that_holds_it() -> None:
    assert worth_of({"hand": numbers(1, 1, 4, 4), "last": 0}) == 4 + 16 + 32


def test_8_8_and_8_9_totals() -> None:
    keys: Mapping[str, Value] = {"hand": numbers(1, 1, 4, 4), "last": 0, "drawn": True}
    assert worth_of(keys) == 1 + 4 + 16 + 32
    assert worth_of(keys, "total: highest") == 32


ASKING = """
  pattern drawn-too 64: drawn
  pattern asks 128: ends and not threes and not drawn-too
  pattern asks-nothing 256: not asks
"""


def test_8_8_a_pattern_asks_about_those_above_it() -> None:
    lines = (SCORE % "total: sum").rstrip() + ASKING
    at = scene(lines)
    pairs = numbers(
        1, 1, 2, 2
    )  # an arrangement without `any-threes`: `threes` is no, and does not make `asks` so
    assert best("worth", {"hand": pairs, "last": 0}, at) == 4 + 16 + 128
    assert best("worth", {"hand": pairs, "last": 0, "drawn": True}, at) == 1 + 4 + 16 + 64 + 256
    assert best("worth", {"hand": numbers(1, 1, 2, 2, 3, 3), "last": 0}, at) == 2 + 2 + 256


HIGHEST = """
score top "top"
  given
    hand: tiles
    on: numbers
  hand: hand
  as: two-pairs
  total: highest
  pattern a 0 - 5: 1 in on
  pattern b 0 - 3: 2 in on
  pattern c 4: 3 in on
  pattern d 4: 4 in on
"""


@pytest.mark.parametrize(
    ("on", "total", "kept"),
    [((1,), -5, {"a": -5}), ((1, 2), -3, {"b": -3}), ((1, 4), 4, {"d": 4}), ((2, 3, 4), 4, {"c": 4})],
)
def test_8_9_highest_leaves_out_all_but_the_first_of_the_largest(
    on: tuple[int, ...], total: int, kept: dict[str, int]
) -> None:
    at = scene(HIGHEST)
    keys: Mapping[str, Value] = {"hand": numbers(1, 1, 4, 4), "on": bag(on)}
    assert best("top", keys, at) == total
    found = [way for way, _ in ways(at.table.score("top"), filled(at.table.score("top"), keys, at), at)]
    assert {way.counted.points for way in found} == {tuple(sorted(kept.items()))}


BRINGS = """
score deep "deep"
  given
    hand: tiles
    on: numbers
  hand: hand
  as: two-pairs
  total: unimplied
  pattern a 1: 1 in on
  pattern b 2: 2 in on
  pattern c 4: 3 in on
  pattern d 8: 4 in on
  pattern e 16: 5 in on
  a brings b
  b brings c
  d brings e
  e brings d
"""


@pytest.mark.parametrize(
    ("on", "expected"),
    [
        ((1, 2, 3), 1),
        ((1, 3), 1),
        ((2, 3), 2),
        ((3,), 4),
        ((4, 5), 8),
        ((5,), 16),
        ((1, 4, 5), 9),
        ((), None),
    ],
)
def test_8_9_unimplied(on: tuple[int, ...], expected: int | None) -> None:
    keys: Mapping[str, Value] = {"hand": numbers(1, 1, 2, 2), "on": bag(on)}
    assert best("deep", keys, scene(BRINGS)) == expected


@pytest.mark.parametrize(
    ("on", "total", "expected"),
    [((1, 2), "sum", 3), ((1, 2, 3), "sum", 4), ((1, 2, 3, 4), "sum", 12), ((2, 3, 4), "unimplied", 8)],
)
def test_8_9_a_pattern_counts_alone(on: tuple[int, ...], total: str, expected: int) -> None:
    parts = BRINGS.replace("pattern c 4:", "pattern c 4, alone:").replace(
        "pattern d 8:", "pattern d 8, alone:"
    )
    parts = parts.replace("total: unimplied", f"total: {total}")
    assert best("deep", {"hand": numbers(1, 1, 2, 2), "on": bag(on)}, scene(parts)) == expected


def test_8_10_without_keep_a_way_counts_if_some_pattern_does() -> None:
    assert worth_of({"hand": numbers(1, 2, 3, 3, 3, 3), "last": 0}) == 2
    assert worth_of({"hand": numbers(1, 1, 1, 2, 2, 2), "last": 0}) is None
    assert worth_of({"hand": numbers(1, 1, 1, 2, 2, 2), "last": 0, "drawn": True}) == 1


@pytest.mark.parametrize(
    ("keep", "expected"),
    [
        ("points >= 5", 5),
        ("points >= 6", None),
        ("eligible >= 5", None),
        ("eligible = 4 and self and threes", 5),
        ("ends", None),
        ("pair-size = 2 or points >= 0", None),
        ("not nothing", 5),
        ("some s in any-threes: s = done", 5),
    ],
)
def test_8_10_keep(keep: str, expected: int | None) -> None:
    keys: Mapping[str, Value] = {"hand": numbers(1, 1, 2, 2, 3, 3), "last": 0, "drawn": True}
    assert worth_of(keys, f"keep: {keep}\n  total: sum") == expected


def test_8_10_keep_of_a_way_sees_what_the_total_left_out() -> None:
    parts = BRINGS.replace(
        "  total: unimplied", "  keep: points = 1 and eligible = 7 and b and c\n  total: unimplied"
    )
    assert best("deep", {"hand": numbers(1, 1, 2, 2), "on": bag([1, 2, 3])}, scene(parts)) == 1


def test_8_11_patterns_fit_a_best_way_only() -> None:
    at = scene(SCORE % "total: sum")
    score = at.table.score("worth")
    given = filled(score, {"hand": numbers(1, 1, 1, 2, 3), "last": 0}, at)
    value = score_value(score, given, at)
    assert value is not None
    assert value.total == 12
    assert value.counted == frozenset({Patterns((("ends", 4), ("of-two", 8)))})


def test_8_11_a_trace_records_patterns() -> None:
    more = """
    action show(patterns, on: numbers) by p "show"
      fits: patterns fits deep(hand: {1c, 1c, 2c, 2c}, on: on) "other patterns"
    """
    match = dealt(game(SHAPES + BRINGS + dedent(more), tiles=TILES))

    def shown(**patterns: int) -> dict[str, object]:
        return {"do": "show", "by": 0, "patterns": patterns, "on": [1, 2, 4]}

    match.plays(shown(a=1, d=8))
    for wrong in (
        shown(a=1, b=2, d=8),
        shown(a=1),
        shown(a=1, d=9),
        shown(a=1, d=8, c=0),
        shown(a=1, d=8, z=1),
    ):
        assert match.refuses(wrong) == "fits"


def test_8_17_patterns_of_a_number_that_no_recorded_one_counts_in_are_passed_over() -> None:
    more = """
    score dish
      given
        hand: tiles
        late: yes or no = no
      counts: points, doubles
      hand: hand
      as: dishes
      keep: yes
      total: points * 2 ^ doubles
      pattern served 20 points: yes
      pattern plain 1 doubles: yes
      pattern late 2 doubles: late
    shape couple(a, b): a = b
    arrangement dishes: 1 couple
    action show(patterns) by p "show"
      fits: patterns fits dish(hand: {1c, 1c}) "other patterns"
    """
    match = dealt(game(dedent(more), tiles=TILES))

    def shown(**patterns: int) -> dict[str, object]:
        return {"do": "show", "by": 0, "patterns": patterns}

    for fitting in (shown(served=20, plain=1), shown(served=20), shown(plain=1)):
        match.plays(fitting)
    for wrong in (
        shown(),
        shown(z=1),
        shown(served=19),
        shown(plain=2),
        shown(late=2),
        shown(plain=1, late=2),
        shown(served=20, late=2),
        shown(served=20, z=1),
    ):
        assert match.refuses(wrong) == "fits"


def test_8_11_a_hand_that_counts_nothing_has_no_score() -> None:
    assert worth_of({"hand": numbers(1, 2), "last": 0}) is None


def test_8_12_provided_is_not_asked_when_a_game_uses_a_score() -> None:
    at = scene(SCORE % "total: sum")
    score = at.table.score("worth")
    given = filled(score, {"hand": numbers(1, 2, 3), "last": 3}, at)
    assert refused(score, given, at) == "held"
    assert refused(score, {**given, "last": 0}, at) is None
    assert isinstance(begun(game(SHAPES, tiles=TILES)), Game)


def test_8_11_scores_are_compared_as_numbers() -> None:
    more = """
    define low-pairs: deep(hand: {1c, 1c, 2c, 2c}, on: {1, 2})
    define alike: low-pairs = deep(hand: {3c, 3c, 2c, 2c}, on: {1, 3})
    define a-number: low-pairs = 1
    define missing: deep(hand: {1c, 1c}, on: {1}) is none
    define instead: deep(hand: {1c, 1c}, on: {1}) otherwise 7
    """
    match = begun(game(SHAPES + BRINGS + dedent(more), tiles=TILES))
    asked = [match.asks(name) for name in ("alike", "a-number", "missing", "instead")]
    assert asked == [True, True, True, 7]
