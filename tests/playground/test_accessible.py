"""The playground is accessible: axe-core finds nothing in any tab, in light and dark, on desks, tablets and phones."""

from __future__ import annotations

import pytest

from tests.pages.axe import axe, violations
from tests.pages.browser import Browser
from tests.playground.texts import BEADS, GAME, link

pytestmark = pytest.mark.process
PATIENCE = 300  # seconds in which Python has to start
SCREENS = [(1280, 800, False), (768, 1024, True), (390, 844, False), (390, 844, True), (1280, 800, True)]


def test_the_playground_is_accessible(browser: Browser, playground: str) -> None:
    script, found = axe(), {}
    browser.visit(f"{playground}#{link(text=BEADS, trace=GAME, tab='trace')}")
    browser.until("document.body.dataset.ready !== undefined", PATIENCE)
    for width, height, dark in SCREENS:
        with browser.sized(width, height, dark):
            for tab in browser.attributes('[role="tab"]', "id"):
                browser.run(f"document.getElementById({tab!r}).click()")
                found[width, dark, tab] = violations(browser, script)
    assert not {screen: bad for screen, bad in found.items() if bad}
