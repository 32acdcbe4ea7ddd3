"""Each kind of page looks as it did, on a desk and on a phone. `pytest --renew tests/pages/test_looks.py` keeps new
looks.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Golpae, cache, golpae, here
from tests.pages.browser import Browser
from tests.pages.kinds import KINDS
from tests.pages.looks import Look, look, read

__all__ = ["cache", "golpae", "here"]
LOOKS = Path(__file__).parent / "looks"
SCREENS = {"desk": (1280, 800), "phone": (390, 844)}


@pytest.mark.process
@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_page_looks_as_it_did(
    browser: Browser, golpae: Golpae, here: Path, renew: bool, kind: str, screen: str
) -> None:
    file, kept = KINDS[kind](golpae, here), LOOKS / f"{kind}-{screen}.pgm"
    with browser.sized(*SCREENS[screen]):
        browser.open(file)
        if kind == "match":
            browser.wait('#play[data-step="1"]')
        now = look(browser)
    if renew:
        kept.write_text(now.written(), encoding="ascii")
    assert read(kept).difference(now) == ""


def test_a_part_that_is_missing_is_noticed() -> None:
    kept = read(LOOKS / "game-desk.pgm")
    blank = tuple(
        245 if column >= 2 * kept.width // 3 and number > len(kept.rows) // 10 else cell
        for number, row in enumerate(kept.rows)
        for column, cell in enumerate(row)
    )
    moved = (*kept.cells[10 * kept.width :], *kept.cells[: 10 * kept.width])
    assert kept.difference(kept) == ""
    assert kept.difference(Look(blank, kept.width)) != ""
    assert kept.difference(Look(moved, kept.width)) != ""
