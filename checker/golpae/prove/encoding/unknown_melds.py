"""What unknown tiles can be that become a meld, if they can be more than is listed one by one.

Input: an expression of the tiles, and their unknown value. Output: groups, each with the condition that they are the
tiles, or None. Guarantee: if all conditions of the action hold, one of the groups has the tiles.

    {tile, a, b} is run      the runs, not all that three tiles can be
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import combinations_with_replacement, product
from math import comb, prod

from golpae.ir import expr as ir
from golpae.ir.ruleset import Action
from golpae.ir.traverse import free
from golpae.prove.encoding.said_by_conditions import shapes_of
from golpae.prove.evaluation.evaluator import Evaluator
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.terms import Unsupported
from golpae.prove.symbolic.values import (
    Bag,
    GuardedUnion,
    MeldValue,
    Truth,
    Value,
    any_of,
    as_bag,
    bag_of,
    bags_same,
    cases,
    conj,
    group_bag,
    joined,
    sub_bags,
    within,
)

MOST = 600  # melds that unknown tiles of one event can be
Options = list[tuple[Truth, tuple[int, ...]]]


def of_shapes(evaluator: Evaluator, tiles: Bag, what: ir.Expr, action: Action | None) -> Options | None:
    """Return the groups of a shape that the tiles have by the conditions of an action; None if none can be listed."""
    for shape in () if action is None else shapes_of(action, what):
        with suppress(Unsupported):
            groups = evaluator.shapes.groups(shape)
            alike = ((bags_same(tiles, group_bag(group)), group.tiles) for group in groups)
            options = [(truth, group) for truth, group in alike if truth is not False]
            if len(options) <= MOST:
                return options
    return None


def by_key(
    evaluator: Evaluator, what: ir.Expr, state: SymbolicState, names: Mapping[str, Value]
) -> Options | None:
    """Return the possible tiles for each value of the names that say which they are; None if they are too many.

    those u in hand: u's face = t's face     for each kind that t can be, the kinds with its face
    """
    unknown = [name for name in sorted(free(what)) if isinstance(names.get(name), GuardedUnion)]
    ways = [[(guard, (name, value)) for guard, value in cases(names[name])] for name in unknown]
    if not ways or prod(map(len, ways)) > MOST:
        return None
    by_tiles: dict[tuple[int, ...], list[Truth]] = {}
    for way in product(*ways):
        tiles = as_bag(evaluator.value(what, state, {**names, **dict(value for _, value in way)}))
        options = sub_bags(tiles, evaluator.copies)
        if options is None:
            return None
        for truth, group in options:
            by_tiles.setdefault(group, []).append(conj(*(guard for guard, _ in way), truth))
    return [(any_of(truths), group) for group, truths in by_tiles.items()]


def groups_with(
    known: Bag, unknown: int, kinds: Sequence[int], said: Sequence[MeldValue] | None
) -> list[MeldValue] | None:
    """Return the groups of some known tiles and so many unknown ones of these kinds, or those of them that are `said`.
    None if they are too many.
    """
    many = len(known.tiles()) + unknown
    if said is not None:
        groups = [group for group in said if len(group.tiles) == many and within(known, group_bag(group))]
        return groups if len(groups) <= MOST else None
    if comb(len(kinds) + unknown - 1, unknown) > MOST:
        return None
    bags = (joined(known, bag_of(tiles)) for tiles in combinations_with_replacement(kinds, unknown))
    return [MeldValue(bag.tiles()) for bag in bags]
