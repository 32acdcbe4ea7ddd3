"""Hands that may be laid out as an arrangement: few of all hands, and no other ones need to be looked at.

In: a machine and the name of an arrangement or a shape. Out: how many tiles its hands have, and all of these hands,
and maybe some more: what is asked of them decides. None where there are too many, or where they cannot be listed.

    2 runs    every two groups of the shape `run`, as far as there are tiles
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from golpae.ir import expr as ir
from golpae.ir.ruleset import PartDecl
from golpae.ir.traverse import conjuncts
from golpae.replay.machine import Machine

MOST = 300_000  # hands, and ways to add a group to what there is of them

Hand = tuple[int, ...]


def hand_sizes(machine: Machine, name: str) -> set[int]:
    """How many tiles can be laid out as an arrangement; none where this machine has no such arrangement."""
    shapes = machine.shapes
    declared = shapes.arrangements.get(name)
    if declared is None:
        return set()
    out = {size for member in declared.union for size in hand_sizes(machine, member)}
    if declared.parts:
        sums = {0}
        for part in declared.parts:
            for _ in range(part.count):
                sums = {s + more for s in sums for more in shapes.sizes(part.shape)}
        out |= sums
    return out


def laid_out(machine: Machine, name: str, size: int) -> set[Hand] | None:
    """All hands of so many tiles that may be of a shape or an arrangement, each sorted, and maybe some more.

    None where there are too many, or they cannot be listed.
    """
    hands = _laid_out(machine, name, size)
    return None if hands is None else {hand for hand in hands if len(hand) == size}


def _laid_out(machine: Machine, name: str, most: int) -> set[Hand] | None:
    shapes = machine.shapes
    if name in shapes.arrangements:
        declared = shapes.arrangements[name]
        found = [_laid_out(machine, member, most) for member in declared.union]
        return union([*found, _joined(machine, declared.parts, most)] if declared.parts else found)
    shape = shapes.shapes[name]
    if not shapes.is_whole(name):
        return set(shapes.groups(name))
    if shape.test is None:
        return union(_laid_out(machine, member, most) for member in shape.union)
    for part in conjuncts(shape.test):
        match part:
            case ir.IsShape(arg=ir.Local(name="it"), shape=other):
                return laid_out(machine, other, shape.size)
            case _:
                pass
    return None


def _joined(machine: Machine, parts: Sequence[PartDecl], most: int) -> set[Hand] | None:
    """Hands of so many groups of each part, as far as there are tiles."""
    kinds = machine.table.kinds
    hands: set[Hand] = {()}
    for part in parts:
        groups = _laid_out(machine, part.shape, most)
        for _ in range(part.count):
            if groups is None or len(hands) * len(groups) > MOST:
                return None
            grown = {tuple(sorted(hand + group)) for hand in hands for group in groups}
            hands = {hand for hand in grown if all(n <= kinds[k].copies for k, n in Counter(hand).items())}
    return hands


def union(sets: Iterable[set[Hand] | None]) -> set[Hand] | None:
    """All hands of these, None where some cannot be listed."""
    out: set[Hand] = set()
    for found in sets:
        if found is None:
            return None
        out |= found
    return out
