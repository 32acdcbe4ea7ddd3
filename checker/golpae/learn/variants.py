"""An edited text as a variant of the text that it was.

Input: a text without switches, and the same text with edits.
Output: a variant in the language that makes one of the other, or None if the edits cannot be written as one.
Guarantee: the text with the variant has the clauses of the edited one.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from golpae.diagnostics import Span, Text
from golpae.elaborate.blocks import Block, clauses_of, name_of
from golpae.elaborate.load import Loaded
from golpae.syntax import tree as t
from golpae.syntax.format import format_decl

MESSAGE = "no recorded game does this"
"""What a condition that was learned says if it refuses an event."""


def variant_of(old: Loaded, new: Loaded, name: str, gist: str) -> t.Variant | None:
    """Return a variant of this name that has the edits."""
    if len(old.decls) != len(new.decls):
        return None
    deltas: list[t.Delta] = []
    for before, after in zip(old.decls, new.decls, strict=True):
        if before == after:
            continue
        if not isinstance(before, Block) or type(before) is not type(after):
            return None
        assert isinstance(after, Block)
        found = _deltas(before, after)
        if found is None:
            return None
        deltas += found
    span = old.game.span
    return t.Variant(span, "variant", t.Word(span, name), gist, tuple(deltas), ())


def written(variant: t.Variant) -> str:
    """Return a variant as the language writes it."""
    return format_decl(variant)


def _deltas(before: Block, after: Block) -> list[t.Delta] | None:
    block = name_of(before)
    old, new = list(clauses_of(before)), list(clauses_of(after))
    names = Counter(c.name.text for c in old)
    theirs = {c.name.text: c for c in new}
    deltas: list[t.Delta] = []
    anew = _other_points(before, after)
    put_anew = {delta.path[-1].text for delta in anew}
    if Counter(c.name.text for c in new if names[c.name.text] > 1) != Counter(
        {name: count for name, count in names.items() if count > 1}
    ):
        return None  # one of several clauses of one name is dropped
    for clause in old:
        name = clause.name.text
        if isinstance(before, t.Shape) and name == block and 1 < len(new) < len(old):
            continue  # one of several shapes is dropped
        if names[name] > 1:
            if clause not in new:
                return None
        elif name not in theirs:
            deltas.append(_delta("drop", block, name, None))
        elif name not in put_anew and theirs[name].body != clause.body:
            deltas.append(_delta("replace", block, name, _shown(before, theirs[name].body)))
    deltas += anew
    added = (clause for clause in new if clause.name.text not in names)
    return [*deltas, *(_delta("add", block, c.name.text, _shown(before, c.body)) for c in added)]


def _other_points(before: Block, after: Block) -> list[t.Delta]:
    """Return how a pattern with other points takes the place of one: it is dropped, and added."""
    if not isinstance(before, t.Score) or not isinstance(after, t.Score):
        return []
    old = {pattern.name.text: pattern for pattern in before.patterns}
    changed = [p for p in after.patterns if p.name.text in old and p.value != old[p.name.text].value]
    deltas: list[t.Delta] = []
    for pattern in changed:
        path = (before.name, pattern.name)
        deltas.append(t.Delta(pattern.span, "drop", path, None, ()))
        deltas.append(t.Delta(pattern.span, "add", path, None, (), pattern=pattern))
    return deltas


def _shown(before: Block, body: t.Body | None) -> t.Body | None:
    """Return a body with a message, if it is a condition of an action: the old one would state the old rule."""
    if isinstance(before, t.Action) and isinstance(body, t.Condition):
        return replace(body, message=MESSAGE)
    return body


def _delta(kind: t.DeltaKind, block: str, name: str, body: t.Body | None) -> t.Delta:
    span = Span(Text.of("learned", " "), 0, 1) if body is None else body.span
    path = (t.Word(span, block),) if name == block else (t.Word(span, block), t.Word(span, name))
    return t.Delta(span, kind, path, body, ())
