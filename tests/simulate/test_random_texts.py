"""Policies play any text: their games are legal, and the same every time."""

from __future__ import annotations

import json
import random

import pytest

from golpae.elaborate.instance import bounds, instantiate, options_of
from golpae.replay.machine import Machine
from golpae.simulate import play
from tests.differential.texts import random_text
from tests.simulate.shared import table_of

NAMES = ("random", "greedy", "towards")


@pytest.mark.parametrize("seed", range(70_000_000, 70_000_012))
def test_policies_play_random_texts_by_their_rules(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "LONGEST", 120)
    rules, rng = random_text(seed).rule_set(), random.Random(seed)
    machine = Machine(instantiate(rules, rng.choice(bounds(rules, options_of(rules, {}))), {}))
    mixed = tuple(rng.choice(NAMES) for _ in range(machine.instance.players))
    for names in (*((name,) for name in NAMES), mixed):
        table = table_of(machine, *names)
        for number in range(2):
            game, state = table.play(seed, number, hands=2), machine.new_state()
            for line in game.lines(machine):
                assert machine.steps[line["do"]](state, json.loads(json.dumps(line))) is None
            assert table_of(machine, *names).play(seed, number, hands=2) == game
