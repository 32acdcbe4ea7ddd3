"""Random matches under random rule sets, and what holds in every match.

Replay calls them legal; `Legal` lists exactly the events that `check` accepts; no tile is lost or made; payments cancel
out; every hand ends. A spoilt trace gets a verdict, never a traceback.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from golpae.elaborate.instance import bounds
from golpae.ir.ruleset import Action, ParamDecl
from golpae.ir.types import Bool, Choice, Seat, Tile
from golpae.replay.legal_events import Event, Legal
from golpae.replay.machine import Machine, State
from golpae.replay.random_deal import random_deal
from golpae.replay.simulate import DeadEnd, header, play, written
from golpae.replay.state_layout import zone_in
from golpae.trace import Verdict
from tests.replay.play import match, moments
from tests.replay.shared import all_judged, judged, machine, rule_set

GAME = "jjak"
BASE = rule_set(GAME)
SWITCHES = sorted(switch.name for switch in BASE.switches)
LOW, HIGH = bounds(BASE, {})
POINTS = {"ten-rounds"}  # switches under which a hand without a winner brings points that nobody pays

rule_sets = st.sets(st.sampled_from(SWITCHES)).map(lambda on: "+".join([GAME, *sorted(on)]))
random_matches = given(rule_sets, st.integers(LOW, HIGH), st.integers(0, 2**32))

quick = settings(max_examples=25, deadline=None, derandomize=True)
long = settings(max_examples=1000, deadline=None)


def sometimes(rng: random.Random) -> int:
    """Return a number of hands, more often one than many."""
    return rng.choice((1, 1, 2, 3, 11))


# ------------------------------------------------------------------ legal play is called legal


def legal_play_is_legal(table: Machine, rng: random.Random) -> None:
    trace = match(table, rng, sometimes(rng), stake=rng.choice((1, 4)))
    report = judged(trace)
    assert report.outcome.verdict is Verdict.LEGAL, report.outcome.message
    assert report.events == len(trace) - 1
    whole = [i for i, event in enumerate(trace) if event.get("do") in ("end", "finish")]
    for length in rng.sample(range(1, len(trace) + 1), min(5, len(trace))):
        cut = judged(trace[:length]).outcome
        assert cut.verdict is (Verdict.LEGAL if length - 1 in whole else Verdict.INCOMPLETE), cut.message


@quick
@random_matches
def test_random_play_is_legal(rules: str, players: int, seed: int) -> None:
    legal_play_is_legal(machine(rules, players), random.Random(seed))


@pytest.mark.fuzz
@long
@random_matches
def test_much_random_play_is_legal(rules: str, players: int, seed: int) -> None:
    legal_play_is_legal(machine(rules, players), random.Random(seed))


def test_simulated_play_is_legal() -> None:
    for players, seed in product(range(LOW, HIGH + 1), range(5)):
        table = machine(GAME, players)
        trace = [header(table), *play(table, table.new_state(), random.Random(seed), hands=3)]
        assert judged(trace).outcome.verdict is Verdict.LEGAL
        assert Counter(event.get("do") for event in trace)["end"] == 3


def test_simulated_play_is_the_same_for_the_same_seed() -> None:
    table = machine(GAME, 3)
    one, other, third = (list(play(table, table.new_state(), random.Random(s), hands=2)) for s in (1, 1, 2))
    assert one == other != third


# ------------------------------------------------------------------ exactly the legal events


def values(table: Machine, param: ParamDecl) -> list[Any]:
    """Return every value of a parameter."""
    kinds = range(len(table.instance.kinds))
    if param.parts:
        return [list(tiles) for tiles in product(kinds, repeat=len(param.parts))]
    match param.type:
        case Tile():
            return list(kinds)
        case Seat():
            return list(range(table.instance.players))
        case Bool():
            return [False, True]
        case Choice(words):
            return list(words)
        case other:
            raise NotImplementedError(f"no list of every {other}")


def arguments(table: Machine, action: Action) -> Iterator[tuple[Any, ...]]:
    """Yield all arguments that an action could be tried with."""
    seats = [range(table.instance.players)] if action.by is not None else []
    return product(*seats, *(values(table, param) for param in action.params))


def plain(event: Event, action: Action) -> tuple[Any, ...]:
    """Return an event without the order of its `{a, b}` parameters."""
    args = list(event.args)
    first = 0 if action.by is None else 1
    for place, param in enumerate(action.params, first):
        if param.parts:
            args[place] = tuple(sorted(args[place]))
    return (event.action, *args)


def admitted(table: Machine, state: State) -> set[tuple[Any, ...]]:
    """Return every event of the game's own actions that the conditions accept, by trying all."""
    return {
        plain(Event(action.name, args), action)
        for action in table.rules.actions
        if action.kind in ("play", "before")
        for args in arguments(table, action)
        if table.check(action.name, state, args) < 0
    }


