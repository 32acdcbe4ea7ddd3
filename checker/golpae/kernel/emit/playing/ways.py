"""All ways to lay out tiles as an arrangement, and all lists of groups of a shape that are within tiles.

Input: tiles in planes, and an arrangement or a shape. Output: code that is run for each list of groups, in order.
Guarantee: lists of the same groups come once. A position with more than `MOST_WAYS` ways, or `MOST_LISTS` lists, is
referred.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from golpae.ir.scoring import grows
from golpae.ir.types import TILES, Bag
from golpae.kernel.emit.lists.ordering import comparing, sorting
from golpae.kernel.emit.scoring.growing import in_set
from golpae.kernel.emit.scoring.layouts import Plan
from golpae.kernel.emit.scoring.parted import lists_within
from golpae.kernel.emit.values import Bits, Stream
from golpae.kernel.language.code import Expr, Lit
from golpae.kernel.language.limits import Limit
from golpae.kernel.language.writer import (
    ONE,
    ZERO,
    Writer,
    add,
    both,
    call,
    eq,
    ge,
    is_zero,
    le,
    load,
    mul,
    sub,
)
from golpae.kernel.layout import WORD
from golpae.kernel.unsupported import NotCompiled

if TYPE_CHECKING:
    from golpae.kernel.emit.expressions import Expressions

MOST_WAYS = 64
MOST_LISTS = 256
_LIST = Bag(TILES)


def all_ways(of: Expressions, tiles: Bits, name: str, then: Callable[[Stream], None]) -> None:
    """Write what happens for each list of groups. Raises `NotCompiled`."""
    writer, layout, layouts = of.writer, of.layout, of.layouts
    stride = layout.slots(_LIST, True) * WORD
    lists_at = layout.allocate(1 + MOST_WAYS * stride // WORD)
    writer.store(8, ZERO, ZERO, lists_at)
    groups = layouts.groups
    words = [writer.let(word) for word in groups.flat(of.bags.fitted(tiles, groups.planes))]
    size = of.bags.size(tiles)
    for plan in layouts.plans(name, of):
        if plan.groups > layout.room(TILES):
            raise NotCompiled("a list of very many groups as a key")
        slots = layouts.slots(plan)
        search = layouts.search(
            plan, f"ways:{plan.name}:{slots}", slots, _noting(of, plan, slots, lists_at), of
        )
        with writer.when(both(ge(size, Lit(plan.least)), le(size, Lit(plan.most)))):
            writer.let(call(search, *words, Lit(plan.whole), ZERO, ZERO))
    _in_order(of, lists_at, then)


def all_lists(of: Expressions, tiles: Bits, shape: str, then: Callable[[Stream], None]) -> None:
    """Write what happens for each list of groups of a shape that are together within tiles. Raises `NotCompiled`."""
    writer, layout, groups = of.writer, of.layout, of.layouts.groups
    stride, size = layout.slots(_LIST, True) * WORD, layout.slots(TILES, True) * WORD
    lists_at = layout.allocate(1 + MOST_LISTS * stride // WORD)
    taken = layout.allocate(layout.room(TILES) * size // WORD)
    writer.store(8, ZERO, ZERO, lists_at)

    def note(inner: Writer, many: Expr) -> None:
        lists = inner.let(load(8, ZERO, lists_at))
        inner.refer_if(ge(lists, Lit(MOST_LISTS)), Limit.WAYS)
        here = inner.let(add(mul(lists, Lit(stride)), Lit(lists_at + WORD)))
        inner.store(8, here, many)
        inner.copy(inner.let(add(here, Lit(WORD))), Lit(taken), mul(many, Lit(size)))
        inner.call_into((), sorting(of.parts, TILES), here)
        inner.store(8, ZERO, add(lists, ONE), lists_at)

    search = lists_within(groups, shape, of, taken, note)
    words = [writer.let(word) for word in groups.flat(of.bags.fitted(tiles, groups.planes))]
    if grows(shape, groups.shapes):
        writer.refer_if(is_zero(in_set(groups, writer, groups.bag(words))), Limit.COPIES)
    writer.let(call(search, *words, ZERO))
    _in_order(of, lists_at, then)


def _in_order(of: Expressions, addresses: int, then: Callable[[Stream], None]) -> None:
    """Write what happens for each of the lists that lie somewhere, behind their number, in order, each once."""
    writer, stride = of.writer, of.layout.slots(_LIST, True) * WORD
    writer.call_into((), sorting(of.parts, _LIST), Lit(addresses))
    compare = comparing(of.parts, _LIST)

    def one(at: Expr) -> None:
        here = writer.let(add(mul(at, Lit(stride)), Lit(addresses + WORD)))
        with writer.block() as seen:
            with writer.when(at):
                writer.leave(seen, eq(call(compare, sub(here, Lit(stride)), here), ZERO))
            way = of.memory.loaded(_LIST, here, True)
            assert isinstance(way, Stream)
            then(way)

    of.memory.counted(load(8, ZERO, addresses), one)


def _noting(of: Expressions, plan: Plan, slots: int, addresses: int) -> Callable[[Writer], None]:
    """Return a continuation that notes the groups that lie in slots as one more list."""
    layout, layouts = of.layout, of.layouts
    stride, size = layout.slots(_LIST, True) * WORD, layout.slots(TILES, True) * WORD

    def note(writer: Writer) -> None:
        inner = of.into(writer)
        many = writer.let(load(8, ZERO, addresses))
        writer.refer_if(ge(many, Lit(MOST_WAYS)), Limit.WAYS)
        here = writer.let(add(mul(many, Lit(stride)), Lit(addresses + WORD)))
        writer.store(8, here, Lit(plan.groups))

        def one(at: Expr) -> None:
            group = layouts.group_at(writer, writer.let(add(mul(at, Lit(layouts.slot)), Lit(slots))))
            address = writer.let(add(here, add(mul(at, Lit(size)), Lit(WORD))))
            inner.keeping.keep(TILES, group.tiles, address)

        inner.memory.counted(Lit(plan.groups), one)
        writer.call_into((), sorting(of.parts, TILES), here)
        writer.store(8, ZERO, add(many, ONE), addresses)

    return note
