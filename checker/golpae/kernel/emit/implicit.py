"""The conditions that the trace contract sets for every game: hands as they are dealt, payments, winners.

Input: an action whose keys lie in memory. Output: code that finds whether such a condition holds.
"""

from __future__ import annotations

from typing import assert_never

from golpae.ir import expr as ir
from golpae.ir.lifecycle import open_at
from golpae.ir.ruleset import Action
from golpae.ir.types import INT, SEAT, TILE, TILES, Each, Opt
from golpae.kernel.emit.expressions import Expressions
from golpae.kernel.emit.values import Bits, Scalar, Value
from golpae.kernel.language.code import Expr, Lit
from golpae.kernel.language.writer import (
    ONE,
    ZERO,
    Writer,
    both,
    either,
    eq,
    is_zero,
    load,
    lt,
    mul,
    select,
)
from golpae.kernel.layout import WORD, Arg, Layout
from golpae.kernel.unsupported import Unsupported


def is_open(writer: Writer, layout: Layout, action: Action) -> Expr:
    """Return whether the match is at a stage at which an action can happen."""
    at = writer.let(load(8, ZERO, layout.at))
    found: Expr = ZERO
    for stage in open_at(action.kind):
        found = either(found, eq(at, Lit(layout.stage(stage))))
    return found


def most_points(writer: Writer, layout: Layout) -> Bits:
    """Return the seats with the most points."""
    totals = [writer.let(load(8, ZERO, layout.totals + p * WORD)) for p in range(layout.players)]
    most: Expr = totals[0]
    for total in totals[1:]:
        most = writer.let(select(lt(most, total), total, most))
    mask: Expr = ZERO
    for player, total in enumerate(totals):
        mask = either(mask, mul(eq(total, most), Lit(1 << player)))
    return Bits(SEAT, ((writer.let(mask),),))


class ImplicitConditions:
    """Writes the conditions of every game."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout

    def condition(
        self, expressions: Expressions, kind: ir.ImplicitKind, action: Action, names: dict[str, Value]
    ) -> Expr:
        layout, writer, bags = self.layout, expressions.writer, expressions.bags
        match kind:
            case "open":
                return is_open(writer, layout, action)
            case "hands":
                return self._sizes(expressions, action, names)
            case "set":
                dealt = self._dealt(expressions, action)
                return bags.within(dealt, bags.constant(TILE, layout.words(TILE), layout.whole))
            case "rest":
                reserve = self.key(action, "reserve")
                if reserve is None:
                    return ONE
                value = expressions.memory.loaded(Opt(TILES), Lit(reserve.address), False)
                assert isinstance(value, Bits)
                whole = bags.constant(TILE, layout.words(TILE), layout.whole)
                rest = bags.minus(whole, self._dealt(expressions, action))
                return either(is_zero(value.present), bags.same(Bits(TILE, value.planes), rest))
            case "winner":
                winner = names["winner"]
                assert isinstance(winner, Scalar)
                return eq(winner.value, load(8, ZERO, layout.winner))
            case "pay":
                writer.call_into((), "payout")
                return self._numbers(layout.pay, action, "pay")
            case "totals":
                return self._numbers(layout.totals, action, "totals")
            case "winners":
                return self._winners(expressions, names["winners"])
            case _:
                assert_never(kind)

    def _dealt(self, expressions: Expressions, action: Action) -> Bits:
        bags = expressions.bags
        dealt = bags.empty(TILE, self.layout.words(TILE))
        for held in self.hands(expressions, action):
            dealt = bags.joined(dealt, held, self.layout.copies + 1)
        return dealt

    def _sizes(self, expressions: Expressions, action: Action, names: dict[str, Value]) -> Expr:
        """Return whether every player is dealt as many tiles as the rules say."""
        assert action.dealing is not None
        writer = expressions.writer
        arg = self.key(action, "hands")
        assert arg is not None
        first = names["first"]
        assert isinstance(first, Scalar)
        more, less = (
            writer.let(expressions.scalar(e, names)) for e in (action.dealing.first, action.dealing.others)
        )
        found: Expr = eq(load(8, ZERO, arg.address), Lit(self.layout.players))
        for player, held in enumerate(self.hands(expressions, action)):
            expected = select(eq(first.value, Lit(player)), more, less)
            found = both(found, eq(expressions.bags.size(held), expected))
        return writer.let(found)

    def _numbers(self, address: int, action: Action, key: str) -> Expr:
        """Return whether the numbers of a key are those of the players at an address."""
        arg = self.key(action, key)
        if arg is None or arg.kind != Each(INT):
            raise Unsupported("payments or totals that are no numbers for each player")
        found: Expr = ONE
        for player in range(self.layout.players):
            given = load(8, ZERO, arg.address + player * WORD)
            found = both(found, eq(given, load(8, ZERO, address + player * WORD)))
        return found

    def _winners(self, expressions: Expressions, value: Value) -> Expr:
        """Return whether seats are just those with the most points."""
        winners = most_points(expressions.writer, self.layout)
        return expressions.bags.same(expressions.collecting.as_bits(value), winners)

    def key(self, action: Action, name: str) -> Arg | None:
        return next((arg for arg in self.layout.args(action) if arg.key == name), None)

    def hands(self, expressions: Expressions, action: Action) -> list[Bits]:
        """Return the hands that a deal gives the players, the first player's first."""
        arg = self.key(action, "hands")
        assert arg is not None
        slots = self.layout.slots(TILES) * WORD
        hands = []
        for player in range(self.layout.players):
            bag = expressions.memory.loaded(TILES, Lit(arg.address + WORD + player * slots), False)
            assert isinstance(bag, Bits)
            hands.append(bag)
        return hands
