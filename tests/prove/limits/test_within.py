"""Where the condition of an expression holds, replay evaluates the expression without passing a limit."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from golpae.elaborate.instance import Instance, instantiate
from golpae.ir import expr as ir
from golpae.ir.limits import LIMIT, TooLarge, power
from golpae.prove.limits.bounds import largest_base, largest_exponent
from golpae.prove.limits.limits import UNSETTLED, WITHIN, NumberLimits
from golpae.replay.machine import Machine
from golpae.replay.state_layout import var_slot
from tests.prove.limits.texts import DEFINED, STATES, Texts
from tests.prove.meanings import game, rule_set_of

NUMBERS = (0, 1, 2, 3, 7, 60, 999, 1_000, 3_321, 3_322, 10**6, 10**500, 10**999, -1, -2, -50, 1 - 10**1000)
# They set the states to anything.
ANY = """
action set(a: number, b: number) by p "set"
  turn: p = mover "no"
  then n := a
  then m := b
"""


def machine_of(truths: list[str]) -> Machine:
    """Return a machine with properties, and beside them that they have a value."""
    properties = "\n".join(f"always p{number}: {truth}" for number, truth in enumerate(truths))
    text = game(state="n: number = 0\nm: number = 0", actions=ANY, properties=properties, more=DEFINED)
    return Machine(NumberLimits(instantiate(rule_set_of(text), 2, {})).stated())


def values(machine: Machine, expr: ir.Expr, rng: random.Random) -> Iterator[tuple[bool, bool]]:
    """Yield whether the condition of a property holds at a position, and whether it has a value there."""
    limits = NumberLimits(machine.instance)
    prop = next(p for p in machine.rules.properties if p.expr == expr)
    condition = limits.of_property(prop)
    for _ in range(12):
        state = machine.new_state()
        for name in STATES:
            setattr(state, var_slot(name), rng.choice(NUMBERS))
        yield _value(machine, condition, state) is True, _value(machine, expr, state) is not None


def _value(machine: Machine, expr: ir.Expr, state: object) -> object:
    try:
        return machine.value(expr, state, {})
    except TooLarge:
        return None


@pytest.mark.parametrize("seed", range(6))
def test_a_property_has_a_value_where_its_condition_holds(seed: int) -> None:
    texts = Texts(seed)
    machine = machine_of([texts.truth(3) for _ in range(30)])
    seen = set()
    for prop in machine.rules.properties[:30]:
        for holds, has_value in values(machine, prop.expr, texts.rng):
            assert has_value or not holds, prop.expr
            seen.add((holds, has_value))
    assert {(True, True), (False, False)} <= seen


@pytest.mark.parametrize(
    ("truth", "says"),
    [
        ("2 ^ n > 0", [True, True, False]),
        ("n > 4 or 2 ^ n > 0", [True, True, True]),
        ("2 ^ n > 0 or n > 4", [True, True, False]),
        ("some k in {1, 2}: k = 1 or 2 ^ (n * k) > 0", [True, False, False]),
        ("n ^ 3 > 0", [True, True, False]),
        ("n ^ (m + 2) >= 0", [True, True, True]),
    ],
)
def test_a_condition_is_exact_for_a_plain_power(truth: str, says: list[bool]) -> None:
    machine = machine_of([truth])
    limits = NumberLimits(machine.instance)
    condition = limits.of_property(machine.rules.properties[0])
    assert condition not in (WITHIN, UNSETTLED)
    for number, expected in zip((3, 3_000, 10**400), says, strict=True):
        state = machine.new_state()
        setattr(state, var_slot("n"), number)
        assert _value(machine, condition, state) is expected


@pytest.mark.parametrize(
    ("truth", "more", "says"),
    [
        ("2 ^ (size of mover's hand) > 0", "", WITHIN),
        ("2 ^ (sum of t's size for t in tiles) > 0", "", WITHIN),
        ("2 ^ (sum of t's size for t in tiles) * n > 0", "", WITHIN),
        ("10 ^ (10 ^ (size of tiles)) > 0", "", UNSETTLED),
        ("mover's hand is big", "shape big(a): 2 ^ (a's size) > 3", WITHIN),
        ("mover's hand is big", "shape big(a): 2 ^ (10 ^ (a's size)) > 3", UNSETTLED),
        ("size of {1 to size of mover's hand} < 9", "", WITHIN),
    ],
)
def test_tiles_and_players_bound_numbers(truth: str, more: str, says: ir.Expr) -> None:
    coins = 'two of each "{size}c" for size in 1 to 9'
    rules = rule_set_of(
        game(coins=coins, state="n: number = 0", properties=f"always p: {truth}", more=f"\n{more}\n")
    )
    condition = NumberLimits(instantiate(rules, 2, {})).of_property(rules.properties[0])
    assert condition == says or (says == UNSETTLED and condition != WITHIN)


@pytest.mark.parametrize("base", [2, 3, 9, 10, 11, 10**499, 10**500, 10**999, LIMIT - 1])
def test_the_largest_exponent_is_the_last_within_the_limit(base: int) -> None:
    most = largest_exponent(base)
    assert power(base, most) < LIMIT
    with pytest.raises(TooLarge):
        power(base, most + 1)


@pytest.mark.parametrize("exponent", [1, 2, 3, 7, 100, 999, 3_321])
def test_the_largest_base_is_the_last_within_the_limit(exponent: int) -> None:
    most = largest_base(exponent)
    assert power(most, exponent) < LIMIT
    with pytest.raises(TooLarge):
        power(most + 1, exponent)


@pytest.mark.parametrize(
    ("given", "settles"),
    [("tiles", True), ("melds", True), ("list of number", False), ("list of tiles", False)],
)
def test_only_tiles_that_are_given_with_a_score_are_in_the_set(given: str, settles: bool) -> None:
    more = f"""
shape small(a): a = 1c
arrangement one: 1 small
score worth(hand: tiles, more: {given})
  hand: hand
  as: one
  total: sum
  pattern plain 1: 10 ^ (400 * size of more) > 3
"""
    rules = rule_set_of(
        game(coins="one of each 1c 2c", properties="claim p: every way of worth: kept", more=more)
    )
    limits = NumberLimits(instantiate(rules, 2, {}))
    assert (limits.of_property(rules.properties[0]) == WITHIN) == settles


def test_rules_without_powers_are_returned_as_they_are() -> None:
    instance = instantiate(rule_set_of(game(properties="always some-seat: mover = mover")), 2, {})
    assert NumberLimits(instance).stated() is instance
    assert isinstance(replace(instance), Instance)
