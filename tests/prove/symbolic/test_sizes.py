"""The size of a bag that operations made is the sum of its counts, in every state that they can happen in."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import z3

from golpae.prove.symbolic.symbol_factory import SymbolFactory
from golpae.prove.symbolic.values import (
    EMPTY,
    Bag,
    Truth,
    bag_minus,
    bag_of,
    bags_same,
    conj,
    equal,
    first_of,
    iff,
    implies,
    ite,
    joined,
    negate,
    of_size,
    size,
    total_of,
    within,
    without,
)

MOST = {0: 1, 1: 2, 2: 1}
Made = Callable[[SymbolFactory, Bag, Bag], Bag]


def tile(symbols: SymbolFactory, *more: None) -> object:
    return symbols.of("tile", [*MOST, *more])


MADE: dict[str, Made] = {
    "both": lambda symbols, one, other: joined(one, other),
    "less": lambda symbols, one, other: without(one, other),
    "one less": lambda symbols, one, other: without(one, bag_of([tile(symbols)])),
    "one or none less": lambda symbols, one, other: without(one, bag_of([tile(symbols, None)])),
    "two tiles": lambda symbols, one, other: bag_of([tile(symbols), tile(symbols, None)]),
    "either": lambda symbols, one, other: ite(symbols.truth("which"), one, other),
    "first two": lambda symbols, one, other: first_of(one, 2),
    "first some": lambda symbols, one, other: first_of(one, symbols.number("some")),
}


def two_bags(symbols: SymbolFactory) -> tuple[Bag, Bag]:
    """Return two unknown bags with sizes of their own."""
    bags = []
    for name in ("one", "other"):
        bag, is_size = of_size(symbols.bag(name, dict(MOST)), symbols.number("size"))
        symbols.fact(is_size)
        bags.append(bag)
    return bags[0], bags[1]


def is_valid(truth: Truth, symbols: SymbolFactory) -> bool:
    solver = z3.Solver()
    solver.add([fact for fact in symbols.facts if fact is not True])
    solver.add(z3.BoolVal(True) if truth is False else z3.Not(z3.BoolVal(True) if truth is True else truth))
    return str(solver.check()) == "unsat"


@pytest.mark.parametrize("made", MADE.values(), ids=MADE)
def test_the_size_is_the_sum_of_the_counts(made: Made) -> None:
    symbols = SymbolFactory("")
    bag = made(symbols, *two_bags(symbols))
    assert is_valid(equal(size(bag), total_of(bag.counts.values())), symbols)


def test_what_is_certainly_there_leaves_the_difference() -> None:
    symbols = SymbolFactory("")
    one, other = two_bags(symbols)
    less = bag_minus(one, other)
    truth = implies(within(other, one), equal(size(less), total_of(less.counts.values())))
    assert is_valid(truth, symbols)


def test_a_bag_is_empty_if_its_size_is_0() -> None:
    symbols = SymbolFactory("")
    one, other = two_bags(symbols)
    nothing = conj(*(equal(count, 0) for count in one.counts.values()))
    assert is_valid(iff(bags_same(one, EMPTY), nothing), symbols)
    assert not is_valid(negate(bags_same(other, EMPTY)), symbols)


def test_the_first_tiles_of_a_bag_are_in_it() -> None:
    symbols = SymbolFactory("")
    one, _ = two_bags(symbols)
    assert is_valid(within(first_of(one, symbols.number("some")), one), symbols)
