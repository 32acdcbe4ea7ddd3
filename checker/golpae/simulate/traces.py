"""Write the traces of many games to a file.

Input: lines of traces, some at a time.
Output: the file, compressed if its name ends in `.gz`.
Guarantee: the lines go to another name beside it, which is renamed at the end: the file is whole, or it is as it was.
The same lines give the same bytes.
"""

from __future__ import annotations

import gzip
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, cast


class TraceFile:
    """A context manager: leaving it by an exception leaves nothing behind. Raises OSError."""

    def __init__(self, path: Path) -> None:
        handle, self._beside = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        self._path = path
        self._file = cast("BinaryIO", os.fdopen(handle, "wb"))
        self._out = self._file
        if path.name.endswith(".gz"):
            packed = gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=self._file, mtime=0)
            self._out = cast("BinaryIO", packed)

    def __enter__(self) -> TraceFile:
        return self

    def write(self, lines: bytes) -> None:
        """Write lines at the end."""
        self._out.write(lines)

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is not None:
                return
            if self._out is not self._file:
                self._out.close()
            self._file.close()
            os.chmod(self._beside, 0o644)
            os.replace(self._beside, self._path)
            self._beside = ""
        finally:
            with suppress(OSError):
                self._file.close()
            if self._beside:
                with suppress(OSError):
                    os.unlink(self._beside)
