"""Recorded games to learn from, read once.

Input: files, the game that is asked about. Output: its games, and those that teach nothing, each with the reason.
Guarantee: each file is opened once, so it may be a pipe.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from golpae.mutate.recorded import Trace
from golpae.trace import Header, Source, is_header, lines, read_header

OTHER_GAME = "of another game"
NO_HEADER = "with a header that cannot be read"
UNSEEN = "with tiles that nobody saw"


@dataclass(slots=True)
class Read:
    """Games, and for each reason to leave games out the names of these. `empty`: files without any game."""

    games: list[Trace] = field(default_factory=list)
    left_out: dict[str, list[str]] = field(default_factory=dict)
    empty: list[str] = field(default_factory=list)

    def leave_out(self, name: str, reason: str) -> None:
        self.left_out.setdefault(reason, []).append(name)


def read(files: Sequence[Source], game: str) -> Read:
    """Read the games of some files. Raises OSError."""
    found = Read()
    for source in files:
        before = len(found.games) + sum(map(len, found.left_out.values()))
        for name, header, events in _games(source):
            if not isinstance(header, Header):
                found.leave_out(name, NO_HEADER)
                continue
            trace = Trace(name, header, tuple(events))
            if header.base != game:
                found.leave_out(name, OTHER_GAME)
            elif trace.unseen:
                found.leave_out(name, UNSEEN)
            else:
                found.games.append(trace)
        if before == len(found.games) + sum(map(len, found.left_out.values())):
            found.empty.append(source.name)
    return found


def _games(source: Source) -> Iterator[tuple[str, Header | str | None, list[dict[str, Any] | None]]]:
    header: Header | str | None = None
    events: list[dict[str, Any] | None] = []
    name = ""
    with source.open() as stream:
        for at, line, fault in lines(stream):
            if line is None or not is_header(line):
                events.append(None if fault is not None else line)
                continue
            if name:
                yield name, header, events
            header, events, name = (
                fault if fault is not None else read_header(line),
                [],
                f"{source.name}:{at}",
            )
    if name:
        yield name, header, events


def as_lines(games: Sequence[Trace]) -> Iterator[tuple[int, Mapping[str, object] | None, str | None]]:
    """Yield games as lines that were read."""
    at = 0
    for game in games:
        header = game.header
        at += 1
        yield (
            at,
            {
                "golpae": 1,
                "rules": header.rules,
                "players": [*header.players],
                "stake": header.stake,
                "options": dict(header.options),
            },
            None,
        )
        for event in game.events:
            at += 1
            yield at, event, None if event is not None else "the line cannot be read"
