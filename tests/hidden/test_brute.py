"""The judge of logs with unknown tiles, held against counts by hand, against replay, and against a plainer listing."""

from __future__ import annotations

import json
import random
from collections import Counter
from functools import cache
from io import BytesIO
from itertools import islice, permutations, product
from typing import Any

import pytest

from golpae.elaborate.instance import instantiate
from golpae.hidden.hiding import by_chance, seen_from
from golpae.replay.machine import Machine
from golpae.replay.machine_cache import Library
from golpae.replay.replay import replay
from golpae.replay.simulate import header
from golpae.trace import Verdict
from tests.differential.texts import RuleText
from tests.hidden.brute import Event, Judged, TooMany, is_conflict, is_smallest_conflict, judged
from tests.hidden.spoiling import spelt_out, spoilt
from tests.hidden.tiny import TinyGame, table, tiny_games

pytestmark = pytest.mark.property

COINS = """game coins "Two players draw coins and put them down"

players 2 to 2

tiles
  coins: two of each 1c 2c 3c

zones
  stock: row seen by nobody, holds the set
  pile: tiles seen by everyone
  each player's hand: tiles seen by its owner

state of the hand
  mover: seat

deal from stock
  hands: 1 for everyone
  then mover := first

action draw(tile) by p
  turn: p = mover
  front: tile fits front of stock
  then move tile from front of stock to p's hand
  then mover := p's right

action put(coins: tiles) by p
  held: coins in p's hand
  low: every t in coins: t /= 3c
  then move coins from p's hand to pile

end
  due: size of pile = 4
"""
DEAL: Event = {"do": "deal", "first": 0, "hands": [["1c"], ["2c"]]}


@pytest.fixture(scope="module")
def coins() -> Machine:
    return Machine(instantiate(RuleText("coins", COINS, 0).rule_set(), 2, {}))


def test_a_deal_that_nobody_saw_can_be_whatever_the_set_allows(coins: Machine) -> None:
    found = judged(coins, [{"do": "deal", "first": 0, "hands": [1, ["?"]], "reserve": ["?"] * 4}])
    # three kinds twice in six places, in an order: 6! / (2! 2! 2!)
    assert (found.verdict, found.event, found.ways, found.fillings) == ("incomplete", None, 90, 90)
    assert found.certain[1, "hands", 0] == ()
    assert found.possible[1, "reserve", 3] == {"1c", "2c", "3c"}


def test_the_order_of_a_reserve_that_was_left_out_makes_ways_but_no_fillings(coins: Machine) -> None:
    found = judged(coins, [{"do": "deal", "first": 0, "hands": [["1c"], ["?"]]}])
    # of 1c, 2c and 3c: what is left has 4! / (2! 2!), 4! / 2! and 4! / 2! orders
    assert (found.ways, found.fillings) == (6 + 12 + 12, 3)


def test_the_tiles_of_a_list_have_no_order(coins: Machine) -> None:
    deal = {**DEAL, "reserve": ["1c", "2c", "3c", "3c"]}
    events = [deal, {"do": "draw", "by": 0, "tile": "?"}, {"do": "put", "by": 0, "coins": ["?", "?"]}]
    found = judged(coins, events)
    assert (found.verdict, found.ways) == ("incomplete", 1)
    assert found.certain == {(2, "tile", None): ("1c",), (3, "coins", None): ("1c", "1c")}
    assert found.completion[1:] == (
        {"do": "draw", "by": 0, "tile": "1c"},
        {"do": "put", "by": 0, "coins": ["1c", "1c"]},
    )


def test_what_is_put_down_later_tells_what_was_dealt(coins: Machine) -> None:
    events: list[Event] = [
        {"do": "deal", "first": 0, "hands": [["?"], 1]},
        {"do": "put", "by": 1, "coins": ["2c"]},
        {"do": "draw", "by": 0, "tile": "2c"},
    ]
    found = judged(coins, events)
    assert found.certain[1, "hands", 1] == ("2c",)
    assert found.possible[1, "hands", 0] == {"1c", "3c"}
    assert found.certain[1, "reserve", 0] == ("2c",)


