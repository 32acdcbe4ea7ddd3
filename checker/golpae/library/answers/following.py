"""What other rules would have changed in recorded games.

Input: rules A, rules B, and files of games.
Output: `ComparedTraces`.
Guarantee: the answers are those of `golpae compare --traces`.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import dataclass
from functools import partial

from golpae.corpus.paths import is_large
from golpae.corpus.reading import NotOpened, open_source
from golpae.impact.two_replays import Impact, ImpactSide
from golpae.library.answers.comparing import other_of
from golpae.library.checking import OnFault, files_of, of_source, tell, unread_fault
from golpae.library.front import rules_of
from golpae.library.origin import PathLike
from golpae.library.rules import Rules
from golpae.library.values import FrozenDict
from golpae.report.archive.impact import DifferenceRow, ImpactReport, parts


@dataclass(frozen=True, slots=True)
class Change:
    """Something that is otherwise under the other rules.

    Attributes:
        kind: `verdict`, `payments`, `amount` (of an event) or `pattern` (that counts).
        what: what it is, in words.
        games: in how many games.
        events: in how many events.
        file: the file of the game that shows it soonest.
        line: the line of the header of this game.
        event: the number of the event; 0 is the header.
        at: the line of the event.
        message: why an event is refused, if one is.
        clause: the clause that refuses it.
        by: how often by how much; the key is None if it is no number.
    """

    kind: str
    what: str
    games: int
    events: int
    file: str
    line: int
    event: int
    at: int
    message: str | None
    clause: str | None
    by: FrozenDict[int | None, int]


@dataclass(frozen=True, slots=True)
class ComparedTraces:
    """Recorded games under rules A and rules B. It is true if none differs, and none was left out for its tiles.

    Attributes:
        a: the name of A.
        b: the name of B.
        games: how many games were followed.
        same: how many of them are the same under both.
        other_games: how many were left out, because they are of other rules.
        unread: how many were left out, because their headers cannot be read.
        changes: what differs, what shows in most games first.
        moved: what those gain in all who gain by the payments of B.
        seats: what B pays more to each seat.
        players: what B pays more to each player, by name.
        unseen: how many were left out, because some of their tiles are unknown.
    """

    a: str
    b: str
    games: int
    same: int
    other_games: int
    unread: int
    changes: tuple[Change, ...]
    moved: int
    seats: FrozenDict[int, int]
    players: FrozenDict[str, int]
    unseen: int = 0

    def __bool__(self) -> bool:
        """Return whether every game is the same under both; not if some could not be followed for their tiles."""
        return self.same == self.games and not self.unseen


def compare_traces(
    a: Rules | PathLike,
    b: Rules | str,
    paths: PathLike | Iterable[PathLike],
    on_fault: OnFault | None = None,
) -> ComparedTraces:
    """Tell what rules B instead of rules A would have changed in recorded games, as
    [`golpae compare --traces`](impact.md) does.

    Args:
        a: the rules A.
        b: the rules B; a text names a variant of A, or other rules.
        paths: a file or folder of games, or several.
        on_fault: is called with the `TraceError` of each file that cannot be read to its end; without it, the error is
            raised.

    Raises:
        RulesError: there are no such rules.
        TraceError: there is no such file or folder, or one cannot be read to its end.
    """
    a = rules_of(a)
    b = other_of(a, b)
    files = files_of(paths)
    impact = Impact(ImpactSide(a.name, a.game, a.library), ImpactSide(b.name, b.game, b.library))
    for source in files:
        opened = partial(open_source, source)
        try:
            unread = _ended(impact.file(source.name, opened, is_large(source), lambda stream: stream))
        except NotOpened as fault:
            tell(of_source(source, fault), on_fault)
            continue
        if unread is not None:
            tell(unread_fault(source, unread), on_fault)
    tally = impact.tally
    return ComparedTraces(
        a.name,
        b.name,
        tally.games,
        tally.same,
        tally.other_games,
        tally.unread,
        tuple(
            _change(part.kind, row)
            for part in parts(ImpactReport(a.name, b.name, len(files), tally), most=None)
            for row in part.rows
        ),
        tally.moved,
        FrozenDict(dict(sorted(tally.seats.items()))),
        FrozenDict({name: more for name, more in tally.players.items() if name is not None}),
        tally.unseen,
    )


def _ended(games: Generator[object, None, tuple[int, str] | None]) -> tuple[int, str] | None:
    """Go through games to their end. Return where reading stopped before that, and why."""
    while True:
        try:
            next(games)
        except StopIteration as end:
            unread: tuple[int, str] | None = end.value
            return unread


def _change(kind: str, row: DifferenceRow) -> Change:
    place = row.place
    clauses = [end.clause for end in reversed(row.ends or ()) if end.clause is not None]
    return Change(
        kind,
        row.what,
        row.row.games,
        row.row.events,
        place.file,
        place.line,
        place.event,
        place.at,
        place.message,
        clauses[0] if clauses else None,
        FrozenDict(dict(row.row.changes)),
    )
