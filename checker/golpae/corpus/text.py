"""The text of a trace file, of which only a part is in memory.

Input: blocks of bytes. Output: a `Text`: a window of whole blocks that moves on, and the numbers of its lines.
Guarantee: memory holds the window and one more block; what the blocks raise is raised to whoever reads to their end.

The window lies in one buffer, into which plain text is read. So whoever keeps a part of `data` while the window moves
on has to copy it.
"""

from __future__ import annotations

from collections.abc import Iterator

from golpae.trace import MAX_LINE, Blocks, DamagedArchive

WINDOW = 1 << 21
"""Bytes that a window grows by."""

_ROOM = 1 << 17  # bytes of a buffer for what is left of a window before
_NEW_LINE = b"\n"


class Text:
    """A window of a text. The first `slow` bytes of it come block by block, as they are written."""

    def __init__(self, blocks: Blocks, slow: int = 0) -> None:
        self._blocks, self._slow = blocks, slow
        self._fault: OSError | DamagedArchive | None = None
        self._buffer = bytearray(WINDOW + _ROOM)
        self._view = memoryview(self._buffer)
        self._begin = self._end = 0  # of the window in the buffer
        self._held: bytes | None = None
        self.data = self._view[:0]
        """The window: another object whenever it changes."""
        self.before = 0
        """How many bytes come before the window."""
        self.line = 1
        """The number of the first line of the window."""
        self.cut = False
        """The window may begin within a line, which is too long to be read."""
        self.ended = False
        """Nothing follows the window; if so, and nothing is damaged, its last line is whole."""

    @property
    def held(self) -> bytes:
        """The window as bytes that stay as they are."""
        if self._held is None:
            self._held = bytes(self.data)
        return self._held

    @property
    def damaged(self) -> bool:
        """Whether the text breaks off behind the window."""
        return self._fault is not None

    @property
    def lines(self) -> int:
        """How many lines begin before the end of the window."""
        return self.line - 1 + self._lines_before(len(self.data))

    def find(self, part: bytes, at: int, end: int | None = None) -> int:
        """Return the first place of some bytes from a place of the window on and before its `end`, or -1."""
        stop = self._end if end is None else self._begin + end
        return max(-1, self._buffer.find(part, self._begin + at, stop) - self._begin)

    def is_slow(self, at: int) -> bool:
        """Return whether a place of the window is among the first bytes, which come as they are written."""
        return self.before + at < self._slow

    def whole_lines(self) -> int:
        """Return how many bytes of the window are whole lines."""
        return len(self.data) if self.ended and not self.damaged else self._last_line()

    def drop(self, size: int, line: int | None = None) -> None:
        """Take bytes off the front of the window. `line` is the number of the first line then, if it is known."""
        if size:
            self.line = self.line + self._lines_before(size) if line is None else line
            self._begin += size
            self.before += size
            self._moved()

    def grow(self, size: int | None = None) -> bool:
        """Add about so many bytes to the window, `WINDOW` if not told. Return whether there were any."""
        usual = 1 if self.is_slow(len(self.data)) else WINDOW
        missing = usual if size is None else size
        buffer, begin, end = self._buffer, self._begin, self._end
        while missing > 0 and not self.ended:
            try:
                read = self._read(missing)
            except (OSError, DamagedArchive) as fault:
                self._fault, read = fault, 0
            missing -= read
            if not read:
                self.ended = True
                if (
                    not self.damaged
                    and self._end > self._begin
                    and self._buffer[self._end - 1] != _NEW_LINE[0]
                ):
                    self._put(_NEW_LINE)
        if self._buffer is not buffer or (self._begin, self._end) != (begin, end):
            self._moved()  # perhaps only to the front of the buffer, where more had room
        return self._end - self._begin > end - begin

    def position(self, line: int, at: int, of: int) -> int:
        """Return where a line begins in the window. The line `of`, not behind it, begins at `at` of the text."""
        at -= self.before
        if at < 0:
            at, of = 0, self.line
        for _ in range(line - of):
            at = self.find(_NEW_LINE, at) + 1
        return at

    def pieces(self, at: int, size: int) -> Iterator[bytes]:
        """Yield the text from a place on, in pieces of so many bytes. The window moves on when it has been read."""
        while True:
            while at < len(self.data):
                piece = bytes(self.data[at : at + size])
                at += len(piece)
                yield piece
            end_of_lines = self._last_line()
            if len(self.data) - end_of_lines > MAX_LINE:
                end_of_lines, self.cut = len(self.data), True
            at -= end_of_lines
            self.drop(end_of_lines)
            if not self.grow():
                break
        if self._fault is not None:
            raise self._fault

    # ------------------------------------------------------------------ the buffer

    def _last_line(self) -> int:
        """Return the place behind the last whole line of the window."""
        return max(0, self._buffer.rfind(_NEW_LINE, self._begin, self._end) + 1 - self._begin)

    def _lines_before(self, end: int) -> int:
        return self._buffer.count(_NEW_LINE, self._begin, self._begin + end)

    def _moved(self) -> None:
        self.data, self._held = self._view[self._begin : self._end], None

    def _read(self, most: int) -> int:
        """Put the next bytes behind the window: at most so many of plain text, else a block. Return how many."""
        if not self._blocks.is_plain or self.is_slow(len(self.data)):
            return self._put(next(self._blocks, b""))
        self._make_room(most)
        read = self._blocks.read_into(self._view[self._end : self._end + most])
        self._end += read
        return read

    def _put(self, block: bytes) -> int:
        self._make_room(len(block))
        self._view[self._end : self._end + len(block)] = block
        self._end += len(block)
        return len(block)

    def _make_room(self, size: int) -> None:
        """Let the buffer have room for so many bytes behind the window, which may move to its front."""
        if len(self._buffer) - self._end >= size:
            return
        rest = bytes(self._view[self._begin : self._end])
        if len(rest) + size > len(self._buffer):
            self._buffer = bytearray(2 * len(rest) + size)
            self._view = memoryview(self._buffer)
        self._view[: len(rest)] = rest
        self._begin, self._end = 0, len(rest)
