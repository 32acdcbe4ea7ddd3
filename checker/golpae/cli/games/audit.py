"""`golpae audit`: do the deals of recorded games look shuffled?"""

from __future__ import annotations

import argparse
import sys
from functools import partial

from golpae import exit_codes
from golpae.audit.deals import Reader
from golpae.audit.frequencies import Audit
from golpae.cli.inputs import add_spec_path, add_traces, complain_of, opened, reading, traces_of
from golpae.cli.rule_sets import RULES_HELP, rules_to_play
from golpae.cli.terminal.output import read_to_end
from golpae.progress import Progress
from golpae.report.archive import audit as report
from golpae.trace import InputFault, Source

LEVEL = 0.001


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add_traces(parser)
    add("--format", choices=("text", "json"), default="text", help="for people, or one JSON object")
    add(
        "--level",
        metavar="P",
        type=float,
        default=LEVEL,
        help=f"list only what honest shuffling gives in at most this share of archives (default: {LEVEL})",
    )
    add(
        "--rules",
        metavar="RULES",
        help=f"read the games by these rules, not by those that the headers name: {RULES_HELP}",
    )
    add_spec_path(parser)


def run(args: argparse.Namespace) -> int:
    if not 0 < args.level < 1:
        complain_of(InputFault("--level", f"`--level` must be between 0 and 1, not `{args.level:g}`"))
        return exit_codes.WRONG_INPUT
    rules = rules_to_play(args, args.paths)
    if rules is None:
        return exit_codes.WRONG_INPUT
    files, faults = traces_of(args, args.paths)
    for fault in faults:
        complain_of(fault)
    failed = bool(faults)
    reader, audit = Reader(rules.library, rules.rules), Audit()
    with reading("auditing", "games", files) as progress:
        for source in files:
            failed = not _read(source, reader, audit, progress) or failed
    if reader.unread:
        them = "its header or its rules" if reader.unread == 1 else "their headers or their rules"
        games = f"{reader.unread:,} game{'s' * (reader.unread != 1)}"
        sys.stderr.write(f"golpae: {games} left out: {them} cannot be read; `golpae check` says why\n")
        failed = True
    if reader.unseen:
        counts = f"{reader.unseen:,} game{'s count' if reader.unseen != 1 else ' counts'}"
        sys.stderr.write(f"golpae: {counts} only up to a tile that nobody saw\n")
    if files and not any(table.same.deals for table in audit.tables.values()):
        advice = (
            "a deal counts if all its tiles are known"
            if reader.unseen
            else "a game begins with its `deal`; `golpae check --verbose` says what it reads in the files"
        )
        complain_of(InputFault(files[0].path, "there is no deal to audit", advice))
        failed = failed or not reader.unseen
    is_unlikely = any(finding.unlikely <= args.level for finding in report.findings(audit))
    status = exit_codes.worst(
        exit_codes.WRONG_INPUT if failed else exit_codes.HOLDS,
        exit_codes.FAILS if is_unlikely else exit_codes.HOLDS,
        exit_codes.UNKNOWN if reader.unseen else exit_codes.HOLDS,
    )
    if args.format == "json":
        sys.stdout.write(f"{report.document(audit, len(files), args.level, status)}\n")
    elif audit.tables:
        sys.stdout.write("".join(f"{line}\n" for line in report.lines(audit, len(files), args.level)))
    return status


def _read(source: Source, reader: Reader, audit: Audit, progress: Progress) -> bool:
    """Count the games of a file. Return whether it could be read to its end."""
    stream = opened(source)
    if stream is None:
        return False
    with stream:
        games = reader.games(progress.watched(stream))
        take = partial(audit.game, source.name)
        return read_to_end(source, games, progress, take, lambda: reader.unread)
