"""Write a module, the page about it, and the hosts beside it.

Input: a path, a module, a page. Output: which files were written.
Guarantee: each file is written beside its place and then put there, so that none is ever half written. A host that
somebody has changed stays as it is, and so does a page that is not about a module of this name.
"""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from golpae.build import hosts
from golpae.build.module import Built

HOSTS = tuple(f"golpae_{part}{ending}" for ending in (".mjs", ".py") for part in ("host", "lines", "words"))


@dataclass(frozen=True, slots=True)
class BuiltFiles:
    """The names of the files. `others` are files that stay as they are."""

    module: str
    page: str | None = None
    hosts: tuple[str, ...] = ()
    others: tuple[str, ...] = ()


def write(path: Path, built: Built, page: str | None) -> BuiltFiles:
    """Write a module, and, if there is a page, that and the hosts. Raises OSError."""
    _put(path, built.wasm)
    if page is None:
        return BuiltFiles(path.name)
    files = {path.with_suffix(".md"): page.encode(), **{path.parent / name: host(name) for name in HOSTS}}
    others = [file for file, content in files.items() if _is_of_somebody_else(file, content)]
    for file, content in files.items():
        if file not in others:
            _put(file, content)
    about, *written = (None if file in others else file.name for file in files)
    return BuiltFiles(
        path.name,
        about,
        tuple(name for name in written if name is not None),
        tuple(file.name for file in others),
    )


def _is_of_somebody_else(file: Path, content: bytes) -> bool:
    """Return whether a file is there that `golpae build` has not written. Raises OSError."""
    if not file.exists():
        return False
    there = file.read_bytes()
    if file.suffix == ".md":
        return there.split(b"\n", 1)[0] != content.split(b"\n", 1)[0]
    return there != content


def host(name: str) -> bytes:
    """Return a file of the hosts."""
    return (Path(hosts.__path__[0]) / name).read_bytes()


def _put(path: Path, held: bytes) -> None:
    """Write a file, or leave what was there. Raises OSError, which names the file."""
    try:
        handle, beside = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(held)
            os.chmod(beside, 0o644)
            os.replace(beside, path)
        except BaseException:
            with suppress(OSError):
                os.unlink(beside)
            raise
    except OSError as fault:
        raise OSError(fault.errno, fault.strerror, str(path)) from None
