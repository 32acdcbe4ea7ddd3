"""The playground in a browser, from a text that somebody changes to a game that refutes a property."""

from __future__ import annotations

from tests.pages.browser import Browser
from tests.playground.texts import BEADS, GAME, SPOILT, link

PATIENCE = 300  # seconds in which Python has to start
FRAME = "#place iframe"


def test_a_text_is_changed_a_game_refused_and_a_property_refuted(browser: Browser, playground: str) -> None:
    browser.visit(f"{playground}#{link(text=BEADS, trace=GAME, tab='trace')}")
    browser.until("document.querySelector('#verdicts .good')?.textContent === 'incomplete'", PATIENCE)
    browser.until("document.body.dataset.ready !== undefined", PATIENCE)

    browser.click("#rules .cm-line", 2)
    browser.press("END", "x")
    browser.until("document.querySelector('#marks .error') !== null", PATIENCE)
    assert browser.text("#marks button").startswith("line 3: ")
    assert browser.texts("#rules .cm-lintRange-error")
    browser.press("BACKSPACE")
    browser.until("document.querySelector('#marks .error') === null", PATIENCE)

    browser.visit(f"{playground}#{link(text=BEADS, trace=SPOILT, tab='trace')}")
    browser.until("document.querySelector('#verdicts .error') !== null", PATIENCE)
    assert "it is not An's turn to take a bead" in browser.text("#verdicts")
    assert "broken: beads.take.turn" in browser.text("#verdicts")
    with browser.inside(FRAME):
        assert "it is not An's turn to take a bead" in browser.text("body")

    browser.until("document.body.dataset.ready !== undefined", PATIENCE)
    browser.click("#tab-prove")
    browser.choose("#property", "nobody-wins (never)")
    browser.click("#decide")
    browser.until("document.querySelector('#proofs strong')?.textContent === 'refuted'", PATIENCE)
    browser.until(f"document.querySelector('{FRAME}') !== null", PATIENCE)
    with browser.inside(FRAME):
        assert "take" in browser.text("body")

    browser.click("#tab-compare")
    browser.click("#hold")
    browser.until("document.querySelector('#compared strong') !== null", PATIENCE)
    assert "beads+anyone is wider" in browser.text("#compared")

    browser.click("#tab-play")
    browser.click("#deal")
    browser.until(f"document.querySelector('{FRAME}') !== null", PATIENCE)
    with browser.inside(FRAME):
        browser.wait("main, .table, #table")
    assert browser.complaints() == []


def test_links_that_are_damaged_odd_or_changed_say_so(browser: Browser, playground: str) -> None:
    whole = link(text=BEADS, trace=GAME, tab="trace", seed=7)
    browser.visit(f"{playground}#{whole[: len(whole) // 2]}")
    browser.until(
        "document.querySelector('#notice span').textContent.includes('damaged or cut off')", PATIENCE
    )
    browser.until("document.querySelector('#rules .cm-content').textContent.includes('game ')", PATIENCE)
    browser.until("document.body.dataset.ready !== undefined", PATIENCE)

    browser.run(f"location.hash = {whole!r}")
    browser.until("document.querySelector('#verdicts .good')?.textContent === 'incomplete'", PATIENCE)
    browser.until("document.querySelector('#notice').hidden", PATIENCE)
    browser.until("document.querySelector('#seed').value === '7'", PATIENCE)

    odd = link(text=BEADS, trace=GAME, tab="nowhere", players="many", property="no-such", switches=["none"])
    browser.run(f"location.hash = {odd!r}")
    browser.until(
        "document.querySelector('#notice span').textContent.includes('the property no-such')", PATIENCE
    )
    assert "the variant none" in browser.text("#notice")
    assert "does not understand, and passes over: tab, players." in browser.text("#notice")


def test_answers_are_marked_once_the_rules_have_changed(browser: Browser, playground: str) -> None:
    browser.visit(f"{playground}#example=refuted")
    browser.until("document.querySelector('#proofs strong')?.textContent === 'refuted'", PATIENCE)
    assert browser.run("document.querySelector('#proofs.older')") is None
    browser.click("#rules .cm-line", 2)
    browser.press("END", "x")
    browser.until("document.querySelector('#proofs.older') !== null", PATIENCE)
    assert "before you changed them" in browser.text("#proofs-older")
    browser.press("BACKSPACE")
    browser.until("document.querySelector('#proofs.older') === null", PATIENCE)


def test_a_rule_is_changed_and_compared_with_what_it_was(browser: Browser, playground: str) -> None:
    browser.visit(f"{playground}#example=shed-tiles")
    browser.until("document.body.dataset.ready !== undefined", PATIENCE)
    assert browser.texts("#pages a") == ["Pages", "Tutorial", "The language"]
    assert browser.run("document.querySelector('#no-game').hidden") is True
    browser.click("#tab-compare")
    browser.until("!document.querySelector('#nothing-else').hidden", PATIENCE)
    assert not browser.run("document.querySelector('#hold').checkVisibility()")
    browser.click("#rules .cm-line", 15)  # each player's hand: tiles seen by its owner
    browser.press("END")
    browser.press(*["BACKSPACE"] * len("its owner"), *"everyone")
    browser.until("document.querySelector('#right')?.value === 'the old text'", PATIENCE)
    browser.click("#hold")
    browser.until("document.querySelector('#compared strong') !== null", PATIENCE)
    assert "both allow the same games" in browser.text("#compared")
    assert "each player's hand: tiles seen by everyone" in browser.text("#compared")
    assert browser.complaints() == []


def test_the_keyboard_goes_through_the_text_and_changes_nothing(browser: Browser, playground: str) -> None:
    browser.visit(f"{playground}#{link(text=BEADS, trace=GAME, tab='trace')}")
    browser.until("document.body.dataset.ready !== undefined", PATIENCE)
    browser.run("document.querySelector('#share').focus()")
    text = "document.querySelector('#rules .cm-content').textContent"
    before = browser.run(text)
    browser.press("TAB")
    assert browser.run("document.activeElement.matches('#rules .cm-content')")
    assert "Esc, then Tab" in browser.text("#leaving")
    browser.press("TAB")
    assert not browser.run("document.activeElement.matches('#rules .cm-content')")
    assert browser.run(text) == before
    browser.click("#rules .cm-line", 2)
    browser.press("TAB")
    assert browser.run("document.activeElement.matches('#rules .cm-content')")
    assert browser.run(text) != before
    browser.press("ESCAPE", "TAB")
    assert not browser.run("document.activeElement.matches('#rules .cm-content')")


def test_on_a_phone_what_is_asked_for_comes_into_sight(browser: Browser, playground: str) -> None:
    with browser.sized(390, 844):
        browser.visit(f"{playground}#example=play")
        browser.until(f"document.querySelector('{FRAME}') !== null", PATIENCE)
        browser.until(
            f"document.querySelector('{FRAME}').getBoundingClientRect().top < innerHeight / 2", PATIENCE
        )
        assert browser.run("document.documentElement.scrollWidth <= innerWidth")
