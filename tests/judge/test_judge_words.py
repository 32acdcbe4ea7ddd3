"""Words that golpae writes out, carried out by the judge. Expected values are by hand, from docs/semantics.md."""

from __future__ import annotations

import pytest

from tests.judge.texts import Game, begun, game
from tests.judge.values import bag

COINS = "coins: two of each 1c 2c 3c 4c"
SEATS = [["1c", "2c"], ["1c", "3c"], ["2c", "3c"]]
OUT = "each player's out: yes or no = no"
LEAVE = 'action leave by p "leave"\n  then p\'s out := yes\n'


def of_three(parts: str, state: str = "", **changes: str) -> Game:
    """Return a match of three after a deal by seat 0."""
    text = game(parts, tiles=COINS, players="3 to 3", state=state, **changes)
    return begun(text, 3).plays({"do": "deal", "first": 0, "hands": SEATS})


def counted(effects: str) -> object:
    """Return what the number `n` comes to by the effects of one event."""
    lines = "".join(f"    {line}\n" for line in effects.splitlines())
    match = of_three(f'action go by p "go"\n  then\n{lines}', state="n: number = 0\nlimit: number = 3")
    return match.plays({"do": "go", "by": 0}).var("n")


# ---------------------------------------------------------------- 3.14 The next player


@pytest.mark.parametrize(
    ("probe", "out", "seat"),
    [
        ("the next q after mover: not q's out", (), 1),
        ("the next q after mover: not q's out", (1,), 2),
        ("the next q after mover: not q's out", (1, 2), 0),  # the player itself comes last
        ("the next q after mover: not q's out", (0, 1, 2), None),
        ("the next q after mover's right: not q's out", (2,), 0),
        ("the last q before mover: not q's out", (), 2),
        ("the last q before mover: not q's out", (2,), 1),
        ("the last q before mover: not q's out", (1, 2), 0),
        ("the last q before mover: q's out", (), None),
        ("the next q after mover: (the next r after q: r's out) = q", (2,), 2),
    ],
)
def test_3_14_the_next_player_of_whom_something_holds(
    probe: str, out: tuple[int, ...], seat: int | None
) -> None:
    match = of_three(f"{LEAVE}define probe: {probe}\n", state=OUT)
    match.plays(*({"do": "leave", "by": one} for one in out))
    assert match.asks("probe") == seat


# ---------------------------------------------------------------- 7.12 Effects that repeat


@pytest.mark.parametrize(
    ("effects", "n"),
    [
        ("repeat 3 times: n := n + 2", 6),
        ("repeat 1 - 2 times: n := n + 2", 0),
        ("repeat limit times\n  limit := 9\n  n := n + 1", 3),
        ("repeat at most 5 times until n >= 2: n := n + 1", 2),
        ("repeat at most 5 times until yes: n := n + 1", 1),
        ("repeat at most 0 times until yes: n := n + 1", 0),
        ("repeat at most 5 times until no: n := n + 1", 5),
        ("repeat at most 5 times while n < 2: n := n + 1", 2),
        ("repeat at most 5 times while n > 0: n := n + 1", 0),
        ("repeat at most 5 times while limit > 0\n  limit := limit - 2\n  n := n + 1", 2),
        ("repeat 2 times: repeat at most 3 times until n mod 2 = 0: n := n + 1", 4),
    ],
)
def test_7_12_effects_that_repeat(effects: str, n: int) -> None:
    assert counted(effects) == n


def test_7_12_payments_that_repeat() -> None:
    match = of_three("", payout="paid: repeat 3 times: mover scores 2")
    end = {"do": "end", "winner": None, "pay": [6, 0, 0]}
    assert match.plays(end).state.totals == (6, 0, 0)


# ---------------------------------------------------------------- 1.3, 7.5, 7.6 Teams and winners

