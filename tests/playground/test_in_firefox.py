"""The playground in Firefox, which runs other WebAssembly, other modules and other frames than Chromium."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pages.firefox import firefox, found
from tests.playground.texts import BEADS, GAME, SPOILT, link

PATIENCE = 300  # seconds in which Python has to start
FRAME = "#place iframe"
PROGRAM = found()
pytestmark = pytest.mark.skipif(PROGRAM is None, reason="there is no Firefox")


def test_a_game_is_refused_a_rule_compared_and_a_match_played(playground: str, tmp_path: Path) -> None:
    assert PROGRAM is not None
    with firefox(PROGRAM, tmp_path) as browser:
        browser.visit(f"{playground}#{link(text=BEADS, trace=SPOILT, tab='trace')}")
        browser.until("document.querySelector('#verdicts .error') !== null", PATIENCE)
        assert "it is not An's turn to take a bead" in browser.run(
            "document.querySelector('#verdicts').innerText"
        )
        browser.until("document.body.dataset.ready !== undefined", PATIENCE)

        browser.visit(f"{playground}#{link(text=BEADS, trace=GAME, tab='trace')}")
        browser.until("document.body.dataset.ready !== undefined", PATIENCE)
        text = "document.querySelector('#rules .cm-content').textContent"
        before = browser.run(text)
        browser.run("document.querySelector('#share').focus()")
        browser.press("TAB", "TAB")
        assert browser.run(f"document.activeElement.id === 'tab-trace' && {text}") == before

        browser.click("#tab-prove")
        browser.run("(document.querySelector('#property').value = 'nobody-wins')")
        browser.click("#decide")
        browser.until("document.querySelector('#proofs strong')?.textContent === 'refuted'", PATIENCE)

        browser.click("#tab-compare")
        browser.click("#hold")
        browser.until("document.querySelector('#compared strong') !== null", PATIENCE)
        assert "beads+anyone is wider" in browser.run("document.querySelector('#compared').innerText")

        browser.click("#tab-play")
        browser.click("#deal")
        browser.until(f"document.querySelector('{FRAME}') !== null", PATIENCE)
        with browser.inside(FRAME):
            browser.until("document.querySelector('#play[data-step]') !== null", PATIENCE)
