"""Tiles on the table are chosen: by a click, by the ends of a line, by dragging, by numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

from golpae.cli.main import main
from golpae.kernel.language.host import available
from tests.pages.browser import Browser

pytestmark = [pytest.mark.process, pytest.mark.skipif(not available(), reason="modules do not run here")]
OWN = '[data-seat="0"] .as-hand .tile.can'
END = ".as-line .tile.can"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match of tiles in a line, played by one person and by chance."""
    file = tmp_path_factory.mktemp("match") / "game.html"
    call = ["play", "block-dominoes", "--web", "-o", str(file), "--seed", "3", "--policy", "person,random"]
    assert main(call) == 0
    return file


def count(browser: Browser, selector: str) -> int:
    return int(browser.run(f"document.querySelectorAll({selector!r}).length"))


def asked(browser: Browser) -> None:
    """Wait until the person is asked."""
    browser.wait("#tries button[data-key], #over:not([hidden])")
    browser.paint()


def test_a_tile_that_fits_at_both_ends_asks_for_the_end(browser: Browser, page: Path) -> None:
    browser.open(page)
    for _ in range(12):
        asked(browser)
        if count(browser, "#over:not([hidden])"):
            break
        if not count(browser, OWN):
            browser.press("1")
            continue
        before = count(browser, "#events li")
        browser.click(OWN)
        browser.paint()
        if count(browser, ".tile.picked"):
            assert browser.text("#play-title") == "An, and then?"
            assert count(browser, "#events li") == before
            browser.press("ESCAPE")
            assert not count(browser, ".tile.picked")
            browser.click(OWN)
            if count(browser, END):
                browser.click(END)
                browser.paint()
            if count(browser, ".tile.picked"):  # a line of one tile, whose ends are the same, or of none
                browser.press("1")
                browser.paint()
        assert count(browser, "#events li") > before
    assert not browser.complaints()


@pytest.fixture(scope="module")
def passing(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match in which three cards of thirteen are passed: 286 choices."""
    file = tmp_path_factory.mktemp("passing") / "game.html"
    assert main(["play", "hearts", "--web", "-o", str(file), "--seed", "3"]) == 0
    return file


def test_several_tiles_are_chosen_one_by_one(browser: Browser, passing: Path) -> None:
    browser.open(passing)
    asked(browser)
    before = count(browser, "#events li")
    assert count(browser, OWN) == 13
    browser.click(OWN)
    assert browser.text("#play-title") == "An, and then? 1 of 3"
    browser.click(OWN, 3)
    assert browser.text("#play-title") == "An, and then? 2 of 3"
    assert count(browser, "#tries .options button") == 11
    browser.click(".tile.picked")  # it is given back
    assert browser.text("#play-title") == "An, and then? 1 of 3"
    browser.click("#undo")
    assert browser.text("#play-title") == "An, what do you do?"
    for _ in range(3):
        assert count(browser, "#events li") == before
        browser.click(OWN)
    assert count(browser, "#events li") > before
    assert not browser.complaints()


def test_several_tiles_are_chosen_by_the_keyboard(browser: Browser, passing: Path) -> None:
    browser.open(passing)
    asked(browser)
    before = count(browser, "#events li")
    browser.press("1", "2", "1")
    assert browser.text("#play-title") == "An, and then? 2 of 3"
    browser.press("BACKSPACE")
    assert browser.text("#play-title") == "An, and then? 1 of 3"
    browser.run(f"document.querySelectorAll({OWN!r})[5].focus()")
    browser.press("ENTER")
    assert browser.run("document.activeElement.classList.contains('picked')")  # one goes on from there
    browser.press("TAB", "ENTER")
    assert count(browser, "#events li") > before
    assert not browser.complaints()


def test_a_tile_is_dragged_to_the_table(browser: Browser, page: Path) -> None:
    browser.open(page)
    asked(browser)
    browser.drag(OWN, "#table .middle")
    browser.paint()
    assert count(browser, "#events li") > 2 or browser.text("#play-title") == "An, and then?"
    assert not browser.complaints()


def test_the_end_of_a_hand_says_who_won_and_can_be_taken_back(browser: Browser, page: Path) -> None:
    browser.open(page)
    for _ in range(40):
        asked(browser)
        if count(browser, "#over:not([hidden])"):
            break
        browser.press("1")
        browser.paint()
    assert browser.text("#over h2").endswith(" wins")
    assert browser.texts("#over thead th") == ["An", "Bo"]
    assert browser.texts("#over tbody th") == ["this hand", "total"]
    browser.press("u")
    browser.paint()
    assert not count(browser, "#over:not([hidden])")
    assert not browser.complaints()


def offered(browser: Browser) -> list[str]:
    """Return the places in which something can be chosen."""
    places = "[...document.querySelectorAll('#table .can')].map((one) => one.closest('.zone').dataset.zone)"
    return sorted(set(browser.run(places)))


def test_only_what_a_choice_is_about_can_be_clicked(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "game.html"
    assert main(["play", "jjak", "--web", "-o", str(file), "--seed", "4", "--policy", "person,random"]) == 0
    browser.open(file)
    seen = set()
    for _ in range(8):
        asked(browser)
        [*words] = browser.texts("#tries button[data-key], #tries h3")
        if words[0].startswith("draw"):  # the only choice: the pile can be clicked, too
            assert offered(browser) == ["zone/reserve"]
            seen.add("draw")
            browser.click("#table .can")
        else:
            if words[0].startswith("discard"):  # the discards are where each tile would go
                assert offered(browser) == ["zone/hand/0"]
                seen.add("discard")
            browser.press("1")
        browser.paint()
    assert seen == {"draw", "discard"}
    assert not browser.complaints()


def test_a_key_that_changes_nothing_is_not_asked_for(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "game.html"
    assert main(["play", "ho-hpai", "--web", "-o", str(file), "--seed", "4"]) == 0
    browser.open(file)
    asked(browser)
    tiles = count(browser, OWN)
    browser.press("1")
    browser.paint()
    assert count(browser, "#tries .options button") == tiles == 6  # one for each tile, whichever end is named
    assert not browser.complaints()
