"""The index of many games: pages of it, what is kept in the address, and what is shown if nothing matches."""

from __future__ import annotations

from pathlib import Path

import pytest

from golpae.pages.index import Row, Tally, index_page
from golpae.trace import Outcome, Verdict
from tests.pages.browser import Browser
from tests.pages.indexes import large_index

SHOWN = "tbody tr:not([hidden]) .name"


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return large_index(tmp_path_factory.mktemp("index"))


def test_a_summary_says_what_went_wrong_most(index: Path) -> None:
    page = index.read_text("utf-8")
    assert "<h2>What went wrong</h2>" in page
    assert "<h1>tables-and-rounds.jsonl</h1>" in page
    assert (
        "703 games: 140 legal, 141 incomplete, 282 illegal, 140 malformed. What went wrong most, in 26 of "
        in page
    )
    assert "<summary>and 3 more</summary>" in page  # clauses


def test_an_index_without_illegal_games_names_none() -> None:
    tally, outcome = Tally(), Outcome("a.jsonl", 1, None, "put", Verdict.LEGAL)
    tally.add(outcome, "")
    page = index_page([Row(1, outcome, ("An",), 4, "", None)], tally)
    assert "1 game: 1 legal." in page
    assert "What went wrong" not in page


@pytest.mark.process
def test_rows_are_shown_page_by_page(browser: Browser, index: Path) -> None:
    browser.open(index)
    assert len(browser.texts(SHOWN)) == 50
    assert browser.text("#window") == "1–50 of 703"
    browser.click("#after")
    assert browser.texts(SHOWN)[0] == "round-51-of-the-spring-tournament"
    browser.click('[data-value="malformed"]')
    assert browser.text("#window") == "1–50 of 140"
    assert browser.text("#shown") == "140 of 703 games"
    assert browser.run("document.documentElement.scrollHeight") < 5000
    assert not browser.complaints()


@pytest.mark.process
def test_what_is_shown_is_there_again_after_a_game(browser: Browser, index: Path) -> None:
    browser.open(index)
    browser.click('[data-value="illegal"]')
    browser.click("th button", 0)
    browser.click("#after")
    assert browser.address().endswith("#verdict=illegal&sort=0&page=2")
    first = browser.texts(SHOWN)
    browser.run("document.querySelector('tbody a').href = 'game-1.html'")
    browser.click(f"{SHOWN} a")
    browser.back()
    assert browser.texts(SHOWN) == first
    assert browser.attributes('[data-value="illegal"]', "aria-pressed") == ["true"]
    browser.open(index, "find=round-70&sort=0-")
    browser.until("document.getElementById('shown').textContent === '5 of 703 games'", 20)
    assert browser.texts(SHOWN) == [f"round-{n}-of-the-spring-tournament" for n in (703, 702, 701, 700, 70)]


@pytest.mark.process
def test_advice_stands_where_nothing_matches(browser: Browser, index: Path) -> None:
    browser.open(index)
    browser.write("#search", "nobody")
    assert browser.text("#none").startswith("No game has all these words.")
    browser.click("#clear")
    assert browser.text("#window") == "1–50 of 703"
    assert not browser.is_shown("#none")


@pytest.mark.process
@pytest.mark.parametrize(("width", "height"), [(1280, 800), (768, 1024), (390, 844)])
def test_nothing_is_cut_off(browser: Browser, index: Path, width: int, height: int) -> None:
    with browser.sized(width, height):
        browser.open(index)
        assert browser.run("document.documentElement.scrollWidth") == width
        cut = "[...document.querySelectorAll('td')].filter((cell) => cell.scrollWidth > cell.clientWidth + 1).length"
        assert browser.run(cut) == 0


@pytest.mark.process
def test_the_head_of_the_table_stays_in_sight(browser: Browser, index: Path) -> None:
    with browser.sized(1280, 800):
        browser.open(index)
        browser.run("window.scrollTo(0, 1500)")
        browser.paint()
        assert browser.run("document.querySelector('th').getBoundingClientRect().top") == 0
