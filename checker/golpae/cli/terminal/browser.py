"""Open a page that a verb has written, in the browser of this machine.

Input: the name of the page. Output: none; a note on standard error if there is no browser; `UsageError` before a page
is written that no browser can open.
Guarantee: the page is a file of this machine; nothing else is opened.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from golpae.cli.terminal.output import printable
from golpae.rule_names import UsageError
from golpae.trace import quoted


def add_open(parser: argparse.ArgumentParser, page: str) -> None:
    """Add `--open`, for a verb that writes a page."""
    parser.add_argument("--open", action="store_true", help=f"open {page} in a browser")


def refuse_open(args: argparse.Namespace, page: str) -> None:
    """Check that a page which is to be opened is written to a file. Raises `UsageError`."""
    is_other = os.path.exists(page) and not os.path.isfile(page) and not os.path.isdir(page)
    if args.open and is_other:
        message = f"`--open` opens a file, and {quoted(page)} is a pipe or a device"
        raise UsageError("--open", message, "name a file: `-o page.html`")


def open_page(page: str | Path) -> None:
    """Open a page."""
    import webbrowser

    file = Path(page).resolve()
    if not webbrowser.open(file.as_uri()):
        sys.stderr.write(f"golpae: there is no browser to open `{printable(str(page))}`\n")
