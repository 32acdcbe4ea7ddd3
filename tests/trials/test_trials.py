"""The recorded games of each trial keep the verdicts that they had under the text as it was first written.

Each text is written anew as the language gets words for it; the games, and what is wrong with them, stay.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from golpae.cli.main import main

FOLDER = Path(__file__).parent

# The event and the clause that it breaks, of each game of a file; None if the game is legal.
VERDICTS: dict[str, list[tuple[int, str] | None]] = {
    # The match is played to its end: `finish` pays for a side that has no point.
    "block": [
        None,
        (7, "block.play.fits"),
        (10, "block.pass.stuck"),
        (27, "block.end.pay"),
        (2, "block.play.heaviest"),
        (87, "block.finish.totals"),
    ],
    # One action plays all combinations, with the cards beside them, which were attached one by one.
    "ddz": [
        None,
        (18, "ddz.play.beats"),
        (10, "ddz.play.combination"),
        (13, "ddz.play.turn"),
        (5, "ddz.play.held"),
        (10, "ddz.pass.lead"),
    ],
}

LOGS = os.environ.get("GOLPAE_LOGS")  # a folder of records that may not be passed on


@pytest.mark.parametrize("game", VERDICTS)
def test_recorded_games_keep_their_verdicts(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "--format", "json", "--spec-path", str(FOLDER), str(FOLDER / f"{game}.jsonl")])
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(v["event"], v["clause"]) if v["verdict"] == "illegal" else None for v in found] == VERDICTS[game]
    assert {v["verdict"] for v in found} == {"legal", "illegal"}


@pytest.mark.parametrize("game", VERDICTS)
def test_the_text_has_no_faults_and_is_compiled_whole(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    here = FOLDER / f"{game}.golpae"
    assert main(["lint", str(here) if here.exists() else game]) == 0
    assert "no faults\n" in capsys.readouterr().out


@pytest.mark.skipif(LOGS is None, reason="GOLPAE_LOGS names no folder of records")
@pytest.mark.parametrize("format_", ["mjlog", "mjai"])
def test_recorded_games_of_other_programs_are_legal(format_: str, capsys: pytest.CaptureFixture[str]) -> None:
    folder = Path(LOGS or "") / ("riichi" if format_ == "mjlog" else format_)
    main(["check", "--format", "json", "--from", format_, str(folder)])
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert found
    assert [verdict for verdict in found if verdict["verdict"] not in ("legal", "incomplete")] == []
