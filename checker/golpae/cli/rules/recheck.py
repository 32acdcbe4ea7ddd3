"""`golpae recheck`: check the certificates that `golpae prove --certificate` writes."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from golpae import exit_codes
from golpae.cli.inputs import (
    add_effort,
    add_processes,
    add_spec_path,
    complain_of,
    processors,
    refuse_effort,
    refuse_numbers,
    spec_path,
)
from golpae.cli.terminal.output import printable, put_json
from golpae.progress import Progress, Shown
from golpae.rule_names import loader
from golpae.trace import InputFault, quoted

MEGABYTES = 2_000


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("folder", metavar="DIR", help="a certificate: a folder that `golpae prove --certificate` has written")
    add_processes(parser)
    add_effort(parser)
    add("--memory-limit", metavar="MB", type=int, help=f"end a process that uses more (default: {MEGABYTES})")
    add("--format", choices=("text", "json"), default="text", help="for people, or one JSON document")
    add_spec_path(parser)


def run(args: argparse.Namespace) -> int:
    from golpae.report.rechecked import lines, record
    from golpae.verify.certificates.folder import NoCertificate
    from golpae.verify.certificates.recheck import recheck
    from golpae.verify.certificates.status import exit_status

    refuse_numbers(args, "jobs", "memory_limit")
    refuse_effort(args)
    places = spec_path(args)
    if places is None:
        return exit_codes.WRONG_INPUT
    progress = Progress("reading the certificate")

    def on_table(done: int, total: int) -> None:
        if done == 0:
            progress.begin("checking", total, "tables")
        progress.done = done

    try:
        with Shown(progress):
            outcome = recheck(
                Path(args.folder),
                loader(places),
                args.effort or 1,
                args.memory_limit or MEGABYTES,
                args.jobs or processors(),
                on_table,
            )
    except NoCertificate as fault:
        complain_of(InputFault(args.folder, f"{quoted(args.folder)} is no certificate: {fault}", None))
        return exit_codes.WRONG_INPUT
    status = exit_status(outcome)
    if args.format == "json":
        put_json(record(outcome, status))
    else:
        sys.stdout.write("".join(f"{printable(line)}\n" for line in lines(outcome)))
    return status
