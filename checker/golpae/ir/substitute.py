"""Values in place of names.

Input: expressions or effects, and an expression for each of some names. Output: the same with these in place.
Guarantee: what binds such a name itself is left alone. The caller chooses names so that nothing within binds a name
which a value leaves open.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

from golpae.ir import expr as ir
from golpae.ir.traverse import bound_by

N = TypeVar("N", bound=Any)


def substituted(node: N, values: Mapping[str, ir.Expr]) -> N:
    """Return an expression, an effect or a place, or several, with values in place of names."""
    out: N = _of(node, values)
    return out


def _of(node: Any, values: Mapping[str, ir.Expr]) -> Any:
    if node is None or not values:
        return node
    if isinstance(node, tuple):
        return tuple(_of(item, values) for item in node)
    if isinstance(node, ir.Local):
        return values.get(node.name, node)
    structure = node.STRUCTURE
    own = bound_by(node)
    inner = {name: value for name, value in values.items() if name not in own} if own else values
    changes = {
        field: _of(getattr(node, field), inner if field in structure.scope else values)
        for field in (*structure.children, *structure.nested)
    }
    return (
        node if all(getattr(node, f) is value for f, value in changes.items()) else replace(node, **changes)
    )
