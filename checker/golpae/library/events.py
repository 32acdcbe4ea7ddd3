"""Events of a live game, as the library gives them: as lines and in words, whole or as one seat may know them.

Input: events of a machine.
Output: `Event`, `Choice`, `Accepted`.
Guarantee: what a seat is told names no tile that it cannot see. Whoever asks holds the lock of the engine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec

from golpae.library.checking import Ruled
from golpae.library.engine import Engine
from golpae.library.values import ShortRepr, written
from golpae.replay.legal_events import Event as Happening
from golpae.replay.machine import State
from golpae.replay.simulate import written as line_written
from golpae.replay.speaker import Speaker
from golpae.simulate.policy import Choice as Choosing


@dataclass(frozen=True, slots=True)
class Event:
    """An event of a game. `str` of it are its words.

    Attributes:
        do: the action.
        by: the seat that acts; None if nobody does.
        line: the event as a line of a trace.
        words: the event in the players' words.
    """

    do: str
    by: int | None
    line: str
    words: str = field(compare=False)

    def to_dict(self) -> dict[str, Any]:
        """Return the event as a trace has it: `{"do": ..., "by": ..., ...}`."""
        decoded: dict[str, Any] = msgspec.json.decode(self.line)
        return decoded

    def __str__(self) -> str:
        """Return the event in the players' words."""
        return self.words


@dataclass(frozen=True, slots=True, repr=False)
class Accepted(ShortRepr):
    """An event has happened.

    Attributes:
        event: the event.
        over: a hand is over, or the match is finished: nobody plays until the next deal.
        rulings: the rules that it breaks, and why it stands all the same.
    """

    event: Event
    over: bool = False
    rulings: tuple[Ruled, ...] = ()

    def __bool__(self) -> Literal[True]:
        """Return True: the event happened."""
        return True


@dataclass(frozen=True, slots=True)
class Choice:
    """What a seat can choose: an event, without the tiles that come from where the seat cannot see.

    Attributes:
        do: the action.
        by: the seat.
        line: the event as a line of a trace, with `?` for each such tile.
        words: the event in the players' words, with `a tile` for each such tile.
        events: the legal events that it can be; one of them happens, by the order of the tiles or by chance.
        weights: in how many ways each of these can come about.
    """

    do: str
    by: int
    line: str
    words: str
    events: tuple[Event, ...]
    weights: tuple[int, ...]

    def __str__(self) -> str:
        """Return the choice in the players' words."""
        return self.words


@dataclass(frozen=True, slots=True)
class Scribe:
    """Writes the events of one game."""

    _engine: Engine
    _speaker: Speaker

    def seen_by(self, seat: int, event: Event, happening: Happening, states: Sequence[State]) -> Event:
        """Return an event that has happened as a seat may know it. `states` are those before and after it."""
        action, line = self._engine.machine.actions[happening.action], event.to_dict()
        keys = self._engine.masked_keys([*states], happening, line, seat)
        if not keys:
            return event
        own = action.by is not None
        places = [at + own for at, param in enumerate(action.params) if param.name in keys]
        masked = written(self._engine.masked_line(line, keys, action, seat, states[-1]))
        return Event(event.do, event.by, masked, self.words(happening, places))

    def event(self, happening: Happening, line: Mapping[str, Any] | None = None) -> Event:
        """Return an event, as this line if somebody has written it."""
        line = line_written(self._engine.machine, happening) if line is None else line
        return Event(happening.action, self.seat(happening), written(line), self.words(happening))

    def choice(self, choice: Choosing, seat: int) -> Choice:
        """Return the public form of a choice of a seat."""
        sight, event = self._engine.sight, choice.events[0]
        line = sight.line(event, seat)
        words = self.words(event, [key.place for key in sight.unseen(event)])
        return Choice(
            event.action, seat, written(line), words, tuple(map(self.event, choice.events)), choice.weights
        )

    def seat(self, happening: Happening) -> int | None:
        """Return who acts, or None."""
        by = self._engine.machine.actions[happening.action].by
        return None if by is None else happening.args[0]

    def words(self, happening: Happening, unseen: Sequence[int] = ()) -> str:
        """Return an event in the players' words; arguments at the places `unseen` are not named."""
        seat = self.seat(happening)
        who = "" if seat is None else f"{self._speaker.names[seat]}: "
        return who + self._speaker.event(happening, unseen)
