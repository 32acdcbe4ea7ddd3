"""Asks the compiled path about single hands: which shapes they have, how they can lie, what they score.

Input: an instance. Output: for tiles and values of a score's parameters, what the module says; None if it is referred.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from golpae.elaborate.instance import Instance
from golpae.ir import expr as ir
from golpae.ir.types import BOOL, PATTERNS, POINTS, TILE, TILES, Bag, Choice, Meld, Opt, Seat, Tile, Type
from golpae.kernel.emit.expressions import Expressions
from golpae.kernel.emit.parts import Parts
from golpae.kernel.emit.values import Recorded, Scalar, Scored
from golpae.kernel.language.code import Function, Lit, Module
from golpae.kernel.language.host import Host, Referred
from golpae.kernel.language.wasm import wasm
from golpae.kernel.language.writer import Writer
from golpae.kernel.layout import NO_NUMBER, NONE, WORD, Layout, is_scalar, none_of
from golpae.kernel.module import fill

_MASK = (1 << 64) - 1
Melds = Sequence[tuple[str | None, Sequence[int]]]


class Hands:
    """The shapes, arrangements and scores of one instance, compiled."""

    def __init__(self, instance: Instance) -> None:
        self.layout = Layout(instance)
        self.parts = Parts(self.layout, counted=False)
        rules = instance.rule_set
        self.scores = {s.name: s for s in rules.scores}
        self._tiles = self.layout.allocate(self.layout.slots(TILES))
        self._patterns = self.layout.allocate(max(len(self.layout.patterns), 1))
        self._groups = self.layout.allocate(self.layout.slots(Bag(TILES)))
        self._given: dict[str, list[tuple[str, Type, int]]] = {}
        functions = [self._is(name) for name in (*(s.name for s in rules.shapes), *self._arrangements(rules))]
        functions += [self._lies(name) for name in self._arrangements(rules)]
        functions += [self._completed(name) for name in self._arrangements(rules)]
        functions += [self._scored(name) for name in self.scores]
        functions += [fill(self.parts), *self.parts.functions.values()]
        names = [f.name for f in functions if f.name.startswith("ask ") or f.name == "init"]
        for function in functions:
            function.exported = function.name in names
        self._host = Host(wasm(Module(functions, self.layout.end, self.layout.data)))
        self._ask: dict[str, Callable[..., Any]] = {name: self._host.function(name) for name in names}
        self._ask["init"]()

    @staticmethod
    def _arrangements(rules: Any) -> list[str]:
        return [a.name for a in rules.arrangements]

    @property
    def refused(self) -> list[str]:
        return list(self.parts.refused)

    # ------------------------------------------------------------------ functions

    def _writer(self, name: str, results: int) -> Writer:
        writer = Writer(name, 0, results)
        self.parts.start(writer)
        return writer

    def _is(self, name: str) -> Function:
        writer = self._writer(f"ask is {name}", 1)
        expressions = Expressions(self.parts, writer)
        tiles = expressions.memory.loaded(TILES, Lit(self._tiles), False)
        writer.give(expressions.scalar(ir.IsShape(ir.Local("hand", TILES), name, BOOL), {"hand": tiles}))
        return writer.function()

    def _lies(self, name: str) -> Function:
        writer = self._writer(f"ask lies {name}", 1)
        expressions = Expressions(self.parts, writer)
        names = {
            "hand": expressions.memory.loaded(TILES, Lit(self._tiles), False),
            "groups": expressions.memory.loaded(Bag(TILES), Lit(self._groups), False),
        }
        asked = ir.LayOut(ir.Local("groups", Bag(TILES)), ir.Local("hand", TILES), name, BOOL)
        writer.give(expressions.scalar(asked, names))
        return writer.function()

    def _completed(self, name: str) -> Function:
        """`those t in kinds: hand + t is NAME`, written over the tiles."""
        writer = self._writer(f"ask completed {name}", 0)
        expressions = Expressions(self.parts, writer)
        tiles = expressions.memory.loaded(TILES, Lit(self._tiles), False)
        more = ir.Op("bag_add", (ir.Local("hand", TILES), ir.BagOf((ir.Local("t", TILE),), TILES)), TILES)
        kinds, test = ir.Builtin("kinds", None, TILES), ir.IsShape(more, name, BOOL)
        found = expressions.bits(ir.Fold("those", ("t",), kinds, None, test, TILES), {"hand": tiles})
        expressions.bags.store(found, self.layout.planes(TILE), Lit(self._tiles))
        return writer.function()

    def _scored(self, name: str) -> Function:
        writer = self._writer(f"ask {name}", 2)
        expressions = Expressions(self.parts, writer)
        params = self.scores[name].params
        given = [(p.name, p.type, self.layout.allocate(self.layout.slots(p.type))) for p in params]
        self._given[name] = given
        names = {own: expressions.memory.loaded(kind, Lit(address), False) for own, kind, address in given}
        asked = ir.CallScore(name, tuple(ir.Local(own, kind) for own, kind, _ in given), POINTS)
        value = expressions.value(asked, names)
        assert isinstance(value, Scored)
        fits = expressions.value(
            ir.FitsScore(ir.Local("asked for", PATTERNS), asked, BOOL),
            {**names, "asked for": Recorded(Lit(self._patterns))},
        )
        assert isinstance(fits, Scalar)
        writer.give(value.total, fits.value)
        return writer.function()

    # ------------------------------------------------------------------ questions

    def holds(self, tiles: Sequence[int], name: str) -> bool | None:
        """Return whether tiles have a shape or make an arrangement."""
        self._write(self._tiles, self._words(TILES, tiles))
        try:
            return bool(self._ask[f"ask is {name}"]())
        except Referred:
            return None

    def completed(self, tiles: Sequence[int], name: str) -> list[int] | None:
        """Return the kinds of which one more tile makes an arrangement."""
        words = self._words(TILES, tiles)
        self._write(self._tiles, words)
        try:
            self._ask[f"ask completed {name}"]()
        except Referred:
            return None
        held = memoryview(self._host.read(self._tiles, len(words) * WORD)).cast("Q").tolist()
        kinds = range(len(self.layout.instance.kinds))
        return [kind for kind in kinds if held[kind // 64] >> kind % 64 & 1]

    def lies(self, groups: Sequence[Sequence[int]], tiles: Sequence[int], name: str) -> bool | None:
        """Return whether groups are all these tiles, laid out as an arrangement."""
        self._write(self._tiles, self._words(TILES, tiles))
        self._write(self._groups, self._words(Bag(TILES), groups))
        try:
            return bool(self._ask[f"ask lies {name}"]())
        except Referred:
            return None

    def score(
        self, name: str, values: Mapping[str, Any], patterns: Mapping[str, int]
    ) -> tuple[int | None, bool] | None:
        """Return the total of a hand, and whether a best way counts just these patterns."""
        for own, kind, address in self._given[name]:
            self._write(address, self._words(kind, values[own]))
        self._write(self._patterns, [patterns.get(p, NO_NUMBER) for p in self.layout.patterns])
        try:
            total, fits = self._ask[f"ask {name}"]()
        except Referred:
            return None
        return None if total == NO_NUMBER else total, bool(fits)

    def _write(self, address: int, words: Sequence[int]) -> None:
        self._host.write(address, b"".join((w & _MASK).to_bytes(WORD, "little") for w in words))

    def _words(self, kind: Type, value: Any) -> list[int]:
        match kind:
            case _ if is_scalar(kind):
                bare = kind.item if isinstance(kind, Opt) else kind
                if value is None:
                    return [none_of(kind)]
                return [bare.words.index(value) if isinstance(bare, Choice) else int(value)]
            case Bag(Meld()):
                assert len(value) <= self.layout.room(kind.item)
                return [len(value), *(word for meld in value for word in self._meld(meld))]
            case Bag(Bag()):
                assert len(value) <= self.layout.room(kind.item)
                return [len(value), *(word for bag in value for word in self._words(TILES, bag))]
            case Bag(Tile() | Seat() as item):
                planes = [[0] * self.layout.words(item) for _ in range(self.layout.planes(item))]
                for member in value:
                    plane = next(p for p in planes if not p[member // 64] >> member % 64 & 1)
                    plane[member // 64] |= 1 << member % 64
                return [word for plane in planes for word in plane]
        raise AssertionError(kind)

    def _meld(self, meld: tuple[str | None, Sequence[int]]) -> list[int]:
        label, tiles = meld
        number = NONE if label is None else self.layout.labels.index(label)
        return [number, *self._words(Bag(TILE), tiles)]
