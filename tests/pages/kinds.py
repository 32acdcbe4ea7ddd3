"""A page of each kind, for tests that look at all of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from golpae.cli.main import main
from golpae.pages.clause_text import ClauseTexts
from golpae.pages.report import Report
from tests.cli.conftest import Golpae
from tests.cli.table import EVENTS, HEADER, ILLEGAL, PUT, text
from tests.pages.games import recordings
from tests.pages.indexes import large_index

SOURCES = (
    '\nsource 1 "The rules"\n  R1: "players take turns"\n\nvariant free "anyone may put"\n  drop put.turn\n'
)


def game(golpae: Golpae, here: Path) -> Path:
    """Write the page of a game that is not legal, with its fault shown."""
    report = Report(here / "out", ClauseTexts([here / "rules"]))
    (here / "out").mkdir()
    for recording in recordings(here / "rules", *ILLEGAL):
        report.add(recording)
    report.finish()
    return here / "out" / "index.html"


def hidden(golpae: Golpae, here: Path) -> Path:
    """Write the page of a game in which nobody saw some tiles, with a tile that is certain."""
    report = Report(here / "out", ClauseTexts([here / "rules"]))
    (here / "out").mkdir()
    deal, put, *_ = EVENTS
    for recording in recordings(here / "rules", HEADER, {**deal, "hands": [2, deal["hands"][1]]}, put):
        report.add(recording)
    report.finish()
    return here / "out" / "index.html"


def match(golpae: Golpae, here: Path) -> Path:
    """Write the page of a match."""
    golpae("play", "put", "--web", "-o", "match.html", "--seed", "1", "--spec-path", "rules")
    return here / "match.html"


def people(golpae: Golpae, here: Path) -> Path:
    """Write the page of a match of two people at one screen."""
    golpae("play", "put", "--web", "-o", "people.html", "--policy", "person", "--spec-path", "rules")
    return here / "people.html"


def choosing(golpae: Golpae, here: Path) -> Path:
    """Write the page of a match that begins with a choice of several tiles."""
    main(["play", "hearts", "--web", "-o", "choosing.html", "--seed", "3"])
    return here / "choosing.html"


def book(golpae: Golpae, here: Path) -> Path:
    """Write a rule book."""
    (here / "rules" / "put.golpae").write_text(PUT + SOURCES, encoding="utf-8")
    golpae("show", "put", "--html", "-o", "book.html", "--spec-path", "rules")
    return here / "book.html"


def coverage(golpae: Golpae, here: Path) -> Path:
    """Write the page of what games use of their rules."""
    (here / "games.jsonl").write_bytes(text(*ILLEGAL).encode())
    golpae("coverage", "games.jsonl", "--html", "coverage.html", "--spec-path", "rules")
    return here / "coverage.html"


def index(golpae: Golpae, here: Path) -> Path:
    """Write an index of many games."""
    return large_index(here)


KINDS: dict[str, Callable[[Golpae, Path], Path]] = {
    "game": game,
    "match": match,
    "book": book,
    "coverage": coverage,
    "index": index,
}
FURTHER: dict[str, Callable[[Golpae, Path], Path]] = {
    "hidden": hidden,
    "people": people,
    "choosing": choosing,
}
