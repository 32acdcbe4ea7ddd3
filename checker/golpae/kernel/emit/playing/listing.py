"""Legal events in the kernel language.

Input: the plan of each action. Output: functions that count its legal events, and put the keys of one of them into the
memory where an event is read.
Guarantee: the events are those that `golpae legal` lists, without `finish`, in the order of `docs/semantics.md` (11.5).
A position in which that cannot be found out is referred.

`list_x(wanted)` goes through the events of an action. `layout` keeps the number of those that were `seen` so far in the
position; and, if the events of each choice come in turn, the number of choices with several events, and the first of
these and the one behind them (`blocks`); if not, whether some may differ only in tiles that are `unseen`. It returns 1
as soon as it comes to the event with the number `wanted`, whose keys lie in memory then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import permutations

from golpae.elaborate.instance import can_list
from golpae.elaborate.lifecycle import lifecycle_params, own_params
from golpae.ir import expr as ir
from golpae.ir.dependencies import are_told_apart, settles
from golpae.ir.ruleset import Action, ParamDecl, RuleSet
from golpae.ir.traverse import conjuncts, free
from golpae.ir.types import SEAT, TILE, Int, Opt
from golpae.kernel.emit.actions import Actions, named_tiles
from golpae.kernel.emit.bags import any_of
from golpae.kernel.emit.checks import is_open
from golpae.kernel.emit.expressions import Expressions
from golpae.kernel.emit.lists.orders import next_order
from golpae.kernel.emit.parts import Names
from golpae.kernel.emit.playing.positions import Positions
from golpae.kernel.emit.playing.sources import Sources
from golpae.kernel.emit.values import Plane, Scalar, Value
from golpae.kernel.emit.winners import the_winner
from golpae.kernel.language.code import Expr, Function, Get, Lit
from golpae.kernel.language.limits import Limit
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
    lt,
    mul,
    ne,
    shl,
)
from golpae.kernel.layout import NONE, WORD, Arg, Layout, is_scalar
from golpae.kernel.unsupported import NotCompiled
from golpae.lower import event_plan as plans
from golpae.lower.checks import MOST_POINTS
from golpae.lower.event_plan import EventPlans, Offered, Planned, explicit, unseen_keys
from golpae.lower.move_safety import moves_safely

MOST_NOTED, NOTE = 2048, 8  # events of a position that are noted, and the words of each
MOST_TRIED = 500_000  # values of keys that are tried for a position; the reference tries twice as many
# With the player who acts: their values are so few that nobody counts them, but for bags and numbers.
FEW_KEYS = 2
MOST_PARTS = 3  # tiles of a key `{a, b, ...}` whose orders are written one after the other
CLOSING = (
    "end",
    "finish",
)  # kinds of actions: their keys, but for those that a text adds, follow from the game
Then = Callable[[Names], None]


class Listing:
    """Writes the functions that list the legal events of one instance. If it is `paired`, only those events are listed
    that `other_allows_x` allows too, whose keys lie in memory then.
    """

    def __init__(self, actions: Actions, paired: bool = False) -> None:
        self.paired = paired
        self.actions, self.parts, self.layout = actions, actions.parts, actions.layout
        self.seen, self.unseen, self.many_blocks, self.tries = (self.layout.allocate(1) for _ in range(4))
        self.blocks = self.layout.allocate(MOST_NOTED)
        drawing = [action for action in self.parts.rules.actions if unseen_keys(self.parts.rules, action)]
        self.in_turn = all(self._ends_unseen(action) for action in drawing)
        self.noted = self.layout.allocate(MOST_NOTED * NOTE)
        self.positions = Positions(self.layout)
        self._plans = EventPlans(self.parts.rules, self._can_list)

    def _ends_unseen(self, action: Action) -> bool:
        """Return whether the events of a choice come in turn: the unseen keys of an action are its last, each has as
        many tiles in every event, or is the first of them and may be none.
        """
        unseen = {key.name for key in unseen_keys(self.parts.rules, action)}
        last = action.params[len(action.params) - len(unseen) :]
        return (
            {param.name for param in last} == unseen
            and all(param.parts or is_scalar(param.type) for param in last)
            and not any(param.optional or isinstance(param.type, Opt) for param in last[1:])
        )

    def functions(self) -> list[Function]:
        """Return `pick(wanted)`, which returns the number of the action of an event, -1 if there are not so many; and
        the functions that it calls.
        """
        out = []
        order: list[int] = []
        for kinds in (("play", "before"), ("end",)):
            for number, action in enumerate(self.parts.rules.actions):
                if action.kind in kinds:
                    order.append(number)
                    out.append(self._list(number, action))
        return [*out, *self.trying(), self._pick(order), *self.happening()]

    def not_played(self) -> list[Function]:
        """Return `pick_finish(wanted)`, which is `pick` for the events that finish a match, and `unlisted(action)`:
        whether an action may be legal, but has too many events to be listed; and the functions that they call.
        """
        finishing = [(n, a) for n, a in enumerate(self.parts.rules.actions) if a.kind == "finish"]
        out = [self._list(number, action) for number, action in finishing]
        out.append(self._pick([number for number, _ in finishing], "pick_finish"))
        writer = Writer("unlisted", 1, 1)
        self.parts.start(writer)
        writer.store(8, ZERO, ZERO, self.tries)
        for number, action in enumerate(self.parts.rules.actions):
            opening = self._plans.plan(action, own_params(action), only_listed=True)
            assert opening is not None
            listed = {param.name for _, param, *_ in opening if param is not None}
            if action.kind == "deal" or all(param.name in listed for param in own_params(action)):
                continue
            out.append(self._opening(number, action, opening))
            with writer.when(eq(writer.param(0), Lit(number))):
                writer.give(call(f"open_{number}"))
        writer.give(ZERO)
        return [*out, writer.function()]

    def _opening(self, number: int, action: Action, opening: Sequence[Planned]) -> Function:
        """Return `open_x`: whether the conditions hold that read only who acts and keys whose values are listed."""
        writer = self.parts.writer(f"open_{number}", 0, 1)
        with writer.when(is_zero(is_open(writer, self.layout, action))):
            writer.give(ZERO)
        _OneAction(self, writer, number, action, opening, only_open=True).write()
        writer.give(ZERO)
        return writer.function()

    def _pick(self, order: Sequence[int], name: str = "pick") -> Function:
        writer = Writer(name, 1, 1)
        self.parts.start(writer)
        writer.store(8, ZERO, ZERO, self.seen)
        writer.store(8, ZERO, ZERO, self.unseen)
        writer.store(8, ZERO, ZERO, self.many_blocks)
        writer.store(8, ZERO, ZERO, self.tries)
        expressions = Expressions(self.parts, writer)
        for number in order:
            action = self.parts.rules.actions[number]
            with writer.block() as closed:
                writer.leave(closed, is_zero(is_open(writer, self.layout, action)))
                for test in self._at_sight(action):
                    writer.leave(closed, is_zero(expressions.scalar(test, {})))
                with writer.when(call(f"list_{number}", writer.param(0))):
                    writer.give(Lit(number))
        writer.give(Lit(NONE))
        return writer.function()

    def _at_sight(self, action: Action) -> Iterator[ir.Expr]:
        """Yield tests without which an action has no events, and which take less than a call of `list_x`."""
        plan = self._plan(action) or []
        tests = (
            test for step in plan[:2] for test in (*step.offered.given, *(() if step.names else step.tests))
        )
        for test in tests:
            parts = test.args if isinstance(test, ir.Op) and test.op == "eq" else ()
            shared = (
                isinstance(p, ir.Const) or (isinstance(p, ir.StateRead) and p.seat is None) for p in parts
            )
            if parts and all(shared) and all(is_scalar(part.type) for part in parts):
                yield test

    def _plan(self, action: Action) -> list[Planned] | None:
        if action.kind in CLOSING:
            return self._closing(action)
        return self._plans.plan(action, action.params)

    def _list(self, number: int, action: Action) -> Function:
        writer = self.parts.writer(f"list_{number}", 1, 1)
        self.parts.note_place(writer, action.name)
        with writer.when(is_zero(is_open(writer, self.layout, action))):
            writer.give(ZERO)
        plan = self._plan(action)
        if plan is not None:
            _OneAction(self, writer, number, action, plan).write()
        writer.give(ZERO)
        return writer.function()

    def _closing(self, action: Action) -> list[Planned] | None:
        """Return the choices for the keys that a game adds to its `end` or `finish`. What reads them is asked at the
        last.
        """
        first = self._plans.ready(explicit(action), tuple(p.name for p in lifecycle_params(action.kind)))
        plan = [Planned((), None, Offered(plans.Single()), (), first)]
        for param in own_params(action):
            names = param.parts or (param.name,)
            offered = self._plans.offered(action, param, names, ())
            if not self._can_list(param, offered.source):
                if not param.optional:
                    return None
                offered = Offered(plans.Nothing())
            plan.append(Planned(names, param, offered, (), ()))
        return plan

    def _can_list(self, param: ParamDecl, source: plans.Source) -> bool:
        """Return whether the values of a key are few enough to list, as `golpae legal` decides it."""
        return can_list(self.layout.instance, param, source)

    def tried(self, writer: Writer, number: int, action: Action) -> Expr:
        """Write that an event is tried whose conditions hold. Return whether it can be carried out."""
        self.positions.keep(writer, action)
        can_be = writer.let(call(f"try_{number}"))
        self.positions.put_back(writer, action)
        return can_be

    def trying(self) -> list[Function]:
        """Return `try_x` of each action whose effects may fail."""
        actions = enumerate(self.parts.rules.actions)
        return [
            self.actions.trying(number, action)
            for number, action in actions
            if may_fail(self.parts.rules, action)
        ]

    def allowing(self) -> list[Function]:
        """Return `allowed_x` of each action: whether the event whose keys lie in memory is legal; and what it calls,
        but for what `functions` has.
        """
        out = []
        for number, action in enumerate(self.parts.rules.actions):
            out.append(self.actions.passing(number, action))
            writer = Writer(f"allowed_{number}", 0, 1)
            with writer.when(is_zero(call(f"passes_{number}"))):
                writer.give(ZERO)
            if may_fail(self.parts.rules, action):
                writer.give(self.tried(writer, number, action))
            writer.give(ONE)
            out.append(writer.function())
        return out

    def words_of(self, action: Action) -> list[int] | None:
        """Return the addresses of who acts and of the keys of an action; None if these are many."""
        words = [] if action.by is None else [self.layout.by]
        for arg in self.layout.args(action):
            if not (arg.parts or is_scalar(arg.kind)):
                return None
            words += [arg.address + place * WORD for place in range(arg.parts or 1)]
        return words if len(words) < NOTE else None

    def happening(self) -> list[Function]:
        """Return `happen(number)`: one of the events that `pick` has listed happens. It returns the number
        of its action.
        """
        writer = Writer("happen", 1, 1)
        number = writer.param(0)
        actions = self.parts.rules.actions
        result, at = writer.var(NONE), writer.let(mul(number, Lit(NOTE * WORD)))
        with writer.when(lt(number, Lit(MOST_NOTED))):
            writer.set(result, load(8, at, self.noted))
        functions = []
        for place, action in enumerate(actions):
            words = self.words_of(action)
            if words is None or action.kind in ("deal", "finish"):
                continue
            with writer.when(eq(result, Lit(place))):
                for slot, word in enumerate(words, 1):
                    writer.store(8, ZERO, load(8, at, self.noted + slot * WORD), word)
                writer.call_into((), f"do_{place}")
                writer.give(result)
            if not self.parts.tells:  # which has them all
                functions.append(self.actions.doing(place, action))
        writer.set(result, call("pick", number))
        writer.refer_if(is_zero(call("act", result)))
        writer.give(result)
        return [*functions, writer.function()]


class _OneAction:
    """Writes what lists the events of one action."""

    def __init__(
        self,
        listing: Listing,
        writer: Writer,
        number: int,
        action: Action,
        plan: Sequence[Planned],
        only_open: bool = False,
    ) -> None:
        self.listing, self.writer, self.action, self.plan = listing, writer, action, plan
        self.number, self.only_open = number, only_open
        self.expressions = Expressions(listing.parts, writer)
        self.sources = Sources(self.expressions)
        self.args = {arg.key: arg for arg in listing.layout.args(action)}
        self.counts = any(map(_has_many, plan)) or sum(len(choice.names) for choice in plan) > FEW_KEYS
        self.unseen = [key.name for key in unseen_keys(listing.parts.rules, action)]
        names = [param.name for param in action.params]
        self.begins = {*names[: names.index(self.unseen[0])]} if self.unseen else set()
        self.first = writer.var(NONE) if self.unseen else None
        """Since one of the keys that `begins` has another value: the first event; or the first unseen tile."""
        self.block = (
            writer.var(0) if self.unseen else None
        )  # the offset of the block that the event belongs to

    def write(self) -> None:
        names: dict[str, Value] = {}
        if self.action.kind in CLOSING and not self.only_open:
            layout, writer = self.listing.layout, self.writer
            for test in self.plan[0].tests:  # before payments are worked out
                if not free(test):
                    with writer.when(is_zero(self.expressions.scalar(test, {}))):
                        writer.give(ZERO)
            if self.action.kind == "end":
                writer.call_into((), "payout")
                writer.store(8, ZERO, the_winner(writer, layout), self.args["winner"].address)
                numbers, given = self.args["pay"], layout.pay
            else:
                numbers, given = self.args["totals"], layout.totals
                if settles(self.action):
                    given = layout.pay
                    self.listing.actions.checks.settled(self.expressions, self._winners)
                else:
                    self._winners()
            put_amounts(writer, layout, numbers, given)
            fixed = [param.name for param in lifecycle_params(self.action.kind)]
            names = self.listing.actions.names(writer, self.expressions, self.action, fixed)
        self._from(0, names)

    def _winners(self) -> None:
        """Write that the key `winners` has those whose total nobody's is above."""
        layout = self.listing.layout
        winners = self.expressions.bits(MOST_POINTS, {})
        best = self.args["winners"]
        self.expressions.bags.store(winners, layout.planes(SEAT), Lit(best.value))
        if best.optional:
            self.writer.store(8, ZERO, ONE, best.address)

    def _from(self, place: int, names: Names) -> None:
        """Write the choices from a place of the plan on."""
        if place == len(self.plan):
            self._event(names)
            return
        choice = self.plan[place]
        parts = self.listing.parts
        with parts.or_refer(self.writer), parts.within(self._path_of_key(choice)):
            self._choose(choice, names, lambda bound: self._asked(choice, place, bound))

    def _asked(self, choice: Planned, place: int, names: Names) -> None:
        """Write the conditions of a choice, and what comes after it if they hold."""
        if len(choice.names) == 1:
            self._count()
        with self.writer.block() as refused:
            for test in choice.tests:
                self._note_clause(test)
                with self.listing.parts.within(self._path_of(test)):
                    self.writer.leave(refused, is_zero(self.expressions.scalar(test, names)))
            self._from(place + 1, names)

    def _note_clause(self, test: ir.Expr) -> None:
        """Write that a test begins, if it is noted which clauses it is a part of."""
        if self.listing.parts.places is not None:
            self.listing.parts.note_place(self.writer, self._path_of(test))

    def _path_of(self, test: ir.Expr) -> str:
        """Return the path of the condition that a test is a part of, or of the action."""
        named = (c.name for c in self.action.conditions if test in conjuncts(c.expr))
        return ".".join((self.action.name, *[*named][:1]))

    def _path_of_key(self, choice: Planned) -> str:
        """Return the path of a key, or of the action: `put(tile)`."""
        return self.action.name if choice.param is None else f"{self.action.name}({choice.param.name})"

    def _count(self) -> None:
        """Write that a value is tried. A position with very many is referred."""
        if self.counts:
            tries = self.writer.let(load(8, ZERO, self.listing.tries))
            self.writer.refer_if(ge(tries, Lit(MOST_TRIED)), Limit.EVENTS)
            self.writer.store(8, ZERO, add(tries, ONE), self.listing.tries)

    def _choose(self, choice: Planned, names: Names, then: Then) -> None:
        """Write what happens for each value of a choice."""
        if not choice.names:
            then(names)
            return
        offered = choice.offered
        param, arg = self._key(choice)
        if self.first is not None and (choice.param is None or param.name in self.begins):
            then = self._beginning(then)
        with self.writer.block() as not_given:
            if offered.may_be_none:
                self.sources.none(param, arg, lambda value: then({**names, param.name: value}))
                if self.first is not None and param.name in self.unseen:  # which is another choice
                    self.writer.set(self.first, NONE)
            for test in offered.given:
                self._note_clause(test)
                with self.listing.parts.within(self._path_of(test)):
                    self.writer.leave(not_given, is_zero(self.expressions.scalar(test, names)))
            if param.parts:
                self._listed(param, arg, choice, names, then)
                return
            without_none = offered.may_be_none
            self.sources.values(
                param, arg, offered.source, names, without_none, lambda v: then({**names, param.name: v})
            )

    def _beginning(self, then: Then) -> Then:
        """Return a continuation for a value of a key before unseen ones: it resets `first`, then runs `then`."""

        def begin(names: Names) -> None:
            assert self.first is not None
            self.writer.set(self.first, NONE)
            then(names)

        return begin

    def _key(self, choice: Planned) -> tuple[ParamDecl, Arg]:
        """Return the key of a choice; who acts is like one."""
        if choice.param is not None:
            return choice.param, self.args[choice.param.name]
        (name,) = choice.names
        return ParamDecl(name, SEAT), Arg(name, SEAT, 0, False, False, self.listing.layout.by)

    def _listed(self, param: ParamDecl, arg: Arg, choice: Planned, names: Names, then: Then) -> None:
        """Write what happens for each list of a key `{a, b}`: in sorted order, or in the first legal one."""
        orders = self._orders(param)
        if len(orders) != 1 and choice is not self.plan[-1]:
            raise NotCompiled("a key after a list `{a, b}` whose order matters")

        tests = explicit(self.action) if self.action.kind in CLOSING else choice.tests
        parts = [part for test in tests for part in conjuncts(test)]

        def one(tiles: Sequence[Expr]) -> None:
            self._count()
            for place, tile in enumerate(tiles):
                self.writer.store(8, ZERO, tile, arg.address + place * WORD)
            if orders == ():
                self._tried_orders(param, arg, tests, names)
                return
            if len(orders) == 1:
                then({**names, **named_tiles(self.expressions, param, tiles)})
                return
            with self.writer.block() as result:
                for order in orders:
                    with self.writer.block() as refused:
                        bound = {**names, **named_tiles(self.expressions, param, [tiles[at] for at in order])}
                        for test in tests:
                            self._note_clause(test)
                            self.writer.leave(refused, is_zero(self.expressions.scalar(test, bound)))
                        for place, at in enumerate(order):
                            self.writer.store(8, ZERO, tiles[at], arg.address + place * WORD)
                        self._event(bound)
                        self.writer.leave(result)

        def narrowed(plane: Plane, before: Sequence[Expr]) -> Plane:
            """Return the tiles that can come behind the others of a list, in one order or another."""
            if not orders:
                return plane
            rows = []
            for order in orders:
                bound = {
                    part: before[at] for part, at in zip(param.parts, order, strict=True) if at < len(before)
                }
                (last,) = {*param.parts} - {*bound}
                values = {part: Scalar(tile, TILE) for part, tile in bound.items()}
                rows.append(self.expressions.narrowing.narrowed(parts, last, plane, {**names, **values}))
            return tuple(self.writer.let(any_of(words)) for words in zip(*rows, strict=True))

        self.sources.lists(param, choice.offered.source, names, one, narrowed)

    def _tried_orders(self, param: ParamDecl, arg: Arg, tests: Sequence[ir.Expr], names: Names) -> None:
        """Write what happens for the first legal order of a list, which lies sorted at its key."""
        writer, size = self.writer, len(param.parts)
        tried = self.listing.layout.allocate(size)
        writer.copy(Lit(tried), Lit(arg.address), Lit(size * WORD))
        with writer.block() as result, writer.loop() as again:
            writer.count_member()
            with writer.block() as refused:
                tiles = [writer.let(load(8, ZERO, tried + place * WORD)) for place in range(size)]
                bound = {**names, **named_tiles(self.expressions, param, tiles)}
                for test in tests:
                    self._note_clause(test)
                    writer.leave(refused, is_zero(self.expressions.scalar(test, bound)))
                writer.copy(Lit(arg.address), Lit(tried), Lit(size * WORD))
                self._event(bound)
                writer.leave(result)
            writer.leave(again, call(next_order(self.listing.parts), Lit(tried), Lit(size)))

    def _orders(self, param: ParamDecl) -> tuple[tuple[int, ...], ...]:
        """Return the orders of a list that are tried; none if they are so many that a loop goes through them."""
        size = len(param.parts)
        if not are_told_apart(param, self.action.conditions):
            return (tuple(range(size)),)
        return tuple(permutations(range(size))) if size <= MOST_PARTS else ()

    # ------------------------------------------------------------------ an event

    def _event(self, names: Names) -> None:
        """Write what happens at an event whose conditions hold, but for those that only `end` asks here."""
        writer, listing = self.writer, self.listing
        if self.only_open:
            writer.give(ONE)
            return
        with writer.block() as refused:
            if self.action.kind in CLOSING:
                for test in explicit(self.action):
                    writer.leave(refused, is_zero(self.expressions.scalar(test, names)))
            if may_fail(listing.parts.rules, self.action):
                writer.leave(refused, is_zero(listing.tried(writer, self.number, self.action)))
            if listing.paired:
                writer.leave(refused, is_zero(call(f"other_allows_{self.number}")))
            seen = writer.let(load(8, ZERO, listing.seen))
            self._note(seen)
            with writer.when(eq(seen, writer.param(0))):
                writer.give(ONE)
            writer.store(8, ZERO, add(seen, ONE), listing.seen)
            if self.first is not None:
                if listing.in_turn:
                    self._continue(self.first, seen)
                else:
                    self._notice(self.first)

    def _continue(self, first: Get, seen: Expr) -> None:
        """Write that an event is the first of its choice, or one more of a block."""
        writer, listing = self.writer, self.listing
        with writer.when(lt(first, ZERO)):
            writer.set(first, seen)
        assert self.block is not None
        with writer.otherwise():
            with writer.when(eq(seen, add(first, ONE))):
                many = writer.let(load(8, ZERO, listing.many_blocks))
                writer.refer_if(ge(many, Lit(MOST_NOTED // 2)), Limit.EVENTS)
                writer.set(self.block, shl(many, Lit(4)))
                writer.store(8, self.block, first, listing.blocks)
                writer.store(8, ZERO, add(many, ONE), listing.many_blocks)
            writer.store(8, self.block, add(seen, ONE), listing.blocks + WORD)

    def _notice(self, first: Get) -> None:
        """Write that events are noticed which may differ only in an unseen tile."""
        writer = self.writer
        arg = self.args[self.unseen[0]]
        is_tile = len(self.unseen) == 1 and is_scalar(arg.kind) and not arg.parts
        tile = writer.let(load(8, ZERO, arg.address)) if is_tile else ZERO
        with writer.when(lt(first, ZERO)):
            writer.set(first, tile)
        with writer.otherwise(), writer.when(ne(tile, first) if is_tile else ONE):
            writer.store(8, ZERO, ONE, self.listing.unseen)

    def _note(self, seen: Expr) -> None:
        """Write that an event is noted: its action, who acts, and its keys unless these take much room."""
        writer = self.writer
        with writer.when(lt(seen, Lit(MOST_NOTED))):
            at = writer.let(mul(seen, Lit(NOTE * WORD)))
            words = self.listing.words_of(self.action)
            if words is None:
                words = [] if self.action.by is None else [self.listing.layout.by]
            writer.store(8, at, Lit(self.number), self.listing.noted)
            for place, word in enumerate(words, 1):
                writer.store(8, at, load(8, ZERO, word), self.listing.noted + place * WORD)


def _has_many(choice: Planned) -> bool:
    """Return whether a key may have very many values: a bag, or a number that no condition equates."""
    if choice.param is None:
        return False
    kind = choice.param.type
    is_number = isinstance(kind.item if isinstance(kind, Opt) else kind, Int)
    return not is_scalar(kind) or (is_number and not isinstance(choice.offered.source, plans.Only))


def may_fail(rules: RuleSet, action: Action) -> bool:
    """Return whether effects may fail although all conditions hold."""
    return not moves_safely(rules, action)


def put_amounts(writer: Writer, layout: Layout, key: Arg, given: int) -> None:
    """Write that a key has the numbers at an address, one of each player."""
    writer.copy(Lit(key.value), Lit(given), Lit(layout.players * WORD))
    if key.optional:
        writer.store(8, ZERO, ONE, key.address)
