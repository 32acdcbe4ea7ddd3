"""Certificates of the games that come with golpae, written and checked."""

from __future__ import annotations

from pathlib import Path

import pytest

from golpae import exit_codes
from golpae.cli.main import main

pytestmark = [pytest.mark.solver, pytest.mark.slow]


@pytest.mark.parametrize(
    ("rules", "players"),
    [("jjak+row", "2"), ("ho-hpai+no-sok", "3"), ("three-dozen+may-draw", "2"), ("korean-mahjong", "3")],
)
def test_everything_proved_has_a_certificate(
    rules: str, players: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = str(tmp_path / "certificate")
    main(["prove", f"{rules}", "--players", players, "--certificate", place])
    assert "no certificate" not in capsys.readouterr().err
    assert main(["recheck", place]) == exit_codes.HOLDS
