"""What has happened in a live game, and the states that it was in.

Input: events that have happened, each with the state that it led to.
Output: the state after any number of them.
Guarantee: of a long game only few states are kept: the latest `EACH`, and one in `EACH` of all others. Others are made
again from those. No state that is given away is ever changed.
"""

from __future__ import annotations

from collections.abc import Iterator

from golpae.library.checking import Ruled
from golpae.library.engine import Engine
from golpae.library.events import Event
from golpae.replay.legal_events import Event as Happening
from golpae.replay.machine import State
from golpae.replay.replay import happen, let_stand
from golpae.replay.report import Refusal
from golpae.trace import Header

EACH = 32


class History:
    """The events of a game."""

    __slots__ = ("_engine", "_header", "_kept", "events", "rulings")

    def __init__(self, engine: Engine, header: Header, first: State) -> None:
        self._engine, self._header = engine, header
        self.events: list[tuple[Event, Happening]] = []
        self.rulings: dict[int, tuple[Ruled, ...]] = {}  # by the number of the event
        self._kept: dict[int, State] = {0: first}  # states by the number of events before them

    @property
    def last(self) -> State:
        """The state now."""
        return self._kept[len(self.events)]

    @property
    def ruled(self) -> tuple[Ruled, ...]:
        """All rulings, in order."""
        return tuple(one for ruled in self.rulings.values() for one in ruled)

    def event(self, number: int) -> tuple[Event, Happening]:
        """Return an event, of which there may be none. Raises IndexError."""
        many = len(self.events)
        if not -many <= number < many:
            raise IndexError(f"there is no event {number}: there are {many}")
        return self.events[number]

    def add(self, event: Event, happening: Happening, state: State, ruled: tuple[Ruled, ...] = ()) -> None:
        """Note an event, the state that it led to, and the rulings that let it stand."""
        number = len(self.events) + 1
        if ruled:
            self.rulings[number] = ruled
        self._kept[number] = state  # before the event, because another thread may ask for the last state now
        self.events.append((event, happening))
        if (number - EACH) % EACH:
            self._kept.pop(number - EACH, None)

    def states(self, first: int) -> Iterator[State]:
        """Yield the states from the one after so many events on. Whoever goes through them holds the lock."""
        begin = first
        while begin not in self._kept:
            begin -= 1
        state = self._kept[begin]
        for number in range(begin, len(self.events) + 1):
            if number in self._kept:
                state = self._kept[number]
            else:
                state = self._engine.machine.copy(state)
                state = self._again(state, number)
            if number >= first:
                yield state

    def _again(self, state: State, number: int) -> State:
        """Let an event happen again in a state."""
        line = self.events[number - 1][0].to_dict()
        refused = happen(self._engine.machine, self._header, state, line)
        if not isinstance(refused, Refusal):
            return state
        ruled = {one.clause: one for one in self.rulings[number]}
        return let_stand(refused, line, ruled.get, self._engine.waived)[0]

    def cut(self, number: int) -> None:
        """Take back all events but the first so many."""
        self._kept[number] = next(self.states(number))
        del self.events[number:]
        self.rulings = {at: ruled for at, ruled in self.rulings.items() if at <= number}
        self._kept = {at: held for at, held in self._kept.items() if at <= number}

    def copy(self) -> History:
        """Return another history of the same."""
        other = History(self._engine, self._header, self._kept[0])
        other.events, other.rulings, other._kept = [*self.events], dict(self.rulings), dict(self._kept)
        return other
