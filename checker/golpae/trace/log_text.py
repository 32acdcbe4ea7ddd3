"""Games that other programs recorded, as the text of a trace file.

Input: what an adapter (`golpae.logs`) reads in a log: games, each in one way or in several.
Output: a `LogText`: a stream of trace lines, the place in the log that each line comes from, all ways to read a game,
and what the log lists as legal on the way.
Guarantee: a line for the header and one for each event. Where a log is spoilt, the last line of a game has a fault, for
which the one that the adapter found stands.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import field
from io import BytesIO
from typing import BinaryIO, Protocol

from golpae.records import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a log: a line and, where a line holds more than one event, a column; both from 1."""

    line: int
    column: int | None = None

    def __str__(self) -> str:
        return f"line {self.line}" if self.column is None else f"line {self.line}, column {self.column}"


@dataclass(frozen=True, slots=True)
class Choice:
    """What a log lists, or leaves out, in its own words, and the events that it may stand for, as lines of a trace."""

    words: str
    events: Sequence[Mapping[str, object]]


@dataclass(frozen=True, slots=True)
class Listing:
    """What a log lists as legal behind so many events of a game.

    An event of each choice in `legal` has to be legal, and none of those in `left_out`. `besides` are actions that the
    log has no words for: no other event may be legal. If it is None, no other event is compared.
    """

    after: int
    place: Place
    legal: Sequence[Choice]
    left_out: Sequence[Choice] = ()
    besides: Collection[str] | None = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """A game as a log is read: trace lines without their ends, the header first, and the place of each. `fault` is what
    is wrong with the log where its last line is. `listings` are what the log lists as legal, in their order.
    `of_conditions` has the places of what the log says elsewhere of an event, by the line and the name of the condition
    that asks for it.
    """

    lines: Sequence[bytes]
    places: Sequence[Place]
    fault: str | None = None
    listings: Sequence[Listing] = ()
    of_conditions: Mapping[tuple[int, str], Place] = field(default_factory=dict)

    def place(self, line: int, clause: str | None) -> Place:
        """Return the place of a line, from 0, where it breaks the condition of a clause such as `claim.turn`."""
        return self.of_conditions.get((line, (clause or "").rpartition(".")[2]), self.places[line])

    @property
    def text(self) -> bytes:
        """Return the lines as the text of a trace."""
        return b"".join(line + b"\n" for line in self.lines)

    @property
    def sound(self) -> Reading:
        """Return the reading without the line at which the log is spoilt; the reading itself if none is."""
        return (
            self
            if self.fault is None
            else Reading(self.lines[:-1], self.places[:-1], of_conditions=self.of_conditions)
        )


@dataclass(frozen=True, slots=True)
class Recorded:
    """A game of a log. If the log leaves something open, `others` yields the other ways to read it, and `open` says
    what it is.
    """

    first: Reading
    others: Callable[[], Iterator[Reading]] | None = None
    open: str | None = None


class LogForm(Protocol):
    """A format of logs. It pickles."""

    def text(self, stream: BinaryIO, name: str) -> BinaryIO:
        """Return a log as the text of traces, a `LogText`; or what holds the same bytes as the stream, if it is no
        log. Raises OSError if the stream cannot be read.
        """


class LogText(BytesIO):
    """The traces of a log as a stream. `size` is that of the log in bytes."""

    def __init__(self, games: Sequence[Recorded], size: int) -> None:
        super().__init__(b"".join(game.first.text for game in games))
        self.games = games
        self._size = size
        self._at: dict[int, Recorded] = {}  # the games by the lines of their headers
        line = 1
        for game in games:
            self._at[line] = game
            line += len(game.first.lines)

    def game(self, line: int) -> Recorded:
        """Return the game whose header is on a line."""
        return self._at[line]

    def tell_read(self, on_read: Callable[[int], None]) -> None:
        """Tell how many bytes of the log were read: all."""
        on_read(self._size)

    def seekable(self) -> bool:  # a part of a log cannot be found by its bytes
        return False


def log_text(stream: object) -> LogText | None:
    """Return a stream if it is the text of a log."""
    return stream if isinstance(stream, LogText) else None
