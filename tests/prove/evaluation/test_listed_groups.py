"""Groups of shapes that are a test of all their tiles: those that the prover lists are those that the test holds of."""

from __future__ import annotations

from itertools import combinations_with_replacement

import pytest

from golpae.elaborate.instance import instantiate
from golpae.prove.evaluation import shapes
from golpae.prove.evaluation.evaluator import Evaluator
from golpae.prove.symbolic.symbol_factory import SymbolFactory
from golpae.replay.machine import Machine
from golpae.replay_bridge import ReplayShapes
from tests.prove.meanings import rule_set_of
from tests.prove.probe import rule_set

TESTS = {
    "(every t in it: t not in single) and size of kinds of it = 5": 10,
    "(every t in it: t not in single) and size of kinds of it = 4": 5,
    "size of kinds of it >= 6": 10,
    "size of kinds of it <= 4 and (every t, u in it: t /= u or t in reds or t in blues)": 5,
    "size of kinds of it = 7": 0,
}


@pytest.mark.parametrize("test", TESTS)
def test_the_groups_of_a_shape_that_counts_kinds_are_listed(test: str) -> None:
    machine = Machine(instantiate(rule_set(f"\nshape many of 8: {test}\n"), 2, {}))
    evaluator = Evaluator(machine.instance, ReplayShapes(machine), SymbolFactory(""))
    listed = {group.tiles for group in evaluator.shapes.groups("many")}
    copies = [kind.copies for kind in machine.instance.kinds]
    bags = combinations_with_replacement(range(len(copies)), 8)
    in_set = (bag for bag in bags if all(bag.count(kind) <= copies[kind] for kind in bag))
    assert listed == {bag for bag in in_set if ReplayShapes(machine).holds(bag, None, "many")}
    assert len(listed) == TESTS[test]


LIKES = """game likes "Likes"

players 2 to 2

tiles
  reds: three of each r1 r2 r3
  odd: one of each o1 like r1

zones
  pool: tiles seen by nobody, holds the set
  each player's hand: tiles seen by its owner

deal from pool
  hands: 1 for everyone

end
  due: pool is empty "not yet"

shape many of """
OF_FACES = {
    "every t, u in it: t = u": 3,
    "every t, u in it: t = u or t = r2 or u = r2": 3,
    "size of kinds of it = 3": 3,
    "size of kinds of it = 2 and (every t in it: t /= r3)": 3,
    "size of kinds of it >= 2": 4,
    "size of kinds of it <= 1": 4,
    "every t in it: t in reds": 2,
}


@pytest.mark.parametrize("test", OF_FACES)
def test_groups_of_tiles_that_count_as_others_are_listed(test: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Adding tile after tile finds the groups that trying all of them finds."""
    machine = Machine(instantiate(rule_set_of(f"{LIKES}{OF_FACES[test]}: {test}\n"), 2, {}))

    def listed() -> set[tuple[int, ...]]:
        evaluator = Evaluator(machine.instance, ReplayShapes(machine), SymbolFactory(""))
        return {group.tiles for group in evaluator.shapes.groups("many")}

    tried = listed()
    monkeypatch.setattr(shapes, "MOST_GROUPS", 0)
    assert listed() == tried
    odd = machine.instance.number("o1")
    assert any(odd in group for group in tried)
