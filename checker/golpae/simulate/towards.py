"""The policy `towards`: go towards the nearest way to win.

Input: the turns of seats at one table.
Output: choices.
Guarantee: what is near is told by `aims`, from the rule text; tiles that the seat cannot see do not count.
"""

from __future__ import annotations

from typing import NamedTuple

from golpae.simulate.aims import Aims
from golpae.simulate.policy import Turn, best
from golpae.simulate.sight import Sight


class _Rating(NamedTuple):
    """What an event is worth: more is better, the first thing that differs decides."""

    wins: int  # 1 if it wins, -1 if another seat does
    sensible: bool  # not a tile taken from where all see it for nothing
    nearness: float
    spared: int  # the less support the tiles that are given away have, the better


class Towards:
    """Wins if it can. Else it takes what leaves it nearest to a win, and then what gives away the tiles with which
    the fewest others can go together. It takes a tile that all see only if that brings it nearer.
    """

    name = "towards"

    def __init__(self, sight: Sight) -> None:
        self.aims = Aims(sight)

    @property
    def note(self) -> str | None:
        """What people should know of it."""
        return f"towards: {self.aims.note}"

    def choose(self, turn: Turn) -> int | None:
        """Return the best choice; where others can act too, go before them only to win or to come nearer."""
        holding = turn.sight.holding(turn.state, turn.seat)
        unseen = turn.sight.out_of_sight(turn.state, turn.seat)
        now = self.aims.distance(holding)
        ratings, calls = [], []
        for choice in turn.choices:
            moved = turn.sight.moved(choice.events[0], turn.state, turn.seat, holding)
            distance = self.aims.distance(moved.after)
            calls.append(moved.wins or (bool(moved.taken) and distance < now))
            support = sum(
                self.aims.support(tile, moved.before, unseen) * count for tile, count in moved.given.items()
            )
            ratings.append(
                _Rating(moved.wins - moved.loses, not moved.taken or distance < now, -distance, -support)
            )
        place = best(turn, ratings)
        if turn.can_wait and not (calls[place] if turn.first else ratings[place].sensible):
            return None
        return place
