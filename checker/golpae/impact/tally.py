"""What differs between two courses of each game, counted.

Input: games, each with its two courses. Output: a `ImpactTally`, which other tallies can be added to.
Guarantee: for each difference the game that shows it soonest is kept, of several the first; memory grows with the
differences and the players' names, not with the games.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from golpae.impact.game import AmountsOfEvent, Course
from golpae.trace import Verdict

PAY, PATTERNS = "pay", "patterns"
MOST_PLAYERS = 100_000  # names whose gains are kept
OTHERS = None  # stands for further names


class DifferencePlace(NamedTuple):
    """Where a difference shows: the event, the number of the file in the call, its name, the lines of the header and of
    the event.

    Of two places the lesser one shows it sooner.
    """

    event: int
    number: int
    line: int
    at: int
    file: str
    message: str | None = None
    """What the side says that refuses the event, if one does."""


class End(NamedTuple):
    """How a course ends: the clause is that of an illegal event; `reason` says why a header is refused."""

    verdict: Verdict
    clause: str | None = None
    reason: str | None = None


@dataclass(slots=True)
class DifferenceCount:
    """How often something differs: in so many games and events, and where soonest. `changes` counts by how much, B's
    amount less A's; None: not by a number.
    """

    place: DifferencePlace
    games: int = 0
    events: int = 0
    changes: Counter[int | None] = field(default_factory=Counter)

    def add(self, other: DifferenceCount) -> None:
        """Count what another row has."""
        self.place = min(self.place, other.place)
        self.games += other.games
        self.events += other.events
        self.changes += other.changes


@dataclass(slots=True)
class ImpactTally:
    """All games. `other_games` are of games that neither side has, `unread` cannot be read as traces of any, `unseen`
    have tiles that nobody saw.

    `flips`: the ends that differ, A's and B's. `amounts`: by action and key. `patterns`: by name. `seats` and
    `players`: how much more B pays to each, over `paid.events` hands.
    """

    games: int = 0
    same: int = 0
    other_games: int = 0
    unread: int = 0
    unseen: int = 0
    flips: dict[tuple[End, End], DifferenceCount] = field(default_factory=dict)
    amounts: dict[tuple[str, str], DifferenceCount] = field(default_factory=dict)
    patterns: dict[str, DifferenceCount] = field(default_factory=dict)
    paid: DifferenceCount | None = None
    moved: int = 0
    """The sum of what all who gain by B's payments gain."""
    seats: Counter[int] = field(default_factory=Counter)
    players: Counter[str | None] = field(default_factory=Counter)

    def add(self, other: ImpactTally) -> None:
        """Count the games of another tally."""
        self.games += other.games
        self.same += other.same
        self.other_games += other.other_games
        self.unread += other.unread
        self.unseen += other.unseen
        for mine, theirs in (
            (self.flips, other.flips),
            (self.amounts, other.amounts),
            (self.patterns, other.patterns),
        ):
            _add_rows(mine, theirs)
        if other.paid is not None:
            self.paid = _added(self.paid, other.paid)
        self.moved += other.moved
        _add_sums(self.seats, other.seats)
        for name, sum_of in other.players.items():
            self._player(name, sum_of)

    def game(
        self, a: Course, b: Course, names: tuple[str, ...], place: DifferencePlace, events: Sequence[int]
    ) -> None:
        """Count one game. `place` is where it begins, `events` are the lines of its header and of its events."""
        self.games += 1
        game_tally = _GameTally(self, names, place, events)
        game_tally.ends(a, b)
        game_tally.amounts(a, b)
        self.same += not game_tally.differs

    def _player(self, name: str | None, more: int) -> None:
        if name not in self.players and len(self.players) >= MOST_PLAYERS:
            name = OTHERS
        self.players[name] += more


@dataclass(slots=True)
class _GameTally:
    """What differs in one game."""

    tally: ImpactTally
    names: tuple[str, ...]
    place: DifferencePlace
    events: Sequence[int]
    differs: bool = False

    def ends(self, a: Course, b: Course) -> None:
        """Count the ends, if they differ."""
        ends = _end(a), _end(b)
        if (ends[0], a.event) != (ends[1], b.event) and {a.event, b.event} != {0}:
            events = [course.event for course in (a, b) if course.event is not None]
            first = min(events, default=0)
            words = next((c.message for c in (b, a) if c.event is not None and c.event == first), None)
            self._row(self.tally.flips, ends, first, words)

    def amounts(self, a: Course, b: Course) -> None:
        """Count the amounts that differ in events of both courses."""
        theirs = {counted.event: counted for counted in b.counted}
        seen: set[object] = set()
        for mine in a.counted:
            other = theirs.get(mine.event)
            if other is not None and other.action == mine.action:
                self._event(mine, other, seen)

    def _event(self, a: AmountsOfEvent, b: AmountsOfEvent, seen: set[object]) -> None:
        for key in a.amounts:
            one, other = a.amounts[key], b.amounts.get(key)
            if one == other or key == PATTERNS or key not in b.amounts:
                continue
            if key == PAY and isinstance(one, Sequence) and isinstance(other, Sequence):
                self._paid(a.event, one, other, seen)
            else:
                change = other - one if isinstance(one, int) and isinstance(other, int) else None
                self._count(self.tally.amounts, (a.action, key), a.event, change, seen)
        self._patterns(a.event, a.patterns or {}, b.patterns or {}, seen)

    def _patterns(self, event: int, a: Mapping[str, int], b: Mapping[str, int], seen: set[object]) -> None:
        for name in dict.fromkeys((*a, *b)):
            change = b.get(name, 0) - a.get(name, 0)
            if change:
                self._count(self.tally.patterns, name, event, change, seen)

    def _paid(self, event: int, a: Sequence[int], b: Sequence[int], seen: set[object]) -> None:
        tally = self.tally
        row = DifferenceCount(self._place(event), PAY not in seen, 1)
        seen.add(PAY)
        self.differs = True
        tally.paid = _added(tally.paid, row)
        for seat, (one, other) in enumerate(zip(a, b, strict=True)):
            tally.moved += max(0, other - one)
            tally.seats[seat] += other - one
            tally._player(self.names[seat], other - one)

    def _count(
        self, rows: dict[Any, DifferenceCount], key: object, event: int, change: int | None, seen: set[object]
    ) -> None:
        row = self._row(rows, key, event, None, key not in seen)
        seen.add(key)
        row.changes[change] += 1

    def _row(
        self, rows: dict[Any, DifferenceCount], key: object, event: int, words: str | None, first: bool = True
    ) -> DifferenceCount:
        self.differs = True
        new = DifferenceCount(self._place(event)._replace(message=words), first, 1)
        rows[key] = _added(rows.get(key), new)
        return rows[key]

    def _place(self, event: int) -> DifferencePlace:
        return self.place._replace(event=event, at=self.events[event])


def _end(course: Course) -> End:
    return End(course.verdict, course.clause, course.message if course.event == 0 else None)


def _added(row: DifferenceCount | None, other: DifferenceCount) -> DifferenceCount:
    if row is None:
        return other
    row.add(other)
    return row


def _add_rows(rows: dict[Any, DifferenceCount], others: Mapping[Any, DifferenceCount]) -> None:
    for key, other in others.items():
        rows[key] = _added(rows.get(key), other)


def _add_sums(sums: Counter[int], others: Mapping[int, int]) -> None:
    for key, more in others.items():  # `+=` of counters drops what is below 0
        sums[key] += more
