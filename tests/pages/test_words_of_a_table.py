"""What a table and its events say in a browser, where a player would be misled: empty piles, hands without winners,
tiles that are passed unseen, names at the sides of a phone, and the hint.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Golpae, cache, golpae, here
from tests.pages.browser import Browser

__all__ = ["cache", "golpae", "here"]
pytestmark = pytest.mark.process
CUT = """[...document.querySelectorAll('#table .plate .name')]
  .filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent)"""
BESIDE = """[...document.querySelectorAll('#table .plate')].every((plate) => {
  const [dot, name] = ['.dot', '.name'].map((part) => plate.querySelector(part).getBoundingClientRect());
  return name.top < dot.bottom && dot.right <= name.left + 1;
})"""


def test_a_match_of_hearts_says_what_a_player_expects(browser: Browser, golpae: Golpae, here: Path) -> None:
    golpae("play", "hearts", "--web", "-o", "match.html", "--seed", "2")
    with browser.sized(390, 844):
        browser.open(here / "match.html")
        browser.wait('#play[data-step="1"]')
        assert browser.run(CUT) == []
        assert browser.run(BESIDE)
        assert browser.run("document.querySelectorAll('#table .stack .tile').length") == 0
        assert browser.run("document.querySelectorAll('#table .stack.none').length") == 1
        browser.press("1")
        for _ in range(3):  # three cards, one by one
            browser.press("1")
        browser.until("document.getElementById('events').textContent.includes('passes 3 tiles')", 30)
        assert "a tile, a tile" not in browser.text("#events")
    assert not browser.complaints()


def test_a_hand_that_nobody_can_win_is_over(browser: Browser, golpae: Golpae, here: Path) -> None:
    golpae("simulate", "whist", "--games", "1", "--seed", "1", "--traces", "games.jsonl")
    golpae("report", "games.jsonl", "-o", "pages")
    browser.open(here / "pages" / "index.html")
    events = browser.run("document.getElementById('events').textContent")
    assert "the hand is over" in events
    assert "nobody wins" not in events


def test_a_number_does_not_show_the_tiles_of_the_next_player(
    browser: Browser, golpae: Golpae, here: Path
) -> None:
    people = ("--policy", "person,person")
    golpae("play", "jjak", "--web", "-o", "match.html", "--seed", "2", *people)
    browser.open(here / "match.html")
    browser.until("document.getElementById('play-title').textContent.includes('nobody else looks')", 30)
    assert browser.attributes("#tries button", "data-key") == ["None"]
    browser.press("1")
    open_tiles = "document.querySelectorAll('#table .as-hand:not(.down) .tile').length"
    assert browser.run(open_tiles) == 0
    browser.run("document.querySelector('#tries button').focus()")
    browser.press("ENTER")
    browser.until(f"{open_tiles} === 6", 10)
    assert browser.attributes("#tries button", "data-key")[0] == "1"
