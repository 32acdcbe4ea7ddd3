"""Recorded games as data: their headers and events, and the positions that they lead to.

Input: files of traces.
Output: a `Recorded` for each game, in order.
Guarantee: memory holds one game. Nothing is checked before somebody asks for positions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from golpae.library.checking import OnFault, Refused, files_of, opened, unread_fault
from golpae.library.engine import Position
from golpae.library.events import Accepted
from golpae.library.front import live
from golpae.library.origin import PathLike, places_of
from golpae.library.rules import Rules
from golpae.library.values import FrozenDict, frozen
from golpae.trace import NO_HEADER, Source, identity, is_header, lines
from golpae.trace.remote import is_url


@dataclass(frozen=True, slots=True)
class Recorded:
    """A recorded game as it was written; nobody has checked it.

    Attributes:
        file: its file.
        line: the line of its header, from 1.
        id: the `id` of its header.
        rules: the rules that its header names.
        header: its header.
        events: its events, as the file has them.
    """

    file: str
    line: int
    id: str | int | None
    rules: str | None
    header: FrozenDict[str, Any]
    events: tuple[FrozenDict[str, Any], ...]

    def steps(
        self, rules: Rules | PathLike | None = None, spec_path: PathLike | Iterable[PathLike] = ()
    ) -> Iterator[tuple[Accepted | Refused, Position]]:
        """Play the game again: yield what came of each event, and the position after it, up to the first refused one.
        Positions need all tiles: an event with an unknown one is refused. `check` gives the `completion` of a game.

        Args:
            rules: the rules to play by; those that the header names if None.
            spec_path: folders of rule texts that the header may name.

        Raises:
            TraceError: the header is wrong.
            RulesError: there are no such rules.
            TableError: the rules do not allow so many players, or these options.
        """
        game = live(self.header, rules, places_of(spec_path, [Source(self.file, is_url(self.file))]))
        for event in self.events:
            answer = game.apply(event)
            yield answer, game.position
            if isinstance(answer, Refused):
                return


def recorded_games(
    paths: PathLike | Iterable[PathLike], on_fault: OnFault | None = None
) -> Iterator[Recorded]:
    """Yield the games of files and folders as data, in order.

    Args:
        paths: a file or folder of games, or several; they may be compressed (gzip, zstd).
        on_fault: is called with the `TraceError` of each game that has a line which is no JSON object, and of each file
            that breaks off; without it, the error is raised.

    Raises:
        TraceError: there is no such file or folder, or no file of games in it; or a line cannot be read.
    """
    return _games(files_of(paths), on_fault)


def _games(files: Iterable[Source], on_fault: OnFault | None) -> Iterator[Recorded]:
    for source in files:
        with opened(source) as stream:
            yield from _of_file(source, stream, on_fault)


def _of_file(source: Source, stream: Any, on_fault: OnFault | None) -> Iterator[Recorded]:
    first: tuple[int, dict[str, object]] | None = None
    events: list[FrozenDict[str, Any]] = []
    spoilt = False  # the open game has a line that cannot be read, which was told
    for number, line, fault in lines(stream):
        if line is not None and is_header(line) and first is not None:
            yield _recorded(source, *first, events)
            first, events = None, []
        if line is not None and fault is None and is_header(line):
            first, spoilt = (number, line), False
            continue
        if fault is None and line is not None and first is not None:
            events.append(frozen(line))
        elif not spoilt:
            first, events, spoilt = None, [], True
            error = unread_fault(source, (number, fault or NO_HEADER))
            if on_fault is None:
                raise error
            on_fault(error)
    if first is not None:
        yield _recorded(source, *first, events)


def _recorded(
    source: Source, number: int, header: dict[str, object], events: list[FrozenDict[str, Any]]
) -> Recorded:
    name, rules = identity(header)
    return Recorded(source.name, number, name, rules, frozen(header), tuple(events))