def test_an_event_that_no_way_gets_past_is_illegal_and_what_is_certain_ends_before_it(coins: Machine) -> None:
    events: list[Event] = [
        {"do": "deal", "first": 0, "hands": [["?"], ["2c"]]},
        {"do": "draw", "by": 0, "tile": "?"},
        {"do": "put", "by": 0, "coins": ["2c", "2c"]},
    ]
    found = judged(coins, events)
    assert (found.verdict, found.event) == ("illegal", 3)
    assert {place for place in found.certain if place[1] != "reserve"} == {(1, "hands", 0), (2, "tile", None)}
    assert is_smallest_conflict(coins, events, {(1, 1), (3, None)})  # what was drawn is not known anyway
    assert is_conflict(coins, events, {(1, None), (2, None), (3, None)})
    assert not is_smallest_conflict(coins, events, {(1, 1), (2, None), (3, None)})


def test_what_cannot_be_read_is_malformed_and_tiles_that_there_are_not_are_illegal(coins: Machine) -> None:
    assert judged(coins, [DEAL, {"do": "draw", "by": 0}]).verdict == "malformed"
    assert judged(coins, [DEAL, {"do": "drew", "by": 0, "tile": "?"}]).verdict == "malformed"
    assert judged(coins, [{**DEAL, "hands": [["?"] * 7, ["2c"]]}]).verdict == "illegal"


def test_too_many_ways_are_not_listed(coins: Machine) -> None:
    with pytest.raises(TooMany):
        judged(coins, [{"do": "deal", "first": 0, "hands": [1, 1]}], most=50)


# ---------------------------------------------------------------------- random texts


@cache
def games(first: int, number: int) -> tuple[TinyGame, ...]:
    return tuple(islice(tiny_games(first), number))


def by_replay(game: TinyGame, events: list[Event]) -> tuple[str, int | None]:
    """Return what `golpae check` says of a full trace."""
    rules = game.text.rule_set()
    lines = [header(game.machine), *events]
    stream = BytesIO("".join(json.dumps(line) + "\n" for line in lines).encode())
    outcome = next(iter(replay(stream, "trace", Library(lambda name: rules)))).outcome
    return {
        Verdict.LEGAL: ("legal", None),
        Verdict.INCOMPLETE: ("incomplete", None),
        Verdict.ILLEGAL: ("illegal", outcome.event),
        Verdict.MALFORMED: ("malformed", outcome.event),
    }[outcome.verdict]


def hidden_logs(game: TinyGame, rng: random.Random) -> list[list[Event]]:
    """Return logs of one game with unknown tiles, made in every way."""
    machine, events = game.machine, game.events
    return [
        *(spelt_out(by_chance(machine, events, rng, share), rng) for share in (0.05, 0.3, 0.7)),
        *(
            seen_from(machine, table(machine), events, seat)
            for seat in (*range(machine.instance.players), None)
        ),
    ]


def listed(game: TinyGame, events: list[Event]) -> Judged | None:
    try:
        return judged(game.machine, events, most=3_000)
    except TooMany:
        return None


def test_a_trace_without_unknown_tiles_is_judged_as_replay_judges_it() -> None:
    verdicts: Counter[str] = Counter()
    for number, game in enumerate(games(900, 20)):
        rng = random.Random(number)
        for events in (game.events, spoilt(game.machine, game.events, rng)):
            for trace in () if events is None else (events, _without_reserve(events)):
                found = listed(game, trace)
                if found is not None:
                    assert (found.verdict, found.event) == by_replay(game, trace), (game.text.name, trace)
                    verdicts[found.verdict] += 1
    assert verdicts["illegal"] > 5
    assert verdicts["legal"] > 5


def _without_reserve(events: list[Event]) -> list[Event]:
    return [{key: value for key, value in event.items() if key != "reserve"} for event in events]


