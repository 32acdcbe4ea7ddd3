"""Policies play any text: their games are legal, and the same every time."""

from __future__ import annotations

import json
import random
from itertools import islice

import pytest

from golpae.elaborate.instance import bounds, instantiate, options_of
from golpae.kernel.language.host import Referred, available
from golpae.kernel.unsupported import NotCompiled
from golpae.replay.machine import Machine
from golpae.simulate import play
from golpae.simulate.compiled import compiled_table
from tests.differential.texts import random_text
from tests.simulate.shared import table_of

NAMES = ("random", "greedy", "towards")
MOST = 100  # events of a game


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


@pytest.mark.skipif(not available(), reason="modules do not run here")
@pytest.mark.parametrize("policy", ["greedy", "towards"])
@pytest.mark.parametrize("seed", range(71_000_000, 71_000_008))
def test_games_of_random_texts_are_the_same_on_both_paths(
    seed: int, policy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(play, "LONGEST", MOST)
    rules, rng = random_text(seed).rule_set(), random.Random(seed)
    machine = Machine(instantiate(rules, rng.choice(bounds(rules, options_of(rules, {}))), {}))
    table = table_of(machine, policy)
    fast = compiled_table(table, traced=True)
    if fast is None:
        return
    for number in range(3):
        try:
            found = [*islice(fast.player.events(seed, number, 1), MOST)]
        except (Referred, NotCompiled):
            continue
        assert found == [(event.action, event.args) for event in table.play(seed, number).events[:MOST]]
