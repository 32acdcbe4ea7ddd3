"""How many ways there are to fill in rows whose tiles are unknown."""

from __future__ import annotations

import json
from io import BytesIO
from math import factorial

import pytest

from golpae.hidden.counting import Ways
from golpae.hidden.inferring import infer
from golpae.hidden.lazily import completes
from golpae.replay.machine_cache import Library
from golpae.replay.replay import replay
from tests.differential.texts import RuleText
from tests.hidden.shelf import DEAL, HEADER, SHELF, Event, draws, sort


def ways(coins: str, *events: Event) -> Ways:
    """Return how many ways there are with other coins."""
    rules = RuleText("shelf", SHELF.replace("one of each a b c", coins), 0).rule_set()
    text = "".join(f"{json.dumps(line)}\n" for line in (HEADER, *events))
    [report] = replay(BytesIO(text.encode()), "game", Library(lambda name: rules, completes=completes))
    assert report.end is not None
    assert report.outcome.completion is not None
    machine, header, _ = report.end
    state, completion = machine.new_state(1), report.outcome.completion
    [hand] = infer(machine, header, state, events, completion, False)
    return hand.ways


@pytest.mark.solver
def test_all_orders_of_eight_tiles_are_counted() -> None:
    found = ways("one of each a b c d e f g h", DEAL, sort(*"????????"))
    assert found.about == found.high == factorial(8)
    assert 0.99 * factorial(8) < found.low


@pytest.mark.solver
@pytest.mark.parametrize(
    ("coins", "order", "drawn", "number"),
    [
        ("one of each a b c d e f g h", "??????gh", "", factorial(6)),
        ("one of each a b c d e f", "??????", "c", factorial(5)),
        ("two of each a b c d", "????????", "", factorial(8) // 2**4),
    ],
)
def test_few_orders_are_counted_exactly(coins: str, order: str, drawn: str, number: int) -> None:
    found = ways(coins, DEAL, sort(*order), *draws(*drawn))
    assert (found.low, found.high) == (number, number)
