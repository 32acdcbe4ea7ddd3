"""What a table and its events say in a browser, where a player would be misled: empty piles, hands without winners,
tiles that are passed unseen, names at the sides of a phone, and the hint.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Golpae, cache, golpae, here
from tests.pages.browser import Browser
from tests.pages.games import lines_of

__all__ = ["cache", "golpae", "here"]
pytestmark = pytest.mark.process
CUT = """[...document.querySelectorAll('#table .plate .name')]
  .filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent)"""
CHIPS = "[...document.querySelectorAll('#table .chip')].map((one) => one.textContent)"
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


def test_a_bid_of_nothing_is_a_bid(browser: Browser, golpae: Golpae, here: Path) -> None:
    lines = lines_of("spades/house", 0)
    assert '"do":"bid","by":1,"tricks":0' in lines[3]
    (here / "game.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    golpae("report", "game.jsonl", "-o", "pages")
    browser.open(here / "pages" / "index.html", "event-2")
    assert "bid: 4" in browser.run(CHIPS)
    assert "bid: 0" not in browser.run(CHIPS)
    browser.open(here / "pages" / "index.html", "event-3")
    assert "bid: 0" in browser.run(CHIPS)


def test_the_strain_of_a_contract_is_on_the_table(browser: Browser, golpae: Golpae, here: Path) -> None:
    (here / "game.jsonl").write_text("\n".join(lines_of("bridge/mutants", 0)) + "\n", encoding="utf-8")
    golpae("report", "game.jsonl", "-o", "pages")
    browser.open(here / "pages" / "index.html", "event-1")
    assert not [words for words in browser.run(CHIPS) if words.startswith("1 ")]
    browser.open(here / "pages" / "index.html", "event-2")
    assert "1 clubs" in browser.run(CHIPS)  # the title tells several states, and not what is as at first


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


MACHINE = r"""(() => {
  const found = [];
  const named = /`|\b[a-z]+_[a-z]+|(?<![\w'/.-])[a-z]+(?:-[a-z]+)+(?![\w-])/;
  const walk = document.createTreeWalker(document.querySelector('.side'), NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const own = walk.currentNode.parentElement;
    const folded = own.closest('details.more, details.authors, #wishes details');
    const words = walk.currentNode.textContent;
    if (own.checkVisibility() && !folded && named.test(words)) found.push(words);
  }
  return found;
})()"""


def test_the_steps_of_a_choice_and_the_states_are_called_by_words(
    browser: Browser, golpae: Golpae, here: Path
) -> None:
    """A match of gin rummy whose cards, melds and stages have names of their own in the text."""
    golpae("play", "gin-rummy", "--web", "-o", "match.html", "--seed", "3", "--policy", "person,greedy")
    browser.open(here / "match.html")
    for _ in range(30):
        browser.wait("#tries button[data-key], #over:not([hidden])")
        browser.paint()
        assert browser.run(MACHINE) == []
        browser.press("1")
    browser.run("document.getElementById('tab-states').click()")
    browser.paint()
    assert browser.run("[...document.querySelectorAll('#states > dl dt')].map((one) => one.textContent)") == [
        "dealer",
        "hands won",
        "has knocked",
        "gin",
    ]
    assert "first offer" not in browser.text("#states")
    browser.click("#states summary")
    assert "stage" in browser.texts("#states details dt")
