"""golpae's reading of three-dozen against the same rules written by hand.

Compared over the recorded games, over random ones and over these with one thing spoilt, under every reading,
with sets from double-six to double-eighteen.
"""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from itertools import chain, combinations, product
from pathlib import Path
from typing import Any

import pytest

from golpae.elaborate.instance import bounds
from golpae.replay.legal_events import Event, Legal
from golpae.replay.machine import Machine, State
from golpae.replay.simulate import header, play, take
from golpae.trace import Verdict
from tests.committed import TOP
from tests.replay import perft_files
from tests.replay.shared import LIBRARY, judged, rule_set

Trace = list[dict[str, Any]]
Tile = tuple[int, int]

SWITCHES = ("may-draw", "lay-compulsory", "winner-leads")
MOST = {6: 5, 7: 7, 8: 8, 9: 10, 10: 13, 11: 15, 12: 18, 13: 20, 14: 23, 15: 27, 16: 30, 17: 34, 18: 37}


def rule_sets() -> list[str]:
    """Return the game with every choice of its readings."""
    sets = chain.from_iterable(combinations(SWITCHES, n) for n in range(len(SWITCHES) + 1))
    return ["+".join(["three-dozen", *on]) for on in sets]


def symbolic_state(rules: str, players: int, double: int = 6) -> Machine:
    found = LIBRARY.machine(rules, players, {"double": double})
    assert isinstance(found, Machine), found
    return found


# ------------------------------------------------------------------ the set and its pairs


def whole(double: int) -> list[Tile]:
    return [(high, low) for high in range(double + 1) for low in range(high + 1)]


def pair(a: Tile, b: Tile, double: int) -> bool:
    """Return whether two tiles pair: neighbouring doubles of the ring, or tiles that total twice the
    highest double.
    """
    if a == b:
        return False
    doubles = a[0] == a[1] and b[0] == b[1]
    return (doubles and abs(a[0] - b[0]) in (1, double)) or sum(a + b) == 2 * double


@pytest.mark.parametrize("double", MOST)
def test_every_two_tiles_pair_as_by_hand(double: int) -> None:
    table = symbolic_state("three-dozen", 2, double)
    [pairs] = [d for d in table.rules.definitions if d.name == "pair"]
    function = table._space["d_pair"]
    names = [f"{high}-{low}" for high, low in whole(double)]
    assert sorted(names) == sorted(kind.name for kind in table.instance.kinds)
    assert all(kind.copies == 1 for kind in table.instance.kinds)
    numbers = table.instance.numbers()
    for (a, one), (b, other) in product(zip(whole(double), names, strict=True), repeat=2):
        assert bool(function(None, numbers[one], numbers[other])) == pair(a, b, double), (one, other)
    assert [param.name for param in pairs.params] == ["a", "b"]


def test_the_listed_pairs_of_the_source_pair() -> None:
    doubles = [("6-6", "0-0"), *((f"{d}-{d}", f"{d - 1}-{d - 1}") for d in range(1, 7))]
    dozens = """
        0-0 6-6 0-1 5-6 0-2 4-6 0-2 5-5 0-3 3-6 0-3 4-5 0-4 2-6 0-4 3-5 0-4 4-4 0-5 1-6 0-5 2-5 0-5 3-4
        0-6 1-5 0-6 2-4 0-6 3-3 1-1 4-6 1-1 5-5 1-2 3-6 1-2 4-5 1-3 2-6 1-3 3-5 1-3 4-4 1-4 1-6 1-4 2-5
        1-4 3-4 1-5 2-4 1-5 3-3 1-6 2-3 2-2 2-6 2-2 3-5 2-2 4-4 2-3 2-5 2-3 3-4 2-4 3-3
    """.split()
    listed = doubles + list(zip(dozens[::2], dozens[1::2], strict=True))
    table = symbolic_state("three-dozen", 2)
    numbers, function = table.instance.numbers(), table._space["d_pair"]
    found = {(a, b) for a, b in combinations(range(28), 2) if function(None, a, b)}
    assert len(dozens) == 2 * 34
    assert found == {tuple(sorted((numbers[a], numbers[b]))) for a, b in listed}


@pytest.mark.parametrize(("double", "most"), MOST.items())
def test_the_numbers_of_players_are_those_that_the_tiles_allow(double: int, most: int) -> None:
    assert bounds(rule_set("three-dozen"), {"double": double}) == (2, most)
    tiles = len(whole(double))
    assert 5 * most + 1 <= tiles < 5 * (most + 1) + 1


def test_the_rules_by_hand_know_every_switch() -> None:
    assert {switch.name for switch in rule_set("three-dozen").switches} == set(SWITCHES)


# ------------------------------------------------------------------ the game, by hand


