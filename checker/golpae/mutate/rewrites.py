"""Other words in one place of a declaration.

Input: a declaration, and what may stand in place of a node.
Output: the declaration with each of these in each place, one at a time.
Guarantee: messages, names and types stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, replace
from typing import Any

from golpae.mutate.mutants import LEFT
from golpae.syntax import tree as t
from golpae.syntax.format import format_expression
from golpae.syntax.traverse import uncommented

Change = Callable[[t.Node], Iterable[t.Node]]


def rewritten(node: Any, change: Change) -> Iterator[tuple[t.Node, t.Node, Any]]:
    """Yield each node that can be changed, what stands in its place, and the whole with it."""
    if isinstance(node, tuple):
        for at, item in enumerate(node):
            for old, new, whole in rewritten(item, change):
                yield old, new, (*node[:at], whole, *node[at + 1 :])
        return
    if not isinstance(node, t.Node):
        return
    for other in change(node):
        yield node, other, other
    for field in fields(node):
        if field.name in LEFT:
            continue
        for old, new, whole in rewritten(getattr(node, field.name), change):
            changed: Any = replace(node, **{field.name: whole})
            yield old, new, changed


def said(old: Any, new: Any) -> str:
    """Return a change of an expression in words."""
    return f"{format_expression(uncommented(old))} -> {format_expression(uncommented(new))}"
