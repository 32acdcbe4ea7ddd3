"""Recorded games answer what a comparison asks: the shortest of them, wherever it is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from golpae.compare.games.compare import compare_games
from golpae.compare.games.confirmed_game import TablePair
from golpae.compare.games.recorded_games import shortest_recorded
from golpae.compare.games.table_comparison import at_table
from golpae.compare.games.verdict import PROVED, QUESTIONS, REFUTED, Meaning, QuestionResult
from golpae.compare.options import CompareOptions
from golpae.elaborate.instance import instantiate
from golpae.replay.machine import Machine
from golpae.trace.discover import Source
from golpae.verify.options import Settings
from tests.cli.table import EVENTS, HEADER, LEGAL, PUT, text
from tests.differential.texts import RuleText

VARIANTS = """
variant open "anyone may put"
  replace put.turn: p in players

variant dear "7 more"
  replace bit0: 7

variant both "both"
  replace put.turn: p in players
  replace bit0: 7

variant square "the same price, by way of a large number"
  replace price: (stake ^ 2) div stake + bit0
"""
TEXT = PUT.split("\nvariant")[0] + VARIANTS
DEAL, FIRST, SECOND, THIRD, _ = EVENTS
AGAIN = {"do": "put", "by": 0, "tile": "2-2"}  # out of turn
DEALT_TWO = {"dealt": 2}


def pair(variant: str, players: int = 2) -> TablePair:
    return TablePair(
        RuleText("put", TEXT).rule_set(), RuleText("put", TEXT).rule_set(variant), players, DEALT_TWO
    )


def found(of: TablePair, *traces: Any, tmp_path: Path) -> dict[str, tuple[int, str]]:
    """Return the number of events and the line of each recorded game that answers a question."""
    file = tmp_path / "games.jsonl"
    file.write_text(text(*traces), "utf-8")
    a, b = (Machine(instantiate(rules, of.players, of.options)) for rules in (of.a, of.b))
    answers = shortest_recorded(of, (a, b), [Source(str(file))], QUESTIONS)
    return {q: (game.events, place.rpartition(":")[2]) for q, (game, place) in answers.items()}


def test_a_game_that_only_one_side_allows_is_the_answer(tmp_path: Path) -> None:
    assert found(pair("open"), HEADER, DEAL, FIRST, AGAIN, tmp_path=tmp_path) == {"b_in_a": (3, "1")}


def test_the_shortest_part_of_the_shortest_game_counts(tmp_path: Path) -> None:
    longer = (HEADER, DEAL, FIRST, SECOND, THIRD)
    one = (HEADER, DEAL, FIRST, AGAIN, SECOND)
    two = (HEADER, DEAL, SECOND, FIRST, THIRD)
    assert found(pair("open"), *longer, *one, *two, tmp_path=tmp_path) == {"b_in_a": (2, "11")}


def test_the_rules_of_the_header_do_not_matter(tmp_path: Path) -> None:
    other = {**HEADER, "rules": "another+game"}
    assert found(pair("open"), other, DEAL, FIRST, AGAIN, tmp_path=tmp_path) == {"b_in_a": (3, "1")}


def test_a_hand_that_is_paid_otherwise_answers_the_question_about_payments(tmp_path: Path) -> None:
    assert found(pair("dear"), *LEGAL, tmp_path=tmp_path) == {"paid": (5, "1")}


def test_payments_of_either_side_answer_the_question_about_payments(tmp_path: Path) -> None:
    dear = (*LEGAL[:-1], {"do": "end", "winner": 0, "pay": [8, -8]})
    assert found(pair("dear"), *dear, tmp_path=tmp_path) == {"paid": (5, "1")}


def test_what_comes_after_a_hand_that_is_paid_otherwise_counts(tmp_path: Path) -> None:
    trace = (*LEGAL, {**DEAL, "first": 0}, FIRST, AGAIN)
    assert found(pair("both"), *trace, tmp_path=tmp_path) == {"b_in_a": (8, "1"), "paid": (5, "1")}


def test_what_only_a_limit_of_numbers_refuses_answers_nothing(tmp_path: Path) -> None:
    trace = (
        {**HEADER, "stake": 10**600},
        *EVENTS[:-1],
        {"do": "end", "winner": 0, "pay": [10**600, -(10**600)]},
    )
    assert found(pair("square"), *trace, tmp_path=tmp_path) == {}


@pytest.mark.parametrize(
    "lines",
    [
        ({**HEADER, "players": ["An", "Bo", "Cho"]}, DEAL, FIRST, AGAIN),
        ({**HEADER, "options": {"dealt": 3}}, DEAL, FIRST, AGAIN),
        ({**HEADER, "options": {"dealt": 9}}, DEAL, FIRST, AGAIN),
        ({**HEADER, "options": {"high": 1}}, DEAL, FIRST, AGAIN),
        ({**HEADER, "players": "An"}, DEAL, FIRST, AGAIN),
        (HEADER, DEAL, FIRST, "no json", AGAIN),
        (HEADER, DEAL, FIRST, {"do": "fly"}, AGAIN),
        (DEAL, FIRST, AGAIN),
        (),
    ],
    ids=("players", "option", "value", "no-option", "header", "no-json", "no-action", "no-header", "empty"),
)
def test_what_no_side_can_read_answers_nothing(lines: tuple[Any, ...], tmp_path: Path) -> None:
    assert found(pair("open"), *lines, tmp_path=tmp_path) == {}
    good = (HEADER, DEAL, FIRST, AGAIN)
    assert found(pair("open"), *good, *lines, *good, tmp_path=tmp_path) == {"b_in_a": (3, "1")}


def test_a_recorded_game_stands_and_the_rest_is_decided_as_ever(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text(text(HEADER, DEAL, FIRST, AGAIN), "utf-8")
    table = at_table(pair("open"), Settings(), [Source(str(file))])
    assert (table.a_in_b.verdict, table.paid.verdict) == (PROVED, PROVED)
    assert (table.b_in_a.verdict, table.b_in_a.detail) == (
        REFUTED,
        f"a game of 3 events, recorded at {file}:1",
    )
    alone = at_table(pair("open"), Settings()).b_in_a
    assert alone.game is not None
    assert (alone.game.events, alone.game.shortest) == (2, True)


def test_what_recorded_games_answer_is_not_cached(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text(text(HEADER, DEAL, FIRST, AGAIN), "utf-8")
    of = pair("open")

    def answer(*recorded: Source) -> QuestionResult:
        options = CompareOptions(players=2, options=DEALT_TWO, recorded=recorded)
        (meaning,) = compare_games([(of.a, of.b)], options)
        assert isinstance(meaning, Meaning)
        return meaning.tables[0].b_in_a

    assert "recorded" in answer(Source(str(file))).detail
    assert "recorded" not in answer().detail
    assert "recorded" in answer(Source(str(file))).detail
