"""The words of a rule text, by what they may name.

Input: nodes of the surface tree.
Output: the words in them, and the definitions that they use, through others too.
Guarantee: a word that may name a part of the text is never left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass

from golpae.diagnostics import Span
from golpae.elaborate.load import Loaded
from golpae.ir.dependencies import closure
from golpae.syntax import tree as t

MESSAGES = ("message", "title", "gist", "spoken")


def words(part: object) -> Iterator[str]:
    """Yield all words in a part of a text that may name another part."""
    if isinstance(part, tuple):
        for item in part:
            yield from words(item)
    elif isinstance(part, str):
        yield part
    elif isinstance(part, t.Delta):  # a change is no use of what it changes
        yield from words(part.body if part.pattern is None else _read_by(part.pattern))
    elif isinstance(part, t.Variant):
        yield from words((part.deltas, part.properties))
    elif is_dataclass(part) and not isinstance(part, t.Remarks | Span):
        for each in fields(part):
            value = getattr(part, each.name)
            yield from words_of_message(value) if each.name in MESSAGES else words(value)


def _read_by(pattern: t.Pattern) -> tuple[object, ...]:
    """Return the expressions that a pattern reads."""
    return pattern.value, pattern.each, pattern.test


def words_of_message(text: object) -> Iterator[str]:
    """Yield the words in the braces of a message."""
    for inner in re.findall(r"\{(.*?)\}", text) if isinstance(text, str) else ():
        yield from re.findall(r"[A-Za-z][\w-]*", inner)


def read(part: object) -> Iterator[str]:
    """Yield the words in a part of a text, without the states that it sets, and those that only set themselves."""
    if isinstance(part, tuple):
        for item in part:
            yield from read(item)
    elif isinstance(part, t.Assign):
        target = part.target
        own = target.name if isinstance(target, t.Name | t.Possessive) else None
        if isinstance(target, t.Possessive):
            yield from words(target.owner)
        yield from (word for word in words(part.value) if word != own)
    elif isinstance(part, t.Delta):
        yield from read(part.body if part.pattern is None else _read_by(part.pattern))
    elif isinstance(part, t.Variant):
        yield from read((part.deltas, part.properties))
    elif isinstance(part, t.Action | t.Clause | t.Effects | t.NestingEffect):
        for each in fields(part):
            value = getattr(part, each.name)
            if each.name != "name":
                yield from words_of_message(value) if each.name in MESSAGES else read(value)
    else:
        yield from words(part)


class Vocabulary:
    """The declarations of a text, and what its definitions, shapes and arrangements use."""

    def __init__(self, loaded: Loaded) -> None:
        self.own = loaded.game.name.span.text
        self.decls: list[t.Decl] = []
        for decl in loaded.decls:
            if not isinstance(decl, t.Source):
                self.decls.append(decl)
            if isinstance(decl, t.Variant):  # its parts count like those of the text
                self.decls += decl.parts
        self.own_decls = [decl for decl in self.decls if self.is_own(decl.span)]
        self.changes = [
            delta
            for decl in self.decls
            for delta in (
                (decl,) if isinstance(decl, t.Delta) else decl.deltas if isinstance(decl, t.Variant) else ()
            )
        ]
        self._used: dict[str, set[str]] = {}
        for decl in self.decls:
            if isinstance(decl, t.Define | t.Shape | t.Arrangement):
                self._used[decl.name.text] = set(words(decl)) - {decl.name.text}
        for delta in self.changes:
            if delta.path[0].text in self._used:
                self._used[delta.path[0].text] |= set(words(delta))

    def through(self, names: Iterable[str]) -> set[str]:
        """Return these words and all that the definitions and shapes among them use."""
        return set(closure(names, lambda name: self._used.get(name, ())))

    def is_own(self, span: Span) -> bool:
        """Return whether a place is in the text itself, and not in one that it includes."""
        return span.text == self.own
