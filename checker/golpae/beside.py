"""Write a file whole or not at all.

Input: the path of a file. Output: a stream to write to, or the file with a text.
Guarantee: what is written goes to another name beside the file, which is renamed at the end: the file is whole, or it
is as it was. An exception leaves nothing behind.
"""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, cast


def check_replaceable(path: Path) -> None:
    """Check that what has this name, if anything has, is a file. Raises OSError: renaming would replace a device."""
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "it is not a file that can be replaced")


@contextmanager
def written(path: Path) -> Iterator[BinaryIO]:
    """Give a stream whose bytes are the file when the block has ended. Raises OSError."""
    check_replaceable(path)
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


def write_whole(path: Path, text: str) -> None:
    """Write a text as UTF-8. Raises OSError. What is no file, such as a pipe, is written to; a link stays one."""
    if path.exists() and not path.is_file():
        path.write_text(text, encoding="utf-8", newline="\n")
        return
    with written(path.resolve()) as stream:
        stream.write(text.encode("utf-8"))