class Game:
    """One match by hand: `may` returns whether an event is legal, `do` applies a legal one."""

    def __init__(self, trace_header: dict[str, Any]) -> None:
        self.switches = frozenset(trace_header["rules"].split("+")[1:])
        self.n = len(trace_header["players"])
        self.stake = trace_header.get("stake", 1)
        self.double = trace_header.get("options", {}).get("double", 6)
        self.now = "before"
        self.lots: dict[int, Tile] = {}
        self.totals = [0] * self.n
        self.winner: int | None = None

    def may(self, event: dict[str, Any]) -> bool:
        allowed: bool = getattr(self, f"_may_{event['do']}")(read(event))
        return allowed

    def do(self, event: dict[str, Any]) -> None:
        getattr(self, f"_{event['do']}")(read(event))

    def _may_lot(self, event: dict[str, Any]) -> bool:
        free = event["by"] not in self.lots and event["tile"] not in self.lots.values()
        return self.now == "before" and free

    def _lot(self, event: dict[str, Any]) -> None:
        self.lots[event["by"]] = event["tile"]
        pips = sorted(map(sum, self.lots.values()))
        if len(pips) == self.n and pips[-1] == pips[-2]:
            self.lots = {}

    def _may_deal(self, event: dict[str, Any]) -> bool:
        if self.now not in ("before", "ended"):
            return False
        if "winner-leads" in self.switches and self.now == "ended" and event["first"] != self.winner:
            return False
        dealt = [tile for hand in event["hands"] for tile in hand]
        sizes = [6 if seat == event["first"] else 5 for seat in range(self.n)]
        rest = set(whole(self.double)) - set(dealt)
        reserve = event.get("reserve")
        fits = [len(hand) for hand in event["hands"]] == sizes and len(set(dealt)) == len(dealt)
        return fits and (reserve is None or sorted(reserve) == sorted(rest))

    def _deal(self, event: dict[str, Any]) -> None:
        self.hands = [set(hand) for hand in event["hands"]]
        self.boneyard = set(whole(self.double)).difference(*self.hands)
        self.discards: list[Tile] = []
        self.pairs = [0] * self.n
        self.turn = event["first"]
        self.claimed = False
        self.owed: Tile | None = None
        self.winner = None
        self.now = "lay"

    def _mate(self) -> bool:
        """Return whether the player to act could use the last discard."""
        last = self.discards[-1:]
        return any(pair(tile, mate, self.double) for tile in last for mate in self.hands[self.turn])

    def _has_to_claim(self) -> bool:
        return self._mate() and "may-draw" not in self.switches

    def _may_claim(self, event: dict[str, Any]) -> bool:
        ready = self.now == "acquire" and event["by"] == self.turn
        return ready and self.discards[-1:] == [event["tile"]] and self._mate()

    def _claim(self, event: dict[str, Any]) -> None:
        self.owed = self.discards.pop()
        self.hands[self.turn].add(self.owed)
        self.claimed, self.now = True, "lay"

    def _may_draw(self, event: dict[str, Any]) -> bool:
        ready = self.now == "acquire" and event["by"] == self.turn
        return ready and not self._has_to_claim() and event["tile"] in self.boneyard

    def _draw(self, event: dict[str, Any]) -> None:
        self.boneyard.remove(event["tile"])
        self.hands[self.turn].add(event["tile"])
        self.claimed, self.now = False, "lay"

    def _may_reshuffle(self, event: dict[str, Any]) -> bool:
        return self.now == "acquire" and not self.boneyard and not self._has_to_claim()

    def _reshuffle(self, event: dict[str, Any]) -> None:
        self.boneyard, self.discards = set(self.discards), []

    def _may_lay(self, event: dict[str, Any]) -> bool:
        tiles = event["tiles"]
        if self.now != "lay" or event["by"] != self.turn or len(tiles) != 2:
            return False
        held = set(tiles) <= self.hands[self.turn] and pair(tiles[0], tiles[1], self.double)
        return held and self.owed in (None, *tiles)

    def _lay(self, event: dict[str, Any]) -> None:
        self.hands[self.turn] -= set(event["tiles"])
        self.owed = None
        self.pairs[self.turn] += 1
        if self.pairs[self.turn] == 3:
            self.winner, self.now = self.turn, "over"

    def _may_discard(self, event: dict[str, Any]) -> bool:
        if self.now != "lay" or event["by"] != self.turn or self.owed is not None:
            return False
        hand = self.hands[self.turn]
        kept = "lay-compulsory" in self.switches and any(
            pair(a, b, self.double) for a, b in combinations(hand, 2)
        )
        return event["tile"] in hand and not kept

    def _discard(self, event: dict[str, Any]) -> None:
        self.hands[self.turn].remove(event["tile"])
        self.discards.append(event["tile"])
        self.turn, self.now = (self.turn + 1) % self.n, "acquire"

    def _may_end(self, event: dict[str, Any]) -> bool:
        if self.now != "over" or self.winner is None or event["winner"] != self.winner:
            return False
        payers = [(self.winner - 1) % self.n] if self.claimed else set(range(self.n)) - {self.winner}
        pay = [-self.stake if seat in payers else 0 for seat in range(self.n)]
        pay[self.winner] = -sum(pay)
        return bool(event["pay"] == pay)

    def _end(self, event: dict[str, Any]) -> None:
        self.totals = [a + b for a, b in zip(self.totals, event["pay"], strict=True)]
        self.now = "ended"

    def _may_finish(self, event: dict[str, Any]) -> bool:
        best = [seat for seat in range(self.n) if self.totals[seat] == max(self.totals)]
        return self.now == "ended" and event["totals"] == self.totals and sorted(event["winners"]) == best

    def _finish(self, event: dict[str, Any]) -> None:
        self.now = "finished"


