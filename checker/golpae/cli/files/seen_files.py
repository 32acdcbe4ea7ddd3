"""The games of all files of a call, each with what somebody saw of it.

Input: sources, and a view of their games. Output: the games, one after the other; complaints on standard error.
Guarantee: memory holds one game. What cannot be read costs nothing else.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from functools import partial
from io import BytesIO
from typing import BinaryIO

from golpae.cli.inputs import opened, reading
from golpae.cli.rule_sets import FaultyTexts, RulesToPlay
from golpae.cli.terminal.output import printable, read_to_end
from golpae.corpus.reading import Reader
from golpae.corpus.seen import Line, SeenGame, View, first_events, seen_games
from golpae.replay.replay import OneTrace
from golpae.trace import Source, Verdict, lines
from golpae.trace.log_text import LogText, Recorded, log_text


class SeenFiles:
    """One call, which is `doing` something with the games, or with their first `events`. `failed` says whether
    something could not be read, and `left` how many games were left out.
    """

    def __init__(self, rules: RulesToPlay, view: View, doing: str, events: int | None = None) -> None:
        self.rules = rules
        self.failed = False
        self.left = 0
        self._view, self._doing, self._events = view, doing, events
        self._reader = Reader(rules.library, rules.rules)
        self._texts = FaultyTexts()

    def games_of(self, files: Sequence[Source], take: Callable[[Source, SeenGame], None]) -> None:
        """Take the games of all files as they come."""
        with reading(self._doing, "games", files) as progress:
            for source in files:
                stream = opened(source)
                if stream is None:
                    self.failed = True
                    continue
                with stream:
                    log = log_text(stream)
                    if log is None:
                        found = self._of_traces(source, progress.watched(stream))
                    else:
                        found = self._of_log(source, log)
                    whole = read_to_end(source, found, progress, partial(take, source))
                    self.failed = self.failed or not whole

    def _of_traces(
        self, source: Source, stream: BinaryIO
    ) -> Generator[SeenGame, None, tuple[int, str] | None]:
        one = OneTrace(source.name, self.rules.library, self.rules.rules)
        yield from seen_games(one, self._begun(lines(stream)), self._view)
        return one.unread

    def _of_log(self, source: Source, log: LogText) -> Generator[SeenGame, None, tuple[int, str] | None]:
        for game in log.games:
            yield from self._game(source, game)
        return None

    def _game(self, source: Source, game: Recorded) -> Generator[SeenGame, None, None]:
        """Yield a game of a log, up to the place at which the log is spoilt."""
        reading = game.first if game.others is None else self._reader.best_reading(source, game)
        if reading.fault is not None:
            self.failed = True
            _complain(f"{source.shown}: {reading.places[-1]}: {reading.fault}")
        one = OneTrace(source.name, self.rules.library, self.rules.rules)
        yield from seen_games(one, self._begun(lines(BytesIO(reading.sound.text))), self._view)

    def _begun(self, read: Iterator[Line]) -> Iterator[Line]:
        return read if self._events is None else first_events(read, self._events)

    def left_out(self, source: Source, game: SeenGame) -> None:
        """Say why nothing is told of a game."""
        self.left += 1
        outcome = game.report.outcome
        place = f"{source.shown}:{outcome.line}"
        if game.fault is not None:
            _complain(f"{place}: left out: {game.fault}")
            return
        if game.report.text_faults is not None:
            self._texts.add(str(outcome.rules), game.report.text_faults)
        verdict = "undecided" if outcome.verdict is Verdict.UNKNOWN else outcome.verdict.value
        at = f" at event {outcome.event}" if outcome.event else " in its header"
        _complain(f"{place}: left out, because it is {verdict}{at}: {outcome.message}")


def _complain(words: str) -> None:
    sys.stderr.write(f"golpae: {printable(words)}\n")
