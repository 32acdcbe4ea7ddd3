"""The policy `greedy`: take and meld whenever possible, and give away first what can no longer serve.

Input: the turns of seats at one table.
Output: choices.
Guarantee: what an event does is seen by what it moves, never by its name.
"""

from __future__ import annotations

from golpae.simulate.aims import Aims
from golpae.simulate.policy import Turn, best
from golpae.simulate.sight import Moved, Sight

WINS, GAINS, SPARES, PLAIN, LOSES = 4, 3, 2, 1, 0


class Greedy:
    """Ratings, from the best: to win; to put tiles into melds, or to take one from where all see it that goes together
    with tiles in hand; to give away only tiles that can no longer go together with others; anything else; an event by
    which another seat wins. Of equal ones, one by chance.
    """

    name = "greedy"

    def __init__(self, sight: Sight) -> None:
        self.aims = Aims(sight)

    @property
    def note(self) -> str | None:
        """What people should know of it."""
        return None

    def choose(self, turn: Turn) -> int | None:
        """Return the best choice; where others can act too, go before them only to gain something."""
        held = turn.sight.holding(turn.state, turn.seat)
        unseen = turn.sight.out_of_sight(turn.state, turn.seat)
        ratings = [
            self._rating(turn.sight.moved(choice.events[0], turn.state, turn.seat, held), unseen)
            for choice in turn.choices
        ]
        if turn.first and max(ratings) < GAINS:
            return None
        return best(turn, ratings)

    def _rating(self, moved: Moved, unseen: list[int]) -> int:
        if moved.wins:
            return WINS
        if moved.loses:
            return LOSES
        if moved.melded or any(self.aims.completes(tile, moved.after) for tile in moved.taken):
            return GAINS
        if moved.given and not any(self.aims.support(t, moved.before, unseen) for t in moved.given):
            return SPARES
        return PLAIN