def read(value: Any) -> Any:
    """Return an event with its tiles as numbers, the higher one first."""
    match value:
        case dict():
            return {key: item if key == "do" else read(item) for key, item in value.items() if key != "note"}
        case list():
            return [read(item) for item in value]
        case str():
            low, high = sorted(map(int, value.split("-")))
            return high, low
        case _:
            return value


def by_hand(trace: Trace) -> tuple[str, int | None]:
    """Return the verdict on a well-formed trace, and the event at fault."""
    game = Game(trace[0])
    for number, event in enumerate(trace[1:], 1):
        if not game.may(event):
            return "illegal", number
        game.do(event)
    return ("legal" if game.now in ("ended", "finished") else "incomplete"), None


def recorded() -> dict[str, tuple[Trace, tuple[str, int | None]]]:
    """Yield the traces of three-dozen under `traces/`, except malformed ones, with their expected verdicts."""
    found = {}
    for path in sorted((TOP / "traces" / "three-dozen").glob("*.jsonl")):
        if path.stem == "unseen":  # with tiles that nobody saw
            continue
        traces = [text.splitlines() for text in path.read_text("utf-8").split("\n\n")]
        verdicts = path.with_suffix(".verdicts").read_text("utf-8").splitlines()
        for lines, verdict in zip(traces, map(json.loads, verdicts), strict=True):
            if verdict["verdict"] != "malformed":
                trace = [json.loads(line) for line in lines]
                found[f"{path.stem}/{trace[0]['id']}"] = trace, (verdict["verdict"], verdict.get("event"))
    return found


@pytest.mark.corpus
def test_recorded_games_are_judged_as_by_hand() -> None:
    games = recorded()
    assert len(games) > 200
    assert {name: by_hand(trace) for name, (trace, _) in games.items()} == {
        name: verdict for name, (_, verdict) in games.items()
    }


# ------------------------------------------------------------------ legal events, counted by hand

FEW = 100  # positions that are enumerated by hand, at most


def moves(game: Game) -> list[dict[str, Any]]:
    """Yield every legal event except deals."""
    names = [f"{high}-{low}" for high, low in whole(game.double)]
    seats = range(game.n)
    tried: list[dict[str, Any]] = [
        {"do": do, "by": by, "tile": tile}
        for do in ("lot", "claim", "draw", "discard")
        for by in seats
        for tile in names
    ]
    tried += [{"do": "lay", "by": by, "tiles": [*two]} for by in seats for two in combinations(names, 2)]
    tried.append({"do": "reshuffle"})
    if game.now == "over":
        steps = [-game.stake, 0, game.stake, game.stake * (game.n - 1)]
        pays = [list(pay) for pay in product(sorted(set(steps)), repeat=game.n)]
        tried += [{"do": "end", "winner": winner, "pay": pay} for winner in seats for pay in pays]
    best = [seat for seat in seats if game.totals[seat] == max(game.totals)]
    tried.append({"do": "finish", "totals": game.totals, "winners": best})
    return [event for event in tried if game.may(event)]


def follow(game: Game, length: int) -> int:
    """Return how many sequences of so many events can follow, without deals."""
    found = moves(game)
    if length == 1:
        return len(found)
    total = 0
    for event in found:
        after = copy.deepcopy(game)
        after.do(event)
        total += follow(after, length - 1)
    return total


@pytest.mark.corpus
@pytest.mark.parametrize("path", perft_files.files("three-dozen"), ids=lambda path: path.stem)
def test_the_perft_counts_are_those_by_hand(path: Path) -> None:
    trace, known = perft_files.read(path)
    game = Game(trace[0])
    for event in trace[1:]:
        game.do(event)
    few = [length for length in range(1, len(known) + 1) if sum(known[: length - 1]) < FEW]
    assert [follow(game, length) for length in few] == [known[length - 1] for length in few]
    assert len(few) >= 2


