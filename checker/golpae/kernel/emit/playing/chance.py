"""Deals and games by chance, in the kernel language.

Input: the listing of an instance. Output: the functions that play.
Guarantee: the same seed and number of a game give the game that `docs/semantics.md` (11) describes.

    deal()                     1 after a deal by chance; 0 if nobody can be dealt, -1 if no try succeeds play()
    the number of the action of an event by chance, which has happened then; -1 at a dead end games(seed, first, many)
    plays so many games of `GameAddresses.hands` hands, and writes down at `GameAddresses` what came of them

A game is written as the number of its hands, then these: how each ended, its events, its winner or NONE, what each
player was paid, and the answers to what is asked of each hand, as bits. `GameAddresses.played` is the number of the
games that were written.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from golpae.elaborate.instance import likely_bounds
from golpae.elaborate.lifecycle import hand_sizes_read_keys, own_params
from golpae.ir import expr as ir
from golpae.ir.dependencies import are_told_apart
from golpae.ir.ruleset import Action, ParamDecl
from golpae.ir.types import SEAT, TILE, TILES, Bool, Choice, Each, Int, Opt, Seat, Tile, Type
from golpae.kernel.emit.actions import argument, in_order, named_tiles
from golpae.kernel.emit.checks import hand_sizes, is_open
from golpae.kernel.emit.expressions import Expressions
from golpae.kernel.emit.playing.choices import Choices
from golpae.kernel.emit.playing.greedy import Greedy
from golpae.kernel.emit.playing.listing import Listing, may_fail
from golpae.kernel.emit.playing.numbers import Numbers
from golpae.kernel.emit.playing.rating import Aims
from golpae.kernel.emit.playing.towards import Towards
from golpae.kernel.emit.values import FAR, Bits, Scalar, Value
from golpae.kernel.emit.winners import the_winner
from golpae.kernel.language.code import Expr, Function, Get, Lit
from golpae.kernel.language.writer import (
    ONE,
    ZERO,
    Writer,
    add,
    call,
    either,
    eq,
    ge,
    gt,
    is_zero,
    load,
    lt,
    select,
    shl,
    sub,
)
from golpae.kernel.layout import NONE, WORD, Arg, none_of
from golpae.kernel.unsupported import NotCompiled
from golpae.lower.event_plan import EventPlans, explicit

MOST_NUMBERS = 1 << 32  # of a key that golpae chooses from
DEALS = 100  # tries for a deal that can be made
LONGEST = 10_000  # events of a hand
ENDED, DEAD_END, BROKEN_OFF = range(3)
ROOM = 1 << 15  # words for what came of games


@dataclass(frozen=True, slots=True)
class Asking:
    """When a hand is broken off, and what is asked of each hand: conditions on the position after its last event."""

    longest: int = LONGEST
    asked: tuple[ir.Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class GameAddresses:
    """Addresses of how many hands a game has, how many games were played, where the next is written, and the first."""

    hands: int
    played: int
    next: int
    first: int


class Playing:
    """Writes the functions that play games of one instance by chance, or `greedily` as far as seats can choose."""

    def __init__(
        self,
        listing: Listing,
        aims: Aims | None = None,
        asking: Asking | None = None,
        numbers: Numbers | None = None,
    ) -> None:
        self._asking = Asking() if asking is None else asking
        self._choices = Choices(listing)
        made = Towards if aims is not None and aims.towards else Greedy
        self._greedy = None if aims is None else made(listing, aims, self._choices)
        self.listing, self.layout, self.parts = listing, listing.layout, listing.parts
        self.numbers = Numbers(self.layout) if numbers is None else numbers
        size = len(self.layout.whole)
        held = b"".join(tile.to_bytes(WORD, "little") for tile in self.layout.whole)
        self._set = self.layout.hold(held) if size else 0
        self.shuffled = self.layout.allocate(size)
        hands, played, following = (self.layout.allocate(1) for _ in range(3))
        # A module that tells plays event by event; one of two rule sets notes hands in its own way.
        room = 0 if self.parts.tells or listing.paired else ROOM
        self.told = GameAddresses(hands, played, following, self.layout.allocate(room))

    def functions(self) -> list[Function]:
        """Return the functions that play."""
        chosen = [] if self._greedy is None else self._greedy.functions()
        games = [] if self.parts.tells else [self._answers(), self._hand(), self._games()]
        return [
            *self.numbers.functions(),
            self._shuffle(),
            *self.choosing(),
            *chosen,
            *self._making(),
            self._deal(),
            self._play(),
            *games,
        ]

    def choosing(self) -> list[Function]:
        """Return the functions that take one of the events that `pick` has listed."""
        return self._choices.functions()

    # ------------------------------------------------------------------ deals

    def _shuffle(self) -> Function:
        writer = self.parts.writer("shuffle", 0, 0)
        size = len(self.layout.whole)
        writer.copy(Lit(self.shuffled), Lit(self._set), Lit(size * WORD))
        at = writer.var(size - 1)
        with writer.block() as done, writer.loop() as again:
            writer.leave(done, lt(at, ONE))
            here = writer.let(shl(at, Lit(3)))
            there = writer.let(shl(self.numbers.drawn(writer, writer.var(add(at, ONE))), Lit(3)))
            one, other = (writer.let(load(8, place, self.shuffled)) for place in (here, there))
            writer.store(8, here, other, self.shuffled)
            writer.store(8, there, one, self.shuffled)
            writer.set(at, sub(at, ONE))
            writer.leave(again)
        return writer.function()

    def _making(self) -> list[Function]:
        """Return `made_deal()`, if effects of the deal may fail: whether the deal whose keys lie in memory is made."""
        number, action = self._the_deal()
        if not may_fail(self.parts.rules, action):
            return []
        writer = Writer("made_deal", 0, 1)
        with writer.when(is_zero(call(f"passes_{number}"))):
            writer.give(ZERO)
        with writer.when(is_zero(self.listing.tried(writer, number, action))):
            writer.give(ZERO)
        writer.give(call("act", Lit(number)))
        return [self.listing.actions.passing(number, action), writer.function()]

    def _deal(self) -> Function:
        number, action = self._the_deal()
        writer = self.parts.writer("deal", 0, 1)
        self.parts.start(writer)
        with self.parts.or_refer(writer), self.parts.within(action.name):
            deal = _Deal(self, writer, action)
            with writer.when(is_zero(is_open(writer, self.layout, action))):
                writer.give(ZERO)
            fails = may_fail(self.parts.rules, action)
            deal.write(deal.seats(), call("made_deal") if fails else call("act", Lit(number)))
        writer.give(ZERO)
        return writer.function()

    def dealing(self, lists_reserve: bool) -> list[Function]:
        """Return `deal_one_of(seats)`: the same as `deal` for one of these seats, if `dealt_too` makes the deal whose
        keys lie in memory then; and the functions that it calls.
        """
        _, action = self._the_deal()
        writer = self.parts.writer("deal_one_of", 1, 1)
        self.parts.start(writer)
        with self.parts.or_refer(writer), self.parts.within(action.name):
            deal = _Deal(self, writer, action, lists_reserve)
            deal.write(Bits(SEAT, ((writer.param(0),),)), call("dealt_too"))
        writer.give(ZERO)
        return [self._shuffle(), writer.function()]

    def dealers(self) -> Function:
        """Return `dealers()`: the seats that can be dealt the first player's hand now, as bits."""
        _, action = self._the_deal()
        writer = self.parts.writer("dealers", 0, 1)
        self.parts.start(writer)
        with self.parts.or_refer(writer), self.parts.within(action.name):
            with writer.when(is_zero(is_open(writer, self.layout, action))):
                writer.give(ZERO)
            writer.give(_Deal(self, writer, action).seats().planes[0][0])
        return writer.function()

    def _the_deal(self) -> tuple[int, Action]:
        return next((n, a) for n, a in enumerate(self.parts.rules.actions) if a.kind == "deal")

    # ------------------------------------------------------------------ events

    def _play(self) -> Function:
        writer = Writer("play", 0, 1)
        if self._greedy is not None:
            chosen = writer.let(call("choose"))
            with writer.when(lt(chosen, ZERO)):
                writer.give(Lit(NONE))
            writer.give(call("happen", chosen))
            return writer.function()
        writer.call_into((writer.new(),), "pick", Lit(-1))
        seen = writer.let(load(8, ZERO, self.listing.seen))
        with writer.when(is_zero(seen)):
            writer.give(Lit(NONE))
        writer.give(call("happen", call("by_chance", seen)))
        return writer.function()

    # ------------------------------------------------------------------ games

    def _hand(self) -> Function:
        """`hand(is_first)`: play a hand and write it down. 1: another may follow; 0: none may; -1: there was none."""
        writer = Writer("hand", 1, 1)
        (end,) = (n for n, a in enumerate(self.parts.rules.actions) if a.kind == "end")
        events, dealt = writer.var(0), writer.var(0)
        with writer.loop() as again:
            with writer.when(ge(events, Lit(self._asking.longest))):
                self._written(writer, BROKEN_OFF, events, dealt)
                writer.give(ZERO)
            with writer.when(is_zero(dealt)):
                deal_outcome = writer.let(call("deal"))
                with writer.when(lt(deal_outcome, ZERO)):
                    self._written(writer, DEAD_END, events, dealt)
                    writer.give(ZERO)
                with writer.when(deal_outcome):
                    writer.set(dealt, 1)
                    writer.set(events, add(events, ONE))
                    writer.leave(again)
            action = writer.let(call("play"))
            with writer.when(lt(action, ZERO)):
                with writer.when(either(dealt, writer.param(0))):
                    self._written(writer, DEAD_END, events, dealt)
                    writer.give(ZERO)
                writer.give(Lit(-1))
            writer.set(events, add(events, ONE))
            with writer.when(eq(action, Lit(end))):
                self._written(writer, ENDED, events, dealt)
                writer.give(ONE)
            writer.leave(again)
        writer.give(ZERO)
        return writer.function()

    def _answers(self) -> Function:
        """`answers()`: which of what is asked holds now, as bits."""
        writer = self.parts.writer("answers", 0, 1)
        self.parts.start(writer)
        answers = writer.var(0)
        for number, expr in enumerate(self._asking.asked):
            mark = writer.mark()
            try:
                truth = Expressions(self.parts, writer).scalar(expr, {})
                writer.set(answers, either(answers, shl(truth, Lit(number))))
            except NotCompiled as reason:
                writer.restore(mark)
                self.parts.refer(writer, reason)
        writer.give(answers)
        return writer.function()

    def _written(self, writer: Writer, ending: int, events: Expr, dealt: Expr) -> None:
        layout = self.layout
        answers = writer.var(0)
        with writer.when(dealt):
            writer.set(answers, call("answers"))
        at = writer.let(load(8, ZERO, self.told.next))
        pay = [load(8, ZERO, layout.pay + p * WORD) for p in range(layout.players)]
        words = (Lit(ending), events, the_winner(writer, layout), *pay, answers)
        for place, word in enumerate(words):
            writer.store(8, at, word, place * WORD)
        writer.store(8, ZERO, add(at, Lit(len(words) * WORD)), self.told.next)

    def _games(self) -> Function:
        writer, addresses = Writer("games", 3), self.told
        writer.store(8, ZERO, ZERO, addresses.played)
        writer.store(8, ZERO, Lit(addresses.first), addresses.next)
        played = writer.var(0)
        with writer.block() as done, writer.loop() as again:
            writer.leave(done, ge(played, writer.param(2)))
            writer.call_into((), "begin", writer.param(0), add(writer.param(1), played))
            writer.call_into((), "new_game", ONE)
            count = writer.let(load(8, ZERO, addresses.next))
            writer.store(8, ZERO, add(count, Lit(WORD)), addresses.next)
            hands = writer.var(0)
            with writer.block() as over, writer.loop() as more:
                writer.leave(over, ge(hands, load(8, ZERO, addresses.hands)))
                hand_played = writer.let(call("hand", is_zero(hands)))
                writer.leave(over, lt(hand_played, ZERO))
                writer.set(hands, add(hands, ONE))
                writer.leave(over, is_zero(hand_played))
                writer.leave(more)
            writer.store(8, count, hands)
            writer.set(played, add(played, ONE))
            writer.store(8, ZERO, played, addresses.played)
            writer.leave(again)
        return writer.function()


