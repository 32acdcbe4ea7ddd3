"""A large index, for the tests of pages: rows of games that nobody has played."""

from __future__ import annotations

from pathlib import Path

from golpae.pages.index import Row, Tally, index_page
from golpae.trace import Outcome, Verdict

VERDICTS = (Verdict.LEGAL, Verdict.ILLEGAL, Verdict.INCOMPLETE, Verdict.ILLEGAL, Verdict.MALFORMED)
CLAUSES = 11


def large_index(folder: Path, games: int = 703) -> Path:
    """Write an index of many games into a folder, with a page to go to for the first game. Return it."""
    rows, tally = [], Tally()
    for number in range(1, games + 1):
        verdict = VERDICTS[number % len(VERDICTS)]
        clause = f"put.put.c{number % CLAUSES}" if verdict is Verdict.ILLEGAL else None
        message = "" if verdict is Verdict.LEGAL else f"it is not the turn of player {number % 7}"
        name = f"round-{number}-of-the-spring-tournament"
        file, rules = "games/spring/tables-and-rounds.jsonl", "put+free+strict"
        outcome = Outcome(file, 9 * number, name, rules, verdict, clause=clause)
        rows.append(
            Row(number, outcome, ("Anna-Maria", "Bo", "Constantin"), 40, message, f"game-{number}.html")
        )
        tally.add(outcome, message)
    page = folder / "index.html"
    page.write_text(index_page(rows, tally), encoding="utf-8")
    (folder / "game-1.html").write_text("<!doctype html><title>game</title>", encoding="utf-8")
    return page
