"""`golpae lsp`: answer an editor while somebody writes rule texts and looks at recorded games."""

from __future__ import annotations

import argparse
import sys

from golpae import exit_codes
from golpae.extras import how_to_install

MISSING = "golpae: the package `pygls` is not installed\n  help: install it: {}\n"
ALONE = (
    "golpae: an editor starts `golpae lsp`, and speaks with it on standard input\n  help: docs/editors.md\n"
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--stdio", action="store_true", help="speak on standard input and output, as it always does"
    )


def run(args: argparse.Namespace) -> int:
    if sys.stdin.isatty():
        sys.stderr.write(ALONE)
        return exit_codes.WRONG_INPUT
    try:
        from golpae.editor.server import serve
    except ModuleNotFoundError as missing:
        if missing.name not in ("pygls", "lsprotocol"):
            raise
        sys.stderr.write(MISSING.format(how_to_install("editor")))
        return exit_codes.WRONG_INPUT
    serve()
    return exit_codes.HOLDS
