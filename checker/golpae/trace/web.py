"""Limits for what web servers send.

Input: nothing. Output: what fsspec is to be given, so that it keeps the limits.
Guarantee: no server makes golpae wait for ever, fill the disk or the memory, or ask another server: it has to answer
within `SILENCE` seconds and to end each answer in time, redirects stay at its own address, a page and a part of a file
are read only as far as they may be long, and a file that comes in one piece has at most `LARGEST_COPY` bytes.
"""

from __future__ import annotations

import re
from typing import Any

import aiohttp
from yarl import URL

MOST_REDIRECTS = 5
SILENCE = 30.0
"""Seconds until a server has to send something."""
ANSWER = 120.0
"""Seconds for one answer: a page, or a part of a file."""
ONE_PIECE = 3600.0
"""Seconds for a file that comes in one piece."""
LARGEST_PAGE = 1 << 22
"""Bytes of a page that lists files."""
MOST_PAGES = 1000
"""Answers of one session that are no parts of files."""
LARGEST_COPY = 1 << 30
"""Bytes of a file that comes in one piece, and so is copied."""
LARGEST = 1 << 36
"""Bytes of a file that comes in parts."""

_RANGE = re.compile(r"bytes=(\d+)-(\d+)")


class BeyondLimits(OSError):
    """Something that a server sends is beyond the limits, and why."""

    def __str__(self) -> str:
        return str(self.args[0])


def limits(is_whole: bool = False) -> dict[str, Any]:
    """Return the arguments of fsspec to read files of web servers within the limits; `is_whole`: in one piece."""
    seconds = ONE_PIECE if is_whole else ANSWER
    timeout = aiohttp.ClientTimeout(total=seconds, connect=SILENCE, sock_read=SILENCE)
    return {
        "get_client": _session,
        "client_kwargs": {"timeout": timeout},
        "max_redirects": MOST_REDIRECTS + 1,
    }


def checked_size(size: object) -> int | None:
    """Return how large a server says that a file is; None if it does not say. Raises `BeyondLimits`."""
    if not isinstance(size, int) or size < 0:
        return None
    if size > LARGEST:
        raise BeyondLimits(f"it is larger than {_in_words(LARGEST)}")
    return size


def refuse_large_copy(size: int) -> None:
    """Check the size of a file that comes in one piece. Raises `BeyondLimits`."""
    if size > LARGEST_COPY:
        raise BeyondLimits(
            f"the server gives no parts of it, and it is larger than {_in_words(LARGEST_COPY)}: download it first"
        )


def _in_words(size: int) -> str:
    for unit in ("bytes", "KiB", "MiB", "GiB"):
        if size < 1024 or unit == "GiB":
            break
        size //= 1024
    return f"{size} {unit}"


async def _session(**given: Any) -> aiohttp.ClientSession:
    """Return a session that asks web servers, for fsspec."""
    pages = _Pages()
    trace = aiohttp.TraceConfig()
    trace.on_request_start.append(pages.begun)
    trace.on_request_redirect.append(_redirected)
    return aiohttp.ClientSession(
        response_class=_Limited,
        trace_configs=[trace],
        auto_decompress=False,  # golpae unpacks archives itself, block by block
        headers={"Accept-Encoding": "identity"},
        **given,
    )


class _Pages:
    """How many answers a session has asked for that are no parts of files."""

    def __init__(self) -> None:
        self._count = 0

    async def begun(self, _session: object, _context: object, asked: aiohttp.TraceRequestStartParams) -> None:
        """Count a question. Raises `BeyondLimits`."""
        if "Range" not in asked.headers and asked.method == "GET":
            self._count += 1
            if self._count > MOST_PAGES:
                raise BeyondLimits(f"it lists more than {MOST_PAGES} pages or files")


async def _redirected(_session: object, _context: object, answer: aiohttp.TraceRequestRedirectParams) -> None:
    """Check where a server redirects to. Raises `BeyondLimits`."""
    there = answer.response.headers.get("Location") or answer.response.headers.get("URI") or ""
    try:
        target = answer.url.join(URL(there))
        host, port = target.host or "", target.port
    except ValueError:
        raise BeyondLimits("the server redirects to an address that is none") from None
    same = (target.scheme, host, port) == (answer.url.scheme, answer.url.host, answer.url.port)
    safer = (answer.url.scheme, answer.url.port, target.scheme, target.port) == ("http", 80, "https", 443)
    if not same and not (safer and host == answer.url.host):
        where = f"{target.scheme}://{host}" + ("" if target.is_default_port() or port is None else f":{port}")
        raise BeyondLimits(
            f"it redirects to `{where[:100]}`, which golpae does not follow: name that address"
        )


class _Limited(aiohttp.ClientResponse):
    """An answer that is read only as far as it may be long."""

    async def read(self) -> bytes:
        """Return the body. Raises `BeyondLimits`."""
        if self._body is None:
            part = _RANGE.fullmatch(self.request_info.headers.get("Range", ""))
            most = int(part[2]) - int(part[1]) + 1 if part else LARGEST_PAGE
            blocks, size = list[bytes](), 0
            async for block in self.content.iter_chunked(1 << 16):
                size += len(block)
                if size > most:
                    self.close()
                    if part:
                        raise BeyondLimits("the server sends more than was asked for")
                    raise BeyondLimits(f"the server sends a page of more than {_in_words(LARGEST_PAGE)}")
                blocks.append(block)
            self._body = b"".join(blocks)
        return self._body
