"""Which tiles can pass tests, found at once.

Input: tests that join to one condition, a name, and the values of all other names. Output: the tiles that those of
the tests allow which can be answered for all tiles together: by a table, or because some tiles with one more of them
have to make an arrangement.
Guarantee: a tile that is left out fails one of the tests.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

from golpae.ir import expr as ir
from golpae.ir.ruleset import Definition
from golpae.ir.traverse import conjuncts, free
from golpae.ir.types import TILE, Bool, Opt
from golpae.kernel.emit.parts import Names
from golpae.kernel.emit.scoring.completing import completing
from golpae.kernel.emit.scoring.faces import by_face, with_these_faces
from golpae.kernel.emit.values import Bits, Plane, Scalar, Value
from golpae.kernel.language.code import Expr
from golpae.kernel.language.writer import ZERO, both, is_zero, lt, select
from golpae.kernel.layout import MOST_COPIES
from golpae.kernel.unsupported import NotCompiled

if TYPE_CHECKING:
    from golpae.kernel.emit.expressions import Expressions

DEEPEST = 3  # definitions within one another that are looked into


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a name stands for whose values are narrowed down."""


@dataclass(frozen=True, slots=True)
class _Later:
    """What a parameter of a definition stands for: an expression, and what its names stand for."""

    expr: ir.Expr
    scope: _Scope


_Scope = Mapping[str, Value | _Asked | _Later]


