"""The folder of a certificate: written as a whole, and read as what a stranger may have sent.

Input: files by path and a manifest, or a folder. Output: the folder, or its manifest and what is wrong with its files.
Guarantee: a folder is written beside its place and renamed, and replaces nothing but a certificate. Reading opens plain
files inside the folder, never what a link leads to, and reads no more than the manifest says and `MOST_BYTES` in all.
"""

from __future__ import annotations

import errno
import hashlib
import os
import secrets
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from golpae.unreadable import reason_of
from golpae.verify.certificates.manifest import LARGEST, NAME, BadManifest, FileEntry, Manifest, decode

MOST_FILES = 300_000
MOST_BYTES = 16 << 30
LARGEST_FILE = 256 << 20
LARGEST_OTHER = (
    16 << 20
)  # of a file that has another size than the manifest says, and is only read to find swaps
DEEPEST = 6
PART = 1 << 20  # bytes read together
NEITHER_LINK_NOR_WAIT = (
    getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
)


class NoCertificate(Exception):
    """A folder is no certificate, or cannot be read or replaced; the message says why."""


@dataclass(frozen=True, slots=True)
class BadFile:
    """What is wrong with a file of a certificate."""

    path: str
    what: str


# ------------------------------------------------------------------ writing


def refuse_place(folder: Path) -> None:
    """Check that a certificate can be written to a place. Raises `NoCertificate`."""
    if not os.path.lexists(folder):
        return
    if folder.is_symlink() or not folder.is_dir():
        raise NoCertificate("it is no folder")
    with os.scandir(folder) as inside:
        if next(inside, None) is None:
            return
    manifest = read_manifest(folder)
    if bad := next((b for b in check_files(folder, manifest, contents=False)), None):
        raise NoCertificate(f"it has what is no part of a certificate: `{bad.path}` {bad.what}")


@contextmanager
def written_beside(folder: Path) -> Iterator[Path]:
    """Give a folder to write a certificate to; after the block it stands in its place. Raises what `refuse_place` does.

    If the block fails, nothing has changed.
    """
    refuse_place(folder)
    folder = folder.absolute()
    folder.parent.mkdir(parents=True, exist_ok=True)
    mark = secrets.token_hex(6)
    beside, old = (folder.with_name(f"{folder.name}.{mark}.{what}") for what in ("part", "old"))
    try:
        beside.mkdir()
        yield beside
        if folder.exists():
            folder.rename(old)
        beside.rename(folder)
    finally:
        shutil.rmtree(beside, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)


def put(folder: Path, path: str, content: bytes) -> FileEntry:
    """Write a file of a certificate and return its entry. Raises `OSError`."""
    place = folder / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(content)
    return FileEntry(path, hashlib.sha256(content).hexdigest(), len(content))


# ------------------------------------------------------------------ reading


def read_manifest(folder: Path) -> Manifest:
    """Return the manifest of a folder. Raises `NoCertificate`."""
    try:
        content = _read(folder / NAME, LARGEST)
    except FileNotFoundError:
        raise NoCertificate(f"it has no `{NAME}`") from None
    except OSError as fault:
        reason = reason_of(fault)
        raise NoCertificate(f"its `{NAME}` cannot be read: {reason}") from None
    if content is None:
        raise NoCertificate(f"its `{NAME}` is no plain file of at most {LARGEST >> 20} MB")
    try:
        return decode(content)
    except BadManifest as fault:
        raise NoCertificate(f"its `{NAME}` is no manifest: {fault}") from None


def check_files(folder: Path, manifest: Manifest, contents: bool = True) -> Iterator[BadFile]:
    """Yield the files that are changed, missing, additional or swapped in a folder; without `contents`, ignore what
    files say.
    """
    entries: dict[str, FileEntry] = {}
    for entry in manifest.files:
        if entry.path in entries:
            yield BadFile(entry.path, "stands in the manifest twice")
        entries[entry.path] = entry
    if len(entries) > MOST_FILES or sum(e.bytes for e in entries.values()) > MOST_BYTES:
        yield BadFile(NAME, f"lists more than {MOST_FILES:,} files or {MOST_BYTES >> 30} GB")
        return
    present: set[str] = set()
    for path, what in _walk(folder):
        if what is not None:
            yield BadFile(path, what)
        elif path in entries:
            present.add(path)
        elif path != NAME:
            yield BadFile(path, "is not in the manifest")
    yield from (BadFile(path, "is missing") for path in entries if path not in present)
    if not contents:
        return
    changed: dict[str, str] = {}
    for path in sorted(present):
        digest = _digest(folder / path, entries[path].bytes)
        if digest != entries[path].sha256:
            changed[path] = digest
    for path, digest in changed.items():
        others = [p for p in changed if entries[p].sha256 == digest]
        yield BadFile(path, f"has the content of `{others[0]}`" if others else "is changed")


def content_of(folder: Path, entry: FileEntry) -> bytes | None:
    """Return the content of a file if it is what the manifest says, otherwise None."""
    try:
        content = _read(folder / entry.path, min(entry.bytes, LARGEST_FILE))
    except OSError:
        return None
    return content if content is not None and hashlib.sha256(content).hexdigest() == entry.sha256 else None


def _walk(folder: Path) -> Iterator[tuple[str, str | None]]:
    """Yield the path of each plain file, and of anything else with what is wrong with it."""
    count = 0
    todo = [("", 0)]
    while todo:
        inside, depth = todo.pop()
        try:
            with os.scandir(folder / inside) as listed:
                names = sorted(listed, key=lambda e: e.name)
        except OSError as fault:
            yield inside or ".", f"cannot be read: {reason_of(fault)}"
            continue
        for one in names:
            path = f"{inside}/{one.name}" if inside else one.name
            count += 1
            if count > 2 * MOST_FILES:
                yield path, "is one file too many"
                return
            if one.is_symlink():
                yield path, "is a link"
            elif one.is_dir(follow_symlinks=False):
                if depth < DEEPEST:
                    todo.append((path, depth + 1))
                else:
                    yield path, "is nested too deep"
            elif one.is_file(follow_symlinks=False):
                yield path, None
            else:
                yield path, "is no plain file"


def _digest(place: Path, size: int) -> str:
    """Return the SHA-256 of a file of this size, or words that are none."""
    try:
        with _open(place) as file:
            about = os.fstat(file.fileno())
            if not stat.S_ISREG(about.st_mode):
                return "no plain file"
            if about.st_size > (LARGEST_FILE if about.st_size == size else LARGEST_OTHER):
                return "too large"
            made = hashlib.sha256()
            while part := file.read(PART):
                made.update(part)
            return made.hexdigest()
    except OSError:
        return "unreadable"


def _open(place: Path) -> BinaryIO:
    """Return a file opened to be read; a link is not followed. Raises `OSError`, also for what is no name of a file."""
    try:
        return open(os.open(place, os.O_RDONLY | NEITHER_LINK_NOR_WAIT), "rb")
    except ValueError:
        raise OSError(errno.EINVAL, "no file can have this name") from None


def _read(place: Path, most: int) -> bytes | None:
    """Return the content of a plain file, or None if it is none or has more bytes. Raises `OSError`."""
    with _open(place) as file:
        about = os.fstat(file.fileno())
        if not stat.S_ISREG(about.st_mode) or about.st_size > most:
            return None
        content = file.read(most + 1)
    return content if len(content) <= most else None
