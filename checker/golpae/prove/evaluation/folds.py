"""Choices of members of a bag, and folds over them.

Input: a bag; for a fold, its members that may pass the test. Output: each choice, or the value of the fold. Guarantee:
no expression is evaluated here, except by the callback `item`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any, assert_never

import z3

from golpae.ir import expr as ir
from golpae.prove.symbolic.values import (
    Bag,
    GuardedUnion,
    Number,
    Truth,
    Value,
    as_bag,
    as_key,
    as_number,
    at_least,
    conj,
    disj,
    equal,
    guarded_union,
    implies,
    is_some,
    ite_number,
    joined,
    members,
    minus,
    negate,
    same,
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


def numbered(values: Sequence[Value], keeps_none: bool) -> tuple[Bag, Sequence[Value]]:
    """Return a bag of places and what is at each, for members of which nobody knows whether they are equal.

    None counts as nothing, unless it is kept.
    """
    counts: list[Number] = []
    at: list[Value] = []
    for value in values:
        some = is_some(value)
        if some is not False:
            counts.append(ite_number(some, 1, 0))
            at.append(value if some is True else as_number(value))
        if keeps_none and some is not True:
            counts.append(ite_number(some, 0, 1))
            at.append(None)
    return Bag(dict(enumerate(counts))), at


def choices(
    names: tuple[str, ...], bag: Bag, bound: Mapping[str, Value], at: Sequence[Value] | None = None
) -> Iterator[tuple[dict[str, Value], dict[Any, int]]]:
    """Return each choice of values for names, with how often the bag has to have which value.

    If the members of the bag are places, `at` has the value that is at each.
    """
    keys = [k for k, _ in bag.items()]
    for chosen in product(keys, repeat=len(names)):
        needed: dict[Any, int] = {}
        for key in chosen:
            needed[key] = needed.get(key, 0) + 1
        if any(_has_fewer(bag.count(k), c) for k, c in needed.items()):
            continue
        values = chosen if at is None else [at[place] for place in chosen]
        yield {**bound, **dict(zip(names, values, strict=True))}, needed


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
    chosen: list[Member],
    item: Callable[[Mapping[str, Value]], Value],
    keeps_none: bool,
) -> Value:
    """Return the value of a fold over chosen members; `item` evaluates the item for a choice.

    `keeps_none`: an item may be none, and counts as a member then.
    """
    match kind:
        case "count":
            return total_of(ite_number(m.test, m.count, 0) for m in chosen)
        case "sum":
            return total_of(ite_number(m.test, times(m.count, as_number(item(m.names))), 0) for m in chosen)
        case "gather":
            parts = []
            for m in chosen:
                inside = as_bag(item(m.names))
                number = ite_number(m.test, m.count, 0)
                parts.append(Bag({k: times(number, n) for k, n in inside.items()}))
            return joined(*parts)
        case "those":
            return joined(*(_bag_of(m.value, ite_number(m.test, m.count, 0)) for m in chosen))
        case "each":
            items = []
            for m in chosen:
                number = ite_number(m.test, m.count, 0)
                for guard, plain in members(item(m.names)):
                    if plain is None and not keeps_none:
                        continue
                    items.append(Bag({as_key(plain): ite_number(guard, number, 0)}))
            return joined(*items)
        case "the":
            return _only(chosen)
        case "most" | "least":
            return _extreme(kind, chosen, item)
        case _:
            assert_never(kind)


def _bag_of(value: Value, number: Number) -> Bag:
    """Return so many copies of a value."""
    return Bag({as_key(plain): ite_number(guard, number, 0) for guard, plain in members(value)})


def _only(chosen: list[Member]) -> Value:
    """Return the value that all members which pass the test have, or none."""
    present = [(m.value, conj(at_least(m.count, 1), m.test)) for m in chosen]
    present = [(k, s) for k, s in present if s is not False]
    if not present:
        return None
    unknown = any(isinstance(k, GuardedUnion | z3.ExprRef) for k, _ in present)
    if unknown or len({k for k, _ in present}) < len(present):
        return _only_value(present)
    one = equal(total_of(ite_number(s, 1, 0) for _, s in present), 1)
    return guarded_union([*((conj(s, one), k) for k, s in present), (negate(one), None)])


def _only_value(present: list[tuple[Value, Truth]]) -> Value:
    """Return the value of the first that is there, if all that are there have the same one, or none."""
    alike = [implies(conj(s, t), same(k, v)) for (k, s), (v, t) in combinations(present, 2)]
    options, first = [], conj(*alike)
    for value, there in present:
        options.append((conj(first, there), value))
        first = conj(first, negate(there))
    none = disj(negate(conj(*alike)), negate(disj(*(s for _, s in present))))
    return guarded_union([*options, (none, None)])


def _extreme(kind: ir.FoldKind, chosen: list[Member], item: Callable[[Mapping[str, Value]], Value]) -> Number:
    """Return the most or the least item; 0 if there is none."""
    some: Truth = False
    best: Number = 0
    for m in chosen:
        here, value = conj(at_least(m.count, 1), m.test), as_number(item(m.names))
        better = at_least(value, best) if kind == "most" else at_least(best, value)
        best = ite_number(conj(here, disj(negate(some), better)), value, best)
        some = disj(some, here)
    return best
