"""Names in parts of the surface tree: which are open, and what is put in their places.

Input: expressions, effects or clauses. Output: the same with values in place of names.
Guarantee: a name keeps its meaning: where a name that is bound within would hide one that a value leaves open, the
bound one gets another name, which no text can write.

    most is q's bid        some q in players: q's bid > most    becomes    some q~~1 in players: q~~1's bid > q's bid
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from itertools import count
from typing import Any, TypeVar

from golpae.ir.distinct_names import MARK
from golpae.syntax import tree as t
from golpae.syntax.bound_names import OUTSIDE, Renaming, bound_by
from golpae.syntax.traverse import children

N = TypeVar("N", bound=Any)


class Fresh:
    """Names that no text can write, each for a word of the text, and each once."""

    def __init__(self, letter: str) -> None:
        self._letter = letter  # tells names of one step from those of others
        self._numbers = count(1)

    def word(self, word: t.Word) -> t.Word:
        """Return a new name for a word, at its place."""
        return t.Word(
            word.span, f"{word.text.partition(MARK)[0]}{MARK}{MARK}{self._letter}{next(self._numbers)}"
        )


def open_names(node: t.Node) -> Iterator[t.Name]:
    """Yield the names in a part of a text that it does not bind itself; not those with an owner."""
    if isinstance(node, t.Name):
        yield node
        return
    own = {word.text for word in bound_by(node)}
    if not own:
        for child in children(node):
            yield from open_names(child)
        return
    for field, child in _parts(node):
        yield from (name for name in open_names(child) if field in OUTSIDE or name.name not in own)


def _parts(node: t.Node) -> Iterator[tuple[str, t.Node]]:
    """Yield the nodes directly within a node that binds names, with their fields."""
    for field in fields(node):
        value = getattr(node, field.name)
        for child in value if isinstance(value, tuple) else (value,):
            if isinstance(child, t.Node):
                outside = field.name == "each"  # of a pattern: its name, and the bag that it goes through
                yield "domain" if outside else field.name, child


def open_in(some: Iterable[t.Node]) -> frozenset[str]:
    """Return the names that parts of a text leave open."""
    return frozenset(name.name for node in some for name in open_names(node))


def in_place(node: N, values: Mapping[str, t.Expr], fresh: Fresh, taken: Iterable[str] = ()) -> N:
    """Return a part of a text with values in place of names; what is bound within gets no name that is `taken`."""
    out: N = Renaming(fresh.word, open_in(values.values()).union(taken)).of(node, dict(values))
    return out
