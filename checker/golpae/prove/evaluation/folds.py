"""Choices of members of a bag, and folds over them.

Input: a bag; for a fold, its members that may pass the test. Output: each choice, or the value of the fold. Guarantee:
no expression is evaluated here, except by the callback `item`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any, assert_never

from golpae.ir import expr as ir
from golpae.prove.symbolic.values import (
    Bag,
    Number,
    Truth,
    Value,
    as_bag,
    as_key,
    as_number,
    at_least,
    cases,
    conj,
    disj,
    equal,
    guarded_union,
    ite_number,
    joined,
    minus,
    negate,
    times,
    total_of,
)


@dataclass(frozen=True, slots=True)
class Member:
    """A choice of members that may pass a test: the first one, how often it can be made, the test, and all names."""

    value: Any
    count: Number
    test: Truth
    names: Mapping[str, Value]


def choices(
    names: tuple[str, ...], bag: Bag, bound: Mapping[str, Value]
) -> Iterator[tuple[dict[str, Value], dict[Any, int]]]:
    """Return each choice of values for names, with how often the bag has to have which value."""
    keys = [k for k, _ in bag.items()]
    for chosen in product(keys, repeat=len(names)):
        needed: dict[Any, int] = {}
        for key in chosen:
            needed[key] = needed.get(key, 0) + 1
        if any(_has_fewer(bag.count(k), c) for k, c in needed.items()):
            continue
        yield {**bound, **dict(zip(names, chosen, strict=True))}, needed


def _has_fewer(have: Number, needed: int) -> bool:
    return have.__class__ is int and have < needed


def often(bag: Bag, needed: Mapping[Any, int]) -> Number:
    """Return in how many ways a choice can be made, copies being distinct."""
    number: Number = 1
    for key, count in needed.items():
        for less in range(count):
            number = times(number, minus(bag.count(key), less))
    return number


def fold(
    kind: ir.FoldKind,
    members: list[Member],
    item: Callable[[Mapping[str, Value]], Value],
    keeps_none: bool,
) -> Value:
    """Return the value of a fold over members; `item` evaluates the item for a choice.

    `keeps_none`: an item may be none, and counts as a member then.
    """
    match kind:
        case "count":
            return total_of(ite_number(m.test, m.count, 0) for m in members)
        case "sum":
            return total_of(ite_number(m.test, times(m.count, as_number(item(m.names))), 0) for m in members)
        case "gather":
            parts = []
            for m in members:
                inside = as_bag(item(m.names))
                number = ite_number(m.test, m.count, 0)
                parts.append(Bag({k: times(number, n) for k, n in inside.items()}))
            return joined(*parts)
        case "those":
            return Bag({m.value: ite_number(m.test, m.count, 0) for m in members})
        case "each":
            items = []
            for m in members:
                number = ite_number(m.test, m.count, 0)
                for guard, plain in cases(item(m.names)):
                    if plain is None and not keeps_none:
                        continue
                    items.append(Bag({as_key(plain): ite_number(guard, number, 0)}))
            return joined(*items)
        case "the":
            return _only(members)
        case "most" | "least":
            return _extreme(kind, members, item)
        case _:
            assert_never(kind)


def _only(members: list[Member]) -> Value:
    """Return the value that all members which pass the test have, or none."""
    present = [(m.value, conj(at_least(m.count, 1), m.test)) for m in members]
    present = [(k, s) for k, s in present if s is not False]
    if not present:
        return None
    one = equal(total_of(ite_number(s, 1, 0) for _, s in present), 1)
    return guarded_union([*((conj(s, one), k) for k, s in present), (negate(one), None)])


def _extreme(
    kind: ir.FoldKind, members: list[Member], item: Callable[[Mapping[str, Value]], Value]
) -> Number:
    """Return the most or the least item; 0 if there is none."""
    some: Truth = False
    best: Number = 0
    for m in members:
        here, value = conj(at_least(m.count, 1), m.test), as_number(item(m.names))
        better = at_least(value, best) if kind == "most" else at_least(best, value)
        best = ite_number(conj(here, disj(negate(some), better)), value, best)
        some = disj(some, here)
    return best
