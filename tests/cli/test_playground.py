"""`golpae playground`: calls that are wrong."""

from __future__ import annotations

import pytest

from golpae.cli.main import main


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--game", "jjk"], "no game `jjk` comes with golpae"),
        (["--port", "70000"], "`--port` must be a number from 0 to 65535, not `70000`"),
    ],
)
def test_a_wrong_call_is_refused(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["playground", *words]) == 2
    assert message in capsys.readouterr().err
