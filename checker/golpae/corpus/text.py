"""The text of a trace file, of which only a part is in memory.

Input: blocks of bytes. Output: a `Text`: a window of whole blocks that moves on, and the numbers of its lines.
Guarantee: memory holds the window and one more block; what the blocks raise is raised to whoever reads to their end.
"""

from __future__ import annotations

from collections.abc import Iterator

from golpae.trace import MAX_LINE, DamagedArchive

WINDOW = 1 << 21
"""Bytes that a window grows by."""

_NEW_LINE = b"\n"


class Text:
    """A window of a text. The first `slow` bytes of it come block by block, as they are written."""

    def __init__(self, blocks: Iterator[bytes], slow: int = 0) -> None:
        self._blocks, self._slow = blocks, slow
        self._fault: OSError | DamagedArchive | None = None
        self.data = b""
        self.before = 0
        """How many bytes come before the window."""
        self.line = 1
        """The number of the first line of the window."""
        self.cut = False
        """The window may begin within a line, which is too long to be read."""
        self.ended = False
        """Nothing follows the window; if so, and nothing is damaged, its last line is whole."""

    @property
    def damaged(self) -> bool:
        """Whether the text breaks off behind the window."""
        return self._fault is not None

    @property
    def lines(self) -> int:
        """How many lines begin before the end of the window."""
        return self.line - 1 + self.data.count(_NEW_LINE)

    def is_slow(self, at: int) -> bool:
        """Return whether a place of the window is among the first bytes, which come as they are written."""
        return self.before + at < self._slow

    def whole_lines(self) -> int:
        """Return how many bytes of the window are whole lines."""
        return len(self.data) if self.ended and not self.damaged else self.data.rfind(_NEW_LINE) + 1

    def drop(self, size: int, line: int | None = None) -> None:
        """Take bytes off the front of the window. `line` is the number of the first line then, if it is known."""
        if size:
            self.line = self.line + self.data.count(_NEW_LINE, 0, size) if line is None else line
            self.data = self.data[size:]
            self.before += size

    def grow(self, size: int | None = None) -> bool:
        """Add about so many bytes to the window, `WINDOW` if not told. Return whether there were any."""
        usual = 1 if self.is_slow(len(self.data)) else WINDOW
        parts, missing = [self.data], usual if size is None else size
        while missing > 0 and not self.ended:
            try:
                block = next(self._blocks, None)
            except (OSError, DamagedArchive) as fault:
                self._fault, block = fault, None
            if block is None:
                self.ended = True
                if not self.damaged and (len(parts) > 1 or self.data) and not parts[-1].endswith(_NEW_LINE):
                    parts.append(_NEW_LINE)
            else:
                parts.append(block)
                missing -= len(block)
        grown = len(parts) > 1
        if grown:
            self.data = b"".join(parts)
        return grown

    def position(self, line: int, at: int, of: int) -> int:
        """Return where a line begins in the window. The line `of`, not behind it, begins at `at` of the text."""
        at -= self.before
        if at < 0:
            at, of = 0, self.line
        for _ in range(line - of):
            at = self.data.index(_NEW_LINE, at) + 1
        return at

    def pieces(self, at: int, size: int) -> Iterator[bytes]:
        """Yield the text from a place on, in pieces of so many bytes. The window moves on when it has been read."""
        while True:
            while at < len(self.data):
                piece = self.data[at : at + size]
                at += len(piece)
                yield piece
            end_of_lines = self.data.rfind(_NEW_LINE) + 1
            if len(self.data) - end_of_lines > MAX_LINE:
                end_of_lines, self.cut = len(self.data), True
            at -= end_of_lines
            self.drop(end_of_lines)
            if not self.grow():
                break
        if self._fault is not None:
            raise self._fault
