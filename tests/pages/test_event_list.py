"""The list of events follows the game: the current event is in its visible part."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import pytest

from golpae.kernel.language.host import available
from golpae.pages.clause_text import ClauseTexts
from golpae.pages.report import Report
from tests.cli.conftest import Golpae, cache, golpae, here
from tests.cli.table import EVENTS, HEADER, PUT, with_header
from tests.pages.browser import Browser
from tests.pages.games import recordings, rules_in

__all__ = ["cache", "golpae", "here"]
pytestmark = pytest.mark.process
HANDS = 60
LONG = "a name that needs two lines of the list, wherever it stands in it"
OUT_OF_TURN = {"do": "put", "by": 1, "tile": "3-3"}
# The current event lies between the edges of the list, which has more events than it shows.
IN_SIGHT = """(() => {
  const list = document.getElementById("events");
  const [shown, event] = [list, list.querySelector('[aria-current="step"]')].map((e) => e.getBoundingClientRect());
  const inside = event.height > 0 && shown.top <= event.top + 1 && event.bottom <= shown.bottom + 1;
  return list.scrollHeight > 2 * list.clientHeight ? inside : "everything is in sight";
})()"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report of two long games: one is legal, the last event of the other is not."""
    folder = tmp_path_factory.mktemp("report")
    report = Report(folder, ClauseTexts([folder]))
    hands = EVENTS * HANDS
    games = ((HEADER, *hands), with_header((HEADER, *hands, EVENTS[0], OUT_OF_TURN), players=[LONG, "Bo"]))
    for recording in recordings(rules_in(folder), *(line for game in games for line in game)):
        report.add(recording)
    report.finish()
    return folder


def in_sight(browser: Browser) -> object:
    """Return whether the current event is in sight, now and after the browser has painted the list."""
    now = browser.run(IN_SIGHT)
    browser.paint()
    return now and browser.run(IN_SIGHT)


@contextmanager
def sized(browser: Browser, size: str) -> Iterator[None]:
    with browser.phone() if size == "phone" else nullcontext():
        yield


@pytest.mark.parametrize("size", ["desk", "phone"])
def test_the_list_shows_the_current_event_of_a_report(browser: Browser, pages: Path, size: str) -> None:
    with sized(browser, size):
        for step in (1, 150, 299, 300, 151, 2):
            browser.open(pages / "game-1.html", f"event-{step}")
            assert (browser.run("document.getElementById('slider').value"), in_sight(browser)) == (
                str(step),
                True,
            )
        for key in ("END", "PAGE_UP", "PAGE_UP", "HOME", *["PAGE_DOWN"] * 25, *["ARROW_LEFT"] * 3):
            browser.press(key)
            assert in_sight(browser) is True, key
    assert not browser.complaints()


@pytest.mark.parametrize("size", ["desk", "phone"])
def test_the_list_shows_the_fault_of_a_report(browser: Browser, pages: Path, size: str) -> None:
    with sized(browser, size):
        browser.open(pages / "game-2.html")
        assert browser.text("#now").startswith(f"{5 * HANDS + 2}. Bo: put 3-3 (refused)")
        assert in_sight(browser) is True
        browser.press("HOME")
        assert in_sight(browser) is True
        browser.press("f")
        assert in_sight(browser) is True
    assert not browser.complaints()


@pytest.mark.skipif(not available(), reason="modules do not run here")
def test_the_list_shows_the_newest_event_of_a_match(browser: Browser, golpae: Golpae, here: Path) -> None:
    kinds = " ".join(f"{high}-{low}" for high in range(1, 6) for low in range(1, high + 1))
    text = PUT.replace("dealt: 1 to 3, normally 2", "dealt: 1 to 60, normally 60").replace("2 to 3", "2 to 2")
    text = text.replace("tiles 12 of 6 kinds", "tiles 120 of 15 kinds")
    text = text.replace("two of each 1-1 2-2 3-3 4-4 5-5 6-6", f"8 of each {kinds}")
    (here / "rules" / "put.golpae").write_text(text, encoding="utf-8")
    golpae("play", "put", "--web", "-o", "game.html", "--seed", "1", "--spec-path", "rules")
    browser.open(here / "game.html")
    for step in range(1, 81, 2):
        browser.wait(f'#play[data-step="{step}"]')
        assert in_sight(browser) in ((True,) if step > 60 else (True, "everything is in sight")), step
        browser.click(".tile.can")
    for key in ("HOME", "END"):
        browser.press(key)
        assert in_sight(browser) is True
    assert not browser.complaints()
