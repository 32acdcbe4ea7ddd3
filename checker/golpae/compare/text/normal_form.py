"""What a piece of rule text says, whatever it looks like: two pieces say the same where their forms are equal.

In: a surface node. Out: a `Form`, nested tuples that can be compared and sorted, and the names that the node uses.
No form holds places, comments, rule numbers or messages. What `some`, `every`, `for each` and definitions call
their values is left out, and so is the order of sides that may change places:

    some u in hand: a = b and c(u)        (...: free c, bound 0 ... and b = a)        some v in hand: c(v) and b = a

Guarantees: equal forms mean the same wherever all the names that they use do. The other way round is not said.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import lru_cache
from typing import Any

from golpae.diagnostics import SpecError, Text
from golpae.diagnostics.diagnostic import Span
from golpae.syntax import tree as t
from golpae.syntax.parse import parse_expression

Form = tuple[Any, ...]
Env = Mapping[str, Form]  # what the names of parameters stand for

UNSAID = {"span", "remarks", "ids", "message"}
COMPARED = ("=", "/=", "in", "not in")
SWAPPED = ("=", "/=")
JOINED = ("and", "or")


class Reader:
    """Makes forms, and notes in `used` what they speak of: all names but those of parameters."""

    def __init__(self) -> None:
        self.used: set[str] = set()

    def form(self, node: object, env: Env, unordered: bool = False) -> Form:
        """The form of a node. `unordered`: the order of tiles in braces means nothing where it stands."""
        match node:
            case None | bool() | int() | str():
                return (node,)
            case tuple():
                return ("", *(self.form(item, env) for item in node))
            case t.Name(name=name):
                return self._name(name, env)
            case t.Possessive(owner=owner, name=name):
                # `p's x` can be an x of each player that a definition is given
                return ("Possessive", self.form(owner, env), name, self._name(name, env))
            case t.Word(text=text):
                self.used.add(text)
                return ("Word", text)
            case t.Call(name=name, args=args, names=words):
                self.used.add(name)
                said = [self.form(arg, env) for arg in args]
                if words:
                    return ("Call", name, *_sorted(zip((w.text for w in words), said, strict=True)))
                return ("Call", name, *said)
            case t.Binary(op=op) if op in JOINED:
                return ("Binary", op, *_sorted(self.form(side, env) for side in _sides(node, op)))
            case t.Binary(op=op, left=left, right=right) if op in COMPARED:
                sides = [self.form(left, env, True), self.form(right, env, True)]
                return ("Binary", op, *(_sorted(sides) if op in SWAPPED else sides))
            case t.Bag(items=items) if unordered:
                return ("Bag", *_sorted(self.form(item, env, True) for item in items))
            case t.Quantified() | t.Fold() | t.EachOf() | t.ForEach():
                return self._binder(node, env)
            case _:
                return self._fields(node, env)

    def message(self, said: str | None, env: Env) -> Form:
        """The form of a message: its words, and the values between its braces."""
        out: list[Any] = []
        rest = said or ""
        while "{" in rest and "}" in rest[rest.index("{") :]:
            words, _, rest = rest.partition("{")
            value, _, rest = rest.partition("}")
            expr = _parsed(value)
            out += [words, ("unread", value) if expr is None else self.form(expr, env)]
        return ("" if said is None else "said", *out, rest)

    def _name(self, name: str, env: Env) -> Form:
        if name not in env:
            self.used.add(name)
        return env.get(name, ("free", name))

    def _fields(self, node: object, env: Env) -> Form:
        assert is_dataclass(node)
        values = (getattr(node, field.name) for field in fields(node) if field.name not in UNSAID)
        return (type(node).__name__, *(self.form(value, env) for value in values))

    def _binder(self, node: t.Quantified | t.Fold | t.EachOf | t.ForEach, env: Env) -> Form:
        """A node that gives names to values: the domain does not know them yet."""
        size = node.size if isinstance(node, t.Quantified | t.Fold) else None
        names = [node.name] if isinstance(node, t.EachOf | t.ForEach) else node.names
        inner = bound(env, (word.text for word in names))
        head = (type(node).__name__, len(names), self.form(size, env), self.form(node.domain, env))
        match node:
            case t.Quantified(kind=kind, body=body):
                return (*head, kind, self.form(body, inner))
            case t.Fold(kind=kind, item=item, test=test):
                return (*head, kind, self.form(item, inner), self.form(test, inner))
            case t.EachOf(item=item, test=test):
                return (*head, self.form(item, inner), self.form(test, inner))
            case t.ForEach(effects=effects):
                return (*head, self.form(effects, inner))


def bound(env: Env, names: Iterable[str]) -> dict[str, Form]:
    """The names as parameters inside those of `env`, told apart by when they came."""
    out = dict(env)
    depth = 1 + max((form[1] for form in env.values() if form[0] == "bound"), default=-1)
    for at, name in enumerate(names):
        out[name] = ("bound", depth + at)
    return out


def calls_by_name(node: object) -> Iterator[str]:
    """What is called with the names of its parameters, anywhere in a node."""
    if isinstance(node, t.Call) and node.names:
        yield node.name
    if isinstance(node, tuple):
        for item in node:
            yield from calls_by_name(item)
    elif isinstance(node, t.Node):
        for field in fields(node):
            if field.name not in UNSAID:
                yield from calls_by_name(getattr(node, field.name))


@lru_cache(maxsize=4096)
def _parsed(words: str) -> t.Expr | None:
    """The value between two braces; None where it is none."""
    text = Text.of("", words)
    try:
        return parse_expression(text, Span(text, 0, len(words)))
    except SpecError:
        return None


def _sides(expr: t.Expr, op: str) -> Iterator[t.Expr]:
    """What one operator joins, however it is bracketed."""
    waiting = [expr]
    while waiting:
        match waiting.pop():
            case t.Binary(op=other, left=left, right=right) if other == op:
                waiting += [right, left]
            case side:
                yield side


def _sorted(forms: Iterable[Any]) -> list[Any]:
    return sorted(forms, key=repr)


__all__ = ["Env", "Form", "Reader", "bound", "calls_by_name"]
