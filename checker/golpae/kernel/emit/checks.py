"""What an event is checked for, as its conditions lower to it (`lower/checks.py`).

Input: an action whose keys lie in memory. Output: code that finds whether a check holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar, assert_never

from golpae.ir import expr as ir
from golpae.ir.lifecycle import Stage, open_at
from golpae.ir.ruleset import DEALT_PLAYER, Action
from golpae.ir.traverse import free
from golpae.ir.types import INT, SEAT, TILE, TILES, Each
from golpae.kernel.emit.expressions import Expressions
from golpae.kernel.emit.parts import Names
from golpae.kernel.emit.values import Bits, Scalar, Value
from golpae.kernel.language.code import Expr, Lit
from golpae.kernel.language.writer import ONE, ZERO, Writer, both, either, eq, is_zero, load, select
from golpae.kernel.layout import WORD, Arg, Layout
from golpae.kernel.unsupported import NotCompiled
from golpae.lower.checks import DEALT, Amounts, AtStage, HandSizes, Holds, Settled, Test

V = TypeVar("V")


def is_open(writer: Writer, layout: Layout, action: Action) -> Expr:
    """Return whether the match is at a stage at which an action can happen."""
    return at_stage(writer, layout, open_at(action.kind))


def at_stage(writer: Writer, layout: Layout, stages: Iterable[Stage]) -> Expr:
    """Return whether the match is at one of these stages."""
    at = writer.let(load(8, ZERO, layout.at))
    is_at: Expr = ZERO
    for stage in stages:
        is_at = either(is_at, eq(at, Lit(layout.stage(stage))))
    return is_at


def hand_sizes(
    expressions: Expressions, first: Expr, sizes: tuple[ir.Expr, ir.Expr], names: Names
) -> list[Expr]:
    """Write how many tiles each player is dealt, by the size of the first player's hand and of the others'."""
    writer, players = expressions.writer, range(expressions.layout.players)
    if not any(DEALT_PLAYER in free(size) for size in sizes):
        own, others = (writer.let(expressions.scalar(size, names)) for size in sizes)
        return [*(writer.let(select(eq(first, Lit(player)), own, others)) for player in players)]
    size_locals: list[Expr] = []
    for player in players:
        size, inner = writer.var(0), {**names, DEALT_PLAYER: Scalar(Lit(player), SEAT)}
        is_first = writer.let(eq(first, Lit(player)))
        for test, dealt in zip((is_first, is_zero(is_first)), sizes, strict=True):
            with writer.when(test):
                writer.set(size, expressions.scalar(dealt, inner))
        size_locals.append(writer.let(size))
    return size_locals


class Checks:
    """Writes the checks of events."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout

    def holds(self, expressions: Expressions, test: Test, action: Action, names: dict[str, Value]) -> Expr:
        """Write a test, and return whether it holds. Raises `NotCompiled`."""
        layout, writer = self.layout, expressions.writer
        match test:
            case Holds(expr=expr):
                if action.kind == "deal" and DEALT.name not in names:
                    names[DEALT.name] = self.dealt(expressions, action)
                return expressions.scalar(expr, names)
            case AtStage(stages=stages):
                return at_stage(writer, layout, stages)
            case HandSizes(first=more, others=less):
                first = names["first"]
                assert isinstance(first, Scalar)
                return self._sizes(
                    expressions, action, hand_sizes(expressions, first.value, (more, less), names)
                )
            case Amounts(key=key, account=account, optional=_):  # as its key says
                if account == "total":
                    return self._amounts(layout.totals, action, key)
                writer.call_into((), account)
                return self._amounts(layout.pay, action, key)
            case Settled(expr=expr):
                return self.settled(expressions, lambda: writer.let(expressions.scalar(expr, names)))
            case _:
                assert_never(test)

    def settled(self, expressions: Expressions, value: Callable[[], V]) -> V:
        """Return a value with the totals that a `finish` leaves which pays. Raises `NotCompiled`."""
        layout, writer = self.layout, expressions.writer
        size = Lit(layout.players * WORD)
        totals = Lit(layout.allocate(layout.players))
        writer.call_into((), "settled")
        writer.copy(totals, Lit(layout.totals), size)
        writer.copy(Lit(layout.totals), Lit(layout.pay), size)
        expressions.parts.changed(writer)
        made = value()
        writer.copy(Lit(layout.totals), totals, size)
        expressions.parts.changed(writer)
        return made

    def dealt(self, expressions: Expressions, action: Action) -> Bits:
        """Return the tiles of all hands that a deal gives, each at most once more than the set has it."""
        bags = expressions.bags
        dealt = bags.empty(TILE, self.layout.words(TILE))
        for bits in self.hands(expressions, action):
            dealt = bags.joined(dealt, bits, self.layout.copies + 1)
        return dealt

    def _sizes(self, expressions: Expressions, action: Action, sizes: Sequence[Expr]) -> Expr:
        """Return whether every player is dealt a hand of its size."""
        arg = self._key(action, "hands")
        fits: Expr = eq(load(8, ZERO, arg.address), Lit(self.layout.players))
        for held, size in zip(self.hands(expressions, action), sizes, strict=True):
            fits = both(fits, eq(expressions.bags.size(held), size))
        return expressions.writer.let(fits)

    def _amounts(self, address: int, action: Action, key: str) -> Expr:
        """Return whether the numbers of a key are those of the players at an address."""
        arg = self._key(action, key)
        if arg.kind != Each(INT):
            raise NotCompiled("payments or totals that are no numbers for each player")
        agrees: Expr = ONE
        for player in range(self.layout.players):
            given = load(8, ZERO, arg.value + player * WORD)
            agrees = both(agrees, eq(given, load(8, ZERO, address + player * WORD)))
        return either(is_zero(load(8, ZERO, arg.address)), agrees) if arg.optional else agrees

    def _key(self, action: Action, name: str) -> Arg:
        return next(arg for arg in self.layout.args(action) if arg.key == name)

    def hands(self, expressions: Expressions, action: Action) -> list[Bits]:
        """Return the hands that a deal gives the players, the first player's first."""
        arg = self._key(action, "hands")
        slots = self.layout.slots(TILES) * WORD
        hands = []
        for player in range(self.layout.players):
            bag = expressions.memory.loaded(TILES, Lit(arg.address + WORD + player * slots), False)
            assert isinstance(bag, Bits)
            hands.append(bag)
        return hands
