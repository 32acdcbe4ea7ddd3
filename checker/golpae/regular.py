"""Read regular files only: a pipe, a device or a folder with the name of a file is never waited for.

Input: the path of a file that nobody has named in a call. Output: its bytes.
Guarantee: returns at once whatever has this name, and never holds more bytes than it may.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

WITHOUT_WAITING = getattr(os, "O_NONBLOCK", 0)


def content_of(path: Path, most: int) -> bytes | None:
    """Return the bytes of a file, at most so many; None if what has this name is no regular file. Raises OSError."""
    if not stat.S_ISREG(os.stat(path).st_mode):  # some devices do something when they are opened
        return None
    with open(path, "rb", opener=_opened_without_waiting) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            return None
        return file.read(most)


def _opened_without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | WITHOUT_WAITING)
