"""What the page of a recorded game shows: games that play themselves, lit and turned tiles, scores."""

from __future__ import annotations

from pathlib import Path

import pytest

from golpae.cli.main import main
from golpae.pages.clause_text import ClauseTexts
from golpae.pages.report import Report
from tests.cli.table import ILLEGAL, LEGAL
from tests.pages.browser import Browser
from tests.pages.games import lines_of, recordings, rules_in

pytestmark = pytest.mark.process


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A legal game, and one that is not."""
    folder = tmp_path_factory.mktemp("report")
    report = Report(folder, ClauseTexts([folder]))
    for recording in recordings(rules_in(folder), *LEGAL, *ILLEGAL):
        report.add(recording)
    report.finish()
    return folder


def recorded(folder: Path, file: str, number: int) -> Path:
    """Write the page of a recorded game."""
    (folder / "game.jsonl").write_text("\n".join(lines_of(file, number)) + "\n", encoding="utf-8")
    main(["report", str(folder / "game.jsonl"), "-o", str(folder / "out")])
    return folder / "out" / "index.html"


def test_a_game_plays_itself_to_its_end_and_can_be_stopped(browser: Browser, pages: Path) -> None:
    browser.open(pages / "game-1.html")
    browser.choose("#speed", browser.texts("#speed option")[-1])
    browser.press("HOME")
    browser.click("#auto")
    assert browser.labels("#auto") == ["stop"]
    browser.until("document.getElementById('now').textContent.startsWith('5.')", 20)
    browser.until("document.getElementById('auto').getAttribute('aria-pressed') === 'false'", 20)
    browser.press("p")  # from the beginning again
    browser.until("document.getElementById('now').textContent.startsWith('1.')", 20)
    browser.press("p")
    shown = browser.text("#now")
    assert browser.attributes("#auto", "aria-pressed") == ["false"]
    browser.paint()
    assert browser.text("#now") == shown


def test_the_tiles_of_an_event_are_lit(browser: Browser, pages: Path) -> None:
    browser.open(pages / "game-1.html", "event-2")
    assert browser.attributes("#table .tile.about", "data-tile") == ["1-1"]
    browser.press("ARROW_RIGHT")
    assert len(browser.attributes("#table .tile.about", "data-tile")) == 1


def test_the_tiles_of_a_fault_are_red(browser: Browser, pages: Path) -> None:
    browser.open(pages / "game-2.html")
    [fault] = browser.attributes("#table .tile.faulty", "data-tile")
    assert fault in browser.text("#now")
    assert browser.run("document.querySelectorAll('#table .tile.about').length") == 0


def test_a_tile_that_was_taken_lies_turned_on_the_side_of_its_giver(browser: Browser, tmp_path: Path) -> None:
    browser.open(recorded(tmp_path, "korean-mahjong/calls", 0))
    browser.press("END")
    taken = browser.attributes("#table .meld .tile.turned", "title")
    assert taken
    assert all(", from " in title for title in taken)
    place = "(tile) => [...tile.parentNode.children].indexOf(tile)"
    places = browser.run(f"[...document.querySelectorAll('#table .meld .tile.turned')].map({place})")
    assert set(places) <= {0, 1, 2, 3}


def test_a_trick_is_shown_whole_until_the_next_event(browser: Browser, tmp_path: Path) -> None:
    browser.open(recorded(tmp_path, "whist/base", 0), "event-5")
    assert not browser.attributes("#table .taken", "data-zone")
    browser.press("ARROW_RIGHT")
    assert sorted(browser.attributes("#table .taken .tile", "data-tile")) == ["10H", "9D", "9H", "JH"]
    assert browser.attributes("#table .takes .tile", "data-tile") == ["JH"]
    assert all(", taken by " in title for title in browser.attributes("#table .taken .tile", "title"))
    browser.press("ARROW_RIGHT")
    assert not browser.attributes("#table .taken", "data-zone")
    assert not browser.complaints()


def test_scores_are_told_hand_by_hand(browser: Browser, tmp_path: Path) -> None:
    browser.open(recorded(tmp_path, "korean-mahjong/match", 1))
    browser.click("#tab-totals")
    names = browser.texts("#totals thead th")[1:]
    assert len(names) == 4
    totals = [int(words.replace("−", "-")) for words in browser.texts("#totals tbody b")]
    hands = [totals[at : at + 4] for at in range(0, len(totals), 4)]
    assert len(hands) == 3
    assert all(sum(hand) == 0 for hand in hands)
    browser.click("#totals tbody button", 1)
    assert browser.text("#now").split(".")[0] == browser.texts("#totals tbody button")[1]
