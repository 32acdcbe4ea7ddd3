"""Golpae with an installed package of adapters, in an empty folder."""

from __future__ import annotations

import importlib
import io
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from golpae.cli.main import main
from golpae.logs import installed
from tests.cli.table import Run
from tests.logs.clubs import SHEET, install

Golpae = Callable[..., Run]


@pytest.fixture
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The working folder, with a sheet; the package lies elsewhere."""
    install(tmp_path / "package")
    monkeypatch.syspath_prepend(tmp_path / "package")
    importlib.invalidate_caches()
    here = tmp_path / "here"
    here.mkdir()
    (here / "evening.sheet").write_bytes(SHEET)
    monkeypatch.chdir(here)
    _forget()
    yield here
    _forget()
    for name in ("score_sheet", "club_others"):
        sys.modules.pop(name, None)


def _forget() -> None:
    installed.entry_points_by_name.cache_clear()
    installed.adapter.cache_clear()


@pytest.fixture
def golpae(club: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Golpae:
    """Runs golpae on the words given."""

    def run(*words: str, stdin: bytes | None = None) -> Run:
        if stdin is not None:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        status = main([*words])
        out, err = capsys.readouterr()
        return Run(status, out, err)

    return run
