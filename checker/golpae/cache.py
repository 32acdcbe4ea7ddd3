"""Bytes kept between runs, so that a second start need not work them out again.

In: bytes, under a name that says all that they depend on. Out: the bytes last kept under a name, if they are
whole and the user's own. What cannot be kept or read back is left out, and nobody is told. `GOLPAE_CACHE`
names the folder, or is `off`.
"""

import hashlib
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

MAGIC = b"golpae kept 1\n"
ENDING = ".kept"
MOST = 2_000  # entries; the oldest go


def recall(name: str) -> bytes | None:
    """The bytes kept under a name, None where there are none that can be relied on."""
    folder = _folder()
    if folder is None:
        return None
    try:
        with (folder / (name + ENDING)).open("rb") as file:
            if hasattr(os, "getuid") and os.fstat(file.fileno()).st_uid != os.getuid():
                return None  # what another user wrote may do harm
            content = file.read()
    except OSError:
        return None
    check, _, body = content.removeprefix(MAGIC).partition(b"\n")
    if not content.startswith(MAGIC) or hashlib.sha256(body).hexdigest().encode() != check:
        return None
    return body


def recall_as(name: str, kind: type[Any]) -> Any:
    """What `keep_as` has kept under a name, as this type; None where there is nothing that can be relied on."""
    import msgspec

    body = recall(name)
    try:
        return None if body is None else msgspec.json.decode(body, type=kind)
    except msgspec.MsgspecError:  # written by another golpae of the same code? as good as none
        return None


def keep_as(name: str, value: Any) -> None:
    """Keep a value that is made of data alone under a name."""
    import msgspec

    keep(name, msgspec.json.encode(value))


def keep(name: str, body: bytes) -> None:
    """Keep bytes under a name."""
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
    """Remove the oldest entries of too many: each change of a text leaves one that nothing reads again."""
    entries = list(folder.glob("*" + ENDING))
    if len(entries) > MOST:
        entries.sort(key=lambda file: file.stat().st_mtime)
        for file in entries[: len(entries) - MOST // 2]:
            file.unlink(missing_ok=True)
