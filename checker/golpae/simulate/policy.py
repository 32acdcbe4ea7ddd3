"""What a policy is: it chooses events for a seat.

Input: a `Turn`: the choices of a seat, and what that seat can see.
Output: the number of a choice, or None to let others act.
Guarantee: a policy sees no tile that its seat cannot see. Where a tile comes from a place that the seat cannot see, the
choice is made without it, and chance says which tile it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from golpae.replay.chance import Chance
from golpae.replay.legal_events import Event
from golpae.replay.machine import Machine, State
from golpae.simulate.sight import Sight


@dataclass(frozen=True, slots=True)
class Choice:
    """Events that whoever acts cannot tell apart before they happen, and in how many ways each can come about."""

    events: tuple[Event, ...]
    weights: tuple[int, ...]

    def event(self, chance: Chance) -> Event:
        """Return one of the events; each copy of the tiles that nobody sees has the same chance."""
        if len(self.events) == 1:
            return self.events[0]
        place = chance.below(sum(self.weights))
        for event, weight in zip(self.events, self.weights, strict=True):
            if place < weight:
                return event
            place -= weight
        raise AssertionError("a place below the sum of the weights is in one of them")


class Turn:
    """The choices of one seat in a position.

    `first`: others can act too, and this is about going before them. `can_wait`: None lets others act. `legal` counts
    all choices of the position, also those of others.
    """

    __slots__ = ("_lines", "can_wait", "chance", "choices", "first", "legal", "seat", "sight", "state")

    def __init__(
        self,
        sight: Sight,
        state: State,
        seat: int,
        choices: Sequence[Choice],
        chance: Chance,
        legal: int,
        first: bool = False,
        can_wait: bool = False,
    ) -> None:
        self.sight, self.state, self.seat = sight, state, seat
        self.choices, self.chance, self.legal = choices, chance, legal
        self.first, self.can_wait = first, can_wait
        self._lines: list[dict[str, Any]] | None = None

    @property
    def machine(self) -> Machine:
        """The rules at this table."""
        return self.sight.machine

    @property
    def lines(self) -> list[dict[str, Any]]:
        """The choices as lines of a trace, with `?` for a tile that the seat cannot see yet."""
        if self._lines is None:
            self._lines = [self.sight.line(choice.events[0], self.seat) for choice in self.choices]
        return self._lines

    @property
    def zones(self) -> dict[str, Any]:
        """The zones as the seat sees them: their tiles by name, `?` for each that it cannot see.

        A zone of each player is a list by seat, a zone of melds a list of lists.
        """
        return self.sight.zones(self.state, self.seat)


class Policy(Protocol):
    """A way to play. `note` is what people should know of it beside the results, or None."""

    @property
    def name(self) -> str: ...

    @property
    def note(self) -> str | None: ...

    def choose(self, turn: Turn) -> int | None:
        """Return the number of the choice to take, from 0; None, if `turn.can_wait`, to let others act."""


class Random:
    """Takes each choice with the same chance."""

    name = "random"
    note = None

    def choose(self, turn: Turn) -> int | None:
        """Return any choice; where others can act too, as often as all their choices and these come to."""
        if turn.first:
            return None
        if not turn.can_wait:
            return turn.chance.below(len(turn.choices))
        place = turn.chance.below(turn.legal)
        return place if place < len(turn.choices) else None


def best(turn: Turn, ratings: Sequence[Any]) -> int:
    """Return the choice with the largest rating; of equal ones, one by chance."""
    largest = max(ratings)
    return turn.chance.choice([place for place, rating in enumerate(ratings) if rating == largest])
