"""The parts of a rule text that begin at its left edge, and their trees at another place.

Input: the layout of a text; the tree of a part that was parsed alone. Output: `parts_of`, the parts in reading order;
`placed_at`, the tree as the parser of the whole text would have made it. Guarantee: a part has all that its tree
depends on, so equal parts have equal trees, and an editor's text is parsed only where it has changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any, TypeVar

from golpae.diagnostics import Span, Text
from golpae.syntax import tree as t
from golpae.syntax.comments import PlacedComment
from golpae.syntax.layout import Layout

Tree = TypeVar("Tree")

_FIELDS: dict[type[t.Node], tuple[str, ...]] = {}
_set = object.__setattr__  # nodes are frozen; these are new ones


def parts_of(text: Text, layout: Layout) -> Iterator[tuple[int, str, Layout]]:
    """Yield the parts of a text: the offset of each, its characters, and its layout with offsets from there."""
    start, depth = 0, 0
    breaks: dict[int, tuple[int, int]] = {}
    comments = [one for one in layout.comments if one.line is not None]
    taken = 0
    for end, (closed, opened) in sorted(layout.breaks.items()):
        breaks[end - start] = closed, opened
        depth += opened - closed
        if depth:
            continue
        stop = end + 1
        own: list[PlacedComment] = []
        while taken < len(comments) and (line := comments[taken].line) is not None and line < stop:
            own.append(PlacedComment(comments[taken].words, line - start, comments[taken].place))
            taken += 1
        yield start, text.content[start:stop], Layout(layout.characters[start:stop], breaks, tuple(own))
        start, breaks = stop, {}


def placed_at(tree: Tree, text: Text, offset: int) -> Tree:
    """Return a tree of a part as the tree of the text in which the part begins at `offset`."""
    moved: Any = _moved(tree, text, offset)
    placed: Tree = moved
    return placed


def _moved(value: Any, text: Text, by: int) -> Any:
    kind = type(value)
    if kind is Span:
        return Span(text, value.start + by, value.end + by)
    if kind is tuple:
        return tuple([_moved(item, text, by) for item in value]) if value else value
    names = _FIELDS.get(kind)
    if names is None:
        if not isinstance(value, t.Node):
            return value
        names = _FIELDS[kind] = tuple(field.name for field in fields(kind))
    node = object.__new__(kind)
    for name in names:
        inner = getattr(value, name)
        _set(node, name, inner if type(inner) in _PLAIN else _moved(inner, text, by))
    return node


_PLAIN = frozenset({str, bool, int, type(None), t.Remarks})
