"""Games at random are played once, and are the same for all who ask."""

from __future__ import annotations

from pathlib import Path

import pytest

from golpae.elaborate.check import elaborate
from golpae.elaborate.instance import instantiate
from golpae.ir.limits import TooManySteps
from golpae.replay import simulate
from golpae.replay.machine import Machine
from golpae.replay_bridge import symbolic_state
from golpae.verify.sample_states import PlayedGames
from tests.verify.shells import SHELLS

pytestmark = pytest.mark.solver


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    file = tmp_path / "shells.golpae"
    file.write_text(SHELLS, encoding="utf-8")
    return Machine(instantiate(elaborate("shells", [file]), 2, {}))


def said(played: PlayedGames, games: int) -> list[str]:
    return [repr(symbolic_state(played.machine, state)) for state in played.states(games)]


def test_the_first_games_are_the_same_however_many_follow(machine: Machine) -> None:
    few = said(PlayedGames(machine, 1), 2)
    played = PlayedGames(machine, 1)
    more = said(played, 5)
    assert 0 < len(few) < len(more)
    assert few == said(played, 2) == more[: len(few)]
    assert said(PlayedGames(machine, 2), 5) != more


def test_games_are_played_once(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    played = PlayedGames(machine, 1)
    more = said(played, 5)
    monkeypatch.delattr(simulate, "play")
    assert said(played, 4) == more[: len(said(played, 4))]


def test_games_that_take_too_long_end_for_all_who_ask(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def play(*_: object, **__: object) -> object:
        raise TooManySteps("throw.turn", 1)

    monkeypatch.setattr(simulate, "play", play)
    played = PlayedGames(machine, 1)
    for _ in range(2):
        states = played.states(3)
        next(states)
        with pytest.raises(TooManySteps):
            list(states)
