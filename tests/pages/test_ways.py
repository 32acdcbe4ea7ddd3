"""The pages of a report link to the index, to each other, and to rule books."""

from __future__ import annotations

import re
from pathlib import Path

from golpae.pages.clause_text import ClauseTexts
from golpae.pages.report import Report
from tests.cli.table import ILLEGAL, LEGAL
from tests.pages.games import data_of, recordings, rules_in

NAV = re.compile(r'<nav class="ways"[^>]*>(.*?)</nav>')
LINK = re.compile(r'<a href="([^"]+)">(.+?)</a>')


def report(folder: Path, *games: tuple[object, ...], books: Path | None = None) -> Path:
    """Write a report of some games, and return its folder."""
    made = Report(folder, ClauseTexts([folder]), books=books)
    for recording in recordings(rules_in(folder), *(line for game in games for line in game)):
        made.add(recording)
    made.finish()
    return folder


def links(file: Path) -> list[tuple[str, str]]:
    [nav] = NAV.findall(file.read_text("utf-8"))
    return [(page, re.sub(r"</?[bi]>", "", words)) for page, words in LINK.findall(nav)]


def test_a_game_links_to_the_games_beside_it_and_to_illegal_ones(tmp_path: Path) -> None:
    report(tmp_path, LEGAL, ILLEGAL, LEGAL, ILLEGAL)
    assert links(tmp_path / "game-3.html") == [
        ("index.html", "all games"),
        ("game-2.html", "previous game"),
        ("game-4.html", "next game"),
        ("game-2.html", "previous illegal game"),
        ("game-4.html", "next illegal game"),
    ]
    assert links(tmp_path / "game-1.html") == [
        ("index.html", "all games"),
        ("game-2.html", "next game"),
        ("game-2.html", "next illegal game"),
    ]


def test_the_only_game_has_no_other_to_link_to(tmp_path: Path) -> None:
    report(tmp_path, LEGAL)
    assert not NAV.search((tmp_path / "index.html").read_text("utf-8"))


def test_a_fault_links_to_the_rule_book_of_its_rules(tmp_path: Path) -> None:
    books = tmp_path / "the books"
    books.mkdir()
    (books / "put.html").write_text("a rule book")
    report(tmp_path, ILLEGAL, books=books)
    assert data_of((tmp_path / "index.html").read_text("utf-8"))["game"]["book"] == "the%20books/put.html"
    report(tmp_path, ILLEGAL, books=tmp_path)
    assert data_of((tmp_path / "index.html").read_text("utf-8"))["game"]["book"] is None
