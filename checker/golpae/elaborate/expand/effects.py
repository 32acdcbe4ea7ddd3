"""What the steps that write effects out have in common: walks, what an expression reads, and names that are free.

Input: declarations of a resolved text. Output: the same with other effects; answers about their names.
Guarantee: an effect that is not rewritten stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache

from golpae.syntax import tree as t
from golpae.syntax.traverse import nodes

Rewrite = Callable[[t.Effect], Iterable[t.Effect]]


def with_effects(
    decls: Iterable[t.Decl], rewrite: Rewrite, kinds: Iterable[str] | None = None
) -> tuple[t.Decl, ...]:
    """Return the text; each effect of its actions, or of those of these kinds, is replaced. Inner ones come first."""
    wanted = None if kinds is None else frozenset(kinds)
    return tuple(
        _rewritten_action(d, rewrite)
        if isinstance(d, t.Action) and (wanted is None or d.kind in wanted)
        else d
        for d in decls
    )


def _rewritten_action(action: t.Action, rewrite: Rewrite) -> t.Action:
    clauses = tuple(
        replace(c, body=replace(c.body, effects=rewritten(c.body.effects, rewrite)))
        if isinstance(c.body, t.Effects)
        else c
        for c in action.clauses
    )
    return replace(action, clauses=clauses)


def rewritten(effects: Iterable[t.Effect], rewrite: Rewrite) -> tuple[t.Effect, ...]:
    """Return effects, each replaced by what `rewrite` makes of it."""
    out: list[t.Effect] = []
    for effect in effects:
        if isinstance(effect, t.When):
            other = effect.otherwise
            if other is not None:
                other = replace(other, effects=rewritten(other.effects, rewrite))
            effect = replace(effect, effects=rewritten(effect.effects, rewrite), otherwise=other)
        elif isinstance(effect, t.ForEach | t.Given):
            effect = replace(effect, effects=rewritten(effect.effects, rewrite))
        out.extend(rewrite(effect))
    return tuple(out)


def names_in(node: t.Node) -> set[str]:
    """Return the words that a part of a text reads or sets, with or without an owner, also in its messages."""
    out: set[str] = set()
    for inner in nodes([node]):
        if isinstance(inner, t.Name | t.Possessive | t.Call):
            out.add(inner.name)
        message = getattr(inner, "message", None)
        for hole in re.findall(r"\{([^{}]*)\}", message) if isinstance(message, str) else ():
            out.update(re.findall(r"[A-Za-z][\w-]*", hole))
    return out


def mentioned(decls: Iterable[t.Decl]) -> set[str]:
    """Return all words that a text reads or sets."""
    return set().union(*(_names_of(_Same(decl)) for decl in decls))


class _Same:
    """A declaration that is equal to itself alone: rule sets of a text share most of theirs, and steps all others."""

    def __init__(self, decl: t.Decl) -> None:
        self.decl = decl

    def __hash__(self) -> int:
        return id(self.decl)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.decl is other.decl


@lru_cache(maxsize=2048)
def _names_of(same: _Same) -> frozenset[str]:
    return frozenset(names_in(same.decl))


@lru_cache(maxsize=2048)
def _words_of(same: _Same) -> frozenset[str]:
    return frozenset(word.text for word in nodes([same.decl]) if isinstance(word, t.Word))


def declared(decls: Iterable[t.Decl]) -> dict[str, t.Word]:
    """Return the names of zones, states, options, definitions, shapes, arrangements, scores and groups."""
    return {word.text: word for decl in decls for word in _declared(decl)}


def _declared(decl: t.Decl) -> Iterator[t.Word]:
    match decl:
        case t.Zones(zones=things) | t.State(vars=things):
            yield from (thing.name for thing in things)
        case t.Tiles(groups=groups):
            yield from (group.name for group in groups)
        case t.Option(name=name) | t.Define(name=name) | t.Shape(name=name) | t.Arrangement(name=name):
            yield name
        case t.Score(name=name) | t.RowSlice(name=name):
            yield name
        case _:
            return


def readers_of(name: str, decls: Iterable[t.Decl]) -> frozenset[str]:
    """Return this name and those of all definitions that read it, directly or through others."""
    reads = {
        d.name.text: _names_of(_Same(d)) - {d.name.text} for d in decls if isinstance(d, t.Define | t.Score)
    }
    out = {name}
    while more := {n for n, inner in reads.items() if n not in out and not inner.isdisjoint(out)}:
        out |= more
    return frozenset(out)


def free_name(wanted: str, decls: Iterable[t.Decl]) -> str:
    """Return a name that nothing in the text has: this one, or this one with a number behind it."""
    decls = tuple(decls)
    taken = mentioned(decls) | set(declared(decls)) | set().union(*(_words_of(_Same(decl)) for decl in decls))
    number, name = 1, wanted
    while name in taken:
        number += 1
        name = f"{wanted}-{number}"
    return name
