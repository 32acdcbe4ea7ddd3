"""`golpae unpack`: packed games as traces again."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from golpae import exit_codes
from golpae.cli.inputs import complain_of, unwritable
from golpae.corpus.pack import unpack, unpacked
from golpae.trace import DamagedArchive, InputFault, quoted, sources
from golpae.trace.packed import ENDING


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("path", metavar="FILE", help=f"packed games (`X{ENDING}`)")
    add(
        "-o",
        "--output",
        metavar="DIR",
        help="write each file into this folder; without it, all to standard output",
    )


def run(args: argparse.Namespace) -> int:
    files, faults = sources([args.path])
    if not faults and (len(files) != 1 or not files[0].is_packed):
        advice = f"name one file that ends in `{ENDING}`"
        faults = [InputFault(args.path, f"{quoted(args.path)} is no file of packed games", advice)]
    for fault in faults:
        complain_of(fault)
    if faults:
        return exit_codes.WRONG_INPUT
    (source,) = files
    try:
        with source.open_bytes() as stream:
            if args.output is None:
                for _, text in unpacked(stream):
                    sys.stdout.buffer.write(text)
            else:
                done = unpack(stream, Path(args.output))
                sys.stdout.write(f"{len(done):,} file{'s' * (len(done) != 1)} in {quoted(args.output)}\n")
    except DamagedArchive as damage:
        complain_of(InputFault(args.path, f"{quoted(args.path)} cannot be unpacked: {damage}"))
        return exit_codes.WRONG_INPUT
    except BrokenPipeError:
        raise
    except OSError as error:
        complain_of(unwritable(args.output or args.path, error).fault)
        return exit_codes.WRONG_INPUT
    return exit_codes.HOLDS
