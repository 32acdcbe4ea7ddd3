"""Choices and events by chance, in the kernel language.

Input: the listing of an instance. Output: functions that put events together, and take one by chance.
Guarantee: the choices of `docs/semantics.md` (11.5), by the same numbers. What notes of events do not tell is referred.

    group(events)      puts so many events together that whoever acts cannot tell apart
    event_of(choice)   one of the events of a choice: each copy of the tiles that nobody sees has the same chance
    by_chance(events)  one of the events: each choice has the same chance
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from golpae.ir import expr as ir
from golpae.ir.ruleset import Action, ParamDecl, ZoneDecl
from golpae.ir.traverse import free
from golpae.ir.types import SEAT, TILE, TILES, Opt
from golpae.kernel.emit.expressions import Expressions
from golpae.kernel.emit.playing.listing import MOST_NOTED, NOTE, Listing
from golpae.kernel.emit.playing.selecting import going
from golpae.kernel.emit.values import Bits, Scalar, Value
from golpae.kernel.language.code import Expr, Function, Get, Lit
from golpae.kernel.language.limits import Limit
from golpae.kernel.language.writer import (
    ONE,
    ZERO,
    add,
    arithmetic,
    both,
    call,
    eq,
    ge,
    gt,
    is_zero,
    load,
    lt,
    mul,
    select,
    shl,
    sub,
)
from golpae.kernel.layout import NONE, WORD, is_scalar
from golpae.kernel.unsupported import NotCompiled
from golpae.lower import statements as st
from golpae.lower.effects import statements_of
from golpae.lower.event_plan import UnseenKey, unseen_keys

MOST_WAYS = 1 << 32  # in which the events of a choice can come about
Each = Callable[[Callable[[Expr], None]], None]  # goes through events


class Choices:
    """Writes the functions of one instance."""

    def __init__(self, listing: Listing) -> None:
        self.listing, self.layout, self.parts = listing, listing.layout, listing.parts
        layout, actions = self.layout, self.parts.rules.actions
        self.count, self._events = layout.allocate(1), layout.allocate(1)
        self._choice_of = layout.allocate(MOST_NOTED)  # of each event
        self._first, self._size, self._owner = (
            layout.allocate(MOST_NOTED) for _ in range(3)
        )  # of each choice
        by = b"".join(int(action.by is not None).to_bytes(WORD, "little") for action in actions)
        self._acts = layout.hold(by)
        unseen = {action.name: unseen_keys(self.parts.rules, action) for action in actions}
        self._unseen = {name: keys for name, keys in unseen.items() if keys}

    def functions(self) -> list[Function]:
        """Return the functions that the head of this module lists."""
        return [self._group(), self._event_of(), self._by_chance()]

    def each(self, of: Expressions, run: Callable[[Expr, Expr, Expr], None]) -> None:
        """Write what happens for each choice, with its first event, and who acts (below 0 if nobody does)."""
        writer = of.writer

        def one(choice: Expr) -> None:
            at = writer.let(shl(choice, Lit(3)))
            first, owner = (writer.let(load(8, at, table)) for table in (self._first, self._owner))
            run(choice, first, owner)

        of.memory.counted(writer.let(load(8, ZERO, self.count)), one)

    def note(self, event: Expr, word: int) -> Expr:
        """Return a word of the note of an event: its action, who acts, its keys."""
        return load(8, mul(event, Lit(NOTE * WORD)), self.listing.noted + word * WORD)

    def _by_chance(self) -> Function:
        writer = self.parts.writer("by_chance", 1, 1)
        some = self.listing.many_blocks if self.listing.in_turn else self.listing.unseen
        with writer.when(is_zero(load(8, ZERO, some))):
            writer.give(call("below", writer.param(0)))
        if not self.listing.in_turn:
            writer.call_into((), "group", writer.param(0))
            writer.give(call("event_of", call("below", load(8, ZERO, self.count))))
            return writer.function()
        events, of = writer.param(0), Expressions(self.parts, writer)
        writer.refer_if(gt(events, Lit(MOST_NOTED)), Limit.EVENTS)
        many = writer.let(load(8, ZERO, self.listing.many_blocks))
        choices, event = writer.var(events), writer.var(0)

        def block(run: Callable[[Expr, Expr], None]) -> None:
            def one(at: Expr) -> None:
                here = writer.let(shl(at, Lit(4)))
                run(*(writer.let(load(8, here, self.listing.blocks + word * WORD)) for word in (0, 1)))

            going(writer, ZERO, many, one)

        block(lambda first, end: writer.set(choices, sub(choices, sub(sub(end, first), ONE))))
        writer.set(event, call("below", choices))

        def passed(first: Expr, end: Expr) -> None:
            """Write that the event is in a block, or that the events of a block come before it."""

            def each(run: Callable[[Expr], None]) -> None:
                going(writer, first, end, run)

            with writer.when(lt(event, first)):
                writer.give(event)
            with writer.when(eq(event, first)):
                self._one_of(of, first, sub(end, first), each)
            writer.set(event, add(event, sub(sub(end, first), ONE)))

        block(passed)
        writer.give(event)
        return writer.function()

    # ------------------------------------------------------------------ together

    def _group(self) -> Function:
        writer = self.parts.writer("group", 1, 0)
        of = Expressions(self.parts, writer)
        events = writer.param(0)
        writer.refer_if(gt(events, Lit(MOST_NOTED)), Limit.EVENTS)
        writer.store(8, ZERO, ZERO, self.count)
        writer.store(8, ZERO, events, self._events)

        def one(event: Expr) -> None:
            action = writer.let(self.note(event, 0))
            index = writer.var(NONE)
            for number, declared in enumerate(self.parts.rules.actions):
                if declared.name in self._unseen:
                    refers = self.parts.or_refer(writer)
                    with writer.when(eq(action, Lit(number))), refers, self.parts.within(declared.name):
                        self._find_same(of, declared, event, index)
            with writer.when(lt(index, ZERO)):
                writer.set(index, load(8, ZERO, self.count))
                at = writer.let(shl(index, Lit(3)))
                acts = load(8, shl(action, Lit(3)), self._acts)
                writer.store(8, at, event, self._first)
                writer.store(8, at, ZERO, self._size)
                writer.store(8, at, select(acts, self.note(event, 1), Lit(NONE)), self._owner)
                writer.store(8, ZERO, add(index, ONE), self.count)
            writer.store(8, shl(event, Lit(3)), index, self._choice_of)
            at = writer.let(shl(index, Lit(3)))
            writer.store(8, at, add(load(8, at, self._size), ONE), self._size)

        of.memory.counted(events, one)
        return writer.function()

    def _find_same(self, of: Expressions, action: Action, event: Expr, found: Get) -> None:
        """Write that the choice is found whose events differ from this one only in unseen tiles."""
        writer = of.writer
        words = self._words(action)
        many = 1 + int(action.by is not None) + sum(len(own) for own in words.values())
        hidden = {word for key in self._unseen[action.name] for word in words[key.name]}

        def one(choice: Expr, first: Expr, _: Expr) -> None:
            same: Expr = ONE
            for word in range(many):
                mine, other = self.note(event, word), self.note(first, word)
                if word in hidden:
                    mine, other = lt(mine, ZERO), lt(other, ZERO)
                same = both(same, eq(mine, other))
            with writer.when(same):
                writer.set(found, choice)

        names = [param.name for param in action.params]
        unseen = {key.name for key in self._unseen[action.name]}
        if {*names[len(names) - len(unseen) :]} == unseen:  # the events of a choice come one after the other
            last = writer.let(sub(load(8, ZERO, self.count), ONE))
            with writer.when(ge(last, ZERO)):
                one(last, writer.let(load(8, shl(last, Lit(3)), self._first)), ZERO)
            return
        self.each(of, one)

    def _words(self, action: Action) -> dict[str, range]:
        """Return the words of a note that have each key. Raises `NotCompiled` if notes do not have them all."""
        if self.listing.words_of(action) is None:
            large = (a.key for a in self.layout.args(action) if not (a.parts or is_scalar(a.kind)))
            key = next(large, None)
            if key is None:
                raise NotCompiled("unseen tiles of an action with very many keys")
            with self.parts.within(f"{action.name}({key})"):
                raise NotCompiled(f"unseen tiles of an action whose key `{key}` is no single value")
        word, out = 1 + int(action.by is not None), {}
        for arg in self.layout.args(action):
            out[arg.key] = range(word, word + (arg.parts or 1))
            word += arg.parts or 1
        return out

    # ------------------------------------------------------------------ one of them

    def _event_of(self) -> Function:
        writer = self.parts.writer("event_of", 1, 1)
        of = Expressions(self.parts, writer)
        choice = writer.param(0)
        at_choice = writer.let(shl(choice, Lit(3)))
        first = writer.let(load(8, at_choice, self._first))

        def each(run: Callable[[Expr], None]) -> None:
            def one(event: Expr) -> None:
                with writer.when(eq(load(8, shl(event, Lit(3)), self._choice_of), choice)):
                    run(event)

            going(writer, first, load(8, ZERO, self._events), one)

        self._one_of(of, first, load(8, at_choice, self._size), each)
        return writer.function()

    def _one_of(self, of: Expressions, first: Expr, size: Expr, each: Each) -> None:
        """Write that one of so many events of a choice is given, of which `each` goes through all."""
        writer = of.writer
        with writer.when(gt(size, ONE)):
            action = writer.let(self.note(first, 0))
            for number, declared in enumerate(self.parts.rules.actions):
                if declared.name in self._unseen:
                    refers = self.parts.or_refer(writer)
                    with writer.when(eq(action, Lit(number))), refers, self.parts.within(declared.name):
                        self._weighed(of, declared, first, size, each)
        writer.give(first)

    def _weighed(self, of: Expressions, action: Action, first: Expr, size: Expr, each: Each) -> None:
        """Write that one of several events is given, by the ways in which each can come about."""
        writer = of.writer
        there = self._there(of, action, first)
        total = writer.var(0)

        def count(event: Expr) -> None:
            ways = self._ways_in(of, action, event, there)
            writer.set(total, add(total, ways))

        if self._is_draw(action):  # each tile lies there; if all kinds that do are listed, all copies count
            (tiles,) = there.values()
            with writer.when(eq(of.bags.size(of.bags.kinds(tiles)), size)):
                writer.set(total, of.bags.size(tiles))
        with writer.when(is_zero(total)):
            each(count)
        writer.refer_if(gt(total, Lit(MOST_WAYS)), Limit.WAYS)
        left = writer.var(call("below", total))

        def take(event: Expr) -> None:
            ways = writer.let(self._ways_in(of, action, event, there))
            with writer.when(lt(left, ways)):
                writer.give(event)
            writer.set(left, sub(left, ways))

        each(take)

    def _is_draw(self, action: Action) -> bool:
        """Return whether an action first of all moves its one unseen tile, which lies in one place for certain."""
        key, *others = self._unseen[action.name]
        first = next(iter(statements_of(self.parts.rules, action)), None)
        (param,) = (param for param in action.params if param.name == key.name)
        return (
            not others
            and param.type == TILE
            and isinstance(first, st.Take)
            and isinstance(first.what, ir.Local)
            and first.what.name == key.name
            and (first.place.zone, first.place.seat) == (key.zone, key.seat)
        )

    def _there(self, of: Expressions, action: Action, first: Expr) -> dict[str, Bits]:
        """Return the tiles that lie where each unseen key takes its own from. Raises `NotCompiled`."""
        keys = self._unseen[action.name]
        seats = {(key.zone, key.seat) for key in keys}
        if len(seats) != len({zone for zone, _ in seats}):
            raise NotCompiled("unseen tiles of two players in one event")
        names = self._names(action, first)
        out = {}
        for key in keys:
            zone = self.parts.zones[key.zone]
            if key.seat is None or not zone.each_player:
                bits = of.bags.empty(TILE, self.layout.words(TILE))
                for player in range(self.layout.players if zone.each_player else 1):
                    own = tiles_of(of, zone, Lit(player))
                    bits = of.bags.joined(bits, own, self.layout.planes(TILE))
            else:
                if not free(key.seat) <= names.keys():
                    raise NotCompiled(
                        "hidden tiles that come from a player whom no condition names, only an effect"
                    )
                seat = of.writer.let(of.scalar(key.seat, names))
                of.writer.refer_if(lt(seat, ZERO))
                bits = tiles_of(of, zone, seat)
            out[key.zone] = bits
        return out

    def _names(self, action: Action, event: Expr) -> dict[str, Value]:
        """Return the values that a note has, without unseen keys: these differ within a choice."""
        hidden = {key.name for key in self._unseen[action.name]}
        names: dict[str, Value] = {}
        words = self._words(action)
        if action.by is not None:
            names[action.by] = Scalar(self.note(event, 1), SEAT)
        for param in action.params:
            if param.name not in hidden and not param.parts:
                names[param.name] = Scalar(self.note(event, words[param.name].start), param.type)
        return names

    def _ways_in(self, of: Expressions, action: Action, event: Expr, there: dict[str, Bits]) -> Expr:
        """Return in how many ways the unseen tiles of an event can be taken."""
        writer, words = of.writer, self._words(action)
        ways: Expr = ONE
        left = dict(there)
        keys = self._unseen[action.name]
        for number, key in enumerate(keys):
            tiles = [writer.let(self.note(event, word)) for word in words[key.name]]
            (param,) = (param for param in action.params if param.name == key.name)
            ways = writer.let(mul(ways, _ways_of(of, tiles, left[key.zone])))
            if number or len(tiles) > 1:
                writer.refer_if(gt(ways, Lit(MOST_WAYS)), Limit.WAYS)
            if any(later.zone == key.zone for later in keys[number + 1 :]):
                left[key.zone] = self._without(of, param, key, tiles, left[key.zone])
        return ways

    def _without(
        self, of: Expressions, param: ParamDecl, key: UnseenKey, tiles: Sequence[Expr], there: Bits
    ) -> Bits:
        """Return the tiles that are left for later keys. Raises `NotCompiled`."""
        if isinstance(param.type, Opt) or len(tiles) > 1:
            raise NotCompiled(
                "an unseen key after a list, or after one that may be none, from the same place"
            )
        return of.bags.minus(there, of.bags.single(TILE, tiles[0], self.layout.words(TILE)))


def _ways_of(of: Expressions, tiles: Sequence[Expr], there: Bits) -> Expr:
    """Return in how many ways the tiles of a key, one or those of a list, can be taken from some tiles; if they do not
    lie there, or are none, 1.
    """
    writer = of.writer
    ways: Expr = ONE
    if len(tiles) == 1:
        (tile,) = tiles
        return select(of.bags.has(tile, there, True), of.bags.copies(tile, there), ONE)
    for place, tile in enumerate(tiles):
        has = of.bags.has(tile, there, True)
        copies = writer.let(select(has, of.bags.copies(tile, there), ZERO))
        before = _sum([eq(tile, other) for other in tiles[:place]])
        needed = add(before, add(ONE, _sum([eq(tile, other) for other in tiles[place + 1 :]])))
        step = writer.let(add(before, ONE))
        factor = select(ge(copies, needed), sub(copies, before), step)
        ways = writer.let(arithmetic("div_s", mul(ways, factor), step))
    return ways


def _sum(numbers: Sequence[Expr]) -> Expr:
    total: Expr = ZERO
    for number in numbers:
        total = add(total, number)
    return total


def tiles_of(of: Expressions, zone: ZoneDecl, seat: Expr) -> Bits:
    """Return all tiles of a zone, of one player if each has one."""
    layout = of.layout
    first = Lit(layout.zone(zone.name))
    address: Expr = first
    if zone.each_player:
        address = of.writer.let(add(mul(seat, Lit(layout.zone_slots(zone) * WORD)), first))
    if zone.kind == "row":
        return of.rows.tiles(address)
    if zone.kind == "melds":
        return of.collecting.gathered(of.memory.melds(address))
    bits = of.memory.loaded(TILES, address, False)
    assert isinstance(bits, Bits)
    return bits
