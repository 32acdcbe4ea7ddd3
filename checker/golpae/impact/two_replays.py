"""What would other rules have changed in an archive of games?

Input: two rule sets, and files of recorded games.
Output: a `ImpactTally` of all games, one by one under both.
Guarantee: a game that both find legal as it stands has the same amounts under both, because both have checked them; the
compiled path sorts these out of large files. All others are followed by the reference.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import BinaryIO

from golpae.corpus.check import check
from golpae.corpus.noting import Tables
from golpae.corpus.paths import Paths
from golpae.impact.game import Course, Follower, ImpactTable
from golpae.impact.tally import DifferencePlace, ImpactTally
from golpae.ir.limits import TooManySteps
from golpae.replay.machine_cache import Library
from golpae.replay.report import Report
from golpae.trace import Header, Verdict, lines, read_header
from golpae.trace.cut_games import games

_AS_RECORDED = (Verdict.LEGAL, Verdict.INCOMPLETE)
Open = Callable[[], BinaryIO]


@dataclass(slots=True)
class ImpactSide:
    """One of the two rule sets: its name, that of its game, and where its machines come from."""

    rules: str
    base: str
    library: Library
    _tables: dict[int, ImpactTable] = field(default_factory=dict)

    def table(self, header: Header) -> ImpactTable | str:
        """Return the table of a header, or why there is none."""
        machine = self.library.machine(self.rules, len(header.players), header.options)
        if isinstance(machine, str):
            return machine
        if id(machine) not in self._tables:
            self._tables[id(machine)] = ImpactTable(machine)
        return self._tables[id(machine)]  # INVARIANT: a table keeps its machine, so the id stays its own


class Impact:
    """Counts files, one after the other."""

    def __init__(self, a: ImpactSide, b: ImpactSide) -> None:
        self.a, self.b = a, b
        self.tally = ImpactTally()
        self.paths = Paths()
        self._files = 0

    def file(
        self, name: str, open_file: Open, large: bool, watched: Callable[[BinaryIO], BinaryIO]
    ) -> Generator[bool, None, tuple[int, str] | None]:
        """Count the games of a file, which is opened several times; one of the streams is `watched`.

        Yields once for each game. Returns the line at which reading stopped, and why, if it did. Raises OSError.
        """
        self._files += 1
        with ExitStack() as files:
            alike: Iterator[int] = iter(())
            if large:
                two = [files.enter_context(open_file()) for _ in range(2)]
                alike = _both(*map(self._legal, (self.a, self.b), two))
            return (yield from self._games(name, watched(files.enter_context(open_file())), alike))

    def _legal(self, side: ImpactSide, stream: BinaryIO) -> Iterator[tuple[int, Verdict]]:
        """Yield the lines of the headers of games that a side finds legal as they stand, and their verdicts."""
        for report in check(stream, "", Tables(side.library, side.rules), True, self.paths):
            if isinstance(report, Report) and report.outcome.verdict in _AS_RECORDED and not report.unseen:
                yield report.outcome.line, report.outcome.verdict

    def _games(
        self, name: str, stream: BinaryIO, alike: Iterator[int]
    ) -> Generator[bool, None, tuple[int, str] | None]:
        upcoming = next(alike, None)

        def begun(at: int, line: dict[str, object], fault: str | None) -> _Game:
            nonlocal upcoming
            while upcoming is not None and upcoming < at:
                upcoming = next(alike, None)
            return self._begun(name, at, line, fault, at == upcoming) or _Game()

        return (yield from games(lines(stream), begun, lambda game: game.count(self.tally)))

    def _begun(
        self, name: str, at: int, line: dict[str, object], fault: str | None, alike: bool
    ) -> _Followed | None:
        header = read_header(line) if fault is None else fault
        if isinstance(header, str):
            self.tally.unread += 1
            return None
        if header.base not in (self.a.base, self.b.base):
            self.tally.other_games += 1
            return None
        if alike:
            self.tally.games += 1
            self.tally.same += 1
            return None
        place = DifferencePlace(0, self._files, at, at, name)
        return _Followed(header, place, [_begin(s, header) for s in (self.a, self.b)])


class _Game:
    """A game that is alike under both rule sets, or not of theirs."""

    def line(self, at: int, line: dict[str, object] | None, fault: str | None) -> None:
        """Take a line behind the header."""

    def count(self, tally: ImpactTally) -> bool:
        """Count the game, once all lines are read."""
        return True


class _Followed(_Game):
    """A game that is followed under both rule sets."""

    def __init__(self, header: Header, place: DifferencePlace, sides: list[Follower | Course]) -> None:
        self._header, self._place, self._sides = header, place, sides
        self._events = array("q", [place.line])  # the lines of the header and of the events

    def line(self, at: int, line: dict[str, object] | None, fault: str | None) -> None:
        self._events.append(at)
        for side in self._sides:
            if isinstance(side, Follower) and not side.stopped:
                side.line(line, fault)

    def count(self, tally: ImpactTally) -> bool:
        a, b = (side.finish() if isinstance(side, Follower) else side for side in self._sides)
        if Verdict.UNKNOWN in (a.verdict, b.verdict):
            tally.unseen += 1
            return True
        tally.game(a, b, self._header.players, self._place, self._events)
        return True


def _begin(side: ImpactSide, header: Header) -> Follower | Course:
    """Return a follower of a game on one side. If the game cannot begin there, return its course: malformed,
    and why.
    """
    table = side.table(header)
    if isinstance(table, str):
        return Course(Verdict.MALFORMED, 0, message=table)
    try:
        return Follower(table, header)
    except TooManySteps as long:
        return Course(Verdict.MALFORMED, 0, message=str(long))


def _both(a: Iterator[tuple[int, Verdict]], b: Iterator[tuple[int, Verdict]]) -> Iterator[int]:
    """Yield the lines that both sides have with the same verdict. Lines come in order."""
    mine, theirs = next(a, None), next(b, None)
    while mine is not None and theirs is not None:
        if mine == theirs:
            yield mine[0]
        behind = mine[0] <= theirs[0], theirs[0] <= mine[0]
        mine = next(a, None) if behind[0] else mine
        theirs = next(b, None) if behind[1] else theirs
