"""First values of states may ask for other states and for what lies where, in whatever order the text has them."""

from __future__ import annotations

from pathlib import Path

from golpae.decide.adapt import ReplayShapes
from golpae.elaborate.check import elaborate
from golpae.elaborate.instance import instance
from golpae.prove.encode import Rules
from golpae.prove.evaluate import Evaluator
from golpae.prove.state import Fresh
from golpae.replay.machine import Machine

TEXT = """game odds "Odds"

players 2 to 2

tiles 4 of 2 kinds
  stones: two of each "{size}s" for size in 1 to 2

zones
  bag: tiles seen by nobody, holds the set
  each player's hand: tiles seen by its owner

state of the hand
  twice: number = 2 * once
  once: number = 1 + lying
  lying: number = size of bag
  mover: seat

deal from bag
  hands: 1 for everyone
  then mover := first

action take(tile) by p "take a stone"
  turn: p = mover "it is not {p}'s turn"
  left: tile in bag "{tile} is not there"
  then move tile from bag to p's hand
  then mover := p's right
  then when bag is empty: nobody wins

end
  due: over "the hand is not over"
"""


def machine(folder: Path) -> Machine:
    (folder / "odds.golpae").write_text(TEXT, encoding="utf-8")
    return Machine(instance(elaborate("odds", [folder]), 2, {}))


def test_a_state_may_begin_with_one_that_stands_below_it(tmp_path: Path) -> None:
    state = machine(tmp_path).new_state()
    assert (state.v_lying, state.v_once, state.v_twice) == (4, 5, 10)


def test_the_prover_begins_with_the_same(tmp_path: Path) -> None:
    played = machine(tmp_path)
    rules = Rules(Evaluator(played.table, ReplayShapes(played), Fresh("")))
    first = rules.first()
    assert {name: first.vars[name] for name in ("lying", "once", "twice")} == {
        "lying": 4,
        "once": 5,
        "twice": 10,
    }
    deal = next(a for a in played.rules.actions if a.kind == "deal")
    (step,) = rules.deals(deal, first)
    assert (step.after.vars["lying"], step.after.vars["twice"]) == (4, 10)
