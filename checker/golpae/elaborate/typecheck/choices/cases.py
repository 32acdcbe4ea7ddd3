"""Check definitions by cases, which are typed as the choice that they are written out to.

Input: the cases of a definition. Output: their value, or the fault of cases that are missing, too many or unreachable.
Guarantee: the first row that fits a value applies to it. `otherwise` is left out only if the keys name every word.

    by strain                          if strain = clubs or strain = diamonds then 20
      clubs or diamonds: 20     ->     else 30
      otherwise: 30
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from golpae.elaborate.typecheck.overloads import without_none
from golpae.elaborate.typecheck.scope import Scope
from golpae.elaborate.typecheck.symbols import RefusedExpression, SymbolTable
from golpae.ir import expr as ir
from golpae.ir.types import Bool, Choice, NoneType, Opt, Type
from golpae.syntax import tree as t
from golpae.syntax.cases import written_out

if TYPE_CHECKING:
    from golpae.elaborate.typecheck.expressions import Checker


def by_cases(checker: Checker, cases: t.Cases, scope: Scope, expected: Type | None) -> ir.Expr:
    """Return the value of a definition by cases. Raises `RefusedExpression`."""
    for row, following in zip(cases.rows, cases.rows[1:], strict=False):
        if not row.keys:
            message = "nothing gets past `otherwise`, so this case never applies"
            raise RefusedExpression("T001", message, following.span, "write `otherwise` last")
    kind = None if cases.by is None else checker.infer(cases.by, scope).type
    if kind is not None:
        _refuse_repeats(checker.symbols, cases)
    if cases.rows[-1].keys:
        _require_all(cases, kind)
    return checker.infer(written_out(cases), scope, expected)


def _require_all(cases: t.Cases, kind: Type | None) -> None:
    """Check that the rows are about every value, although there is no `otherwise`. Raises `RefusedExpression`."""
    last = cases.rows[-1]
    values = None if kind is None else _values(kind)
    if values is None:
        message = "these cases do not say what holds in all others"
        raise RefusedExpression("T001", message, last.span, "end with a line `otherwise: ...`")
    named = {_written(key) for row in cases.rows for key in row.keys}
    missing = [value for value in values if value not in named]
    if missing:
        assert cases.by is not None
        words = cases.by.span.excerpt
        listed = " or ".join(f"`{value}`" for value in missing)
        message = f"these cases do not say what holds if `{words}` is {listed}"
        raise RefusedExpression("T001", message, cases.by.span, "add this case, or a line `otherwise: ...`")


def _values(kind: Type) -> list[str] | None:
    """Return all values of a type as keys write them, or None if a text cannot list them."""
    match without_none(kind):
        case Choice(words):
            values = [*words]
        case Bool():
            values = ["yes", "no"]
        case _:
            return None
    return [*values, "none"] if isinstance(kind, Opt | NoneType) else values


def _written(key: t.Expr) -> str:
    match key:
        case t.Number(value=value):
            return str(value)
        case t.Name(name=name) | t.TileName(name=name):
            return name
        case _:
            return key.span.words


def _refuse_repeats(symbols: SymbolTable, cases: t.Cases) -> None:
    """Enter a fault for each key to which an earlier row applies."""
    seen: dict[str, t.Expr] = {}
    numbers: list[tuple[int, int, t.Expr]] = []
    for key in _keys(cases):
        low, high = _bounds(key)
        earlier = seen.get(_written(key))
        if earlier is None and low is not None and high is not None:
            earlier = next((other for a, b, other in numbers if a <= low and high <= b), None)
            numbers.append((low, high, key))
        if earlier is not None:
            message = f"an earlier case applies to `{_written(key)}`"
            symbols.twice(message, key.span, "leave it out here", earlier.span, "this one")
        seen.setdefault(_written(key), key)


def _keys(cases: t.Cases) -> Iterator[t.Expr]:
    for row in cases.rows:
        yield from row.keys


def _bounds(key: t.Expr) -> tuple[int, int] | tuple[None, None]:
    """Return the first and last number of a key of numbers. Raises `RefusedExpression` if there is none."""
    match key:
        case t.RangeBag(low=low, high=high):
            first, last = _number(low), _number(high)
            if first > last:
                message = f"the lower bound {first} is above the upper bound {last}"
                raise RefusedExpression("G007", message, key.span, "write the lower number first")
            return first, last
        case t.Number() | t.Unary():
            return _number(key), _number(key)
        case _:
            return None, None


def _number(key: t.Expr) -> int:
    match key:
        case t.Number(value=value):
            return value
        case t.Unary(arg=t.Number(value=value)):
            return -value
        case _:
            raise TypeError(f"no number: {key}")
