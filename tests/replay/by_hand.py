"""jjak written by hand from the rulebook alone: a second opinion on golpae's reading of its spec.

Input: the switches, the number of players and the stake; then the events of a trace, one after the other.
Output: whether an event is legal at its place.
Guarantee: this module uses nothing of golpae or of rule texts. Events have to be well formed. `end` and `finish` are
judged with all of their keys.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import Any

Event = dict[str, Any]

CIVIL = "6-6 5-5 4-4 3-3 2-2 1-1 6-5 6-4 6-1 5-1 3-1".split()
MILITARY = "6-3 5-4 6-2 5-3 5-2 4-3 4-1 3-2 4-2 2-1".split()
WHOLE = Counter(CIVIL * 2 + MILITARY)
USUAL = ["6-3 5-4", "6-2 5-3", "5-2 4-3", "4-1 3-2", "4-2 2-1"]
CULIN = ["6-2 6-3", "5-2 5-3", "4-2 4-3", "4-1 3-2", "2-1 5-4"]


def upright(tile: str) -> str:
    """Return the tile with its higher number first."""
    return max(tile, tile[::-1])


def pips(tile: str) -> int:
    return int(tile[0]) + int(tile[2])


class Match:
    """A match up to now."""

    def __init__(self, rules: str, players: int, stake: int = 1) -> None:
        self.switches = set(rules.split("+")[1:])
        self.seats = range(players)
        self.stake = 3 if "ten-rounds" in self.switches else stake
        self.mates = {tile: tile for tile in CIVIL}
        for pair in CULIN if "culin" in self.switches else USUAL:
            one, other = pair.split()
            self.mates |= {one: other, other: one}
        self.now = "before"  # then acquire, lay, over, ended, finished
        self.lots: dict[int, str] = {}
        self.drawing_lots = False
        self.starter: int | None = None
        self.rounds = 0
        self.totals = [0] * players
        # of the hand
        self.first = self.turn = 0
        self.hands: list[Counter[str]] = []
        self.laid: list[list[tuple[str, str]]] = []
        self.reserve: Counter[str] = Counter()
        self.order: list[str] = []
        self.discards: list[str] = []
        self.discarder: int | None = None
        self.acquired: str | None = None
        self.claimed = False
        self.owed: str | None = None
        self.winner: int | None = None

    # ------------------------------------------------------------------ is this event legal here?

    def may(self, event: Event) -> bool:
        tiles = [upright(t) for t in (*event.get("tiles", ()), *([event["tile"]] if "tile" in event else ()))]
        by = event.get("by", -1)
        match event["do"]:
            case "lot":
                return (
                    self.now == "before"
                    and self.starter is None
                    and by not in self.lots
                    and list(self.lots.values()).count(tiles[0]) < WHOLE[tiles[0]]
                )
            case "deal":
                return self._may_deal(event)
            case "claim":
                return self._may_claim(by, tiles[0])
            case "draw":
                if self.now != "acquire" or by != self.turn or not self.reserve[tiles[0]]:
                    return False
                return not ("row" in self.switches and self.order) or self.order[0] == tiles[0]
            case "lay":
                return self._may_lay(by, tiles)
            case "discard":
                return (
                    self.now == "lay"
                    and by == self.turn
                    and self.hands[by][tiles[0]] > 0
                    and self.owed is None
                    and ("lay-optional" in self.switches or not self._can_lay(by))
                )
            case "end":
                find_deadlock = self.now == "acquire" and not self.reserve.total()
                return (
                    (self.now == "over" or find_deadlock)
                    and event["winner"] == self.winner
                    and event["pay"] == self.pay()
                )
            case "finish":
                best = [seat for seat in self.seats if self.totals[seat] == max(self.totals)]
                return (
                    self.now == "ended"
                    and ("ten-rounds" not in self.switches or self.rounds == 10)
                    and event["totals"] == self.totals
                    and sorted(event["winners"]) == best
                )
        raise ValueError(event)

    def _may_deal(self, event: Event) -> bool:
        hands = [[upright(t) for t in hand] for hand in event["hands"]]
        dealt = Counter(t for hand in hands for t in hand)
        return (
            self.now in ("before", "ended")
            and (not self.drawing_lots or self.starter is not None)
            and self.starter in (None, event["first"])
            and ("ten-rounds" not in self.switches or self.rounds < 10)
            and [len(hand) for hand in hands] == [6 if seat == event["first"] else 5 for seat in self.seats]
            and dealt <= WHOLE
            and ("reserve" not in event or Counter(map(upright, event["reserve"])) == WHOLE - dealt)
        )

    def _may_claim(self, by: int, tile: str) -> bool:
        if self.now != "acquire" or not self.discards or self.discards[-1] != tile:
            return False
        if by != self.turn and ("relaxed" not in self.switches or by == self.discarder):
            return False
        if self._takes_freely(by):
            return True
        mate = self.mates[tile]
        return self.hands[by][mate] > 0 and not self._barred(by, (tile, mate), tile, True)

    def _takes_freely(self, by: int) -> bool:
        """Return whether a player who claims a discard may keep it, without a pair."""
        return "ten-rounds" in self.switches and "take-to-pair" not in self.switches and by == self.turn

    def _may_lay(self, by: int, tiles: list[str]) -> bool:
        if self.now != "lay" or by != self.turn or len(tiles) != 2:
            return False
        if not Counter(tiles) <= self.hands[by] or self.mates[tiles[0]] != tiles[1]:
            return False
        if self.owed is not None and self.owed not in tiles:
            return False
        return not self._barred(by, (tiles[0], tiles[1]), self.acquired, self.claimed)

    def _can_lay(self, by: int) -> bool:
        hand = self.hands[by]
        return any(
            Counter([tile, self.mates[tile]]) <= hand
            and not self._barred(by, (tile, self.mates[tile]), self.acquired, self.claimed)
            for tile in hand
            if hand[tile]
        )

    def _barred(self, by: int, pair: tuple[str, str], acquired: str | None, claimed: bool) -> bool:
        """Return whether this would be a third pair that is not allowed."""
        if len(self.laid[by]) < 2:
            return False
        if claimed and "reserve-win" in self.switches:
            return True
        six_six_may_be_third = "ten-rounds" in self.switches and "six-six-stays" not in self.switches
        if len(self.seats) == 4 or six_six_may_be_third:
            return False
        third = pair
        if "third-is-acquired" in self.switches and acquired is not None:
            # every tile has one mate, so that at most one pair of a player holds this kind
            third = next((p for p in (*self.laid[by], pair) if acquired in p), pair)
        return third == ("6-6", "6-6")

    # ------------------------------------------------------------------ effects of an event

    def do(self, event: Event) -> None:
        tiles = [upright(t) for t in (*event.get("tiles", ()), *([event["tile"]] if "tile" in event else ()))]
        by = event.get("by", -1)
        match event["do"]:
            case "lot":
                self.drawing_lots = True
                self.lots[by] = tiles[0]
                if len(self.lots) == len(self.seats):
                    self.starter = self._first_by_lot()
                    self.lots = {}
            case "deal":
                self._deal(event)
            case "claim":
                at_once = not self._takes_freely(by)
                self.hands[by][self.discards.pop()] += 1
                self.owed = tiles[0] if at_once else None
                self.acquired, self.claimed, self.turn, self.now = tiles[0], True, by, "lay"
            case "draw":
                self.reserve = self.reserve - Counter(tiles)
                if self.order:
                    self.order.remove(tiles[0])
                self.hands[by][tiles[0]] += 1
                self.acquired, self.claimed, self.now = tiles[0], False, "lay"
            case "lay":
                self.hands[by] -= Counter(tiles)
                self.laid[by].append((tiles[0], tiles[1]))
                self.owed = None
                if len(self.laid[by]) == 3:
                    self.winner, self.now = by, "over"
            case "discard":
                self.hands[by] -= Counter(tiles)
                self.discards.append(tiles[0])
                self.discarder, self.acquired = by, None
                self.turn, self.now = (by + 1) % len(self.seats), "acquire"
                if "ten-rounds" in self.switches and not self.reserve:
                    self.now = "over"
            case "end":
                self.totals = [a + b for a, b in zip(self.totals, event["pay"], strict=True)]
                self.rounds += 1
                self.starter = self.winner
                if self.winner is None:
                    after = 1 if "ten-rounds" in self.switches else 0
                    self.starter = (self.first + after) % len(self.seats)
                if "any-lead" in self.switches and "ten-rounds" not in self.switches:
                    self.starter, self.drawing_lots = None, False
                self.now = "ended"
            case "finish":
                self.now = "finished"

    def _first_by_lot(self) -> int | None:
        drawn = {tile: seat for seat, tile in self.lots.items()}
        if "5-2" in drawn:
            return drawn["5-2"]
        most = max(map(pips, self.lots.values()))
        best = [seat for seat, tile in self.lots.items() if pips(tile) == most]
        return best[0] if len(best) == 1 else None

    def _deal(self, event: Event) -> None:
        self.first = self.turn = event["first"]
        self.hands = [Counter(map(upright, hand)) for hand in event["hands"]]
        self.reserve = WHOLE - sum(self.hands, Counter())
        self.order = [upright(t) for t in event.get("reserve", ())]
        self.laid = [[] for _ in self.seats]
        self.discards = []
        self.discarder = self.winner = None
        self.acquired = self.owed = None
        self.claimed = False
        self.now = "lay"

    def pay(self) -> list[int]:
        """Return what each player gains if the hand ends now."""
        if self.winner is None:
            return [len(self.laid[seat]) if "ten-rounds" in self.switches else 0 for seat in self.seats]
        unit = self.stake
        if "doubling" in self.switches:
            unit *= 2 ** sum(a == b for a, b in self.laid[self.winner])
        pay = [0 if self.claimed else -unit for _ in self.seats]
        pay[self.winner] = unit * (len(self.seats) - 1)
        if self.claimed:
            assert self.discarder is not None
            pay[self.discarder] = -pay[self.winner]
        return pay

    # ------------------------------------------------------------------ legal events

    def moves(self) -> Iterator[Event]:
        """Yield every legal event except deals."""
        kinds = list(WHOLE)
        candidates: list[Event] = [
            {"do": do, "by": by, "tile": tile}
            for do in ("lot", "claim", "draw", "discard")
            for by in self.seats
            for tile in kinds
        ]
        candidates += [
            {"do": "lay", "by": by, "tiles": list(pair)}
            for by in self.seats
            for pair in combinations_with_replacement(kinds, 2)
        ]
        if self.now in ("acquire", "over"):
            candidates.append({"do": "end", "winner": self.winner, "pay": self.pay()})
        best = [seat for seat in self.seats if self.totals[seat] == max(self.totals)]
        candidates.append({"do": "finish", "totals": self.totals, "winners": best})
        return (event for event in candidates if self.may(event))

    def count(self, depth: int) -> int:
        """Return how many sequences of so many events can follow, without deals."""
        if depth == 0:
            return 1
        total = 0
        for event in self.moves():
            if depth == 1:
                total += 1
                continue
            after = copy.deepcopy(self)
            after.do(event)
            total += after.count(depth - 1)
        return total
