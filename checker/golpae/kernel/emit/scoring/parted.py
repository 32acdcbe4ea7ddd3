"""The groups of a shape within tiles, and what can be left of tiles without some of them.

Input: a bag of tiles in planes, and a shape whose groups are listed. Output: a list of bags, each different one once.
Guarantee: the lowest tile of a bag is left, or is in a group that begins with it; all of these are tried. A bag with
more than `MOST_FOUND` is referred, and so is an event that tries too many groups.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from golpae.ir import expr as ir
from golpae.ir.scoring import grows
from golpae.ir.types import TILES
from golpae.kernel.emit.bags import Bags
from golpae.kernel.emit.scoring.groups import NEXT, Groups, entries
from golpae.kernel.emit.scoring.growing import in_set
from golpae.kernel.emit.values import Bits, Stream, Value
from golpae.kernel.language.code import Expr, Lit
from golpae.kernel.language.limits import Limit
from golpae.kernel.language.writer import ONE, ZERO, Writer, add, call, ge, is_zero, load, lt, mul, shl, sub
from golpae.kernel.layout import WORD

if TYPE_CHECKING:
    from golpae.kernel.emit.expressions import Expressions

MOST_FOUND = 1024  # bags
OF_TRY = 4  # steps of a group that is tried


def parted(kind: ir.PartedKind, tiles: Bits, shape: str, of: Expressions) -> Stream:
    """Return the groups of a shape within tiles, or what can be left without some. Raises `NotCompiled`."""
    groups, writer = of.layouts.groups, of.writer
    size = groups.many * WORD
    address = of.layout.allocate(1 + MOST_FOUND * groups.many)
    words = [writer.let(word) for word in groups.flat(of.bags.fitted(tiles, groups.planes))]
    if groups.wild.kinds or grows(shape, groups.shapes):
        writer.refer_if(is_zero(in_set(groups, writer, groups.bag(words))), Limit.COPIES)
    writer.store(8, ZERO, ZERO, address)
    if kind == "within":
        writer.let(call(_within(groups, shape, of), *words, Lit(address)))
    else:
        writer.let(call(_rests(groups, shape, of), *words, *[ZERO] * groups.many, Lit(address)))
    many = writer.let(load(8, ZERO, address))

    def each(run: Callable[[Value, Expr], None]) -> None:
        of.memory.counted(
            many,
            lambda at: run(
                _loaded(groups, writer, writer.let(add(mul(at, Lit(size)), Lit(address + WORD)))), ONE
            ),
        )

    return Stream(TILES, each, many, short=True)


def spread_list(groups: Groups, name: str, of: Expressions) -> int:
    """Return where the list of a shape's groups begins in which wild tiles are as they are. Raises `NotCompiled`."""
    heads, wild = groups.list_of(name, of), groups.wild
    if len(wild.kinds) < 2:
        return heads
    if name not in wild.spread_lists:
        writer, own = groups.parts.writer(f"spread-list:{name}", 0, 0), groups.heads()
        with entries(writer, heads, groups.kinds()) as entry:
            wild.spread(writer, name, groups.tiles_of(writer, entry), own)
        groups.parts.prepare(writer.function())
        wild.spread_lists[name] = own
    return wild.spread_lists[name]


def _loaded(groups: Groups, writer: Writer, address: Expr) -> Bits:
    return groups.bag([writer.let(load(8, address, i * WORD)) for i in range(groups.many)])


def _within(groups: Groups, shape: str, of: Expressions) -> str:
    """Return the name of a function that lists the groups within tiles: the tiles, the address of the list."""
    name = f"within:{shape}"
    if name not in groups.parts.functions:
        heads = spread_list(groups, shape, of)
        writer = Writer(name, groups.many + 1, 1)
        bag = groups.bag([writer.param(i) for i in range(groups.many)])
        address = writer.param(groups.many)

        def one(kind: Expr) -> None:
            def put(tiles: Bits) -> None:
                _put(groups, writer, groups.flat(tiles), address)

            _each_group(groups, writer, load(8, shl(kind, Lit(3)), heads), bag, put)

        Bags(writer).each(bag.planes[0], one)
        writer.give(ZERO)
        groups.parts.functions[name] = writer.function()
    return name


