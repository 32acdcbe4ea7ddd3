"""Walks over expressions and effects, by the structure that every node states.

Input: an expression, or effects. Output: their children, all nodes in them, the names that they leave open.
Guarantee: the only classes named here are `Local`, which is a name, and `Op`, for `and`; a new node of the IR needs
no change here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from golpae.ir import expr as ir

# ---------------------------------------------------------------- expressions


def children(node: ir.Expr | ir.Place | ir.MeldPlace) -> Iterator[ir.Expr]:
    """Return the expressions directly within an expression or a place, in the order of its fields."""
    return _children(node, node.STRUCTURE.children)


def _children(node: object, fields: Iterable[str]) -> Iterator[ir.Expr]:
    for name in fields:
        value = getattr(node, name)
        if value is None:
            continue
        if isinstance(value, tuple):
            yield from value
        elif isinstance(value, ir.Place | ir.MeldPlace):
            yield from children(value)
        else:
            yield value


def nodes(expr: ir.Expr) -> Iterator[ir.Expr]:
    """Return an expression and all expressions within it, outermost first."""
    waiting = [expr]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend([*children(node)][::-1])


def bound_by(node: ir.Expr | ir.Effect) -> tuple[str, ...]:
    """Return the names that a node binds in its scope."""
    field = node.STRUCTURE.binds
    if field is None:
        return ()
    names = getattr(node, field)
    return (names,) if isinstance(names, str) else names


def scoped_children(expr: ir.Expr) -> Iterator[tuple[ir.Expr, tuple[str, ...]]]:
    """Return the children of an expression, each with the names that the expression binds in it."""
    for _, child, bound in children_by_field(expr):
        yield child, bound


def children_by_field(expr: ir.Expr) -> Iterator[tuple[str, ir.Expr, tuple[str, ...]]]:
    """Return the children of an expression, each with its field and the names that are bound in it."""
    names, scope = bound_by(expr), expr.STRUCTURE.scope
    for field in expr.STRUCTURE.children:
        for child in _children(expr, (field,)):
            yield field, child, names if field in scope else ()


@lru_cache(maxsize=4096)
def free(expr: ir.Expr) -> frozenset[str]:
    """Return the names that an expression leaves open."""
    if isinstance(expr, ir.Local):
        return frozenset({expr.name})
    names: frozenset[str] = frozenset()
    for field, child, bound in children_by_field(expr):
        if field not in expr.STRUCTURE.foreign:
            names |= free(child).difference(bound)
    return names


def names_in(expr: ir.Expr) -> frozenset[str]:
    """Return all names that occur in an expression, bound ones included."""
    return frozenset(node.name for node in nodes(expr) if isinstance(node, ir.Local))


def bound_in(expr: ir.Expr) -> frozenset[str]:
    """Return all names that are bound anywhere in an expression."""
    return frozenset(name for node in nodes(expr) for name in bound_by(node))


def conjuncts(expr: ir.Expr) -> Iterator[ir.Expr]:
    """Yield the parts of an expression that must all hold."""
    yield from joined(expr, "and")


def joined(expr: ir.Expr, operator: str) -> Iterator[ir.Expr]:
    """Yield the operands that an operator joins, in order; the expression itself if its operator is another."""
    if isinstance(expr, ir.Op) and expr.op == operator:
        for arg in expr.args:
            yield from joined(arg, operator)
    else:
        yield expr


def tells_apart(expr: ir.Expr, names: frozenset[str]) -> bool:
    """Return whether an expression can differ between orders of the tiles that these names stand for.

    "No" is certain: no name of the list occurs, or they occur only together, as `{a, b}`, which has no order.
    """
    if isinstance(expr, ir.Local):
        return expr.name in names
    if isinstance(expr, ir.BagOf) and are_all(expr.items, names):
        return False
    return any(tells_apart(child, names) for child in children(expr))


def are_all(items: Sequence[ir.Expr], names: frozenset[str]) -> bool:
    """Return whether items are the names of a list, each once."""
    named = {item.name for item in items if isinstance(item, ir.Local)}
    return len(items) == len(names) and named == names


def asks_earlier(expr: ir.Expr) -> bool:
    """Return whether an expression reads the state before the event. No definition does."""
    return any(isinstance(node, ir.Earlier) for node in nodes(expr))


# ---------------------------------------------------------------- effects


def nested(effect: ir.Effect) -> tuple[ir.Effect, ...]:
    """Return the effects directly within an effect."""
    return tuple(inner for field in effect.STRUCTURE.nested for inner in getattr(effect, field))


def deciding_test(effect: ir.Effect) -> ir.Expr | None:
    """Return the test that decides which of the effects within an effect happen, or None if nothing does."""
    field = effect.STRUCTURE.test
    return None if field is None else getattr(effect, field)


def parts(effect: ir.Effect) -> Iterator[tuple[bool, tuple[ir.Effect, ...]]]:
    """Yield the effects in each field of an effect, each with what its test has to be; yes if it has none."""
    for field in effect.STRUCTURE.nested:
        yield field not in effect.STRUCTURE.unless, getattr(effect, field)


def with_nested(effect: ir.Effect, change: Callable[[Iterable[ir.Effect]], Iterable[ir.Effect]]) -> ir.Effect:
    """Return an effect with the effects in each of its fields changed."""
    changes: dict[str, Any] = {f: tuple(change(getattr(effect, f))) for f in effect.STRUCTURE.nested}
    return replace(effect, **changes)


def flat(effects: Iterable[ir.Effect]) -> Iterator[ir.Effect]:
    """Return all effects, including those within effects, outermost first."""
    for effect in effects:
        yield effect
        yield from flat(nested(effect))


def with_context(
    effects: Iterable[ir.Effect], context: tuple[ir.Expr, ...] = ()
) -> Iterator[tuple[ir.Effect, tuple[ir.Expr, ...]]]:
    """Return the effects that hold no others, each with the tests and domains of the effects around it."""
    for effect in effects:
        if not effect.STRUCTURE.nested:
            yield effect, context
        yield from with_context(nested(effect), (*context, *exprs_of(effect)))


def exprs_of(effect: ir.Effect) -> Iterator[ir.Expr]:
    """Return the expressions in an effect itself, without those in effects within it."""
    return _children(effect, effect.STRUCTURE.children)


def exprs_in(effects: Iterable[ir.Effect]) -> Iterator[ir.Expr]:
    """Return the expressions in effects and in all effects within them."""
    for effect in flat(effects):
        yield from exprs_of(effect)


def places_of(effect: ir.Effect) -> Iterator[ir.Place | ir.MeldPlace]:
    """Return the places that an effect moves tiles from or to."""
    for name in effect.STRUCTURE.children:
        value = getattr(effect, name)
        if isinstance(value, ir.Place | ir.MeldPlace):
            yield value
