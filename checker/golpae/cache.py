"""The one cache: bytes stored between runs, so that a second start need not compute them again.

Input: bytes or plain data, under a name that `fingerprint` makes of everything that they depend on.
Output: the entry last stored under a name.
Guarantee: an entry is loaded only if it is whole and belongs to the user. An entry that cannot be stored or
loaded is ignored. The environment variable `GOLPAE_CACHE` names the folder, or is `off`.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from golpae import __version__

MAGIC = b"golpae cache 2\n"
ENDING = ".kept"
MOST = 2_000  # entries; the oldest are removed
Body = TypeVar("Body")


def load(name: str) -> bytes | None:
    """Return the bytes stored under a name, or None if there is no reliable entry."""
    folder = _folder()
    if folder is None:
        return None
    try:
        with (folder / (name + ENDING)).open("rb") as file:
            if hasattr(os, "getuid") and os.fstat(file.fileno()).st_uid != os.getuid():
                return None  # an entry of another user may do harm
            content = file.read()
    except OSError:
        return None
    check, _, body = content.removeprefix(MAGIC).partition(b"\n")
    if not content.startswith(MAGIC) or hashlib.sha256(body).hexdigest().encode() != check:
        return None
    return body


def load_as(name: str, kind: type[Body]) -> Body | None:
    """Return the value that `store_as` stored under a name, as this type, or None if there is no reliable entry."""
    import msgspec

    body = load(name)
    try:
        return None if body is None else msgspec.json.decode(body, type=kind)
    except msgspec.MsgspecError:  # written by another version with the same code
        return None


def store_as(name: str, value: object) -> None:
    """Store a value that consists of plain data under a name."""
    import msgspec

    store(name, msgspec.json.encode(value))


def store(name: str, body: bytes) -> None:
    """Store bytes under a name."""
    folder = _folder()
    if folder is None:
        return
    entry = folder / (name + ENDING)
    beside = entry.with_name(f"{name}.{os.getpid()}{ENDING}")
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        beside.write_bytes(MAGIC + hashlib.sha256(body).hexdigest().encode() + b"\n" + body)
        beside.replace(entry)
        _make_room(folder)
    except OSError:
        with suppress(OSError):
            beside.unlink(missing_ok=True)


def fingerprint(
    kind: str, *depends_on: object, code: Sequence[str] = (), packages: Sequence[str] = ()
) -> str:
    """Return the name of an entry: its kind, and a hash over everything that its body depends on.

    `depends_on` are values with a complete `repr`; `code` names packages of golpae (`prove`), whose source files count;
    `packages` are distributions (`z3-solver`), whose versions count. The versions of golpae and of Python always
    count.
    """
    versions = [(package, version_of(package)) for package in packages]
    digest = hashlib.sha256(repr((__version__, sys.version, versions, depends_on)).encode())
    for line in _sources(code):
        digest.update(line)
    return f"{kind}-{digest.hexdigest()}"


def version_of(package: str) -> str:
    """Return the version of an installed distribution, or `none`. The distribution is not imported."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return "none"


def _sources(code: Sequence[str]) -> Iterator[bytes]:
    """Yield the path and the hash of each source file of some packages of golpae."""
    top = os.path.dirname(os.path.abspath(__file__))
    for package in code:
        for folder, inner, files in os.walk(os.path.join(top, package)):
            inner.sort()
            for file in sorted(files):
                if file.endswith(".py"):
                    path = os.path.join(folder, file)
                    with open(path, "rb") as stream:
                        content = hashlib.sha256(stream.read()).digest()
                    yield os.fsencode(os.path.relpath(path, top)) + b" " + content + b"\n"


def is_on() -> bool:
    """Return whether there is a folder to cache in: `GOLPAE_CACHE` is not `off`."""
    return _folder() is not None


def _folder() -> Path | None:
    named = os.environ.get("GOLPAE_CACHE", "")
    if named == "off":
        return None
    try:
        if named:
            return Path(named)
        base = os.environ.get("XDG_CACHE_HOME")
        return (Path(base) if base else Path.home() / ".cache") / "golpae"
    except (OSError, RuntimeError):
        return None


def _make_room(folder: Path) -> None:
    """Remove the oldest entries if there are too many: each change of a text leaves one that is never read again."""
    entries = list(folder.glob("*" + ENDING))
    if len(entries) > MOST:
        entries.sort(key=lambda file: file.stat().st_mtime)
        for file in entries[: len(entries) - MOST // 2]:
            file.unlink(missing_ok=True)
