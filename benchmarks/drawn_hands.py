"""How often nobody wins a hand of jjak, by three ways to play: `python -m benchmarks.drawn_hands`.

Input: nothing, or a number of hands for each rate. Output: a table on standard output, each rate with Wilson's 95%
interval. Guarantee: every hand is played by golpae's rules, and the same seed gives the same hands.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence

from golpae.elaborate.cache import elaborate_cached
from golpae.elaborate.instance import instantiate
from golpae.intervals import wilson
from golpae.replay.legal_events import Event
from golpae.replay.machine import Machine, State
from golpae.replay.simulate import any_event, play, written

SEED = 1
# With two players `relaxed` changes nothing: one of them has just discarded.
TABLES = (("jjak", 2), ("jjak", 3), ("jjak", 4), ("jjak+relaxed", 3), ("jjak+relaxed", 4))
WAYS = ("careless", "eager", "careful")
MATES = (("6-3", "5-4"), ("6-2", "5-3"), ("5-2", "4-3"), ("4-1", "3-2"), ("4-2", "2-1"))
MATE = {a: b for pair in MATES for a, b in (pair, pair[::-1])}  # a civil tile pairs with its like


class Player:
    """A way to play, the same for everybody at the table. `seen` holds the tiles that everybody sees."""

    def __init__(self, way: str) -> None:
        self.way = way
        self.seen: list[str] = []

    def choose(self, machine: Machine, state: State, events: Sequence[Event], rng: random.Random) -> Event:
        """Return the event that this way to play prefers; among equals, each has the same chance."""
        if self.way == "careless":
            return any_event(machine, state, events, rng)
        for action in ("claim", "lay"):
            if found := [event for event in events if event.action == action]:
                return rng.choice(found)
        discards = [event for event in events if event.action == "discard"]
        if discards and self.way == "careful":
            safe = [e for e in discards if self.is_safe(written(machine, e)["tile"])]
            return rng.choice(safe or discards)
        return rng.choice(events)

    def is_safe(self, tile: str) -> bool:
        """Return whether the mate of this tile lies on the table, so that nobody can claim the tile."""
        return MATE.get(tile, tile) in self.seen


def drawn(rules: str, players: int, way: str, hands: int) -> int:
    """Return how many of so many hands nobody wins."""
    machine = Machine(instantiate(elaborate_cached(rules), players, {}))
    rng = random.Random(SEED)
    nobody = 0
    for _ in range(hands):
        player = Player(way)
        for line in play(machine, machine.new_state(1), rng, policy=player.choose):
            match line["do"]:
                case "discard":
                    player.seen.append(line["tile"])
                case "claim":
                    player.seen.remove(line["tile"])
                case "lay":
                    player.seen += line["tiles"]
                case "end":
                    nobody += line["winner"] is None
    return nobody


def main(arguments: Sequence[str]) -> int:
    """Print the rates."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.drawn_hands", description="how often nobody wins"
    )
    parser.add_argument(
        "--hands", type=int, default=200, metavar="N", help="hands for each rate (default: 200)"
    )
    hands = parser.parse_args(arguments).hands
    print(f"hands without a winner, of {hands} for each rate")
    for rules, players in TABLES:
        rates = []
        for way in WAYS:
            count = drawn(rules, players, way, hands)
            low, high = wilson(count, hands)
            rates.append(f"{way} {count / hands:.0%} ({low:.0%} to {high:.0%})")
        print(f"{rules}, {players} players: {', '.join(rates)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
