"""Actions in the kernel language: whether an event is legal, and what it changes.

Input: an action of an instance, whose keys lie in memory. Output: the functions of the action.
Guarantee: `act_x` returns 1 after a legal event, whose effects have then happened, and 0 if a condition fails.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from golpae.ir import expr as ir
from golpae.ir.lifecycle import LIFECYCLES
from golpae.ir.ruleset import TABLE, Action, EffectClause, ParamDecl, VarDecl
from golpae.ir.traverse import nodes
from golpae.ir.types import INT, NUMBERS, SEAT, TILE, Opt, Type
from golpae.kernel.emit.checks import Checks
from golpae.kernel.emit.effects import Effects, Payments
from golpae.kernel.emit.expressions import Expressions
from golpae.kernel.emit.lists.orders import next_order
from golpae.kernel.emit.parts import MOST_ROUNDS, Parts
from golpae.kernel.emit.values import Bits, PerSeat, Scalar, Stream, Value
from golpae.kernel.emit.winners import set_winner
from golpae.kernel.language.code import Expr, Function, Lit
from golpae.kernel.language.limits import Limit
from golpae.kernel.language.writer import (
    ONE,
    ZERO,
    Writer,
    add,
    call,
    gt,
    is_zero,
    load,
    lt,
    select,
)
from golpae.kernel.layout import WORD, Arg, is_scalar, none_of
from golpae.kernel.unsupported import NotCompiled
from golpae.lower.checks import DEALT, REST, checks, orders_of
from golpae.lower.effects import lowered

Place = Callable[[int], int]  # from an address to where the same lies behind the image of an event


class Actions:
    """Writes the functions of one instance's actions."""

    def __init__(self, parts: Parts) -> None:
        self.parts, self.layout, self.rules = parts, parts.layout, parts.rules
        self.checks = Checks(parts.layout)
        self._payments = Payments(parts, self._clauses)

    def functions(self) -> list[Function]:
        """Return the functions of all actions, and those that they call."""
        out = [self._new_game(), self._new_hand(), *self._payments.functions()]
        for number, action in enumerate(self.rules.actions):
            out += self._act_in_parts(number, action) if self.parts.tells else [self._act(number, action)]
        return out

    def _act_in_parts(self, number: int, action: Action) -> list[Function]:
        """Return `act_x` over `broken_x`, which a module that tells has, and `do_x`."""
        writer = self.parts.writer(f"act_{number}", 0, 1)
        self.parts.start(writer)
        with writer.when(lt(call(f"broken_{number}"), ZERO)):
            writer.call_into((), f"do_{number}")
            writer.give(ONE)
        writer.give(ZERO)
        return [writer.function(), self.doing(number, action)]

    def _new_game(self) -> Function:
        """`new_game(stake)`: a match before its first deal."""
        writer = self.parts.writer("new_game", 1, 0)
        self.parts.start(writer)
        layout = self.layout
        writer.store(8, ZERO, Lit(layout.stage("before")), layout.at)
        writer.store(8, ZERO, writer.param(0), layout.stake)
        set_winner(writer, layout, None)
        writer.store(8, ZERO, ZERO, layout.hands_played)
        for player in range(layout.players):
            writer.store(8, ZERO, ZERO, layout.totals + player * WORD)
        self._zones(writer, next(z.name for z in self.rules.zones if z.holds_set))
        self.parts.changed(writer)
        for var in self.rules.vars:
            if var.scope != TABLE:  # whoever sets up the table gives it one
                self._first_value(writer, var)
        return writer.function()

    def _new_hand(self) -> Function:
        writer = self.parts.writer("new_hand", 0, 0)
        set_winner(writer, self.layout, None)
        writer.store(8, ZERO, Lit(self.layout.stage("playing")), self.layout.at)
        self._zones(writer, next(a.dealing.zone for a in self.rules.actions if a.dealing is not None))
        for var in self.rules.vars:
            if var.scope == "hand":
                self._first_value(writer, var)
        return writer.function()

    def _zones(self, writer: Writer, whole: str) -> None:
        """Write that the whole set lies in one zone, and nothing in the others."""
        expressions = Expressions(self.parts, writer)
        layout, words = self.layout, self.layout.words(TILE)
        nothing = expressions.bags.empty(TILE, words)
        everything = expressions.bags.constant(TILE, words, layout.whole)
        for zone in self.rules.zones:
            stride = layout.zone_slots(zone) * WORD
            for player in range(layout.players if zone.each_player else 1):
                at = Lit(layout.zone(zone.name) + player * stride)
                full = zone.name == whole
                if zone.kind == "melds":
                    writer.store(8, ZERO, ZERO, at.value)
                elif zone.kind == "row":
                    tiles, size = (everything, len(layout.whole)) if full else (nothing, 0)
                    expressions.rows.fill(at, tiles, Lit(size))
                else:
                    expressions.bags.store(everything if full else nothing, layout.planes(TILE), at)

    def _first_value(self, writer: Writer, var: VarDecl) -> None:
        """Write that a state has its first value; what was worked out before holds no more."""
        self.parts.changed(writer)
        expressions = Expressions(self.parts, writer)
        layout = self.layout
        try:
            with self.parts.within(f"state.{var.name}"):
                base, stride = layout.var(var.name), layout.slots(var.type, True) * WORD
                for player in range(layout.players if var.each_player else 1):
                    address = Lit(base + player * stride)
                    if var.initial is None:
                        self._unset(writer, var, address)
                        continue
                    value = expressions.collecting.coerced(expressions.value(var.initial, {}), var.type)
                    expressions.keeping.keep(var.type, value, address)
        except NotCompiled as reason:  # whoever reads the state refers
            self.parts.refuse(reason)

    def _unset(self, writer: Writer, var: VarDecl, address: Lit) -> None:
        """Write that a state has no value yet: none, or nothing."""
        slots = self.layout.slots(var.type, True)
        if slots == 1:
            writer.store(8, ZERO, Lit(none_of(var.type)), address.value)
            return
        for slot in range(slots):
            writer.store(8, ZERO, ZERO, address.value + slot * WORD)

    def _act(self, number: int, action: Action) -> Function:
        return self._whether(f"act_{number}", action, happens=True)

    def at_image(self, number: int, action: Action, place: Place) -> Function | None:
        """Return `happens_x(image)`, which is `act_x` of an event whose keys, and who acts, do not lie at their
        addresses, but at the `place` of each behind the image; None unless each key is a word or a list of named tiles.
        """
        keys = zip(action.params, self.layout.args(action), strict=True)
        if not all(param.parts or is_scalar(_kept(arg)) for param, arg in keys):
            return None
        return self._whether(f"happens_{number}", action, happens=True, images=place)

    def passing(self, number: int, action: Action) -> Function:
        """Return `passes_x`: whether the conditions of an event hold, its lists in one order or another."""
        return self._whether(f"passes_{number}", action, happens=False)

    def _whether(self, name: str, action: Action, happens: bool, images: Place | None = None) -> Function:
        """Return the function that says whether an event is legal, which then `happens`."""
        writer = self.parts.writer(name, 0 if images is None else 1, 1)
        if happens and not self.parts.in_units:
            self.parts.start(writer)
        else:
            self.parts.begin(writer)
        expressions = Expressions(self.parts, writer)
        with self.parts.or_refer(writer):
            self._event(writer, expressions, action, happens, images)
        return writer.function()

    def doing(self, number: int, action: Action) -> Function:
        """Return `do_x`: the effects of an event that is legal, its lists in the order that the conditions allow."""
        return self._effects_of(self.parts.writer(f"do_{number}", 0, 0), action)

    def trying(self, number: int, action: Action) -> Function:
        """Return `try_x`, which is `do_x`, but returns 1; or 0 if an effect cannot happen: others may have by then."""
        writer = self.parts.writer(f"try_{number}", 0, 1)
        writer.tries = True
        return self._effects_of(writer, action)

    def _effects_of(self, writer: Writer, action: Action) -> Function:
        """Return the function whose event happens, its lists in the order in which they lie in memory."""
        self.parts.begin(writer)
        expressions = Expressions(self.parts, writer)
        with self.parts.or_refer(writer):
            names = self.names(writer, expressions, action, as_listed=True)
            self._apply(writer, expressions, action, names)
        if writer.tries:
            writer.give(ONE)
        return writer.function()

    def _event(
        self, writer: Writer, expressions: Expressions, action: Action, happens: bool, images: Place | None
    ) -> None:
        names = self.names(writer, expressions, action, images=images)
        fitted = [n.patterns for c in action.conditions for n in nodes(c.expr) if isinstance(n, ir.FitsScore)]
        for key in [p.name for p in fitted if isinstance(p, ir.Local) and p.name in names][:1]:
            expressions.scores.begin(names[key], expressions)
        # keys whose order matters, and where the one lies that is tried
        orders: list[tuple[ParamDecl, int]] = []
        tried = orders_of(action).tried
        for param in action.params:
            if len(param.parts) > 1 and param in tried:
                address = self.layout.allocate(len(param.parts))
                for place, part in enumerate(param.parts):
                    tile = names[part]
                    assert isinstance(tile, Scalar)
                    writer.store(8, ZERO, tile.value, address + place * WORD)
                orders.append((param, address))
        tries = writer.var(0)
        with writer.loop() as again:
            with writer.block() as refused:
                for param, address in orders:
                    for place, part in enumerate(param.parts):
                        names[part] = Scalar(writer.let(load(8, ZERO, address + place * WORD)), TILE)
                for check in checks(action):
                    self.parts.note_place(writer, check.path)
                    with self.parts.within(check.path):
                        holds = self.checks.holds(expressions, check.test, action, names)
                    writer.leave(refused, is_zero(holds))
                # the event is the one with its lists in this order
                for param, address in orders if images is None else ():
                    arg = next(arg for arg in self.layout.args(action) if arg.key == param.name)
                    for place in range(arg.parts):
                        offset = place * WORD
                        writer.store(8, ZERO, load(8, ZERO, address + offset), arg.address + offset)
                if happens:
                    self._apply(writer, expressions, action, names)
                if expressions.patterns is not None:
                    expressions.scores.end(expressions)
                writer.give(ONE)
            for param, address in reversed(orders):  # the last list changes first
                writer.set(tries, add(tries, ONE))
                writer.refer_if(gt(tries, Lit(MOST_ROUNDS)), Limit.STEPS)
                writer.leave(again, call(next_order(self.parts), Lit(address), Lit(len(param.parts))))
        if expressions.patterns is not None:
            expressions.scores.end(expressions)
        writer.give(ZERO)

    def names(
        self,
        writer: Writer,
        expressions: Expressions,
        action: Action,
        only: Collection[str] | None = None,
        as_listed: bool = False,
        images: Place | None = None,
    ) -> dict[str, Value]:
        """Return the values of an event's keys, or `only` of some, and of who acts. The tiles of a list get their names
        in sorted order, or `as_listed`. With `images`, they lie where that says behind the image of the event.
        """

        def where(address: int) -> tuple[Expr, int]:
            return (ZERO, address) if images is None else (writer.param(0), images(address))

        names: dict[str, Value] = {}
        if action.by is not None:
            names[action.by] = Scalar(writer.let(load(8, *where(self.layout.by))), SEAT)
        for param, arg in zip(action.params, self.layout.args(action), strict=True):
            if only is not None and param.name not in only:
                continue
            if param.parts:
                tiles = [writer.let(load(8, *where(arg.address + i * WORD))) for i in range(arg.parts)]
                values = tiles if as_listed else in_order(writer, tiles)
                names |= named_tiles(expressions, param, values)
                continue
            if images is not None:
                names[param.name] = Scalar(writer.let(load(8, *where(arg.address))), _kept(arg))
                continue
            try:
                value = argument(expressions, arg)
                names[param.name] = _as_bag(value) if param.type == NUMBERS else value
            except NotCompiled as reason:  # a name that is missing is referred where it is asked for
                self.parts.refuse(reason)
        return names

    def _apply(
        self, writer: Writer, expressions: Expressions, action: Action, names: dict[str, Value]
    ) -> None:
        layout, effects = self.layout, Effects(expressions, self._payments.paid)
        if action.kind == "deal":
            self._deal(writer, expressions, action, names)
            self.parts.changed(writer)
        self._payments.begin(writer, action)
        self._clauses(effects, action.name, action.effects, names)
        self._payments.settle(expressions, action)
        if action.kind == "end":
            writer.store(8, ZERO, add(load(8, ZERO, layout.hands_played), ONE), layout.hands_played)
        stage = LIFECYCLES[action.kind].leads_to
        if action.kind != "deal" and stage is not None:
            writer.store(8, ZERO, Lit(layout.stage(stage)), layout.at)
        self.parts.changed(writer)

    def _deal(
        self, writer: Writer, expressions: Expressions, action: Action, names: dict[str, Value]
    ) -> None:
        """Write that each player gets a hand, and that the rest lies in the zone that is dealt from."""
        assert action.dealing is not None
        layout, planes = self.layout, self.layout.planes(TILE)
        zone = self.parts.zones[action.dealing.zone]
        writer.call_into((), "new_hand")
        hand = self.parts.zones[action.dealing.hand]
        bags = expressions.bags
        for player, held in enumerate(self.checks.hands(expressions, action)):
            bags.store(held, planes, Lit(layout.zone(hand.name) + player * layout.zone_slots(hand) * WORD))
        rest = expressions.bits(REST, {DEALT.name: self.checks.dealt(expressions, action)})
        at = Lit(layout.zone(zone.name))
        reserve = names.get("reserve")
        if zone.kind == "row":
            expressions.rows.fill(at, rest, bags.size(rest))
            if isinstance(reserve, Bits):
                with writer.when(reserve.present):
                    expressions.rows.arrange(at, Bits(TILE, reserve.planes, ONE, reserve.listed))
        else:
            bags.store(rest, planes, at)

    def _clauses(
        self, effects: Effects, block: str, clauses: Sequence[EffectClause], names: dict[str, Value]
    ) -> None:
        """Write the effects of an action or of the payout, clause by clause."""
        for clause in lowered(self.rules, block, clauses):
            self.parts.note_place(effects.writer, clause.path)
            with self.parts.within(clause.path):
                effects.all(clause.statements, names)


