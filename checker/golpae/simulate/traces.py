"""Write the traces of many games to a file.

Input: lines of traces, some at a time.
Output: the file, compressed if its name ends in `.gz` or `.zst`.
Guarantee: the file is whole, or it is as it was. The same lines give the same bytes.
"""

from __future__ import annotations

import gzip
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, cast

from golpae.beside import written


class TraceFile:
    """A context manager: leaving it by an exception leaves nothing behind. Raises OSError."""

    def __init__(self, path: Path) -> None:
        with ExitStack() as stack:
            file = stack.enter_context(written(path))
            self._out: BinaryIO = file
            if path.name.endswith(".gz"):
                packed = gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=file, mtime=0)
                self._out = stack.enter_context(cast("BinaryIO", packed))
            elif path.name.endswith(".zst"):
                import zstandard

                compressor = zstandard.ZstdCompressor()
                self._out = stack.enter_context(
                    cast("BinaryIO", compressor.stream_writer(file, closefd=False))
                )
            self._stack = stack.pop_all()

    def __enter__(self) -> TraceFile:
        return self

    def write(self, lines: bytes) -> None:
        """Write lines at the end."""
        self._out.write(lines)

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.__exit__(kind, value, trace)
