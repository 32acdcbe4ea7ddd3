"""Numbers that are too large (7.10) cost only the condition that asks for them."""

from __future__ import annotations

import pytest

from golpae.elaborate.instance import instantiate
from golpae.replay.machine import Machine
from tests.differential.texts import RuleText

TEXT = """\
game large "Powers in definitions of tiles"

players 2 to 2

tiles
  coins: one of each "{high}-{low}" for high in 0 to 2, low in 0 to high

zones
  pool: tiles seen by everyone, holds the set
  each player's hand: tiles seen by its owner

define large(DEFINED): 10 ^ (b's high * 900) > 0

action give(tile) by p
  held: tile in p's hand
  large: large(ASKED)
  then move tile from p's hand to pool
  then when p's hand is empty: p wins

deal from pool
  hands: 3 for everyone

end
  due: over

finish
"""


@pytest.mark.parametrize(("defined", "asked"), [("b: tile", "tile"), ("a, b: tile", "0-0, tile")])
def test_one_tile_whose_number_is_too_large_costs_the_others_nothing(defined: str, asked: str) -> None:
    text = TEXT.replace("DEFINED", defined).replace("ASKED", asked)
    machine = Machine(instantiate(RuleText("large", text).rule_set(), 2, {}))
    numbers = {kind.name: number for number, kind in enumerate(machine.instance.kinds)}
    state = machine.new_state()
    hands = [[numbers[name] for name in hand] for hand in (("0-0", "1-0", "2-0"), ("1-1", "2-1", "2-2"))]
    machine.apply("deal", state, (0, hands, None))
    failed = {name: machine.check("give", state, (0, numbers[name])) for name in ("0-0", "1-0", "2-0")}
    conditions = [c.name for c in machine.actions["give"].conditions]
    assert [failed["0-0"], failed["1-0"]] == [-1, -1]
    assert conditions[failed["2-0"]] == "large"
