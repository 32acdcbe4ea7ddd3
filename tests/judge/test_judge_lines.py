"""Lines that a text says once, sets that are written as patterns, orders. Expected values are by hand, from
docs/semantics.md.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from golpae.elaborate.instance import instantiate
from tests.judge.beside_replay import hold
from tests.judge.table import Table, rules_of
from tests.judge.texts import END, begun, dealt, game, worth
from tests.judge.values import bag

STATE = "n: number = 0\nm: number = 10\nnoted: tiles = {}\nlast: tile or none = none"
KERNEL_TEXTS = Path(__file__).parents[1] / "kernel" / "texts"


def after(parts: str, action: str = "go", **changes: str) -> list[object]:
    """Return `n` and `m` after the action that a text adds, or the condition that refuses it."""
    match = dealt(game(parts, state=STATE, **changes))
    match.plays({"do": action, "by": 0})
    return [match.var("n"), match.var("m")]


# ---------------------------------------------------------------- 12.1 to 12.3 Names for values


@pytest.mark.parametrize(
    ("lines", "values"),
    [
        ("where x is n + 1\n  then n := x; m := x", [1, 1]),  # the value before the first effect
        ("where x is n + 1\n  then n := 5\n  then m := x", [5, 1]),
        ("where x is n + 1\n  where y is x + m\n  then m := 0\n  then n := y", [11, 0]),
        ("where x is n\n  then for each q in players: n := n + 1; m := m + x", [2, 10]),
        ("where x is plus-one\n  then n := 7\n  then m := x", [7, 1]),  # through a definition
        ("where x is size of p's hand\n  then move all from p's hand to heap\n  then n := x", [2, 10]),
        ("where x is number of q in players: q = p\n  then for each q in {p's right}: n := x", [1, 10]),
        ("where x is last\n  then last := 1c\n  then when x is none: n := 4 else: n := 5", [4, 10]),
    ],
)
def test_12_3_a_name_for_a_value_in_effects(lines: str, values: list[object]) -> None:
    assert after(f'define plus-one: n + 1\naction go by p "go"\n  {lines}\n') == values


def test_12_2_a_name_for_a_value_in_conditions_and_definitions() -> None:
    parts = """
define twice(a: number): half + half where half is a
define least-rank(s: tiles)
  few: size of s < bound
  where bound is 3
  none-low: no t in s: t = 1c
action go by p "go"
  where many is number of q in players: q's hand = p's hand
  alone: many = 1 "{many}"
  then n := twice(many) + (if least-rank({1c, 1c, 1c}) then 1 else 0) + (if least-rank({2c, 2c, 2c}) then 5 else 0)
"""
    assert after(parts) == [7, 10]


def test_12_3_at_the_deal_and_at_the_end() -> None:
    parts = 'action go by p "go"\n  then p scores 3\n'
    text = game(
        parts,
        match="held: number = 0\npaid: number = 0",
        deal="where many is size of stall\nthen move all from stall to heap\nthen held := many",
        end="where before is mover's gains\nthen paid := before * 100 + mover's gains",
        payout="where due is mover's gains\nall-of-it: mover scores due + 4",
    )
    match = dealt(text).plays({"do": "go", "by": 0})
    assert match.var("held") == 2
    match.plays({**END, "pay": [10, 0]})  # 3, and 3 + 4
    assert match.var("paid") == 310


# ---------------------------------------------------------------- 12.4 Groups of effects

GROUPS = """
effects add(a: number, b: number)
  n := n + a
  m := m + b + n
effects twice(a: number)
  add(a, a)
  when a > 1: add(a: 0, b: a) else: n := n + 100
effects keep-of(s: tiles)
  noted := s
  for each q in players: n := n + size of s
effects mark(q: seat, t: tile or none)
  last := t
  when last is none: n := n + 1000
  for each t in {q}: m := m + (if t = mover then 1 else 2)
"""


@pytest.mark.parametrize(
    ("use", "values"),
    [
        ("add(2, 3)", [2, 15]),
        ("add(n + 1, n)", [1, 11]),  # both values are found before the first effect
        ("twice(2)", [2, 18]),
        ("twice(1)", [101, 12]),
        ("n := 1\n  then add(b: n, a: 5)", [6, 17]),
        ("for each q in players: add(1, 0)", [2, 13]),
        ("keep-of(p's hand)", [4, 10]),
        ("keep-of({1c})", [2, 10]),
        ("mark(p, none)", [1000, 11]),
        ("mark(p's right, 1c)", [0, 12]),
        ("for each n1 in {1 to 2}: for each m1 in {n1}: add(n1, m1)", [3, 17]),
    ],
)
def test_12_4_a_group_of_effects(use: str, values: list[object]) -> None:
    assert after(f'{GROUPS}action go by p "go"\n  then {use}\n') == values


def test_12_4_a_name_in_a_group_means_what_the_text_calls_so() -> None:
    """The loop's `n` hides the state where the group is used, not in the group."""
    assert after(f'{GROUPS}action go by p "go"\n  then for each n in {{7, 8}}: add(1, n)\n') == [2, 28]


