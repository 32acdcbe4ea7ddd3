"""`golpae unpack`: packed games as traces again."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from golpae import exit_codes
from golpae.cli.inputs import complain_of, unwritable
from golpae.cli.terminal.output import say_empty
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
            parts = _named_if_empty(unpacked(stream), args.path)
            if args.output is None:
                for _, text in parts:
                    sys.stdout.buffer.write(text)
            else:
                done = unpack(parts, Path(args.output))
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


def _named_if_empty(parts: Iterable[tuple[str, bytes]], path: str) -> Iterator[tuple[str, bytes]]:
    """Yield the parts of files; name the file of packed games on standard error if it holds no trace."""
    is_empty = True
    for file, text in parts:
        is_empty = is_empty and not text.strip()
        yield file, text
    if is_empty:
        say_empty(path)
