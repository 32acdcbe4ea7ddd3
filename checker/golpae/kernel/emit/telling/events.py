"""Events as lines of a trace, read and written, and why one is not legal.

Input: the actions of an instance; the keys of an event in memory. Output: functions of the module.
Guarantee: what is written is read again as the same event. The condition that is named as broken is the one that the
reference names: of all orders of lists `{a, b}`, the one that breaks the condition furthest on decides. Behind all
conditions stands that the effects can happen.

    read()                      the number of the action of the line in the text area, whose keys lie in memory then; -1
                                if it is not recognised
    write(action)               writes the event whose keys lie in memory as a line; its size
    broken(action)              the number of the first condition that the event breaks, or -1; the number behind the
                                last condition if it breaks none, but moves tiles that are not there
    asked(action, condition)    writes the values that the message of a condition asks, as a list; its size
"""

from __future__ import annotations

from golpae.ir.dependencies import other_owners
from golpae.ir.ruleset import Action, Condition
from golpae.ir.types import SEAT, TILE, Opt
from golpae.kernel.emit.actions import Actions, argument, in_order
from golpae.kernel.emit.checks import hand_sizes
from golpae.kernel.emit.expressions import Expressions
from golpae.kernel.emit.lists.orders import next_order
from golpae.kernel.emit.parts import MOST_ROUNDS, Names
from golpae.kernel.emit.playing.listing import Listing, may_fail
from golpae.kernel.emit.telling.text import JsonText, TextArea
from golpae.kernel.emit.values import Scalar
from golpae.kernel.language.code import Expr, Function, Lit
from golpae.kernel.language.limits import Limit
from golpae.kernel.language.writer import (
    ONE,
    ZERO,
    Writer,
    add,
    call,
    eq,
    gt,
    is_zero,
    load,
    lt,
    shl,
)
from golpae.kernel.layout import NONE, WORD, Arg, is_scalar, none_of
from golpae.lower.checks import Amounts, HandSizes, Settled, Test, checks, orders_of, test_of


