"""What goes through the members of a bag, as Python expressions: quantifiers, sums, members that are chosen.

Input: an expression of the IR, and the emitter of its instance.
Output: the source of a Python expression.
Guarantee: what is asked of each player in few words is written once for each seat, which is quicker than a loop. Which
tiles complete a hand is asked of all together.

    every q in players: q's melds is empty    ->    (not S.z_melds[0]) and (not S.z_melds[1])
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, assert_never

from golpae.ir import expr as ir
from golpae.ir.traverse import free, nodes
from golpae.ir.types import TILE, TILES, Bag
from golpae.replay.codegen.names import faces, local
from golpae.replay.codegen.remembering import asks_nothing
from golpae.replay.state_layout import mangled

if TYPE_CHECKING:
    from golpae.replay.codegen.expressions import Emitter

MOST_NODES = 80  # of what is asked of each player, for all seats together


class Folds:
    """Writes what goes through members, for one emitter."""

    def __init__(self, emitter: Emitter) -> None:
        self._of = emitter

    def quant(self, expr: ir.Quant) -> str:
        """Return the Python expression of a quantifier."""
        names, domain, body, size = expr.names, expr.domain, expr.body, expr.size
        if size is None and self._is_few(names, domain, (body,)):
            joined = " and " if expr.kind == "every" else " or "
            source = self._of_all_seats(joined, names[0], lambda: f"({self._of.emit(body)})")
            return f"(not {source})" if expr.kind == "no" else source
        chosen = self.choice(names, domain)
        if size is not None:
            choices = _each("together", self._of.emit(domain), self._of.emit(size), self._of.counts_steps)
            chosen = f"{local(names[0])} in {choices}"
        source = f"{self._of.emit(body)} for {chosen}"
        if self._of.limited.can_fail(body):  # which the order of the members must not decide
            source = f"[{source}]"
        if expr.kind == "every":
            return f"all({source})"
        return f"any({source})" if expr.kind == "some" else f"(not any({source}))"

    def _is_few(self, names: tuple[str, ...], domain: ir.Expr, exprs: Iterable[ir.Expr]) -> bool:
        """Return whether what is asked of each player is written once for each seat, because it is short."""
        return (
            len(names) == 1
            and isinstance(domain, ir.Builtin)
            and domain.name == "players"
            and not self._of.known
            and not any(map(self._of.limited.can_fail, exprs))
            and self._of.instance.players * sum(1 for expr in exprs for _ in nodes(expr)) <= MOST_NODES
        )

    def _of_all_seats(self, joined: str, name: str, emit: Callable[[], str]) -> str:
        """Return the emitted code for each seat, joined; `emit` emits it for the one that a name stands for."""
        sources = []
        for seat in range(self._of.instance.players):
            self._of.known = {name: str(seat)}
            sources.append(emit())
        self._of.known = {}
        source = joined.join(sources)
        return f"(counted(PLAYERS) and ({source}))" if self._of.counts_steps else f"({source})"

    def _completing(self, names: tuple[str, ...], domain: ir.Expr, test: ir.Expr | None) -> str | None:
        """Return the members of a bag of tiles with which others make an arrangement, if that is what a test asks.

        those t in kinds: p's hand + t is full    ->    shapes.completing(KINDS, S.z_hand[l_p], (), 'full')
        """
        if (
            len(names) != 1
            or not isinstance(test, ir.IsShape | ir.IsBeside)
            or not isinstance(domain.type, Bag)
        ):
            return None
        melds: ir.Expr | None = None
        if isinstance(test, ir.IsBeside):
            tiles, melds, name = test.tiles, test.melds, test.arrangement
        else:
            tiles, name = test.arg, test.shape
        by_face = isinstance(tiles, ir.Faces)
        tiles = tiles.arg if isinstance(tiles, ir.Faces) else tiles
        if name not in self._of.arrangements or not isinstance(tiles, ir.Op) or tiles.op != "bag_add":
            return None
        rest, last = tiles.args
        one = ir.BagOf((ir.Local(names[0], TILE),), TILES)
        if rest == one:
            rest, last = last, rest
        asked = [rest] if melds is None else [rest, melds]
        if last != one or not all(asks_nothing(e) and names[0] not in free(e) for e in asked):
            return None
        held = faces(self._of.emit(rest), rest.type) if by_face else self._of.emit(rest)
        beside = "()" if melds is None else self._of.emit(melds)
        faced = ", FACES" if by_face else ""
        return f"shapes.completing({self._of.members(domain)}, {held}, {beside}, {name!r}{faced})"

    def choice(self, names: tuple[str, ...], domain: ir.Expr) -> str:
        """Return the loop over the members of a bag for some names: the code between `for` and `if`."""
        if len(names) == 1:
            return f"{local(names[0])} in {self._of.members(domain)}"
        called = "counted_together" if self._of.counts_steps else "permutations"
        return f"{', '.join(local(n) for n in names)} in {called}({self._of.emit(domain)}, {len(names)})"

    def fold(self, expr: ir.Fold) -> str:
        """Return the Python expression of a sum, a count, or members that are chosen."""
        names, kind = expr.names, expr.kind
        completing = None if expr.size is not None else self._completing(names, expr.domain, expr.test)
        if completing is not None:
            source = f"for {local(names[0])} in {completing}"
        else:
            source = f"for {self.choice(names, expr.domain)}"
            if expr.test is not None:
                source += f" if {self._of.emit(expr.test)}"
        name = local(names[0])
        asked = [e for e in (expr.item, expr.test) if e is not None]
        if kind in ("count", "sum") and expr.size is None and self._is_few(names, expr.domain, asked):
            return self._of_all_seats(" + ", names[0], lambda: self._addend(expr))
        match kind:
            case "count" if expr.size is not None:
                domain, size, own = (
                    self._of.emit(expr.domain),
                    self._of.emit(expr.size),
                    f"n_{mangled(names[0])}",
                )
                test = "True" if expr.test is None else self._of.emit(expr.test)
                choices = _each("choices_with_counts", domain, size, self._of.counts_steps)
                return f"sum({own} for {name}, {own} in {choices} if {test})"
            case "each" if expr.size is not None:
                assert expr.item is not None
                choices = _each(
                    "together", self._of.emit(expr.domain), self._of.emit(expr.size), self._of.counts_steps
                )
                test = "" if expr.test is None else f" if {self._of.emit(expr.test)}"
                return f"[{self._of.emit(expr.item)} for {name} in {choices}{test}]"
            case "count":
                return f"sum(1 {source})"
            case "sum":
                assert expr.item is not None
                return f"sum({self._of.emit(expr.item)} {source})"
            case "gather":
                assert expr.item is not None
                item = self._of.emit(expr.item)
                if self._of.counts_steps and self._of.lengths.joined(expr.item):
                    item = f"counted({item})"
                return f"[gathered {source} for gathered in {item}]"
            case "most" | "least":
                assert expr.item is not None
                called = "max" if kind == "most" else "min"
                return f"{called}(({self._of.emit(expr.item)} {source}), default=0)"
            case "the":
                return f"the([{name} {source}])"
            case "those":
                return f"[{name} {source}]"
            case "each":
                assert expr.item is not None
                return f"[{self._of.emit(expr.item)} {source}]"
            case _:
                assert_never(kind)

    def _addend(self, expr: ir.Fold) -> str:
        """Return the code of the number that one member adds to a sum, or to a count."""
        item = "1" if expr.item is None else self._of.emit(expr.item)
        return f"({item})" if expr.test is None else f"({item} if {self._of.emit(expr.test)} else 0)"


def _each(choices: str, domain: str, size: str, counted: bool) -> str:
    """Return choices of several members; they are counted if going through them may be long."""
    called = f"{choices}({domain}, {size})"
    return f"counted_each({called}, {size})" if counted else called
