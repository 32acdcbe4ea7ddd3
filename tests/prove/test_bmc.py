"""The bounded model checker returns shortest games, and the depth up to which there is none."""

from __future__ import annotations

from typing import Any

from golpae.prove.bmc import BoundedModelChecker, SearchResult
from golpae.prove.encoding.step import Step
from golpae.prove.solving.solver import Solver
from golpae.prove.symbolic.values import Truth, at_least
from tests.prove.induction.pile import GAME, system_of
from tests.prove.probe import rule_set


def search(turns: int, within: int, accept: Any = lambda events: True) -> SearchResult:
    def goal(step: Step) -> Truth:
        return at_least(step.after.vars["turns"], turns)

    return BoundedModelChecker(system_of(rule_set(GAME)), Solver()).run(goal, None, within, accept)


def test_the_search_returns_the_shortest_game() -> None:
    result = search(turns=2, within=5)
    assert result.events is not None
    assert [event["do"] for event in result.events] == ["deal", "put", "put"]
    assert result.depth == 2


def test_without_a_game_the_search_returns_the_bound() -> None:
    result = search(turns=9, within=3)
    assert (result.events, result.depth) == (None, 3)


def test_a_rejected_game_leaves_the_depth_open() -> None:
    result = search(turns=2, within=3, accept=lambda events: False)
    assert (result.events, result.depth) == (None, 0)


def test_a_search_along_a_game_looks_at_its_actions_and_players_alone() -> None:
    checker = BoundedModelChecker(system_of(rule_set(GAME)), Solver())
    begun = [{"do": "deal", "first": 1}, {"do": "put", "by": 1}]
    ended = [
        [(step.action.name, step.names.get("p")) for step in ending.steps]
        for like in (begun, [*begun, {"do": "put", "by": 0}])
        for ending in checker.endings(lambda step: True, None, len(like), along=like)
        if len(ending.steps) == len(like) and ending.game() is not None
    ]
    assert ended == [
        [("deal", None), ("put", 0)],
        [("deal", None), ("put", 0), ("put", 1)],
    ]
