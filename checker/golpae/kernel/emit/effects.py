"""Effects in the kernel language.

Input: the statements of an action or of the payout, and the values of names.
Output: code that changes the game in place, statement by statement.
Guarantee: a statement that cannot happen is referred, or the function gives 0 if it only tries; what it has changed by
then does not count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import assert_never

from golpae.ir import expr as ir
from golpae.ir.dependencies import settles
from golpae.ir.ruleset import Action, EffectClause
from golpae.ir.types import Bag
from golpae.kernel.emit.expressions import Expressions
from golpae.kernel.emit.moves import Moves
from golpae.kernel.emit.parts import Names, Parts
from golpae.kernel.emit.values import Scalar, Stream, Value
from golpae.kernel.emit.winners import set_winner
from golpae.kernel.language.code import Expr, Function, Lit
from golpae.kernel.language.writer import ONE, ZERO, Writer, add, is_zero, load, mul
from golpae.kernel.layout import WORD, holds_list
from golpae.kernel.unsupported import NotCompiled
from golpae.lower import statements as st
from golpae.lower.walk import written_itself


class Effects:
    """Writes effects into one function. Payments are added to the numbers at the address `paid`, one of each player."""

    def __init__(self, expressions: Expressions, paid: int | None = None) -> None:
        self._expressions = expressions
        self._layout, self.writer = expressions.layout, expressions.writer
        self._bags, self._rows = expressions.bags, expressions.rows
        self._parts = expressions.parts
        self._moves = Moves(expressions)
        self._paid = self._layout.pay if paid is None else paid

    def all(self, statements: Iterable[st.Statement], names: Names) -> None:
        """Write statements, one after the other. The first that is not compiled is referred, with all after it."""
        names = dict(names)
        for statement in statements:
            mark = self.writer.mark()
            try:
                self._statement(statement, names)
                self._parts.changed(self.writer, written_itself(statement))
            except NotCompiled as reason:
                self.writer.restore(mark)
                self._parts.refer(self.writer, reason)
                return

    def _statement(self, statement: st.Statement, names: dict[str, Value]) -> None:
        """Write a statement; it adds the name that it makes."""
        writer, expressions, moves = self.writer, self._expressions, self._moves
        match statement:
            case st.Let(name=name, value=value):
                names[name] = moves.held(value, names)
            case st.Take(what=what, place=place):
                moves.take(what, place, names)
            case st.TakeAll(name=name, place=place):
                names[name] = moves.take_all(place, names)
            case st.Put(what=what, place=place):
                moves.put(what, place, names)
            case st.MoveRow(source=source, target=target):
                moves.move_row(source, target, names)
            case st.MoveMelds(source=source, label=label, target=target):
                moves.move_melds(source, label, target, names)
            case st.NewMeld(tiles=tiles, label=label, place=place):
                moves.new_meld(tiles, label, place, names)
            case st.TakeMeld(meld=meld, place=place):
                moves.take_meld(meld, place, names)
            case st.PutMeld(meld=meld, label=label, place=place):
                moves.put_meld(meld, label, place, names)
            case st.AddToMeld(tiles=tiles, meld=meld, label=label, zone=zone):
                moves.change_meld(zone, meld, expressions.bits(tiles, names), None, label, names)
            case st.TakeFromMeld(tiles=tiles, meld=meld, zone=zone):
                moves.change_meld(zone, meld, None, expressions.bits(tiles, names), None, names)
            case st.Set(name=name, seat=seat, value=value):
                self._set(name, seat, value, names)
            case st.Credit(seat=seat, amount=amount):
                self._credit(expressions.scalar(seat, names), writer.let(expressions.scalar(amount, names)))
            case st.Over(winner=winner):
                won = None if winner is None else expressions.scalar(winner, names)
                set_winner(writer, self._layout, won)
                writer.store(8, ZERO, Lit(self._layout.over), self._layout.at)
            case st.Shuffle(place=place):
                self._rows.shuffle(moves.zone(place, names))
            case st.Cut(place=place, number=number):
                row = moves.zone(place, names)
                self._rows.cut(row, writer.let(expressions.scalar(number, names)))
            case st.Arrange(tiles=tiles, place=place):
                row, order = moves.zone(place, names), expressions.bits(tiles, names)
                writer.fail_if(is_zero(self._rows.fits_order(row, order)))
                self._rows.arrange(row, order)
            case st.Rotate(zone=zone_name, side=side):
                self._rotate(zone_name, side)
            case st.Branch(test=test, yes=yes, no=no, path=_):
                condition = (
                    writer.let(expressions.scalar(test, names)) if no else expressions.scalar(test, names)
                )
                with writer.when(condition):
                    self.all(yes, names)
                if no:
                    with writer.when(is_zero(condition)):
                        self.all(no, names)
            case st.Loop(name=name, domain=domain, body=body):
                self._loop(name, domain, body, names)
            case st.Ensure(test=test, path=_):
                writer.fail_if(is_zero(expressions.scalar(test, names)))
            case _:
                assert_never(statement)

    def _set(self, name: str, seat: ir.Expr | None, value: ir.Expr, names: Names) -> None:
        writer, expressions, layout = self.writer, self._expressions, self._layout
        var = next(v for v in self._parts.rules.vars if v.name == name)
        base, slots = layout.var(name), layout.slots(var.type, True)
        made = expressions.collecting.coerced(expressions.value(value, names), var.type)
        if var.each_player and seat is None:
            raise NotCompiled("a state of each player that is set for all at once")
        address = expressions.of_seat(base, slots, seat, names)
        if holds_list(var.type):  # which may be gone through only while it is written
            apart = expressions.keeping.apart(var.type, made)
            writer.copy(address, apart, Lit(slots * WORD))
        else:
            expressions.keeping.keep(var.type, made, address)

    def _credit(self, seat: Expr, amount: Expr) -> None:
        writer = self.writer
        at = writer.let(add(mul(seat, Lit(WORD)), Lit(self._paid)))
        gained = writer.let(add(load(8, at), amount))
        self._expressions.operators.within_limits(gained)
        writer.store(8, at, gained)

    def _loop(self, name: str, domain: ir.Expr, body: tuple[st.Statement, ...], names: Names) -> None:
        value = self._expressions.value(domain, names)
        if isinstance(value, Stream):
            if not (isinstance(domain, ir.Op) and domain.op == "range"):
                copied = self._expressions.keeping.copied(Bag(value.item), value)
                assert isinstance(copied, Stream)
                value = copied
            value.each(lambda item, copies: self.all(body, {**names, name: item}))
            return
        bag = self._expressions.collecting.as_bits(value)

        def one(member: Expr) -> None:
            bound = {**names, name: Scalar(member, bag.item)}
            copies = self._bags.copies(member, bag)
            if copies == ONE:
                self.all(body, bound)
            else:
                self._expressions.memory.counted(copies, lambda _: self.all(body, bound))

        self._bags.each(bag.planes[0], one)

    def _rotate(self, name: str, side: str) -> None:
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


# ---------------------------------------------------------------- what `end` and `finish` pay

Clauses = Callable[[Effects, str, Sequence[EffectClause], dict[str, Value]], None]


class Payments:
    """Writes the payments of one instance. `paid` is where those of the effects of `end` and `finish` are added up.

    `payout()` is what each player is paid at an `end`, `settled()` the totals that a `finish` leaves, both at
    `layout.pay`. Nothing else is changed by them: effects that pay happen on the position, which is then put back.
    """

    def __init__(self, parts: Parts, clauses: Clauses) -> None:
        self._parts, self._clauses = parts, clauses
        self._layout, self._rules = parts.layout, parts.rules
        settling = any(map(settles, self._rules.actions))
        size = self._layout.state_end - self._layout.at
        self._aside = self._layout.allocate(size // WORD) if settling else 0  # of the position meanwhile
        self.paid = self._layout.allocate(self._layout.players) if settling else 0

    def functions(self) -> list[Function]:
        """Return `payout` and `settled`."""
        return [self._payout(), self._settled()]

    def begin(self, writer: Writer, action: Action) -> None:
        """Write that the effects of an action have paid nothing yet."""
        if settles(action):
            self._nothing(writer, self.paid)

    def settle(self, expressions: Expressions, action: Action) -> None:
        """Write what an event adds to the totals; `layout.pay` has what an `end` pays."""
        if action.kind == "end":
            self._add_to_totals(expressions, self._layout.pay)
        elif settles(action):
            self._add_to_totals(expressions, self.paid)

    def _payout(self) -> Function:
        writer = self._parts.writer("payout", 0, 0)
        expressions = Expressions(self._parts, writer)
        self._nothing(writer, self._layout.pay)
        self._clauses(Effects(expressions), "payout", self._rules.payout, {})
        for action in self._rules.actions:
            if action.kind == "end" and settles(action):
                self._copy(writer, self.paid, self._layout.pay)
                self._tried(expressions, action)
                self._copy(writer, self._layout.pay, self.paid)
        return writer.function()

    def _settled(self) -> Function:
        writer = self._parts.writer("settled", 0, 0)
        expressions = Expressions(self._parts, writer)
        for action in self._rules.actions:
            if action.kind == "finish" and settles(action):
                self._copy(writer, self.paid, self._layout.totals)
                self._tried(expressions, action)
                self._copy(writer, self._layout.pay, self.paid)
        return writer.function()

    def _tried(self, expressions: Expressions, action: Action) -> None:
        """Write that the effects of an action happen, and that nothing is left of them but what they pay."""
        writer, layout = expressions.writer, self._layout
        size = Lit(layout.state_end - layout.at)
        writer.copy(Lit(self._aside), Lit(layout.at), size)
        self._clauses(Effects(expressions, self.paid), action.name, action.effects, {})
        writer.copy(Lit(layout.at), Lit(self._aside), size)
        self._parts.changed(writer)

    def _nothing(self, writer: Writer, address: int) -> None:
        for player in range(self._layout.players):
            writer.store(8, ZERO, ZERO, address + player * WORD)

    def _copy(self, writer: Writer, target: int, source: int) -> None:
        writer.copy(Lit(target), Lit(source), Lit(self._layout.players * WORD))

    def _add_to_totals(self, expressions: Expressions, paid: int) -> None:
        writer = expressions.writer
        for player in range(self._layout.players):
            at = self._layout.totals + player * WORD
            total = writer.let(add(load(8, ZERO, at), load(8, ZERO, paid + player * WORD)))
            expressions.operators.within_limits(total)
            writer.store(8, ZERO, total, at)