def legal_lists_what_is_admitted(table: Machine, rng: random.Random) -> None:
    legal = Legal(table)
    own = {a.name for a in table.rules.actions if a.kind in ("play", "before")}
    states = [state for state, _ in moments(table, rng, rng.choice((1, 2)))]
    for state in rng.sample(states, min(6, len(states))):
        listed = list(legal.events(state))
        assert legal.unlisted(state) == []
        found = [plain(event, table.actions[event.action]) for event in listed if event.action in own]
        assert len(found) == len(set(found)), "an event is listed twice"
        assert set(found) == admitted(table, state)
        for event in listed:
            after = table.copy(state)
            assert table.steps[event.action](after, written(table, event)) is None
        ends_and_finishes(table, state, [event for event in listed if event.action not in own])
        deals(table, state, legal.can_deal(state), rng)


def ends_and_finishes(table: Machine, state: State, listed: list[Event]) -> None:
    """Check that exactly the right winners and payments are accepted and listed."""
    seats = range(table.instance.players)
    others = len(seats) - 1
    some_pay = [table.payout(state), [0] * len(seats), [1] * len(seats), [others, *[-1] * others]]
    some_totals = [list(state.total), [0] * len(seats), [t + 1 for t in state.total]]
    groups = [[p for p in seats if number >> p & 1] for number in range(2 ** len(seats))]
    tried = [("end", (winner, pay)) for winner, pay in product([None, *seats], some_pay)]
    tried += [("finish", (totals, winners)) for totals, winners in product(some_totals, groups)]
    found = [(name, args) for name, args in tried if table.check(name, state, args) < 0]
    different = [item for i, item in enumerate(found) if item not in found[:i]]
    assert different == [(event.action, event.args) for event in listed]


def deals(table: Machine, state: State, seats: list[int], rng: random.Random) -> None:
    for first in range(table.instance.players):
        deal = random_deal(table, state, first, rng)
        left_out = [None] * len(
            deal.args[3:]
        )  # the keys that a game adds may be left out; a random value may be illegal
        deal = Event(deal.action, (*deal.args[:3], *left_out))
        assert (table.check(deal.action, state, deal.args) < 0) == (first in seats)


@quick
@random_matches
def test_exactly_the_listed_events_are_accepted(rules: str, players: int, seed: int) -> None:
    legal_lists_what_is_admitted(machine(rules, players), random.Random(seed))


@pytest.mark.fuzz
@long
@random_matches
def test_exactly_the_listed_events_are_accepted_at_length(rules: str, players: int, seed: int) -> None:
    legal_lists_what_is_admitted(machine(rules, players), random.Random(seed))


# ------------------------------------------------------------------ what is conserved


def lying(table: Machine, state: State) -> Iterator[int]:
    """Return the tiles of all zones."""
    for zone in table.rules.zones:
        places = zone_in(state, zone.name)
        for place in places if zone.each_player else [places]:
            match zone.kind:
                case "row":
                    yield from place.all()
                case "melds":
                    yield from (tile for meld in place for tile in meld)
                case _:
                    yield from place


def seen_as_one(table: Machine, state: State) -> Any:
    """Return everything in a state, so that states can be compared."""
    return {
        name: [(row.slots, row.hidden) for row in (held if isinstance(held, list) else [held])]
        if (held := getattr(state, name)) is not None and "Row" in type(held).__name__
        else repr(held)
        for name in type(state).__slots__
    }


def play_keeps_what_it_has(table: Machine, rng: random.Random) -> None:
    whole = sorted(table.instance.whole)
    reserve = len(whole) - 5 * table.instance.players - 1
    points = bool(POINTS & set(table.rules.active))
    turns = 0
    for state, event in moments(table, rng, sometimes(rng)):
        assert sorted(lying(table, state)) == whole
        before = seen_as_one(table, state)
        assert table.steps[event["do"]](table.copy(state), event) is None
        assert seen_as_one(table, state) == before, "a copy shares something with its original"
        match event["do"]:
            case "deal":
                turns = 0
            case "discard":
                turns += 1
                # every turn but the first draws, or claims and lays; nobody lays three pairs and goes on
                assert points or turns <= 1 + reserve + 2 * table.instance.players
            case "end" if points and event["winner"] is None:
                assert event["pay"] == [len(melds) for melds in state.z_laid]
            case "end":
                assert sum(event["pay"]) == 0
                assert (event["winner"] is None) == (not any(event["pay"]))


