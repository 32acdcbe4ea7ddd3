"""Walks over the surface tree, by the fields of its nodes.

Input: a node, or several.
Output: the nodes within them.
Guarantee: the only class named here is `Effect`, so a new construct of the tree needs no change here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields

from golpae.syntax import tree as t


def children(node: t.Node) -> Iterator[t.Node]:
    """Yield the nodes directly within a node, in the order of its fields. Spans, texts and comments are not nodes."""
    for field in fields(node):
        yield from _nodes_of(getattr(node, field.name))


def _nodes_of(value: object) -> Iterator[t.Node]:
    if isinstance(value, t.Node):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _nodes_of(item)


def nodes(start: Iterable[t.Node]) -> Iterator[t.Node]:
    """Yield these nodes and all nodes within them, outermost first."""
    for node in start:
        yield node
        yield from nodes(children(node))


def nested(effect: t.Effect) -> Iterator[t.Effect]:
    """Yield the effects directly within an effect."""
    for child in children(effect):
        if isinstance(child, t.Effect):
            yield child
