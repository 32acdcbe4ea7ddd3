"""The cards of a trick are said with the last one, which is moved on in the same event."""

from __future__ import annotations

import random
from pathlib import Path

from golpae.elaborate.check import elaborate
from golpae.elaborate.instance import instantiate
from golpae.replay.machine import Machine
from golpae.replay.simulate import play
from golpae.simulate.onlooker import Look, Onlooker
from golpae.simulate.position import Positions

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


def test_the_rest_of_a_trick_is_gathered_with_its_last_card() -> None:
    machine = Machine(instantiate(elaborate("fair-cards", [EXAMPLES]), 4, {}))
    positions, onlooker = Positions(machine), Onlooker(machine, Look("table", 0))
    state, tricks, on_table = machine.new_state(), 0, list[str]()
    before = positions.flat(state)
    for line in play(machine, machine.new_state(), random.Random(3)):
        assert machine.steps[line["do"]](state, line) is None
        after = positions.flat(state)
        if line["do"] == "play":
            gathered = onlooker.gathered(before, after, line)
            assert sorted(gathered) == (sorted(on_table) if len(on_table) == 3 else [])
            tricks += bool(gathered)
            on_table = [] if gathered else [*on_table, line["tile"]]
        before = after
    assert tricks == 13
