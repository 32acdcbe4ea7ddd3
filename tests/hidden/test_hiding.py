"""What one player saw of a recorded game: by hand, of a game with every kind of zone, and of games that break rules."""

from __future__ import annotations

import random
from typing import Any

import pytest

from golpae.elaborate.instance import instantiate
from golpae.hidden.hiding import by_chance, seat_named, seen_from, still_hidden
from golpae.replay.machine import Machine
from golpae.trace import Header, read_header
from tests.differential.texts import RuleText
from tests.hidden.tiny import table

# Coins are drawn from a row, put down face up, and given face down to the other player; what somebody has laid aside
# can be looked at by all once the owner has no coins left.
COINS = """game coins "Two players draw coins and put them down"

players 2 to 2

tiles
  coins: two of each 1c 2c 3c 4c

zones
  stock: row seen by nobody, holds the set
  market: tiles seen by everyone
  pile: tiles seen by everyone
  each player's hand: tiles seen by its owner

state of the hand
  mover: seat

deal from stock
  hands: 2 for everyone
  market: 1
  then mover := first

action draw(tile) by p
  turn: p = mover
  front: tile fits front of stock
  then move tile from front of stock to p's hand

action give(tile) by p
  turn: p = mover
  held: tile in p's hand
  then move tile from p's hand to p's right's hand

action call(tile) by p
  turn: p = mover
  low: tile /= 4c

action put(coins: tiles) by p
  turn: p = mover
  held: coins in p's hand
  then move coins from p's hand to pile
  then mover := p's right

end
  due: size of pile = 4
"""
Event = dict[str, Any]
DEAL: Event = {
    "do": "deal",
    "first": 0,
    "hands": [["1c", "2c"], ["2c", "3c"]],
    "market": ["4c"],
    "reserve": ["4c", "3c", "1c", "4c"],
}
HIDDEN: Event = {"do": "deal", "first": 0, "hands": [["1c", "2c"], 2], "market": ["4c"]}
GAME: list[Event] = [
    DEAL,
    {"do": "draw", "by": 0, "tile": "3c", "note": "quickly"},
    {"do": "give", "by": 0, "tile": "1c"},
    {"do": "call", "by": 0, "tile": "3c"},
    {"do": "put", "by": 0, "coins": ["2c"]},
    {"do": "put", "by": 1, "coins": ["2c", "3c"]},
]


@pytest.fixture(scope="module")
def coins() -> Machine:
    return Machine(instantiate(RuleText("coins", COINS, 0).rule_set(), 2, {}))


def seen(machine: Machine, events: list[Event], seat: int | None) -> list[Event]:
    return seen_from(machine, table(machine), events, seat)


def tiles(events: list[Event], key: str = "tile") -> list[Any]:
    return [event[key] for event in events if key in event]


def test_a_player_knows_the_tiles_of_the_own_events_and_of_the_own_hand(coins: Machine) -> None:
    assert seen(coins, GAME, 0) == [HIDDEN, *GAME[1:]]


def test_others_see_what_comes_to_them_what_lies_open_and_what_is_said(coins: Machine) -> None:
    found = seen(coins, GAME, 1)
    assert found[0] == {"do": "deal", "first": 0, "hands": [2, ["2c", "3c"]], "market": ["4c"]}
    assert found[1] == {"do": "draw", "by": 0, "tile": "?", "note": "quickly"}
    assert tiles(found) == ["?", "1c", "3c"]
    assert found[4:] == GAME[4:]


def test_somebody_without_a_seat_sees_the_table(coins: Machine) -> None:
    found = seen(coins, GAME, None)
    assert found[0] == {"do": "deal", "first": 0, "hands": [2, 2], "market": ["4c"]}
    assert tiles(found) == ["?", "?", "3c"]
    assert tiles(found, "coins") == [["2c"], ["2c", "3c"]]


