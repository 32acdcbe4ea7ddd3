"""Write a file whole or not at all.

Input: the path of a file. Output: a stream to write to.
Guarantee: what is written goes to another name beside the file, which is renamed at the end: the file is whole, or it
is as it was. An exception leaves nothing behind.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, cast


@contextmanager
def written(path: Path) -> Iterator[BinaryIO]:
    """Give a stream whose bytes are the file when the block has ended. Raises OSError."""
    handle, beside = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    stream = cast("BinaryIO", os.fdopen(handle, "wb"))
    try:
        yield stream
        stream.close()
        os.chmod(beside, 0o644)
        os.replace(beside, path)
    except BaseException:
        with suppress(OSError):
            stream.close()
        with suppress(OSError):
            os.unlink(beside)
        raise
