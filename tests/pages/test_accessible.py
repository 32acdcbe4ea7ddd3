"""Pages are accessible: axe-core finds nothing on any kind of page, in light and dark, on desks, tablets and phones."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from golpae.pages.clause_text import ClauseTexts
from golpae.pages.report import Report
from tests.cli.conftest import Golpae, cache, golpae, here
from tests.cli.table import ILLEGAL, PUT, text
from tests.pages.axe import axe, violations
from tests.pages.browser import Browser
from tests.pages.games import recordings
from tests.pages.indexes import large_index

__all__ = ["cache", "golpae", "here"]
pytestmark = pytest.mark.process
SCREENS = [(1280, 800), (768, 1024), (390, 844)]
SOURCES = (
    '\nsource 1 "The rules"\n  R1: "players take turns"\n\nvariant free "anyone may put"\n  drop put.turn\n'
)


def game(golpae: Golpae, here: Path) -> Path:
    """A game that is not legal, with its fault shown."""
    report = Report(here / "out", ClauseTexts([here / "rules"]))
    (here / "out").mkdir()
    for recording in recordings(here / "rules", *ILLEGAL):
        report.add(recording)
    report.finish()
    return here / "out" / "index.html"


def match(golpae: Golpae, here: Path) -> Path:
    golpae("play", "put", "--web", "-o", "match.html", "--seed", "1", "--spec-path", "rules")
    return here / "match.html"


def book(golpae: Golpae, here: Path) -> Path:
    (here / "rules" / "put.golpae").write_text(PUT + SOURCES, encoding="utf-8")
    golpae("show", "put", "--html", "-o", "book.html", "--spec-path", "rules")
    return here / "book.html"


def coverage(golpae: Golpae, here: Path) -> Path:
    (here / "games.jsonl").write_bytes(text(*ILLEGAL).encode())
    golpae("coverage", "games.jsonl", "--html", "coverage.html", "--spec-path", "rules")
    return here / "coverage.html"


def index(golpae: Golpae, here: Path) -> Path:
    return large_index(here)


def test_what_is_not_accessible_is_found(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(
        '<!doctype html><html lang="en"><title>x</title><button></button>', "utf-8"
    )
    browser.open(tmp_path / "page.html")
    assert next(one.partition(":")[0] for one in violations(browser, axe())) == "button-name"


@pytest.mark.parametrize("page", [game, match, book, coverage, index])
def test_a_page_is_accessible(
    browser: Browser, golpae: Golpae, here: Path, page: Callable[[Golpae, Path], Path]
) -> None:
    script, file = axe(), page(golpae, here)
    found = {}
    for width, height in SCREENS:
        for dark in (False, True):
            with browser.sized(width, height, dark):
                browser.open(file)
                if page is book:
                    browser.click("#exact")
                    browser.click("#switches summary")
                found[width, dark] = violations(browser, script)
    assert not {screen: bad for screen, bad in found.items() if bad}