def test_a_game_that_breaks_a_rule_is_followed(coins: Machine) -> None:
    out_of_turn = {"do": "draw", "by": 1, "tile": "3c"}
    found = seen(coins, [DEAL, out_of_turn, *GAME[2:]], 0)
    assert found == [HIDDEN, {**out_of_turn, "tile": "?"}, *GAME[2:]]


def test_a_game_goes_on_behind_a_tile_that_is_not_there(coins: Machine) -> None:
    wrong = {"do": "give", "by": 0, "tile": "4c"}
    events = [*GAME[:2], wrong, *GAME[3:]]
    assert seen(coins, events, None) == [seen(coins, GAME, None)[0], *seen(coins, events, None)[1:]]
    assert tiles(seen(coins, events, None)) == ["?", "?", "3c"]
    assert tiles(seen(coins, events, 1)) == ["?", "4c", "3c"]
    put = {"do": "put", "by": 0, "coins": ["4c"]}  # which everybody sees, although it cannot be
    assert seen(coins, [*GAME[:4], put, GAME[5]], None)[4:] == [put, GAME[5]]


def test_a_deal_that_cannot_be_shows_no_more_than_another(coins: Machine) -> None:
    deal = {**DEAL, "hands": [["1c", "2c"], ["1c", "1c"]]}
    assert seen(coins, [deal, *GAME[1:]], 0)[0] == HIDDEN


def test_tiles_that_were_unknown_stay_unknown(coins: Machine) -> None:
    recorded = [{**DEAL, "hands": [2, ["?", "3c"]]}, {"do": "draw", "by": 0, "tile": "?"}]
    del recorded[0]["reserve"]
    found = [still_hidden(coins, *both) for both in zip(seen(coins, GAME[:2], 1), recorded, strict=True)]
    assert found == [{**HIDDEN, "hands": [2, ["?", "3c"]]}, {"do": "draw", "by": 0, "tile": "?"}]
    assert still_hidden(coins, GAME[2], {"do": "give", "by": 0}) == {"do": "give", "by": 0}


def test_tiles_are_hidden_by_chance(coins: Machine) -> None:
    all_of_them = by_chance(coins, GAME, random.Random(1), 1)
    assert all_of_them[0] == {"do": "deal", "first": 0, "hands": [2, 2], "market": ["?"]}
    assert tiles(all_of_them) == ["?", "?", "?"]
    assert tiles(all_of_them, "coins") == [["?"], ["?", "?"]]
    assert by_chance(coins, GAME, random.Random(1), 0) == GAME


def players(*names: str) -> Header:
    found = read_header({"golpae": 1, "rules": "coins", "players": [*names]})
    assert isinstance(found, Header)
    return found


def test_seats_have_names_and_numbers() -> None:
    five = players("An", "2", "none", "Bo", "Bo")
    assert [seat_named(five, word) for word in ("An", "2", "none", "3")] == [0, 1, 2, 3]
    assert seat_named(five, "Bo") == "several players are called `Bo`: say the seat, a number from 0 to 4"
    assert "there is no player `5` at this table" in str(seat_named(five, "5"))
    assert seat_named(players("An"), "none") is None


def test_a_hand_that_is_laid_open_later_shows_what_still_lies_there_of_the_deal() -> None:
    laid_open = COINS.replace("seen by its owner\n", "seen by its owner, by everyone when size of pile = 1\n")
    machine = Machine(instantiate(RuleText("coins", laid_open, 0).rule_set(), 2, {}))
    put = {"do": "put", "by": 0, "coins": ["2c"]}
    assert seen(machine, [DEAL], None)[0]["hands"] == [2, 2]
    assert seen(machine, [DEAL, put], None)[0]["hands"] == [["1c", "?"], ["2c", "3c"]]
    # 0 has drawn a 3c then, and has given 1c to 1: nobody else knows which tiles were dealt
    assert seen(machine, GAME[:5], None)[0]["hands"] == [2, 2]
    assert seen(machine, GAME, 1)[0]["hands"] == [2, ["2c", "3c"]]
