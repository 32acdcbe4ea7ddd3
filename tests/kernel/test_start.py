"""Modules that check recorded games come from the cache as they were made."""

from __future__ import annotations

from pathlib import Path

import pytest

from golpae import cache
from golpae.elaborate.cache import elaborate_cached
from golpae.elaborate.instance import instantiate
from golpae.kernel import start
from golpae.kernel.language.host import available

pytestmark = pytest.mark.skipif(not available(), reason="wasmtime does not load here")


def test_a_module_is_cached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOLPAE_CACHE", str(tmp_path))
    tables = [instantiate(elaborate_cached("jjak"), players, {}) for players in (2, 3)]
    made = [start.started_checking(table, "jjak", False)[0] for table in tables]
    monkeypatch.setattr(start, "started", None)
    assert [start.started_checking(table, "jjak", False)[0] for table in tables] == made
    assert made[0].wasm != made[1].wasm


def test_an_entry_that_is_no_module_is_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOLPAE_CACHE", str(tmp_path))
    monkeypatch.setattr(cache, "fingerprint", lambda *about, **more: "module-x")
    cache.store("module-x", b"nothing")
    table = instantiate(elaborate_cached("jjak"), 2, {})
    made, _ = start.started_checking(table, "jjak", False)
    assert start.started_checking(table, "jjak", False)[0] == made