TEAMS = """
action win by p "win"
  then p wins
action win-both by p "win with the partner"
  then p's team wins
action none by p "nobody"
  then the hand is over
action all "everybody"
  then each player wins
action both by p "both"
  then p wins; p's right wins
action take-back by p "take back"
  then p wins; nobody wins
action add by p "add"
  then p's bags := p's bags + p's right's bags + 1
action far by p "far"
  then p's partner's bags := 5
action first "first"
  then each team's bags := size of its team + (if it in mover's team then 0 else 1)
define team-of-three: size of teams
define partners: number of q in players: q's partner's partner = q and q's partner in q's team
define teams-are-first: teams = {q for q in players: q's partner /= q and q in teams}
define won: winners
define alone: winner
"""


def of_teams() -> Game:

    text = game(TEAMS, tiles=COINS, players="4 to 4 in teams of 2", state="each team's bags: number = 0")
    return begun(text, 4).plays({"do": "deal", "first": 0, "hands": [*SEATS, ["4c", "4c"]]})


@pytest.mark.parametrize(
    ("event", "won", "alone"),
    [
        ({"do": "win", "by": 2}, (2,), 2),
        ({"do": "win-both", "by": 3}, (1, 3), None),
        ({"do": "none", "by": 1}, (), None),
        ({"do": "all"}, (0, 1, 2, 3), None),
        ({"do": "both", "by": 3}, (0, 3), None),
        ({"do": "take-back", "by": 1}, (), None),
    ],
)
def test_7_6_winners(event: dict[str, object], won: tuple[int, ...], alone: int | None) -> None:
    match = of_teams().plays(event)
    assert (match.stage(), match.asks("won"), match.asks("alone")) == ("over", bag(won), alone)
    match.plays({"do": "end", "winner": alone, "pay": [0] * 4})
    assert match.asks("won") == bag(won)
    match.plays({"do": "deal", "first": 0, "hands": [*SEATS, ["4c", "4c"]]})
    assert match.asks("won") == bag([])


def test_7_5_a_state_of_each_team() -> None:
    match = of_teams()

    def bags() -> list[object]:
        return [match.var("bags", seat) for seat in range(4)]

    match.plays({"do": "far", "by": 3})
    assert bags() == [0, 5, 0, 5]
    match.plays({"do": "add", "by": 2})
    assert bags() == [6, 5, 6, 5]
    match.plays({"do": "first"})
    assert bags() == [2, 3, 2, 3]
    assert (match.asks("team-of-three"), match.asks("partners")) == (2, 4)
    assert match.asks("teams-are-first") is True


# ---------------------------------------------------------------- 2.9, 2.10, 3.3, 3.15 Kinds and cases

KINDS = """
kind rank in order: low, middle, high
kind end: one of low, high
define least(rank): rank = low
define below(a: rank, b: rank): a < b
define at-most(a: end, b: rank): a <= b and not (b < a)
define name(n: number) by n
  0 or 1: low
  2 to 4: middle
  otherwise: high
define back(r: rank or none) by r: low 1, none 2, middle 3, high 4
define step(n: number)
  when n < 2: 10
  when n < 4: 20
  otherwise: 30
"""


@pytest.mark.parametrize(
    ("probe", "value"),
    [
        ("below(low, high)", True),
        ("below(high, middle)", False),
        ("below(middle, middle)", False),
        ("at-most(low, middle)", True),
        ("at-most(high, middle)", False),
        ("number of r in {low, high, middle}: r >= middle", 2),
        ("{name(n) for n in {0 to 5}} = {low, low, middle, middle, middle, high}", True),
        ("name(0 - 1)", "high"),
        ("back(middle) * 1000 + back(low) * 100 + back(none) * 10 + back(high)", 3124),
        ("step(1) + step(2) + step(4)", 60),
        ("least(low) and not least(high)", True),
        ("size of players <= 3 and 2 > 1", True),
    ],
)
def test_2_9_and_3_15_kinds_in_order_and_cases(probe: str, value: object) -> None:
    assert of_three(f"{KINDS}define probe: {probe}\n").asks("probe") == value


# ---------------------------------------------------------------- 5.6 Payments during a hand