def test_12_4_tiles_of_a_parameter_have_no_order() -> None:
    parts = """
effects lay(s: tiles)
  move s from mover's hand to line
action go(pieces: {a, b}) by p "go"
  then lay({a, b})
action put(pieces: {a, b}) by p "put"
  then move {a, b} from p's hand to line
"""
    match = dealt(game(parts)).plays({"do": "go", "by": 0, "pieces": ["1c", "2c"]})
    assert [tile is not None and isinstance(tile, int) for tile in match.row("line")] == [False, False]
    match = dealt(game(parts)).plays({"do": "put", "by": 0, "pieces": ["1c", "2c"]})
    assert match.row("line") == (0, 1)


# ---------------------------------------------------------------- 12.5 Groups of conditions

CONDITIONS = """
conditions playing(p: seat)
  turn: p = mover "it is not {p}'s turn"
  few: n < 2
conditions holds(q: seat, s: tiles, word: one of low, high)
  requires playing(q)
  there: s in q's hand
  word: word = low implies q in {low-one}
define low-one: mover
action play(tile) by p "play"
  apart: tile /= 3c
  requires holds(p, {tile}, low)
  last: n < 1
  then n := n + 1
"""


@pytest.mark.parametrize(
    ("event", "name"),
    [
        ({"by": 1, "tile": "3c"}, "apart"),
        ({"by": 1, "tile": "1c"}, "turn"),
        ({"by": 0, "tile": "3c"}, "apart"),
        ({"by": 0, "tile": "1c"}, "last"),
    ],
)
def test_12_5_a_group_of_conditions(event: dict[str, object], name: str) -> None:
    match = dealt(game(CONDITIONS, state=STATE))
    assert match.refuses({"do": "play", **event, "tile": "3c"}) == "apart"
    match.plays({"do": "play", "by": 0, "tile": "1c"})
    assert match.refuses({"do": "play", **event}) == name


# ---------------------------------------------------------------- 12.7 Definitions of a score


def test_12_7_a_definition_of_a_score_that_takes_values() -> None:
    parts = """
shape one(a): yes
arrangement each-alone: 2 ones
score worth(hand: tiles) "worth"
  hand: hand
  as: each-alone
  define low: 1c
  define is-low(t: tile): t = low and size of ones = 2
  define value(t: tile, m: number): if is-low(t) then m else 0
  total: sum
  pattern lows 1 for each g in ones: some t in g: is-low(t)
  pattern both 10: sum of value(t, 2) for t in hand = 4
define probe: worth({1c, 1c}) otherwise 0
define other: worth({1c, 2c}) otherwise 0
"""
    match = begun(game(parts))
    assert (match.asks("probe"), match.asks("other")) == (12, 1)


# ---------------------------------------------------------------- 1.4 to 1.8 Sets of tiles


def kinds(tiles: str) -> list[tuple[object, ...]]:
    """Return name, spoken name, group, copies, numbers and other names of each kind."""
    table = Table(instantiate(rules_of(game(tiles=tiles, hands="0 for everyone")), 2, {}))
    return [(k.name, k.spoken, k.group, k.copies, k.attributes, k.aliases) for k in table.instance.kinds]


def test_1_7_ranges_of_several_parts() -> None:
    line = 'stones: two of each "{rank}s" called "{rank} of stone" for rank in A "1", 2 to 3, J, Q "D"'
    assert kinds(line) == [
        ("1s", "A of stone", "stones", 2, (1,), ()),
        ("2s", "2 of stone", "stones", 2, (2,), ()),
        ("3s", "3 of stone", "stones", 2, (3,), ()),
        ("Js", "J of stone", "stones", 2, (4,), ()),
        ("Ds", "Q of stone", "stones", 2, (5,), ()),
    ]


def test_1_8_ranges_of_words() -> None:
    tiles = """
cards: one of each "{n}{suit}{way}" called "{n} of {suit}" for n in 1 to 2, suit in red "r", blue,
  way in up "u", down "d"
others: two of each sun
"""
    text = game(
        """
define first: size of cards + 10 * size of red + 100 * size of up + 1000 * size of others
define second: number of t in tiles: t's suit = red and t's way = down
define third: if sun's suit is none then 1 else 0
define fourth: 2blued's n
define fifth: {1ru, 1blueu, 2ru, 2blueu} = up and {1ru, 1rd, 2ru, 2rd} = red
""",
        tiles=tiles,
        hands="0 for everyone",
    )
    match = begun(text)
    names = [(k.name, k.spoken, k.group) for k in match.table.instance.kinds]
    assert names == [
        ("1ru", "1 of red", "red"),
        ("1rd", "1 of red", "red"),
        ("2ru", "2 of red", "red"),
        ("2rd", "2 of red", "red"),
        ("1blueu", "1 of blue", "blue"),
        ("1blued", "1 of blue", "blue"),
        ("2blueu", "2 of blue", "blue"),
        ("2blued", "2 of blue", "blue"),
        ("sun", "sun", "others"),
    ]
    assert [match.asks(n) for n in ("first", "second", "third", "fourth", "fifth")] == [
        8 + 40 + 400 + 1000,
        2,
        1,
        2,
        True,
    ]


