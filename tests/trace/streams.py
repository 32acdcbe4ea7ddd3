"""Streams, lines and values that the tests of traces share."""

import io
import tracemalloc
from collections.abc import Callable, Iterable
from typing import BinaryIO, cast

import zstandard
from hypothesis import strategies as st

from golpae.trace import lines

Line = tuple[int, dict[str, object] | None, str | None]

DRAW = b'{"do":"draw","by":0,"tile":"4-2"}'
DRAWN = {"do": "draw", "by": 0, "tile": "4-2"}
TOO_LONG = "this line is longer than 1 MiB"


def read(data: bytes) -> list[Line]:
    return list(lines(io.BytesIO(data)))


def fault(line: bytes) -> str | None:
    """Return the fault of a line that is not a JSON object."""
    ((number, value, words),) = read(b"\n" + line)
    assert (number, value) == (2, None)
    return words


class Stream:
    """A stream made of pieces that exist only when they are read."""

    def __init__(self, pieces: Iterable[bytes | OSError]) -> None:
        self.pieces = iter(pieces)
        self.reads = 0

    def read(self, size: int) -> bytes:
        self.reads += 1
        piece = next(self.pieces, b"")
        if isinstance(piece, OSError):
            raise piece
        assert len(piece) <= size
        return piece


def stream(pieces: Iterable[bytes | OSError]) -> BinaryIO:
    return cast(BinaryIO, Stream(pieces))


def peak(work: Callable[[], object]) -> int:
    """Return the peak of memory during the work, above the memory before it."""
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        work()
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()


def zst(data: bytes) -> bytes:
    return zstandard.ZstdCompressor(write_checksum=True).compress(data)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)
