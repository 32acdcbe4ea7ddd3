"""Trace files elsewhere: whatever fsspec reads, named by a URL.

Input: URLs, of files, of folders, or with `*`. Output: their bytes.
Guarantee: a fault of any library is an OSError, in words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Any, BinaryIO, TypeVar, cast

from golpae.trace.packed import MissingExtra

_URL = re.compile(r"[a-z][a-z0-9+.-]*:(:[a-z]|//)")
_BUFFER = 1 << 20  # bytes that are asked for at a time
Result = TypeVar("Result")


def is_url(path: str) -> bool:
    """Return whether a path names something that is elsewhere."""
    return _URL.match(path) is not None


def open_url(url: str) -> BinaryIO:
    """Open what a URL names. Raises OSError."""
    system, path = _place(url)
    if not _gives_parts(system, path):
        return _asked(lambda: _copied(system, path))
    return cast("BinaryIO", _Elsewhere(_asked(lambda: system.open(path, "rb", block_size=_BUFFER))))


def _gives_parts(system: Any, path: str) -> bool:
    """Return whether parts of a file can be asked for: a web server need not give them. Raises OSError."""
    names = (system.protocol,) if isinstance(system.protocol, str) else tuple(system.protocol)
    return "http" not in names or bool(_asked(lambda: system.info(path)).get("partial"))


def _copied(system: Any, path: str) -> BinaryIO:
    """Return a file that comes in one piece, copied to where it can be read at any place."""
    import shutil  # these load much
    import tempfile

    with ExitStack() as stack:
        copy = stack.enter_context(tempfile.TemporaryFile())
        with system.open(path, "rb", block_size=0) as stream:
            shutil.copyfileobj(stream, copy, _BUFFER)
        copy.seek(0)
        stack.pop_all()  # whoever reads it closes it
    return cast("BinaryIO", copy)


def size_of(url: str) -> int | None:
    """Return how many bytes it has; None if nobody knows."""
    try:
        system, path = _place(url)
        size = _asked(lambda: system.size(path))
    except OSError:
        return None
    return None if size is None else int(size)


def listed(url: str, suffixes: Sequence[str]) -> list[str]:
    """Return the URLs of the files that a URL stands for, sorted. Raises OSError."""
    system, path = _place(url)
    if "*" in url:
        found = [name for name in _asked(lambda: system.glob(path)) if not name.endswith("/")]
    elif url.endswith(tuple(suffixes)) or not _asked(lambda: system.isdir(path)):
        return [url]
    else:
        found = [name for name in _asked(lambda: system.find(path)) if name.endswith(tuple(suffixes))]
    return sorted(str(system.unstrip_protocol(name)) for name in found)


def _place(url: str) -> tuple[Any, str]:
    """Return the file system that a URL names, and the path there. Raises OSError."""
    try:
        from fsspec.core import url_to_fs
    except ImportError:
        raise MissingExtra("fsspec") from None
    system, path = _asked(lambda: url_to_fs(url))
    return system, path


def _asked(question: Callable[[], Result]) -> Result:
    try:
        return question()
    except FileNotFoundError as fault:
        raise FileNotFoundError(2, "no such file, or nobody answers there") from fault
    except OSError as fault:
        raise OSError(fault.errno or 0, fault.strerror or str(fault) or type(fault).__name__) from fault
    except Exception as fault:
        raise OSError(0, " ".join((str(fault) or type(fault).__name__).split())[:200]) from fault


class _Elsewhere:
    """A stream whose faults are OSErrors."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self.closed = False

    def read(self, size: int = -1) -> bytes:
        return bytes(_asked(lambda: self._stream.read(size)))

    def readline(self, size: int = -1) -> bytes:
        return bytes(_asked(lambda: self._stream.readline(size)))

    def seek(self, place: int, whence: int = 0) -> int:
        return int(_asked(lambda: self._stream.seek(place, whence)))

    def tell(self) -> int:
        return int(self._stream.tell())

    def seekable(self) -> bool:
        return bool(getattr(self._stream, "seekable", bool)())

    def readable(self) -> bool:
        return True

    def writable(self) -> bool:
        return False

    def close(self) -> None:
        self.closed = True
        self._stream.close()

    def __enter__(self) -> _Elsewhere:
        return self

    def __exit__(self, *fault: object) -> None:
        self.close()