def test_5_6_payments_during_a_hand() -> None:
    parts = """
action go by p "go"
  then p pays p's right 2
  then when p's gains < 0 - 3: p scores 1
define gained(q: seat): q's gains
define first-gains: gained(mover)
"""
    payout = "paid: for each q in players: q scores q's gains + 10"
    match = of_three(parts, payout=payout, match="kept: number = 0", end="then kept := mover's gains")
    match.plays({"do": "go", "by": 0})
    assert match.asks("first-gains") == -2
    match.plays({"do": "go", "by": 0})
    assert match.asks("first-gains") == -3  # -4, and 1
    assert match.refuses({"do": "end", "winner": None, "pay": [7, 14, 10]}) == "pay"
    match.plays({"do": "end", "winner": None, "pay": [4, 18, 10]})
    assert (match.var("kept"), match.state.totals, match.asks("first-gains")) == (4, (4, 18, 10), 4)
    match.plays({"do": "deal", "first": 0, "hands": SEATS})
    assert match.asks("first-gains") == 0


# ---------------------------------------------------------------- 2.11, 2.12 Tiles that count as others

SET = "coins: two of each 1c 2c 3c\nodd: one of each 2x like 2c 3x like 3c"
SHAPES = """
shape pair(a, b): a = b
arrangement pairs: 2 different pairs
score worth
  given
    hand: tiles
    count: number = 0
  hand: hand
  as: pairs
  total: sum
  pattern twos 1 for each t in hand: t = 2c
"""


@pytest.mark.parametrize(
    ("probe", "value"),
    [
        ("2x = 2c", False),
        ("2x's face = 2c and 1c's face = 1c", True),
        ("2x in coins and 2x's group = coins", True),
        ("size of coins", 5),
        ("odd = {2x, 3x}", True),
        ("faces of {1c, 2x, 2c} = {1c, 2c, 2c}", True),
        ("faces of {{2x}, {1c, 3x}} = {{2c}, {1c, 3c}}", True),
        ("{2x, 2c} is pair", True),
        ("{2x, 3x} is pair", False),
        ("{2x, 2c} in pairs within {2x, 2c, 1c}", True),
        ("{2c, 2c} in pairs within {2x, 2c, 1c}", False),
        ("{2x, 2c, 3x, 3c} is pairs", True),
        ("{2x, 2c, 2c, 2c} is pairs", False),
        ("{{2x, 2c}, {3x, 3c}} lay out {2x, 2c, 3x, 3c} as pairs", True),
        ("{{2c, 2c}, {3x, 3c}} lay out {2x, 2c, 3x, 3c} as pairs", False),
        ("{{2x, 2c}, {2c, 2c}} lay out {2x, 2c, 2c, 2c} as pairs", False),
        ("worth(hand: {2x, 2c, 3x, 3c}) otherwise 0", 2),
        ("worth(hand: {2x, 2c, 2c, 2c}) is none", True),
    ],
)
def test_2_12_shapes_arrangements_and_scores_are_asked_of_faces(probe: str, value: object) -> None:
    assert begun(game(f"{SHAPES}define probe: {probe}\n", tiles=SET)).asks("probe") == value


def test_2_11_melds_keep_their_labels() -> None:
    lay = (
        'action lay(tiles: {a, b}) by p "lay"\n'
        "  then move {a, b} from p's hand to shown as pair\n"
        "define probe: some m in faces of shown: m is pair and 2x not in m and size of m = 2\n"
        "define raw: some m in shown: 2x in m\n"
    )
    match = begun(game(SHAPES + lay, tiles=SET))
    match.plays({"do": "deal", "first": 0, "hands": [["2x", "2c"], ["1c", "3c"]]})
    match.plays({"do": "lay", "by": 0, "tiles": ["2x", "2c"]})
    assert match.asks("probe") is True
    assert match.asks("raw") is True


