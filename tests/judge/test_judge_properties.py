"""Sections 6.6 and 9 of docs/semantics.md, on the judge: all games of tiny tables. Expected values are by hand."""

from __future__ import annotations

from golpae.elaborate.instance import instantiate
from tests.judge.legal_events import Scope, legal_events
from tests.judge.properties import Graph, graph, holds, some_event_is_legal, tiles_are_kept
from tests.judge.table import rules_of
from tests.judge.texts import begun, dealt, game

TINY = "coins: one of each 1c 2c 3c"


def games(text: str, hands: int = 1, scope: Scope | None = None) -> Graph:
    return graph(instantiate(rules_of(text), 2, {}), hands, scope)


def verdicts(found: Graph) -> dict[str, bool]:
    return {prop.name: holds(prop, found) for prop in found.table.rules.properties}


# ---------------------------------------------------------------- 6.6 Legal events


def test_6_6_all_deals_with_and_without_reserve() -> None:
    text = game(tiles=TINY, hands="1 for everyone")
    match = begun(text)
    events = [event for event, _ in legal_events(match.table, match.state)]
    assert len(events) == 2 * 6 * 2  # who is first, who gets what, with or without the reserve
    assert {"do": "deal", "first": 1, "hands": [["3c"], ["1c"]], "reserve": ["2c"]} in events


def test_6_6_the_order_of_a_reserve_counts_in_a_row_only() -> None:
    for stall, orders in (("row", 6), ("tiles", 1)):
        match = begun(game(tiles=TINY, hands="0 for everyone", stall=stall))
        assert len(legal_events(match.table, match.state)) == 2 * (1 + orders)


def test_6_6_events_of_a_hand() -> None:
    parts = """
    action put(these: {a, b}) by p "put"
      turn: p = mover "no"
      held: {a, b} in p's hand "no"
      larger: a = 2c "no"
    action number(n: number) by p "number"
      known: n in {2 to 9} "no"
    action bounded(optional n: number from 1 to 2) by p "bounded"
      turn: p = mover "no"
    action mine(tile) by p "mine"
      held: tile in p's hand "no"
    action words(t: yes or no, w: one of up, down)
      yes: t or w = up "no"
    """
    match = dealt(game(parts))
    found = [event for event, _ in legal_events(match.table, match.state)]
    expected: list[dict[str, object]] = [
        {"do": "put", "by": 0, "these": ["1c", "2c"]},
        {"do": "number", "by": 0, "n": 2},
        {"do": "number", "by": 0, "n": 3},
        {"do": "number", "by": 1, "n": 2},
        {"do": "number", "by": 1, "n": 3},
        {"do": "bounded", "by": 0},
        {"do": "bounded", "by": 0, "n": 1},
        {"do": "bounded", "by": 0, "n": 2},
        {"do": "mine", "by": 0, "tile": "1c"},
        {"do": "mine", "by": 0, "tile": "2c"},
        {"do": "mine", "by": 1, "tile": "1c"},
        {"do": "mine", "by": 1, "tile": "3c"},
        {"do": "words", "t": False, "w": "up"},
        {"do": "words", "t": True, "w": "up"},
        {"do": "words", "t": True, "w": "down"},
        {"do": "end", "winner": None, "pay": [0, 0]},
    ]
    assert sorted(map(repr, found)) == sorted(map(repr, expected))


def test_6_6_lists_and_melds() -> None:
    parts = """
    shape run(a, b): a /= b
    action look(order: tiles) by p "look"
      fits: order fits stall "no"
    action name(these: tiles) by p "name"
      two: size of these = 2 "no"
      mine: these = p's hand "no"
    action take(m: meld) by p "take"
      there: m in shown "no"
    action sets(groups: list of tiles) by p "sets"
      mine: (sum of g for g in groups) = p's hand "no"
      some: p = mover "no"
    """
    text = game(
        parts, tiles=TINY, hands="1 for everyone", deal="then move 1c from mover's hand to shown as run"
    )
    match = begun(text).plays({"do": "deal", "first": 0, "hands": [["1c"], ["2c"]], "reserve": ["3c"]})
    found = [event for event, _ in legal_events(match.table, match.state)]
    assert {"do": "look", "by": 0, "order": ["3c"]} in found
    assert [e for e in found if e["do"] == "name"] == []
    took = [e["m"] for e in found if e["do"] == "take"]
    assert took == [["run", ["1c"]]] * 2  # by both; `["run", "1c"]` names two of them
    assert [e["groups"] for e in found if e["do"] == "sets"] == [[]]


# ---------------------------------------------------------------- 9. Properties


PLAY = """
action put(tile) by p "put a tile down"
  turn: p = mover "no"
  held: tile in p's hand "no"
  then move tile from p's hand to heap
  then mover := p's right
  then out: when p's hand is empty: p wins
"""
PROPERTIES = """
always tiles-there: size of tiles = 3
always winner-is-out: winner is not none implies winner's hand is empty
never both: over and size of heap = 2
always heap-small: size of heap <= 1
reachable won: over
reachable second: winner is not none and winner /= mover's right
always mover-known: mover = mover
always one-less after put: size of p's hand = earlier(size of p's hand) - 1
always key-there after put: tile in heap and earlier(tile not in heap)
always wrong after put: mover = p
always same-key after put: earlier(tile in p's hand)
ends hands: sum of size of p's hand for p in players
ends too-slow: size of stall
ends puts after put: sum of size of p's hand for p in players
theorem three: size of kinds = 3
claim about-set: some t in tiles: t = 1c
claim about-game: size of heap < 2
theorem bad: some t in tiles: t's group /= coins
"""


