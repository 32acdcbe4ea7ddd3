"""Which tiles can make an arrangement of some others.

Input: an arrangement and tiles. Output: a function from these to the tiles of which one more can make the arrangement.
Guarantee: with any other tile they do not make it. Most tiles are left out as soon as two tiles can be in no group.

Each kind has a list of the groups that it belongs to: entries of the list that the arrangement is searched by. If a
kind is in no group of the tiles that are there, the one tile more has to complete such a group.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import TYPE_CHECKING

from golpae.ir.types import TILE
from golpae.kernel.emit.bags import Bags, any_of
from golpae.kernel.emit.remembering import remembering
from golpae.kernel.emit.scoring.groups import NEXT, entries
from golpae.kernel.emit.values import Bits, Plane
from golpae.kernel.language.code import Expr, Function, Get, Lit
from golpae.kernel.language.writer import (
    ONE,
    ZERO,
    Writer,
    add,
    both,
    count_bits,
    either,
    eq,
    ge,
    is_zero,
    le,
    load,
    mul,
    shl,
    steps,
    without,
)
from golpae.kernel.layout import WORD

if TYPE_CHECKING:
    from golpae.kernel.emit.expressions import Expressions
    from golpae.kernel.emit.scoring.layouts import Layouts, Plan

MOST_LISTED = 1 << 14  # kinds of groups, each for itself
_NODE = 2 * WORD  # the next node, and an entry


def completing(
    layouts: Layouts, tiles: Bits, name: str, expressions: Expressions, beside: bool = False
) -> Plane:
    """Return the tiles that can complete an arrangement, of which groups may lie `beside` these tiles. Raises
    `NotCompiled`.
    """
    groups, writer = layouts.groups, expressions.writer
    planes = (*tiles.planes, *((ZERO,) * groups.words for _ in range(groups.planes)))[: groups.planes]
    size = expressions.bags.size(tiles)
    completing_words = [writer.var(0) for _ in range(groups.words)]
    for plan in layouts.plans(name, expressions):
        function = _function(layouts, plan, expressions)
        fits = le(add(size, ONE), Lit(plan.most))
        if not beside:
            fits = both(ge(add(size, ONE), Lit(plan.least)), fits)
        with writer.when(fits):
            able = [writer.new() for _ in range(groups.words)]
            writer.call_into(able, function, *(word for plane in planes for word in plane))
            for word, more in zip(completing_words, able, strict=True):
                writer.set(word, either(word, more))
    return tuple(writer.let(word) for word in completing_words)


def _function(layouts: Layouts, plan: Plan, expressions: Expressions) -> str:
    """Return the name of the function of one plan."""
    name, groups = f"completing:{plan.name}", layouts.groups
    if name in layouts.parts.functions:
        return name
    searched = f"completed:{plan.name}"
    layouts.parts.functions[name] = _remembered(layouts, name, searched)
    writer = Writer(searched, groups.many, groups.words)
    every = Bags(writer).constant(TILE, groups.words, range(groups.kinds())).planes[0]
    if plan.heads is None:
        writer.give(*every)
    else:
        heads, many_of, is_long, few = _index(layouts, plan.name, plan.heads)
        with writer.when(load(8, ZERO, is_long)):  # the lists are not complete
            writer.give(*every)
        bag = groups.bag([writer.param(i) for i in range(groups.many)])
        able = [writer.var(word) for word in every]
        first = tuple(load(8, ZERO, few + place * WORD) for place in range(groups.words))
        for part in (both, without):  # kinds in few groups first: most often that is enough
            kinds = tuple(part(word, other) for word, other in zip(bag.planes[0], first, strict=True))
            Bags(writer).each(
                kinds, lambda kind: _narrowed(layouts, writer, (heads, many_of), bag, kind, able)
            )
        writer.give(*able)
    layouts.parts.functions[searched] = writer.function()
    return name


def _remembered(layouts: Layouts, name: str, searched: str) -> Function:
    """Return a function that calls another one, unless it was called with the same tiles a little before."""
    groups = layouts.groups
    writer = Writer(name, groups.many, groups.words)
    words = [writer.param(place) for place in range(groups.many)]

    def search() -> list[Get]:
        completing_words = [writer.new() for _ in range(groups.words)]
        writer.call_into(completing_words, searched, *words)
        return completing_words

    remembering(layouts.layout, writer, words, groups.words, search)
    return writer.function()


def _narrowed(
    layouts: Layouts, writer: Writer, lists: tuple[int, int], bag: Bits, kind: Expr, able: Sequence[Get]
) -> None:
    """Write that a tile is left out if it completes no group with a kind, unless that is in a group that is there."""
    groups, (heads, many_of) = layouts.groups, lists
    for stmt in steps(layouts.parts.steps, writer.let(load(8, shl(kind, Lit(3)), many_of))):
        writer.put(stmt)
    own = [writer.var(0) for _ in able]
    node = writer.var(load(8, shl(kind, Lit(3)), heads))
    with writer.block() as covered:
        with writer.block() as done, writer.loop(counted=False) as again:
            writer.leave(done, is_zero(node))
            tiles = groups.tiles_of(writer, writer.let(load(8, node, WORD)))
            lacking = [
                tuple(writer.let(without(word, there)) for word, there in zip(plane, held, strict=True))
                for plane, held in zip(tiles.planes, bag.planes, strict=True)
            ]
            many = writer.let(reduce(add, (count_bits(word) for plane in lacking for word in plane)))
            writer.leave(covered, is_zero(many))
            with writer.when(eq(many, ONE)):
                for place, word in enumerate(own):
                    writer.set(word, either(word, any_of([plane[place] for plane in lacking])))
            writer.set(node, load(8, node, NEXT))
            writer.leave(again)
        for word, more in zip(able, own, strict=True):
            writer.set(word, both(word, more))
        with writer.when(is_zero(any_of(able))):
            writer.give(*able)


def _index(layouts: Layouts, plan: str, listed: int) -> tuple[int, int, int, int]:
    """Return where the lists of all kinds begin, and how long each is; where it says if there was no room for them; and
    the kinds that are in fewer groups than others.
    """
    groups, layout = layouts.groups, layouts.layout
    heads, is_long, used = groups.heads(), layout.allocate(1), layout.allocate(1)
    many_of, few = groups.heads(), layout.allocate(groups.words)
    pool = layout.allocate(MOST_LISTED * _NODE // WORD)
    writer = Writer(f"kinds:{plan}", 0, 0)
    with entries(writer, listed, groups.kinds()) as entry:

        def put(kind: Expr) -> None:
            many = writer.let(load(8, ZERO, used))
            with writer.when(ge(many, Lit(MOST_LISTED))):
                writer.store(8, ZERO, ONE, is_long)
                writer.give()
            writer.store(8, ZERO, add(many, ONE), used)
            node = writer.let(add(shl(many, Lit(4)), Lit(pool)))
            head = writer.let(shl(kind, Lit(3)))
            writer.store(8, node, load(8, head, heads), NEXT)
            writer.store(8, node, entry, WORD)
            writer.store(8, head, node, heads)
            writer.store(8, head, add(load(8, head, many_of), ONE), many_of)

        Bags(writer).each(groups.tiles_of(writer, entry).planes[0], put)
    kind = writer.var(0)
    with writer.block() as done, writer.loop() as again:
        writer.leave(done, ge(kind, Lit(groups.kinds())))
        own = load(8, shl(kind, Lit(3)), many_of)
        with writer.when(le(mul(own, Lit(groups.kinds())), load(8, ZERO, used))):
            for place, bit in enumerate(Bags(writer).bit(writer.let(kind), groups.words)):
                writer.store(8, ZERO, either(load(8, ZERO, few + place * WORD), bit), few + place * WORD)
        writer.set(kind, add(kind, ONE))
        writer.leave(again)
    layouts.parts.prepare(writer.function())
    return heads, many_of, is_long, few
