"""Recorded games with tiles that nobody saw: verdicts on short games of jjak."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from golpae.hidden import completing
from golpae.ir.limits import TooManySteps
from golpae.replay.machine import Machine, State
from golpae.replay.replay import happen
from golpae.trace import Header, Verdict
from tests.hidden.game_of_jjak import GAME, changed, report_on


def test_a_game_without_unknown_tiles_has_no_completion() -> None:
    report = report_on(GAME)
    assert (report.outcome.verdict, report.outcome.completion) == (Verdict.LEGAL, None)


@pytest.mark.parametrize(
    "hidden",
    [
        {"e5": {"tile": "?"}},
        {"e1": {"hands": [5, 6]}},
        {"e1": {"hands": [["?", "3-1", "5-1", "4-4", "1-1"], 6]}, "e2": {"tiles": ["?", "6-6"]}},
        {"e1": {"hands": [5, 6]}, "e5": {"tile": "?"}, "e6": {"tile": "?"}, "e7": {"tile": "?"}},
    ],
)
def test_a_legal_game_stays_legal_when_tiles_are_hidden(hidden: dict[str, Any]) -> None:
    report = report_on(changed(**hidden))
    assert report.outcome.verdict is Verdict.LEGAL
    completion = report.outcome.completion
    assert completion is not None
    again = report_on(completion)
    assert (again.outcome.verdict, again.outcome.completion) == (Verdict.LEGAL, None)
    for number, (line, whole) in enumerate(zip(changed(**hidden), completion, strict=True), 1):
        if f"e{number}" not in hidden:
            assert line == whole


def test_a_key_for_a_tile_may_be_left_out_behind_an_unknown_one() -> None:
    events = changed(e1={"hands": [5, 6]})
    del events[4]["tile"]
    assert report_on(events).outcome.verdict is Verdict.LEGAL
    del events[0]
    report = report_on([GAME[0], *events])
    assert (report.outcome.verdict, report.outcome.event) == (Verdict.MALFORMED, 5)


def test_an_event_is_illegal_if_no_tiles_make_it_legal() -> None:
    events = changed(e1={"hands": [5, 6]}, e3={"tiles": ["6-6", "6-6"]})
    report = report_on(events)
    assert (report.outcome.verdict, report.outcome.event) == (Verdict.ILLEGAL, 3)


def test_a_game_that_breaks_off_is_incomplete() -> None:
    report = report_on(changed(e1={"hands": [5, 6]})[:6])
    assert report.outcome.verdict is Verdict.INCOMPLETE
    assert report.outcome.completion is not None


@pytest.mark.parametrize(
    ("at", "line", "message"),
    [
        (5, {"do": "draw", "by": 0, "tile": "7-7"}, "there is no tile `7-7`"),
        (4, {"do": "discard", "by": "?", "tile": "?"}, '`by` must be a seat from 0 to 1, not `"?"`'),
        (1, {"do": "deal", "first": 1, "hands": [5, -1]}, "a hand cannot have `-1` tiles"),
        (2, {"do": "lie", "by": 1}, "`jjak` has no action `lie`"),
    ],
)
def test_a_line_that_is_no_event_is_malformed(at: int, line: dict[str, Any], message: str) -> None:
    events: list[dict[str, Any]] = changed(e1={"hands": [5, 6]})
    events[at - 1] = line
    report = report_on(events)
    assert (report.outcome.verdict, report.outcome.event) == (Verdict.MALFORMED, at)
    assert (report.outcome.message or "").startswith(message)


@pytest.mark.parametrize("hands", [[5], [5, 6, 5]])
def test_a_deal_with_too_few_or_too_many_hands_is_illegal(hands: list[int]) -> None:
    report = report_on(changed(e1={"hands": hands}))
    assert (report.outcome.verdict, report.outcome.event) == (Verdict.ILLEGAL, 1)
    assert (report.outcome.clause or "").startswith("jjak.deal.")


def test_too_few_tiles_for_a_pair_are_illegal() -> None:
    report = report_on(changed(e1={"hands": [5, 6]}, e3={"tiles": ["?"]}))
    assert (report.outcome.verdict, report.outcome.event) == (Verdict.ILLEGAL, 3)


def test_a_conflict_names_what_cannot_stand_together() -> None:
    """The set has two 6-6; Bo has both, and An discards one."""
    report = report_on(changed(e1={"hands": [5, 6]}, e5={"tile": "?"}, e6={"tile": "6-6"})[:6])
    outcome = report.outcome
    assert (outcome.verdict, outcome.event) == (Verdict.ILLEGAL, 6)
    assert [(one.event, one.says) for one in outcome.conflict] == [
        (2, "Bo: lay 6-6 6-6"),
        (6, "An: discard 6-6"),
    ]
    assert outcome.message is not None
    assert "event 2 (Bo: lay 6-6 6-6), event 6 (An: discard 6-6) cannot stand together" in outcome.message


def test_a_conflict_names_the_condition_that_tiles_break() -> None:
    outcome = report_on(changed(e1={"hands": [5, 6]}, e2={"tiles": ["6-6", "5-5"]})).outcome
    assert (outcome.event, outcome.clause) == (2, "jjak.lay.pair")
    assert [(one.event, one.clause) for one in outcome.conflict] == [(2, None), (2, "jjak.lay.pair")]


def test_a_hand_of_the_wrong_size_is_said_to_be_one() -> None:
    outcome = report_on([{"do": "deal", "first": 1, "hands": [5, 7]}]).outcome
    assert (outcome.clause, outcome.message) == ("jjak.deal.hands", "the hands have the wrong size")


def test_what_holds_for_all_tiles_is_said_so() -> None:
    outcome = report_on(changed(e1={"hands": [5, 6]}, e2={"by": 0})[:2]).outcome
    assert outcome.message == "it is not An's turn to lay a pair"


@pytest.mark.parametrize(("often", "verdict"), [(1, Verdict.LEGAL), (10_000, Verdict.UNKNOWN)])
def test_tiles_of_which_replay_cannot_say_whether_they_are_legal_rule_nothing_out(
    monkeypatch: pytest.MonkeyPatch, often: int, verdict: Verdict
) -> None:
    raised = 0

    def long(machine: Machine, header: Header, state: State, line: Mapping[str, Any]) -> Any:
        nonlocal raised
        if line["do"] == "draw" and raised < often:
            raised += 1
            raise TooManySteps(None, 1)
        return happen(machine, header, state, line)

    monkeypatch.setattr(completing, "happen", long)
    assert report_on(changed(e5={"tile": "?"}, e6={"tile": "?"})).outcome.verdict is verdict
