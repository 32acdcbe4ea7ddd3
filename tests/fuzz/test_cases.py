"""Some cases of each kind; `python -m tests.fuzz` tries many."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz.cases import KINDS, case

CASES = {
    "traces": 1,
    "questions": 6,
    "texts": 20,
    "caches": 4,
    "names": 20,
    "files": 30,
    "kept proofs": 10,
    "certificates": 2,
    "signals": 2,
}


@pytest.mark.property
@pytest.mark.process
@pytest.mark.solver
@pytest.mark.parametrize("kind", KINDS)
def test_input_of_strangers_does_no_harm(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GOLPAE_CACHE", str(tmp_path / "cache"))
    found = [(number, finding) for number in range(CASES[kind]) if (finding := case(kind, 1, number).finding)]
    assert not found
