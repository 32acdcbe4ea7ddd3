"""Choices of a number of tiles of a bag, and every bag of the set, in the order of their lists.

Input: a bag and a number, or a key. Output: code that is run for each choice.
Guarantee: each choice of the same tiles comes once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING

from golpae.ir.types import TILE
from golpae.kernel.emit.values import Bits
from golpae.kernel.language.code import Expr, Lit
from golpae.kernel.language.writer import (
    ONE,
    ZERO,
    Writer,
    add,
    eq,
    ge,
    gt,
    load,
    lt,
    mul,
    ne,
    select,
    shl,
    sub,
)
from golpae.kernel.layout import BITS, WORD, Arg, Layout
from golpae.lower.event_plan import all_bags

if TYPE_CHECKING:
    from golpae.kernel.emit.expressions import Expressions


def going(writer: Writer, first: Expr, end: Expr, run: Callable[[Expr], None]) -> None:
    """Write what happens for each number from one to below another."""
    at, end = writer.var(first), writer.let(end)
    with writer.block() as done, writer.loop() as again:
        writer.leave(done, ge(at, end))
        writer.count_member()
        run(writer.let(at))
        writer.set(at, add(at, ONE))
        writer.leave(again)


def selected(of: Expressions, bag: Bits, size: Expr, then: Callable[[Bits], None]) -> None:
    """Write what happens for each choice of so many tiles of a bag, in the order of their lists.

    The tiles are listed, sorted; the places of the chosen ones are moved on one after the other.
    """
    writer, layout = of.writer, of.layout
    most = len(layout.whole)
    tiles, places = Lit(layout.allocate(most + 1)), Lit(layout.allocate(most + 1))
    size = writer.let(size)
    many = _listed_tiles(of, bag, tiles)
    size = writer.let(select(lt(size, ZERO), ZERO, size))
    all_but_one, gap = writer.let(eq(add(size, ONE), many)), writer.var(size)
    with writer.block() as done:
        writer.leave(done, gt(size, many))
        going(writer, ZERO, size, lambda at: writer.store(8, shl(at, Lit(3)), at, places.value))
        with writer.loop() as again:
            words = layout.words(TILE)
            planes = tuple(tuple(writer.var(0) for _ in range(words)) for _ in range(layout.planes(TILE)))
            for plane in planes:
                for word in plane:
                    writer.set(word, 0)

            def add_one(at: Expr) -> None:
                place = load(8, shl(at, Lit(3)), places.value)
                tile = writer.let(load(8, shl(place, Lit(3)), tiles.value))
                of.collecting.join_into(planes, of.bags.single(TILE, tile, words))

            with writer.when(all_but_one):
                tile = load(8, shl(gap, Lit(3)), tiles.value)
                rest = of.bags.minus(bag, of.bags.single(TILE, writer.let(tile), words))
                for plane, given in zip(planes, of.bags.fitted(rest, len(planes)).planes, strict=True):
                    for word, now in zip(plane, given, strict=True):
                        writer.set(word, now)
            with writer.otherwise():
                going(writer, ZERO, size, add_one)
            then(Bits(TILE, planes))
            # the last place that can move on to another tile, with room for those behind it
            at = writer.var(sub(size, ONE))
            with writer.loop() as back:
                writer.leave(done, lt(at, ZERO))
                place = writer.let(load(8, shl(at, Lit(3)), places.value))
                tile = writer.let(load(8, shl(place, Lit(3)), tiles.value))
                next_place = writer.var(add(place, ONE))
                with writer.block() as result, writer.loop() as on:
                    writer.leave(result, ge(next_place, many))
                    other = load(8, shl(next_place, Lit(3)), tiles.value)
                    writer.leave(result, ne(other, tile))
                    writer.set(next_place, add(next_place, ONE))
                    writer.leave(on)
                with writer.when(gt(add(next_place, sub(size, at)), many)):
                    writer.set(at, sub(at, ONE))
                    writer.leave(back)
            writer.set(gap, at)
            with writer.block() as moved, writer.loop() as move:
                writer.leave(moved, ge(at, size))
                writer.store(8, shl(at, Lit(3)), next_place, places.value)
                writer.set(next_place, add(next_place, ONE))
                writer.set(at, add(at, ONE))
                writer.leave(move)
            writer.leave(again)


def all_parts(of: Expressions, bag: Bits, then: Callable[[Bits], None]) -> None:
    """Write what happens for each part of a bag, in the order of their lists: one that begins another comes first.

    The tiles are listed, sorted. Each list is followed by one that has a further tile; if there is none, the last tile
    that can move on to another kind does. The bag of each list that begins the current one lies in memory.
    """
    writer, layout = of.writer, of.layout
    most, planes, words = len(layout.whole), layout.planes(TILE), layout.words(TILE)
    tiles, places = Lit(layout.allocate(most + 1)), Lit(layout.allocate(most + 1))
    size = planes * words * WORD
    parts = Lit(layout.allocate((most + 1) * planes * words))
    many = _listed_tiles(of, bag, tiles)
    of.bags.store(of.bags.empty(TILE, words), planes, parts)
    length = writer.var(0)
    with writer.block() as done, writer.loop() as again:
        writer.count_member()
        then(of.bags.loaded(TILE, planes, words, writer.let(add(parts, mul(length, Lit(size))))))
        following = writer.var(0)
        with writer.when(length):
            writer.set(following, add(load(8, shl(length, Lit(3)), places.value - WORD), ONE))
        with writer.block() as moved, writer.loop() as back:  # to the last place that can move on
            writer.leave(moved, lt(following, many))
            writer.leave(done, eq(length, ZERO))
            writer.set(length, sub(length, ONE))
            place = writer.let(load(8, shl(length, Lit(3)), places.value))
            before = writer.let(load(8, shl(place, Lit(3)), tiles.value))
            writer.set(following, add(place, ONE))
            with writer.loop() as on, writer.block() as other:
                writer.leave(other, ge(following, many))
                writer.leave(other, ne(load(8, shl(following, Lit(3)), tiles.value), before))
                writer.set(following, add(following, ONE))
                writer.leave(on)
            writer.leave(back)
        writer.store(8, shl(length, Lit(3)), following, places.value)
        tile = writer.let(load(8, shl(following, Lit(3)), tiles.value))
        begun = of.bags.loaded(TILE, planes, words, writer.let(add(parts, mul(length, Lit(size)))))
        longer = of.bags.joined(begun, of.bags.single(TILE, tile, words), planes)
        writer.set(length, add(length, ONE))
        of.bags.store(longer, planes, writer.let(add(parts, mul(length, Lit(size)))))
        writer.leave(again)


def _listed_tiles(of: Expressions, bag: Bits, tiles: Lit) -> Expr:
    """Write the tiles of a bag, sorted, to an address. Return how many there are."""
    writer = of.writer
    many = writer.var(0)

    def put(tile: Expr) -> None:
        def once(_: Expr) -> None:
            writer.store(8, shl(many, Lit(3)), tile, tiles.value)
            writer.set(many, add(many, ONE))

        of.memory.counted(of.bags.copies(tile, bag), once)

    of.bags.each(bag.planes[0], put)
    return many


def any_bag(of: Expressions, arg: Arg, ordered: bool, then: Callable[[], None]) -> None:
    """Write what happens for every bag of tiles in play, in every order if that matters; it lies at the key then."""
    writer, layout = of.writer, of.layout
    bags = all_bags(layout.whole, ordered)
    assert bags is not None
    planes, words = layout.planes(TILE), layout.words(TILE)
    held = bytearray()
    for bag in sorted(bags):
        places = [[0] * words for _ in range(planes)]
        for tile, copies in Counter(bag).items():
            for plane in places[:copies]:
                plane[tile // BITS] |= 1 << tile % BITS
        for word in (word for plane in places for word in plane):
            held += word.to_bytes(WORD, "little")
        if arg.listed:
            listed = b"".join(tile.to_bytes(2, "little") for tile in bag)
            held += len(bag).to_bytes(WORD, "little") + listed.ljust(_listed(layout) - WORD, b"\0")
    table, size = layout.hold(bytes(held)), planes * words * WORD
    stride = size + (_listed(layout) if arg.listed else 0)
    address = arg.address
    if arg.optional or arg.nullable:
        address += WORD

    def one(at: Expr) -> None:
        if address != arg.address:
            writer.store(8, ZERO, ONE, arg.address)
        start = writer.let(add(mul(at, Lit(stride)), Lit(table)))
        writer.copy(Lit(address), start, Lit(size))
        if arg.listed:
            writer.copy(Lit(arg.listed), add(start, Lit(size)), Lit(_listed(layout)))
        then()

    going(writer, ZERO, Lit(len(bags)), one)


def _listed(layout: Layout) -> int:
    """Return how many bytes a list of all tiles takes: their number, then two bytes for each."""
    return WORD * (1 + -(-2 * len(layout.whole) // WORD))
