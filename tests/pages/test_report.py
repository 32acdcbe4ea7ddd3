"""`golpae report`: files that open in any browser and fetch nothing."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import pytest

from golpae.assets.pictures import pictures, sets
from tests.cli.conftest import Golpae, cache, golpae, here
from tests.cli.table import ILLEGAL, LEGAL, PUT, text, with_header, write
from tests.pages.games import DATA, data_of

__all__ = ["cache", "golpae", "here"]
HERE = ("--spec-path", "rules")
MARKUP = '\u202e<img src=x onerror="alert(1)"></script><b>&amp;'


def test_one_game_is_one_page(golpae: Golpae, here: Path) -> None:
    write("one.jsonl", *LEGAL)
    done = golpae("report", "one.jsonl", "-o", "out", *HERE)
    assert (done.status, done.out, done.err) == (0, "out/index.html: 1 game: 1 legal\n", "")
    assert [file.name for file in (here / "out").iterdir()] == ["index.html"]
    game = data_of((here / "out" / "index.html").read_text("utf-8"))["game"]
    assert [step["words"] for step in game["steps"]][1:3] == ["put 1-1", "put 3-3"]


def test_several_games_have_an_index(golpae: Golpae, here: Path) -> None:
    lost = with_header(LEGAL, rules="nothing-of-this-name")
    write("games.jsonl", *LEGAL, *ILLEGAL, *lost)
    done = golpae("report", "games.jsonl", "-o", "out", *HERE)
    assert (done.status, done.out) == (0, "out/index.html: 3 games: 1 legal, 1 illegal, 1 malformed\n")
    assert sorted(file.name for file in (here / "out").iterdir()) == [
        "game-1.html",
        "game-2.html",
        "index.html",
    ]
    index = (here / "out" / "index.html").read_text("utf-8")
    assert re.findall(r'<tr data-verdict="(\w+)" data-clause="([^"]*)">', index) == [
        ("legal", ""),
        ("illegal", "put.put.turn"),
        ("malformed", ""),
    ]
    assert re.findall(r'href="([^"]+)"', index) == ["game-1.html", "game-2.html"]


def test_a_report_of_many_games_has_a_bound_and_says_so(
    golpae: Golpae, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("golpae.pages.report.LISTED", 3)
    write("games.jsonl", *LEGAL, *LEGAL, *ILLEGAL, *ILLEGAL, *ILLEGAL)
    done = golpae("report", "games.jsonl", "-o", "out", "--limit", "2", *HERE)
    assert (done.status, done.out.splitlines()) == (
        0,
        [
            "out/index.html: 5 games: 2 legal, 3 illegal",
            "  the first 2 games have pages; `--limit N` writes more",
            "  the first 3 are in the table; all are counted",
        ],
    )
    assert sorted(file.name for file in (here / "out").iterdir()) == [
        "game-1.html",
        "game-2.html",
        "index.html",
    ]
    index = (here / "out" / "index.html").read_text("utf-8")
    assert "the first 3 are in the table" in index
    assert "legal here" not in index  # what is wrong, without more, also of games without a page
    assert re.findall(r'<td class="number events">(\d+)<', index) == ["5", "5", "2"]
    assert '<span class="times">3</span> <span class="words"><b>Put a tile down</b> ' in index
    assert golpae("report", "games.jsonl", "-o", "out", "--limit", "0", *HERE).status == 2


def test_pages_of_an_earlier_report_with_more_games_go(golpae: Golpae, here: Path) -> None:
    write("games.jsonl", *LEGAL, *ILLEGAL, *LEGAL)
    write("two.jsonl", *LEGAL, *ILLEGAL)
    assert golpae("report", "games.jsonl", "-o", "out", *HERE).status == 0
    (here / "out" / "game-9.html").write_text("somebody's own")
    for file, left in (("two.jsonl", ["game-1.html", "game-2.html"]), ("one.jsonl", [])):
        write("one.jsonl", *LEGAL)
        assert golpae("report", file, "-o", "out", *HERE).status == 0
        assert sorted(p.name for p in (here / "out").iterdir()) == [*left, "game-9.html", "index.html"]


def test_other_rules_and_standard_input(golpae: Golpae, here: Path) -> None:
    lines = text(*ILLEGAL).encode()
    done = golpae("report", "-", "-o", "out", "--rules", "rules/put.golpae", stdin=lines)
    assert (done.status, done.out) == (0, "out/index.html: 1 game: 1 illegal\n")
    page = data_of((here / "out" / "index.html").read_text("utf-8"))["game"]
    assert page["clauses"]["put.turn"] == 'turn: p = mover "it is not {p}\'s turn"'


def test_what_cannot_be_read_or_written_is_said(golpae: Golpae, here: Path) -> None:
    write("one.jsonl", *LEGAL)
    (here / "taken").write_text("a file")
    done = golpae("report", "one.jsonl", "-o", "taken", *HERE)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("golpae: `taken` cannot be written to: ")
    assert golpae("report", "none.jsonl", "-o", "out", *HERE).status == 2
    (here / "rules" / "put.golpae").write_text("game put")
    done = golpae("report", "one.jsonl", "-o", "out", *HERE)
    assert (done.status, done.out) == (2, "out/index.html: 1 game: 1 malformed\n")
    assert "rules/put.golpae:1:8: error[S005]" in done.err


def test_pages_name_no_address_and_hold_no_markup_of_a_trace(golpae: Golpae, here: Path) -> None:
    write("one.jsonl", *with_header(ILLEGAL, players=[MARKUP, "Bo"], id=MARKUP), *LEGAL)
    assert golpae("report", "one.jsonl", "-o", "out", *HERE).status == 0
    for file in (here / "out").iterdir():
        page = file.read_text("utf-8")
        assert "<img" not in page
        assert "\u202e" not in DATA.sub("", page)
        assert "<b>&amp;amp;" not in page
        assert page.count("</script>") == page.count("<script")
        assert not re.search(r"(?:src|href)=\"(?!#|game-|index\.html\")", page)
        assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", page)
    assert data_of((here / "out" / "game-1.html").read_text("utf-8"))["game"]["players"][0] == MARKUP


def test_a_page_may_run_its_own_script_alone(golpae: Golpae, here: Path) -> None:
    write("one.jsonl", *LEGAL, *ILLEGAL)
    assert golpae("report", "one.jsonl", "-o", "out", *HERE).status == 0
    for file in (here / "out").iterdir():
        page = file.read_text("utf-8")
        [script] = re.findall(r"<script(?: type=\"module\")?>(.*?)</script>", page, re.DOTALL)
        [policy] = re.findall(r'Content-Security-Policy" content="(.*?)"', page)
        digest = b64encode(sha256(script.encode()).digest()).decode()
        assert policy.startswith(f"default-src 'none'; script-src 'sha256-{digest}' 'wasm-unsafe-eval'; ")


def test_numbers_that_a_browser_would_round_are_texts(golpae: Golpae, here: Path) -> None:
    stake = 10**20 + 1
    write(
        "one.jsonl", *with_header(LEGAL[:-1], stake=stake), {"do": "end", "winner": 0, "pay": [stake, -stake]}
    )
    assert golpae("report", "one.jsonl", "-o", "out", *HERE).status == 0
    game = data_of((here / "out" / "index.html").read_text("utf-8"))["game"]
    assert game["steps"][-1]["new"]["totals"] == [str(stake), str(-stake)]
    assert game["steps"][0]["new"]["state/mover"] == 0


def test_pictures_are_those_that_the_text_names(golpae: Golpae, here: Path) -> None:
    write("one.jsonl", *LEGAL)
    (here / "rules" / "put.golpae").write_text(
        PUT.replace('  written: "{high}-{low}"\n', "  drawn as domino\n")
    )
    assert golpae("report", "one.jsonl", "-o", "out", *HERE).status == 0
    page = (here / "out" / "index.html").read_text("utf-8")
    assert data_of(page)["game"]["pictures"] == {"width": 40, "height": 80, "overlaps": False}
    assert page.count('<symbol id="face-') == 6


def test_pictures_that_are_not_there_are_told_once(golpae: Golpae, here: Path) -> None:
    write("one.jsonl", *LEGAL, *LEGAL)
    (here / "rules" / "put.golpae").write_text(
        PUT.replace('  written: "{high}-{low}"\n', "  drawn as domnio\n")
    )
    done = golpae("report", "one.jsonl", "-o", "out", *HERE)
    assert done.status == 0
    assert done.err == (
        "golpae: there are no pictures `domnio`: tiles are shown by their names\n  help: did you mean `domino`?\n"
    )


def test_a_tile_is_found_by_each_of_its_names() -> None:
    assert sets() == ["cards", "domino", "hwatu", "mahjong"]
    tiles, dominoes = pictures("mahjong"), pictures("domino")
    assert tiles is not None
    assert dominoes is not None
    assert tiles.of(["E"]) == tiles.of(["x", "East wind"]) is not None
    assert tiles.of(["x"]) is None
    assert dominoes.of(["6-5"]) is not None
    assert dominoes.of(["19-5"]) is None
    assert pictures("bones") is None


@pytest.mark.parametrize("name", sets())
def test_the_drawings_of_a_set_fetch_nothing(name: str) -> None:
    found = pictures(name)
    assert found is not None
    assert not any(
        re.search(r'href="(?!#)|url\(|<script|<style', drawing) for drawing in found.drawings.values()
    )
