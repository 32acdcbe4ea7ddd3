"""List the hands that may be laid out as an arrangement: few of all hands.

Input: a machine and the name of an arrangement or a shape.
Output: the numbers of tiles of such hands; the hands themselves, or None if there are too many or no list of them.
Guarantee: every hand of the arrangement is listed. Other hands may be listed too; the caller checks each one.

    2 runs    every two groups of the shape `run` that the set has tiles for
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from golpae.ir import expr as ir
from golpae.ir.ruleset import PartDecl
from golpae.ir.traverse import conjuncts
from golpae.replay.machine import Machine
from golpae.replay.random_deal import set_has

MOST = 300_000  # hands, and ways to add a group to partial hands

Hand = tuple[int, ...]


def hand_sizes(machine: Machine, name: str) -> set[int]:
    """Return how many tiles an arrangement can have; nothing if this machine lacks the arrangement."""
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
    """Return all hands of `size` tiles that may have a shape or an arrangement, each sorted.

    Return None if there is no list.
    """
    hands = _laid_out(machine, name, size)
    return None if hands is None else {hand for hand in hands if len(hand) == size}


def _laid_out(machine: Machine, name: str, most: int) -> set[Hand] | None:
    shapes = machine.shapes
    if name in shapes.arrangements:
        declared = shapes.arrangements[name]
        hands = [_laid_out(machine, member, most) for member in declared.union]
        return union([*hands, _joined(machine, declared.parts, most)] if declared.parts else hands)
    shape = shapes.shapes[name]
    if not shapes.is_whole(name):
        return set(shapes.all_groups(name))
    if shape.test is None:
        return union(_laid_out(machine, member, most) for member in shape.union)
    for part in () if machine.instance.wild else conjuncts(shape.test):
        if isinstance(part, ir.IsShape) and isinstance(part.arg, ir.Local) and part.arg.name == "it":
            return laid_out(machine, part.shape, shape.size)
    return None


def _joined(machine: Machine, parts: Sequence[PartDecl], most: int) -> set[Hand] | None:
    """Return the hands that consist of the groups of all parts, if the set has their tiles."""
    hands: set[Hand] = {()}
    for part in parts:
        groups = _laid_out(machine, part.shape, most)
        for _ in range(part.count):
            if groups is None or len(hands) * len(groups) > MOST:
                return None
            grown = {tuple(sorted(hand + group)) for hand in hands for group in groups}
            hands = {hand for hand in grown if set_has(machine, hand)}
    return hands


def union(sets: Iterable[set[Hand] | None]) -> set[Hand] | None:
    """Return all hands of these sets; None if one of them has no list."""
    out: set[Hand] = set()
    for hands in sets:
        if hands is None:
            return None
        out |= hands
    return out
