"""Links within rule books: each leads to one element, and opens it if it is folded."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Golpae, cache, golpae, here
from tests.cli.table import PUT
from tests.pages.browser import Browser
from tests.pages.links import links, wrong_links

__all__ = ["cache", "golpae", "here"]

# Whatever a switch can change, and what two of them add under one name.
ADDED = """
  state of the hand
    loud: yes or no = no
  define twins(a, b: tile): a = b
  action shout by p "shout"
    then mover := p
  always nobody-shouts: size of players >= 2
"""
CHANGED = f"""\
include put-more

variant much "everything is changed"
  players 2 to 2
  replace tiles.withdrawn: {{6-6}}
  add deal.full: size of pile > 0 "the pile is empty"
  add end.more: size of table > 0 "the table is empty"
  add payout.much: when winner is not none: for each q in players - winner: q pays winner 1
{ADDED}
variant more "as much"
  drop put.turn
{ADDED}"""
MORE = """\
# How often tiles were put down.
state of the hand
  # since the deal
  count: number = 0
"""


@pytest.fixture
def book(here: Path) -> Path:
    """The folder of a text in which switches change much."""
    text = PUT.replace("  written:", "  withdrawn: {}\n  written:") + CHANGED
    (here / "rules" / "put.golpae").write_text(text, encoding="utf-8")
    (here / "rules" / "put-more.golpae").write_text(MORE, encoding="utf-8")
    return here


def written(golpae: Golpae, game: str) -> str:
    done = golpae("show", game, "--html", "-o", "book.html", "--spec-path", "rules")
    assert (done.status, done.err) == (0, "")
    return Path("book.html").read_text("utf-8")


def test_every_link_leads_to_one_element(golpae: Golpae, book: Path) -> None:
    page = written(golpae, "put")
    changed = {"players", "tiles", "deal-deal", "end-end", "payout-payout", "action-put", "state-hand"}
    assert changed <= links(page)
    assert wrong_links(page) == {}
    assert page.count('id="state-hand"') == 1
    assert page.index('<p class="remarked"># How often tiles were put down.') < page.index(
        '<p class="remarked"># since the deal'
    )


@pytest.mark.parametrize("game", ["hearts", "bridge", "jjak"])
def test_every_link_of_a_game_leads_to_one_element(golpae: Golpae, here: Path, game: str) -> None:
    page = written(golpae, game)
    assert len(links(page)) > 50
    assert wrong_links(page) == {}


@pytest.mark.process
def test_a_link_opens_what_it_leads_to(browser: Browser, golpae: Golpae, book: Path) -> None:
    written(golpae, "put")
    for name in ("deal-deal", "action-put"):
        browser.open(book / "book.html", name)
        assert browser.is_shown(f"#{name} pre")


@pytest.mark.process
@pytest.mark.parametrize("fragment", ["%", "+much%"])
def test_a_malformed_address_stops_nothing(
    browser: Browser, golpae: Golpae, book: Path, fragment: str
) -> None:
    written(golpae, "put")
    browser.open(book / "book.html", fragment)
    browser.click("#switches summary")
    browser.click('[data-switch="more"]')
    assert browser.text("#chosen") == "with more"
    assert not browser.complaints()
