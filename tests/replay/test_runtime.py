"""Operations on bags of tiles."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, islice, permutations
from math import comb
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from golpae.elaborate.check import elaborate
from golpae.elaborate.instance import instantiate
from golpae.ir import expr as ir
from golpae.ir.types import BOOL, INT, TILES
from golpae.orders import distinct_orders
from golpae.replay import runtime
from golpae.replay.machine import Machine
from golpae.replay.runtime import orders, together


@given(st.lists(st.integers(0, 3), max_size=7), st.integers(-1, 8))
def test_every_different_choice_of_tiles_is_listed_once(bag: list[int], size: int) -> None:
    found = [tuple(sorted(choice)) for choice in together(bag, size)]
    assert len(found) == len(set(found))
    assert set(found) == (set(combinations(sorted(bag), size)) if size >= 0 else set())


def test_groups_with_the_same_tiles_are_one_choice() -> None:
    assert len(list(together([[1, 2], [2, 1], [3]], 2))) == 2


def test_choices_are_listed_lazily() -> None:
    whole = list(range(100))
    assert comb(100, 50) > 10**28
    assert [len(choice) for choice in islice(together(whole, 50), 3)] == [50, 50, 50]


@given(st.lists(st.integers(0, 3), max_size=6))
def test_every_different_order_of_tiles_is_given_once_and_the_sorted_one_first(bag: list[int]) -> None:
    found = list(distinct_orders(sorted(bag)))
    assert found[0] == tuple(sorted(bag))
    assert sorted(found) == sorted(set(permutations(bag)))


def test_orders_of_a_long_list_are_given_lazily() -> None:
    whole = list(range(40))
    first = [0, *whole[1:]]
    assert next(orders((0, whole[::-1]), [(1, 40, True)])) == (0, first)


def test_a_list_whose_names_nothing_tells_apart_has_one_order() -> None:
    assert list(orders((0, [3, 1, 2]), [(1, 3, False)])) == [(0, [1, 2, 3])]


def test_a_quantifier_over_several_tiles_takes_them_from_one_bag() -> None:
    machine = Machine(instantiate(elaborate("jjak"), 2, {}))
    a, b = (ir.Const(name, ir.Local("t", TILES.item).type) for name in ("6-6", "2-1"))
    domain = ir.BagOf((a, a, b), TILES)

    def asked(kind: ir.QuantKind, *wanted: ir.Expr) -> object:
        body = ir.Op("bag_eq", (ir.Local("h", TILES), ir.BagOf(wanted, TILES)), BOOL)
        expr = ir.Quant(kind, ("h",), domain, body, BOOL, ir.Const(2, INT))
        return machine.value(expr, machine.new_state(), {})

    assert asked("some", a, a) is True
    assert asked("some", b, b) is False
    assert asked("no", b, b) is True
    assert asked("every", a, b) is False


def test_large_bags_are_subtracted_and_compared_as_small_ones() -> None:
    rng = Random(3)
    for _ in range(200):
        large, small = ([rng.randrange(6) for _ in range(rng.randrange(40))] for _ in range(2))
        rest = Counter(large) - Counter(small)
        assert Counter(runtime.minus(large, small)) == rest
        assert runtime.within(small, large) == (not Counter(small) - Counter(large))


def test_choices_of_several_members_are_all_and_come_once() -> None:
    rng = Random(4)
    for _ in range(200):
        bag = [rng.randrange(4) for _ in range(rng.randrange(7))]
        size = rng.randrange(-1, 8)
        found = [(tuple(sorted(c)), ways) for c, ways in runtime.choices_with_counts(bag, size)]
        expected = Counter(tuple(sorted(c)) for c in combinations(bag, size)) if size >= 0 else Counter()
        assert len(found) == len(expected)
        assert dict(found) == expected
