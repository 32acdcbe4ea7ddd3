"""What an adapter is: a small class that reads the logs of another program.

Input: the text of a log. Output: its games, event by event, each event with its place in the log.
Guarantee: whatever an adapter raises is a fault of that log, told with its place, and costs no other file.

    class Club(Adapter):
        name = "club"
        what = "score sheets of our club"
        endings = (".club",)

        def games(self, log):
            for number, line in log.lines():
                ...
                game = Game("jjak", ["An", "Bo"], Place(number))
                game.tell("lay", Place(number), by=0, tiles=["5-4", "2-1"])
                yield game
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import field
from typing import BinaryIO, ClassVar

from golpae.records import dataclass
from golpae.trace import DamagedArchive, blocks
from golpae.trace.log_text import Choice, Listing, LogText, Place, Reading, Recorded

__all__ = ["Adapter", "Choice", "Game", "Log", "LogFault", "Place", "Ways", "event"]

LARGEST = 1 << 26
"""Bytes of the largest log that is read."""

VERSION = 1  # of the trace format
_SPOILT = b"(the log is spoilt here)"
_FINISH = b'{"do":"finish"'
_NO_HEADER = b'{"golpae":1}'  # begins a trace of its own, which has a fault


class LogFault(Exception):
    """A log, or a game in it, that cannot be read any further, and where."""

    def __init__(self, message: str, place: Place | None = None) -> None:
        super().__init__(message)
        self.message, self.place = message, place


@dataclass(frozen=True, slots=True)
class Log:
    """A log to read. `name` is that of its file, for adapters that find something in it."""

    data: bytes
    name: str

    def text(self) -> str:
        """Return the text, each line end as one character. Bytes that are no UTF-8 become replacement characters."""
        return self.data.decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\r", "\n")

    def lines(self) -> Iterator[tuple[int, str]]:
        """Yield the lines without their ends, with their numbers from 1."""
        yield from enumerate(self.text().split("\n"), 1)

    def place_of(self, offset: int) -> Place:
        """Return the line and column of a byte, from 0; columns count characters."""
        begin = self.data.rfind(b"\n", 0, offset) + 1
        return Place(
            self.data.count(b"\n", 0, offset) + 1, len(self.data[begin:offset].decode("utf-8", "replace")) + 1
        )


def event(do: str, by: int | None = None, **keys: object) -> dict[str, object]:
    """Return an event: the action, the seat that acts, and the keys of the action. A key that is `by` or the like in
    Python takes an underscore behind it: `from_=2`.
    """
    line: dict[str, object] = {"do": do}
    if by is not None:
        line["by"] = by
    return line | {key.removesuffix("_"): value for key, value in keys.items()}


class Game:
    """A game of a log, told event by event. `name` becomes the `id` of the trace."""

    def __init__(
        self,
        rules: str,
        players: Sequence[str],
        place: Place,
        *,
        name: str | int | None = None,
        stake: int | None = None,
        options: Mapping[str, int] | None = None,
    ) -> None:
        header: dict[str, object] = {"golpae": VERSION, "rules": rules, "players": list(players)}
        given = {"id": name, "stake": stake, "options": None if options is None else dict(options)}
        header |= {key: value for key, value in given.items() if value is not None}
        self._lines, self._places = [_encoded(header)], [place]
        self._listings: list[Listing] = []
        self._of_conditions: dict[tuple[int, str], Place] = {}
        self._fault: str | None = None

    def tell(self, do: str, place: Place, by: int | None = None, **keys: object) -> None:
        """Add an event: the action, its place in the log, the seat that acts, and the keys of the action."""
        self._lines.append(_encoded(event(do, by, **keys)))
        self._places.append(place)

    def tells_at(self, condition: str, place: Place) -> None:
        """Say where the log has what a condition asks of the last event, such as `scored`, if it stands elsewhere."""
        self._of_conditions[len(self._lines) - 1, condition] = place

    def lists(
        self,
        place: Place,
        legal: Sequence[Choice],
        left_out: Sequence[Choice] = (),
        besides: Collection[str] | None = (),
    ) -> None:
        """Say what the log lists as legal behind the events told so far: see `Listing`."""
        self._listings.append(Listing(len(self._lines) - 1, place, legal, left_out, besides))

    def spoil(self, message: str, place: Place) -> None:
        """Say that the log cannot be read from here on, and why; the game ends with this, and is malformed."""
        self._lines.append(_SPOILT)
        self._places.append(place)
        self._fault = message

    def reading(self) -> Reading:
        """Return the game as it was told."""
        return Reading(
            tuple(self._lines),
            tuple(self._places),
            self._fault,
            tuple(self._listings),
            dict(self._of_conditions),
        )


@dataclass(frozen=True, slots=True)
class Ways:
    """A game that a log leaves open: the likeliest way to read it first. `others` yields the other ways when they are
    asked for. `open` says what is left open, such as "which of two equal tiles was taken".
    """

    first: Game
    others: Callable[[], Iterator[Game]] = field(repr=False)
    open: str

    def reading(self) -> Recorded:
        """Return the game with all its ways."""
        return Recorded(self.first.reading(), lambda: (game.reading() for game in self.others()), self.open)


class Adapter(ABC):
    """Reads logs of one format. An installed package names its adapters as entry points of the group `golpae.logs`."""

    name: ClassVar[str]
    """The name after `--from`."""
    what: ClassVar[str]
    """What it reads, in a few words."""
    endings: ClassVar[tuple[str, ...]] = ()
    """Endings of names of files that are surely of this format. In folders, these are found."""
    shared_endings: ClassVar[tuple[str, ...]] = ()
    """Endings that other files have too. In folders, these are found if `recognises` says so."""

    def recognises(self, start: bytes) -> bool:
        """Return whether a file that begins so is surely of this format; `start` has its first 1,000 bytes or fewer."""
        return False

    @property
    def knows_its_logs(self) -> bool:
        """Whether it recognises logs by how they begin."""
        return type(self).recognises is not Adapter.recognises

    @abstractmethod
    def games(self, log: Log) -> Iterator[Game | Ways]:
        """Yield the games of a log. Raises `LogFault` where it cannot be read any further."""

    def written(self, traces: Sequence[Sequence[Mapping[str, object]]]) -> bytes | None:
        """Return games, as the lines of traces, as a log of this format, which is read as the same games again; None
        if the adapter only reads.
        """
        return None

    def text(self, stream: BinaryIO, name: str) -> LogText:
        """Return a log as the text of traces. Raises OSError if the stream cannot be read."""
        try:
            data = _read(stream)
        except LogFault as fault:
            return LogText([_faulty(fault.message, Place(1))], 0)
        recorded: list[Recorded] = []
        try:
            for game in self.games(Log(data, name)):
                own = game.reading()
                recorded += _apart(own) if isinstance(own, Reading) else (own,)
        except LogFault as fault:
            recorded.append(_faulty(fault.message, fault.place or Place(1)))
        except Exception as fault:  # an adapter may be anybody's
            words = f"the adapter `{self.name}` does not read this log: {type(fault).__name__}: {fault}"
            recorded.append(_faulty(words, Place(1)))
        return LogText(recorded, len(data))


def _read(stream: BinaryIO) -> bytes:
    """Return the bytes of a log, unpacked. Raises `LogFault` and OSError."""
    parts: list[bytes] = []
    size = 0
    try:
        for block in blocks(stream):
            parts.append(block)
            size += len(block)
            if size > LARGEST:
                raise LogFault(f"a log has at most {LARGEST >> 20} MiB; cut it into several files")
    except DamagedArchive as fault:
        raise LogFault(str(fault)) from None
    return b"".join(parts)


def _apart(game: Reading) -> Iterator[Recorded]:
    """Yield a game, and its fault as one of its own if the match was over before: it costs the match nothing."""
    if game.fault is not None and len(game.lines) > 1 and game.lines[-2].startswith(_FINISH):
        yield Recorded(game.sound)
        yield _faulty(game.fault, game.places[-1])
    else:
        yield Recorded(game)


def _faulty(message: str, place: Place) -> Recorded:
    """Return a record for a game of which only its fault is known."""
    return Recorded(Reading((_NO_HEADER,), (place,), message))


def _encoded(line: Mapping[str, object]) -> bytes:
    import json

    return json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
