"""`golpae hide`: recorded games as one player saw them."""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Generator, Sequence
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from golpae import exit_codes
from golpae.beside import written
from golpae.cli.inputs import add_spec_path, add_traces, complain_of, opened, reading, traces_of, unwritable
from golpae.cli.rule_sets import RULES_HELP, FaultyTexts, RulesToPlay, rules_to_play
from golpae.cli.terminal.output import printable, read_to_end
from golpae.corpus.reading import Reader
from golpae.corpus.seen import ChanceView, SeatView, SeenGame, View, seen_games
from golpae.diagnostics.amounts import many
from golpae.replay.replay import OneTrace
from golpae.rule_names import UsageError
from golpae.trace import Source, Verdict, lines
from golpae.trace.log_text import LogText, Recorded, log_text
from golpae.trace.written import trace_text


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add_traces(parser)
    add(
        "--seat",
        metavar="SEAT",
        help="the player, by name or number from 0; `none` sees what all players see",
    )
    add("--chance", metavar="P", type=float, help="instead, hide each tile with this probability")
    add("--seed", metavar="N", type=int, help="with `--chance`: the seed (default: 1)")
    add("--rules", metavar="RULES", help=f"the rules that say who sees what: {RULES_HELP}")
    add("-o", "--output", metavar="FILE", help="write the games to this file (default: standard output)")
    add_spec_path(parser)


def run(args: argparse.Namespace) -> int:
    try:
        view = _view(args)
    except UsageError as wrong:
        complain_of(wrong.fault)
        return exit_codes.WRONG_INPUT
    rules = rules_to_play(args, args.paths)
    files, faults = traces_of(args, args.paths)
    for fault in faults:
        complain_of(fault)
    if rules is None or not files:
        return exit_codes.WRONG_INPUT
    hide = _Hide(rules, view)
    try:
        if args.output is None:
            hide.files(files, sys.stdout.buffer)
        else:
            with written(Path(args.output)) as out:
                hide.files(files, out)
            sys.stdout.write(f"{many(hide.games, 'game')}\n")
    except BrokenPipeError:
        raise
    except OSError as error:
        complain_of(unwritable(args.output or "-", error).fault)
        return exit_codes.WRONG_INPUT
    return exit_codes.WRONG_INPUT if faults or hide.failed else exit_codes.HOLDS


def _view(args: argparse.Namespace) -> View:
    """Return what a call wants to see. Raises `UsageError`."""
    if args.chance is None:
        if args.seed is not None:
            raise UsageError("--seed", "`--seed` goes with `--chance`")
        if args.seat is None:
            advice = "for example `--seat 0`, or `--chance 0.3`, which hides some tiles by chance"
            raise UsageError("--seat", "`--seat` is missing: who sees the games?", advice)
        return SeatView(args.seat)
    if args.seat is not None:
        raise UsageError(
            "--chance", "`--chance` hides tiles whoever sees them, so it does not go with `--seat`"
        )
    if not 0 < args.chance <= 1:
        raise UsageError("--chance", f"`--chance` must be more than 0 and at most 1, not `{args.chance:g}`")
    return ChanceView(args.chance, random.Random(1 if args.seed is None else args.seed))


class _Hide:
    """One call."""

    def __init__(self, rules: RulesToPlay, view: View) -> None:
        self._rules, self._view = rules, view
        self._reader = Reader(rules.library, rules.rules)
        self._texts = FaultyTexts()
        self.games = 0
        self.failed = False

    def files(self, files: Sequence[Source], out: BinaryIO) -> None:
        """Write what is seen of the games of all files."""
        with reading("hiding", "games", files) as progress:
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
                    whole = read_to_end(source, found, progress, partial(self._write, source, out))
                    self.failed = self.failed or not whole

    def _of_traces(
        self, source: Source, stream: BinaryIO
    ) -> Generator[SeenGame, None, tuple[int, str] | None]:
        one = OneTrace(source.name, self._rules.library, self._rules.rules)
        yield from seen_games(one, lines(stream), self._view)
        return one.unread

    def _of_log(self, source: Source, log: LogText) -> Generator[SeenGame, None, tuple[int, str] | None]:
        for game in log.games:
            yield from self._game(source, game)
        return None

    def _game(self, source: Source, game: Recorded) -> Generator[SeenGame, None, None]:
        """Yield a game of a log, up to the place at which the log is spoilt."""
        reading = game.first if game.others is None else self._reader.best_reading(source, game)
        if reading.fault is not None:
            self._complain(f"{source.shown}: {reading.places[-1]}: {reading.fault}")
        one = OneTrace(source.name, self._rules.library, self._rules.rules)
        yield from seen_games(one, lines(BytesIO(reading.sound.text)), self._view)

    def _write(self, source: Source, out: BinaryIO, game: SeenGame) -> None:
        """Write what is seen of a game, or say why nothing is."""
        outcome = game.report.outcome
        first = game.lines[0][1]
        if game.events is not None and first is not None:
            self.games += 1
            header = first if self._rules.rules is None else {**first, "rules": outcome.rules}
            out.write(trace_text([header, *game.events]))
            return
        place = f"{source.shown}:{outcome.line}"
        if game.fault is not None:
            self._complain(f"{place}: left out: {game.fault}")
            return
        if game.report.text_faults is not None:
            self._texts.add(str(outcome.rules), game.report.text_faults)
        verdict = "undecided" if outcome.verdict is Verdict.UNKNOWN else outcome.verdict.value
        at = f" at event {outcome.event}" if outcome.event else " in its header"
        self._complain(f"{place}: left out, because it is {verdict}{at}: {outcome.message}")

    def _complain(self, words: str) -> None:
        sys.stderr.write(f"golpae: {printable(words)}\n")
        self.failed = True
