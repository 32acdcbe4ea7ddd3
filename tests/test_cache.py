"""Fingerprints of cache entries: they depend on everything that an answer depends on."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from golpae import cache
from golpae.cache import fingerprint


def test_fingerprints_depend_on_kind_values_code_and_packages() -> None:
    names = [
        fingerprint("a", 1),
        fingerprint("b", 1),
        fingerprint("a", 2),
        fingerprint("a", 1, 2),
        fingerprint("a", (1, 2)),
        fingerprint("a", 1, code=("ir",)),
        fingerprint("a", 1, code=("ir", "syntax")),
        fingerprint("a", 1, packages=("lark",)),
        fingerprint("a", 1, packages=("no-such-package",)),
    ]
    assert len(set(names)) == len(names)
    assert fingerprint("a", 1, code=("ir",)) == fingerprint("a", 1, code=("ir",))


def test_fingerprints_depend_on_every_change_of_the_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = set()
    for change in ("none", "content", "name"):
        folder = tmp_path / change  # of another process: each reads the code once
        shutil.copytree(Path(cache.__file__).parent / "ir", folder / "ir")
        file = folder / "ir" / "types.py"
        if change == "content":
            file.write_text(file.read_text(encoding="utf-8") + "\n", encoding="utf-8")
        elif change == "name":
            file.rename(folder / "ir" / "kinds.py")
        with monkeypatch.context() as patch:
            patch.setattr(cache, "__file__", str(folder / "cache.py"))
            names.add(fingerprint("a", code=("ir",)))
    assert len(names) == 3
    assert fingerprint("a", code=("ir",)) in names


def test_fingerprints_depend_on_every_version(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [fingerprint("a", packages=("lark",))]
    monkeypatch.setattr(cache, "version_of", lambda package: "other")
    names.append(fingerprint("a", packages=("lark",)))
    monkeypatch.setattr(cache, "__version__", "other")
    names.append(fingerprint("a", packages=("lark",)))
    monkeypatch.setattr("sys.version", "other")
    names.append(fingerprint("a", packages=("lark",)))
    assert len(set(names)) == 4
