"""Rule sets kept between runs, so that a second start need not parse.

An entry is used only if golpae itself, every text that the rule set was read from and the way those texts
were found are all as they were, and if its bytes are whole; otherwise the rule set is made anew. A cache
that cannot be read or written is no fault: it is left out.
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
from golpae import cache as kept
from golpae.bundled import spec_dir
from golpae.ir.ruleset import RuleSet


def elaborate_cached(rules: str, spec_path: Sequence[Path] = ()) -> RuleSet:
    """The rule set, from the cache where that is safe. Raises `SpecError`."""
    name = _key(rules, spec_path)
    found = _unpacked(kept.recall(name))
    if found is None:
        found = _elaborate(rules, spec_path)
        with suppress(RecursionError):  # too deep for pickle, which is no fault
            kept.keep(name, pickle.dumps(found, protocol=pickle.HIGHEST_PROTOCOL))
    return found


def _elaborate(rules: str, spec_path: Sequence[Path]) -> RuleSet:
    from golpae.elaborate.check import elaborate

    return elaborate(rules, spec_path)


def _unpacked(body: bytes | None) -> RuleSet | None:
    try:
        found = None if body is None else pickle.loads(body)
    except Exception:  # a damaged entry is as good as none
        return None
    return found if isinstance(found, RuleSet) else None


def _key(rules: str, spec_path: Sequence[Path]) -> str:
    """A hash over golpae's own files and every rule text within reach: whatever changes, the key does."""
    digest = hashlib.sha256(f"{__version__} {sys.version} {rules}\n".encode())
    code = Path(__file__).resolve().parent.parent
    for part in ("diagnostics", "ir", "syntax", "elaborate"):
        for file in sorted((code / part).rglob("*.py")):
            stat = file.stat()
            digest.update(f"{file.relative_to(code)} {stat.st_size} {stat.st_mtime_ns}\n".encode())
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
