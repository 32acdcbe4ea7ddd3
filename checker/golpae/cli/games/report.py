"""`golpae report`: recorded games as pages, which show the table event by event."""

from __future__ import annotations

import argparse
import os
import re
import sys
from pathlib import Path

from golpae import exit_codes
from golpae.assets.pictures import pictures, sets
from golpae.cli.inputs import (
    add_spec_path,
    add_traces,
    complain_of,
    make_folder,
    opened,
    reading,
    refuse_numbers,
    spec_path,
    traces_of,
    unnamed_output,
    unwritable,
)
from golpae.cli.rule_sets import RULES_HELP, FaultyTexts, RulesToPlay, rules_to_play
from golpae.cli.terminal.browser import add_open, open_page
from golpae.cli.terminal.output import printable, say_empty
from golpae.diagnostics import near
from golpae.elaborate.instance import Instance
from golpae.pages.clause_text import ClauseTexts
from golpae.pages.recording import Recorder
from golpae.pages.report import INDEX, PAGES, Report
from golpae.rule_names import named
from golpae.trace import InputFault, Source, quoted
from golpae.trace.log_text import log_text
from golpae.trace.read import lines


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add_traces(parser)
    add(
        "-o",
        "--output",
        metavar="DIR",
        help=f"the folder to write to; open its `{INDEX}` (default: a new folder named after the first FILE)",
    )
    add(
        "--limit",
        metavar="N",
        type=int,
        help=f"pages for the first N games (default: {PAGES:,}); the index counts all of them",
    )
    add(
        "--books",
        metavar="DIR",
        help="link broken rules to the rule books in this folder, each named as `golpae show RULES --html` names it",
    )
    add(
        "--rules", metavar="RULES", help=f"play by these rules, not those that the headers name: {RULES_HELP}"
    )
    add_open(parser, f"the `{INDEX}`")
    add_spec_path(parser)


def run(args: argparse.Namespace) -> int:
    rules = rules_to_play(args, args.paths)
    if rules is None:
        return exit_codes.WRONG_INPUT
    files, faults = traces_of(args, args.paths)
    for fault in faults:
        complain_of(fault)
    if not files:
        return exit_codes.WRONG_INPUT
    refuse_numbers(args, "limit")
    args.output = args.output or unnamed_output(_folder(args.paths[0]))
    make_folder(args.output)
    return max(_report(args, rules, files), exit_codes.WRONG_INPUT if faults else exit_codes.HOLDS)


def _folder(path: str) -> str:
    """Return the folder for the pages of a file, a folder or a URL of games."""
    name = re.sub(r"\.jsonl\b.*|\.parquet\Z|[?#].*", "", os.path.basename(path.rstrip("/\\")))
    return f"{name.lstrip('.-') or 'games'}-pages"


def _report(args: argparse.Namespace, rules: RulesToPlay, files: list[Source]) -> int:
    """Write the pages, and return the exit status. Raises `UsageError`."""
    books = None if args.books is None else Path(args.books)
    report = Report(Path(args.output), ClauseTexts(_places(args)), args.limit or PAGES, books)
    texts, strange, status = FaultyTexts(), _NoPictures(), exit_codes.HOLDS
    try:
        with reading("drawing", "games", files) as progress:
            for source in files:
                stream = opened(source)
                if stream is None:
                    status = exit_codes.WRONG_INPUT
                    continue
                with stream:
                    before = report.tally.games
                    recorder = Recorder(source.name, rules.library, rules.rules)
                    log = log_text(stream)
                    if log is None:
                        recordings = recorder.recordings(lines(progress.watched(stream)), report.has_room)
                    else:
                        recordings = recorder.of_log(source, log, report.has_room)
                    for recording in recordings:
                        if recording.text_faults is not None:
                            texts.add(str(recording.outcome.rules), recording.text_faults)
                        strange.add(recording.instance)
                        report.add(recording)
                        progress.done = report.tally.games
                if recorder.unread is not None:
                    at, why = recorder.unread
                    sys.stderr.write(f"golpae: {printable(f'{source.shown}:{at}: {why}')}\n")
                    status = exit_codes.WRONG_INPUT
                elif report.tally.games == before:
                    say_empty(source.name)
        if not report.tally.games:
            complain_of(InputFault(args.output, "there is no game to show: nothing is written"))
            return exit_codes.WRONG_INPUT
        words = report.finish()
    except OSError as fault:
        raise unwritable(str(fault.filename or args.output), fault) from None
    sys.stdout.write(f"{printable(os.path.join(args.output, INDEX))}: {words}\n")
    sys.stdout.write("".join(f"  {bound}\n" for bound in report.bounds()))
    if args.open:
        open_page(Path(args.output) / INDEX)
    return exit_codes.WRONG_INPUT if texts else status


class _NoPictures:
    """What was said about names of pictures that golpae does not have."""

    def __init__(self) -> None:
        self._said: set[str] = set()

    def add(self, instance: Instance | None) -> None:
        """Say that the pictures of a text are not there, once."""
        drawn = None if instance is None else instance.rule_set.tiles.drawn
        if drawn is None or drawn in self._said or pictures(drawn) is not None:
            return
        self._said.add(drawn)
        message = f"there are no pictures {quoted(drawn)}: tiles are shown by their names"
        complain_of(InputFault(drawn, message, near(drawn, sets()) or f"there are {', '.join(sets())}"))


def _places(args: argparse.Namespace) -> list[Path]:
    """Return where the rule texts of a call lie. Raises `UsageError`."""
    places = spec_path(args, args.paths) or []
    return places if args.rules is None else [*named(args.rules, places).places]
