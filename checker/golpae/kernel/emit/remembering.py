"""Answers that are remembered: of functions whose result depends on a few words alone, and of definitions.

Input: these words, and code that works the answer out. Output: code that does so only if it was not asked a little
before.
Guarantee: the same answer as without. There are a few places; a mixture of the words says which one an answer has, and
the last one that has it lies there. A part of an answer may be true only as long as a word in memory does not change.
A value of a definition is only given again within one event, and only if no statement has changed since what it
depends on. A definition has one place: whether its value is given again depends on the event alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from golpae.ir import expr as ir
from golpae.ir.dependencies import Dependencies
from golpae.ir.ruleset import Definition, RuleSet
from golpae.ir.scoring import searches
from golpae.ir.traverse import children
from golpae.ir.types import Bag, Type
from golpae.kernel.emit.values import Bits, Scalar, Value
from golpae.kernel.language.code import Expr, Get, Lit
from golpae.kernel.language.writer import ONE, ZERO, Writer, add, both, is_zero, load, mul, ne, shr
from golpae.kernel.layout import BITS, MOST_COPIES, WORD, Layout, is_planar, is_scalar

if TYPE_CHECKING:
    from golpae.kernel.emit.expressions import Expressions

_PLACES = 7  # bits of the number of a place
_MIXED = 0x9E3779B97F4A7C15  # 2^64 / the golden ratio
MOST_WORDS = 64


def remembering(
    layout: Layout,
    writer: Writer,
    words: Sequence[Expr],
    results: int,
    work_out: Callable[[], Sequence[Get]],
    since: tuple[Expr, Expr] | None = None,
    places: int = _PLACES,
) -> None:
    """Write the rest of a function: it gives the results for these words. `since` is a test and a number: if the test
    holds, an answer is only given again if it was found with the same number. `places` is how many bits the number of a
    place has.
    """
    # of a place: whether there is an answer, the words, the answer, the number
    stride = (2 + len(words) + results) * WORD
    test, moment = (ZERO, ZERO) if since is None else map(writer.let, since)
    mixed: Expr = ZERO
    for number, word in enumerate(words):  # products of their own, which need not wait for one another
        mixed = add(mixed, mul(word, Lit(_MIXED * (2 * number + 1) % (1 << BITS))))
    place = writer.let(shr(mixed, Lit(BITS - places)))
    at = writer.let(add(mul(place, Lit(stride)), Lit(layout.allocate((stride << places) // WORD))))
    with writer.block() as unknown:
        writer.leave(unknown, is_zero(load(8, at)))
        for number, word in enumerate(words, 1):
            writer.leave(unknown, ne(load(8, at, number * WORD), word))
        if since is not None:
            writer.leave(unknown, both(test, ne(load(8, at, (1 + len(words) + results) * WORD), moment)))
        writer.give(*(load(8, at, (1 + len(words) + number) * WORD) for number in range(results)))
    answer = work_out()
    kept: tuple[Expr, ...] = (ONE, *words, *answer, *(() if since is None else (moment,)))
    for number, held in enumerate(kept):
        writer.store(8, at, held, number * WORD)
    writer.give(*answer)


class Moments:
    """Notes when parts of a game changed, in a module in which nothing but its events and deals changes them."""

    def __init__(self, layout: Layout, rules: RuleSet, dependencies: Dependencies) -> None:
        self._layout, self._dependencies = layout, dependencies
        self._definitions = {d.name: d for d in rules.definitions}
        self._arrangements = {a.name for a in rules.arrangements}
        self._clock, self._event = layout.allocate(1), layout.allocate(1)
        self._changed: dict[str, int] = {}  # where it lies when a state, a zone or a word changed
        self._reads: dict[str, tuple[str, ...] | None] = {}
        self._depths: dict[str, int] = {}
        for definition in rules.definitions:
            for name in self.reads(definition) or ():
                if name not in self._changed:
                    self._changed[name] = layout.allocate(1)

    def reads(self, definition: Definition) -> tuple[str, ...] | None:
        """Return the names that a definition reads if its values are remembered, else None. They are if it searches
        arrangements, itself or through others, or has no parameters and goes through members of members of members.
        """
        if definition.name not in self._reads:
            exprs = [case.expr for case in definition.cases]
            through = list(self._dependencies.nodes(exprs))
            dear = any(searches(n, self._arrangements) for n in through) or (
                not definition.params and self._depth(definition) > 2
            )
            told = any(isinstance(n, ir.FitsScore | ir.Earlier | ir.Implicit | ir.Ways) for n in through)
            read = self._dependencies.reads(exprs)
            self._reads[definition.name] = tuple(sorted(read)) if dear and read and not told else None
        return self._reads[definition.name]

    def _depth(self, definition: Definition) -> int:
        """Return how many loops a definition has inside one another, also through others."""
        if definition.name not in self._depths:
            self._depths[definition.name] = max((self._within(c.expr) for c in definition.cases), default=0)
        return self._depths[definition.name]

    def _within(self, expr: ir.Expr) -> int:
        inner = max(map(self._within, children(expr)), default=0)
        if isinstance(expr, ir.CallDef):
            inner = max(inner, self._depth(self._definitions[expr.name]))
        return inner + isinstance(expr, ir.Quant | ir.Fold)

    # ------------------------------------------------------------------ changes

    def changes(self, writer: Writer, names: Iterable[str]) -> None:
        """Write that parts of the game have changed."""
        self._note(writer, [self._changed[name] for name in sorted(names) if name in self._changed])

    def begins(self, writer: Writer) -> None:
        """Write that all may have changed."""
        self._note(writer, [self._event] if self._changed else [])

    def _note(self, writer: Writer, addresses: Sequence[int]) -> None:
        if addresses:
            now = writer.let(add(load(8, ZERO, self._clock), ONE))
            for address in (self._clock, *addresses):
                writer.store(8, ZERO, now, address)

    # ------------------------------------------------------------------ values

    def value(self, definition: Definition, values: Sequence[Value], of: Expressions) -> Value | None:
        """Write the value of a definition that is remembered; None if it is not. Raises `NotCompiled`."""
        read = self.reads(definition)
        kinds = [p.type for p in definition.params]
        if read is None or not all(map(self._fits, (*kinds, definition.type))):
            return None
        words: list[Expr] = []
        for value, kind in zip(values, kinds, strict=True):
            own = self._words(value, kind, of)
            if own is None:
                return None
            words += own
        name = f"known:{definition.name}"
        if name not in of.parts.functions and not self._function(name, definition, read, of):
            return None
        value_locals = [of.writer.new() for _ in range(self._many(definition.type))]
        of.writer.call_into(value_locals, name, *words)
        return self._valued(value_locals, definition.type)

    def _function(self, name: str, definition: Definition, read: Sequence[str], of: Expressions) -> bool:
        """Write the function of a definition; its arguments and results are words. Return whether it can be one."""
        layout, kinds = self._layout, [p.type for p in definition.params]
        width, params = self._many(definition.type), sum(map(self._many, kinds))
        writer = of.parts.writer(name, params, width)
        inner = of.into(writer)
        named: dict[str, Value] = {}
        first = 0
        for param, kind in zip(definition.params, kinds, strict=True):
            many = self._many(kind)
            named[param.name] = self._valued([writer.param(first + i) for i in range(many)], kind)
            first += many
        changed = [load(8, ZERO, address) for address in (self._event, *(self._changed[n] for n in read))]
        key: list[Expr] = [*(writer.param(i) for i in range(params)), *map(writer.let, changed)]
        memory = layout.allocate(1 + len(key) + width)
        with writer.block() as unknown:
            writer.leave(unknown, is_zero(load(8, ZERO, memory)))
            for place, word in enumerate(key, 1):
                writer.leave(unknown, ne(load(8, ZERO, memory + place * WORD), word))
            behind = memory + (1 + len(key)) * WORD
            writer.give(*(load(8, ZERO, behind + place * WORD) for place in range(width)))
        words = self._words(inner.calls.body(definition, named), definition.type, inner)
        if words is None:
            self._reads[definition.name] = None
            return False
        words = [*map(writer.let, words)]
        for place, word in enumerate((ONE, *key, *words)):
            writer.store(8, ZERO, word, memory + place * WORD)
        writer.give(*words)
        of.parts.functions[name] = writer.function()
        return True

    def _fits(self, kind: Type) -> bool:
        return is_scalar(kind) or (isinstance(kind, Bag) and is_planar(kind.item))

    def _many(self, kind: Type) -> int:
        """Return how many words a value has."""
        return MOST_COPIES * self._layout.words(kind.item) if isinstance(kind, Bag) else 1

    def _words(self, value: Value, kind: Type, of: Expressions) -> list[Expr] | None:
        """Return the words of a value, None if it has more."""
        value = of.collecting.coerced(value, kind)
        if isinstance(value, Scalar):
            return [value.value]
        bits = of.collecting.as_bits(value)
        if len(bits.planes) > MOST_COPIES:
            return None
        return [word for plane in of.bags.fitted(bits, MOST_COPIES).planes for word in plane]

    def _valued(self, words: Sequence[Expr], kind: Type) -> Value:
        if not isinstance(kind, Bag):
            return Scalar(words[0], kind)
        size = self._layout.words(kind.item)
        return Bits(kind.item, tuple(tuple(words[i : i + size]) for i in range(0, len(words), size)))
