"""Ways to score a hand, noted one behind the other; and the one that is shown, of the best.

Input: a way that counts, as the function that counts it has it. Output: code that notes it.
Guarantee: every way that counts is noted; a hand with more than `MOST_WAYS` is referred.

A note is, word by word: the number of the arrangement, how many groups of each part were cut from the hand, the total,
a bit for each pattern that counts, the points of these, and the label and the tiles of each group.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from golpae.kernel.emit.scoring.layouts import Layouts, Plan
from golpae.kernel.language.code import Expr, Lit
from golpae.kernel.language.limits import Limit
from golpae.kernel.language.writer import (
    ONE,
    ZERO,
    Writer,
    add,
    both,
    either,
    ge,
    is_zero,
    load,
    lowest_bit,
    shl,
    sub,
)
from golpae.kernel.layout import BITS, WORD

MOST_WAYS = 32  # of one hand


@dataclass(frozen=True, slots=True)
class ShownWay:
    """Where the best way lies that is shown: what each pattern counts, `NO_NUMBER` without; the number of its
    arrangement, of those of the score; its groups, as slots hold them.
    """

    points: int
    arrangement: int
    groups: int


@dataclass(frozen=True, slots=True)
class WayNotes:
    """Where the ways of a score are noted: at the address that lies at `next`; the number of them lies at `many`."""

    score: str
    arrangements: tuple[str, ...]
    next: int
    many: int


def words_of_patterns(patterns: int) -> int:
    """Return how many words have a bit for each pattern."""
    return -(-patterns // BITS)


def most_words(patterns: int, groups: int, tiles: int) -> int:
    """Return how many words a note has at most, of a way with so many groups; `tiles` words say which tiles."""
    return 3 + words_of_patterns(patterns) + patterns + groups * (1 + tiles)


@dataclass(frozen=True, slots=True)
class WayValues:
    """A way: its groups lie at `slots`, and what each of its `patterns` holds at `points`; `kept` says which count."""

    plan: Plan
    slots: int
    left: Expr
    total: Expr
    kept: Mapping[int, Expr]
    points: int
    patterns: int


def note_way(writer: Writer, notes: WayNotes, layouts: Layouts, way: WayValues) -> None:
    """Write that a way is noted."""
    many = writer.let(load(8, ZERO, notes.many))
    writer.refer_if(ge(many, Lit(MOST_WAYS)), Limit.WAYS)
    writer.store(8, ZERO, add(many, ONE), notes.many)
    at = writer.var(load(8, ZERO, notes.next))
    masks = []
    for first in range(0, way.patterns, BITS):
        mask: Expr = ZERO
        for place in range(first, min(first + BITS, way.patterns)):
            mask = either(mask, shl(way.kept.get(place, ZERO), Lit(place - first)))
        masks.append(writer.let(mask))

    def put(words: Sequence[Expr]) -> None:
        for place, word in enumerate(words):
            writer.store(8, at, word, place * WORD)
        writer.set(at, add(at, Lit(len(words) * WORD)))

    put([Lit(notes.arrangements.index(way.plan.name)), way.left, way.total, *masks])
    for word, mask in enumerate(masks):
        waiting = writer.var(mask)
        with writer.block() as done, writer.loop() as again:
            writer.leave(done, is_zero(waiting))
            writer.store(8, at, load(8, shl(lowest_bit(waiting), Lit(3)), way.points + word * BITS * WORD))
            writer.set(at, add(at, Lit(WORD)))
            writer.set(waiting, both(waiting, sub(waiting, ONE)))
            writer.leave(again)
    for group in range(way.plan.groups):
        slot = way.slots + group * layouts.slot
        put([load(8, ZERO, slot + place * WORD) for place in range(1 + layouts.groups.many)])
    writer.store(8, ZERO, at, notes.next)
