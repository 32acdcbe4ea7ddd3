"""Write out conditions about keys that a trace may leave out: `if stated, ...`.

Input: the declarations of a resolved text, without groups and names for values. Output: the same without `if stated`.
Guarantee: the condition holds if one of the optional keys that it names is left out; else it asks its question.

    points: if stated, points = price(p)    becomes    points: points is none or points = price(p)
"""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

from golpae.diagnostics import Diagnostic, SpecError
from golpae.elaborate.expand.names import open_in
from golpae.syntax import tree as t
from golpae.syntax.traverse import nodes


def without_if_stated(decls: tuple[t.Decl, ...]) -> tuple[t.Decl, ...]:
    """Return the declarations with such conditions written out. Raises `SpecError`."""
    faults: list[Diagnostic] = []
    out = tuple(_written_out(decl, faults) for decl in decls)
    if faults:
        raise SpecError(faults)
    return out


def _written_out(decl: t.Decl, faults: list[Diagnostic]) -> t.Decl:
    if isinstance(decl, t.Score):
        _clauses(decl.provided, (), decl.name.text, faults)
    if not isinstance(decl, t.Action):
        return decl
    keys = tuple(param for param in decl.params if param.optional)
    clauses = _clauses(decl.clauses, keys, decl.name.text, faults)
    return decl if clauses == decl.clauses else replace(decl, clauses=clauses)


def _clauses(
    clauses: tuple[t.Clause, ...], keys: tuple[t.Param, ...], block: str, faults: list[Diagnostic]
) -> tuple[t.Clause, ...]:
    out = []
    for clause in clauses:
        body = clause.body
        if isinstance(body, t.Condition) and body.if_stated:
            stated = [key.name for key in keys if key.name in _names(body.expr, key)]
            if not stated:
                message = f"this question names no key of `{block}` that a trace may leave out"
                advice = "leave out `if stated,`, or write `optional` before the key"
                faults.append(Diagnostic("T001", message, body.expr.span, advice))
            clause = replace(clause, body=replace(body, expr=_guarded(body.expr, stated), if_stated=False))
        out.append(clause)
    return tuple(out)


def _names(expr: t.Expr, key: t.Param) -> frozenset[str]:
    """Return the names that can be this key: with an owner, `q's points`, if it has a value for each player."""
    if isinstance(key.type, t.TypeEach):
        return frozenset(node.name for node in nodes([expr]) if isinstance(node, t.Possessive))
    return open_in([expr])


def _guarded(expr: t.Expr, keys: list[str]) -> t.Expr:
    span = expr.span
    parts = [t.Is(span, t.Name(span, key), t.Word(span, "none"), False) for key in keys]
    return reduce(lambda left, right: t.Binary(span, "or", left, right), [*parts, expr])
