"""Run golpae in this process, in an empty folder with the rules of `table.PUT`."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from golpae.cli.main import main
from tests.cli.table import PUT, Run

Golpae = Callable[..., Run]


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache for all runs of the session, away from the user's own."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def here(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder: empty but for the folder `rules`."""
    monkeypatch.setenv("GOLPAE_CACHE", str(cache))
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "put.golpae").write_text(PUT, encoding="utf-8")
    return tmp_path


@pytest.fixture
def golpae(here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Golpae:
    """Runs golpae on the words given. `check` and `legal` find the rules of the working folder."""

    def run(*words: str, stdin: bytes | None = None, own: bool = True) -> Run:
        if stdin is not None:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        rules = ["--spec-path", "rules"] if own and words[0] in ("check", "legal") else []
        status = main([*words[:1], *rules, *words[1:]])
        out, err = capsys.readouterr()
        return Run(status, out, err)

    return run
