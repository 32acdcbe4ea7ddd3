"""Open a page that a verb has written, in the browser of this machine.

Input: the name of the page. Output: none; a note on standard error if there is no browser.
Guarantee: the page is a file of this machine; nothing else is opened.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from golpae.cli.terminal.output import printable


def add_open(parser: argparse.ArgumentParser, page: str) -> None:
    """Add `--open`, for a verb that writes a page."""
    parser.add_argument("--open", action="store_true", help=f"open {page} in a browser")


def open_page(page: str | Path) -> None:
    """Open a page."""
    import webbrowser

    file = Path(page).resolve()
    if not webbrowser.open(file.as_uri()):
        sys.stderr.write(f"golpae: there is no browser to open `{printable(str(page))}`\n")
