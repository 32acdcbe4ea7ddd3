"""Definitions that are used with values: in place, as functions, or as tables.

Input: a definition and its arguments. Output: its value.
Guarantee: a table holds the values of a definition of one or two tiles that reads nothing that changes.
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

from golpae.ir import expr as ir
from golpae.ir.ruleset import Definition
from golpae.ir.types import (
    BOOL,
    TILE,
    Bool,
    Int,
    Tile,
)
from golpae.kernel.emit.parts import Names
from golpae.kernel.emit.values import FAR, Bits, Plane, Scalar, Stream, Value
from golpae.kernel.language.code import Expr, Lit
from golpae.kernel.language.writer import (
    ONE,
    ZERO,
    add,
    call,
    either,
    load,
    mul,
    shl,
)
from golpae.kernel.layout import BITS, WORD

if TYPE_CHECKING:
    from golpae.kernel.emit.expressions import Expressions

PLACES = BITS + 1  # rows of a table at least: the place of the lowest bit of 0 may be asked, and has nothing
MOST_OF_TABLE = 256  # kinds of tiles of a set whose definitions have tables


class Calls:
    """Writes uses of definitions into one function."""

    def __init__(self, expressions: Expressions) -> None:
        self._of = expressions
        self.layout, self.writer, self.parts = expressions.layout, expressions.writer, expressions.parts
        self.bags = expressions.bags

    def call(self, definition: Definition, args: tuple[ir.Expr, ...], names: Names) -> Value:
        values = [
            self._argument(self._of.collecting.coerced(self._of.value(a, names), p.type))
            for a, p in zip(args, definition.params, strict=True)
        ]
        if self.is_table(definition):
            numbers = [v.value for v in values if isinstance(v, Scalar)]
            return self._looked_up(definition, numbers)
        if self.parts.moments is not None:
            known = self.parts.moments.value(definition, values, self._of)
            if known is not None:
                return known
        if self.parts.in_place(definition):
            return self.body(definition, dict(zip((p.name for p in definition.params), values, strict=True)))
        self._function(definition)
        return Scalar(
            self.writer.let(
                call(f"d_{definition.name}", *(v.value for v in values if isinstance(v, Scalar)))
            ),
            definition.type,
            1 if isinstance(definition.type, Bool) else FAR,
        )

    def _argument(self, value: Value) -> Value:
        """Return the value of a parameter, which may be asked for many times."""
        return self._of.keeping.listed(value) if isinstance(value, Stream) and not value.short else value

    def body(self, definition: Definition, names: Names) -> Value:
        """Write what a definition says, in place. Raises `NotCompiled` if the module would be very long."""
        self.parts.count_body()
        with self.parts.within(definition.name):
            return self._body(definition, names)

    def _body(self, definition: Definition, names: Names) -> Value:
        if definition.single:
            return self._of.value(definition.cases[0].expr, names)
        if not definition.cases:
            return Scalar(ZERO, BOOL, 1)
        tests = [c.expr for c in definition.cases]
        if any(map(self.parts.limited.can_fail, tests)):  # then all are asked
            truths = [self._of.scalar(test, names) for test in tests]
            return Scalar(self.writer.let(reduce(either, truths)), BOOL, 1)
        return Scalar(self._of.operators.first_that(tests, names, ONE), BOOL, 1)

    def _function(self, definition: Definition) -> None:
        """Write the function of a definition, if it has none yet. All its parameters, and its value, are scalars."""
        name = f"d_{definition.name}"
        if name in self.parts.functions:
            return
        writer = self.parts.writer(name, len(definition.params), 1)
        inner = self._of.into(writer)
        named: dict[str, Value] = {
            p.name: Scalar(writer.param(i), p.type) for i, p in enumerate(definition.params)
        }
        value = inner.calls.body(definition, named)
        assert isinstance(value, Scalar)
        writer.give(value.value)
        self.parts.functions[name] = writer.function()

    def is_table(self, definition: Definition) -> bool:
        """Return whether a definition has one or two tiles as parameters and reads nothing that changes."""
        if definition.name in self.parts.tables:
            return True
        tiles = all(isinstance(p.type, Tile) for p in definition.params) and 1 <= len(definition.params) <= 2
        fixed = tiles and not self.parts.dependencies.reads(case.expr for case in definition.cases)
        if not (fixed and isinstance(definition.type, Bool | Int | Tile)):
            return False
        if any(self.parts.limited.can_fail(case.expr) for case in definition.cases):
            return False
        if definition.name in self.parts.left_out:
            return False
        known = self.parts.referrals
        self._function(definition)
        if self.parts.referrals > known:  # what is referred for one tile only must not be asked for all
            return False
        kinds = len(self.layout.instance.kinds)
        if kinds > MOST_OF_TABLE:
            return False
        truths = isinstance(definition.type, Bool)
        row = self.layout.words(TILE) if truths else kinds
        rows = max(kinds, PLACES) if len(definition.params) == 2 else 1
        self.parts.tables[definition.name] = (self.layout.allocate(rows * row), truths)
        self.parts.prepared.append(definition.name)
        return True

    def _looked_up(self, definition: Definition, args: list[Expr]) -> Value:
        address, truths = self.parts.tables[definition.name]
        let, last = self.writer.let, args[-1]
        if truths:
            row = self.table_row(definition, args[0] if len(args) == 2 else None)
            return Scalar(let(self.bags.has(last, Bits(TILE, (row,)), False)), BOOL, 1)
        at = last
        if len(args) == 2:
            at = add(mul(args[0], Lit(len(self.layout.instance.kinds))), last)
        return Scalar(let(load(8, shl(at, Lit(3)), address)), definition.type)

    def table_row(self, definition: Definition, first: Expr | None) -> Plane:
        """Return the tiles for which a definition of tiles holds, the first of two being given."""
        address, _ = self.parts.tables[definition.name]
        words = self.layout.words(TILE)
        base = ZERO if first is None else self.writer.let(mul(first, Lit(words * WORD)))
        return tuple(self.writer.let(load(8, base, address + w * WORD)) for w in range(words))

    def table_column(self, definition: Definition, last: Expr) -> Plane:
        """Return the tiles for which a definition of two tiles holds as the first one, the last being given."""
        words, columns = self.layout.words(TILE), self.parts.columns
        if definition.name not in columns:
            rows = max(len(self.layout.instance.kinds), PLACES)
            columns[definition.name] = self.layout.allocate(rows * words)
        base = self.writer.let(mul(last, Lit(words * WORD)))
        return tuple(
            self.writer.let(load(8, base, columns[definition.name] + w * WORD)) for w in range(words)
        )