class _Deal:
    """Writes a deal by chance."""

    def __init__(self, playing: Playing, writer: Writer, action: Action, lists_reserve: bool = True) -> None:
        self.layout, self.writer, self.action = playing.layout, writer, action
        self.lists_reserve = lists_reserve
        self.shuffled = playing.shuffled
        self.expressions = Expressions(playing.parts, writer)
        self.args = {arg.key: arg for arg in self.layout.args(action)}
        self.plans = EventPlans(playing.parts.rules, lambda param, source: True)
        dealing = action.dealing
        assert dealing is not None
        self.sizes = (dealing.first, dealing.others)
        self.sizes_read_keys = hand_sizes_read_keys(action)

    def write(self, seats: Bits, makes: Expr) -> None:
        """Write a deal for one of some seats, by chance: the first of which the call `makes` says that it is made."""
        writer = self.writer
        many = writer.let(self.expressions.bags.size(seats))
        with writer.when(is_zero(many)):
            writer.give(ZERO)
        left = writer.var(DEALS)
        with writer.block() as done, writer.loop() as again:
            writer.leave(done, is_zero(left))
            writer.set(left, sub(left, ONE))
            first = self._chosen_seat(seats, many)
            writer.store(8, ZERO, first, self.args["first"].address)
            names: dict[str, Value] = {"first": Scalar(first, SEAT)}
            if self.sizes_read_keys:
                names |= self._keys()
            writer.call_into((), "shuffle")
            start = self._hands(first, names)
            if not self.sizes_read_keys:
                names |= self._keys()
            self._zones(start, names)
            with writer.when(makes):
                writer.give(ONE)
            writer.leave(again)
        writer.give(Lit(-1))

    def seats(self) -> Bits:
        """Return the seats that can be dealt the first player's hand."""
        writer, layout = self.writer, self.layout
        mask: Get = writer.var(0)
        tests = self.plans.ready(explicit(self.action), ("first",))

        def one(seat: Expr) -> None:
            names: dict[str, Value] = {"first": Scalar(seat, SEAT)}
            with writer.block() as refused:
                for test in tests:
                    writer.leave(refused, is_zero(self.expressions.scalar(test, names)))
                if not self.sizes_read_keys:
                    whole: Expr = ZERO
                    for size in hand_sizes(self.expressions, seat, self.sizes, names):
                        writer.leave(refused, lt(size, ZERO))
                        whole = add(whole, size)
                    writer.leave(refused, gt(whole, Lit(len(layout.whole))))
                writer.set(mask, either(mask, shl(ONE, seat)))

        self.expressions.memory.counted(Lit(layout.players), one)
        return Bits(SEAT, ((mask,),))

    def _chosen_seat(self, seats: Bits, many: Expr) -> Expr:
        writer = self.writer
        left = writer.var(call("below", many))
        chosen = writer.var(NONE)

        def one(seat: Expr) -> None:
            with writer.when(is_zero(left)):
                writer.set(chosen, seat)
            writer.set(left, sub(left, ONE))

        self.expressions.bags.each(seats.planes[0], one)
        return writer.let(chosen)

    def _hands(self, first: Expr, names: dict[str, Value]) -> Get:
        """Write that each seat takes the next tiles, and that the reserve has the rest. Return where it begins."""
        writer, layout = self.writer, self.layout
        sizes = hand_sizes(self.expressions, first, self.sizes, names)
        hands, reserve = self.args["hands"], self.args["reserve"]
        writer.store(8, ZERO, Lit(layout.players), hands.address)
        slots, most = layout.slots(TILES) * WORD, len(layout.whole)
        start = writer.var(0)
        for player, size in enumerate(sizes):
            end = writer.let(add(start, select(lt(size, ZERO), ZERO, size)))
            end = writer.let(select(gt(end, Lit(most)), Lit(most), end))
            self._bag(start, end, Lit(hands.address + WORD + player * slots))
            writer.set(start, end)
        if not self.lists_reserve:
            writer.store(8, ZERO, ZERO, reserve.address)
            return start
        writer.store(8, ZERO, ONE, reserve.address)
        self._bag(start, Lit(most), Lit(reserve.address + WORD))
        if reserve.listed:
            writer.store(8, ZERO, sub(Lit(most), start), reserve.listed)
            self._each(
                start,
                Lit(most),
                lambda tile, at: writer.store(2, shl(sub(at, start), ONE), tile, reserve.listed + WORD),
            )
        return start

    def _zones(self, begin: Get, names: dict[str, Value]) -> None:
        """Write that the keys for zones take the next tiles of the rest."""
        writer, most = self.writer, Lit(len(self.layout.whole))
        assert self.action.dealing is not None
        start = writer.let(begin)
        for dealt in self.action.dealing.table:
            size = writer.let(self.expressions.scalar(dealt.size, names))
            end = writer.let(add(start, select(lt(size, ZERO), ZERO, size)))
            end = writer.let(select(gt(end, most), most, end))
            self._bag(start, end, Lit(self.args[dealt.zone].address))
            start = end

    def _bag(self, start: Expr, end: Expr, address: Lit) -> None:
        """Write a bag of the shuffled tiles from one place to another to an address."""
        writer, layout = self.writer, self.layout
        words = layout.words(TILE)
        planes = tuple(tuple(writer.var(0) for _ in range(words)) for _ in range(layout.planes(TILE)))
        bags = self.expressions.bags
        self._each(
            start,
            end,
            lambda tile, _: self.expressions.collecting.join_into(planes, bags.single(TILE, tile, words)),
        )
        bags.store(Bits(TILE, planes), layout.planes(TILE), address)

    def _each(self, start: Expr, end: Expr, run: Callable[[Expr, Expr], None]) -> None:
        writer = self.writer
        at = writer.var(start)
        with writer.block() as done, writer.loop() as again:
            writer.leave(done, ge(at, end))
            run(writer.let(load(8, shl(at, Lit(3)), self.shuffled)), at)
            writer.set(at, add(at, ONE))
            writer.leave(again)

    def _keys(self) -> dict[str, Value]:
        """Write values by chance for the keys that the game adds to its deals."""
        names: dict[str, Value] = {}
        assert self.action.dealing is not None
        for param in own_params(self.action):
            if self.action.dealing.is_to_zone(param.name):
                continue  # it takes what the hands leave over
            arg = self.args[param.name]
            names |= self._list(param, arg) if param.parts else {param.name: self._key(param, arg)}
        return names

    def _list(self, param: ParamDecl, arg: Arg) -> dict[str, Value]:
        writer = self.writer
        tiles: list[Expr] = [writer.let(self._one_of(param, TILE)) for _ in param.parts]
        if not are_told_apart(param, self.action.conditions):  # else the deal tries the orders
            tiles = in_order(writer, tiles)
        for place, tile in enumerate(tiles):
            writer.store(8, ZERO, tile, arg.address + place * WORD)
        return named_tiles(self.expressions, param, tiles)

    def _key(self, param: ParamDecl, arg: Arg) -> Value:
        writer = self.writer
        bare = param.type.item if isinstance(param.type, Opt) else param.type
        if isinstance(param.type, Opt) and isinstance(bare, Each):
            writer.store(8, ZERO, ZERO, arg.address)
            return argument(self.expressions, arg)
        key_value = writer.var(none_of(param.type))
        if isinstance(param.type, Opt):
            with writer.when(call("below", Lit(2))):
                writer.set(key_value, self._one_of(param, bare))
        else:
            writer.set(key_value, self._one_of(param, bare))
        writer.store(8, ZERO, key_value, arg.address)
        return Scalar(writer.let(key_value), param.type)

    def _one_of(self, param: ParamDecl, kind: Type) -> Expr:
        if isinstance(kind, Int):
            low, high = likely_bounds(self.layout.instance, param)
            if max(abs(low), abs(high)) > FAR:
                raise NotCompiled("a number of more than 62 bits as a key of the deal")
            return add(Lit(low), call("below", Lit(max(1, min(high - low + 1, MOST_NUMBERS)))))
        if not isinstance(kind, Tile | Seat | Bool | Choice):
            raise NotCompiled("a key of the deal that is a meld, patterns or a list of bags")
        return call("below", Lit(self.layout.members(kind)))
