"""Pages are accessible: axe-core finds nothing on any kind of page, in light and dark, on desks, tablets and phones."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Golpae, cache, golpae, here
from tests.pages.axe import axe, violations
from tests.pages.browser import Browser
from tests.pages.kinds import FURTHER, KINDS

__all__ = ["cache", "golpae", "here"]
pytestmark = pytest.mark.process
OPENED = {  # what is clicked before a page is looked at
    "book": ["#exact", "#switches summary"],
    "hidden": [".tile.certain"],
    "people": ["#tries button"],
    "choosing": [".as-hand .tile.can", ".as-hand .tile.can"],
}
SCREENS = [(1280, 800), (768, 1024), (390, 844)]


def test_what_is_not_accessible_is_found(browser: Browser, tmp_path: Path) -> None:
    page = '<!doctype html><html lang="en"><title>x</title><button></button>'
    (tmp_path / "page.html").write_text(page, encoding="utf-8")
    browser.open(tmp_path / "page.html")
    assert next(one.partition(":")[0] for one in violations(browser, axe())) == "button-name"


@pytest.mark.parametrize("kind", [*KINDS, *FURTHER])
def test_a_page_is_accessible(browser: Browser, golpae: Golpae, here: Path, kind: str) -> None:
    script, file = axe(), {**KINDS, **FURTHER}[kind](golpae, here)
    found = {}
    for width, height in SCREENS:
        for dark in (False, True):
            with browser.sized(width, height, dark):
                browser.open(file, "event-1" if kind == "hidden" else "")
                for selector in OPENED.get(kind, ()):
                    browser.wait(selector)
                    browser.run(f"document.querySelector({selector!r}).click()")
                found[width, dark] = violations(browser, script)
    assert not {screen: bad for screen, bad in found.items() if bad}


@pytest.mark.parametrize("kind", ["game", "match"])
def test_each_tab_of_a_page_is_accessible(browser: Browser, golpae: Golpae, here: Path, kind: str) -> None:
    script, file = axe(), KINDS[kind](golpae, here)
    found = {}
    for (width, height), dark in zip(SCREENS, (True, False, True), strict=True):
        with browser.sized(width, height, dark):
            browser.open(file)
            for tab in browser.attributes('[role="tab"]:not([hidden])', "id"):
                browser.click(f"#{tab}")
                found[width, tab] = violations(browser, script)
    assert len(found) >= 12
    assert not {screen: bad for screen, bad in found.items() if bad}