def test_1_6_numbers_of_names_that_follow_a_pattern() -> None:
    tiles = """
pairs: one of each "{high}-{low}" for high in 0 to 1, low in 0 to high
odd: two of each 12-3 x
written: "{high}-{low}" or "{low}-{high}"
"""
    assert kinds(tiles) == [
        ("0-0", "0-0", "pairs", 1, (0, 0), ()),
        ("1-0", "1-0", "pairs", 1, (1, 0), ("0-1",)),
        ("1-1", "1-1", "pairs", 1, (1, 1), ()),
        ("12-3", "12-3", "odd", 2, (12, 3), ("3-12",)),
        ("x", "x", "odd", 2, (0, 0), ()),
    ]


# ---------------------------------------------------------------- 3.16, 3.17 Numbers next to others, orders

ORDERS = """
kind size in order: little, middle, large
order line-up: 2c, 1c
circle ring: 3c, 1c, 2c
circle alone: 1c
"""


@pytest.mark.parametrize(
    ("probe", "value"),
    [
        ("(7 rounded down to 5) * 100 + (7 rounded up to 5)", 510),
        ("(-7 rounded down to 5) * 100 + (-7 rounded up to 5)", -1005),
        ("(10 rounded up to 5) + (7 rounded up to 0) + (7 rounded down to 0)", 10),
        ("(7 rounded up to -5) * 100 + (7 rounded down to -5)", 510),
        ("(the smaller of 3 and 2) * 10 + (the larger of 3 and 2)", 23),
        ("next after 2c in line-up", 0),
        ("next after 1c in line-up", None),
        ("next after 3c in line-up", None),
        ("next before 1c in line-up", 1),
        ("next before 3c in ring", 1),
        ("next after 2c in ring", 2),
        ("next after 1c in alone", 0),
        ("next after 2c in alone", None),
        ("place of 1c in line-up", 2),
        ("place of 3c in line-up", 0),
        ("place of middle in size", 2),
        ("next after middle in size", "large"),
        ("next before little in size", None),
        ("line-up at 1", 1),
        ("line-up at 3", None),
        ("ring at 0", 1),
        ("ring at (-1)", 0),
        ("ring at 4", 2),
        ("alone at 5", 0),
        ("size at 3", "large"),
        ("line-up", bag([0, 1])),
        ("number of t in tiles: t in ring and (next after t in line-up) is not none", 2),
    ],
)
def test_3_16_and_3_17_numbers_and_orders(probe: str, value: object) -> None:
    assert worth(probe, ORDERS) == value


# ---------------------------------------------------------------- 5.8 Tiles dealt to zones


def test_5_8_tiles_dealt_to_zones() -> None:
    text = game(
        deal="heap: 1\nline: extra + 1\nthen held := size of heap * 10 + size of line",
        keys="(extra: number from 0 to 1)",
        match="held: number = 0",
        hands="1 for everyone",
    )
    deal = {"do": "deal", "first": 0, "hands": [["1c"], ["2c"]]}
    match = begun(text)
    assert match.refuses({**deal, "extra": 0, "heap": ["1c", "2c"], "line": ["3c"]}) == "heap"
    assert match.refuses({**deal, "extra": 1, "heap": ["2c"], "line": ["3c"]}) == "line"
    assert match.refuses({**deal, "extra": 0, "heap": ["3c"], "line": ["3c"], "reserve": []}) == "rest"
    assert match.refuses({**deal, "extra": 1, "heap": ["3c"], "line": ["3c", "3c"]}) == "then"
    match.plays({**deal, "extra": 1, "heap": ["1c"], "line": ["3c", "3c"]})
    assert (match.zone("heap"), match.zone("line"), match.zone("stall")) == (bag([0]), bag([2, 2]), bag([1]))
    assert match.var("held") == 12


# ---------------------------------------------------------------- beside replay

