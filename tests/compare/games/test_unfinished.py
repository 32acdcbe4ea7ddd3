"""What a comparison has found stays found if it exceeds a limit; players who go towards a win find more."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from golpae.compare.games import compare, table_comparison
from golpae.compare.games.compare import compare_games
from golpae.compare.games.confirmed_game import TablePair
from golpae.compare.games.paired_machines import PairedMachines
from golpae.compare.games.random_search import towards_divergences
from golpae.compare.games.table_comparison import at_table
from golpae.compare.games.verdict import A_IN_B, B_IN_A, QUESTIONS, Meaning, QuestionResult
from golpae.compare.options import CompareOptions
from golpae.elaborate.check import elaborate
from golpae.elaborate.instance import instantiate
from golpae.prove.solving.solver import LimitReached
from golpae.replay.machine import Machine
from golpae.verify.options import Settings
from golpae.workers import Crash, JobNews, OuterLimits


def test_what_was_proved_before_a_limit_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_much(*_: object) -> None:
        raise LimitReached("too much")

    monkeypatch.setattr(table_comparison._TableComparison, "_play", too_much)
    pair = TablePair(elaborate("jjak", []), elaborate("jjak+lay-optional", []), 2, {})
    answers = at_table(pair, Settings())
    assert answers.a_in_b.verdict == "proved"  # by its words
    assert (answers.b_in_a.verdict, answers.b_in_a.detail) == ("unknown", "too much")


def test_what_a_worker_told_stays_when_it_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    told = {B_IN_A: QuestionResult("proved", "by its words")}

    def stopped(
        *_: object, on_told: Callable[[int, JobNews], None], **__: object
    ) -> Iterator[tuple[int, Crash]]:
        on_told(0, JobNews("", "found", told))
        on_told(0, JobNews("at more"))
        yield 0, Crash("out of memory", limited=True)

    monkeypatch.setattr(compare, "results", stopped)
    pair = elaborate("jjak", []), elaborate("jjak+lay-optional", [])
    options = CompareOptions(players=2, cached=False, limits=OuterLimits(megabytes=1))
    [meaning] = compare_games([pair], options)
    assert isinstance(meaning, Meaning)
    [table] = meaning.tables
    assert table.b_in_a == told[B_IN_A]
    assert (table.a_in_b.verdict, table.a_in_b.detail) == ("unknown", "out of memory")


def test_players_who_go_towards_a_win_show_what_hands_are_worth() -> None:
    pair = TablePair(elaborate("ho-hpai", []), elaborate("ho-hpai+no-sok", []), 3, {})
    machines = PairedMachines(*(Machine(instantiate(rules, 3, {})) for rules in (pair.a, pair.b)))
    found = towards_divergences(machines, 1, 6, QUESTIONS)
    assert {A_IN_B, B_IN_A} <= found.keys()
    for question, divergence in found.items():
        assert machines.diverging_prefix(divergence.events, question) == [*divergence.events]
