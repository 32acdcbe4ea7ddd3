"""`golpae coverage --html`: the page beside the text, which any browser shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.conftest import Golpae, cache, golpae, here
from tests.coverage.picks import MISFIT, PICKS, WON, folder, traces
from tests.pages.browser import Browser

__all__ = ["cache", "golpae", "here"]
HERE = ("--spec-path", "rules")
MARKUP = "<img src=x onerror=alert(1)></script><b>&amp;"


@pytest.fixture
def page(golpae: Golpae, here: Path) -> Path:
    """The page of two games of a text with markup in its words."""
    text = folder(here / "rules") / "picks.golpae"
    text.write_text(PICKS.replace("it is not {p}'s turn", MARKUP).replace("whoever is to move", MARKUP))
    name = f"{MARKUP.replace('/', '')}.jsonl"
    (here / name).write_bytes(traces(("picks", WON), ("picks", MISFIT)))
    assert golpae("coverage", name, "--html", "page.html", *HERE).status == 0
    return here / "page.html"


def test_every_line_of_the_text_is_there_with_what_came_of_it(page: Path) -> None:
    shown = page.read_text("utf-8")
    assert re.findall(r'<span class="at">(\d+)</span>', shown) == [
        str(number) for number in range(1, len(PICKS.splitlines()) + 1)
    ]
    line = re.search(
        r'<details class="line (\w+)" id="L\d+"[^>]*>(?:(?!</details>).)*put\.turn</code>.*?</details>', shown
    )
    assert line is not None
    assert line[1] == "part"
    assert 'held <b>2</b></span> <span class="mark lacks">never refused an event' in line[0]
    assert "held in 2 games (5 events), for example" in line[0]


def test_nothing_of_a_text_or_a_trace_is_markup(page: Path) -> None:
    shown = page.read_text("utf-8")
    assert "<img" not in shown
    assert shown.count("&lt;img src=x onerror=alert(1)&gt;") >= 3
    assert "http" not in re.sub(r"http-equiv", "", shown)


def test_several_games_have_an_index(golpae: Golpae, here: Path) -> None:
    text = folder(here / "rules") / "picks.golpae"
    (here / "rules" / "other.golpae").write_text(text.read_text().replace("game picks", "game other"))
    (here / "games.jsonl").write_bytes(traces(("picks", WON), ("other", MISFIT)))
    assert golpae("coverage", "games.jsonl", "--html", "out", *HERE).status == 0
    assert sorted(file.name for file in (here / "out").iterdir()) == [
        "index.html",
        "other.html",
        "picks.html",
    ]
    index = (here / "out" / "index.html").read_text("utf-8")
    assert re.findall(r'href="([^"]+)"', index) == ["other.html", "picks.html"]
    refused = golpae("coverage", "games.jsonl", "--html", "one.html", *HERE)
    assert (refused.status, refused.err) == (
        2,
        "golpae: `one.html` is one page, and there are 2 games\n  help: name a folder\n",
    )


@pytest.mark.process
def test_tables_are_sorted_by_a_click(page: Path, browser: Browser) -> None:
    browser.open(page)
    numbers = [int(words) for words in browser.texts("tbody td:nth-child(3)")]
    assert numbers != sorted(numbers)
    browser.click("th button", 2)
    assert [int(words) for words in browser.texts("tbody td:nth-child(3)")] == sorted(numbers)
    browser.click("th button", 2)
    assert browser.attributes("th[aria-sort]", "aria-sort") == ["descending"]


@pytest.mark.process
def test_keys_go_from_gap_to_gap(page: Path, browser: Browser) -> None:
    browser.open(page)
    gaps = browser.attributes("details.none, details.part", "id")
    assert browser.text("#gap") == f"{len(gaps)} lines with gaps"
    browser.press("n", "n")
    assert browser.attributes("details[open]", "id") == gaps[1:2]
    assert browser.text("#gap") == f"2 of {len(gaps)}"
    browser.press("p", "p")
    assert browser.attributes("details[open]", "id") == gaps[-1:]
    assert browser.is_shown("div.line")
    browser.click("#only")
    assert not browser.is_shown("div.line")
    assert browser.complaints() == []
