"""Who has won the hand: the bag of seats in the state, and the one seat in it that `winner` means.

Input: the layout of an instance, and the seat that wins.
Output: code that sets the bag, and the number of the one seat in it.
Guarantee: no other module reads or changes the bag, except to copy it as it lies.
"""

from __future__ import annotations

from golpae.ir.types import SEAT
from golpae.kernel.emit.bags import Bags
from golpae.kernel.language.code import Expr, Lit
from golpae.kernel.language.writer import ONE, ZERO, Writer, add, eq, lowest_bit, ne, select
from golpae.kernel.layout import BITS, NONE, Layout


def set_winner(writer: Writer, layout: Layout, seat: Expr | None) -> None:
    """Write that one seat has won and no other, or that nobody has."""
    bags, words = Bags(writer), layout.words(SEAT)
    bag = bags.empty(SEAT, words) if seat is None else bags.single(SEAT, writer.let(seat), words)
    bags.store(bag, 1, Lit(layout.winners))


def the_winner(writer: Writer, layout: Layout) -> Expr:
    """Return the one seat that has won, NONE if nobody has or several have."""
    bags = Bags(writer)
    bag = bags.loaded(SEAT, 1, layout.words(SEAT), Lit(layout.winners))
    seat: Expr = Lit(NONE)
    for place, word in enumerate(bag.planes[0]):
        seat = select(ne(word, ZERO), add(lowest_bit(word), Lit(BITS * place)), seat)
    return writer.let(select(eq(bags.size(bag), ONE), seat, Lit(NONE)))
