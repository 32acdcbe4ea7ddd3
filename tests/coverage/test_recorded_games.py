"""Recorded games: counting changes no verdict, and counts what the verdicts say."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from golpae.coverage.clauses import BROKEN, HAPPENED, HELD
from golpae.coverage.measure import Coverage
from golpae.trace.read import lines
from tests.committed import TOP
from tests.replay.shared import rule_set

FILES = (
    "jjak/spoilt-ten-rounds",
    "ho-hpai/spoilt-ends",
    "korean-mahjong/last-tiles",
    "three-dozen/spoilt-strict",
    "block-dominoes/draw",
    "bridge/base",
    "go-stop/edges",
    "spades/spoilt-base",
)

pytestmark = pytest.mark.corpus


@pytest.mark.parametrize("name", FILES)
def test_counts_are_those_of_the_verdicts(name: str) -> None:
    file = TOP / "traces" / f"{name}.jsonl"
    expected = [json.loads(x) for x in file.with_suffix(".verdicts").read_text("utf-8").splitlines()]
    coverage = Coverage(rule_set, [])
    with file.open("rb") as stream:
        reports = [*coverage.file(stream, name)]
    for report, verdict in zip(reports, expected, strict=True):
        outcome = report.outcome
        assert (outcome.verdict.value, outcome.event, outcome.clause) == (
            verdict["verdict"],
            verdict.get("event"),
            verdict.get("clause"),
        )
    tally = coverage.game(name.partition("/")[0])
    broken = Counter(report.outcome.clause for report in reports if report.refusal is not None)
    counted: Counter[str] = Counter()
    happened: Counter[str] = Counter()
    for clause in tally.book.clauses:
        if clause.kind == "condition":
            counted[f"{tally.book.game}.{clause.path}"] += tally.games_of(clause, BROKEN)
        elif clause.kind == "action":
            happened[clause.path] += tally.count(clause, HAPPENED).events
    assert +counted == broken
    assert +happened == _happened(name)


@pytest.mark.slow
def test_recorded_games_cover_their_texts() -> None:
    coverage = Coverage(rule_set, [])
    for file in sorted((TOP / "traces").glob("*/*.jsonl")):
        with file.open("rb") as stream:
            for _ in coverage.file(stream, file.name):
                pass
    missing = {
        (game, m.clause.name, m.side) for game, tally in coverage.games.items() for m in tally.missing()
    }
    calls = ("bid.then 6", "double.then 2", "redouble.then 2")
    assert missing == {
        # somebody has won whenever a hand of this game is over, but a payment has to ask
        ("ho-hpai", "payout.opponents when", "no"),
        # somebody has dealt whenever a hand is over, but `dealer` can be none
        ("spades", "end.next when", "no"),
        ("whist", "end.next when", "no"),
        # what a player calls is offered, but all that take a tile share their effects
        *(("riichi", f"{call}.then when", "no") for call in ("chi", "pon", "kan")),
        # three players never call a run; conditions that no game can break are explained beside the games
        ("riichi", "chi.never (sanma)", "held"),
        *(("riichi", path, "broken") for path in ("kan.held", "kan.rest", "pon.rest")),
        # only passes end an auction, but all calls share their effects
        *(("bridge", f"{call} when{place}", "yes") for call in calls for place in ("", " 2")),
    }


def _happened(name: str) -> Counter[str]:
    """Count the events before each fault, by action, from the lines and the expected verdicts alone."""
    file = TOP / "traces" / f"{name}.jsonl"
    verdicts = iter(file.with_suffix(".verdicts").read_text("utf-8").splitlines())
    found: Counter[str] = Counter()
    left = 0
    with file.open("rb") as stream:
        for _, line, _ in lines(stream):
            if line is not None and "golpae" in line:
                at = json.loads(next(verdicts)).get("event")
                left = 1 << 30 if at is None else at - 1
            elif left > 0:
                assert line is not None
                found[str(line["do"])] += 1
                left -= 1
    return found


def test_a_condition_has_held_as_often_as_it_was_asked() -> None:
    coverage = Coverage(rule_set, [])
    with (TOP / "traces" / "jjak" / "base.jsonl").open("rb") as stream:
        for _ in coverage.file(stream, "base.jsonl"):
            pass
    tally = coverage.game("jjak")
    by_name = {clause.name: clause for clause in tally.book.clauses}
    for name in ("draw.turn", "draw.left", "draw.place", "draw.open"):
        assert tally.count(by_name[name], HELD).events == tally.count(by_name["draw"], HAPPENED).events
