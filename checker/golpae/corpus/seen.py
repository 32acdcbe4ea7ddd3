"""Recorded games as somebody saw them: which tiles were hidden, and whether the rest can be a legal game.

Input: the lines of a file, and a view of its games. Output: each game with its lines as seen, and the reports on them.
Guarantee: memory holds one game. An event keeps its number and its line.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import chain
from typing import TYPE_CHECKING, Any, BinaryIO

from golpae.corpus.paths import Look
from golpae.hidden.hiding import by_chance, seat_named, seen_from, still_hidden
from golpae.records import dataclass
from golpae.replay.machine import Machine
from golpae.replay.machine_cache import Library, Waived
from golpae.replay.replay import OneTrace
from golpae.replay.report import Report
from golpae.trace import Header, Outcome, Verdict, is_header, lines
from golpae.trace.digest import digest_of
from golpae.trace.read import See

if TYPE_CHECKING:
    from random import Random

Line = tuple[int, dict[str, object] | None, str | None]
Event = Mapping[str, Any]
View = Callable[[Machine, Header, Sequence[Event]], list[dict[str, Any]] | str]
"""What is seen of the events of a game; or in words why nothing is."""


@dataclass(frozen=True, slots=True)
class SeatView:
    """What the player of a seat saw, by name or number."""

    seat: str
    _waived: Waived = field(default_factory=Waived)

    def __call__(
        self, machine: Machine, header: Header, events: Sequence[Event]
    ) -> list[dict[str, Any]] | str:
        seat = seat_named(header, self.seat)
        return seat if isinstance(seat, str) else seen_from(machine, header, events, seat, self._waived)


@dataclass(frozen=True, slots=True)
class ChanceView:
    """What is left if each tile is hidden with a probability."""

    share: float
    rng: Random

    def __call__(
        self, machine: Machine, header: Header, events: Sequence[Event]
    ) -> list[dict[str, Any]] | str:
        return by_chance(machine, events, self.rng, self.share)


@dataclass(frozen=True, slots=True)
class SeenGame:
    """A game: the report on what is recorded, its lines, and what is seen of its events.

    `events` are None if nothing is: what is recorded cannot be followed (the report says why), or there is a `fault`.
    """

    report: Report
    lines: Sequence[Line]
    events: Sequence[dict[str, Any]] | None = None
    fault: str | None = None


def first_events(read: Iterator[Line], most: int) -> Iterator[Line]:
    """Yield the lines of games up to so many events of each."""
    events = 0
    for line in read:
        events += 1
        if line[1] is not None and ("golpae" in line[1] or is_header(line[1])):
            events = 0
        if events <= most:
            yield line


def seen_games(one: OneTrace, read: Iterator[Line], view: View) -> Iterator[SeenGame]:
    """Yield the games of a file with what is seen of them."""
    for report, read_lines in one.games(read):
        recorded = _recorded(report, read_lines)
        if recorded is None or report.end is None:
            yield SeenGame(report, read_lines)
            continue
        machine, header, _ = report.end
        completion = report.outcome.completion
        events = view(machine, header, recorded if completion is None else completion)
        if isinstance(events, str):
            yield SeenGame(report, read_lines, fault=events)
            continue
        if completion is not None:
            events = [still_hidden(machine, *both) for both in zip(events, recorded, strict=True)]
        yield SeenGame(report, read_lines, events)


def reports_on_seen(
    one: OneTrace, file: str, stream: BinaryIO, library: Library, look: Look
) -> Generator[Report, None, tuple[int, str] | None]:
    """Yield the reports on the games of a file as `look` says."""
    raw: list[bytes] = []  # the lines of the game that is being read, and perhaps the first of the next one
    see = None if one.see is None else _both(raw.append, one.see)
    read = lines(stream, see if look.seat is not None else one.see)
    if look.seat is None:
        for report, read_lines in one.games(read):
            yield _with_whole(report, read_lines) if look.completed else report
        return one.unread
    for game in seen_games(one, read, SeatView(look.seat)):
        report, seen_lines = game.report, game.lines
        as_recorded = raw[: len(seen_lines)]
        del raw[: len(seen_lines)]
        if game.fault is not None:
            outcome = replace(
                report.outcome,
                verdict=Verdict.MALFORMED,
                event=0,
                at=report.outcome.line,
                clause=None,
                message=game.fault,
                completion=None,
            )
            report = Report(outcome)
        elif game.events is not None:
            first, *rest = game.lines
            events: Iterator[Line] = (
                (at, event, None) for (at, _, _), event in zip(rest, game.events, strict=False)
            )
            seen_lines = [first, *events]
            recorded = report.outcome
            report, _ = OneTrace(file, library, recorded.rules).after(seen_lines[0], iter(seen_lines[1:]))
            if see is not None:
                report = _cited(report, recorded, as_recorded)
        yield _with_whole(report, seen_lines) if look.completed else report
    return one.unread


def _both(first: See, second: See) -> See:
    def see(line: bytes) -> None:
        first(line)
        second(line)

    return see


def _cited(report: Report, recorded: Outcome, read: Sequence[bytes]) -> Report:
    """Return a report on what was seen of a game, with the hashes of what was recorded, up to the event that it is
    about.
    """
    event = report.outcome.event
    hashed = digest_of(b"\n".join(read if event is None else read[: event + 1]))
    return replace(report, outcome=replace(report.outcome, spec_hash=recorded.spec_hash, trace_hash=hashed))


def _recorded(report: Report, read: Sequence[Line]) -> list[Event] | None:
    """Return the events of a game, up to a line that is none; None if the game cannot be followed."""
    outcome = report.outcome
    if outcome.verdict in (Verdict.MALFORMED, Verdict.UNKNOWN) or report.end is None:
        return None
    if outcome.verdict is Verdict.ILLEGAL and report.refusal is None:
        return None
    events: list[Event] = []
    for _, line, fault in read[1:]:
        if line is None or fault is not None:
            break
        events.append(line)
    return events


def events_of(read: Sequence[Line]) -> tuple[Event, ...]:
    """Return the events of the lines of a game without a fault."""
    return tuple(line for _, line, _ in read[1:] if line is not None)


def _with_whole(report: Report, read: Sequence[Line]) -> Report:
    """Return a report that has the lines of a game without a fault, with all tiles and the rules that it was checked
    by. A game that stands by rulings has a fault: without them its lines are not legal.
    """
    outcome = report.outcome
    if outcome.verdict not in (Verdict.LEGAL, Verdict.INCOMPLETE) or outcome.rulings:
        return report
    header = read[0][1]
    assert header is not None
    header = {**header, "rules": outcome.rules}
    events = outcome.completion
    if events is None:
        events = events_of(read)
    return replace(report, whole=tuple(chain([header], events)))