def test_9_1_to_9_5_properties_of_all_games() -> None:
    found = games(game(PLAY + PROPERTIES, tiles=TINY, hands="1 for everyone"))
    assert verdicts(found) == {
        "tiles-there": True,
        "winner-is-out": True,
        "both": True,
        "heap-small": True,
        "won": True,
        "second": False,
        "mover-known": True,
        "one-less": True,
        "key-there": True,
        "wrong": False,
        "same-key": True,
        "hands": True,
        "too-slow": True,
        "puts": True,
        "three": True,
        "about-set": True,
        "about-game": True,
        "bad": False,
    }
    assert tiles_are_kept(found)
    assert some_event_is_legal(found)


def test_9_3_names_of_a_list_stand_for_the_order_of_the_event() -> None:
    parts = """
    action put(these: {a, b}) by p "put"
      once: heap is empty and p = mover "no"
      order: a = 2c "no"
      held: {a, b} in p's hand "no"
      then move {a, b} from p's hand to heap
    always first-is-two after put: a = 2c and b /= 2c
    reachable happens: heap is not empty
    """
    found = games(game(parts, tiles=TINY, hands="2 for first, 1 for the others"))
    assert verdicts(found) == {"first-is-two": True, "happens": True}


def test_9_3_a_row_remembers_what_fits() -> None:
    parts = """
    action mix by p "shuffle"
      turn: p = mover "no"
      then shuffle stall
    action look(order: tiles) by p "look"
      turn: p = mover "no"
      right: order fits stall "no"
    always same after mix: stall at 1 = earlier(stall at 1)
    always hidden after mix: stall at 1 is none
    reachable known: stall at 1 is not none
    """
    found = games(game(parts, tiles=TINY, hands="0 for everyone"))
    assert verdicts(found) == {"same": False, "hidden": True, "known": True}


def test_9_7_no_event_is_legal() -> None:
    stuck = game(tiles=TINY, hands="1 for everyone", end='never: size of heap = 1 "no"')
    assert not some_event_is_legal(games(stuck))


def test_9_7_a_hand_that_is_over_has_to_end() -> None:
    won = """
    action win by p
      then p wins
    """
    assert some_event_is_legal(games(game(won, tiles=TINY, hands="1 for everyone")))
    assert not some_event_is_legal(
        games(game(won, tiles=TINY, hands="1 for everyone", end="sooner: not over"))
    )


def test_9_1_a_game_may_go_on_to_its_finish() -> None:
    found = games(game(tiles=TINY, hands="1 for everyone"))
    stages = {state.stage: 0 for state in found.states}
    assert sorted(stages) == ["before", "ended", "finished", "playing"]
    assert {step.action for step in found.steps} == {"deal", "end", "finish"}


def test_9_7_several_hands() -> None:
    text = game(
        "always few: hands-played <= 1\nalways none: hands-played = 0\n" + PLAY,
        tiles=TINY,
        hands="1 for everyone",
    )
    assert verdicts(games(text, hands=1)) == {"few": True, "none": False}
    assert verdicts(games(text, hands=2)) == {"few": False, "none": False}


WAYS = """
shape pair(a, b): a = b
shape mixed(a, b): a /= b
shape two: pair or mixed
arrangement one: 1 two
arrangement both: 2 twos
arrangement some-or-all: one or both
score worth "worth"
  given
    hand: tiles
    shown: melds = {}
    drawn: yes or no
  provided
    held: size of hand > 0 or not drawn "no"
  hand: hand
  fixed: shown
  as: some-or-all
  total: sum
  pattern pairs 1: drawn and some s in twos: s is pair
  pattern one 2: two is mixed
action lay(these: tiles) by p "lay"
  then move these from p's hand to shown as mixed
theorem some-four: some way of worth: points = 4
theorem some-three: some way of worth: points = 3
theorem at-most-two: every way of worth: points <= 2
theorem kept-is-points: every way of worth: kept = (points > 0)
theorem drawn-has-hand: no way of worth: drawn and hand is empty
theorem melds-are-two: every way of worth: every m in shown: m is two
theorem melds-are-mixed: every way of worth: every m in shown: m is mixed
theorem called-two: some way of worth: some m in shown: m is pair and m is not mixed
theorem an-odd-meld: some way of worth: some m in shown: size of m = 3
"""


def test_9_6_every_way() -> None:
    found = begun(game(WAYS, tiles="coins: two of each 1c 2c", hands="1 for everyone"))
    start = Graph(found.table, (found.state,), (), frozenset())
    assert verdicts(start) == {
        "some-four": False,
        "some-three": False,
        "at-most-two": True,
        "kept-is-points": True,
        "drawn-has-hand": True,
        "melds-are-two": True,
        "melds-are-mixed": False,  # a pair can be stated, though no action lays one
        "called-two": True,
        "an-odd-meld": False,
    }
