"""The page of each game is made from its rule text, and is current."""

from __future__ import annotations

import re

import pytest

from docs.games import OF_ANY, PAGES, games, page, refuted
from docs.pages import TOP
from docs.reasons import REASONS
from golpae.decide.asked import OF_ANY_GAME
from golpae.elaborate.load import load


@pytest.mark.parametrize("name", games())
def test_the_page_is_current(name: str) -> None:
    assert (PAGES / f"{name}.md").read_text(encoding="utf-8") == page(name), "run `python docs/games.py`"


def test_every_game_has_its_page() -> None:
    assert {p.stem for p in PAGES.glob("*.md")} == set(games())


def test_whatever_is_expected_to_be_refuted_has_its_reason() -> None:
    expected = {f"{rules} {name}" for game in games() for rules, name in refuted(game, load(game))}
    assert expected == set(REASONS), "tell it in docs/reasons.py"


@pytest.mark.parametrize("name", games())
def test_every_property_is_listed(name: str) -> None:
    claims = page(name).partition("## Claims")[2]
    text = (TOP / "spec" / f"{name}.golpae").read_text("utf-8")
    found = re.findall(
        r"^ *(?:theorem|always|never|reachable|ends|claim) ([a-z-]+)[^:\"]*: ", text, re.MULTILINE
    )
    assert found
    assert [p for p in found if f"| `{p}` |" not in claims] == []


def test_what_is_asked_of_any_game_is_listed() -> None:
    assert set(OF_ANY) == {asked.name for asked in OF_ANY_GAME}
