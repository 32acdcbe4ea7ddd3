"""`floor: 8` under `deal`: a key of the event, a condition and a move, in every reader alike."""

from __future__ import annotations

import io
import json
import random

import pytest

from golpae.elaborate.instance import instantiate
from golpae.replay.legal_events import Legal
from golpae.replay.machine import Machine
from golpae.replay.machine_cache import Library
from golpae.replay.random_deal import random_deal
from golpae.replay.replay import replay
from golpae.replay.report import Report
from tests.prove.encoding.steps import assert_alike
from tests.prove.meanings import game, rule_set_of, verdicts
from tests.prove.shared import both_of

OVER = 2  # the number of this stage
COINS = "two of each 1c 2c 3c 4c"
ZONES = "floor: tiles seen by everyone\nwidow: tiles seen by nobody"
PROPERTIES = "always floor-first: size of floor = 2 and size of widow = 1"


def text(stall: str = "row", floor: str = "2", properties: str = "") -> str:
    deal = f'floor: {floor}\nwidow: 1 "the widow has one"\nthen when 1c in floor: nobody wins'
    return game(coins=COINS, zones=ZONES, deal=deal, stall=stall, properties=properties)


def judged(rules: str, **keys: object) -> Report:
    """Return the report on a game that is dealt so."""
    deal = {
        "do": "deal",
        "first": 0,
        "hands": [["1c"], ["2c"]],
        "floor": ["3c", "4c"],
        "widow": ["2c"],
    } | keys
    lines = [
        {"golpae": 1, "rules": "coins", "players": ["An", "Bo"]},
        {k: v for k, v in deal.items() if v is not None},
    ]
    rule_set = rule_set_of(rules)
    written = "".join(json.dumps(line) + "\n" for line in lines)
    (report,) = replay(io.BytesIO(written.encode()), "a trace", Library(lambda _: rule_set))
    return report


def test_tiles_lie_in_their_zones_before_the_effects_of_the_text() -> None:
    report = judged(text(), floor=["1c", "4c"], widow=["2c"])
    assert report.outcome.verdict.value == "incomplete"
    assert report.end is not None
    state = report.end[2]
    assert (sorted(state.z_floor), state.z_widow, state.at) == ([0, 3], [1], OVER)


@pytest.mark.parametrize(
    ("keys", "verdict", "clause"),
    [
        ({}, "incomplete", None),
        ({"floor": ["3c"]}, "illegal", "coins.deal.floor"),
        ({"widow": []}, "illegal", "coins.deal.widow"),
        ({"floor": None}, "malformed", None),
        ({"floor": ["3c", "9c"]}, "malformed", None),
        ({"floor": ["1c", "1c"]}, "illegal", "coins.deal.then"),
        ({"reserve": ["3c", "4c", "2c", "1c", "3c", "4c"]}, "incomplete", None),
        ({"reserve": ["1c", "3c", "4c"]}, "illegal", "coins.deal.rest"),
    ],
)
def test_a_deal_lists_what_it_puts_into_zones(
    keys: dict[str, object], verdict: str, clause: str | None
) -> None:
    """5.8"""
    for stall in ("row", "tiles"):
        outcome = judged(text(stall), **keys).outcome
        assert (outcome.verdict.value, outcome.clause) == (verdict, clause)


def test_a_message_says_how_many_tiles_are_due() -> None:
    assert judged(text(), floor=["3c"]).outcome.message == "2 tiles have to be dealt to `floor`, not 1"
    assert judged(text(), widow=[]).outcome.message == "the widow has one"


@pytest.mark.parametrize("stall", ["row", "tiles"])
def test_the_prover_deals_as_replay_does(stall: str) -> None:
    pair = both_of(text(stall), 2)
    machine = Machine(instantiate(rule_set_of(text(stall)), 2, {}))
    for seed in range(6):
        state = machine.new_state(1)
        deal = random_deal(machine, state, seed % 2, random.Random(seed))
        assert Legal(machine).dealt(deal, state) is not None  # the first deal by chance is legal
        assert assert_alike(pair, state, deal)


def test_what_lies_in_the_zones_is_proved_after_a_deal() -> None:
    found = verdicts(text(properties="always as-dealt after deal: size of floor = 2 and size of widow = 1"))
    assert found["as-dealt"] == "proved"


def test_the_number_may_depend_on_the_players_and_on_the_first() -> None:
    rules = text(floor="if size of players = 2 then 3 else 2")
    assert judged(rules).outcome.clause == "coins.deal.floor"
    assert judged(rules, floor=["3c", "3c", "4c"]).outcome.verdict.value == "incomplete"
