"""Which patterns bring which is found, and nothing else is."""

from __future__ import annotations

from golpae.elaborate.instance import instantiate
from golpae.prove.pattern_matrix import Matrix, matrix
from golpae.prove.solving.solver import Solver
from golpae.prove.theorem import Theorems
from golpae.replay.machine import Machine
from golpae.verify.replay_bridge import ReplayShapes
from tests.prove.test_theorem import rule_set

TEXT = """
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


def found(text: str = TEXT) -> Matrix:
    table = instantiate(rule_set(text), 2, {})
    machine = Machine(table)
    theorems = Theorems(table, ReplayShapes(machine), Solver())
    evaluator, ways = theorems.scoring.ways("worth")
    patterns = [p.name for p in table.rule_set.scores[0].patterns]
    return matrix(theorems.solver, evaluator, "worth", patterns, ways)


def test_a_pattern_brings_what_holds_in_every_way_that_has_it() -> None:
    assert found().brings == {
        "red": frozenset({"some-red"}),
        "some-red": frozenset(),
        "blue": frozenset(),
        "own": frozenset(),
    }


def test_patterns_exclude_one_another_where_no_way_has_both() -> None:
    excludes = found().excludes
    assert excludes["blue"] == {"red", "some-red"}
    assert excludes["own"] == frozenset()


def test_a_pattern_that_cannot_be_is_never() -> None:
    assert found().never == {"none-at-all"}
    assert found().unknown == ()


def test_what_a_hand_is_is_asked_with_all_the_hands_that_are_it() -> None:
    patterns = TEXT.replace(
        "  pattern own", "  pattern laid 1: hand is pairs\n  pattern mixed 1: hand is one-each\n  pattern own"
    )
    made = found(
        patterns
        + "arrangement one-each: 1 red-twin and 1 blue-twin\nshape blue-twin(a, b): a = b and a in blues\n"
    )
    assert made.unknown == ()
    assert made.brings["red"] == {"some-red", "laid"}
    assert made.brings["mixed"] == {"some-red", "laid"}
    assert made.excludes["mixed"] == {"red", "blue"}
