"""Lists whose order counts, in games with tiles that nobody saw."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any

import pytest

from golpae.hidden.decide import decide
from golpae.hidden.following import Effort
from golpae.hidden.lazily import completes
from golpae.replay.machine import Machine, State
from golpae.replay.machine_cache import Library
from golpae.replay.replay import replay
from golpae.trace import Header, Verdict
from golpae.trace.outcome import Outcome
from golpae.trace.unseen import Decision
from tests.differential.texts import RuleText
from tests.hidden.shelf import DEAL, SHELF, Event, draws, sort


def outcome(*events: Event, text: str = SHELF, completes: Any = completes) -> Outcome:
    rules = RuleText("shelf", text, 0).rule_set()
    header = {"golpae": 1, "rules": "shelf", "players": ["An", "Bo"]}
    trace = "".join(f"{json.dumps(line)}\n" for line in (header, *events))
    library = Library(lambda name: rules, completes=completes)
    return next(iter(replay(BytesIO(trace.encode()), "game", library))).outcome


def completes_at_once(machine: Machine, header: Header, state: State, lines: Any, *rest: Any) -> Decision:
    """Decide a game with the first choice of tiles, or not at all."""
    return decide(machine, header, state, lines, 0, effort=Effort(tries=1))


@pytest.mark.solver
@pytest.mark.parametrize("order", ["???", "?b?", "c??"])
def test_an_unknown_order_is_that_in_which_tiles_are_drawn(order: str) -> None:
    found = outcome(DEAL, sort(*order), *draws("c", "b"))
    assert found.verdict is Verdict.INCOMPLETE
    assert found.completion is not None
    assert found.completion[1]["order"] == ["c", "b", "a"]


@pytest.mark.solver
@pytest.mark.parametrize(
    ("events", "event"),
    [
        ([sort(*"a??"), *draws("c")], 3),
        ([sort(*"???"), *draws("c", "c")], 4),
        ([sort(*"???"), sort(*"ab?"), *draws("b")], 4),
        ([sort(*"c??"), sort(*"b??")], 3),
    ],
)
def test_an_order_that_others_contradict_is_illegal(events: list[Event], event: int) -> None:
    found = outcome(DEAL, *events)
    assert (found.verdict, found.event) == (Verdict.ILLEGAL, event)


@pytest.mark.solver
def test_a_reserve_lies_in_its_order() -> None:
    deal = {**DEAL, "reserve": ["b", "?", "?"]}
    found = outcome(deal, *draws("b", "?", "a"))
    assert found.completion is not None
    assert (found.verdict, found.completion[0]["reserve"]) == (Verdict.INCOMPLETE, ["b", "c", "a"])
    assert outcome(deal, *draws("b", "?", "b")).event == 4


@pytest.mark.solver
def test_the_order_of_a_reserve_is_known_after_an_unknown_tile_of_it_was_drawn() -> None:
    tiles = "abcdefghijkl"
    deal = {**DEAL, "reserve": [tile if number % 3 else "?" for number, tile in enumerate(tiles)]}
    drawn = draws(*(tile if number % 2 else "?" for number, tile in enumerate(tiles)))
    text = SHELF.replace("a b c", " ".join(tiles))
    found = outcome(deal, *drawn, text=text, completes=completes_at_once)
    assert found.completion is not None
    assert [event["tile"] for event in found.completion[1:]] == found.completion[0]["reserve"]
