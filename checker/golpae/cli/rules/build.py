"""`golpae build`: make a module that stands alone, with a page about it and hosts that run it."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from golpae import exit_codes
from golpae.build.files import BuiltFiles, write
from golpae.build.module import build
from golpae.build.page import page
from golpae.cli.arguments.table_of_call import add_table, table_of
from golpae.cli.inputs import complain_of, make_folder, refuse_numbers, unwritable
from golpae.cli.terminal.output import printable
from golpae.diagnostics import quoted_list
from golpae.elaborate.names import ENDING as TEXT_ENDING
from golpae.kernel.language.host import available
from golpae.kernel.unsupported import NotCompiled
from golpae.rule_names import UsageError, without_switches
from golpae.trace import InputFault, quoted

ENDING = ".wasm"


def arguments(parser: argparse.ArgumentParser) -> None:
    add_table(parser)
    add = parser.add_argument
    add(
        "-o",
        "--output",
        metavar="FILE",
        required=True,
        help=f"the module to write, a name that ends in `{ENDING}`, or a folder for it, which may be new (`games/`); a "
        "page about it and examples of hosts in JavaScript and Python are written beside it",
    )
    add("--only-module", action="store_true", help="write the module, and nothing beside it")


def run(args: argparse.Namespace) -> int:
    """Make the module and write it. Raises `UsageError` and `SpecError`."""
    refuse_numbers(args, "players")
    path = _in_folder(args) or Path(args.output)
    if path.suffix != ENDING or path.name == ENDING:
        advice = f"for example `-o game{ENDING}`"
        raise UsageError(
            args.output, f"`-o` needs a name that ends in `{ENDING}`, not {quoted(args.output)}", advice
        )
    if not path.absolute().parent.is_dir():
        raise unwritable(args.output, FileNotFoundError(2, "no such file or directory"))
    table = table_of(args)
    if table is None:
        return exit_codes.WRONG_INPUT
    if not available():
        advice = "install the package `wasmtime`"
        complain_of(
            InputFault(args.rules, "`golpae build` needs `wasmtime`, which does not load here", advice)
        )
        return exit_codes.UNKNOWN
    try:
        built = build(table)
    except NotCompiled as reason:
        complain_of(InputFault(args.rules, f"these rules cannot be compiled: {reason}"))
        return exit_codes.UNKNOWN
    try:
        written = write(path, built, None if args.only_module else page(path.name, built))
    except OSError as fault:
        raise unwritable(str(fault.filename or path), fault) from None
    sys.stdout.write(
        "".join(f"{printable(line)}\n" for line in _lines(written, table.rule_set.rules, table.players))
    )
    if built.refused:
        sys.stderr.write(f"golpae: left to golpae itself: {'; '.join(built.refused)}\n")
    return exit_codes.HOLDS


def _in_folder(args: argparse.Namespace) -> Path | None:
    """Return the module in the folder that `-o` names, which is made; None if it names a file. Raises `UsageError`."""
    is_folder = os.path.isdir(args.output) and not args.output.endswith(ENDING)
    if not (args.output.endswith(("/", os.sep)) or is_folder):
        return None
    name, _ = without_switches(os.path.basename(args.rules))
    make_folder(args.output)
    return Path(args.output) / f"{name.removesuffix(TEXT_ENDING).partition('+')[0]}{ENDING}"


def _lines(written: BuiltFiles, rules: str, players: int) -> list[str]:
    """Return a line on each file that was written."""
    lines = [f"{written.module}: {rules}, {players} players"]
    if written.page is not None:
        lines.append(f"{written.page}: what the module exports")
    if written.hosts:
        lines.append(f"{', '.join(written.hosts)}: examples of hosts")
    if written.page is not None or written.hosts:
        lines.append("`--only-module` writes the module alone")
    if written.others:
        lines.append(f"left as they are, for somebody has changed them: {quoted_list(written.others)}")
    return lines