class Events:
    """Writes the functions that tell of events."""

    def __init__(self, area: TextArea, actions: Actions, listing: Listing) -> None:
        self._area, self._actions, self._listing = area, actions, listing
        self._parts, self._layout = area.parts, area.layout
        self._all = self._parts.rules.actions

    def functions(self) -> list[Function]:
        """Return the functions that the head of this module lists, and those of each action."""
        out = [self._read()]
        for name, params, one in (
            ("write", 0, self._write),
            ("broken", 0, self._broken),
            ("asked", 1, self._asked),
        ):
            out += [one(self._parts.writer(f"{name}_{n}", params, 1), a) for n, a in enumerate(self._all)]
            out.append(self._chosen(name, params))
        return out

    def _chosen(self, name: str, params: int) -> Function:
        """Return the function that calls the one of an action."""
        writer = Writer(name, 1 + params, 1)
        self._parts.start(writer)
        for number in range(len(self._all)):
            with writer.when(eq(writer.param(0), Lit(number))):
                writer.give(call(f"{name}_{number}", *(writer.param(1 + p) for p in range(params))))
        writer.give(Lit(NONE))
        return writer.function()

    # ------------------------------------------------------------------ lines

    def _read(self) -> Function:
        writer = Writer("read", 0, 1)
        following, number = writer.new(), writer.new()
        writer.call_into((following, number), "scan_event", Lit(self._area.start))
        with writer.when(is_zero(following)):
            writer.give(Lit(NONE))
        writer.give(number)
        return writer.function()

    def _write(self, writer: Writer, action: Action) -> Function:
        text = JsonText(self._area, Expressions(self._parts, writer), as_line=True)
        with self._parts.or_refer(writer), self._parts.within(action.name):
            text.begin()
            text.put(f'{{"do":"{action.name}",')
            if action.by is not None:
                text.member("by", Scalar(load(8, ZERO, self._layout.by), SEAT), SEAT)
            for arg in self._layout.args(action):
                with writer.when(self._is_there(arg)):
                    self._key(text, arg)
            text.close("}")
            writer.give(text.size())
        return writer.function()

    def _is_there(self, arg: Arg) -> Expr:
        """Return whether a line has a key."""
        if not arg.optional:
            return ONE
        none = Lit(none_of(arg.kind)) if arg.parts or is_scalar(arg.kind) else ZERO
        return is_zero(eq(load(8, ZERO, arg.address), none))

    def _key(self, text: JsonText, arg: Arg) -> None:
        """Write a key and its value. Raises `NotCompiled`."""
        text.key(arg.key)
        if arg.parts:
            text.put("[")
            for place in range(arg.parts):
                text.value(Scalar(load(8, ZERO, arg.address + place * WORD), TILE), TILE)
                text.put(",")
            text.close("]")
        elif arg.listed:
            text.each(
                load(8, ZERO, arg.listed),
                lambda at: text.value(Scalar(load(2, shl(at, ONE), arg.listed + WORD), TILE), TILE),
            )
        else:
            kind = Opt(arg.kind) if arg.optional or arg.nullable else arg.kind
            text.value(argument(text.expressions, arg), kind)
        text.put(",")

    # ------------------------------------------------------------------ conditions

    def _broken(self, writer: Writer, action: Action) -> Function:
        with self._parts.or_refer(writer), self._parts.within(action.name):
            self._first_broken(writer, action)
        return writer.function()

    def _first_broken(self, writer: Writer, action: Action) -> None:
        layout, expressions = self._layout, Expressions(self._parts, writer)
        lists = [(p, a) for p, a in zip(action.params, layout.args(action), strict=True) if p.parts]
        for _, arg in lists:
            tiles = [writer.let(load(8, ZERO, arg.address + place * WORD)) for place in range(arg.parts)]
            for place, tile in enumerate(in_order(writer, tiles)):
                writer.store(8, ZERO, tile, arg.address + place * WORD)
        orders = orders_of(action)
        tried = [(arg, layout.allocate(arg.parts)) for p, arg in lists if p in orders.tried]
        most, failed, tries = writer.var(NONE), writer.var(NONE), writer.var(0)
        with writer.loop() as again:
            names = self._actions.names(writer, expressions, action, as_listed=True)
            with writer.block() as refused:
                for number, check in enumerate(checks(action)):
                    writer.set(failed, number)
                    holds = self._actions.checks.holds(expressions, check.test, action, names)
                    writer.leave(refused, is_zero(holds))
                if may_fail(self._parts.rules, action):
                    can_be = self._listing.tried(writer, self._all.index(action), action)
                    with writer.when(is_zero(can_be)):
                        writer.give(Lit(len(action.conditions)))
                writer.give(Lit(NONE))
            with writer.when(lt(failed, Lit(orders.alike))):
                writer.give(failed)
            with writer.when(gt(failed, most)):
                writer.set(most, failed)
                for arg, stored in tried:
                    writer.copy(Lit(stored), Lit(arg.address), Lit(arg.parts * WORD))
            for arg, _ in reversed(tried):  # the last list changes first
                writer.set(tries, add(tries, ONE))
                writer.refer_if(gt(tries, Lit(MOST_ROUNDS)), Limit.STEPS)
                writer.leave(again, call(next_order(self._parts), Lit(arg.address), Lit(arg.parts)))
        for arg, stored in tried:
            writer.copy(Lit(arg.address), Lit(stored), Lit(arg.parts * WORD))
        writer.give(most)

    def _asked(self, writer: Writer, action: Action) -> Function:
        expressions = Expressions(self._parts, writer)
        text = JsonText(self._area, expressions)
        text.begin()
        text.put("[")
        names = self._actions.names(writer, expressions, action, as_listed=True)
        for number, condition in enumerate(action.conditions):
            asks = any(not isinstance(part, str) for part in condition.message)
            asks = asks or bool(other_owners(action, condition))
            if asks or condition.of_game is not None:
                path, refers = f"{action.name}.{condition.name}", self._parts.or_refer(writer)
                with writer.when(eq(writer.param(0), Lit(number))), refers, self._parts.within(path):
                    self._values(text, names, action, condition)
        text.close("]")
        writer.give(text.size())
        return writer.function()

    def _values(self, text: JsonText, names: Names, action: Action, condition: Condition) -> None:
        """Write the values that a message asks, and whose zones a condition asks of. Raises `NotCompiled`."""
        if condition.of_game is not None:
            self._of_game(text, test_of(action, condition), names)
            return
        collecting, of = text.expressions.collecting, text.expressions
        self._parts.shows = True
        for part in condition.message:
            if not isinstance(part, str):
                text.value(collecting.coerced(of.value(part, names), part.type), part.type)
                text.put(",")
        for _, seat in other_owners(action, condition):
            text.value(of.value(seat, names), SEAT)
            text.put(",")
        self._parts.shows = False

    def _of_game(self, text: JsonText, test: Test, names: Names) -> None:
        """Write what the message of a condition of every game asks besides the event and the state: how many tiles
        each player is dealt; what each player is paid; the totals that a `finish`
        leaves which pays.
        """
        if isinstance(test, HandSizes):
            first = names["first"]
            assert isinstance(first, Scalar)
            for size in hand_sizes(text.expressions, first.value, (test.first, test.others), names):
                text.number(size)
                text.put(",")
        elif isinstance(test, Settled):
            self._numbers_after(text, "settled")
        elif isinstance(test, Amounts) and test.account != "total":
            self._numbers_after(text, test.account)

    def _numbers_after(self, text: JsonText, worked_out: str) -> None:
        """Write the number of each player that a function works out."""
        text.writer.call_into((), worked_out)
        for player in range(self._layout.players):
            text.number(load(8, ZERO, self._layout.pay + player * WORD))
            text.put(",")