def test_a_legal_game_of_which_tiles_are_hidden_is_legal_and_what_is_certain_is_so() -> None:
    certain = looked_at = 0
    for number, game in enumerate(games(900, 20)):
        for events in hidden_logs(game, random.Random(number)):
            found = listed(game, events)
            if found is None:
                continue
            looked_at += 1
            assert found.event is None, (game.text.name, events)
            assert by_replay(game, [*found.completion]) == (found.verdict, None)
            assert found.ways >= found.fillings >= 1
            for (at, key, place), tiles in found.certain.items():
                written = game.events[at - 1].get(key)
                if written is not None:  # a reserve that the game itself leaves out
                    there = Counter(
                        _flat(written[place] if key == "hands" and place is not None else written)
                    )
                    assert Counter(tiles) <= there, (game.text.name, events, at, key)
                    certain += len(tiles)
    assert looked_at > 100
    assert certain > 30


def _flat(value: Any) -> list[Any]:
    return [one for item in value for one in _flat(item)] if isinstance(value, list) else [value]


def test_a_spoilt_game_of_which_tiles_are_hidden_is_illegal_at_no_earlier_event() -> None:
    illegal = 0
    for number, game in enumerate(games(900, 20)):
        rng = random.Random(number)
        wrong = spoilt(game.machine, game.events, rng)
        if wrong is None:
            continue
        full = judged(game.machine, wrong)
        for share in (0.1, 0.3):
            found = listed(game, by_chance(game.machine, wrong, rng, share))
            if found is not None and found.event is not None:
                illegal += 1
                assert full.event is not None
                assert full.event <= found.event, (game.text.name, wrong)
    assert illegal > 5


def test_a_plainer_listing_of_whole_traces_says_the_same() -> None:
    compared = 0
    for number, game in enumerate(games(900, 16)):
        rng = random.Random(number)
        for events in (game.events, spoilt(game.machine, game.events, rng) or game.events):
            hidden = by_chance(game.machine, events, rng, 0.3)
            traces = _plainly(game, hidden)
            if traces is None:
                continue
            found = judged(game.machine, hidden, most=100_000)
            said = [by_replay(game, trace) for trace in traces]
            whole = [verdict for verdict, event in said if event is None]
            if whole:
                assert (found.verdict, found.event) == (whole[0], None)
            else:
                assert found.event == max(event or 0 for _, event in said), (game.text.name, hidden)
            compared += 1
    assert compared > 10


def _plainly(game: TinyGame, events: list[Event], most: int = 300) -> list[list[Event]] | None:
    """Return every trace with some tile in place of each unknown one, and every order of a reserve; None if that is
    more than `most`.
    """
    written = json.dumps(
        [
            {**e, "hands": [["?"] * hand if isinstance(hand, int) else hand for hand in e["hands"]]}
            if "hands" in e and e["do"] == "deal"
            else e
            for e in events
        ]
    )
    kinds = [game.machine.tile(i) for i, kind in enumerate(game.machine.instance.kinds) if kind.copies]
    parts = written.split('"?"')
    if len(kinds) ** (len(parts) - 1) > most:
        return None
    out: list[list[Event]] = []
    for tiles in product(kinds, repeat=len(parts) - 1):
        whole = parts[0] + "".join(
            json.dumps(tile) + rest for tile, rest in zip(tiles, parts[1:], strict=True)
        )
        out += _with_orders(game, json.loads(whole))
        if len(out) > most:
            return None
    return out


def _with_orders(game: TinyGame, events: list[Event]) -> list[list[Event]]:
    """Return traces with each order of every reserve that was left out, if tiles are dealt from a row."""
    dealing = next(a.dealing for a in game.machine.rules.actions if a.dealing is not None)
    out: list[list[Event]] = [[]]
    for event in events:
        choices = [event]
        if (
            event["do"] == "deal"
            and "reserve" not in event
            and game.machine.rules.zone(dealing.zone).kind == "row"
        ):
            over = Counter(map(game.machine.tile, game.machine.instance.whole))
            dealt = Counter(tile for hand in event["hands"] for tile in hand)
            if dealt <= over:
                left = [*(over - dealt).elements()]
                choices = [{**event, "reserve": [*order]} for order in {*permutations(left)}]
        out = [[*before, choice] for before in out for choice in choices]
    return out
