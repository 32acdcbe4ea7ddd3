"""Whether tiles and melds make an arrangement in which each meld, as it lies, is one of the groups.

Input: tiles in planes, a list of melds, an arrangement. Output: code that finds it out.
Guarantee: each meld is counted as each part whose shape it is, in every way; with more melds than the reference counts
without counting its tries, the event is referred.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from golpae.ir.types import MELDS
from golpae.kernel.emit.scoring.layouts import MOST_FIXED, Plan
from golpae.kernel.emit.values import Bits, Stream, Value
from golpae.kernel.language.code import Expr, Lit
from golpae.kernel.language.writer import ONE, ZERO, Writer, call, is_zero, le, load
from golpae.kernel.layout import WORD
from golpae.kernel.unsupported import NotCompiled

if TYPE_CHECKING:
    from golpae.kernel.emit.expressions import Expressions


def lies_beside(tiles: Bits, melds: Value, name: str, of: Expressions) -> Expr:
    """Return whether tiles and melds make an arrangement. Raises `NotCompiled`."""
    lying = of.collecting.coerced(melds, MELDS)
    if not isinstance(lying, Stream):
        raise NotCompiled("melds that are no list")
    writer, layout, layouts = of.writer, of.layout, of.layouts
    plans, groups = layouts.plans(name, of), layouts.groups
    listed = layout.allocate(1 + MOST_FIXED * layouts.slot // WORD)
    hand, beside_flag = layout.allocate(groups.many), layout.allocate(1)
    for place, word in enumerate(groups.flat(of.bags.fitted(tiles, groups.planes))):
        writer.store(8, ZERO, word, hand + place * WORD)
    writer.store(8, ZERO, ZERO, beside_flag)
    size = writer.let(of.bags.size(tiles))
    most = max((plan.groups for plan in plans), default=0)
    few = writer.var(ZERO)
    with writer.block() as too_many:
        layouts.listed(lying, listed, min(most, MOST_FIXED), of, too_many)
        writer.set(few, ONE)
        for plan in plans:
            placed = _placed(plan, hand, listed, beside_flag, of)
            with writer.when(le(size, Lit(plan.most))):
                writer.let(call(placed, ZERO, Lit(plan.whole)))
    if most > MOST_FIXED:
        writer.refer_if(is_zero(few))
    return writer.let(load(8, ZERO, beside_flag))


def _placed(plan: Plan, hand: int, listed: int, found: int, of: Expressions) -> str:
    """Return the name of a function that counts melds in memory as parts, and lays out the hand as what is left."""
    layouts = of.layouts
    slots, many = layouts.slots(plan), layouts.groups.many

    def leaf(writer: Writer) -> None:
        with writer.block() as same:
            layouts.differ(of.into(writer), plan, slots, lambda: writer.leave(same))
            writer.store(8, ZERO, ONE, found)

    search = layouts.search(plan, f"beside:{plan.name}:{listed}", slots, leaf, of)

    def then(inner: Expressions, left: Expr) -> None:
        words = [load(8, ZERO, hand + place * WORD) for place in range(many)]
        inner.writer.let(call(search, *words, left, ZERO, ZERO))

    return layouts.place(plan, f"placed-beside:{plan.name}:{listed}", listed, slots, then, of)
