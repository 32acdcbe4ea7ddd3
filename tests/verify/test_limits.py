"""Properties and states that golpae cannot evaluate or encode cost no other property, and are no fault of golpae."""

from __future__ import annotations

import pytest

from golpae.elaborate.instance import instantiate
from golpae.verify.verifier import Verifier
from tests.prove.meanings import SETTINGS, game, rule_set_of

NOTE = """
action note by p "note"
  turn: p = mover and n < 3 "no"
  then kept := {q's hand for q in players}
  then p's own := kept
  then deep := {kept, kept + {p's hand}}
  then n := n + 1
"""
LISTS = """
kept: list of tiles = {}
each player's own: list of tiles = {}
deep: list of list of tiles = {}
n: number = 0
"""


def stories(text: str) -> dict[str, tuple[str, str]]:
    verifier = Verifier(instantiate(rule_set_of(text), 2, {}), SETTINGS)
    results = [verifier.verify(prop) for prop in verifier.instance.rule_set.properties]
    assert [r.fault for r in results] == [None] * len(results)
    return {r.name: (r.verdict, r.story) for r in results}


@pytest.mark.parametrize("coins", ["one of each 1c 2c 3c", 'two of each "{size}c" for size in 1 to 9'])
def test_a_property_of_too_many_numbers_is_unknown(coins: str) -> None:
    found = stories(
        game(
            coins=coins,
            state="n: number = 0",
            properties="always wide: every a in {1 to 99999999999}: a + n > 0\nalways plain: n = 0",
        )
    )
    assert found["plain"][0] == "proved"
    assert found["wide"][0] == "unknown"
    assert "more than 100,000 " in found["wide"][1]


@pytest.mark.parametrize("coins", ["two of each 1c 2c 3c", 'two of each "{size}c" for size in 1 to 9'])
def test_states_that_hold_lists_of_lists_cost_no_other_property(coins: str) -> None:
    text = game(hands=3, coins=coins, state=LISTS, actions=NOTE, properties="always few: n <= 3")
    assert stories(text)["few"][0] == "proved"
