"""The order of values in memory, and lists that are kept in it.

Input: types. Output: names of functions that compare two values, that sort a list, and that take a member out of one.
Guarantee: the order is that of the rounds of a loop (7.9): numbers from the lowest, tiles in the order of the set, bags
and melds by their sorted members, equal melds by their label, none first. Two values are equal if none is before the
other. A list is its length, then its members; lists inside of values are sorted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from golpae.ir.types import (
    TILES,
    Bag,
    Bool,
    Choice,
    Each,
    Int,
    Meld,
    NoneType,
    Opt,
    Patterns,
    Points,
    Seat,
    Tile,
    Type,
)
from golpae.kernel.emit.bags import any_of
from golpae.kernel.emit.parts import Parts
from golpae.kernel.language.code import Expr, Lit
from golpae.kernel.language.writer import (
    ONE,
    ZERO,
    Writer,
    add,
    both,
    call,
    either,
    eq,
    ge,
    le,
    load,
    lt,
    mul,
    ne,
    select,
    sub,
    without,
    xor,
)
from golpae.kernel.layout import WORD, Layout, is_planar, is_scalar
from golpae.kernel.unsupported import NotCompiled


def comparing(parts: Parts, kind: Type) -> str:
    """Return the name of a function from two addresses to -1 if the first value comes before the other, 0 or 1."""

    def write(writer: Writer) -> None:
        _compare(writer, parts, kind, writer.param(0), writer.param(1))
        writer.give(ZERO)

    return _made(parts, f"compare:{kind}", 2, 1, write)


def _made(parts: Parts, name: str, params: int, results: int, write: Callable[[Writer], None]) -> str:
    if name not in parts.functions:
        writer = Writer(name, params, results)
        write(writer)
        parts.functions[name] = writer.function()
    return name


def _compare(writer: Writer, parts: Parts, kind: Type, a: Expr, b: Expr) -> None:
    """Write that -1 or 1 is given if two values differ."""
    layout = parts.layout
    if is_scalar(kind):
        one, other = writer.let(load(8, a)), writer.let(load(8, b))
        with writer.when(ne(one, other)):
            writer.give(select(lt(one, other), Lit(-1), ONE))
        return
    match kind:
        case Bag(item) if is_planar(item):
            _compare_planes(writer, layout, kind, a, b)
        case Bag(item):
            _compare_lists(writer, parts, item, a, b)
        case Meld():
            _compare_planes(writer, layout, TILES, add(a, Lit(WORD)), add(b, Lit(WORD)))
            one, other = writer.let(load(8, a)), writer.let(load(8, b))
            with writer.when(ne(one, other)):
                writer.give(select(lt(one, other), Lit(-1), ONE))
        case Opt(item):
            one, other = writer.let(load(8, a)), writer.let(load(8, b))
            with writer.when(ne(one, other)):
                writer.give(select(other, Lit(-1), ONE))
            with writer.when(one):
                _compare(writer, parts, item, writer.let(add(a, Lit(WORD))), writer.let(add(b, Lit(WORD))))
        case Each(item):
            for seat in range(layout.players):
                offset = Lit(seat * layout.slots(item, True) * WORD)
                _compare(writer, parts, item, writer.let(add(a, offset)), writer.let(add(b, offset)))
        case Bool() | Int() | Seat() | Tile() | Choice() | NoneType() | Points() | Patterns():
            raise NotCompiled("scores or patterns that are put in order")


def _compare_planes(writer: Writer, layout: Layout, kind: Bag, a: Expr, b: Expr) -> None:
    """Write it for bags in planes: the lowest member decides of which one of them has more copies."""
    planes, words = range(layout.planes(kind.item, True)), range(layout.words(kind.item))
    one, other = (
        [[writer.let(load(8, at, (p * len(words) + w) * WORD)) for w in words] for p in planes]
        for at in (a, b)
    )
    for w in words:
        differ = writer.let(any_of([xor(one[p][w], other[p][w]) for p in planes]))
        with writer.when(differ):
            bit = both(differ, sub(ZERO, differ))
            above = writer.let(xor(either(bit, sub(bit, ONE)), Lit(-1)))
            more = writer.let(both(any_of([without(one[p][w], other[p][w]) for p in planes]), bit))
            behind = [
                writer.let(any_of([both(side[0][w], above), *side[0][w + 1 :]])) for side in (one, other)
            ]
            # who has more of it comes first, unless the other one has no member left: the beginning comes first
            writer.give(select(more, select(behind[1], Lit(-1), ONE), select(behind[0], ONE, Lit(-1))))


def _compare_lists(writer: Writer, parts: Parts, item: Type, a: Expr, b: Expr) -> None:
    compare, stride = comparing(parts, item), parts.layout.slots(item, True) * WORD
    one, other = writer.let(load(8, a)), writer.let(load(8, b))
    least = writer.let(select(lt(one, other), one, other))

    def each(at: Expr) -> None:
        offset = writer.let(add(mul(at, Lit(stride)), Lit(WORD)))
        order = writer.let(call(compare, add(a, offset), add(b, offset)))
        with writer.when(order):
            writer.give(order)

    _counting(writer, least, each)
    with writer.when(ne(one, other)):
        writer.give(select(lt(one, other), Lit(-1), ONE))


def _counting(writer: Writer, many: Expr, run: Callable[[Expr], None]) -> None:
    at = writer.var(0)
    with writer.block() as done, writer.loop() as again:
        writer.leave(done, ge(at, many))
        run(at)
        writer.set(at, add(at, ONE))
        writer.leave(again)


LONG = (
    701,
    301,
    132,
    57,
    23,
    10,
    4,
    1,
)  # distances between members that are compared, for a long list (Shell's sort)


def sorting(parts: Parts, item: Type, distances: Sequence[int] = (1,)) -> str:
    """Return the name of a function that sorts the list at an address."""
    layout = parts.layout
    stride = layout.slots(item, True) * WORD

    def write(writer: Writer) -> None:
        compare, apart = comparing(parts, item), Lit(layout.allocate(stride // WORD))
        address = writer.param(0)

        def sink(number: Expr, distance: int) -> None:
            """Move a member to the front as long as the one at a distance before it is larger."""
            place = writer.var(add(add(address, Lit(WORD)), mul(number, Lit(stride))))
            left = writer.var(number)
            with writer.block() as done, writer.loop() as again:
                writer.leave(done, lt(left, Lit(distance)))
                before = writer.let(sub(place, Lit(distance * stride)))
                writer.leave(done, le(call(compare, before, place), ZERO))
                writer.copy(apart, place, Lit(stride))
                writer.copy(place, before, Lit(stride))
                writer.copy(before, apart, Lit(stride))
                writer.set(place, before)
                writer.set(left, sub(left, Lit(distance)))
                writer.leave(again)

        for distance in distances:
            _counting(writer, load(8, address), partial(sink, distance=distance))

    return _made(parts, f"sort:{item}:{len(distances)}", 1, 0, write)


def removing(parts: Parts, item: Type) -> str:
    """Return the name of a function that takes a member which equals a value out of a list: 1 if there was one.

    Its arguments are the addresses of the list and of the value.
    """
    stride = parts.layout.slots(item, True) * WORD

    def write(writer: Writer) -> None:
        compare = comparing(parts, item)
        address, value = writer.param(0), writer.param(1)
        many = writer.let(load(8, address))

        def each(at: Expr) -> None:
            place = writer.let(add(add(address, Lit(WORD)), mul(at, Lit(stride))))
            with writer.when(eq(call(compare, place, value), ZERO)):
                writer.store(8, address, sub(many, ONE))
                behind = mul(sub(sub(many, ONE), at), Lit(stride))
                writer.copy(place, add(place, Lit(stride)), behind)
                writer.give(ONE)

        _counting(writer, many, each)
        writer.give(ZERO)

    return _made(parts, f"remove:{item}", 2, 1, write)
