"""golpae's reading of korean-mahjong, compared with the same rules written by hand.

By hand: the points of a winning hand, and the legal events of a match. Compared with and without the switches: hands
composed to win, and random games played towards winning.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from golpae.replay.decode import Bad
from golpae.replay.legal_events import Legal
from golpae.replay.machine import Machine
from golpae.replay.score_hand import Fault, Scored, Waiting, score_hand
from golpae.replay.simulate import written
from golpae.trace import Verdict
from tests.committed import TOP
from tests.replay import perft_files
from tests.replay.shared import LIBRARY, judged, machine

GAME = "korean-mahjong"
SWITCHES = (
    "dealer-keeps",
    "any-win-suffices",
    "fixed-seats",
    "four-as-two-pairs",
    "man-whole-round",
    "no-implied",
    "pairs-are-no-sets",
    "plum-by-flower",
    "premium-each",
    "readies-add",
)
WINDS, DRAGONS = "ESWN", "PFC"
SUITED = [f"{rank}{suit}" for suit in "mp" for rank in range(1, 10)]
KINDS = [*SUITED, *WINDS, *DRAGONS]
FLOWERS = [f"f{i}" for i in range(1, 5)]
WHOLE = Counter(dict.fromkeys(KINDS, 4) | dict.fromkeys(FLOWERS, 1))
SEATS = range(4)

Event = dict[str, Any]
Melds = tuple[tuple[str, str], ...]  # ("pung", "3m"), ...
Group = tuple[str, ...]


def switch_sets(seed: int, number: int) -> list[frozenset[str]]:
    """Return some combinations of switches that change scores: none, all, and random ones."""
    rng = random.Random(seed)
    some = [frozenset(s for s in SWITCHES[1:] if rng.random() < 0.4) for _ in range(number)]
    return [frozenset(), frozenset(SWITCHES[1:]), *some]


def rule_set(switches: Iterable[str]) -> str:
    return "+".join([GAME, *sorted(switches)])


def following(tile: str, steps: int = 1) -> str:
    """Return the tile so many ranks higher in the suit, or one that does not exist."""
    return f"{int(tile[0]) + steps}{tile[1]}" if tile in SUITED else ""


# ------------------------------------------------------------------ the points of a hand, by hand


@lru_cache(maxsize=200_000)
def sets_of(tiles: Group) -> tuple[tuple[Group, ...], ...]:
    """Return every way to lay sorted tiles out in pungs and chows."""
    if not tiles:
        return ((),)
    first, found = tiles[0], []
    for group in ((first,) * 3, (first, following(first), following(first, 2))):
        rest = Counter(tiles)
        rest.subtract(group)
        if min(rest[tile] for tile in group) >= 0:
            found += [(group, *others) for others in sets_of(tuple(sorted(rest.elements())))]
    return tuple(dict.fromkeys(tuple(sorted(way)) for way in found))


@lru_cache(maxsize=200_000)
def layouts(tiles: Group, four_as_two: bool) -> tuple[tuple[str, tuple[Group, ...], Group], ...]:
    """Return every way to lay the tiles beside the melds out: ("sets", sets, pair) or ("pairs", pairs, no
    pair).
    """
    counts = Counter(tiles)
    found: list[tuple[str, tuple[Group, ...], Group]] = []
    for pair in (tile for tile in counts if counts[tile] >= 2):
        rest = counts - Counter({pair: 2})
        found += [("sets", sets, (pair, pair)) for sets in sets_of(tuple(sorted(rest.elements())))]
    if len(tiles) == 14 and all(n == 2 or (n == 4 and four_as_two) for n in counts.values()):
        found.append(("pairs", tuple((t, t) for t in sorted(tiles)[::2]), ()))
    return tuple(found)


@dataclass(frozen=True)
class Won:
    """A hand and how it was won. `hand` is without the winning tile."""

    hand: Group
    melds: Melds
    flowers: int
    win: str
    self_drawn: bool
    seat_wind: str
    ready: str | None = None
    first: bool = False  # ready with the first discard
    last_tile: bool = False
    robbing: bool = False
    replacement: bool = False
    flower_replacement: bool = False
    heavenly: bool = False
    earthly: bool = False
    man: bool = False


NOT_ELIGIBLE = {
    "flower",
    "premium",
    "ready",
    "open-ready",
    "last-tile-draw",
    "robbing-the-kong",
    "out-with-replacement",
    "all-flowers",
    "moon-at-the-bottom-of-the-sea",
    "plum-blossom-on-the-roof",
}
WAYS = ("last_tile", "robbing", "replacement", "flower_replacement", "heavenly", "earthly", "man")


def patterns_of(
    won: Won, kind: str, groups: Sequence[Group], pair: Group, completed: Group, switches: frozenset[str]
) -> dict[str, int]:
    """Return the patterns of one layout that are worth something."""
    whole = [*won.hand, won.win, *(t for label, t in won.melds for _ in range(3 if label == "pung" else 4))]
    suits = {t[1] for t in whole if t in SUITED}
    honors = any(t not in SUITED for t in whole)
    closed = all(label == "concealed-kong" for label, _ in won.melds)
    out: dict[str, int] = {}

    def add(name: str, points: int, holds: bool = True) -> None:
        if holds and points:
            out[name] = points

    if kind == "sets":
        loose = [g[0] for g in groups if g[0] == g[1]]
        chows = [g for g in groups if g[0] != g[1]]
        pungs = [*loose, *(t for _, t in won.melds)]
        hidden = sum(1 for label, _ in won.melds if label == "concealed-kong") + len(loose)
        if not won.self_drawn and completed[0] == completed[-1] and len(completed) == 3:
            hidden -= 1
        dragons = sum(1 for t in pungs if t in DRAGONS)
        winds = sum(1 for t in pungs if t in WINDS)
        add("all-chows", 1, len(chows) == 4 and not honors)
        add("dragon-pung", dragons)
        add("seat-wind", 1, won.seat_wind in pungs)
        add("concealed-hand", 1, closed and not won.self_drawn)
        add("all-pungs", 2, len(pungs) == 4)
        starts = {g[0] for g in chows}
        add("pure-straight", 2, any({f"1{s}", f"4{s}", f"7{s}"} <= starts for s in "mp"))
        add("little-three-dragons", 4, dragons == 2 and pair[0] in DRAGONS)
        add("big-three-dragons", 8, dragons == 3)
        add("three-concealed-pungs", 4, hidden >= 3)
        add("four-concealed-pungs", 8, hidden == 4)
        add("little-four-winds", 8, winds == 3 and pair[0] in WINDS)
        add("big-four-winds", 12, winds == 4)
    else:
        add("seven-pairs", 4)
    add("all-simples", 1, not honors and all(t[0] not in "19" for t in whole))
    add("flower", won.flowers)
    add("all-flowers", 8, won.flowers == 4)
    others = whole.count(won.win) - 1
    add("premium", others if "premium-each" in switches else min(others, 1))
    dearer = won.ready == "open" or won.first
    add("ready", 1, won.ready is not None and (not dearer or "readies-add" in switches))
    add("open-ready", 2, won.ready == "open")
    add("double-ready", 5, won.first)
    hidden_whole = closed and (kind == "sets" or "pairs-are-no-sets" not in switches)
    add("fully-concealed", 2, hidden_whole and won.self_drawn)
    add("half-flush", 2, len(suits) == 1 and honors)
    add("full-flush", 8, len(suits) == 1 and not honors)
    add("all-terminals", 8, not honors and all(t[0] in "19" for t in whole))
    add("all-honors", 12, not suits)
    add("last-tile-draw", 5, won.last_tile)
    add("moon-at-the-bottom-of-the-sea", 8, won.last_tile and won.win == "1p")
    add("robbing-the-kong", 5, won.robbing)
    add("out-with-replacement", 5, won.replacement)
    from_behind = won.replacement or (won.flower_replacement and "plum-by-flower" in switches)
    add("plum-blossom-on-the-roof", 8, from_behind and won.win == "5p")
    add("heavenly-hand", 16, won.heavenly)
    add("earthly-hand", 16, won.earthly)
    add("blessing-of-man", 16, won.man and closed)
    gates = {s: sorted(f"{r}{s}" for r in "1112345678999") for s in "mp"}
    add("nine-gates", 24, any(sorted(won.hand) == gates[s] and won.win[1:] == s for s in "mp"))
    return out


# What always comes along with a pattern, as a winner would argue it: of a pung or a pair that the winning tile
# completes there is another tile in the hand; with four pungs and with seven pairs that is every one of them.
ALONG = {
    "premium": {"all-pungs", "seven-pairs", "all-honors", "all-terminals", "nine-gates"}
    | {"four-concealed-pungs", "big-four-winds"},
    "all-pungs": {"four-concealed-pungs", "big-four-winds"},
    "seven-pairs": {"all-terminals"},
    "three-concealed-pungs": {"four-concealed-pungs"},
    "seat-wind": {"big-four-winds"},
    "dragon-pung": {"little-three-dragons", "big-three-dragons"},
    "full-flush": {"nine-gates"},
    "fully-concealed": {"heavenly-hand", "earthly-hand", "open-ready"},
    "flower": {"all-flowers"},
    "last-tile-draw": {"moon-at-the-bottom-of-the-sea"},
    "out-with-replacement": {"plum-blossom-on-the-roof"},
}


def along(switches: frozenset[str]) -> dict[str, set[str]]:
    """Return what always comes along with a pattern under these switches."""
    out = {name: set(others) for name, others in ALONG.items()}
    if "pairs-are-no-sets" in switches:
        del out["fully-concealed"]  # each of these may be seven pairs
    if "plum-by-flower" in switches:
        del out["out-with-replacement"]
    if "readies-add" in switches:
        out["ready"] = {"open-ready", "double-ready"}
    return out


def counted(patterns: dict[str, int], switches: frozenset[str]) -> dict[str, int]:
    """Return the patterns that are added."""
    if "no-implied" not in switches:
        return patterns
    others = along(switches)
    return {name: n for name, n in patterns.items() if not others.get(name, set()) & set(patterns)}


def eligible(patterns: Mapping[str, int]) -> int:
    both = "all-chows" in patterns and "all-simples" in patterns
    return sum(points for name, points in patterns.items() if name not in NOT_ELIGIBLE) - both


@lru_cache(maxsize=200_000)
def worth(won: Won, switches: frozenset[str]) -> tuple[int, tuple[dict[str, int], ...], bool] | None:
    """Return the points of a hand, every list of patterns with these points, and whether it is fully concealed in each
    of its best layouts; None if it does not win.
    """
    tiles = tuple(sorted((*won.hand, won.win)))
    if len(tiles) + 3 * len(won.melds) != 14:
        return None
    readings = []
    for kind, groups, pair in layouts(tiles, "four-as-two-pairs" in switches):
        for completed in {g for g in (*groups, pair) if won.win in g}:
            found = patterns_of(won, kind, groups, pair, completed, switches)
            if eligible(found) >= 2:
                readings.append((counted(found, switches), "fully-concealed" in found))
    if not readings:
        return None
    best = max(sum(r.values()) for r, _ in readings)
    tied = [(r, concealed) for r, concealed in readings if sum(r.values()) == best]
    return best, tuple(r for r, _ in tied), all(concealed for _, concealed in tied)


# ------------------------------------------------------------------ random winning hands


def tiles_of(label: str, tile: str) -> list[str]:
    if label == "chow":
        return [tile, following(tile), following(tile, 2)]
    return [tile] * {"pair": 2, "pung": 3, "kong": 4, "concealed-kong": 4}[label]


def composed(rng: random.Random) -> tuple[list[str], Melds]:
    """Return the tiles in hand with the winning one, and the melds. Some hands keep to few kinds, as dear
    hands do.
    """
    pool = rng.choice(
        (
            KINDS,
            KINDS,
            SUITED,
            [k for k in KINDS if k[-1] != "m"],
            SUITED[9:],
            [*WINDS, *DRAGONS],
            [*WINDS, "1p"],
            [*DRAGONS, *SUITED[:9]],
            [k for k in SUITED if k[0] not in "19"],
            [k for k in SUITED if k[0] in "19"],
            SUITED[:5],
        )
    )
    while True:
        style = rng.random()
        if style < 0.1:
            tiles = [t for k in rng.choices(pool, k=7) for t in (k, k)]
            if max(Counter(tiles).values()) <= 4:
                return tiles, ()
            continue
        if style < 0.15:
            suit = rng.choice("mp")
            return [*(f"{r}{suit}" for r in "1112345678999"), f"{rng.randint(1, 9)}{suit}"], ()
        if style < 0.2:
            suits = "mp" if rng.random() < 0.5 else rng.choice("mp") * 4
            parts = [("chow", f"{r}{suits[0]}") for r in (1, 4, 7)]
        else:
            parts = []
        called = rng.choice((0, 0, 0, 1, 2, 3, 4)) if not parts else rng.randint(0, 1)
        melds = [(rng.choice(("pung", "kong", "concealed-kong")), rng.choice(pool)) for _ in range(called)]
        chows = rng.random()
        while len(parts) + len(melds) < 4:
            label = "chow" if rng.random() < chows else "pung"
            tile = rng.choice(pool)
            if label == "pung" or following(tile, 2) in SUITED:
                parts.append((label, tile))
        parts.append(("pair", rng.choice(pool)))
        tiles = [t for part in parts for t in tiles_of(*part)]
        held = Counter([*tiles, *(t for meld in melds for t in tiles_of(*meld))])
        if max(held.values()) <= 4:
            return tiles, tuple(melds)
        if rng.random() < 0.05:
            pool = KINDS


def random_win(rng: random.Random, switches: frozenset[str] = frozenset()) -> Won:
    """Return a hand won in some way, now and then with another tile, so that few of these win."""
    tiles, melds = composed(rng)
    rng.shuffle(tiles)
    if rng.random() < 0.1:
        held = Counter([*tiles, *(t for meld in melds for t in tiles_of(*meld))])
        free = [k for k in KINDS if held[k] < 4]
        tiles[-1] = rng.choice(free)
    win = tiles.pop()
    drawn = rng.random() < 0.5
    wind = rng.choice(WINDS)
    labels = {label for label, _ in melds}
    ways = ["last_tile"] if drawn else []
    if drawn and labels & {"kong", "concealed-kong"}:
        ways += ["replacement"] * 3
    if not drawn and win not in (*tiles, *(t for _, t in melds)):
        ways += ["robbing"] * 3
    dealer = rng.random() < 0.5 if "fixed-seats" in switches else wind == "E"
    whole_round = "man-whole-round" in switches
    if not melds and drawn:
        ways.append("heavenly" if dealer else "earthly")
    if not drawn and (labels <= {"concealed-kong"} if whole_round else not melds and not dealer):
        ways.append("man")
    way = rng.choice(("", "", *ways))
    flags: dict[str, bool] = {way: True} if way else {}
    if way == "replacement" and rng.random() < 0.3:
        flags["last_tile"] = True
    flowers = rng.choice((0, 0, 1, 2, 3, 4))
    if drawn and flowers and way != "replacement" and rng.random() < 0.3:
        flags["flower_replacement"] = True
    ready = None
    vowing = ("", "last_tile", "robbing", "man") if whole_round else ("", "last_tile", "robbing")
    if not labels & {"pung", "kong"} and way in vowing:
        ready = rng.choice((None, "ready", "open"))
    if ready == "open" and not drawn:
        ready = "ready"
    first = ready is not None and rng.random() < 0.4
    return Won(tuple(tiles), melds, flowers, win, drawn, wind, ready, first, **flags)


def asked(won: Won, rules: str) -> dict[str, Any]:
    """Return the hand as an object for `golpae score`."""
    out: dict[str, Any] = {
        "rules": rules,
        "hand": list(won.hand),
        "melds": [list(meld) for meld in won.melds],
        "flowers": FLOWERS[: won.flowers],
        "win": won.win,
        "self_drawn": won.self_drawn,
        "seat_wind": won.seat_wind,
        "first_discard_ready": won.first,
    }
    if won.ready is not None:
        out["ready"] = won.ready
    return out | {way: True for way in WAYS if getattr(won, way)}


def sorted_patterns(readings: Iterable[Mapping[str, int]]) -> list[list[tuple[str, int]]]:
    return sorted({tuple(sorted(r.items())): sorted(r.items()) for r in readings}.values())


def compare_scores(seed: int, number: int) -> Counter[str]:
    """Compare random hands; gives how often each pattern was scored, and how many hands win."""
    rng = random.Random(seed)
    combined = switch_sets(seed, 6 + number // 1000)
    scored: Counter[str] = Counter()
    for _ in range(number):
        switches = rng.choice(combined)
        won = random_win(rng, switches)
        mine = worth(won, switches)
        theirs = score_hand(asked(won, rule_set(switches)), LIBRARY)
        assert isinstance(theirs, Scored), theirs
        if mine is None:
            assert theirs.points is None, (won, theirs)
            scored["nothing"] += 1
            continue
        assert theirs.points == mine[0], (won, mine, theirs)
        best = [way.patterns for way in theirs.ways if way.points == theirs.points]
        assert sorted_patterns(best) == sorted_patterns(mine[1]), (won, mine, theirs)
        assert theirs.to_json()["ok"] is True
        for name in mine[1][0]:
            scored[name] += 1
        scored["hands"] += 1
    return scored


def test_random_hands_have_the_points_by_hand() -> None:
    scored = compare_scores(seed=1, number=1200)
    patterns = {p.name for p in machine(GAME, 4).rules.scores[0].patterns}
    assert set(scored) - {"nothing", "hands"} == patterns, "every pattern occurs"
    assert scored["hands"] > 900
    assert scored["nothing"] > 60


@pytest.mark.fuzz
def test_many_random_hands_have_the_points_by_hand() -> None:
    compare_scores(seed=2, number=100_000)


@pytest.mark.slow
@pytest.mark.parametrize(
    "switches",
    [set(), {"fixed-seats", "man-whole-round", "pairs-are-no-sets", "plum-by-flower", "readies-add"}],
)
def test_implied_patterns_are_those_of_the_text(switches: set[str]) -> None:
    """Over random hands, a pattern brings another exactly if no winning hand has it alone."""
    rng = random.Random(4)
    on = frozenset({"four-as-two-pairs", *switches})
    together: dict[str, set[str]] = {}
    for _ in range(40_000):
        won = random_win(rng, on)
        tiles = tuple(sorted((*won.hand, won.win)))
        for kind, groups, pair in layouts(tiles, True):
            for completed in {g for g in (*groups, pair) if won.win in g}:
                found = patterns_of(won, kind, groups, pair, completed, on)
                if eligible(found) >= 2:
                    for name in found:
                        together[name] = together.get(name, set(found)) & set(found)
    (score,) = machine(rule_set({*switches, "no-implied"}), 4).rules.scores
    said: dict[str, set[str]] = {p.name: {p.name} for p in score.patterns}
    for line in score.brings:
        said[line.pattern] |= {*line.brought}
    assert together == said


def test_the_waits_of_random_hands_are_those_by_hand() -> None:
    rng = random.Random(4)
    number: Counter[bool] = Counter()
    combined = switch_sets(4, 2)
    for _ in range(100):
        flags: dict[str, Any] = dict.fromkeys(WAYS, False)
        won = replace(random_win(rng), **flags)
        switches = rng.choice(combined)
        hand = {key: value for key, value in asked(won, rule_set(switches)).items() if key != "win"}
        found = score_hand(hand, LIBRARY)
        assert isinstance(found, Waiting), found
        held = Counter([*won.hand, *(t for meld in won.melds for t in tiles_of(*meld))])
        mine = {}
        for tile in (t for t in KINDS if held[t] < 4):
            if layouts(tuple(sorted((*won.hand, tile))), "four-as-two-pairs" in switches):
                best = worth(replace(won, win=tile), switches)
                mine[tile] = None if best is None else best[0]
                number[best is None] += 1
        assert {wait.tile: wait.points for wait in found.waits} == mine, (won, found)
    assert min(number.values()) > 2


def test_an_impossible_hand_is_refused() -> None:
    plain = {"rules": GAME, "hand": [*SUITED[:9], *"EESS"], "win": "S", "seat_wind": "S"}
    assert isinstance(score_hand(plain, LIBRARY), Scored)
    pung = {"hand": [*SUITED[:9], "S"], "melds": [["pung", "E"]]}
    for more in (
        {"seat_wind": "P"},
        {"seat_wind": "S", "self_drawn": True, "heavenly": True},
        {"seat_wind": "E", "self_drawn": True, "earthly": True},
        {"earthly": True},
        {"man": True, "self_drawn": True},
        {"man": True, **pung},
        {"last_tile": True},
        {"replacement": True, "melds": [["kong", "E"]], "hand": pung["hand"]},
        {"replacement": True, "self_drawn": True},
        {"robbing": True, "self_drawn": True},
        {"robbing": True},  # the hand holds another S
        {"ready": "ready", **pung},
        {"ready": "open"},
        {"first_discard_ready": True},
        {"flowers": ["1m"]},
        {"flower_replacement": True, "flowers": ["f1"]},
        {"melds": [["chow", "1m", "2m", "3m"]], "hand": [*SUITED[3:9], *"EESS"]},
    ):
        assert isinstance(score_hand({**plain, **more}, LIBRARY), Fault), more


def test_a_hand_of_the_wrong_size_is_worth_nothing() -> None:
    for hand in ("1m1m1m2m3m4m5m6m7mEEEP", "1m1m1m1m2m3m4m5m6m7mEEEP", "1m1m1m1m2m3m4m5m6m7mEEEPPP"):
        tiles = [hand[i : i + 2] for i in range(0, hand.index("E"), 2)] + list(hand[hand.index("E") :])
        whole = {"rules": GAME, "hand": tiles, "win": "P", "self_drawn": True, "seat_wind": "N"}
        scored = score_hand(whole, LIBRARY)
        assert isinstance(scored, Scored)
        assert (scored.points is not None) == (len(tiles) == 13)


# ------------------------------------------------------------------ the table, by hand


@dataclass
class Table:
    """A match by hand: its legal events and their effects."""

    switches: frozenset[str] = frozenset()
    stake: int = 1
    horses: list[int] = field(default_factory=lambda: [3] * 4)
    totals: list[int] = field(default_factory=lambda: [0] * 4)
    next_dealer: int | None = None
    passed: int = 0
    stage: str = "before"  # before, draw, play, declared, over, ended, finished

    def deal(self, event: Event) -> None:
        assert self.next_dealer in (None, event["first"])
        self.dealer: int = event["first"]
        self.hands = [Counter(hand) for hand in event["hands"]]
        self.unseen = WHOLE - sum(self.hands, Counter())
        self.wall: list[str] | None = list(event["reserve"]) if "reserve" in event else None
        self.melds: list[list[tuple[str, str]]] = [[] for _ in SEATS]
        self.flowers = [0] * 4
        self.thrown: list[list[str]] = [[] for _ in SEATS]
        self.vows: list[str | None] = [None] * 4
        self.firsts = [False] * 4
        self.revealed: Counter[str] = Counter()
        self.mover = self.dealer
        self.drawn: str | None = None
        self.kong_made = False
        self.flower_replaced = False
        self.due: int | None = None
        self.added: str | None = None
        self.last: tuple[int, str] | None = None  # the discard that can be called
        self.opened = self.called = False
        self.winner: int | None = None
        self.stage = "draw"

    # state of the match

    def left(self) -> int:
        return sum(self.unseen.values())

    def draws(self, end: int) -> list[str]:
        """Return the tiles that may come from an end of the wall."""
        return [self.wall[end]] if self.wall else sorted(+self.unseen)

    def closed(self, p: int) -> bool:
        return all(label == "concealed-kong" for label, _ in self.melds[p])

    def wind(self, p: int) -> str:
        east = (self.dealer - self.passed) % 4 if "fixed-seats" in self.switches else self.dealer
        return WINDS[(p - east) % 4]

    def in_first_round(self) -> bool:
        """Return whether before the last discard, if there is one, somebody had not discarded."""
        if self.last is None:
            return False
        before = [len(tiles) - (p == self.last[0]) for p, tiles in enumerate(self.thrown)]
        return 0 in before

    def won(self, p: int, hand: Counter[str], tile: str, giver: int | None) -> Won:
        fresh = not self.thrown[p] and not self.called and not self.melds[p]
        drawn = giver is None
        man = not drawn and fresh
        if "man-whole-round" in self.switches:
            man = not drawn and self.added is None and self.closed(p) and self.in_first_round()
        return Won(
            hand=tuple(sorted(hand.elements())),
            melds=tuple(self.melds[p]),
            flowers=self.flowers[p],
            win=tile,
            self_drawn=drawn,
            seat_wind=self.wind(p),
            ready=self.vows[p],
            first=self.firsts[p],
            last_tile=drawn and not self.left(),
            robbing=not drawn and self.added is not None,
            replacement=drawn and self.kong_made,
            flower_replacement=drawn and not self.kong_made and self.flower_replaced,
            heavenly=drawn and p == self.dealer and fresh,
            earthly=drawn and p != self.dealer and fresh,
            man=man,
        )

    def fully_concealed(self, p: int, tile: str) -> bool:
        if self.giver is not None:
            return False
        found = worth(self.won(p, self.hands[p] - Counter([tile]), tile, None), self.switches)
        return found is not None and found[2]

    def points(self, p: int, tile: str, giver: int | None) -> int | None:
        hand = self.hands[p] - Counter([tile]) if giver is None else self.hands[p]
        found = worth(self.won(p, hand, tile, giver), self.switches)
        return None if found is None else found[0]

    def waits(self, p: int, kept: Counter[str], openly: bool) -> bool:
        """Return whether some tile makes a hand worth two points: discarded for ready, drawn for open ready."""
        tiles = sorted(kept.elements())
        if any(t in FLOWERS for t in tiles):
            return False
        in_kongs = {t for _, t in self.melds[p]}
        for tile in KINDS:
            if tile in in_kongs or kept[tile] == 4:
                continue
            if not layouts(tuple(sorted([*tiles, tile])), "four-as-two-pairs" in self.switches):
                continue
            first = not self.thrown[p] and not self.called
            for drawn in (True, False):
                if drawn != openly and "any-win-suffices" not in self.switches:
                    continue
                wind = self.wind(p)
                won = Won(tuple(tiles), tuple(self.melds[p]), 0, tile, drawn, wind, "ready", first)
                if worth(won, self.switches) is not None:
                    return True
        return False

    # legal events

    def events(self) -> Iterator[Event]:
        if self.stage in ("before", "finished"):
            return
        if self.stage == "ended":
            best = max(self.totals)
            winners = [p for p in SEATS if self.totals[p] == best]
            yield {"do": "finish", "totals": self.totals, "winners": winners}
        elif self.stage == "over":
            yield from self.ends()
        elif self.due is not None:
            yield from self.while_due(self.due)
        elif self.stage == "draw":
            yield from self.before_draw()
        elif self.stage == "play":
            yield from self.in_turn(self.mover)
        elif self.stage == "declared":
            yield from self.discards(self.mover)

    def while_due(self, p: int) -> Iterator[Event]:
        if not self.left():
            yield from self.ends()
            return
        for tile in self.draws(-1):
            yield {"do": "replace", "by": p, "tile": tile}
        if self.added is not None:
            for q in SEATS:
                if q != p and self.vows[q] != "open":
                    yield from self.win(q, self.added, p)

    def before_draw(self) -> Iterator[Event]:
        if self.left():
            for tile in self.draws(0):
                yield {"do": "draw", "by": self.mover, "tile": tile}
        else:
            yield from self.ends()
        if not self.opened:
            yield from self.shown(SEATS)
        if self.last is None:
            return
        giver, tile = self.last
        for p in SEATS:
            if p == giver:
                continue
            if self.vows[p] is None and self.hands[p][tile] >= 2:
                yield {"do": "pung", "by": p, "tile": tile}
            if self.vows[p] is None and self.hands[p][tile] >= 3 and self.left():
                yield {"do": "kong", "by": p, "tile": tile}
            if self.vows[p] != "open" and tile not in self.thrown[p]:
                yield from self.win(p, tile, giver)

    def in_turn(self, p: int) -> Iterator[Event]:
        yield from self.shown([p] if self.opened else SEATS)
        yield from self.discards(p)
        if self.drawn is None:
            return
        yield from self.win(p, self.drawn, None)
        if self.vows[p] is not None:
            return
        if self.left():
            for tile, number in self.hands[p].items():
                if number == 4:
                    yield {"do": "concealed_kong", "by": p, "tile": tile}
            if ("pung", self.drawn) in self.melds[p]:
                yield {"do": "add_kong", "by": p, "tile": self.drawn}
        if "open" in self.vows or not self.closed(p) or any(self.hands[p][f] for f in FLOWERS):
            return
        kept = [self.hands[p] - Counter([t]) for t in +self.hands[p]]
        if any(self.waits(p, k, False) for k in kept):
            yield {"do": "ready", "by": p}
        for k in kept:
            if self.waits(p, k, True):
                yield {"do": "open_ready", "by": p, "tiles": sorted(k.elements())}

    def shown(self, seats: Iterable[int]) -> Iterator[Event]:
        for p in seats:
            for tile in FLOWERS:
                if self.hands[p][tile]:
                    yield {"do": "flower", "by": p, "tile": tile}

    def discards(self, p: int) -> Iterator[Event]:
        if any(self.hands[p][f] for f in FLOWERS):
            return
        for tile in +self.hands[p]:
            if self.stage == "declared":
                kept = self.hands[p] - Counter([tile])
                openly = self.vows[p] == "open"
                if kept != self.revealed if openly else not self.waits(p, kept, False):
                    continue
            elif self.vows[p] is not None:
                assert self.drawn is not None
                if tile != self.drawn or self.points(p, tile, None) is not None:
                    continue
            yield {"do": "discard", "by": p, "tile": tile}

    def win(self, p: int, tile: str, giver: int | None) -> Iterator[Event]:
        points = self.points(p, tile, giver)
        if points is not None:
            yield {"do": "win", "by": p, "tile": tile, "from": giver, "points": points}

    def ends(self) -> Iterator[Event]:
        """Yield the `end` without and with the counters of the horse race after it."""
        yield self.end()
        yield self.end() | {"horse": [3] * 4 if 0 in self.horses else list(self.horses)}

    def end(self) -> Event:
        pay = [0] * 4
        if self.winner is not None:
            for p in SEATS:
                if p == self.winner:
                    continue
                owed = self.owed if self.giver is None else 2 * self.owed if p == self.giver else 0
                if self.horses[self.winner] == 0:
                    owed += 4 if self.horses[p] == 3 else 2
                pay[p] -= owed * self.stake
                pay[self.winner] += owed * self.stake
        return {"do": "end", "winner": self.winner, "pay": pay}

    # effects

    def take(self, tile: str, end: int) -> None:
        self.unseen[tile] -= 1
        if self.wall is not None:
            assert self.wall.pop(end) == tile

    def do(self, event: Event) -> None:
        p, tile = event.get("by", 0), event.get("tile", "")
        match event["do"]:
            case "draw":
                self.take(tile, 0)
                self.hands[p][tile] += 1
                self.drawn, self.kong_made, self.stage, self.last = tile, False, "play", None
                self.flower_replaced = False
            case "flower":
                self.hands[p][tile] -= 1
                self.flowers[p] += 1
                self.due, self.shown_flower = p, True
            case "replace":
                self.take(tile, -1)
                self.hands[p][tile] += 1
                self.due = self.added = None
                if self.stage == "play" and p == self.mover:
                    self.drawn, self.flower_replaced = tile, self.shown_flower
            case "discard":
                self.hands[p][tile] -= 1
                self.thrown[p].append(tile)
                self.last, self.opened = (p, tile), True
                self.mover, self.drawn, self.stage = (p + 1) % 4, None, "draw"
            case "pung" | "kong" as label:
                self.hands[p][tile] -= 2 if label == "pung" else 3
                self.melds[p].append((label, tile))
                self.mover, self.drawn, self.stage, self.last, self.called = p, None, "play", None, True
                self.kong_made = label == "kong"
                self.due = p if label == "kong" else None
                self.shown_flower = False
            case "concealed_kong":
                self.hands[p][tile] -= 4
                self.melds[p].append(("concealed-kong", tile))
                self.drawn, self.kong_made, self.due, self.shown_flower = None, True, p, False
            case "add_kong":
                self.hands[p][tile] -= 1
                self.melds[p][self.melds[p].index(("pung", tile))] = ("kong", tile)
                self.drawn, self.kong_made, self.due, self.added = None, True, p, tile
                self.shown_flower = False
            case "ready" | "open_ready" as vow:
                self.vows[p] = vow.removesuffix("_ready")
                self.firsts[p] = not self.thrown[p] and not self.called
                self.revealed = Counter(event.get("tiles", ()))
                self.stage = "declared"
            case "win":
                self.winner, self.giver, self.owed = p, event["from"], event["points"]
                if self.fully_concealed(p, tile):
                    self.horses[p] -= 1
                self.stage = "over"
            case "end":
                self.totals = [a + b for a, b in zip(self.totals, event["pay"], strict=True)]
                if 0 in self.horses:
                    self.horses = [3] * 4
                keeps = "dealer-keeps" in self.switches and self.winner == self.dealer
                self.next_dealer = self.dealer if keeps else (self.dealer + 1) % 4
                self.passed += not keeps
                self.stage = "ended"
            case "finish":
                self.stage = "finished"

    def round(self) -> str:
        return WINDS[self.passed // 4 % 4]


def may_deal(table: Table, event: Event) -> bool:
    """Return whether a deal is legal here."""
    rest = WHOLE.copy()
    rest.subtract(tile for hand in event["hands"] for tile in hand)
    return (
        table.stage in ("before", "ended")
        and table.next_dealer in (None, event["first"])
        and event.get("round", table.round()) == table.round()
        and [len(hand) for hand in event["hands"]] == [13] * 4
        and min(rest.values()) >= 0
        and ("reserve" not in event or Counter(event["reserve"]) == +rest)
    )


def first_fault(trace: Sequence[Event]) -> int | None:
    """Return the first illegal event, counted from 1."""
    table = Table(frozenset(trace[0]["rules"].split("+")[1:]), trace[0].get("stake", 1))
    for number, event in enumerate(trace[1:], 1):
        event = {k: v for k, v in event.items() if k != "note"}
        if event["do"] == "deal":
            if not may_deal(table, event):
                return number
            table.deal(event)
            continue
        patterns, horse = event.pop("patterns", None), event.pop("horse", None)
        if key(event) not in map(key, table.events()):
            return number
        if patterns is not None:
            p, tile, giver = event["by"], event["tile"], event["from"]
            hand = table.hands[p] - Counter([tile]) if giver is None else table.hands[p]
            found = worth(table.won(p, hand, tile, giver), table.switches)
            if found is None or patterns not in found[1]:
                return number
        table.do(event)
        if horse is not None and horse != table.horses:
            return number
    return None


def recorded() -> Iterator[Any]:
    """Return the readable recorded games, each with the event at which it becomes illegal."""
    for path in sorted((TOP / "traces" / GAME).glob("*.jsonl")):
        if path.stem == "unseen":  # with tiles that nobody saw
            continue
        traces: list[list[Event]] = []
        for line in filter(str.strip, path.read_text(encoding="utf-8").splitlines()):
            event = json.loads(line)
            if "golpae" in event:
                traces.append([])
            traces[-1].append(event)
        expected = [json.loads(line) for line in path.with_suffix(".verdicts").read_text().splitlines()]
        readable = [(t, e) for t, e in zip(traces, expected, strict=True) if e["verdict"] != "malformed"]
        if readable:
            yield pytest.param(readable, id=path.stem)


@pytest.mark.corpus
@pytest.mark.parametrize("games", list(recorded()))
def test_recorded_games_are_judged_as_by_hand(games: Sequence[tuple[list[Event], Event]]) -> None:
    for trace, expected in games:
        assert first_fault(trace) == expected.get("event"), trace[0]["id"]


# ------------------------------------------------------------------ hands played towards winning


def random_deal(table: Table, rng: random.Random) -> Event:
    """Return a random deal, often with equal tiles in one hand, so that hands can win."""
    order = list(WHOLE.elements())
    rng.shuffle(order)
    if rng.random() < 0.6:
        liking = {kind: rng.random() for kind in KINDS} | {f: 2 * rng.random() for f in FLOWERS}
        order.sort(key=liking.__getitem__)
        for _ in range(rng.choice((5, 20, 60))):
            i, j = rng.randrange(104), rng.randrange(104)
            order[i], order[j] = order[j], order[i]
    hands = [[order.pop() for _ in range(13)] for _ in SEATS]
    if rng.random() < 0.3:
        rng.shuffle(order)
    first = rng.randrange(4) if table.next_dealer is None else table.next_dealer
    event: Event = {"do": "deal", "first": first, "hands": hands}
    if rng.random() < 0.5:
        event["round"] = table.round()
    if rng.random() < 0.5:
        event["reserve"] = order
    return event


@dataclass
class Taste:
    """How the players of a match play: which calls and declarations they like, and which tiles they keep."""

    chances: dict[str, float]
    alike: float
    neighbours: float
    suit: float

    @staticmethod
    def any(rng: random.Random) -> Taste:
        chances = {"win": 0.95, "flower": 0.7, "add_kong": 0.8}
        for action in ("concealed_kong", "kong", "pung", "ready", "open_ready"):
            chances[action] = rng.choice((0.05, 0.4, 0.9))
        return Taste(chances, rng.choice((2, 4)), rng.choice((0, 1.5)), rng.choice((0, 3, 6)))

    def use(self, tile: str, hand: Mapping[str, int], suit: str) -> float:
        """Return how much a tile helps: equal tiles, neighbours, and the collected suit count."""
        steps = (-2, -1, 1, 2) if tile in SUITED else ()
        near = sum(hand.get(following(tile, step), 0) > 0 for step in steps)
        of_suit = tile not in SUITED or tile[1] == suit
        return self.alike * hand[tile] + self.neighbours * near + self.suit * of_suit

    def choose(self, table: Table, events: Sequence[Event], rng: random.Random) -> Event:
        """Win, declare, make the calls that are liked, and keep the tiles that help."""
        of: dict[str, list[Event]] = {}
        for event in events:
            of.setdefault(event["do"], []).append(event)
        for action, chance in self.chances.items():
            if action in of and rng.random() < chance:
                return rng.choice(of[action])
        for action in ("draw", "replace"):
            if action in of:
                return rng.choices(of[action], [table.unseen[e["tile"]] for e in of[action]])[0]
        if "discard" in of:
            hand = table.hands[table.mover]
            suit = max("mp", key=lambda s: sum(n for t, n in hand.items() if t[1:] == s))
            return min(of["discard"], key=lambda e: self.use(e["tile"], hand, suit) + rng.random())
        return rng.choice(list(events))


def key(event: Mapping[str, Any]) -> str:
    """Return an event in a canonical form."""
    plain = {k: sorted(v) if k == "tiles" else v for k, v in event.items()}
    return json.dumps(plain, sort_keys=True)


def listed(table: Machine, state: Any) -> list[str]:
    return sorted({key(written(table, event)) for event in Legal(table).events(state)})


def near(table: Table, events: Sequence[Event], rng: random.Random) -> Event:
    """Return a legal event with one change."""
    event = dict(rng.choice(events))
    name = rng.choice([k for k in event if k not in ("do", "winners")])
    match name:
        case "by":
            event["by"] = rng.choice(SEATS)
        case "from" | "winner":
            event[name] = rng.choice((None, *SEATS))
        case "tile":
            event["tile"] = rng.choice([*(+table.hands[event["by"]]), *KINDS, *FLOWERS])
        case "points":
            event["points"] += rng.choice((-1, 1))
        case "tiles":
            event["tiles"] = [*event["tiles"][1:], rng.choice(KINDS)]
        case _:
            event[name] = [n + rng.choice((0, 0, 1)) for n in event[name]]
    return event


def strange(table: Table, rng: random.Random) -> Event:
    """Return an event of relevant values, legal or not."""
    p = rng.choice((table.mover, table.mover, table.due or 0, *SEATS))
    tile = rng.choice([*(+table.hands[p]), *(t for t in (table.drawn, table.added) if t), *KINDS[::9], "f1"])
    if table.last is not None and rng.random() < 0.5:
        tile = table.last[1]
    plain = ("draw", "flower", "replace", "discard", "pung", "kong", "concealed_kong", "add_kong")
    do = rng.choice((*plain, *["win"] * 4, "ready", "open_ready", "end"))
    match do:
        case "win":
            giver = rng.choice((None, table.mover, table.last[0] if table.last else None, table.due))
            fits = (sum(table.hands[p].values()) % 3 == 1) == (giver is not None)
            points = table.points(p, tile, giver) if fits else None
            return {"do": do, "by": p, "tile": tile, "from": giver, "points": points or rng.randint(0, 9)}
        case "ready":
            return {"do": do, "by": p}
        case "open_ready":
            kept = sorted((table.hands[p] - Counter([tile])).elements())
            return {"do": do, "by": p, "tiles": kept}
        case "end":
            return {"do": do, "winner": None, "pay": [0] * 4}
        case _:
            return {"do": do, "by": p, "tile": tile}


def is_legal(table: Machine, state: Any, event: Event) -> bool:
    args = table.read(event["do"], event)
    assert not isinstance(args, Bad), args.message
    return table.check(event["do"], state, args) < 0


def play(
    switches: frozenset[str], hands: int, rng: random.Random, seen: Counter[str], stake: int, often: float
) -> list[Event]:
    """Play a match by hand. Compare the legal events with golpae's list now and then."""
    rules = rule_set(switches)
    theirs = machine(rules, 4)
    mine = Table(switches, stake)
    state = theirs.new_state(stake)
    taste = Taste.any(rng)
    trace: list[Event] = [{"golpae": 1, "rules": rules, "players": list("ABCD"), "stake": stake}]

    def take(event: Event) -> None:
        args = theirs.read(event["do"], event)
        assert not isinstance(args, Bad), args.message
        assert theirs.check(event["do"], state, args) < 0, (trace, event)
        theirs.apply(event["do"], state, args)
        trace.append(event)

    for _ in range(hands):
        deal = random_deal(mine, rng)
        mine.deal(deal)
        take(deal)
        while mine.stage != "ended":
            events = list(mine.events())
            assert events, ("nothing can follow", trace)
            if rng.random() < often:
                seen["compared"] += 1
                keys = sorted({key(event) for event in events})
                assert listed(theirs, state) == keys, (trace, mine)
                for _ in range(20):
                    other = near(mine, events, rng) if rng.random() < 0.5 else strange(mine, rng)
                    legal = key(other) in keys
                    seen[f"strange {other['do']} that is {'legal' if legal else 'illegal'}"] += 1
                    assert is_legal(theirs, state, other) == legal, (trace, other)
            event = taste.choose(mine, events, rng)
            seen[event["do"]] += 1
            if event["do"] == "win":
                seen["robbed"] += mine.added is not None and event["from"] is not None
                hand = mine.hands[event["by"]]
                before = hand - Counter([event["tile"]]) if event["from"] is None else hand
                won = mine.won(event["by"], before, event["tile"], event["from"])
                found = worth(won, switches)
                assert found is not None
                alone = score_hand(asked(won, rules), LIBRARY)
                assert isinstance(alone, Scored), (alone, won)  # a game has only values that fit together
                assert alone.points == event["points"]
                for name in found[1][0]:
                    seen[f"pattern {name}"] += 1
                if rng.random() < 0.7:
                    event = event | {"patterns": rng.choice(found[1])}
            mine.do(event)
            if event["do"] == "end" and rng.random() < 0.5:
                event = event | {"horse": list(mine.horses)}
            take(event)
        seen["hands"] += 1
    if rng.random() < 0.5:
        (finish,) = mine.events()
        take(finish)
    return trace


