"""A small game for the tests of induction: tiles are put on a pile and, with `TAKE`, taken back."""

from __future__ import annotations

from golpae.elaborate.instance import instantiate
from golpae.ir.ruleset import RuleSet
from golpae.prove.encoding.transition_system import TransitionSystem
from golpae.prove.evaluation.evaluator import Evaluator
from golpae.prove.induction.induction import Induction
from golpae.prove.solving.solver import Solver
from golpae.prove.symbolic.symbol_factory import SymbolFactory
from golpae.replay.machine import Machine
from golpae.replay_bridge import ReplayShapes
from tests.prove.probe import rule_set

PUT = """
state of the hand
  turns: number = 0
  mover: seat or none = none

zones
  pile: row seen by everyone

action put(tile) by p
  turn: mover is none or p = mover
  held: tile in p's hand
  then move tile from p's hand to top of pile
  then mover := p's right
  then turns := turns + 1
"""
TAKE = """
action take(tile) by p
  turn: p = mover
  top: tile = top of pile
  few: p's hand is empty
  then move tile from top of pile to p's hand
  then mover := p's right
  then turns := turns + 1
"""
GAME = PUT + TAKE


def system_of(rules: RuleSet, players: int = 2) -> TransitionSystem:
    """Return the transition system of a rule set."""
    instance = instantiate(rules, players, {})
    return TransitionSystem(Evaluator(instance, ReplayShapes(Machine(instance)), SymbolFactory("")))


def induction_of(text: str) -> Induction:
    """Return the induction of a rule text, without invariants."""
    return Induction(system_of(rule_set(text)), Solver())