class Narrowing:
    """Writes what narrows down tiles into one function."""

    def __init__(self, expressions: Expressions) -> None:
        self._of = expressions
        self.definitions = expressions.parts.definitions

    def narrowed(self, tests: Iterable[ir.Expr], name: str, plane: Plane, names: Names) -> Plane:
        """Return the tiles of a plane that can pass all tests, as the value of a name."""
        for row in self._rows(tests, {**names, name: _Asked()}, DEEPEST, []):
            plane = tuple(self._of.writer.let(both(a, b)) for a, b in zip(plane, row, strict=True))
        return plane

    def by_tables(self, tests: Iterable[ir.Expr], name: str, plane: Plane, names: Names) -> Plane:
        """Return the tiles of a plane that can pass those tests which tables answer."""
        for row in self._rows(tests, {**names, name: _Asked()}, DEEPEST, None):
            plane = tuple(self._of.writer.let(both(a, b)) for a, b in zip(plane, row, strict=True))
        return plane

    def _rows(
        self, tests: Iterable[ir.Expr], scope: _Scope, deepest: int, before: list[_Later] | None
    ) -> Iterator[Plane]:
        """Yield the tiles that can pass each test that is answered for all together. `before` are the tests before it
        that are the same for all tiles: what is behind them need have no value where they do not hold; None: tables
        alone answer.
        """
        for test in tests:
            if self._of.parts.limited.can_fail(test):
                return  # where it has no value, the tests behind it do not count
            if isinstance(test, ir.CallDef) and isinstance(test.type, Bool) and test.args:
                definition = self.definitions[test.name]
                if self._of.calls.is_table(definition):
                    row = self._row(definition, test.args, scope)
                    if row is not None:
                        yield row
                elif definition.single and deepest:
                    parts = conjuncts(definition.cases[0].expr)
                    yield from self._rows(
                        parts,
                        _inner(definition, test, scope),
                        deepest - 1,
                        None if before is None else [*before],
                    )
            elif isinstance(test, ir.IsShape | ir.IsBeside) and before is not None:
                row = self._completing(test, scope, before)
                if row is not None:
                    yield row
            if before is not None and self._is_known(test, scope):
                before = [*before, _Later(test, scope)]

    # ------------------------------------------------------------------ what expressions are

    def _is_asked(self, expr: ir.Expr, scope: _Scope) -> bool:
        """Return whether an expression is the name whose values are narrowed down."""
        meant = scope.get(expr.name) if isinstance(expr, ir.Local) else None
        return isinstance(meant, _Asked) or (
            isinstance(meant, _Later) and self._is_asked(meant.expr, meant.scope)
        )

    def _is_known(self, expr: ir.Expr, scope: _Scope) -> bool:
        """Return whether an expression does not depend on that name."""
        for name in free(expr):
            meant = scope.get(name)
            if meant is None or isinstance(meant, _Asked):
                return False
            if isinstance(meant, _Later) and not self._is_known(meant.expr, meant.scope):
                return False
        return True

    def _value(self, expr: ir.Expr, scope: _Scope) -> Value:
        """Write an expression that is known."""
        names: dict[str, Value] = {}
        for name in free(expr):
            meant = scope[name]
            assert not isinstance(meant, _Asked)
            names[name] = self._value(meant.expr, meant.scope) if isinstance(meant, _Later) else meant
        return self._of.value(expr, names)

    # ------------------------------------------------------------------ tables

    def _row(self, definition: Definition, args: tuple[ir.Expr, ...], scope: _Scope) -> Plane | None:
        """Return the tiles for which a definition of tiles holds, all other tiles given."""
        places = [place for place, arg in enumerate(args) if self._is_asked(arg, scope)]
        if len(places) != 1:
            return None
        if len(args) == 1:
            return self._of.calls.table_row(definition, None)
        known = self._tile(args[1 - places[0]], scope)
        if known is None:
            return None
        if places[0] == 1:
            return self._of.calls.table_row(definition, known)
        return self._of.calls.table_column(definition, known)

    def _tile(self, expr: ir.Expr, scope: _Scope) -> Expr | None:
        """Return a tile that can be asked for beforehand, even if no member has to be asked about."""
        meant = scope.get(expr.name) if isinstance(expr, ir.Local) else None
        if isinstance(meant, _Later):
            return self._tile(meant.expr, meant.scope)
        if isinstance(meant, Scalar):
            return meant.value if expr.type == TILE else None
        if isinstance(expr, ir.Const) and expr.type == TILE:
            return self._of.scalar(expr, {})
        if isinstance(expr, ir.ZoneEnd | ir.StateRead) and expr.seat is None:
            bare = expr.type.item if isinstance(expr.type, Opt) else expr.type
            if bare == TILE:
                tile = self._of.writer.let(self._of.scalar(expr, {}))  # none where nobody asks for it
                return self._of.writer.let(select(lt(tile, ZERO), ZERO, tile))
        return None

    # ------------------------------------------------------------------ arrangements

    def _completing(
        self, test: ir.IsShape | ir.IsBeside, scope: _Scope, before: Sequence[_Later]
    ) -> Plane | None:
        """Return the tiles with which others can make an arrangement, perhaps beside melds, if a test asks for that;
        nothing if a test before it does not hold.
        """
        beside = isinstance(test, ir.IsBeside)
        tiles, name = (
            (test.tiles, test.arrangement) if isinstance(test, ir.IsBeside) else (test.arg, test.shape)
        )
        if not any(a.name == name for a in self._of.parts.rules.arrangements):
            return None
        faced = isinstance(tiles, ir.Faces)
        tiles = tiles.arg if isinstance(tiles, ir.Faces) else tiles
        writer = self._of.writer
        mark = writer.mark()
        completing_tiles = [writer.var(0) for _ in range(self._of.layout.words(TILE))]
        try:
            with writer.block() as refused:
                for earlier in before:
                    holds = self._value(earlier.expr, earlier.scope)
                    assert isinstance(holds, Scalar)
                    writer.leave(refused, is_zero(holds.value))
                others = self._others(tiles, scope)
                if others is None:
                    raise NotCompiled(
                        "a tile that completes a shape, asked of tiles that it is not joined with"
                    )
                if faced:
                    others = self._of.collecting.as_bits(by_face(others, self._of))
                able = completing(self._of.layouts, others, name, self._of, beside)
                for word, held in zip(
                    completing_tiles, with_these_faces(able, self._of) if faced else able, strict=True
                ):
                    writer.set(word, held)
        except NotCompiled:  # then it is found out for each tile, or referred there
            writer.restore(mark)
            return None
        return tuple(completing_tiles)

    def _others(self, expr: ir.Expr, scope: _Scope) -> Bits | None:
        """Return the tiles that are joined with the name to make an expression, if that is so."""
        if isinstance(expr, ir.Local):
            meant = scope.get(expr.name)
            return self._others(meant.expr, meant.scope) if isinstance(meant, _Later) else None
        if isinstance(expr, ir.CallDef):
            definition = self.definitions[expr.name]
            if not definition.single or self._is_known(expr, scope):
                return None
            return self._others(definition.cases[0].expr, _inner(definition, expr, scope))
        if isinstance(expr, ir.BagOf):
            asked = [item for item in expr.items if self._is_asked(item, scope)]
            items = tuple(item for item in expr.items if self._is_known(item, scope))
            if len(asked) != 1 or len(items) + 1 != len(expr.items):
                return None
            singles = [self._bag(ir.BagOf((item,), expr.type), scope) for item in items]
            return reduce(self._joined, singles, self._of.bags.empty(TILE, self._of.layout.words(TILE)))
        if isinstance(expr, ir.Op) and expr.op == "bag_add":
            for one, other in (expr.args, expr.args[::-1]):
                if self._is_known(other, scope):
                    others = self._others(one, scope)
                    return None if others is None else self._joined(others, self._bag(other, scope))
        return None

    def _bag(self, expr: ir.Expr, scope: _Scope) -> Bits:
        return self._of.collecting.as_bits(self._value(expr, scope))

    def _joined(self, one: Bits, other: Bits) -> Bits:
        return self._of.bags.joined(one, other, MOST_COPIES)


def _inner(definition: Definition, call: ir.CallDef, scope: _Scope) -> _Scope:
    """Return the scope of a definition: the values that its parameters stand for."""
    names = (param.name for param in definition.params)
    return {name: _Later(arg, scope) for name, arg in zip(names, call.args, strict=True)}
