"""Engines are compared with the rules from Python, as by the verb."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import golpae
from golpae.testing import conform
from tests.conform.engines import FAULT, files_of_the_page, of_the_page


@pytest.mark.property
def test_an_adapter_is_compared() -> None:
    found = conform("three-dozen", of_the_page("== 12", "== 12"), players=2, games=4)
    assert found, found.text
    assert (found.agrees, found.games, found.disagreements) == (True, 4, ())
    assert found.compared["payments"] == 4
    found = conform(golpae.load("three-dozen").at(2), of_the_page("== 3:", "== 2:"), games=4)
    assert not found
    over = next(one for one in found.disagreements if one.kind == "over")
    assert "the engine disagrees on whether the hand is over" in str(found)
    assert golpae.check([*over.lines]).verdict == golpae.Verdict.INCOMPLETE
    assert all(line in found.text for line in over.lines[1:])


@pytest.mark.process
@pytest.mark.property
def test_a_program_is_compared(tmp_path: Path) -> None:
    for name, text in files_of_the_page().items():
        (tmp_path / name).write_text(text.replace(*FAULT), "utf-8")
    program = [sys.executable, str(tmp_path / "adapter.py")]
    assert conform("three-dozen", program, players=2, games=2)
    with pytest.raises(golpae.GolpaeError, match="does not answer as an engine does: it ended with exit"):
        conform("three-dozen", [sys.executable, "-c", "raise SystemExit(1)"])
    with pytest.raises(TypeError, match="a list of words"):
        conform("three-dozen", "python adapter.py")
    with pytest.raises(ValueError, match="at least one game"):
        conform("three-dozen", program, games=0)
