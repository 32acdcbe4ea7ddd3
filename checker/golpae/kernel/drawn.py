"""Hands of a score by chance, scored by two rule sets on the compiled path.

Input: two instances with the same kinds of tiles, the name of a score that both have with the same parameters, how
hands are drawn; a seed, the numbers of hands.
Output: what each of the two scores each hand.
Guarantee: the hands are those of `docs/semantics.md` (11.14); one that is not compiled is given as None, and is for the
reference to draw and to score. The module exports

    init()                     fills the tables of definitions; once, before anything else
    hands(seed, first, many)   draws so many hands, and notes two totals of each
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from golpae.elaborate.instance import Instance
from golpae.ir import expr as ir
from golpae.ir.traverse import free
from golpae.ir.types import TILE, NoneType, Type
from golpae.kernel.emit.expressions import Expressions
from golpae.kernel.emit.parts import Parts
from golpae.kernel.emit.playing.drawing import Drawing, DrawnPart, HandDrawing
from golpae.kernel.emit.playing.pairing import SCOPES
from golpae.kernel.language.code import Function, Lit, Module
from golpae.kernel.language.wasm import wasm
from golpae.kernel.language.writer import ONE, ZERO, Writer, add, call, lt, shl
from golpae.kernel.layout import NO_NUMBER, WORD, Layout
from golpae.kernel.start import start
from golpae.kernel.two_sides import HandsOfModule, TwoSides

__all__ = ["NOTHING", "Drawing", "DrawnPart", "DrawnScorer", "Totals"]
NOTHING = NO_NUMBER  # the total of a hand that does not count, and of one that could not be drawn
ROOM = 1 << 12  # hands that are noted
Totals = tuple[int, int]  # of a hand: what each of the two scores


@dataclass(frozen=True, slots=True)
class CompiledDrawing:
    """A module, and where it notes how many hands it drew, and their totals. The names of the tables that it fills
    begin with a scope.
    """

    wasm: bytes
    many: int
    totals: int
    filled: tuple[str, ...]
    filling: int


class DrawnScorer:
    """A score of two instances, compiled to draw hands and to score them.

    Raises `NotCompiled` if it cannot be compiled, and `MemoryError`.
    """

    def __init__(self, a: Instance, b: Instance, score: str, drawing: Drawing) -> None:
        made, host = start(lambda left_out: compiled_drawing((a, b), score, drawing, left_out))
        self._totals = made.totals
        self._module = HandsOfModule(host, made.many, ROOM)

    def totals(self, seed: int, first: int, many: int) -> Iterator[Totals | None]:
        """Yield the totals of so many hands, from the number `first` on; None of one that is referred."""
        return self._module.of(seed, first, many, self._noted)

    def _noted(self, drawn: int) -> Iterator[Totals]:
        words = iter(self._module.words(self._totals, 2 * drawn))
        return zip(words, words, strict=True)


def compiled_drawing(
    instances: tuple[Instance, Instance], score: str, drawing: Drawing, left_out: Collection[str] = ()
) -> CompiledDrawing:
    """Return the module of a score of two instances. Tables and lists of `left_out` are not filled."""
    # The memory of the hand that is drawn comes first, then that of each side.
    hands = HandDrawing((Layout(instances[0]), Layout(instances[1])), drawing)

    def write(at: int, parts: Parts) -> list[Function]:
        return _Side(parts, score, drawing, hands, at).functions()

    both = TwoSides(instances, hands.layout.end, left_out, write)
    many, totals = both.end, both.end + WORD
    functions = [*both.functions, *hands.functions(), _hands(many, totals)]
    module = Module(functions, totals + 2 * ROOM * WORD, hands.layout.data | both.data)
    return CompiledDrawing(wasm(module), many, totals, both.filled, both.filling)


class _Side:
    """Writes what one of the two says of the hand that was drawn."""

    def __init__(self, parts: Parts, name: str, drawing: Drawing, hands: HandDrawing, side: int) -> None:
        self.parts, self.layout, self.drawing = parts, parts.layout, drawing
        self.score = next(s for s in parts.rules.scores if s.name == name)
        self.values, self.bag, self.whole = (
            hands.drawn.values,
            hands.drawn.bags[side],
            hands.drawn.whole[side],
        )

    def functions(self) -> list[Function]:
        """Return `fits()`: whether the score takes the hand, all of it; and `total()`, which is NO_NUMBER for none."""
        return [self._fits(), self._total()]

    def _fits(self) -> Function:
        writer = self.parts.writer("fits", 0, 1)
        of = Expressions(self.parts, writer)
        names = {
            name: of.memory.loaded(kind, Lit(address), True)
            for name, (address, kind) in self._given(of).items()
        }
        words = self.layout.words(TILE)
        whole = of.bags.loaded(TILE, self.layout.planes(TILE), words, Lit(self.whole))
        holds = writer.var(of.bags.same(of.bits(self.score.hand, names), whole))
        for condition in self.score.provided:
            with writer.when(holds):
                writer.set(holds, of.scalar(condition.expr, names))
        writer.give(holds)
        return writer.function()

    def _total(self) -> Function:
        writer = self.parts.writer("total", 0, 1)
        self._given(Expressions(self.parts, writer))
        total = writer.new()
        writer.call_into((total, writer.new()), f"score:{self.score.name}")
        writer.give(total)
        return writer.function()

    def _given(self, of: Expressions) -> dict[str, tuple[int, Type]]:
        """Write that the score gets its values, and return where they are then."""
        writer = of.writer
        inputs = of.scores.inputs(self.score.name, of)  # writes `score:NAME`
        self.parts.start(writer)
        for param in self.score.params:
            address, kind = inputs[param.name]
            if param.name == self.drawing.bag:
                value = of.memory.loaded(kind, Lit(self.bag), False)
            elif param.name in self.values:
                value = of.memory.loaded(kind, Lit(self.values[param.name]), False)
            else:
                left_out = ir.Const(None, NoneType()) if param.initial is None else param.initial
                named = free(left_out)
                names = {
                    name: of.memory.loaded(own, Lit(at), True)
                    for name, (at, own) in inputs.items()
                    if name in named
                }
                value = of.value(left_out, names)
            of.keeping.keep(kind, of.collecting.coerced(value, kind), Lit(address))
        return inputs


def _hands(many: int, totals: int) -> Function:
    writer = Writer("hands", 3, exported=True)
    writer.store(8, ZERO, ZERO, many)
    at = writer.var(0)
    with writer.loop() as again, writer.when(lt(at, writer.param(2))):
        number = writer.let(add(writer.param(1), at))
        writer.call_into((), "begin", writer.param(0), number)
        numbers = [writer.var(Lit(NO_NUMBER)) for _ in SCOPES]
        with writer.when(call("draw", number)):
            for local, scope in zip(numbers, SCOPES, strict=True):
                writer.set(local, call(f"{scope}.total"))
        place = writer.let(shl(at, Lit(4)))
        for side, local in enumerate(numbers):
            writer.store(8, place, local, totals + side * WORD)
        writer.set(at, add(at, ONE))
        writer.store(8, ZERO, at, many)
        writer.leave(again)
    return writer.function()
