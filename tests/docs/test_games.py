"""The page of each game is made from its rule text, and is current."""

from __future__ import annotations

import pytest

from docs.games import PAGES, games, page


@pytest.mark.parametrize("name", games())
def test_the_page_is_current(name: str) -> None:
    assert (PAGES / f"{name}.md").read_text(encoding="utf-8") == page(name), "run `python docs/games.py`"


def test_every_game_has_its_page() -> None:
    assert {p.stem for p in PAGES.glob("*.md")} == set(games())
