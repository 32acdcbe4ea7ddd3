"""A small rule text for the tests of the prover, and theorems about it."""

from __future__ import annotations

import tempfile
from pathlib import Path

from golpae.elaborate.check import elaborate
from golpae.elaborate.instance import instantiate
from golpae.ir.ruleset import RuleSet
from golpae.prove.answer import Answer
from golpae.prove.solving.solver import Solver
from golpae.prove.theorem import Theorems
from golpae.replay.machine import Machine
from golpae.replay_bridge import ReplayShapes

START = """game probe "A probe" [1]
source 1 "A source"

players 2 to 2

tiles
  reds: two of each r1 r2 r3
  blues: two of each b1 b2
  single: one of each x

zones
  pool: tiles seen by nobody, holds the set
  each player's hand: tiles seen by its owner

deal from pool
  hands: 1 for everyone

end
  due: pool is empty "not yet"

define mates(a, b: tile)
  same: a = b and a /= x
  odd: {a, b} = {r1, b2}
"""


SCORE = """
score worth
  given
    hand: tiles
    drawn: yes or no
  hand: hand
  as: pairs
  total: sum
  pattern red 2: every s in twins: s is red-twin
  pattern some-red 1: some s in twins: s is red-twin
  pattern blue 1: no s in twins: s is red-twin
  pattern own 1: drawn
  pattern none-at-all 5: size of twins = 3

shape twin(a, b): a = b
shape red-twin(a, b): a = b and a in reds
arrangement pairs: 2 twins
"""


def rule_set(more: str) -> RuleSet:
    """Return the probe with more declarations."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "probe.golpae"
        path.write_text(START + more, encoding="utf-8")
        return elaborate("probe", [Path(folder)])


def theorems_of(rules: RuleSet) -> Theorems:
    """Return the theorems of a rule set for two players."""
    instance = instantiate(rules, 2, {})
    return Theorems(instance, ReplayShapes(Machine(instance)), Solver())


def answer_to(statement: str, more: str = "") -> Answer:
    """Return what the prover answers to a statement about the probe."""
    rules = rule_set(f"{more}\ntheorem goal: {statement}\n")
    return theorems_of(rules).prove("goal", rules.properties[0].expr)
