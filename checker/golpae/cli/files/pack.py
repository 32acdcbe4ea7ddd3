"""`golpae pack`: many recorded games in one small file."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from golpae import exit_codes
from golpae.cli.inputs import add_form, complain_of, reading, traces_of, unwritable
from golpae.cli.terminal.output import say_empty
from golpae.corpus.pack import AddedTwice, Unreadable, pack
from golpae.diagnostics.amounts import many
from golpae.trace import InputFault, quoted
from golpae.trace.packed import ENDING, MissingExtra


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "paths",
        nargs="+",
        metavar="FILE",
        help="trace files, folders of them, URLs, or `-` for standard input",
    )
    add_form(parser)
    add(
        "-o",
        "--output",
        metavar="FILE",
        required=True,
        help=f"write the packed games to this file (`X{ENDING}`)",
    )


def run(args: argparse.Namespace) -> int:
    if not args.output.endswith(ENDING):
        message = f"`--output` must end in `{ENDING}`, not {quoted(args.output)}"
        complain_of(InputFault("--output", message, "`golpae unpack` writes traces again"))
        return exit_codes.WRONG_INPUT
    files, faults = traces_of(args, args.paths)
    for fault in faults:
        complain_of(fault)
    if faults:
        return exit_codes.WRONG_INPUT
    if any(os.path.realpath(file.path) == os.path.realpath(args.output) for file in files):
        complain_of(InputFault("--output", f"{quoted(args.output)} is one of the files to pack"))
        return exit_codes.WRONG_INPUT
    try:
        with reading("packing", "", files) as progress:
            packed = pack(files, Path(args.output), progress.watched)
    except AddedTwice as twice:
        complain_of(InputFault(str(twice), f"{quoted(str(twice))} is named twice"))
        return exit_codes.WRONG_INPUT
    except Unreadable as damage:
        complain_of(InputFault(args.output, f"nothing is packed: {damage}"))
        return exit_codes.WRONG_INPUT
    except MissingExtra as missing:
        complain_of(InputFault(args.output, f"nothing is packed: {missing.strerror}"))
        return exit_codes.WRONG_INPUT
    except OSError as error:
        complain_of(unwritable(args.output, error).fault)
        return exit_codes.WRONG_INPUT
    for name in packed.empty:
        say_empty(name)
    size = Path(args.output).stat().st_size
    size_in_words = f"{many(packed.traces, 'trace')}, {many(packed.events, 'event')}"
    if packed.outside:
        size_in_words += f", {many(packed.outside, 'line')} outside traces"
    pays = packed.events and size < packed.size  # a few games are smaller than what each file has
    each = f", {size / packed.events:.2f} bytes an event" if pays else ""
    sys.stdout.write(f"{size_in_words}: {packed.size:,} bytes of text, {size:,} packed{each}\n")
    return exit_codes.HOLDS
