"""Cut the lines of a file into games.

Input: the lines of a file, and what begins a game. Output: what comes of each game, once its lines have been read.
Guarantee: memory holds one game.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from typing import Any, Protocol, TypeVar

from golpae.trace.header import is_header
from golpae.trace.read import Unread

Line = tuple[int, dict[str, Any] | None, str | None]
"""The number of a line, its object, and its fault."""


class Lines(Protocol):
    """A game that is being read."""

    def line(self, at: int, line: dict[str, Any] | None, fault: str | None) -> None:
        """Take a line behind the header."""


Game = TypeVar("Game", bound=Lines)
Out = TypeVar("Out")


def games(
    read: Iterator[Line],
    begin: Callable[[int, dict[str, Any], str | None], Game | None],
    end: Callable[[Game], Out | None],
) -> Generator[Out, None, tuple[int, str] | None]:
    """Yield the result of each game at its `end`, unless that is None; `begin` makes a game of a header, or None if
    nobody wants its lines.

    Return the line at which reading stopped, and why, if it did. Lines before the first header are left out.
    """
    game: Game | None = None
    unread = None
    for at, line, fault in read:
        if isinstance(fault, Unread):
            unread = at, fault
        elif line is not None and is_header(line):
            if game is not None and (out := end(game)) is not None:
                yield out
            game = begin(at, line, fault)
        elif game is not None:
            game.line(at, line, fault)
    if game is not None and (out := end(game)) is not None:
        yield out
    return unread
