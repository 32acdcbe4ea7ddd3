"""A person at the terminal: what is typed, and whether colours are shown.

Input: standard input and output, which need be no terminal.
Output: lines, and what gives text a colour.
Guarantee: nothing that is typed raises an error.
"""

from __future__ import annotations

import sys

from golpae.cli.terminal.position_shown import Paint
from golpae.cli.terminal.streams import Clean, paint_of


def typed_line() -> str:
    """Return the next line of standard input; nothing at its end, or if it cannot be read."""
    try:
        return "" if sys.stdin is None else sys.stdin.readline()
    except (OSError, ValueError):  # closed, or not in its encoding
        return ""


def paint() -> Paint:
    """Return the function that colours a text; it leaves texts plain if standard output shows no colours."""
    return paint_of(sys.stdout)


def is_typed() -> bool:
    """Return whether a person types: standard input is a terminal."""
    try:
        return sys.stdin is not None and sys.stdin.isatty()
    except ValueError:  # closed
        return False


def clear() -> None:
    """Clear the screen, if there is one."""
    if isinstance(sys.stdout, Clean):
        sys.stdout.clear_screen()