def argument(expressions: Expressions, arg: Arg) -> Value:
    """Return the value of a key that lies in memory. Raises `NotCompiled`."""
    value = expressions.memory.loaded(_kept(arg), Lit(arg.address), False)
    return replace(value, listed=arg.listed) if isinstance(value, Bits) else value


def _kept(arg: Arg) -> Type:
    """Return the type of what lies in memory of a key."""
    return Opt(arg.kind) if arg.optional or arg.nullable else arg.kind


def named_tiles(expressions: Expressions, param: ParamDecl, tiles: Sequence[Expr]) -> dict[str, Value]:
    """Return the names of a list `{a, b}`, and the bag of its tiles."""
    words, bags = expressions.layout.words(TILE), expressions.bags
    bag = bags.empty(TILE, words)
    out: dict[str, Value] = {}
    for name, tile in zip(param.parts, tiles, strict=True):
        out[name] = Scalar(tile, TILE)
        bag = bags.joined(bag, bags.single(TILE, tile, words), len(param.parts))
    out[param.name] = bag
    return out


def in_order(writer: Writer, values: Sequence[Expr]) -> list[Expr]:
    """Return numbers sorted."""
    ordered: list[Expr] = list(values)
    for end in range(len(ordered) - 1, 0, -1):
        for i in range(end):
            a, b = ordered[i], ordered[i + 1]
            less = writer.let(lt(b, a))
            ordered[i], ordered[i + 1] = writer.let(select(less, b, a)), writer.let(select(less, a, b))
    return ordered


def _as_bag(value: Value) -> Value:
    """Return numbers that are kept for each player as a bag of numbers."""
    if not isinstance(value, PerSeat):
        return value
    values = value.values

    def each(run: Callable[[Value, Expr], None]) -> None:
        for one in values:
            run(one, ONE)

    return Stream(INT, each, Lit(len(values)), short=True)
