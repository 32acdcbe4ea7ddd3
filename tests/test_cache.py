"""Fingerprints of cache entries: they depend on everything that an answer depends on."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from golpae import cache
from golpae.cache import fingerprint
from golpae.elaborate import cache as rules_cache
from golpae.ir.ruleset import RuleSet
from tests.learning.sticks import TEXT


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


def test_the_oldest_entries_make_room_for_large_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOLPAE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(cache, "WEIGHED", 1)
    monkeypatch.setattr(cache, "MOST_BYTES", 10_000)
    for number in range(12):
        cache.store(f"entry-{number}", bytes(1_000))
        os.utime(tmp_path / "cache" / f"entry-{number}{cache.ENDING}", (number, number))
    held = [number for number in range(12) if cache.load(f"entry-{number}") is not None]
    assert held == [*range(12 - len(held), 12)]
    assert 3 <= len(held) <= 9


def test_a_text_that_is_saved_while_it_is_read_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOLPAE_CACHE", str(tmp_path / "cache"))
    text = tmp_path / "game.golpae"
    text.write_text(TEXT.replace("game sticks", "game game"))
    read = rules_cache._elaborate

    def saved_meanwhile(rules: str, spec_path: Sequence[Path]) -> RuleSet:
        found = read(rules, spec_path)
        text.write_text(text.read_text().replace("hands: 4", "hands: 3"))
        return found

    monkeypatch.setattr(rules_cache, "_elaborate", saved_meanwhile)
    first = rules_cache.elaborate_cached("game", [tmp_path])
    assert rules_cache.entry_of(first) is None
    monkeypatch.setattr(rules_cache, "_elaborate", read)
    second = rules_cache.elaborate_cached("game", [tmp_path])
    assert first.spec_hash != second.spec_hash
    assert rules_cache.entry_of(second) is not None
    text.write_text(text.read_text().replace("hands: 3", "hands: 4"))
    assert rules_cache.elaborate_cached("game", [tmp_path]).spec_hash == first.spec_hash
