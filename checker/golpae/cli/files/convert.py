"""`golpae convert`: logs of another program as recorded games."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

from golpae import exit_codes
from golpae.beside import written
from golpae.cli.inputs import add_form, add_spec_path, complain_of, opened, traces_of, unwritable
from golpae.cli.rule_sets import rules_to_play
from golpae.cli.terminal.output import printable, say_empty
from golpae.corpus.reading import Reader
from golpae.logs.installed import all_adapters
from golpae.replay.machine_cache import Library
from golpae.trace import InputFault, Source
from golpae.trace.log_text import Recorded, log_text


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("paths", nargs="*", metavar="FILE", help="logs, folders of them, URLs, or `-` for standard input")
    add_form(parser)
    add("-o", "--output", metavar="FILE", help="write the games to this file (default: standard output)")
    add("--formats", action="store_true", help="list the formats that can be read")
    add_spec_path(parser)
    parser.set_defaults(rules=None)  # those that the headers name


def run(args: argparse.Namespace) -> int:
    if args.formats:
        sys.stdout.write("".join(f"{line}\n" for line in formats()))
        return exit_codes.HOLDS
    if not args.paths:
        complain_of(
            InputFault("", "FILE is missing", "for example `golpae convert game.mjlog -o game.jsonl`")
        )
        return exit_codes.WRONG_INPUT
    rules = rules_to_play(args, args.paths)
    files, faults = traces_of(args, args.paths)
    for fault in faults:
        complain_of(fault)
    if rules is None or not files:
        return exit_codes.WRONG_INPUT
    convert = _Convert(rules.library)
    try:
        if args.output is None:
            convert.files(files, sys.stdout.buffer)
        else:
            with written(Path(args.output)) as out:
                convert.files(files, out)
            sys.stdout.write(convert.summary())
    except BrokenPipeError:
        raise
    except OSError as fault:
        complain_of(unwritable(args.output or "-", fault).fault)
        return exit_codes.WRONG_INPUT
    return exit_codes.WRONG_INPUT if faults or convert.failed else exit_codes.HOLDS


def formats() -> Iterator[str]:
    """Yield a line on each format: its name, what it is, and how its files are recognised."""
    rows = [(one.name, one.what, ", ".join(one.endings)) for one in all_adapters()]
    if not rows:
        yield "none: the adapters are found where golpae is installed, so install it again"
    wide = max((len(name) for name, _, _ in rows), default=0)
    for name, what, endings in rows:
        yield f"{name:{wide}}  {what}{f' ({endings})' if endings else ''}"


class _Convert:
    """One call."""

    def __init__(self, library: Library) -> None:
        self._reader = Reader(library)
        self._games = self._open = 0
        self.failed = False

    def files(self, files: Sequence[Source], out: BinaryIO) -> None:
        """Write the games of all logs."""
        for source in files:
            if source.form is None:
                self._complain_of(source)
                continue
            stream = opened(source)
            if stream is None:
                self.failed = True
                continue
            with stream:
                log = log_text(stream)
                if log is None:
                    self._complain_of(source)
                    continue
                if not log.games:
                    say_empty(source.name, "game")
                for game in log.games:
                    self._game(source, game, out)

    def _complain_of(self, source: Source) -> None:
        advice = "`--from FORMAT` says what it is; `golpae convert --formats` lists all"
        complain_of(InputFault(source.name, f"`{source.shown}` is no log that golpae recognises", advice))
        self.failed = True

    def _game(self, source: Source, game: Recorded, out: BinaryIO) -> None:
        reading = game.first
        if game.others is not None:
            reading = self._reader.best_reading(source, game)
            self._open += 1
        if reading.fault is not None:
            self.failed = True
            place = f"{source.shown}: {reading.places[-1]}"
            sys.stderr.write(f"golpae: {place}: {printable(reading.fault)}\n")
        sound = reading.sound
        if sound.lines:
            self._games += 1
            out.write(sound.text)

    def summary(self) -> str:
        """Return a line on what was written."""
        words = f"{self._games:,} game{'s' * (self._games != 1)}"
        if self._open:
            words += f", {self._open:,} of which the log leaves open: what breaks no rule was written"
        return f"{words}\n"
