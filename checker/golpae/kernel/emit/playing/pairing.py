"""Hands by chance that two rule sets allow, side by side, in the kernel language.

Input: the listings of two instances with the same zones, tiles and keys of events, `a` and `b`, each written in a scope
of its own. Output: the functions that play.
Guarantee: the hands are those of `docs/semantics.md` (11.9).

    hands(seed, first, many)   plays so many hands, and notes a word of each at `NoteAddresses`

The word of a hand has its events, then `BITS` bits, which `Bit` numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from golpae.ir.ruleset import Action
from golpae.ir.types import Opt, Patterns
from golpae.kernel.emit.playing.chance import Playing
from golpae.kernel.emit.playing.listing import Listing, put_amounts
from golpae.kernel.emit.playing.numbers import Numbers
from golpae.kernel.emit.winners import the_winner
from golpae.kernel.language.code import Expr, Function, Get, Lit
from golpae.kernel.language.writer import (
    ONE,
    ZERO,
    Writer,
    add,
    both,
    call,
    either,
    eq,
    ge,
    gt,
    is_zero,
    load,
    lt,
    mul,
    ne,
    shl,
)
from golpae.kernel.layout import NO_NUMBER, WORD, Arg, Layout, is_scalar
from golpae.kernel.unsupported import NotCompiled

SCOPES = ("a", "b")
ROOM = 1 << 12  # hands that are noted
BITS = 16  # of a word behind the events


class Bit(IntEnum):
    """What a bit of the word of a hand says."""

    DEALT = 0  # there was a deal that both allow
    A_ALONE = 1  # `a` allowed at some point what `b` refused
    B_ALONE = 2
    DECIDED = 3  # there was a decision; the next two bits are about the one that chance picked
    A_ALONE_THERE = 4
    B_ALONE_THERE = 5
    ENDED = 6
    PAID_OTHERWISE = 7
    LED_OTHERWISE = 8


@dataclass(frozen=True, slots=True)
class NoteAddresses:
    """Addresses of how many hands are noted, and of the words of these."""

    many: int
    words: int


@dataclass(frozen=True, slots=True)
class PlayingSide:
    """One of the two: what lists its events, and what deals by chance."""

    listing: Listing
    playing: Playing

    @property
    def layout(self) -> Layout:
        return self.listing.layout

    @property
    def actions(self) -> tuple[Action, ...]:
        return self.listing.parts.rules.actions


class Pairing:
    """Writes the functions that play hands of two rule sets, each of up to `longest` events. Everything of both sides
    has to be written before.
    """

    def __init__(self, a: PlayingSide, b: PlayingSide, numbers: Numbers, longest: int) -> None:
        self.sides, self._numbers, self._longest = (a, b), numbers, longest
        allocate = b.layout.allocate  # the memory of `b` is behind that of `a`
        self.noted = NoteAddresses(allocate(1), allocate(ROOM))
        self._alone = (allocate(1), allocate(1))  # events that one side alone allows, in this position
        size = (b.layout.state_end - b.layout.at, a.layout.state_end - a.layout.at)
        self._kept = [allocate(-(-bytes_ // WORD)) for bytes_ in reversed(size)]
        self.dealer = 0 if len(a.layout.whole) <= len(b.layout.whole) else 1  # deals from the smaller set

    @property
    def same_size(self) -> bool:
        """Whether both sets have as many tiles, so that a deal can list its reserve."""
        a, b = self.sides
        return len(a.layout.whole) == len(b.layout.whole)

    def functions(self) -> list[Function]:
        """Return the functions that play."""
        out = [*self._numbers.functions(), self._dealt_too(), self._follow(), self._paid_otherwise()]
        for side in (0, 1):
            for number, action in enumerate(self.sides[side].actions):
                if action.kind != "finish":
                    out += [self._carry(side, number, action), self._other_allows(side, number, action)]
        return [*out, self._hand(), self._hands()]

    # ------------------------------------------------------------------ events of the other side

    def _same(self, side: int, action: Action) -> int | None:
        """Return the number that an action has on the other side; None if that lacks it."""
        others = self.sides[1 - side].actions
        return next((n for n, other in enumerate(others) if other.name == action.name), None)

    def _carry(self, side: int, number: int, action: Action) -> Function:
        """`carry_x()`: the keys of an event are put where the other side reads them; 0 if it has no such event. What an
        `end` says of the winner and the payments, each side says by itself.
        """
        writer = Writer(f"carry_{number}", 0, 1)
        same = self._same(side, action)
        if same is None:
            writer.give(ZERO)
        else:
            ours, theirs = (self.sides[at].layout for at in (side, 1 - side))
            other = self.sides[1 - side].actions[same]
            args = {arg.key: arg for arg in theirs.args(other)}
            own = {"winner", "pay"} if action.kind == "end" else set()
            if own:
                writer.call_into((), f"{SCOPES[1 - side]}.payout")
                won = the_winner(writer, theirs)
                with writer.when(ne(won, the_winner(writer, ours))):
                    writer.give(ZERO)
                writer.store(8, ZERO, won, args["winner"].address)
                put_amounts(writer, theirs, args["pay"], theirs.pay)
            if action.by is not None:
                writer.store(8, ZERO, load(8, ZERO, ours.by), theirs.by)
            try:
                for arg in ours.args(action):
                    if arg.key not in own:
                        self._key(writer, side, arg, args[arg.key])
            except NotCompiled:
                writer.refer()
            writer.give(ONE)
        return self._scoped(side, writer)

    def _key(self, writer: Writer, side: int, ours: Arg, theirs: Arg) -> None:
        """Write that a key is carried over. Raises `NotCompiled`."""
        one, other = (self.sides[at].layout for at in (side, 1 - side))
        if isinstance(ours.kind, Patterns):
            self._patterns(writer, one, other, ours, theirs)
            return
        sizes = [_slots(layout, arg) for layout, arg in ((one, ours), (other, theirs))]
        if sizes[0] != sizes[1] or (theirs.listed and not ours.listed):
            raise NotCompiled("a key that two rule sets keep differently")
        writer.copy(Lit(theirs.address), Lit(ours.address), Lit(sizes[0] * WORD))
        if theirs.listed:
            most = min(len(one.whole), len(other.whole))
            writer.copy(Lit(theirs.listed), Lit(ours.listed), Lit((1 + -(-2 * most // WORD)) * WORD))

    def _patterns(self, writer: Writer, one: Layout, other: Layout, ours: Arg, theirs: Arg) -> None:
        """Write that the points of patterns are carried over; 0 is returned if the other side lacks one of these."""
        at, there = ours.address, theirs.address
        if ours.optional or ours.nullable:
            writer.store(8, ZERO, load(8, ZERO, at), there)
            at, there = at + WORD, there + WORD
        for place in range(max(len(other.patterns), 1)):
            writer.store(8, ZERO, Lit(NO_NUMBER), there + place * WORD)
        for name, place in one.patterns.items():
            points = load(8, ZERO, at + place * WORD)
            if name in other.patterns:
                writer.store(8, ZERO, points, there + other.patterns[name] * WORD)
            else:
                with writer.when(ne(points, Lit(NO_NUMBER))):
                    writer.give(ZERO)

    def _other_allows(self, side: int, number: int, action: Action) -> Function:
        """`other_allows_x()`: whether the other side allows an event too; if not, it is counted."""
        writer = Writer(f"other_allows_{number}", 0, 1)
        same = self._same(side, action)
        if same is not None:
            with (
                writer.when(call(f"carry_{number}")),
                writer.when(call(f"{SCOPES[1 - side]}.allowed_{same}")),
            ):
                writer.give(ONE)
        at = self._alone[side]
        writer.store(8, ZERO, add(load(8, ZERO, at), ONE), at)
        writer.give(ZERO)
        return self._scoped(side, writer)

    def _carried(self, writer: Writer, side: int, number: int, action: Action) -> Expr:
        """Return whether an event of a side happens on the other one too."""
        same = self._same(side, action)
        if same is None:
            return ZERO
        done = writer.var(0)
        with writer.when(call(f"{SCOPES[side]}.carry_{number}")):
            writer.set(done, call(f"{SCOPES[1 - side]}.act", Lit(same)))
        return done

    def _follow(self) -> Function:
        """`follow(action)`: what has happened on the side of `a` happens on that of `b`."""
        writer = Writer("follow", 1)
        for number, action in enumerate(self.sides[0].actions):
            if action.kind not in ("deal", "finish"):
                with writer.when(eq(writer.param(0), Lit(number))):
                    writer.refer_if(is_zero(self._carried(writer, 0, number, action)))
                    writer.give()
        writer.refer()
        return writer.function()

    def _paid_otherwise(self) -> Function:
        """`paid_otherwise()`: whether the two have paid differently."""
        writer = Writer("paid_otherwise", 0, 1)
        a, b = (side.layout for side in self.sides)
        for offset in range(0, a.players * WORD, WORD):
            with writer.when(ne(load(8, ZERO, a.pay + offset), load(8, ZERO, b.pay + offset))):
                writer.give(ONE)
        writer.give(ZERO)
        return writer.function()

    # ------------------------------------------------------------------ deals

    def _dealt_too(self) -> Function:
        """`dealt_too()`: whether both sides make a deal; if not, the position stays."""
        writer = Writer("dealt_too", 0, 1)
        side = self.sides[self.dealer]
        number, action = next((n, a) for n, a in enumerate(side.actions) if a.kind == "deal")
        layout = side.layout
        size = layout.state_end - layout.at
        dealer = Lit(self._kept[self.dealer])
        writer.copy(dealer, Lit(layout.at), Lit(size))
        with writer.when(call("act", Lit(number))):
            with writer.when(self._carried(writer, self.dealer, number, action)):
                writer.give(ONE)
            writer.copy(Lit(layout.at), dealer, Lit(size))
        writer.give(ZERO)
        return self._scoped(self.dealer, writer)

    # ------------------------------------------------------------------ hands

    def _hand(self) -> Function:
        """`hand()`: play a hand, and return its word."""
        writer = Writer("hand", 0, 1)
        a, b = SCOPES
        dealer = SCOPES[self.dealer]
        events, word, decisions = writer.var(0), writer.var(0), writer.var(0)
        for scope in SCOPES:
            writer.call_into((), f"{scope}.new_game", ONE)

        def noted(bit: Bit, holds: Expr) -> None:
            writer.set(word, either(word, shl(holds, Lit(bit))))

        with writer.block() as over, writer.loop() as again:
            writer.leave(over, ge(events, Lit(self._longest)))
            with writer.when(is_zero(both(word, Lit(1 << Bit.DEALT)))):
                seats = writer.let(both(call(f"{a}.dealers"), call(f"{b}.dealers")))
                with writer.when(seats):
                    writer.leave(over, lt(call(f"{dealer}.deal_one_of", seats), ONE))
                    noted(Bit.DEALT, ONE)
                    writer.set(events, add(events, ONE))
                    writer.leave(again)
            many, alone = self._choices(writer)
            for bit, holds in zip((Bit.A_ALONE, Bit.B_ALONE), alone, strict=True):
                noted(bit, holds)
            others = [load(8, ZERO, at) for at in self._alone]
            with writer.when(gt(add(many, add(*others)), ONE)):
                writer.set(decisions, add(decisions, ONE))
                with writer.when(is_zero(call("below", decisions))):
                    there = (1 << Bit.A_ALONE_THERE) | (1 << Bit.B_ALONE_THERE)
                    writer.set(word, both(word, Lit(~there)))
                    noted(Bit.DECIDED, ONE)
                    for bit, holds in zip((Bit.A_ALONE_THERE, Bit.B_ALONE_THERE), alone, strict=True):
                        noted(bit, holds)
            writer.leave(over, is_zero(many))
            action = writer.let(call(f"{a}.happen", call(f"{a}.by_chance", many)))
            writer.call_into((), "follow", action)
            writer.set(events, add(events, ONE))
            (end,) = (n for n, one in enumerate(self.sides[0].actions) if one.kind == "end")
            with writer.when(eq(action, Lit(end))):
                noted(Bit.ENDED, ONE)
                noted(Bit.PAID_OTHERWISE, call("paid_otherwise"))
                noted(Bit.LED_OTHERWISE, ne(call(f"{a}.dealers"), call(f"{b}.dealers")))
                writer.leave(over)
            writer.leave(again)
        writer.give(either(word, shl(events, Lit(BITS))))
        return writer.function()

    def _choices(self, writer: Writer) -> tuple[Get, list[Get]]:
        """Return how many events both sides allow, and of each whether it allows others alone."""
        for at in self._alone:
            writer.store(8, ZERO, ZERO, at)
        writer.call_into((writer.new(),), "a.pick", Lit(-1))
        many = writer.var(load(8, ZERO, self.sides[0].listing.seen))
        writer.call_into((writer.new(),), "b.pick", Lit(-1))
        alone = [writer.var(gt(load(8, ZERO, at), ZERO)) for at in self._alone]
        return many, alone

    def _hands(self) -> Function:
        writer = Writer("hands", 3, exported=True)
        writer.store(8, ZERO, ZERO, self.noted.many)
        at = writer.var(0)
        with writer.loop() as again, writer.when(lt(at, writer.param(2))):
            writer.call_into((), "begin", writer.param(0), add(writer.param(1), at))
            writer.store(8, mul(at, Lit(WORD)), call("hand"), self.noted.words)
            writer.set(at, add(at, ONE))
            writer.store(8, ZERO, at, self.noted.many)
            writer.leave(again)
        return writer.function()

    def _scoped(self, side: int, writer: Writer) -> Function:
        function = writer.function()
        function.scope = SCOPES[side]
        return function


def _slots(layout: Layout, arg: Arg) -> int:
    """Return how many words a key takes. Raises `NotCompiled`."""
    if arg.parts or is_scalar(arg.kind):
        return arg.parts or 1
    return layout.slots(Opt(arg.kind) if arg.optional or arg.nullable else arg.kind)
