"""Writes out definitions of a score that take values: `define worth(t: tile): ...` under `score`.

Input: the declarations of a resolved text. Output: the same; each use of such a definition is its expression, with the
values in place of its parameters, and the definition is gone.
Guarantee: the values are checked by the kinds that the parameters have.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

from golpae.diagnostics import Diagnostic, SpecError
from golpae.elaborate.expand.groups import arguments, typed
from golpae.elaborate.expand.names import Fresh, in_place, open_in
from golpae.elaborate.expand.rewrite import rewritten
from golpae.elaborate.typecheck.symbols import RefusedExpression
from golpae.syntax import tree as t

N = TypeVar("N", bound=Any)


def with_score_defines(decls: tuple[t.Decl, ...]) -> tuple[t.Decl, ...]:
    """Return the declarations without such definitions. Raises `SpecError`."""
    faults: list[Diagnostic] = []
    out = tuple(_Writing(faults).score(d) if isinstance(d, t.Score) else d for d in decls)
    if faults:
        raise SpecError(faults)
    return out


class _Writing:
    def __init__(self, faults: list[Diagnostic]) -> None:
        self._faults = faults
        self._fresh = Fresh("s")
        self._defines: dict[str, t.ScoreDefine] = {}

    def score(self, node: t.Score) -> t.Score:
        """Return a score without definitions that take values."""
        if not any(define.params for define in node.defines):
            return node
        plain = []
        for define in node.defines:
            written = replace(define, expr=self._of(define.expr))
            if define.params:
                self._defines[define.name.text] = written
            else:
                plain.append(written)
        patterns = tuple(self._of(pattern) for pattern in node.patterns)
        lines = tuple(replace(f, expr=self._of(f.expr)) for f in node.fields)
        return replace(node, defines=tuple(plain), patterns=patterns, fields=lines)

    def _of(self, node: N) -> N:
        return rewritten(node, self._written)

    def _written(self, node: Any) -> Any:
        if isinstance(node, t.Call) and node.name in self._defines:
            return self._used(node, self._defines[node.name])
        return node

    def _used(self, call: t.Call, define: t.ScoreDefine) -> t.Expr:
        try:
            args = arguments(call, define.params)
        except RefusedExpression as fault:
            if fault.diagnostic is not None:
                self._faults.append(fault.diagnostic)
            return call
        types = typed(define.params)
        values = tuple(
            t.Value(arg.span, t.Word(arg.span, p.name), types[p.name], arg)
            for p, arg in zip(define.params, args, strict=True)
        )
        return t.With(call.span, values, in_place(define.expr, {}, self._fresh, open_in(args)))