def play_many(matches: int, often: float, seed: int = 0) -> Counter[str]:
    """Play matches, have them judged, and spoil them; gives how often things happened."""
    seen: Counter[str] = Counter()
    for number in range(matches):
        rng = random.Random(seed * 1_000_003 + number)
        switches = frozenset(s for s in SWITCHES if rng.random() < 0.3)
        trace = play(switches, rng.choice((1, 1, 2, 3)), rng, seen, rng.choice((1, 1, 5)), often)
        report = judged(trace)
        assert report.outcome.verdict is Verdict.LEGAL, (report.outcome, trace)
        spoilt = [dict(event) for event in trace]
        counts = [
            (i, k) for i, e in enumerate(spoilt) for k in ("points", "pay", "horse", "totals") if k in e
        ]
        at, name = rng.choice(counts)
        value = spoilt[at][name]
        spoilt[at][name] = value + 1 if name == "points" else [v + (i == 2) for i, v in enumerate(value)]
        verdict = judged(spoilt).outcome
        assert (verdict.verdict, verdict.event) == (Verdict.ILLEGAL, at), (verdict, spoilt)
    return seen


@pytest.mark.corpus
@pytest.mark.parametrize("path", perft_files.files(GAME), ids=lambda p: p.stem)
def test_the_perft_counts_are_those_by_hand(path: Path) -> None:
    trace, known = perft_files.read(path)
    table = Table()
    table.deal(trace[1])
    for event in trace[2:]:
        assert key(event) in map(key, table.events())
        table.do(event)
    tables = [table]
    for count in known:
        followed = [(before, event) for before in tables for event in before.events()]
        assert len(followed) == count
        if count > 500:
            break
        tables = []
        for before, event in followed:
            tables.append(deepcopy(before))
            tables[-1].do(event)


def test_hands_played_towards_winning_are_legal() -> None:
    seen = play_many(matches=2, often=0.15)
    assert seen["win"] > seen["hands"] // 4
    assert seen["compared"] > 15


@pytest.mark.fuzz
def test_many_hands_played_towards_winning_are_legal() -> None:
    seen = play_many(matches=600, often=0.1, seed=1)
    assert seen["hands"] >= 1000
    assert seen["win"] > seen["hands"] // 4
    actions = {a.name for a in machine(GAME, 4).rules.actions} - {"deal", "finish"}
    assert not [name for name in actions if not seen[name]]
    assert seen["robbed"]
