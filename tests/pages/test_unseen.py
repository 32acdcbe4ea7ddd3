"""Pages of games with tiles that nobody saw: what is hidden, what is certain, and why."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from golpae.pages.clause_text import ClauseTexts
from golpae.pages.report import Report
from golpae.trace import Verdict
from tests.cli.table import EVENTS, HEADER
from tests.pages.browser import Browser
from tests.pages.games import recordings, rules_in

DEAL, *REST = EVENTS
HEIGHT = "document.getElementById('table').clientHeight"
HIDDEN: dict[str, Any] = {**DEAL, "hands": [2, DEAL["hands"][1]]}


def test_no_tile_of_a_completion_is_shown_that_is_not_certain(tmp_path: Path) -> None:
    [game] = recordings(rules_in(tmp_path), HEADER, HIDDEN, REST[0])
    assert (game.outcome.verdict, game.is_hidden) == (Verdict.INCOMPLETE, True)
    deal, put = game.steps
    assert deal["new"]["zone/hand/0"] == ["1-1", "?"]
    assert deal["new"]["certain/hand/0"] == ["1-1"]
    assert deal["new"]["zone/hand/1"] == ["3-3", "4-4"]
    assert "4-4" in deal["new"]["possible/hand/0"]
    assert deal["new"]["why/hand/0"]["1-1"].startswith("event 2 (An: put 1-1")
    assert put["new"]["zone/hand/0"] == ["?"]
    assert put["new"]["certain/hand/0"] == []


def test_an_event_that_no_tiles_make_legal_is_shown_behind_those_that_are(tmp_path: Path) -> None:
    wrong = {"do": "put", "by": 0, "tile": "3-3"}
    hands = {**DEAL, "hands": [2, ["3-3", "3-3"]]}
    [game] = recordings(rules_in(tmp_path), HEADER, hands, wrong)
    assert game.outcome.verdict is Verdict.ILLEGAL
    assert [step["words"] for step in game.steps] == ["deal"]
    assert game.refused is not None
    assert game.refused["words"] == "put 3-3"
    assert game.refused["facts"]


def test_a_game_with_hidden_tiles_ends_where_the_next_one_begins(tmp_path: Path) -> None:
    first, second = recordings(rules_in(tmp_path), HEADER, HIDDEN, REST[0], HEADER, HIDDEN)
    assert (len(first.steps), len(second.steps)) == (2, 1)


@pytest.mark.process
def test_a_click_on_a_certain_tile_tells_why(browser: Browser, tmp_path: Path) -> None:
    folder = tmp_path / "report"
    folder.mkdir()
    report = Report(folder, ClauseTexts([tmp_path]))
    for recording in recordings(rules_in(tmp_path), HEADER, HIDDEN, REST[0]):
        report.add(recording)
    report.finish()
    browser.open(folder / "index.html", "event-1")
    assert browser.run("document.querySelectorAll('.tile.unknown').length") > 0
    height = int(browser.run(HEIGHT))
    browser.run("document.querySelector('.tile.certain').focus()")
    browser.press("ENTER")
    assert "event 2 (An: put 1-1" in browser.text("#reason")
    browser.paint()
    assert int(browser.run(HEIGHT)) > 0.8 * height  # the table stays
    assert browser.run("document.activeElement.classList.contains('certain')")
    browser.press("ARROW_RIGHT")
    assert browser.run("document.getElementById('reason').hidden") is True
    assert not browser.complaints()
