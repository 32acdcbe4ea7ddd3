"""Effects in the kernel language.

Input: the effects of an action, or those of the payout, and the values of names.
Output: code that changes the game in place, effect by effect.
Guarantee: an effect that cannot happen as it is said is referred, or the function gives 0 if it only tries; what it
has changed by then does not count.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from golpae.ir import expr as ir
from golpae.ir.types import Bag
from golpae.kernel.emit.expressions import Expressions
from golpae.kernel.emit.moves import Moves
from golpae.kernel.emit.parts import Names
from golpae.kernel.emit.values import Scalar, Stream
from golpae.kernel.language.code import Expr, Lit
from golpae.kernel.language.writer import ONE, ZERO, add, is_zero, load, mul, sub
from golpae.kernel.layout import NONE, WORD, holds_list
from golpae.kernel.unsupported import Unsupported


class Effects:
    """Writes effects into one function."""

    def __init__(self, expressions: Expressions) -> None:
        self._expressions = expressions
        self._layout, self.writer = expressions.layout, expressions.writer
        self._bags, self._rows = expressions.bags, expressions.rows
        self._parts = expressions.parts
        self._moves = Moves(expressions)

    def all(self, effects: Iterable[ir.Effect], names: Names) -> None:
        """Write effects, one after the other; what is not compiled is referred."""
        for effect in effects:
            with self._parts.or_refer(self.writer):
                self._effect(effect, names)

    def _effect(self, effect: ir.Effect, names: Names) -> None:
        writer, expressions, layout = self.writer, self._expressions, self._layout
        match effect:
            case ir.Move():
                self._moves.move(effect, names)
            case ir.SetState(name=name, seat=seat, value=value):
                var = next(v for v in self._parts.rules.vars if v.name == name)
                base, slots = layout.var(name), layout.slots(var.type, True)
                made = expressions.collecting.coerced(expressions.value(value, names), var.type)
                if var.each_player and seat is None:
                    raise Unsupported("a state of all players together")
                address = self._of_seat(base, slots, seat, names)
                if holds_list(var.type):  # which may be gone through only while it is written
                    apart = expressions.keeping.apart(var.type, made)
                    writer.copy(address, apart, Lit(slots * WORD))
                else:
                    expressions.keeping.keep(var.type, made, address)
            case ir.Win(seat=seat):
                winner = Lit(NONE) if seat is None else expressions.scalar(seat, names)
                writer.store(8, ZERO, winner, layout.winner)
                writer.store(8, ZERO, Lit(layout.over), layout.at)
            case ir.Pay(payer=payer, payee=payee, amount=amount):
                paid = writer.let(expressions.scalar(amount, names))
                self._gain(expressions.scalar(payer, names), sub(ZERO, paid))
                self._gain(expressions.scalar(payee, names), paid)
            case ir.Gain(seat=seat, amount=amount):
                self._gain(expressions.scalar(seat, names), writer.let(expressions.scalar(amount, names)))
            case ir.Shuffle(zone=zone):
                if self._moves.kind(zone) == "row":
                    self._rows.shuffle(self._moves.zone(zone, names))
            case ir.Arrange(zone=zone, tiles=tiles):
                row, order = self._moves.zone(zone, names), expressions.bits(tiles, names)
                writer.fail_if(is_zero(self._rows.fits_order(row, order)))
                self._rows.arrange(row, order)
            case ir.PassOn(zone=zone_name, side=side):
                self._pass_on(zone_name, side)
            case ir.When(test=test, effects=inner):
                with writer.when(expressions.scalar(test, names)):
                    self.all(inner, names)
            case ir.ForEach(name=name, domain=domain, effects=inner):
                self._for_each(name, domain, inner, names)
            case _:
                assert_never(effect)

    def _of_seat(self, base: int, slots: int, seat: ir.Expr | None, names: Names) -> Expr:
        return self._expressions.of_seat(base, slots, seat, names)

    def _gain(self, seat: Expr, amount: Expr) -> None:
        writer, layout = self.writer, self._layout
        at = writer.let(add(mul(seat, Lit(WORD)), Lit(layout.pay)))
        gained = writer.let(add(load(8, at), amount))
        self._expressions.operators.within_limits(gained)
        writer.store(8, at, gained)

    def _for_each(self, name: str, domain: ir.Expr, inner: tuple[ir.Effect, ...], names: Names) -> None:
        value = self._expressions.value(domain, names)
        if isinstance(value, Stream):
            if not (isinstance(domain, ir.Op) and domain.op == "range"):
                copied = self._expressions.keeping.copied(Bag(value.item), value)
                assert isinstance(copied, Stream)
                value = copied
            value.each(lambda item, copies: self.all(inner, {**names, name: item}))
            return
        bag = self._expressions.collecting.as_bits(value)

        def one(member: Expr) -> None:
            bound = {**names, name: Scalar(member, bag.item)}
            copies = self._bags.copies(member, bag)
            if copies == ONE:
                self.all(inner, bound)
            else:
                self._expressions.memory.counted(copies, lambda _: self.all(inner, bound))

        self._bags.each(bag.planes[0], one)

    def _pass_on(self, name: str, side: str) -> None:
        layout, writer = self._layout, self.writer
        size = layout.zone_slots(self._parts.zones[name]) * WORD
        base, apart = layout.zone(name), layout.allocate(size // WORD)
        first, last = Lit(base), Lit(base + (layout.players - 1) * size)
        rest = Lit((layout.players - 1) * size)
        second = Lit(base + size)
        if side == "right":
            writer.copy(Lit(apart), last, Lit(size))
            writer.copy(second, first, rest)
            writer.copy(first, Lit(apart), Lit(size))
        else:
            writer.copy(Lit(apart), first, Lit(size))
            writer.copy(first, second, rest)
            writer.copy(last, Lit(apart), Lit(size))
