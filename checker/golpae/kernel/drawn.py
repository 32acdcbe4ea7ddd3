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
from golpae.ir.types import TILE, NoneType, Type
from golpae.kernel.emit.actions import MOST_ROUNDS
from golpae.kernel.emit.expressions import Expressions
from golpae.kernel.emit.parts import Parts
from golpae.kernel.emit.playing.drawing import Drawing, DrawnPart, HandDrawing
from golpae.kernel.emit.playing.pairing import SCOPES
from golpae.kernel.language.code import Function, Lit, Module
from golpae.kernel.language.host import Referred
from golpae.kernel.language.wasm import wasm
from golpae.kernel.language.writer import ONE, ZERO, Writer, add, call, lt, shl
from golpae.kernel.layout import NO_NUMBER, WORD, Layout
from golpae.kernel.module import fill
from golpae.kernel.start import signed, start

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
    """A score of two instances, compiled to draw hands and to score them. `counted` says of each whether a hand whose
    loops have very many rounds is referred.

    Raises `Unsupported` if it cannot be compiled, and `MemoryError`.
    """

    def __init__(
        self, a: Instance, b: Instance, score: str, drawing: Drawing, counted: tuple[bool, bool]
    ) -> None:
        made, self._host = start(lambda left_out: compiled_drawing((a, b), score, drawing, counted, left_out))
        self._made: CompiledDrawing = made
        self._hands = self._host.function("hands")

    def totals(self, seed: int, first: int, many: int) -> Iterator[Totals | None]:
        """Yield the totals of so many hands, from the number `first` on; None of one that is referred."""
        while many > 0:
            referred = 0
            try:
                self._hands(signed(seed), first, min(many, ROOM))
            except Referred:
                referred = 1
            (drawn,) = self._words(self._made.many, 1)
            words = iter(self._words(self._made.totals, 2 * drawn))
            yield from zip(words, words, strict=True)
            yield from (None for _ in range(referred))
            first, many = first + drawn + referred, many - drawn - referred

    def _words(self, address: int, many: int) -> list[int]:
        return memoryview(self._host.read(address, many * WORD)).cast("q").tolist() if many else []


def compiled_drawing(
    instances: tuple[Instance, Instance],
    score: str,
    drawing: Drawing,
    counted: tuple[bool, bool],
    left_out: Collection[str] = (),
) -> CompiledDrawing:
    """Return the module of a score of two instances. Tables and lists of `left_out` are not filled."""
    # The memory of the hand that is drawn comes first, then that of each side.
    hands = HandDrawing((Layout(instances[0]), Layout(instances[1])), drawing)
    first, functions, all_parts = hands.layout.end, list[Function](), list[Parts]()
    data = dict(hands.layout.data)
    for at, (scope, instance) in enumerate(zip(SCOPES, instances, strict=True)):
        own_layout = Layout(instance, first=first)
        own = Parts(own_layout, counted[at], {n[2:] for n in left_out if n.startswith(f"{scope}.")})
        written = _Side(own, score, drawing, hands, at).functions()
        if all_parts:
            own.filling = all_parts[0].filling
        written += [fill(own, len(all_parts[0].prepared) if all_parts else 0), *own.functions.values()]
        for function in written:
            function.scope = scope
        functions += written
        all_parts.append(own)
        data |= own_layout.data
        first = own_layout.end
    many, totals = first, first + WORD
    functions += [*hands.functions(), _hands(many, totals), _init()]
    module = Module(functions, totals + 2 * ROOM * WORD, data)
    filled = tuple(f"{s}.{n}" for s, own in zip(SCOPES, all_parts, strict=True) for n in own.prepared)
    return CompiledDrawing(wasm(module), many, totals, filled, all_parts[0].filling)


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
        if self.parts.rounds:
            writer.store(8, ZERO, Lit(MOST_ROUNDS), self.parts.rounds)
        searches = self.parts.searches
        assert searches is not None
        writer.store(8, ZERO, ZERO, searches[1].tries)
        for param in self.score.params:
            address, kind = inputs[param.name]
            if param.name == self.drawing.bag:
                value = of.memory.loaded(kind, Lit(self.bag), False)
            elif param.name in self.values:
                value = of.memory.loaded(kind, Lit(self.values[param.name]), False)
            else:
                left_out = ir.Const(None, NoneType()) if param.initial is None else param.initial
                value = of.value(left_out, {})
            of.keeping.keep(kind, of.collecting.coerced(value, kind), Lit(address))
        return inputs


def _hands(many: int, totals: int) -> Function:
    writer = Writer("hands", 3, exported=True)
    writer.store(8, ZERO, ZERO, many)
    at = writer.var(0)
    with writer.loop() as again, writer.when(lt(at, writer.param(2))):
        number = writer.let(add(writer.param(1), at))
        writer.call_into((), "begin", writer.param(0), number)
        found = [writer.var(Lit(NO_NUMBER)) for _ in SCOPES]
        with writer.when(call("draw", number)):
            for local, scope in zip(found, SCOPES, strict=True):
                writer.set(local, call(f"{scope}.total"))
        place = writer.let(shl(at, Lit(4)))
        for side, local in enumerate(found):
            writer.store(8, place, local, totals + side * WORD)
        writer.set(at, add(at, ONE))
        writer.store(8, ZERO, at, many)
        writer.leave(again)
    return writer.function()


def _init() -> Function:
    """`init()`: fill the tables and lists of both."""
    writer = Writer("init", 0, 0, exported=True)
    for scope in SCOPES:
        writer.call_into((), f"{scope}.init")
    return writer.function()
