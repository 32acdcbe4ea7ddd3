"""Count the games that can follow a position, in the kernel language.

Input: the listing of an instance. Output: the function `count(depth)`.
Guarantee: `count` returns how many sequences of so many legal events there are, at most `DEEPEST`. The position is then
what it was.
"""

from __future__ import annotations

from golpae.kernel.emit.playing.listing import Listing
from golpae.kernel.language.code import Function, Lit
from golpae.kernel.language.writer import (
    ONE,
    ZERO,
    Writer,
    add,
    call,
    eq,
    ge,
    is_zero,
    load,
    mul,
    sub,
)
from golpae.kernel.layout import WORD

DEEPEST = 3  # so that a call does not take long


def counting(listing: Listing) -> Function:
    """Return `count(depth)`."""
    writer, layout = Writer("count", 1, 1), listing.layout
    depth = writer.param(0)
    size = layout.state_end - layout.at
    kept = layout.allocate((DEEPEST + 1) * size // WORD)
    writer.let(call("pick", Lit(-1)))
    many = writer.let(load(8, ZERO, listing.seen))
    with writer.when(eq(depth, ONE)):
        writer.give(many)
    here, apart = Lit(layout.at), writer.let(add(mul(depth, Lit(size)), Lit(kept)))
    writer.copy(apart, here, Lit(size))
    at, total = writer.var(0), writer.var(0)
    with writer.block() as done, writer.loop() as again:
        writer.leave(done, ge(at, many))
        number = writer.let(call("pick", at))
        writer.refer_if(is_zero(call("act", number)))
        writer.set(total, add(total, call("count", sub(depth, ONE))))
        writer.copy(here, apart, Lit(size))
        writer.set(at, add(at, ONE))
        writer.leave(again)
    writer.give(total)
    return writer.function()
