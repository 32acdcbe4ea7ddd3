"""How good events are for a seat that plays greedily, in the kernel language.

Input: the listing of an instance, what its tiles are good for, what seats see. Output: functions that rate.
Guarantee: the ratings of `golpae.simulate.greedy`.

    held(seat), unseen(seat)   the tiles that serve a seat, and those that it cannot see
    rate(n, seat)              how good the event of this number is for a seat, by the tiles before it
    best(seat)                 rates the choices of a seat, and returns the best rating
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from golpae.ir import expr as ir
from golpae.ir.ruleset import EVERYONE, OTHERS, OWNER, Action, ZoneDecl
from golpae.ir.types import BOOL, SEAT, TILE, Opt
from golpae.kernel.emit.expressions import Expressions
from golpae.kernel.emit.playing.choices import Choices, tiles_of
from golpae.kernel.emit.playing.listing import MOST_NOTED, Listing
from golpae.kernel.emit.playing.positions import Positions
from golpae.kernel.emit.playing.tiles import Tiles
from golpae.kernel.emit.values import Bits, Scalar
from golpae.kernel.emit.winners import the_winner
from golpae.kernel.language.code import Expr, Function, Get, Lit
from golpae.kernel.language.writer import (
    ONE,
    ZERO,
    Writer,
    both,
    call,
    either,
    eq,
    ge,
    gt,
    load,
    ne,
    select,
    shl,
    sub,
)
from golpae.kernel.layout import NONE, WORD
from golpae.kernel.unsupported import NotCompiled
from golpae.pieces import Composition

WINS, GAINS, SPARES, PLAIN, LOSES = 4, 3, 2, 1, 0  # as in golpae.simulate.greedy


@dataclass(frozen=True, slots=True)
class HiddenKey:
    """A key that names a tile from where the seat that acts cannot see: its name, and whether it comes to serve the
    seat.
    """

    key: str
    arrives: bool


@dataclass(frozen=True, slots=True)
class Aims:
    """What tiles are good for: `groups` that go together, None if any tile can serve; zones of tiles and of melds that
    serve a seat; keys of each action that the seat cannot know. Seats of `at_random` do not care; with `towards`, the
    others go towards the nearest win: by what is missing for one of `compositions`, if there are any.
    """

    groups: Collection[tuple[int, ...]] | None
    loose: Collection[str]
    melds: Collection[str]
    hidden: dict[str, tuple[HiddenKey, ...]]
    at_random: Collection[int] = ()
    towards: bool = False
    compositions: Sequence[Composition] = ()


class Ratings:
    """Writes what rates the events of one instance. Raises `NotCompiled`."""

    def __init__(self, listing: Listing, aims: Aims, choices: Choices) -> None:
        self.listing, self.layout, self.parts, self.aims = listing, listing.layout, listing.parts, aims
        self.choices = choices
        layout = self.layout
        self.tiles = tiles = Tiles(layout)
        self.planes, self.words, self.many = tiles.planes, tiles.words, tiles.many
        self._loose, self._whole, self._beyond = (layout.allocate(self.many) for _ in range(3))
        self._melded, self._seats = (layout.allocate(1) for _ in range(2))
        self._rating = layout.allocate(MOST_NOTED)
        self._order = layout.allocate(max(layout.players, 1))
        self._positions = Positions(layout)
        self._groups = self._table(1), self._table(2)
        self._hidden = {name: keys for name, keys in aims.hidden.items() if keys}
        for action in self.parts.rules.actions:
            if action.name in self._hidden:
                self._check(action)

    def _check(self, action: Action) -> None:
        """Raise `NotCompiled` if choices of an action cannot be told apart by their notes."""
        kinds = {param.name: param.type for param in action.params if not param.parts}
        for hidden in self._hidden[action.name]:
            kind = kinds.get(hidden.key)
            if (kind.item if isinstance(kind, Opt) else kind) != TILE:
                raise NotCompiled("a policy that rates hidden tiles of a key that is no single tile")
        if self.listing.words_of(action) is None or len(self._hidden[action.name]) > 1:
            raise NotCompiled(
                "a policy that rates an action with several hidden keys, or with a key that is a list"
            )

    def _table(self, least: int) -> int:
        """Return where the groups of each kind are, of at least so many tiles: their number, and where they begin."""
        groups = [group for group in self.aims.groups or () if len(group) >= least]
        kinds = range(len(self.layout.instance.kinds))
        return self.tiles.table([[self.tiles.entry(g) for g in groups if kind in g] for kind in kinds])

    def rating(self) -> list[Function]:
        """Return the functions that rate."""
        return [self._held(), self._unseen(), self._goes_together(), self._rate(), self._best()]

    def prepare(self, writer: Writer, beyond: Bits) -> None:
        """Write what else the choices of a seat are rated by, of all tiles in its hand and that it cannot see."""

    # ------------------------------------------------------------------ what a seat holds and sees

    def _held(self) -> Function:
        """`held(seat)`: the tiles in hand, all tiles with those in melds, and how many lie in melds."""
        writer = self.parts.writer("held", 1, 2 * self.many + 1)
        of = Expressions(self.parts, writer)
        seat = writer.param(0)
        loose, grouped = of.bags.empty(TILE, self.words), of.bags.empty(TILE, self.words)
        for zone in self.parts.rules.zones:
            if zone.name in self.aims.loose:
                loose = of.bags.joined(loose, tiles_of(of, zone, seat), self.planes)
            elif zone.name in self.aims.melds:
                grouped = of.bags.joined(grouped, tiles_of(of, zone, seat), self.planes)
        whole = of.bags.joined(loose, grouped, self.planes)
        writer.give(*self.tiles.flat(of, loose), *self.tiles.flat(of, whole), of.bags.size(grouped))
        return writer.function()

    def _kept(self, writer: Writer, address: int) -> Bits:
        return self.tiles.bag([writer.let(load(8, ZERO, address + w * WORD)) for w in range(self.many)])

    def _unseen(self) -> Function:
        """`unseen(seat)`: the tiles that a seat cannot see."""
        writer = self.parts.writer("unseen", 1, self.many)
        of = Expressions(self.parts, writer)
        seat = writer.param(0)
        kinds = self.layout.instance.kinds
        every = [kind for kind, declared in enumerate(kinds) for _ in range(declared.copies)]
        left = of.bags.constant(TILE, self.words, every)
        for zone in self.parts.rules.zones:
            if zone.also is not None:
                left = self._less_seen_now(of, left, zone, seat)
            elif zone.seen_by == EVERYONE:
                for player in range(self.layout.players if zone.each_player else 1):
                    left = of.bags.minus(left, tiles_of(of, zone, Lit(player)))
            elif zone.seen_by == OWNER and zone.each_player:
                left = of.bags.minus(left, tiles_of(of, zone, seat))
            elif zone.seen_by == OTHERS and zone.each_player:
                for player in range(self.layout.players):
                    left = of.bags.minus(left, tiles_of(of, zone, Lit(player)))
                left = of.bags.joined(left, tiles_of(of, zone, seat), self.layout.copies)
        writer.give(*self.tiles.flat(of, left))
        return writer.function()

    def _less_seen_now(self, of: Expressions, left: Bits, zone: ZoneDecl, seat: Expr) -> Bits:
        """Return tiles without those of a zone that a seat sees now, if that depends on the state."""
        assert zone.also is not None
        viewer = ir.Local("viewer", SEAT)
        for owner in range(self.layout.players) if zone.each_player else (None,):
            owners = () if owner is None else (ir.Const(owner, SEAT),)
            own = ZERO if owner is None else eq(seat, Lit(owner))
            always = select(own, Lit(int(zone.is_seen(True))), Lit(int(zone.is_seen(False))))
            now = of.scalar(ir.CallDef(zone.also, (*owners, viewer), BOOL), {viewer.name: Scalar(seat, SEAT)})
            sees = of.writer.let(sub(ZERO, either(always, now)))  # all bits, or none
            tiles = tiles_of(of, zone, Lit(owner or 0))
            left = of.bags.minus(left, of.bags.masked(tiles, (sees,) * self.words))
        return left

    def _goes_together(self) -> Function:
        """`together(table, tile, tiles...)`: whether some group of a table that has a tile is among some tiles."""
        writer = Writer("together", 2 + self.many, 1)
        if self.aims.groups is None:
            writer.give(ONE)
            return writer.function()
        of = Expressions(self.parts, writer)
        bag = self.tiles.bag([writer.param(2 + place) for place in range(self.many)])

        def one(address: Expr) -> None:
            with writer.when(of.bags.within(self.tiles.at(writer, address), bag)):
                writer.give(ONE)

        self.tiles.each_entry(writer, writer.param(0), writer.param(1), self.many, one)
        writer.give(ZERO)
        return writer.function()

    # ------------------------------------------------------------------ ratings

    def _rate(self) -> Function:
        """`rate(event, seat)`: the position, which `best` has kept, is then what it was."""
        writer = self.parts.writer("rate", 2, 1)
        of = Expressions(self.parts, writer)
        seat = writer.param(1)
        action, winner, held_after = self.tried(writer, writer.param(0), seat)
        with writer.when(eq(winner, seat)):
            writer.give(Lit(WINS))
        with writer.when(ne(winner, Lit(NONE))):
            writer.give(Lit(LOSES))
        with writer.when(gt(held_after[-1], load(8, ZERO, self._melded))):
            writer.give(Lit(GAINS))
        loose, _, taken, given = self.moved(writer, of, action, held_after)
        own = self.tiles.flat(of, loose)
        done = writer.var(0)

        def gains(tile: Expr) -> None:
            writer.set(done, either(done, call("together", Lit(self._groups[0]), tile, *own)))

        of.bags.each(taken.planes[0], gains)
        with writer.when(done):
            writer.give(Lit(GAINS))
        with writer.when(of.bags.is_empty(given)):
            writer.give(Lit(PLAIN))
        beyond = [writer.let(load(8, ZERO, self._beyond + w * WORD)) for w in range(self.many)]

        def supported(tile: Expr) -> None:
            writer.set(done, either(done, call("together", Lit(self._groups[1]), tile, *beyond)))

        of.bags.each(given.planes[0], supported)
        writer.give(select(done, Lit(PLAIN), Lit(SPARES)))
        return writer.function()

    def tried(self, writer: Writer, event: Expr, seat: Expr) -> tuple[Expr, Expr, list[Get]]:
        """Write that an event is tried for a seat. Return its action, who has won then, and what `held` gives then."""
        action = writer.let(call("happen", event))
        held_after = [writer.new() for _ in range(2 * self.many + 1)]
        writer.call_into(held_after, "held", seat)
        won = self._won(writer, seat)
        for number, declared in enumerate(self.parts.rules.actions):
            if declared.by is not None:
                with writer.when(eq(action, Lit(number))):
                    self._positions.put_back(writer, declared)
        return action, won, held_after

    def _won(self, writer: Writer, seat: Expr) -> Expr:
        """Return the one that has won; this seat if it is among several, no seat at all if others are, or NONE."""
        state = self.parts.rules.winners_state
        if state is None:
            return the_winner(writer, self.layout)
        of = Expressions(self.parts, writer)
        own: Expr = ZERO
        some: Expr = ZERO
        for player in range(self.layout.players):
            has_won = writer.let(of.scalar(ir.StateRead(state, ir.Const(player, SEAT), BOOL), {}))
            own, some = either(own, both(eq(seat, Lit(player)), has_won)), either(some, has_won)
        return writer.let(select(own, seat, select(some, Lit(self.layout.players), Lit(NONE))))

    def moved(
        self, writer: Writer, of: Expressions, action: Expr, found: Sequence[Expr]
    ) -> tuple[Bits, Bits, Bits, Bits]:
        """Return the tiles in hand after an event as far as the seat can know, all that serve it, and those that it
        took and gave away.
        """
        loose, whole = self.tiles.bag(found[: self.many]), self.tiles.bag(found[self.many : 2 * self.many])
        before = self._kept(writer, self._whole)
        hidden = self._arrived(writer, of, action)
        if hidden is not None:
            # a tile that arrives unseen counts for nothing; it is one of those in hand, if it is there
            there = of.bags.masked(loose, hidden.planes[0])
            one = Bits(TILE, (tuple(there.planes[0]),))
            loose, whole = of.bags.minus(loose, hidden), of.bags.minus(whole, one)
        return loose, whole, of.bags.minus(whole, before), of.bags.minus(before, whole)

    def _arrived(self, writer: Writer, of: Expressions, action: Expr) -> Bits | None:
        """Return the tile that the seat got from where it cannot see, as a bag."""
        bits = [writer.var(0) for _ in range(self.words)]
        any_yet = False
        for number, declared in enumerate(self.parts.rules.actions):
            for hidden in self._hidden.get(declared.name, ()):
                if not hidden.arrives:
                    continue
                any_yet = True
                (arg,) = (arg for arg in self.layout.args(declared) if arg.key == hidden.key)
                tile = writer.let(load(8, ZERO, arg.address))
                with writer.when(both(eq(action, Lit(number)), ge(tile, ZERO))):
                    for word, bit in zip(bits, of.bags.bit(tile, self.words), strict=True):
                        writer.set(word, bit)
        return Bits(TILE, (tuple(writer.let(bit) for bit in bits),)) if any_yet else None

    def _best(self) -> Function:
        """`best(seat)`: rates the choices of a seat, and returns the best rating."""
        writer = self.parts.writer("best", 1, 1)
        of = Expressions(self.parts, writer)
        seat = writer.param(0)
        self._positions.keep(writer)
        best_rating = [writer.new() for _ in range(2 * self.many + 1)]
        writer.call_into(best_rating, "held", seat)
        for place, word in enumerate(best_rating[: self.many]):
            writer.store(8, ZERO, word, self._loose + place * WORD)
            writer.store(8, ZERO, best_rating[self.many + place], self._whole + place * WORD)
        writer.store(8, ZERO, best_rating[-1], self._melded)
        hidden = [writer.new() for _ in range(self.many)]
        writer.call_into(hidden, "unseen", seat)
        joined = of.bags.joined(
            self.tiles.bag(best_rating[: self.many]), self.tiles.bag(hidden), 2 * self.planes
        )
        beyond = [word for plane in joined.planes[: self.planes] for word in plane]
        for place, held_or_hidden in enumerate(beyond):
            writer.store(8, ZERO, held_or_hidden, self._beyond + place * WORD)
        self.prepare(writer, joined)
        best = writer.var(-1)

        def one(choice: Expr, first: Expr, owner: Expr) -> None:
            with writer.when(eq(owner, seat)):
                rating = writer.let(call("rate", first, seat))
                writer.store(8, shl(choice, Lit(3)), rating, self._rating)
                with writer.when(gt(rating, best)):
                    writer.set(best, rating)

        self.choices.each(of, one)
        writer.give(best)
        return writer.function()
