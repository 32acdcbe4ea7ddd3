"""Which tiles can pass tests, found at once.

Input: tests that join to one condition, a name, and the values of all other names. Output: the tiles that those of the
tests allow which a table answers.
Guarantee: a tile that is left out fails one of the tests. Nothing is referred.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from golpae.ir import expr as ir
from golpae.ir.ruleset import Definition
from golpae.ir.traverse import conjuncts
from golpae.ir.types import TILE, Bool, Opt
from golpae.kernel.emit.parts import Names
from golpae.kernel.emit.values import Plane
from golpae.kernel.language.code import Expr
from golpae.kernel.language.writer import ZERO, both, lt, select

if TYPE_CHECKING:
    from golpae.kernel.emit.expressions import Expressions

DEEPEST = 3  # definitions within one another that are looked into
_Given = Mapping[str, ir.Expr]  # what the parameters of a definition stand for


class Narrowing:
    """Writes what narrows down tiles into one function."""

    def __init__(self, expressions: Expressions) -> None:
        self._of = expressions
        self.definitions = expressions.parts.definitions

    def narrowed(self, tests: Iterable[ir.Expr], name: str, plane: Plane, names: Names) -> Plane:
        """Return the tiles of a plane that can pass all tests, as the value of a name."""
        for row in self._rows(tests, None, name, names, DEEPEST):
            plane = tuple(self._of.writer.let(both(a, b)) for a, b in zip(plane, row, strict=True))
        return plane

    def _rows(
        self, tests: Iterable[ir.Expr], given: _Given | None, name: str, names: Names, deepest: int
    ) -> Iterator[Plane]:
        """Yield the tiles that pass each test that a table answers; `given` are the parameters, in a definition."""
        for test in tests:
            if isinstance(test, ir.CallDef) and isinstance(test.type, Bool):
                definition = self.definitions[test.name]
                args = [_meant(arg, given) for arg in test.args]
                if args and self._of.calls.is_table(definition):
                    row = self._row(definition, args, name, names)
                    if row is not None:
                        yield row
                elif definition.single and deepest:
                    params = (param.name for param in definition.params)
                    inner = {p: arg for p, arg in zip(params, args, strict=True) if arg is not None}
                    parts = conjuncts(definition.cases[0].expr)
                    yield from self._rows(parts, inner, name, names, deepest - 1)
            if self._of.parts.limited.can_fail(test):
                return  # where it has no value, the tests behind it do not count

    def _row(
        self, definition: Definition, args: list[ir.Expr | None], name: str, names: Names
    ) -> Plane | None:
        """Return the tiles for which a definition of tiles holds as the value of a name, all other values given."""
        places = [place for place, arg in enumerate(args) if isinstance(arg, ir.Local) and arg.name == name]
        if len(places) != 1:
            return None
        if len(args) == 1:
            return self._of.calls.table_row(definition, None)
        (other,) = (arg for place, arg in enumerate(args) if place != places[0])
        known = None if other is None else self._known(other, names)
        if known is None:
            return None
        if places[0] == 1:
            return self._of.calls.table_row(definition, known)
        return self._of.calls.table_column(definition, known)

    def _known(self, expr: ir.Expr, names: Names) -> Expr | None:
        """Return the value of a tile that can be asked for beforehand, even if no member has to be asked about."""
        if isinstance(expr, ir.Local | ir.Const) and expr.type == TILE:
            is_given = isinstance(expr, ir.Const) or expr.name in names
            return self._of.scalar(expr, names) if is_given else None
        if isinstance(expr, ir.ZoneEnd | ir.StateRead) and expr.seat is None:
            bare = expr.type.item if isinstance(expr.type, Opt) else expr.type
            if bare == TILE:
                tile = self._of.writer.let(self._of.scalar(expr, names))  # none where nobody asks for it
                return self._of.writer.let(select(lt(tile, ZERO), ZERO, tile))
        return None


def _meant(arg: ir.Expr, given: _Given | None) -> ir.Expr | None:
    """Return what an argument is outside of a definition, if that is plain."""
    if given is None:
        return arg
    if isinstance(arg, ir.Local):
        return given.get(arg.name)
    return arg if isinstance(arg, ir.Const | ir.ZoneEnd | ir.StateRead) else None
