"""Names that an expression binds itself: those of questions, of `the` and `number of`, and of `{x for x in s}`.

Input: expressions of the surface tree.
Output: the same expressions with other names.
Guarantee: two expressions that differ only in the names that they bind themselves are equal once they are `nameless`;
a value that is put in place of a name keeps its meaning.

    some m in shown: tile in m        some n in shown: tile in n        both become  some #0 in shown: tile in #0
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from itertools import count
from typing import Any

from golpae.syntax import tree as t
from golpae.syntax.traverse import nodes

MARK = "#"  # begins a name that no text can contain


def bound(node: t.Node) -> tuple[t.Word, ...]:
    """Return the names that an expression binds in its own parts."""
    match node:
        case t.Quantified(names=names) | t.Fold(names=names):
            return names
        case t.EachOf(name=name):
            return (name,)
        case t.With(values=values):
            return tuple(value.name for value in values)
        case _:
            return ()


def nameless(expr: t.Expr) -> t.Expr:
    """Return an expression with each name that it binds replaced by a number, in the order of the words."""
    out: t.Expr = _Renaming(count(), None).of(expr, {})
    return out


def with_values(expr: t.Expr, values: Mapping[str, t.Expr]) -> t.Expr:
    """Return an expression with values in place of names that it does not bind itself."""
    taken = {node.name for node in nodes(values.values()) if isinstance(node, t.Name)}
    used = taken | {node.name for node in nodes([expr]) if isinstance(node, t.Name)}
    first = 1 + max((int(name[1:]) for name in used if name[:1] == MARK), default=-1)
    out: t.Expr = _Renaming(count(first), taken).of(expr, dict(values))
    return out


class _Renaming:
    """Gives the next numbers to names that an expression binds: to those that are `taken`, or to all."""

    def __init__(self, numbers: Iterator[int], taken: set[str] | None) -> None:
        self._numbers = numbers
        self._taken = taken

    def of(self, node: Any, values: dict[str, t.Expr]) -> Any:
        """Return a part of an expression with values in place of names."""
        if isinstance(node, tuple):
            return tuple(self.of(item, values) for item in node)
        if isinstance(node, t.Name):
            return values.get(node.name, node)
        if not isinstance(node, t.Node) or isinstance(node, t.Word):
            return node
        words = bound(node)
        new = tuple(self._new(word) for word in words)
        inner = values
        for old, word in zip(words, new, strict=True):
            inner = {**inner, old.text: t.Name(word.span, word.text)}
        changed: dict[str, Any] = {}
        for field in fields(node):
            value = getattr(node, field.name)
            if words and field.name in ("names", "name"):
                changed[field.name] = new if field.name == "names" else new[0]
            elif isinstance(node, t.With) and field.name == "values":
                changed["values"] = tuple(
                    replace(v, name=w, expr=self.of(v.expr, values))
                    for w, v in zip(new, node.values, strict=True)
                )
            elif field.name not in (
                "span",
                "bracketed",
            ):  # a bound name has no meaning in the domain and the size
                changed[field.name] = self.of(value, values if field.name in ("domain", "size") else inner)
        return replace(node, **changed)

    def _new(self, word: t.Word) -> t.Word:
        if self._taken is not None and word.text not in self._taken:
            return word
        return t.Word(word.span, f"{MARK}{next(self._numbers)}")
