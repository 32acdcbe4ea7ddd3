"""Count what the games of trace files come to.

Input: the rules of traces, and where their texts are; files, one by one.
Output: a `GameTally` for each game that the traces name.
Guarantee: memory holds counts, not games.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from typing import BinaryIO

from golpae.coverage.clauses import Book
from golpae.coverage.noting import NotingLibrary
from golpae.coverage.tally import GameTally
from golpae.diagnostics import SpecError
from golpae.elaborate.load import load
from golpae.elaborate.resolve import split
from golpae.ir.ruleset import RuleSet
from golpae.replay.replay import replay
from golpae.replay.report import Report


class Coverage:
    """The counts of all games. `rule_set` gives the rules of a name, and may raise `SpecError`."""

    def __init__(self, rule_set: Callable[[str], RuleSet], places: Sequence[Path]) -> None:
        self._rule_set, self._places = rule_set, places
        self._library = NotingLibrary(rule_set)
        self.games: dict[str, GameTally] = {}
        self.unplayed = 0
        """Traces without rules that can be played."""

    def file(
        self, stream: BinaryIO, name: str, rules: str | None = None
    ) -> Generator[Report, None, tuple[int, str] | None]:
        """Count the traces of a file, and yield the report on each. Return what `replay` returns."""
        reports = replay(stream, name, self._library, rules, explained=False)
        while True:
            try:
                report = next(reports)
            except StopIteration as end:
                unread: tuple[int, str] | None = end.value
                return unread
            self._add(report)
            yield report

    def game(self, game: str) -> GameTally:
        """Return the counts of a game. Raises `SpecError`."""
        if game not in self.games:
            self.games[game] = GameTally(Book(load(game, self._places), self._loaded))
        return self.games[game]

    def _loaded(self, rules: str) -> RuleSet:
        """Return a rule set, from the library if it has been played by. Raises `SpecError`."""
        return self._library.rule_set(rules) or self._rule_set(rules)

    def _add(self, report: Report) -> None:
        if report.end is None or report.outcome.rules is None:
            self.unplayed += 1
            return
        _, header, _ = report.end
        try:
            tally = self.game(split(report.outcome.rules)[0])
        except SpecError:  # its text has gone since it was played
            self.unplayed += 1
            return
        tally.add(report.outcome, len(header.players), self._library.used())
