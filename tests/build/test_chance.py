"""Hosts play the games by chance that `golpae simulate` plays."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from golpae.bundled import spec_dir
from golpae.kernel.language.host import available
from golpae.replay.chance import Chance
from golpae.replay.legal_events import Legal
from golpae.replay.machine import Machine
from golpae.replay.machine_cache import Library
from golpae.replay.random_deal import deal_by_chance
from golpae.replay.simulate import written
from golpae.rule_names import loader
from golpae.simulate.asking import by_chance
from golpae.simulate.sight import Sight
from tests.build.games import Modules
from tests.build.hosts import NODE, Task, in_javascript, in_python
from tests.build.reference import Shown

pytestmark = [
    pytest.mark.property,
    pytest.mark.process,
    pytest.mark.skipif(not available(), reason="modules do not run here"),
    pytest.mark.skipif(NODE is None, reason="there is no Node on this machine, which runs JavaScript"),
]


def hand_by_chance(machine: Machine, seed: int, game: int, most: int) -> Iterator[Any]:
    """Yield the events of a hand by chance, at most so many, then the state."""
    chance, legal, state, shown = Chance(seed, game), Legal(machine), machine.new_state(1), Shown(machine)
    sight = Sight(machine)
    event = deal_by_chance(legal, state, chance)
    for _ in range(most):
        if event is None:
            break
        yield written(machine, event)
        machine.apply(event.action, state, event.args)
        events = legal.in_play(state)
        event = by_chance(sight, state, events, chance) if events else None
    yield shown.state(state)


@pytest.mark.parametrize(
    ("rules", "players"),
    [("jjak", 2), ("jjak", 4), ("three-dozen", 3), ("ho-hpai", 3), ("korean-mahjong", 4)],
)
def test_the_same_seed_gives_the_same_hand(rules: str, players: int, tmp_path: Path) -> None:
    machine = Library(loader((spec_dir(),))).machine(rules, players, {})
    assert isinstance(machine, Machine)
    shown, module = Shown(machine), Modules.into(tmp_path).file(machine.instance)
    games = [(2**63 + 5, 2**40), (1, 0), (1, 1)]
    names = tuple(f"P{seat}" for seat in range(players))
    tasks = [Task(module, names, 1, (), chance, most=60) for chance in games]
    found = in_python(tasks)
    assert in_javascript(tasks, tmp_path) == found
    for (seed, game), said in zip(games, found, strict=True):
        expected = [*hand_by_chance(machine, seed, game, 60)]
        assert said[-1] == expected[-1]
        assert len(said) > 10
        assert shown.sorted(_alike(said[:-1])) == shown.sorted(_alike(expected[:-1]))


def _alike(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return events with the hands of deals in the order of the set, in which a module lists them."""
    return [{k: [*map(sorted, v)] if k == "hands" else v for k, v in line.items()} for line in lines]
