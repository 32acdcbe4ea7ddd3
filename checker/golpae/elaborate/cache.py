"""Rule sets kept between runs, so that a second start need not parse.

An entry is used only if golpae itself, every text that the rule set was read from and the way those texts
were found are all as they were, and if its bytes are whole; otherwise the rule set is made anew. A cache
that cannot be read or written is no fault: it is left out. `GOLPAE_CACHE` names the folder, or is `off`.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from golpae import __version__
from golpae.bundled import spec_dir
from golpae.ir.ruleset import RuleSet

MAGIC = b"golpae rule set 1\n"
MOST = 400  # entries kept; the oldest go


def elaborate_cached(rules: str, spec_path: Sequence[Path] = ()) -> RuleSet:
    """The rule set, from the cache where that is safe. Raises `SpecError`."""
    folder = _folder()
    if folder is None:
        return _elaborate(rules, spec_path)
    entry = folder / f"{_key(rules, spec_path)}.rules"
    found = _read(entry)
    if found is not None:
        return found
    rule_set = _elaborate(rules, spec_path)
    _write(entry, rule_set)
    return rule_set


def _elaborate(rules: str, spec_path: Sequence[Path]) -> RuleSet:
    from golpae.elaborate.check import elaborate

    return elaborate(rules, spec_path)


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


def _key(rules: str, spec_path: Sequence[Path]) -> str:
    """A hash over golpae's own files and every rule text within reach: whatever changes, the key does."""
    digest = hashlib.sha256(f"{__version__} {sys.version} {rules}\n".encode())
    code = Path(__file__).resolve().parent.parent
    for part in ("diagnostics", "ir", "syntax", "elaborate"):
        for file in sorted((code / part).glob("*.py")):
            stat = file.stat()
            digest.update(f"{part}/{file.name} {stat.st_size} {stat.st_mtime_ns}\n".encode())
    for place in (*spec_path, spec_dir(), spec_dir().parent / "grammar"):
        digest.update(os.fsencode(place.absolute()) + b"\n")
        try:
            # a text that is named itself includes those beside it
            files = sorted((place if place.is_dir() else place.parent).iterdir())
        except OSError:
            files = []
        for file in files:
            if file.suffix in (".golpae", ".lark") and os.path.isfile(file):
                digest.update(os.fsencode(file.name) + b" " + _digest(file) + b"\n")
    return digest.hexdigest()


def _digest(file: Path) -> bytes:
    try:
        with file.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").digest()
    except OSError:
        return b"cannot be read"


def _read(entry: Path) -> RuleSet | None:
    try:
        with entry.open("rb") as file:
            if hasattr(os, "getuid") and os.fstat(file.fileno()).st_uid != os.getuid():
                return None  # somebody else's bytes are not unpickled
            content = file.read()
    except OSError:
        return None
    check, _, body = content.removeprefix(MAGIC).partition(b"\n")
    if not content.startswith(MAGIC) or hashlib.sha256(body).hexdigest().encode() != check:
        return None
    try:
        found = pickle.loads(body)
    except Exception:  # a damaged entry is as good as none
        return None
    return found if isinstance(found, RuleSet) else None


def _write(entry: Path, rule_set: RuleSet) -> None:
    try:
        body = pickle.dumps(rule_set, protocol=pickle.HIGHEST_PROTOCOL)
    except RecursionError:
        return
    beside = entry.with_name(f"{entry.name}.{os.getpid()}")
    try:
        entry.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        beside.write_bytes(MAGIC + hashlib.sha256(body).hexdigest().encode() + b"\n" + body)
        beside.replace(entry)
        _make_room(entry.parent)
    except OSError:
        with suppress(OSError):
            beside.unlink(missing_ok=True)


def _make_room(folder: Path) -> None:
    """Remove the oldest entries of too many: each change of a text leaves one that nothing reads again."""
    entries = [file for file in folder.iterdir() if ".rules" in file.name]
    if len(entries) > MOST:
        entries.sort(key=lambda file: file.stat().st_mtime)
        for file in entries[: len(entries) - MOST // 2]:
            file.unlink(missing_ok=True)