@quick
@random_matches
def test_tiles_are_conserved_and_payments_cancel_out(rules: str, players: int, seed: int) -> None:
    play_keeps_what_it_has(machine(rules, players), random.Random(seed))


@pytest.mark.fuzz
@long
@random_matches
def test_tiles_are_conserved_and_payments_cancel_out_at_length(rules: str, players: int, seed: int) -> None:
    play_keeps_what_it_has(machine(rules, players), random.Random(seed))


@quick
@random_matches
def test_every_hand_ends(rules: str, players: int, seed: int) -> None:
    table = machine(rules, players)
    try:
        trace = match(table, random.Random(seed), hands=12)
    except DeadEnd as find_deadlock:
        raise AssertionError("nobody can go on") from find_deadlock
    counts = Counter(event.get("do") for event in trace)
    assert counts["deal"] == counts["end"] == (10 if "ten-rounds" in table.rules.active else 12)


# ------------------------------------------------------------------ spoilt traces get a verdict

STRANGE: list[Any] = [
    None, True, False, -1, 0, 3, 4, 10**30, 1.0, 0.5, "", "?", "6-6", "66", "9-9", "lay", "\x00", "ㅁ", [],
    {}, [None], ["6-6"], ["6-6", "6-6"], ["6-6"] * 3, [["6-6"]], {"tile": "6-6"}, [0], [1.0], [True],
    "x" * 5000, ["\x1b[31m", "\n", "\u202e"], ["", " "],
]  # fmt: skip


def spoilt(trace: list[dict[str, Any]], rng: random.Random) -> list[Any]:
    lines: list[Any] = json.loads(json.dumps(trace))
    for _ in range(rng.choice((1, 1, 2, 5))):
        at = rng.randrange(len(lines))
        match rng.randrange(8):
            case 0 if len(lines) > 1:
                del lines[at]
            case 1:
                lines.insert(at, json.loads(json.dumps(lines[at])))
            case 2:
                other = rng.randrange(len(lines))
                lines[at], lines[other] = lines[other], lines[at]
            case 3 if isinstance(lines[at], dict) and lines[at]:
                del lines[at][rng.choice(list(lines[at]))]
            case 4 if isinstance(lines[at], dict):
                key = rng.choice(("do", "by", "tile", "tiles", "note", "golpae", "extra"))
                lines[at][key] = rng.choice(STRANGE)
            case 5:
                lines[at] = rng.choice(STRANGE)
            case _ if isinstance(lines[at], dict) and lines[at]:
                lines[at][rng.choice(list(lines[at]))] = rng.choice(STRANGE)
    return lines


def spoilt_traces_get_a_verdict(table: Machine, rng: random.Random) -> None:
    trace = match(table, rng, rng.choice((1, 2)))
    for _ in range(10):
        judged_whatever_it_is(spoilt(trace, rng))


def judged_whatever_it_is(lines: list[Any]) -> None:
    reports = all_judged(lines)
    assert reports or not lines
    for report in reports:
        outcome = report.outcome
        good = outcome.verdict in (Verdict.LEGAL, Verdict.INCOMPLETE)
        assert (outcome.message is None) == good
        assert (outcome.event is None) == (outcome.at is None) == good
        assert (outcome.clause is not None) == (outcome.verdict is Verdict.ILLEGAL)
        assert outcome.message is None or (outcome.message.isprintable() and outcome.message)
        if outcome.event:
            assert outcome.at is not None
            assert outcome.at == outcome.line + outcome.event
            before = all_judged(lines[outcome.line - 1 : outcome.at - 1])[0].outcome.verdict
            assert before in (Verdict.LEGAL, Verdict.INCOMPLETE), "what comes before the first fault has none"


@quick
@random_matches
def test_spoilt_traces_get_a_verdict(rules: str, players: int, seed: int) -> None:
    spoilt_traces_get_a_verdict(machine(rules, players), random.Random(seed))


@pytest.mark.fuzz
@long
@random_matches
def test_many_spoilt_traces_get_a_verdict(rules: str, players: int, seed: int) -> None:
    spoilt_traces_get_a_verdict(machine(rules, players), random.Random(seed))
