"""Download what is pinned.

Input: a `Pin`. Output: its bytes, or the files of its archive.
Guarantee: bytes have the hash of the pin. What was downloaded before comes from the cache.
"""

from __future__ import annotations

import base64
import hashlib
import io
import tarfile
import urllib.error
import urllib.request
from http.client import HTTPException

from golpae import cache
from golpae.playground.pins import Pin

SECONDS = 120  # without a byte
FOLDER = "package/"  # in which archives of npm have their files


class NotFetched(Exception):
    """A file cannot be had, or is another one than the pinned one."""


def fetch(pin: Pin) -> bytes:
    """Return the file of a pin. Raises `NotFetched`."""
    name = cache.fingerprint("download", pin.url, pin.digest)
    held = cache.load(name)
    if held is not None and is_right(pin, held):
        return held
    try:
        with urllib.request.urlopen(pin.url, timeout=SECONDS) as answer:
            content: bytes = answer.read()
    except (OSError, HTTPException, urllib.error.URLError) as fault:
        raise NotFetched(f"`{pin.url}` cannot be downloaded: {fault}") from None
    if not is_right(pin, content):
        raise NotFetched(f"`{pin.url}` is another file than the pinned one")
    cache.store(name, content)
    return content


def is_right(pin: Pin, content: bytes) -> bool:
    """Return whether bytes have the hash of a pin."""
    kind, _, wanted = pin.digest.partition("-")
    found = hashlib.new(kind, content).digest()
    return wanted in (found.hex(), base64.b64encode(found).decode())


def files(pin: Pin) -> dict[str, bytes]:
    """Return the files of a pinned archive that the page takes, and its licence. Raises `NotFetched`."""
    out = {}
    with tarfile.open(fileobj=io.BytesIO(fetch(pin))) as archive:
        names = set(archive.getnames())
        for wanted in (*pin.files, *(one for one in ("LICENSE", "README.md") if FOLDER + one in names)):
            member = archive.extractfile(FOLDER + wanted)
            if member is None:
                raise NotFetched(f"`{pin.url}` has no file `{wanted}`")
            out[wanted] = member.read()
    return out
