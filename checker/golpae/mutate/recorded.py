"""Recorded games and scored hands, read once and judged many times.

Input: trace files; files of hands as `golpae score` takes them, each with its `points`.
Output: `Trace` and `Hand` values.
Guarantee: lines that cannot be read are kept as such: a trace is malformed under every text at the same line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from golpae.trace import Header, Source, is_header, lines, read_header
from golpae.trace.unseen import is_hidden

Worth = (
    int | str | None
)  # of a hand: its points, None if it does not win, REFUSED if nobody can win with these values
REFUSED = "refused"


class NotHands(Exception):
    """The words say why a file holds no hands with their points."""


@dataclass(frozen=True, slots=True)
class Trace:
    """A recorded game with a readable header; an event is None if its line cannot be read."""

    name: str
    header: Header
    events: tuple[dict[str, Any] | None, ...]

    @property
    def table(self) -> tuple[str, int, tuple[tuple[str, int], ...]]:
        return self.header.rules, len(self.header.players), tuple(sorted(self.header.options.items()))

    @property
    def unseen(self) -> bool:
        """Return whether it has tiles that nobody saw: it is judged up to the first of them."""
        return any(event is not None and is_hidden(event) for event in self.events)


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand, and what it is worth by the rules that it names."""

    name: str
    given: dict[str, Any]
    worth: Worth

    @property
    def rules(self) -> str:
        return str(self.given["rules"])


def traces(sources: Iterable[Source], game: str) -> list[Trace]:
    """Return the traces of a game. Raises OSError."""
    return [trace for source in sources for trace in _in_file(source) if trace.header.base == game]


def _in_file(source: Source) -> Iterator[Trace]:
    return (game for game in games_in(source) if isinstance(game, Trace))


def games_in(source: Source) -> Iterator[Trace | str]:
    """Yield all games of a file, of whatever rules; of one whose header cannot be read, the name. Raises OSError."""
    header: Header | None = None
    events: list[dict[str, Any] | None] = []
    name: str | None = None
    with source.open() as stream:
        for at, line, fault in lines(stream):
            if line is None or not is_header(line):
                events.append(None if fault is not None else line)
                continue
            if name is not None:
                yield name if header is None else Trace(name, header, tuple(events))
            read = None if fault is not None else read_header(line)
            header, events, name = (read if isinstance(read, Header) else None), [], f"{source.name}:{at}"
    if name is not None:
        yield name if header is None else Trace(name, header, tuple(events))


def without_header(source: Source) -> bool:
    """Return whether a file holds no game at all, of whatever rules. Raises OSError."""
    with source.open() as stream:
        return not any(line is not None and is_header(line) for _, line, _ in lines(stream))


def hands(source: Source, rules: str | None = None) -> list[Hand]:
    """Return the hands of a file: JSON objects, each with `rules` (those of hands that name none may be given), and
    `points`: a whole number, null if the hand does not win, or "refused" if no player can win with these values.
    Raises OSError and `NotHands`.
    """
    stated_hands = []
    with source.open() as stream:
        for at, given, fault in lines(stream):
            place = f"{source.shown}:{at}"
            if given is None or fault is not None:
                raise NotHands(f"{place}: {fault}")
            if "golpae" in given:
                raise NotHands(f"{place}: this line begins a game; a hand with its `points` was expected")
            named = {**given} if rules is None else {"rules": rules, **given}
            wrong = _wrong(named)
            if wrong is not None:
                raise NotHands(f"{place}: {wrong}")
            worth: Any = named.pop("points")
            stated_hands.append(Hand(f"{source.name}:{at}", named, worth))
    return stated_hands


def _wrong(given: Mapping[str, object]) -> str | None:
    """Return why an object is no hand with its points, or None."""
    if not isinstance(given.get("rules"), str):
        return "a hand needs `rules`, a text"
    if "points" not in given:
        return "a hand needs the `points` that it was given"
    points = given["points"]
    if type(points) is int or points is None or points == REFUSED:
        return None
    return f'`points` is a whole number, `null` or `"{REFUSED}"`'
