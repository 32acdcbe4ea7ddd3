"""Edits that turned out to be superfluous, taken out again.

Input: a text, edits of it that were made one after the other, and how to find the points of all hands by a text.
Output: the edits without those that another one has undone or that change no points, and the text with these alone.
Guarantee: the points of all hands are the same.

Edits that changed the same part of a declaration stay together: one of them may need the other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from itertools import pairwise
from typing import Any

from golpae.elaborate.load import Loaded
from golpae.learn.edits import Edit

Part = tuple[int, str, int | None]
"""The number of a declaration, a field of it, and the place there; None: the whole field."""


def pruned(
    start: Loaded, edits: Sequence[Edit], changes_nothing: Callable[[Loaded], bool]
) -> tuple[tuple[Edit, ...], Loaded]:
    """Return the edits that are needed, and the text that they make."""
    whole = edits[-1].loaded
    texts = [start, *(edit.loaded for edit in edits)]
    if any(len(text.decls) != len(start.decls) for text in texts):
        return tuple(edits), whole
    touched = [_changed(old, new) for old, new in pairwise(texts)]
    fully = {(at, name) for parts in touched for at, name, place in parts if place is None}
    touched = [
        {(at, name, None if (at, name) in fully else place) for at, name, place in parts} for parts in touched
    ]
    left = [*range(len(edits))]
    for group in _groups(touched):
        if len(group) == len(left):
            break
        fewer = _restored(start, whole, set().union(*(touched[number] for number in group)))
        if fewer.decls == whole.decls or changes_nothing(fewer):
            whole = fewer
            left = [number for number in left if number not in group]
    return tuple(edits[number] for number in left), whole


def _changed(old: Loaded, new: Loaded) -> set[Part]:
    found: set[Part] = set()
    for at, (before, after) in enumerate(zip(old.decls, new.decls, strict=True)):
        if before == after:
            continue
        for field in fields(before):
            one, other = getattr(before, field.name), getattr(after, field.name, None)
            if not field.compare or one == other:
                continue
            if isinstance(one, tuple) and isinstance(other, tuple) and len(one) == len(other):
                found |= {(at, field.name, place) for place in range(len(one)) if one[place] != other[place]}
            else:
                found.add((at, field.name, None))
    return found


def _groups(touched: Sequence[set[Part]]) -> list[list[int]]:
    """Return the numbers of edits, those together that changed the same part, the last ones first."""
    groups: list[list[int]] = []
    for number, parts in enumerate(touched):
        joined = [group for group in groups if any(parts & touched[other] for other in group)]
        groups = [group for group in groups if group not in joined]
        groups.append([*(other for group in joined for other in group), number])
    return groups[::-1]


def _restored(start: Loaded, whole: Loaded, parts: set[Part]) -> Loaded:
    """Return a text in which some parts are those of the text before all edits."""
    decls: list[Any] = list(whole.decls)
    for at, name, place in sorted(parts, key=lambda part: (part[0], part[1], part[2] or 0)):
        old = getattr(start.decls[at], name)
        if place is not None:
            now = getattr(decls[at], name)
            old = (*now[:place], old[place], *now[place + 1 :])
        decls[at] = replace(decls[at], **{name: old})
    return replace(whole, decls=tuple(decls))
