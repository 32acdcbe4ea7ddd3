"""Standard output and error as all verbs write to them.

Input: text, which may quote rule texts, traces and names of files.
Output: the same text; characters that a terminal would obey, or would not show, become spaces.
Guarantee: whatever a verb writes, only golpae's own colours, its line of progress and a cleared screen act on a
terminal. Closed streams and narrow encodings change no exit status.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TextIO, cast

from golpae.diagnostics.colour import Paint, painted, split, unpainted
from golpae.diagnostics.hidden import hidden
from golpae.progress import CLEAR

SCREEN = "\033[H\033[2J\033[3J"  # takes away what is on a terminal, and what it remembers of that


class Clean:
    """A stream that writes visible characters, spaces and ends of lines only."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._at_terminal = stream.isatty()

    def write(self, text: str) -> int:
        """Write text. Return how many characters were written."""
        if is_plain(text) or not hidden().search(text):
            return self._stream.write(text)
        begin = CLEAR if self._at_terminal and text.startswith(CLEAR) else ""
        parts = split(text[len(begin) :]) if self._at_terminal else [text]
        shown = (part if at % 2 else cleaned(part) for at, part in enumerate(parts))
        return self._stream.write(begin + "".join(shown))

    def write_printable(self, text: str) -> int:
        """Write text whose lines are printable, as Python says, which nobody has to look through if it is ASCII."""
        return self._stream.write(text) if text.isascii() else self.write(text)

    def clear_screen(self) -> None:
        """Take away all that a terminal shows; elsewhere do nothing."""
        if self._at_terminal:
            self._stream.write(SCREEN)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write several texts."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def paint_of(stream: TextIO) -> Paint:
    """Return the function that colours a text; it leaves texts plain if the stream is no terminal or the environment
    asks for no colours.
    """
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return painted if stream.isatty() and not plain else unpainted


def is_plain(text: str) -> bool:
    """Return whether a text has only visible characters of ASCII, spaces, and ends of lines."""
    return text.isascii() and text.replace("\n", "").isprintable()


def cleaned(text: str) -> str:
    """Return a text without hidden characters. Most lines have none, which is seen at once."""
    return "\n".join(line if is_plain(line) else hidden().sub(_shown, line) for line in text.split("\n"))


def _shown(match: re.Match[str]) -> str:
    return match[0] if match[0] in "\n\t" else " "


@contextmanager
def clean_streams() -> Iterator[None]:
    """Let standard output and error take any text, and write only what is harmless."""
    before = sys.stdout, sys.stderr
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - as long as we run
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
    sys.stdout, sys.stderr = (cast("TextIO", Clean(stream)) for stream in (sys.stdout, sys.stderr))
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def let_go_of_output() -> None:
    """Redirect closed streams to nowhere, so that Python does not complain when it closes them."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
            continue
        with suppress(OSError, ValueError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, stream.fileno())
            os.close(nowhere)
