"""The one cache: bytes stored between runs, so that a second start need not compute them again.

Input: bytes or plain data, under a name that `fingerprint` makes of everything that they depend on.
Output: the entry last stored under a name.
Guarantee: an entry is loaded only if it is whole, was stored under this name, is a file of the user, and nobody else
can write to it or its folder. Links and pipes are not followed. An entry that cannot be stored or loaded is ignored.
The environment variable `GOLPAE_CACHE` names the folder, or is `off`.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache as remembered
from pathlib import Path
from typing import TypeVar

from golpae import __version__

MAGIC = b"golpae cache 3\n"
ENDING = ".kept"
MOST = 4_000  # entries; the oldest are removed. `golpae prove --all --seeds 10` makes 2,700
MOST_BYTES = 1 << 30  # of all entries
WEIGHED = 16  # the size of all entries is looked at whenever there are a multiple of so many
LARGEST = 1 << 26  # bytes of an entry
NEITHER_LINK_NOR_WAIT = (
    getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
)
Body = TypeVar("Body")


def load(name: str) -> bytes | None:
    """Return the bytes stored under a name, or None if there is no reliable entry."""
    folder = _folder()
    if folder is None or not _is_own_folder(folder):
        return None
    try:
        descriptor = os.open(folder / (name + ENDING), os.O_RDONLY | NEITHER_LINK_NOR_WAIT)
        with open(descriptor, "rb") as file:
            about = os.fstat(descriptor)
            if not (stat.S_ISREG(about.st_mode) and about.st_size <= LARGEST and _is_own(about)):
                return None
            content = file.read(LARGEST)
    except OSError:
        return None
    head, _, body = content.partition(b"\n\n")
    return body if head == _head(name, body) else None


def load_as(name: str, kind: type[Body]) -> Body | None:
    """Return the value that `store_as` stored under a name, as this type, or None if there is no reliable entry."""
    import msgspec

    body = load(name)
    try:
        return None if body is None else msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, RecursionError):  # written by another program
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
    beside = folder / f"{name}.{os.urandom(8).hex()}{ENDING}"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _is_own_folder(folder):
            return
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | NEITHER_LINK_NOR_WAIT, 0o600)
        with open(descriptor, "wb") as file:
            file.write(_head(name, body) + b"\n\n" + body)
        beside.replace(folder / (name + ENDING))
        _make_room(folder)
    except OSError:
        with suppress(OSError):
            beside.unlink(missing_ok=True)


def _head(name: str, body: bytes) -> bytes:
    """Return the bytes before the body of an entry: they bind the body to the name."""
    return MAGIC + hashlib.sha256(name.encode() + b"\n" + body).hexdigest().encode()


# ------------------------------------------------------------------ whom an entry comes from


def _is_own_folder(folder: Path) -> bool:
    """Return whether nobody else can put a file into a folder, or replace one."""
    try:
        about = os.stat(folder)
    except OSError:
        return False
    return stat.S_ISDIR(about.st_mode) and _is_own(about)


def _is_own(about: os.stat_result) -> bool:
    """Return whether a file or folder belongs to the user, and nobody else may write to it."""
    if not hasattr(os, "getuid"):
        return True  # Windows: the folder of the user is protected by the system
    if about.st_uid != os.getuid() or about.st_mode & stat.S_IWOTH:
        return False
    return not about.st_mode & stat.S_IWGRP or _is_private_group(about.st_gid)


def _is_private_group(group: int) -> bool:
    """Return whether the user is the only member of a group."""
    import grp
    import pwd

    try:
        user = pwd.getpwuid(os.getuid())
        members = grp.getgrgid(group).gr_mem
    except KeyError:
        return False
    others = [name for name in members if name != user.pw_name]
    return group == user.pw_gid and not others and user.pw_name == grp.getgrgid(group).gr_name


# ------------------------------------------------------------------ names of entries


def fingerprint(
    kind: str, *depends_on: object, code: Sequence[str] = (), packages: Sequence[str] = ()
) -> str:
    """Return the name of an entry: its kind, and a hash over everything that its body depends on.

    `depends_on` are values with a complete `repr`; `code` names packages of golpae (`prove`), whose source files count;
    `packages` are distributions (`z3-solver`), whose versions count. The versions of golpae and of Python always
    count.
    """
    versions = [(package, version_of(package)) for package in packages]
    whole = hashlib.sha256(repr((__version__, sys.version, versions, depends_on)).encode())
    if code:
        whole.update(_sources(os.path.dirname(os.path.abspath(__file__)), tuple(code)))
    return f"{kind}-{whole.hexdigest()}"


def digest(*values: object) -> str:
    """Return a hash over values with a complete `repr`, to name something that depends on them many times."""
    return hashlib.sha256(repr(values).encode()).hexdigest()


@remembered
def version_of(package: str) -> str:
    """Return the version of an installed distribution, or `none`. The distribution is not imported."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return "none"


@remembered
def _sources(top: str, code: tuple[str, ...]) -> bytes:
    """Return a hash over the paths and contents of the source files of some packages of golpae. They are read once: a
    process goes on with the code that it has loaded.
    """
    whole = hashlib.sha256()
    for package in code:
        whole.update(_package(top, package))
    return whole.digest()


@remembered
def _package(top: str, package: str) -> bytes:
    """Return the path and the hash of each source file of a package, a line each."""
    return b"".join(_lines_of(os.path.join(top, package), package))


def _lines_of(folder: str, short: str) -> Iterator[bytes]:
    """Yield the short path and the hash of each source file in a folder and its folders, in their order."""
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except FileNotFoundError:
        return
    for entry in entries:
        name = f"{short}{os.sep}{entry.name}"
        if entry.is_dir():
            yield from _lines_of(entry.path, name)
        elif entry.name.endswith(".py"):
            with open(entry.path, "rb") as stream:
                yield os.fsencode(name) + b" " + hashlib.sha256(stream.read()).digest() + b"\n"


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
    """Remove the oldest entries if there are too many, or too large ones: each change of a text leaves some that are
    never read again.
    """
    names = [name for name in os.listdir(folder) if name.endswith(ENDING)]
    if len(names) <= MOST and len(names) % WEIGHED:
        return
    entries: list[tuple[float, int, str]] = []
    for name in names:
        with suppress(OSError):  # another process has removed it
            about = os.stat(folder / name)
            entries.append((about.st_mtime, about.st_size, name))
    many, size = len(entries), sum(size for _, size, _ in entries)
    if many <= MOST and size <= MOST_BYTES:
        return
    for _, own, name in sorted(entries):
        if many <= MOST // 2 and size <= MOST_BYTES // 2:
            break
        with suppress(OSError):  # a folder of that name, say
            os.unlink(folder / name)
        many, size = many - 1, size - own
