"""Pages in a browser: stepping, what is shown, the fault, filters."""

from __future__ import annotations

from pathlib import Path

import pytest

from golpae.pages.clause_text import ClauseTexts
from golpae.pages.report import Report
from tests.cli.table import ILLEGAL, LEGAL, PUT, with_header
from tests.pages.browser import Browser
from tests.pages.games import recordings, rules_in

pytestmark = pytest.mark.process
MARKUP = "<b>An</b></script>\u202e"


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report of two games, one of them illegal."""
    folder = tmp_path_factory.mktemp("report")
    report = Report(folder, ClauseTexts([folder]))
    illegal = with_header(ILLEGAL, players=[MARKUP, "Bo"], id="second")
    for recording in recordings(rules_in(folder), *with_header(LEGAL, id="first"), *illegal):
        report.add(recording)
    report.finish()
    return folder


def tiles(browser: Browser, zone: str) -> list[str]:
    """Return the tiles of the zones with this name, as a screen reader says them."""
    return browser.attributes(f'.zone[aria-label^="{zone}:"] .tile', "aria-label")


def test_a_game_is_stepped_by_keys_and_by_its_list(browser: Browser, pages: Path) -> None:
    browser.open(pages / "game-1.html")
    assert browser.text("#now") == "1. deal"
    browser.press("ARROW_RIGHT")
    assert browser.text("#now") == "2. An: put 1-1"
    assert tiles(browser, "table") == ["1-1, moved"]
    assert tiles(browser, "hand") == ["2-2", "3-3", "4-4"]
    assert browser.attributes(".seat.acts", "aria-label") == ["Bo"]
    browser.click('[data-step="5"]')
    assert browser.text("#now") == "5. An wins: An +1, Bo −1"
    browser.press("HOME")
    assert browser.text("#now") == "Before the first event"
    assert not browser.complaints()


def test_hidden_tiles_are_shown_where_somebody_asks(browser: Browser, pages: Path) -> None:
    browser.open(pages / "game-1.html")
    down = {}
    for name in ("hands open", "everything open", "what everybody sees", "what Bo sees"):
        browser.choose("#view", name)
        piles = browser.labels('.zone[aria-label^="pile:"]')
        down[name] = ["face down" in words for words in tiles(browser, "hand") + piles]
    assert down == {
        "hands open": [False, False, False, False, True],
        "everything open": [False] * 5,
        "what everybody sees": [True] * 5,
        "what Bo sees": [False, False, True, True, True],
    }
    browser.choose("#view", "everything open")
    left = ["1-1", "2-2", "3-3", "4-4", "5-5", "5-5", "6-6", "6-6"]  # the step says only which tiles went
    assert [words.removesuffix(", moved") for words in tiles(browser, "pile")] == left


TAKE = """
action take(tile) by p "take a tile"
  turn: p = mover "it is not {p}'s turn"
  there: tile in pile "{tile} is not there"
  then move tile from pile to p's hand
  then taken := tile
"""


def test_a_tile_that_is_taken_unseen_is_named_to_its_owner_alone(browser: Browser, tmp_path: Path) -> None:
    source = PUT.replace("  mover: seat\n", "  mover: seat\n  taken: tile or none = none\n")
    source = source.replace("\nend\n", f"{TAKE}\nend\n")
    events = [{"do": "take", "by": 0, "tile": "1-1"}, {"do": "put", "by": 0, "tile": "2-2"}]
    report = Report(tmp_path, ClauseTexts([tmp_path]))
    for recording in recordings(rules_in(tmp_path, source), *LEGAL[:2], *events):
        report.add(recording)
    report.finish()
    browser.open(tmp_path / "index.html")
    browser.press("END")
    found = {}
    for name in ("hands open", "what An sees", "what Bo sees"):
        browser.choose("#view", name)
        found[name] = (browser.texts("#events .words")[2:], browser.attributes(".states .tile", "aria-label"))
    assert found["hands open"] == found["what An sees"] == (["An: take 1-1", "An: put 2-2"], ["1-1"])
    assert found["what Bo sees"] == (["An: take a tile", "An: put 2-2"], ["a tile, face down"])
    browser.click('[data-step="2"]')  # the last tile is marked, wherever the new one lies in the hand
    moved = ["moved" in tile for tile in tiles(browser, "hand")[2:]]
    assert moved == [False, False, True]
    assert not browser.complaints()


def test_a_hand_lies_open_from_a_moment_on(browser: Browser, tmp_path: Path) -> None:
    source = PUT.replace("seen by its owner", "seen by its owner, by everyone when it /= mover")
    report = Report(tmp_path, ClauseTexts([tmp_path]))
    for recording in recordings(rules_in(tmp_path, source), *LEGAL[:3]):
        report.add(recording)
    report.finish()
    browser.open(tmp_path / "index.html")
    browser.choose("#view", "what everybody sees")
    assert ["face down" in words for words in tiles(browser, "hand")] == [True, True, False, False]
    browser.click('[data-step="2"]')
    assert ["face down" in words for words in tiles(browser, "hand")] == [False, True, True]
    assert not browser.complaints()


def test_a_page_opens_at_the_fault_and_escapes_names(browser: Browser, pages: Path) -> None:
    browser.open(pages / "game-2.html")
    assert "it is not Bo's turn" in browser.text("#fault")
    assert "p = mover" not in browser.text("#fault")
    browser.click("#fault summary")
    fault = browser.text("#fault")
    assert "p = mover" in fault
    assert "mover: <b>An</b></script>" in fault
    assert "<b>An</b></script>: put 1-1 | 2-2" in fault
    browser.press("ARROW_LEFT")
    assert not browser.is_shown("#fault")
    browser.press("f")
    assert browser.is_shown("#fault")
    assert not browser.complaints()


def test_the_index_filters_searches_and_sorts(browser: Browser, pages: Path) -> None:
    browser.open(pages / "index.html")

    def shown() -> list[str]:
        return browser.texts("tbody tr:not([hidden]) .name")

    assert shown() == ["first", "second"]
    browser.click('[data-value="put.put.turn"]')
    assert shown() == ["second"]
    browser.click("#all")
    browser.write("#search", "fir")
    assert shown() == ["first"]
    browser.write("#search", " ")
    browser.click("th button", 4)
    assert shown() == ["second", "first"]
    with browser.phone():  # which shows rows as cards, and the headings as buttons above them
        browser.click("th button", 4)
        assert shown() == ["first", "second"]
        assert browser.run("document.documentElement.scrollWidth") == 390
        browser.click("th button", 4)
    browser.click("tbody a")
    assert "it is not Bo's turn" in browser.text("#fault")
    assert not browser.complaints()


def test_the_way_back_to_the_index_opens_it_as_it_was(browser: Browser, pages: Path) -> None:
    browser.open(pages / "index.html")
    browser.click('[data-value="illegal"]')
    browser.click("tbody tr:not([hidden]) a")
    browser.click(".ways a")
    assert browser.address().endswith("index.html#verdict=illegal")
    assert browser.texts("tbody tr:not([hidden]) .name") == ["second"]
