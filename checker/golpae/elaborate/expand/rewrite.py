"""Change nodes of the surface tree wherever they stand.

Input: a node, or a tuple of nodes, and a function from node to node. Output: the same with each node changed.
Guarantee: parts of a node are changed before the node itself; what does not change is the same object.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any, TypeVar

from golpae.syntax import tree as t

P = TypeVar("P")


def rewritten(part: P, change: Callable[[Any], Any]) -> P:
    """Return a part of a tree with each node changed, innermost first."""
    out: Any = part
    if isinstance(part, tuple):
        items = tuple(rewritten(item, change) for item in part)
        return part if all(map(_same, items, part)) else items  # type: ignore[return-value]
    if not isinstance(part, t.Node):
        return part
    new = {f.name: rewritten(getattr(part, f.name), change) for f in fields(part) if f.name != "span"}
    if any(value is not getattr(part, name) for name, value in new.items()):
        out = replace(part, **new)
    return change(out)  # type: ignore[no-any-return]


def _same(new: object, old: object) -> bool:
    return new is old
