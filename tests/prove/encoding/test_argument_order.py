"""Whether it matters which of its tiles an event names first."""

from __future__ import annotations

from itertools import islice, permutations, product

import pytest

from golpae.prove.encoding.conditions import orders
from golpae.prove.encoding.transition_system import TransitionSystem
from tests.compare.games.tiny import TWOS
from tests.prove.shared import both_of


def system_of(condition: str, definition: str = "") -> TransitionSystem:
    text = TWOS.replace("fit: a's high <= 9", f"fit: {condition}")
    return both_of(text.replace("deal from", f"{definition}\n\ndeal from"), 2).system


def order_matters(condition: str, definition: str = "") -> bool:
    system = system_of(condition, definition)
    action = system.rules.action("put")
    assert action is not None
    return system.parameter_choices.is_order_sensitive(action)


@pytest.mark.parametrize(
    ("condition", "definition"),
    [
        ("a's high + b's high = 4", ""),
        ("{a, b} /= {1-1, 2-2}", ""),
        ("pair(a, b)", "define pair(x, y: tile)\n  alike: x = y\n  even: {x, y} = {1-1, 3-3}"),
        ("rises(a, b) or rises(b, a)", "define rises(x, y: tile): x's high < y's high"),
        ("rest(a, b) <= 4", "define rest(x, y: tile): size of pile + size of {x, y}"),
    ],
)
def test_a_symmetric_condition_is_not_order_sensitive(condition: str, definition: str) -> None:
    assert not order_matters(condition, definition)


@pytest.mark.parametrize(
    ("condition", "definition"),
    [
        ("a's high <= b's high", ""),
        ("rises(a, b)", "define rises(x, y: tile): x's high < y's high"),
        ("rest(a) <= 4", "define rest(x: tile): size of pile + x's high"),
        ("{a, a} /= {1-1, 1-1}", ""),
    ],
)
def test_an_asymmetric_condition_is_order_sensitive(condition: str, definition: str) -> None:
    assert order_matters(condition, definition)


def test_an_asymmetric_effect_is_order_sensitive() -> None:
    text = TWOS.replace("then mover := p's right", "then mover := p's right\n  then count := b's high")
    system = both_of(text, 2).system
    action = system.rules.action("put")
    assert action is not None
    assert system.parameter_choices.is_order_sensitive(action)


def test_an_order_sensitive_action_has_a_step_for_each_order() -> None:
    one, other = system_of("a's high <= 9"), system_of("a's high /= b's high + 1")
    steps = []
    for system in (one, other):
        action = system.rules.action("put")
        assert action is not None
        steps.append({(s.names["a"], s.names["b"]) for s in system.steps(action, system.unknown_state())})
    assert sorted(steps[0]) == [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)]
    assert sorted(steps[1]) == [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 0), (2, 2)]


def test_orders_come_one_by_one_as_they_are_tried() -> None:
    lists = [(2, 1, 2), (5, 4)]
    expected = [[*map(tuple, pair)] for pair in product(*(sorted(set(permutations(t))) for t in lists))]
    assert [*orders(lists)] == expected
    assert len([*islice(orders([tuple(range(40))]), 100)]) == 100