def test_the_perft_counts_of_lots_are_those_on_paper() -> None:
    """Two players draw lots from 28 tiles, and again if both have the same pips."""
    _, known = perft_files.read(perft_files.FOLDER / "three-dozen-lots-2.txt")
    tiles = [1, 1, 2, 2, 3, 3, 4, 3, 3, 2, 2, 1, 1]  # with 0, 1, ... 12 pips
    ties = sum(n * (n - 1) for n in tiles)
    assert known == [2 * 28, 2 * 28 * 27, 2 * ties * 2 * 28]


# ------------------------------------------------------------------ random games


def eager(legal: Legal, state: State, rng: random.Random) -> Event | None:
    """Return a policy that ends hands: it chooses between laying and discarding first, and likes to lay."""
    events = list(legal.events(state))
    if not events:
        return None
    lays = [event for event in events if event.action == "lay"]
    return rng.choice(lays) if lays and rng.random() < 0.8 else rng.choice(events)


def random_trace(table: Machine, rng: random.Random, hands: int, longest: int = 300) -> Trace:
    """Return a random match with lots. A hand that takes too long is broken off, and the match with it."""
    stake = rng.choice((1, 1, 3))
    state, legal = table.new_state(stake), Legal(table)
    trace = [header(table, stake)]
    lots = rng.choice((0, 0, 1, table.instance.players))
    while lots and (events := list(legal.events(state))):
        trace.append(take(table, state, rng.choice(events)))
        lots -= 1
    trace += play(table, state, rng, hands, eager, longest)
    if table.stage(state) == "ended" and rng.random() < 0.3:
        trace.append(take(table, state, next(legal.events(state))))
    return trace


def spoilt(trace: Trace, rng: random.Random, double: int) -> Trace:
    """Return the trace with one change, still well formed."""
    head, *events = json.loads(json.dumps(trace))
    at = rng.randrange(len(events))
    event = events[at]
    match rng.randrange(5):
        case 0:
            del events[at]
        case 1:
            events.insert(at, event)
        case 2:
            other = rng.randrange(len(events))
            events[at], events[other] = events[other], event
        case _ if len(event) > 1:
            key = rng.choice([k for k in event if k != "do"])
            event[key] = altered(event[key], rng, len(head["players"]), double)
    return [head, *events]


def altered(value: Any, rng: random.Random, players: int, double: int) -> Any:
    match value:
        case str():
            return "-".join(map(str, rng.choice(whole(double))))
        case int():
            return rng.randrange(players)
        case list() if value:
            at = rng.randrange(len(value))
            match rng.randrange(5):
                case 0:
                    del value[at]
                case 1:
                    value.append(value[at])
                case 2:
                    rng.shuffle(value)
                case _:
                    value[at] = altered(value[at], rng, players, double)
            return value
        case _:
            return value


def tables() -> list[tuple[str, int, int]]:
    """Yield rule sets, players and sets: every reading with two to five players, and larger sets."""
    usual = [(rules, players, 6) for rules, players in product(rule_sets(), range(2, 6))]
    more = [
        (rule_sets()[double % 8], players, double)
        for double, most in MOST.items()
        for players in (3, min(most, 8))
    ]
    return usual + more


def play_and_judge(
    rules: str, players: int, double: int, rng: random.Random, hands: int, spoils: int
) -> Counter[str]:
    """Check that replay and the rules by hand agree on random matches, spoilt or not, of so many hands in all."""
    table = symbolic_state(rules, players, double)
    seen: Counter[str] = Counter()
    while seen["deal"] < hands:
        trace = random_trace(table, rng, rng.choice((1, 1, 3, 6)))
        seen.update(event["do"] for event in trace[1:])
        outcome = judged(trace).outcome
        assert (outcome.verdict.value, outcome.event) == by_hand(trace), outcome.message
        assert outcome.verdict in (Verdict.LEGAL, Verdict.INCOMPLETE), outcome.message
        for _ in range(spoils):
            other = spoilt(trace, rng, double)
            outcome = judged(other).outcome
            assert (outcome.verdict.value, outcome.event) == by_hand(other), (outcome.message, other)
    return seen


def test_random_games_are_judged_as_by_hand() -> None:
    seen: Counter[str] = Counter()
    for number, (rules, players, double) in enumerate(tables()):
        seen += play_and_judge(rules, players, double, random.Random(number), hands=2, spoils=2)
    assert seen["deal"] >= 100
    assert seen["end"] > 80
    assert all(seen[do] > 15 for do in ("reshuffle", "lot", "claim"))


@pytest.mark.fuzz
def test_many_random_games_are_judged_as_by_hand() -> None:
    seen: Counter[str] = Counter()
    for number, (rules, players, double) in enumerate(tables()):
        seen += play_and_judge(rules, players, double, random.Random(f"many {number}"), hands=175, spoils=10)
    assert seen["deal"] >= 10_000
