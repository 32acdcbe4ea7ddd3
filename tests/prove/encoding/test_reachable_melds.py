"""The groups that can lie in zones, and the states of which nothing is said."""

from __future__ import annotations

from pathlib import Path

from golpae.elaborate.check import elaborate
from golpae.elaborate.instance import instantiate
from golpae.prove.encoding.reachable_melds import find_reachable_melds
from golpae.prove.encoding.transition_system import TransitionSystem
from golpae.prove.evaluation.evaluator import Evaluator
from golpae.prove.symbolic.symbol_factory import SymbolFactory
from golpae.replay.machine import Machine
from golpae.replay_bridge import ReplayShapes
from tests.cli.table import PUT


def system_of(text: Path) -> TransitionSystem:
    machine = Machine(instantiate(elaborate("put", [text]), 2, {}))
    system = TransitionSystem(Evaluator(machine.instance, ReplayShapes(machine), SymbolFactory("")))
    find_reachable_melds(system)
    return system


def test_a_state_without_an_encoding_is_noted_though_no_action_makes_a_group(tmp_path: Path) -> None:
    text = tmp_path / "put.golpae"
    states = "state of the match\n  score-of: each player's number or none = none\n\ndeal"
    assert PUT.count("\ndeal") == 1
    text.write_text(PUT.replace("\ndeal", f"\n{states}"), encoding="utf-8")
    system = system_of(text)
    assert system.states.groups_complete
    assert system.states.blank == {"score-of"}
