"""Trace files elsewhere: whatever fsspec reads, named by a URL.

Input: URLs, of files, of folders, or with `*`. Output: their bytes.
Guarantee: a fault of any library is an OSError, in words. A file of this machine is never taken for a URL, and a URL
leads to one place: golpae follows no chain of places (`a::b`), and no file that names other places. What a web server
sends is limited (`web`).
"""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import lru_cache
from typing import Any, BinaryIO, TypeVar, cast

from golpae.trace.packed import MissingExtra

_URL = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+)://")
_CHAIN = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*::")
_BUFFER = 1 << 20  # bytes that are asked for at a time
_WEB = ("http", "https")
_LEADS_ON = {
    "fs",
    "fo",
    "target_protocol",
    "remote_protocol",
}  # what says to which other place a file system leads
_ALL_LEAD_ON = ("generic",)
Result = TypeVar("Result")


def is_url(path: str) -> bool:
    """Return whether a path names something that is elsewhere: it begins with `scheme://`, and is no file here."""
    return _URL.match(path) is not None and not os.path.lexists(path)


def is_chain(path: str) -> bool:
    """Return whether a path that names no file is a chain of places, as fsspec writes it."""
    return _CHAIN.match(path) is not None


def open_url(url: str) -> BinaryIO:
    """Open what a URL names. Raises OSError."""
    system, path = _place(url)
    if not _is_web(url):
        return cast("BinaryIO", _Elsewhere(_asked(lambda: system.open(path, "rb", block_size=_BUFFER))))
    from golpae.trace import web

    size = _asked(lambda: web.checked_size(_known(url).get("size")))
    if size is None or not _gives_parts(url):
        return _asked(lambda: _copied(url, size))
    parts = _asked(lambda: system.open(path, "rb", block_size=_BUFFER, size=size))
    return cast("BinaryIO", _Elsewhere(parts))


@lru_cache(maxsize=64)
def _known(url: str) -> dict[str, Any]:
    """Return the facts that a web server states about a file. Raises OSError."""
    system, path = _place(url)
    return dict(_asked(lambda: system.info(path)))


@lru_cache(maxsize=64)
def _gives_parts(url: str) -> bool:
    """Return whether parts of a file can be asked for: a web server need not give them."""
    given = _known(url).get("partial")
    if given is not None:
        return bool(given)
    system, path = _place(url)
    try:
        return len(_asked(lambda: system.cat_file(path, start=0, end=1))) == 1
    except OSError:
        return False


def _copied(url: str, size: int | None) -> BinaryIO:
    """Return a file that comes in one piece, copied to where it can be read at any place. Raises OSError."""
    import tempfile  # which loads much

    from golpae.trace import web

    if size is not None:
        web.refuse_large_copy(size)
    system, path = _place(url, is_whole=True)
    with ExitStack() as stack:
        copy = stack.enter_context(tempfile.TemporaryFile())
        copied = 0
        with system.open(path, "rb", block_size=0) as stream:
            while block := stream.read(_BUFFER):
                copied += len(block)
                web.refuse_large_copy(copied)
                copy.write(block)
        copy.seek(0)
        stack.pop_all()  # whoever reads it closes it
    return cast("BinaryIO", copy)


def size_of(url: str) -> int | None:
    """Return how many bytes it has; None if nobody knows."""
    try:
        if _is_web(url):
            size = _known(url).get("size")
        else:
            system, path = _place(url)
            size = _asked(lambda: system.size(path))
    except OSError:
        return None
    return None if size is None else int(size)


def listed(url: str, suffixes: Sequence[str]) -> list[str]:
    """Return the URLs of the files that a URL stands for, sorted. Raises OSError."""
    system, path = _place(url)
    if "*" in url:
        names = [name for name in _asked(lambda: system.glob(path)) if not name.endswith("/")]
    elif url.endswith(tuple(suffixes)) or not _asked(lambda: system.isdir(path)):
        return [url]
    else:
        names = [name for name in _asked(lambda: system.find(path)) if name.endswith(tuple(suffixes))]
    return sorted(str(system.unstrip_protocol(name)) for name in names)


def _is_web(url: str) -> bool:
    return _scheme(url) in _WEB


def _scheme(url: str) -> str:
    match = _URL.match(url)
    assert match is not None, url  # see `is_url`
    return match[1].lower()


def _place(url: str, is_whole: bool = False) -> tuple[Any, str]:
    """Return the file system that a URL names, and the path there; `is_whole`: to read a file of a web server in one
    piece. Raises OSError.
    """
    try:
        from fsspec.core import filesystem, get_filesystem_class
    except ImportError:
        raise MissingExtra("fsspec") from None
    scheme = _scheme(url)
    kind = _asked(lambda: get_filesystem_class(scheme))
    if scheme in _ALL_LEAD_ON or any(_LEADS_ON & _parameters(part) for part in kind.__mro__):
        raise OSError(0, f"golpae does not read `{scheme}://`, which leads to another place: name that one")
    if scheme in _WEB:
        from golpae.trace import web

        return _asked(lambda: filesystem(scheme, **web.limits(is_whole))), url
    given = _asked(lambda: kind._get_kwargs_from_urls(url))
    return _asked(lambda: filesystem(scheme, **given)), str(kind._strip_protocol(url))


def _parameters(kind: type) -> set[str]:
    own = kind.__dict__.get("__init__")
    return set() if own is None else set(inspect.signature(own).parameters)


def _asked(question: Callable[[], Result]) -> Result:
    """Return an answer of a library. Raises OSError, in words, for any of its faults."""
    try:
        return question()
    except Exception as fault:
        for cause in _causes(fault):
            if isinstance(cause, TimeoutError):
                raise OSError(0, "the server takes too long to answer") from fault
            if type(cause).__module__ == "golpae.trace.web":
                raise OSError(0, str(cause)) from fault
            if type(cause).__name__ == "TooManyRedirects":
                raise OSError(0, "the server redirects too often") from fault
        if isinstance(fault, FileNotFoundError):
            raise FileNotFoundError(2, "no such file, or nobody answers there") from fault
        if isinstance(fault, OSError):
            words = fault.strerror or str(fault) or type(fault).__name__
            raise OSError(fault.errno or 0, words) from fault
        raise OSError(0, " ".join((str(fault) or type(fault).__name__).split())[:200]) from fault


def _causes(fault: BaseException | None) -> Iterator[BaseException]:
    """Yield a fault and what led to it."""
    while fault is not None:
        yield fault
        fault = fault.__cause__ or fault.__context__


class _Elsewhere:
    """A stream whose faults are OSErrors."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self.closed = False

    def read(self, size: int = -1) -> bytes:
        if size >= 0:
            return bytes(_asked(lambda: self._stream.read(size)))
        return b"".join(iter(lambda: self.read(_BUFFER), b""))

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
