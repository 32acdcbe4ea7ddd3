"""Pages are accessible: axe-core finds nothing on any kind of page, in light and dark, on desks, tablets and phones."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Golpae, cache, golpae, here
from tests.pages.axe import axe, violations
from tests.pages.browser import Browser
from tests.pages.kinds import KINDS

__all__ = ["cache", "golpae", "here"]
pytestmark = pytest.mark.process
SCREENS = [(1280, 800), (768, 1024), (390, 844)]


def test_what_is_not_accessible_is_found(browser: Browser, tmp_path: Path) -> None:
    page = '<!doctype html><html lang="en"><title>x</title><button></button>'
    (tmp_path / "page.html").write_text(page, encoding="utf-8")
    browser.open(tmp_path / "page.html")
    assert next(one.partition(":")[0] for one in violations(browser, axe())) == "button-name"


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_is_accessible(browser: Browser, golpae: Golpae, here: Path, kind: str) -> None:
    script, file = axe(), KINDS[kind](golpae, here)
    found = {}
    for width, height in SCREENS:
        for dark in (False, True):
            with browser.sized(width, height, dark):
                browser.open(file)
                if kind == "book":  # what is folded is looked at, too
                    browser.click("#exact")
                    browser.click("#switches summary")
                found[width, dark] = violations(browser, script)
    assert not {screen: bad for screen, bad in found.items() if bad}