@pytest.mark.parametrize(("asked", "value"), [("J", 11), ("number of t in kinds: t's rank > J", 1)])
def test_1_7_a_word_of_a_range_of_numbers_is_its_number(asked: str, value: int) -> None:
    tiles = 'ranks: two of each "{rank}c" for rank in 9 to 10, J, Q'
    assert begun(game(f"define probe: {asked}", tiles=tiles)).asks("probe") == value


# ---------------------------------------------------------------- 6.8 Questions about keys that may be left out


@pytest.mark.parametrize(
    ("keys", "broken"),
    [
        ({}, None),
        ({"n": 3}, None),  # `size` is left out, and `both` names it
        ({"n": 4}, "three"),
        ({"size": 5}, None),
        ({"n": 3, "size": 2}, None),
        ({"n": 3, "size": 3}, "both"),
    ],
)
def test_6_8_a_key_that_is_left_out_answers_the_question(keys: dict[str, int], broken: str | None) -> None:
    conditions = "three: if stated, n = 3\n  both: if stated, n /= size\n"
    match = of_three(f'action go(optional n: number, optional size: number) by p "go"\n  {conditions}')
    event = {"do": "go", "by": 0, **keys}
    if broken is None:
        match.plays(event)
    else:
        assert match.refuses(event) == broken


# ---------------------------------------------------------------- 1.14, 2.13, 2.14 Wild tiles

WILD_SET = "coins: two of each 1c 2c 3c 4c\nstars: one of each star moon\nwild: stars"
WILD_SHAPES = """
shape trio(a, b, c): a = b and b = c
shape run(t, next) of 2 or more: {t, next} in {{1c, 2c}, {2c, 3c}, {3c, 4c}} and t /= next
  and (number of t in it: t in wild) <= 1
shape alike of 2 or more: (every t, u in it: t = u) and (number of t in it: t not in wild) >= 1
arrangement whole: 1 trio and 1 alike
score worth
  given
    hand: tiles
  hand: hand
  as: whole
  total: sum
  pattern stars 1 for each t in hand: t = star
  pattern low 5: 1c in trio
"""


@pytest.mark.parametrize(
    ("probe", "value"),
    [
        ("star in wild and 1c not in wild and wild = {moon, star}", True),
        ("{1c, star, moon} is trio", True),
        ("{1c, 2c, moon} is trio", False),
        ("{1c, moon, 3c} is run", True),
        ("{1c, moon, star, 4c} is run", False),
        ("{star, moon} is alike", False),
        ("{2c, star, moon} is alike", True),
        ("{1c, star, moon, 3c, 3c} is whole", True),
        ("{1c, 2c, star, moon, 3c} is whole", False),
        ("{2c, moon} in alikes within {2c, moon}", True),
        ("{2c, star} in alikes within {2c, moon}", False),
        ("{1c} in {1c, 2c, moon} without alikes", True),
        ("moon's face = star and 1c's face = 1c", True),
        ("{{1c, 1c, moon}, {star, 3c}} lay out {1c, 1c, star, moon, 3c} as whole", True),
        ("{{1c, 1c, star}, {star, 3c}} lay out {1c, 1c, star, moon, 3c} as whole", False),
        ("worth(hand: {1c, star, moon, 3c, 3c}) otherwise 0", 7),
        ("worth(hand: {1c, 1c, 2c, 2c, moon}) otherwise 0", 6),
    ],
)
def test_2_13_wild_tiles_count_as_others_in_shapes(probe: str, value: object) -> None:
    assert begun(game(f"{WILD_SHAPES}define probe: {probe}\n", tiles=WILD_SET)).asks("probe") == value


@pytest.mark.parametrize(("said", "value"), [("wild-as: {1c, star}", True), ("wild-as: {2c}", False)])
def test_1_14_what_wild_tiles_count_as_can_be_said(said: str, value: bool) -> None:
    text = game(f"{WILD_SHAPES}define probe: {{1c, star, moon}} is trio\n", tiles=f"{WILD_SET}\n{said}")
    assert begun(text).asks("probe") is value
