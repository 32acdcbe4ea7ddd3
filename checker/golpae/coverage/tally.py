"""Counts of what recorded games come to, clause by clause.

Input: the outcome of each trace, and what it came to.
Output: a `GameTally` for each game: the counts of its clauses, its numbered rules and its tables.
Guarantee: counts do not depend on the order of traces; the examples are the first ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from golpae.coverage.clauses import BROKEN, PLAYED, Book, Clause
from golpae.coverage.noting import ClausesSeen
from golpae.trace import Outcome, Verdict

MOST_EXAMPLES = 3


@dataclass(slots=True)
class Count:
    """In how many games something came of a clause, in how many events (0: not counted), and the first of the games."""

    games: int = 0
    events: int = 0
    examples: list[str] = field(default_factory=list)

    def add(self, games: int, events: int, examples: Iterable[str]) -> None:
        self.games += games
        self.events += events
        for example in examples:
            if len(self.examples) < MOST_EXAMPLES and example not in self.examples:
                self.examples.append(example)


class Share(NamedTuple):
    """How many of something were covered."""

    covered: int
    of: int

    @property
    def percent(self) -> float:
        """The share in percent; 100 of nothing."""
        return 100 * self.covered / self.of if self.of else 100.0

    def __add__(self, other: object) -> Share:
        assert isinstance(other, Share)
        return Share(self.covered + other.covered, self.of + other.of)


class Missing(NamedTuple):
    """What came of a clause in no game. `why` says why none can show it, if that is known."""

    clause: Clause
    side: str
    why: str | None


class GameTally:
    """The counts of one game. `excused` says why no game can show a side of a clause."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.verdicts: Counter[str] = Counter()
        self.rule_sets: Counter[str] = Counter()
        self.players: Counter[int] = Counter()
        self.counts: dict[tuple[str, str], Count] = {}
        self.numbers: dict[str, dict[str, int]] = {}
        self.excused: dict[tuple[str, str], str] = {}

    def add(self, outcome: Outcome, players: int, used: ClausesSeen) -> None:
        """Count a trace."""
        rules = str(outcome.rules)
        self.verdicts[outcome.verdict.value] += 1
        self.rule_sets[rules] += 1
        self.players[players] += 1
        clauses = self.book.of(rules)
        example = place_of(outcome)
        touched: dict[str, set[str]] = {}
        sides = [*used.events.items(), *((side, 0) for side in used.seen)]
        if outcome.verdict not in (Verdict.MALFORMED, Verdict.UNKNOWN) or used.events:
            sides += [((path, PLAYED), 0) for path, clause in clauses.items() if clause.kind == "switch"]
        for (path, side), events in sides:
            clause = clauses.get(path)
            if clause is None or side not in clause.sides:
                continue  # what no line of the text says
            self.count(clause, side).add(1, events, (example,))
            for number in clause.ids:
                touched.setdefault(number, set()).add("broken" if side == BROKEN else "used")
        for number, ways in touched.items():
            held = self.numbers.setdefault(number, {"used": 0, "broken": 0})
            for way in ways:
                held[way] += 1

    def count(self, clause: Clause, side: str) -> Count:
        return self.counts.setdefault((clause.name, side), Count())

    def has(self, name: str, side: str) -> bool:
        """Return whether a clause of this name has such a side."""
        return any(clause.name == name and side in clause.sides for clause in self.book.clauses)

    def games_of(self, clause: Clause, side: str) -> int:
        """Return in how many games something came of a clause."""
        count = self.counts.get((clause.name, side))
        return 0 if count is None else count.games

    @property
    def games(self) -> int:
        return sum(self.verdicts.values())

    # ------------------------------------------------------------------ what is covered

    def sides(self) -> Iterator[tuple[Clause, str]]:
        """Yield every side of every clause that the text states and a game can show."""
        for clause in self.stated:
            for side in clause.sides:
                if self.games_of(clause, side) or (clause.name, side) not in self.excused:
                    yield clause, side

    @property
    def stated(self) -> list[Clause]:
        """The clauses that count: those that lines of the text state."""
        return [clause for clause in self.book.clauses if clause.stated]

    def of_format(self) -> Share:
        """Return how many conditions of the format of traces, which no line states, refused an event."""
        unstated = [clause for clause in self.book.clauses if not clause.stated]
        return Share(sum(1 for clause in unstated if self.games_of(clause, BROKEN)), len(unstated))

    def shares(self) -> dict[tuple[str, str], Share]:
        """Return how many sides are covered, by the kind of clause and the side."""
        out: dict[tuple[str, str], Share] = {}
        for clause, side in self.sides():
            key = clause.kind, side
            out[key] = out.get(key, Share(0, 0)) + Share(self.games_of(clause, side) > 0, 1)
        return out

    def share(self) -> Share:
        """Return how many of all sides are covered."""
        whole = Share(0, 0)
        for share in self.shares().values():
            whole += share
        return whole

    def missing(self) -> list[Missing]:
        """Return the sides of clauses that no game shows, in reading order; those that none can show come with the
        reason.
        """
        return [
            Missing(clause, side, self.excused.get((clause.name, side)))
            for clause in self.stated
            for side in clause.sides
            if not self.games_of(clause, side)
        ]

    def cited(self) -> dict[str, list[Clause]]:
        """Return the clauses that cite each number of the game's sources, in the order of the sources."""
        out: dict[str, list[Clause]] = {number: [] for number in (*self.book.rules, *self.book.sources)}
        for clause in self.book.clauses:
            for number in clause.ids:
                out.setdefault(number, []).append(clause)
        return {n: cs for n, cs in out.items() if cs or n in self.book.rules}


def whole_share(tallies: Sequence[GameTally]) -> Share:
    """Return the share of all games together."""
    whole = Share(0, 0)
    for tally in tallies:
        whole += tally.share()
    return whole


def place_of(outcome: Outcome) -> str:
    """Return where a trace begins."""
    return f"{'<stdin>' if outcome.file == '-' else outcome.file}:{outcome.line}"
