"""`golpae playground`: write the page on which rules are written, checked, played and proved, in a browser."""

from __future__ import annotations

import argparse
import sys
from contextlib import suppress
from pathlib import Path

from golpae import exit_codes
from golpae.cli.inputs import complain_of, make_folder, unwritable
from golpae.cli.terminal.output import printable
from golpae.diagnostics import near
from golpae.elaborate.load import game_names
from golpae.playground.fetch import NotFetched
from golpae.playground.serve import address, server
from golpae.playground.write import PAGE, is_playground, write
from golpae.rule_names import UsageError
from golpae.trace import InputFault, quoted

LARGEST_PORT = 65_535
SITE = "CNAME"  # a file with the name of a site, which is beside its pages


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "-o",
        "--output",
        metavar="DIR",
        default="playground",
        help="the folder to write to (default: playground)",
    )
    add(
        "--game",
        metavar="NAME",
        help="the game that the page begins with, one of those that come with golpae",
    )
    add("--serve", action="store_true", help="serve the folder to browsers of this computer, until Ctrl-C")
    add(
        "--port",
        metavar="N",
        type=int,
        default=8000,
        help="... at this port; 0: at a free one (default: 8000)",
    )


def run(args: argparse.Namespace) -> int:
    try:
        _refuse(args)
        make_folder(args.output)
        _refuse_folder(Path(args.output))
        try:
            written = write(Path(args.output), args.game)
        except OSError as fault:
            raise unwritable(str(fault.filename or args.output), fault) from None
        sys.stdout.write(f"{printable(args.output)}/{PAGE}: {len(written)} files\n")
        if args.serve:
            _serve(args)
        else:
            sys.stdout.write(
                "browsers start it from a web server: `golpae playground --serve`, or any other with this folder\n"
            )
    except NotFetched as fault:
        complain_of(InputFault("golpae", str(fault), "it is needed once; later runs take it from the cache"))
        return exit_codes.UNKNOWN
    return exit_codes.HOLDS


def _refuse(args: argparse.Namespace) -> None:
    """Check the call. Raises `UsageError`."""
    names = game_names(())
    if args.game is not None and args.game not in names:
        raise UsageError("--game", f"no game {quoted(args.game)} comes with golpae", near(args.game, names))
    if not 0 <= args.port <= LARGEST_PORT:
        raise UsageError("--port", f"`--port` must be a number from 0 to {LARGEST_PORT}, not `{args.port}`")


def _refuse_folder(folder: Path) -> None:
    """Check that nothing but an older playground is overwritten: hidden files, such as those of git, and the name of a
    site stay as they are. Raises `UsageError`.
    """
    try:
        others = [file for file in folder.iterdir() if file.name != SITE and not file.name.startswith(".")]
        if others and not is_playground(folder):
            message = f"{quoted(str(folder))} has files in it, and is no playground"
            raise UsageError(str(folder), message, "name a folder that is empty, or a new one: `-o DIR`")
    except OSError as fault:
        raise unwritable(str(folder), fault) from None


def _serve(args: argparse.Namespace) -> None:
    """Serve the folder until somebody interrupts. Raises `UsageError`."""
    try:
        serving = server(Path(args.output), args.port)
    except OSError as fault:
        advice = "another program may use it; `--port 0` takes a free one"
        raise UsageError("--port", f"port {args.port} cannot be used: {fault.strerror}", advice) from None
    with serving, suppress(KeyboardInterrupt):
        sys.stdout.write(f"{address(serving)}\nCtrl-C ends it\n")
        sys.stdout.flush()
        serving.serve_forever()
