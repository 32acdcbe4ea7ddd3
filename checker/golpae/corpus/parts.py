"""Cut files of traces, or of hands, into parts that processes can work on beside one another.

Input: sources. Output: parts, in order: pieces of the sources, which together are all of them.
Guarantee: a piece that does not begin with its source begins with the header of a trace, so that it is read as it would
be within the whole file; one of hands begins with a line. Only plain text is cut; an archive is one piece. Small files
share a part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from enum import Enum
from functools import partial
from typing import BinaryIO, cast

from golpae.corpus.paths import SMALLER
from golpae.reading_into import ReadInto, reads_into
from golpae.records import dataclass
from golpae.trace import MAX_LINE, DamagedArchive, Source, is_header, lines_in, may_be_header
from golpae.trace.decompress import is_archive
from golpae.trace.packed import packed_text

PART = 1 << 24
"""Bytes of a part."""

MOST_PIECES = 256
"""Files that share a part."""

_USUAL = b'{"golpae":1,"'
_NOT_FIRST = 2  # a line before which a byte order mark is a fault


@dataclass(frozen=True, slots=True)
class Piece:
    """Some bytes of the source of this number, or some groups of rows if it is packed; `end` is None where that ends.
    `last`: no other piece of it follows.
    """

    number: int
    source: Source
    begin: int = 0
    end: int | None = None
    last: bool = True

    def open(self) -> BinaryIO:
        """Open the bytes. Raises OSError."""
        stream = self.source.open()
        if not self.begin and self.end is None:
            return stream
        packed = packed_text(stream)
        if packed is not None:
            packed.first, packed.end = self.begin, self.end
            return stream
        stream.seek(self.begin)
        return cast("BinaryIO", _Some(stream, None if self.end is None else self.end - self.begin))


Part = tuple[Piece, ...]


class Cuts(Enum):
    """Where sources may be cut."""

    AT_HEADERS = "before the header of a trace"
    AT_LINES = "before a line with an object"
    NOWHERE = "nowhere"


def parts(sources: Sequence[Source], cuts: Cuts = Cuts.AT_HEADERS) -> Iterator[Part]:
    """Yield the parts of sources, in their order."""
    begins = {Cuts.AT_HEADERS: _is_header, Cuts.AT_LINES: _is_object}.get(cuts)
    small: list[Piece] = []
    together = 0
    for number, source in enumerate(sources):
        size = (source.size() or 0) * (SMALLER if source.is_packed else 1)
        if size < PART:
            small.append(Piece(number, source))
            together += size
        if small and (size >= PART or together >= PART // 4 or len(small) == MOST_PIECES):
            yield tuple(small)
            small, together = [], 0
        if size >= PART:
            for piece in _pieces(number, source, size // SMALLER if source.is_packed else size, begins):
                yield (piece,)
    if small:
        yield tuple(small)


def _pieces(
    number: int, source: Source, size: int, begins: Callable[[bytes], bool] | None
) -> Iterator[Piece]:
    """Yield the pieces of a large source; one may begin with a line for which `begins` holds. None: there is one."""
    begin = 0
    if begins is None:
        yield Piece(number, source)
        return
    with suppress(OSError, DamagedArchive), source.open() as stream:
        packed = packed_text(stream)
        if packed is not None:
            groups = packed.file().groups
            step = max(1, groups * PART // (size * SMALLER))
            for end in range(step, groups, step):
                yield Piece(number, source, begin, end, False)
                begin = end
        elif stream.seekable() and not is_archive(stream.read(16)):
            while size - begin > PART + PART // 4:
                line = _next_line(stream, begin + PART, begins)
                if line is None:
                    break
                yield Piece(number, source, begin, line, False)
                begin = line
    yield Piece(number, source, begin)


def _next_line(stream: BinaryIO, at: int, begins: Callable[[bytes], bool]) -> int | None:
    """Return where the first line for which `begins` holds begins, at a place or behind it, or None."""
    stream.seek(at - 1)
    at -= 1
    within = True  # a line that begins before
    while line := stream.readline(MAX_LINE + 2):
        ends = line.endswith(b"\n")
        if not within and begins(line):
            return at
        at += len(line)
        within = not ends
    return None


def _is_header(line: bytes) -> bool:
    """Return whether a line is the header of a trace, in order or not."""
    if not may_be_header(line):
        return False
    _, read, _ = next(lines_in(iter([line]), _NOT_FIRST), (0, None, None))
    return read is not None and is_header(read)


def _is_object(line: bytes) -> bool:
    return line.startswith(b"{")


class _Some:
    """So many bytes of a stream; all if that is None."""

    def __init__(self, stream: BinaryIO, size: int | None) -> None:
        self._stream, self._left = stream, size
        into = reads_into(stream)
        if into is not None:
            self.readinto = partial(self._read_into, into)

    def _read_into(self, into: ReadInto, room: memoryview) -> int:
        """Read as many bytes as there is room for, fewer at the end. Return how many."""
        read = into(room if self._left is None else room[: self._left]) or 0
        if self._left is not None:
            self._left -= read
        return read

    def read(self, size: int = -1) -> bytes:
        """Return some bytes, at most `size`."""
        if self._left is not None:
            size = self._left if size < 0 else min(size, self._left)
        block = self._stream.read(size)
        if self._left is not None:
            self._left -= len(block)
        return block

    def __enter__(self) -> _Some:
        return self

    def __exit__(self, *fault: object) -> None:
        self._stream.close()
