"""The normal form of a piece of rule text: two pieces mean the same if their forms are equal.

Input: a surface node.
Output: a `Form`, nested tuples that can be compared and sorted, and the names that the node uses.
Guarantee: equal forms mean the same wherever all the names that they use do. Unequal forms may mean the same too.

No form contains places, comments, rule numbers or messages. The names that `some`, `every`, `for each` and definitions
give to values are left out, and so is the order of sides that may change places. Sides of `and` and `or` may if none of
them can pass a limit of numbers, which only the sides that are asked do:

    some u in hand: a = b and c(u)        (...: free c, bound 0 ... and b = a)        some v in hand: c(v) and b = a
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import lru_cache
from typing import Any, assert_never

from golpae.diagnostics import SpecError, Text
from golpae.diagnostics.diagnostic import Span
from golpae.syntax import tree as t
from golpae.syntax.cases import written_out
from golpae.syntax.messages import values_in
from golpae.syntax.parse import parse_expression
from golpae.syntax.traverse import nodes

Form = tuple[Any, ...]
Env = Mapping[str, Form]  # what the names of parameters stand for

UNSAID = {"span", "bracketed", "remarks", "given_remarks", "provided_remarks", "ids", "message"}
COMPARED = ("=", "/=", "in", "not in")
SWAPPED = ("=", "/=")
JOINED = ("and", "or")


class Normalizer:
    """Makes forms, and collects in `used` all names in them but those of parameters.

    `word_order` is whether the order in which a type lists its words can matter.
    """

    def __init__(self, word_order: bool = True) -> None:
        self.word_order = word_order
        self.used: set[str] = set()

    def form(self, node: object, env: Env, unordered: bool = False) -> Form:
        """Return the form of a node. `unordered`: the order of tiles in braces has no meaning in its context."""
        match node:
            case None | bool() | int() | str():
                return (node,)
            case tuple():
                return ("", *(self.form(item, env) for item in node))
            case t.Cases():
                return self.form(written_out(node), env)
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
                forms = [self.form(arg, env) for arg in args]
                if words:
                    return ("Call", name, *_sorted(zip((w.text for w in words), forms, strict=True)))
                return ("Call", name, *forms)
            case t.Binary(op=op) if op in JOINED:
                return ("Binary", op, *_sorted(self.form(side, env) for side in _sides(node, op)))
            case t.Binary(op=op, left=left, right=right) if op in COMPARED:
                sides = [self.form(left, env, True), self.form(right, env, True)]
                return ("Binary", op, *(_sorted(sides) if op in SWAPPED else sides))
            case t.Bag(items=items) if unordered:
                return ("Bag", *_sorted(self.form(item, env, True) for item in items))
            case t.Quantified() | t.Fold() | t.EachOf() | t.ForEach():
                return self._binder(node, env)
            case t.TypeChoice(words=words) if not self.word_order:
                return ("TypeChoice", *_sorted(self.form(word, env) for word in words))
            case _:
                return self._fields(node, env)

    def message(self, text: str | None, env: Env) -> Form:
        """Return the form of a message: its words, and the values between its braces."""
        out: list[Any] = []
        said, words = 0, text or ""
        for opened, closed in values_in(words):
            if closed is not None:
                value = words[opened:closed]
                expr = _parsed(value)
                out += [words[said : opened - 1], ("unread", value) if expr is None else self.form(expr, env)]
                said = closed + 1
        return ("" if text is None else "message", *out, words[said:])

    def _name(self, name: str, env: Env) -> Form:
        if name not in env:
            self.used.add(name)
        return env.get(name, ("free", name))

    def _fields(self, node: object, env: Env) -> Form:
        assert is_dataclass(node)
        values = (getattr(node, field.name) for field in fields(node) if field.name not in UNSAID)
        return (type(node).__name__, *(self.form(value, env) for value in values))

    def _binder(self, node: t.Quantified | t.Fold | t.EachOf | t.ForEach, env: Env) -> Form:
        """Return the form of a node that binds names. They are not bound in its domain."""
        size = None if isinstance(node, t.ForEach) else node.size
        names = [node.name] if isinstance(node, t.EachOf | t.ForEach) else node.names
        inner = bound(env, (word.text for word in names))
        head = (type(node).__name__, len(names), self.form(size, env), self.form(node.domain, env))
        match node:
            case t.Quantified(kind=kind, body=body, names=_, domain=_, size=_):
                return (*head, kind, self.form(body, inner))
            case t.Fold(kind=kind, item=item, test=test, names=_, domain=_, size=_):
                return (*head, kind, self.form(item, inner), self.form(test, inner))
            case t.EachOf(item=item, test=test, name=_, domain=_, size=_):
                return (*head, self.form(item, inner), self.form(test, inner))
            case t.ForEach(effects=effects, name=_, domain=_, spoken=_):
                return (*head, self.form(effects, inner))
            case _:
                assert_never(node)


def bound(env: Env, names: Iterable[str]) -> dict[str, Form]:
    """Return the environment with these names bound inside those of `env`. Each has a number by its depth."""
    out = dict(env)
    depth = 1 + max((form[1] for form in env.values() if form[0] == "bound"), default=-1)
    for at, name in enumerate(names):
        out[name] = ("bound", depth + at)
    return out


def calls_by_name(decls: Iterable[t.Node]) -> Iterator[str]:
    """Yield the definitions that are called with the names of their parameters, anywhere in these nodes."""
    return (node.name for node in nodes(decls) if isinstance(node, t.Call) and node.names)


@lru_cache(maxsize=4096)
def _parsed(words: str) -> t.Expr | None:
    """Return the value between two braces, or None if it is no expression."""
    text = Text.of("", words)
    try:
        return parse_expression(text, Span(text, 0, len(words)))
    except SpecError:
        return None


def _sides(expr: t.Expr, op: str) -> Iterator[t.Expr]:
    """Yield the operands that one operator joins, whatever the brackets."""
    waiting = [expr]
    while waiting:
        side = waiting.pop()
        if isinstance(side, t.Binary) and side.op == op:
            waiting += [side.right, side.left]
        else:
            yield side


def _sorted(forms: Iterable[Any]) -> list[Any]:
    return sorted(forms, key=repr)


__all__ = ["Env", "Form", "Normalizer", "bound", "calls_by_name"]
