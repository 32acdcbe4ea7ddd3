"""Names that a part of a text binds itself: of questions, of `the` and `number of`, of `{x for x in s}`, of loops.

Input: parts of the surface tree.
Output: the same with other names, or with values in place of names.
Guarantee: two expressions that differ only in the names that they bind themselves are equal once they are `nameless`;
a value that is put in place of a name keeps its meaning.

    some m in shown: tile in m        some n in shown: tile in n        both become  some #0 in shown: tile in #0
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import fields, replace
from itertools import count
from typing import Any

from golpae.syntax import tree as t
from golpae.syntax.traverse import nodes

MARK = "#"  # begins a name that no text can contain
OUTSIDE = ("domain", "size", "values")  # the fields of a node that its own names have no meaning in


def bound_by(node: t.Node) -> tuple[t.Word, ...]:
    """Return the names that an expression, an effect or a pattern binds in its own parts."""
    match node:
        case t.Quantified(names=names) | t.Fold(names=names):
            return names
        case t.EachOf(name=name) | t.ForEach(name=name):
            return (name,)
        case t.With(values=values) | t.Given(values=values):
            return tuple(value.name for value in values)
        case t.Pattern(each=(word, _)):
            return (word,)
        case _:
            return ()


def nameless(expr: t.Expr) -> t.Expr:
    """Return an expression with each name that it binds replaced by a number, in the order of the words."""
    out: t.Expr = Renaming(_numbered(count()), None).of(expr, {})
    return out


def with_values(expr: t.Expr, values: Mapping[str, t.Expr]) -> t.Expr:
    """Return an expression with values in place of names that it does not bind itself."""
    taken = {node.name for node in nodes(values.values()) if isinstance(node, t.Name)}
    used = taken | {node.name for node in nodes([expr]) if isinstance(node, t.Name)}
    first = 1 + max((int(name[1:]) for name in used if name[:1] == MARK), default=-1)
    out: t.Expr = Renaming(_numbered(count(first)), taken).of(expr, dict(values))
    return out


def _numbered(numbers: Iterator[int]) -> Callable[[t.Word], t.Word]:
    """Return a function that gives each word the next number as its name."""
    return lambda word: t.Word(word.span, f"{MARK}{next(numbers)}")


class Renaming:
    """Puts values in place of names. What is bound within gets a `new` word if its name is `taken`; all do if that is
    None.
    """

    def __init__(self, new: Callable[[t.Word], t.Word], taken: Set[str] | None) -> None:
        self._new = new
        self._taken = taken

    def of(self, node: Any, values: dict[str, t.Expr]) -> Any:
        """Return a part with values in place of names."""
        if isinstance(node, tuple):
            return tuple(self.of(item, values) for item in node)
        if isinstance(node, t.Name):
            return values.get(node.name, node)
        if not isinstance(node, t.Node) or isinstance(node, t.Word):
            return node
        words = bound_by(node)
        new = {w.text: self._new(w) for w in words if self._taken is None or w.text in self._taken}
        inner = {old: value for old, value in values.items() if old not in {word.text for word in words}}
        inner |= {old: t.Name(word.span, word.text) for old, word in new.items()}
        changed: dict[str, Any] = {}
        for field in fields(node):
            value = getattr(node, field.name)
            if field.name in ("span", "bracketed", "remarks"):
                continue
            if words and field.name in ("name", "names") and not isinstance(node, t.Pattern):
                changed[field.name] = _renamed(value, new)
            elif field.name == "each" and isinstance(value, tuple):
                changed["each"] = (_renamed(value[0], new), self.of(value[1], values))
            elif isinstance(node, t.With | t.Given) and field.name == "values":
                changed["values"] = tuple(
                    replace(v, name=_renamed(v.name, new), expr=self.of(v.expr, values)) for v in value
                )
            elif isinstance(node, t.Assign) and isinstance(value, t.Name) and field.name == "target":
                renamed = values.get(
                    value.name
                )  # only a state can be set: a value in its place would hide the fault
                changed["target"] = renamed if isinstance(renamed, t.Name) else value
            else:
                changed[field.name] = self.of(value, values if field.name in OUTSIDE else inner)
        return replace(node, **changed)


def _renamed(words: Any, new: Mapping[str, t.Word]) -> Any:
    if isinstance(words, tuple):
        return tuple(new.get(word.text, word) for word in words)
    return new.get(words.text, words)