SAID_ONCE = f"""
{CONDITIONS.replace("tile /= 3c", "tile /= 3c or n > 0")}
{GROUPS}
action shift(pieces: {{a, b}}) by p "shift"
  where first-one is last
  where rest is p's hand - {{a, b}}
  requires playing(p)
  apart: {{a, b}} in p's hand
  then move {{a, b}} from p's hand to line
  then keep-of(rest)
  then mark(p's right, a)
  then for each n in {{1, 3}}: add(n, n)
  then when first-one is not none: move all from line to first-one-owner's hand else: n := 0
action look by p "look"
  where seen is size of p's hand
  then last := (next after (last otherwise 1c) in ring) otherwise 1c
  then m := (m + seen) rounded up to 4
  then move all from p's hand to p's right's hand
  then n := the smaller of n and place of (last otherwise 3c) in line-up
action back by p "back"
  then last := next before (last otherwise 2c) in ring
  then m := (worth(p's hand) otherwise 0) + (if line-up at n is none then 0 else 1)
define first-one-owner: mover's right
shape one(a): yes
arrangement alone: 1 one
arrangement both: 2 ones
arrangement any-hand: alone or both
score worth(held: tiles) "worth"
  hand: held
  as: any-hand
  define value(t: tile, m: number): if t = low then m else 1
  define low: 1c
  total: sum
  pattern some-points 3: sum of value(t, 2) for t in held > 2
  pattern lone 1: size of held = 1
order line-up: 2c, 1c
circle ring: 3c, 1c, 2c
"""


def test_replay_and_the_judge_agree_about_what_is_said_once() -> None:
    hold(game(SAID_ONCE, state=STATE), 2)


TILES = """
coins: two of each "{n}c" for n in 1 to 2, crown "3"
cards: one of each "{n}{suit}{way}" for n in ace "1", 2, suit in red "r", blue "b", way in up "u", down "d"
"""
WORDED = """
action go(tile) by p "go"
  held: tile in p's hand
  then n := n * 10 + tile's n
  then when tile's suit = blue: m := m + 1
  then when tile's way = down and tile in cards: noted := noted + tile
  then when tile in up: m := m * 2 else when tile's suit is none: m := 0
  then move tile from p's hand to heap
action draw(tile) by p "draw"
  red-one: tile in red + coins
  there: tile in stall
  then move tile from stall to p's hand
  then n := place-of-way(tile)
define place-of-way(t: tile) by t's way: up 1, down 2, none 3
"""


def test_replay_and_the_judge_agree_about_words_of_tiles() -> None:
    hold(game(WORDED, tiles=TILES, state=STATE, stall="tiles"), 2)


TEAMS = """
action win by p "win"
  then p wins; p's right wins
action lose by p "lose"
  then p wins
  then when n mod 2 = 0: nobody wins
  then n := n + size of winners
action pay by p "pay"
  then p pays p's right n + 1
  then n := n + p's gains
action turn by p "turn"
  then mover := (the next q after mover: q /= p or n > 3) otherwise p
  then repeat at most 2 times until n > 1: n := n + 1
  then m := step(n)
define step(a: number)
  when a < 2: 1
  when a < 4: 2
  otherwise: 3
"""


def test_replay_and_the_judge_agree_about_winners_and_payments() -> None:
    payout = "won: for each q in winners: q scores 1 + q's gains"
    hold(game(TEAMS, tiles=TILES, state=STATE, payout=payout, stall="tiles", players="3 to 3"), 3)


def test_replay_and_the_judge_agree_about_tiles_dealt_to_zones() -> None:
    parts = 'action go(tile) by p "go"\n  there: tile in heap\n  then move tile from heap to p\'s hand\n'
    deal = "heap: 1\nline: size of players\nwhere lie is size of line\nthen n := n + lie"
    hold(game(parts, state=STATE, deal=deal, hands="1 for everyone"), 2)


def test_replay_and_the_judge_agree_about_a_text_that_says_much_once() -> None:
    text = (KERNEL_TEXTS / "said-once.golpae").read_text(encoding="utf-8")
    hold(text.replace("game said-once", "game judged"), 2)


ONES = """
action pay by p "pay"
  where free is the one q in players: q's gains = 0 and q /= mover
  where beside is the one q in players: q = free's right
  turn: p = mover or n > 2
  side: beside /= p "{free} sits beside {p}"
  then n := n + 1; free pays beside n
  then mover := free
  then when n > 2: free's right pays free free's gains
action take(tile) by p "take"
  where all-of-it is the one t in p's hand: t /= tile
  held: tile in p's hand
  then move tile from p's hand to heap
  then when all-of-it in p's hand: m := m + 1
"""


def test_replay_and_the_judge_agree_about_the_one() -> None:
    """3.20 and 3.21"""
    deal = "where holder is the one q in players: 1c in q's hand\nthen n := size of holder's hand"
    text = game(
        ONES,
        state=STATE,
        stall="tiles",
        deal=deal,
        hands="2 for everyone",
        players="3 to 3",
    )
    hold(text, 3)
