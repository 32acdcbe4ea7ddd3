"""Keys that are any tiles of a small set are listed, in each order if that matters: all games can be gone through."""

from __future__ import annotations

import pytest

from golpae.elaborate.instance import instantiate
from golpae.replay.legal_events import Legal
from golpae.replay.machine import Machine
from golpae.verify.verifier import Verifier
from tests.prove.meanings import SETTINGS, game, rule_set_of

PEEK = """
action peek(order: tiles) by p "say how the row lies"
  turn: p = mover "no"
  right: order fits stall "no"
  then arrange stall as order
  then told := yes

action stir(order: tiles) by p "mix the row"
  turn: p = mover "no"
  two: size of order = 2 "no"
  then shuffle stall
"""
PROPERTIES = """
always hidden after stir: order fits stall implies earlier(order fits stall)
always known after stir: earlier(order fits stall) implies order fits stall
always seen after peek: order fits stall
"""


def text(coins: str = "one of each 1c 2c 3c 4c", properties: str = "") -> str:
    return game(coins=coins, stall="row", state="told: yes or no = no", actions=PEEK, properties=properties)


def test_the_order_of_a_list_is_asked_in_all_games() -> None:
    verifier = Verifier(instantiate(rule_set_of(text(properties=PROPERTIES)), 2, {}), SETTINGS)
    results = [verifier.verify(prop) for prop in verifier.instance.rule_set.properties]
    assert [r.verdict for r in results] == ["refuted", "proved", "proved"]
    assert results[0].witness is not None
    assert [event["do"] for event in results[0].witness.events] == ["deal", "stir"]


@pytest.mark.parametrize(
    ("coins", "stirs", "peeks", "unlisted"),
    [("one of each 1c 2c 3c 4c", 6, 2, []), ('one of each "{size}c" for size in 1 to 9', 36, 0, ["peek"])],
)
def test_bags_of_tiles_are_listed_if_they_are_few(
    coins: str, stirs: int, peeks: int, unlisted: list[str]
) -> None:
    machine = Machine(instantiate(rule_set_of(text(coins)), 2, {}))
    state = machine.new_state()
    deal = machine.read("deal", {"do": "deal", "first": 0, "hands": [["1c"], ["2c"]]})
    assert isinstance(deal, tuple)
    machine.apply("deal", state, deal)
    legal = Legal(machine)
    listed = [event.action for event in legal.events(state)]
    assert (listed.count("stir"), listed.count("peek")) == (stirs, peeks)
    assert legal.unlisted(state) == unlisted
    for event in legal.events(state):
        assert machine.check(event.action, state, event.args) == -1