def _rests(groups: Groups, shape: str, of: Expressions) -> str:
    """Return the name of a function that lists what can be left of tiles: the tiles that are not decided yet, those
    that are left, the address of the list.
    """
    name = f"without:{shape}"
    if name not in groups.parts.functions:
        heads = spread_list(groups, shape, of)
        many = groups.many
        writer = Writer(name, 2 * many + 1, 1)
        bag = groups.bag([writer.param(i) for i in range(many)])
        kept = groups.bag([writer.param(many + i) for i in range(many)])
        address, bags = writer.param(2 * many), Bags(writer)
        with writer.when(bags.is_empty(bag)):
            _put_new(groups, writer, groups.flat(kept), address)
            writer.give(ZERO)
        low = groups.lowest(writer, bag)
        single = bags.single(bag.item, low, groups.words)
        rest = groups.flat(bags.fitted(bags.minus(bag, single), groups.planes))
        more = groups.flat(bags.fitted(bags.joined(kept, single, groups.planes), groups.planes))
        writer.let(call(name, *rest, *more, address))

        def taken(tiles: Bits) -> None:
            writer.let(call(name, *groups.flat(bags.minus(bag, tiles)), *groups.flat(kept), address))

        _each_group(groups, writer, load(8, shl(low, Lit(3)), heads), bag, taken)
        writer.give(ZERO)
        groups.parts.functions[name] = writer.function()
    return name


def lists_within(
    groups: Groups, shape: str, of: Expressions, taken: int, note: Callable[[Writer, Expr], None]
) -> str:
    """Return the name of a function that notes each list of groups within tiles, once or more often: the tiles that are
    not decided yet, and how many groups are taken, which lie in a list. Raises `NotCompiled`.
    """
    name = f"lists:{shape}:{taken}"
    heads, many, size = spread_list(groups, shape, of), groups.many, of.layout.slots(TILES, True) * WORD
    writer = Writer(name, many + 1, 1)
    inner, bags = of.into(writer), Bags(writer)
    bag, number = groups.bag([writer.param(i) for i in range(many)]), writer.param(many)
    with writer.when(bags.is_empty(bag)):
        note(writer, number)
        writer.give(ZERO)
    low = groups.lowest(writer, bag)
    rest = bags.minus(bag, bags.single(bag.item, low, groups.words))
    writer.let(call(name, *groups.flat(bags.fitted(rest, groups.planes)), number))

    def take(tiles: Bits) -> None:
        writer.refer_if(ge(number, Lit(of.layout.room(TILES))), Limit.ROOM)
        inner.keeping.keep(TILES, tiles, writer.let(add(mul(number, Lit(size)), Lit(taken))))
        less = groups.flat(bags.fitted(bags.minus(bag, tiles), groups.planes))
        writer.let(call(name, *less, add(number, ONE)))

    _each_group(groups, writer, load(8, shl(low, Lit(3)), heads), bag, take)
    writer.give(ZERO)
    groups.parts.functions[name] = writer.function()
    return name


def _each_group(groups: Groups, writer: Writer, first: Expr, bag: Bits, run: Callable[[Bits], None]) -> None:
    """Write what is done with each group of a list, from an entry on, that is within a bag."""
    steps = groups.parts.steps
    entry = writer.var(first)
    with writer.block() as done, writer.loop(counted=False) as again:
        writer.leave(done, is_zero(entry))
        left = writer.let(sub(load(8, ZERO, steps), Lit(OF_TRY)))
        writer.store(8, ZERO, left, steps)
        writer.refer_if(lt(left, ZERO), Limit.STEPS)
        tiles = groups.tiles_of(writer, entry)
        with writer.when(Bags(writer).within(tiles, bag)):
            run(tiles)
        writer.set(entry, load(8, entry, NEXT))
        writer.leave(again)


def _put(groups: Groups, writer: Writer, words: Sequence[Expr], group: Expr) -> None:
    """Write that a bag is put into a list."""
    many = writer.let(load(8, group))
    writer.refer_if(ge(many, Lit(MOST_FOUND)), Limit.ROOM)
    at = writer.let(add(group, add(Lit(WORD), mul(many, Lit(groups.many * WORD)))))
    for place, word in enumerate(words):
        writer.store(8, at, word, place * WORD)
    writer.store(8, group, add(many, ONE))


def _put_new(groups: Groups, writer: Writer, words: Sequence[Expr], group: Expr) -> None:
    """Write that a bag is put into a list, unless it is there."""
    bags, tiles = Bags(writer), groups.bag([writer.let(word) for word in words])
    end = writer.let(add(group, add(Lit(WORD), mul(load(8, group), Lit(groups.many * WORD)))))
    at = writer.var(add(group, Lit(WORD)))
    with writer.block() as done, writer.loop(counted=False) as again:
        writer.leave(done, ge(at, end))
        with writer.when(bags.same(_loaded(groups, writer, at), tiles)):
            writer.give(ZERO)
        writer.set(at, add(at, Lit(groups.many * WORD)))
        writer.leave(again)
    _put(groups, writer, groups.flat(tiles), group)
