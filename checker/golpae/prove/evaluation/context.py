"""What all parts of an evaluator share: the rules and the set of one table.

Input: an instance of a rule set, an oracle for its shapes, a factory of symbols. Output: what they have, by name.
Guarantee: only `traced`, `arrangement` and `width` ever change, and `at_table`, once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Protocol

from golpae.elaborate.instance import Instance
from golpae.ir import expr as ir
from golpae.ir.dependencies import Dependencies
from golpae.ir.traverse import exprs_in, flat, nodes
from golpae.ir.types import Tile
from golpae.prove.evaluation.abstraction import Abstraction
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.symbol_factory import SymbolFactory
from golpae.prove.symbolic.terms import Unsupported, spend
from golpae.prove.symbolic.values import Truth, Value

Names = Mapping[str, Value]
Evaluate = Callable[[ir.Expr, SymbolicState | None, Names], Value]


class ShapeOracle(Protocol):
    """The shapes and scores of a table for concrete tiles; groups are kinds sorted by number."""

    def groups(self, shape: str) -> Collection[tuple[int, ...]]: ...

    def holds(self, tiles: tuple[int, ...], label: str | None, shape: str) -> bool: ...

    def best(self, score: str, args: tuple[Any, ...]) -> int | None:
        """Return the points of a score, or one of its numbers, if that is named as `named_number` does; bags and values
        for each seat are tuples, those of bags sorted, melds pairs of tiles and label. The values of the states that it
        reads, in the order of the text, come behind what it is given.
        """
        ...


class Context:
    """The rules and the set of one table.

    If `traced` is set, the value of each case of a definition goes through it: it takes the path of the clause, the
    value and its type, and returns a value instead (so that a proof shows which clauses it used). `arrangement` is,
    inside a score, the arrangement in question. `at_table` are the symbols of the states of the table, from when there
    are states.
    """

    def __init__(self, instance: Instance, oracle: ShapeOracle, symbols: SymbolFactory) -> None:
        self.instance = instance
        self.oracle = oracle
        self.symbols = symbols
        self.abstraction = Abstraction(symbols)
        self.rules = instance.rule_set
        self.players = instance.players
        self.kinds = [i for i, k in enumerate(instance.kinds) if k.copies]
        self.named = [*self.kinds, *self._named_kinds()]  # kinds that a state can hold
        self.copies = {i: k.copies for i, k in enumerate(instance.kinds) if k.copies}
        self.definitions = {d.name: d for d in self.rules.definitions}
        self.shape_decls = {s.name: s for s in self.rules.shapes}
        self.arrangements = {a.name: a for a in self.rules.arrangements}
        self.scores = {s.name: s for s in self.rules.scores}
        self.dependencies = Dependencies(self.rules)
        self.static = {
            d.name: not self.dependencies.reads(c.expr for c in d.cases) for d in self.rules.definitions
        }
        self.width = 1  # choices of members that the expression at hand is evaluated for
        self.at_table: Mapping[str, Truth] = {}
        self.traced: Callable[[str, Value, Any], Value] | None = None
        self.arrangement: str | None = None

    @contextmanager
    def wider(self, often: int, most: int) -> Iterator[None]:
        """Count what is evaluated within the block so often. Raises `Unsupported` if that is more than `most` in all.

        This bounds the size of formulas without a clock.
        """
        before, self.width = self.width, self.width * max(1, often)
        try:
            if self.width > most:
                raise Unsupported(f"more than {most:,} choices")
            spend(often)
            yield
        finally:
            self.width = before

    @contextmanager
    def arranged(self, arrangement: str) -> Iterator[None]:
        """Be inside a score within the block, with a hand in this arrangement."""
        before, self.arrangement = self.arrangement, arrangement
        try:
            yield
        finally:
            self.arrangement = before

    def _named_kinds(self) -> list[int]:
        """Return the kinds without a copy in play that the text names, or that tiles in play count as."""
        numbers = self.instance.numbers()
        exprs = [v.initial for v in self.rules.vars if v.initial is not None]
        exprs += [c.expr for d in self.rules.definitions for c in d.cases]
        for action in self.rules.actions:
            exprs += exprs_in(e for clause in action.effects for e in flat(clause.effects))
        named = {
            numbers[str(node.value)]
            for expr in exprs
            for node in nodes(expr)
            if isinstance(node, ir.Const) and isinstance(node.type, Tile)
        }
        faces = self.instance.faces
        named |= {faces[kind] for kind in self.kinds}
        return sorted(named - {*self.kinds})

    def in_set(self, tiles: tuple[int, ...]) -> bool:
        """Return whether the set has so many copies of each kind."""
        return all(tiles.count(t) <= self.copies.get(t, 0) for t in set(tiles))
