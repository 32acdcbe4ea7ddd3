"""First values of state may read other state and zones, in any order of the text."""

from __future__ import annotations

from pathlib import Path

from golpae.elaborate.check import elaborate
from golpae.elaborate.instance import instantiate
from golpae.prove.encoding.transition_system import TransitionSystem
from golpae.prove.evaluation.evaluator import Evaluator
from golpae.prove.symbolic.symbol_factory import SymbolFactory
from golpae.replay.machine import Machine
from golpae.replay_bridge import ReplayShapes
from tests.odds import ODDS

STATES = """state of the hand
  twice: number = 2 * once
  once: number = 1 + lying
  lying: number = size of bag
"""
TEXT = ODDS.replace("state of the hand\n", STATES)


def machine(folder: Path) -> Machine:
    (folder / "odds.golpae").write_text(TEXT, encoding="utf-8")
    return Machine(instantiate(elaborate("odds", [folder]), 2, {}))


def test_a_first_value_may_read_state_that_is_declared_below(tmp_path: Path) -> None:
    state = machine(tmp_path).new_state()
    assert (state.v_lying, state.v_once, state.v_twice) == (4, 5, 10)


def test_the_prover_starts_with_the_same_values(tmp_path: Path) -> None:
    played = machine(tmp_path)
    system = TransitionSystem(Evaluator(played.instance, ReplayShapes(played), SymbolFactory("")))
    first = system.initial_state()
    assert {name: first.vars[name] for name in ("lying", "once", "twice")} == {
        "lying": 4,
        "once": 5,
        "twice": 10,
    }
    deal = next(a for a in played.rules.actions if a.kind == "deal")
    (step,) = system.deals(deal, first)
    assert (step.after.vars["lying"], step.after.vars["twice"]) == (4, 10)
