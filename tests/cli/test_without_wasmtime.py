"""`golpae check --verbose` says why large files are not checked on the compiled path."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from golpae.corpus import paths
from golpae.kernel.language import host
from tests.cli.conftest import Golpae
from tests.cli.table import LEGAL

GAME = "".join(json.dumps(line) + "\n" for line in LEGAL)
SLOWER = "golpae: large files are checked without the compiled path, which takes longer: "
NOT_INSTALLED = SLOWER + "the package `wasmtime` is not installed\n"
BROKEN = "libwasmtime.so: cannot open\n  shared object file"
DOES_NOT_LOAD = (
    SLOWER + "the package `wasmtime` does not load: libwasmtime.so: cannot open shared object file\n"
)


@pytest.fixture(autouse=True)
def games(here: Path) -> Iterator[None]:
    """A file of games, and a process that has not looked for wasmtime yet; it forgets what it found here."""
    Path("games.jsonl").write_text(GAME * 2, encoding="utf-8")
    host.why_not.cache_clear()
    host._engine.cache_clear()
    yield
    host.why_not.cache_clear()
    host._engine.cache_clear()


@pytest.fixture
def not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wasmtime", None)
    monkeypatch.setattr(paths, "LARGE", 0)


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    def config() -> None:
        raise OSError(BROKEN)

    module = ModuleType("wasmtime")
    vars(module).update(Config=config, Trap=ValueError, WasmtimeError=ValueError)
    monkeypatch.setitem(sys.modules, "wasmtime", module)
    monkeypatch.setattr(paths, "LARGE", 0)


@pytest.mark.parametrize(
    "more", [(), ("-o", "verdicts.jsonl"), ("--write-expected",), ("--format", "json")], ids=str
)
def test_that_wasmtime_is_not_installed_is_said(
    golpae: Golpae, not_installed: None, more: tuple[str, ...]
) -> None:
    done = golpae("check", "--verbose", "games.jsonl", *more)
    assert (done.status, done.err) == (0, NOT_INSTALLED)


def test_that_wasmtime_does_not_load_is_said_with_its_message_on_one_line(
    golpae: Golpae, broken: None
) -> None:
    done = golpae("check", "--verbose", "games.jsonl", "games.jsonl")
    assert (done.status, done.err) == (0, DOES_NOT_LOAD)
    assert "4 traces: 4 legal" in done.out


def test_it_is_said_of_standard_input_too(golpae: Golpae, not_installed: None) -> None:
    done = golpae("check", "--verbose", "-", stdin=GAME.encode())
    assert (done.status, done.err) == (0, NOT_INSTALLED)


def test_nothing_is_said_unless_somebody_asks_and_a_file_is_large(
    golpae: Golpae, not_installed: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert golpae("check", "games.jsonl").err == ""
    monkeypatch.setattr(paths, "LARGE", 1 << 20)
    assert golpae("check", "--verbose", "games.jsonl").err == ""
    assert golpae("check", "--verbose", "-", stdin=GAME.encode()).err == ""


@pytest.mark.skipif(not host.available(), reason="wasmtime does not load here")
def test_nothing_is_said_if_wasmtime_loads(golpae: Golpae, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "LARGE", 0)
    done = golpae("check", "--verbose", "games.jsonl")
    assert done.err == ""
    assert "large files: 2 legal or incomplete games on the compiled path" in done.out


def test_other_processes_tell_it_too(here: Path) -> None:
    Path("wasmtime.py").write_text("raise ImportError('wrong\\n  ELF class')\n", encoding="utf-8")
    Path("games.jsonl").write_text(GAME * (paths.LARGE // len(GAME) + 1), encoding="utf-8")
    words = ("check", "--verbose", "--spec-path", "rules", "--jobs", "2", "games.jsonl")
    done = subprocess.run(
        [sys.executable, "-m", "golpae", *words],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(here)},
    )
    assert done.returncode == 0
    assert done.stderr.splitlines()[-1] == SLOWER + "the package `wasmtime` does not load: wrong ELF class"
