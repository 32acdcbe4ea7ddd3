"""Walks over the surface tree, by the fields of its nodes.

Input: a node, or several.
Output: the nodes within them.
Guarantee: the only classes named here are `Effect`, `NestingEffect` and `When`, whose test holds for its `effects`. A
new construct of the tree, or a new field with effects, needs no change here. The readers of the tree find effects
within effects through this module.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, replace
from typing import Any, TypeVar

from golpae.syntax import tree as t

N = TypeVar("N", bound=t.Node)

WITHOUT_NODES = frozenset({"bool", "int", "str", "str | None", "int | None", "Remarks"})  # types of fields

_FIELDS: dict[type[t.Node], tuple[str, ...]] = {}


def children(node: t.Node) -> Iterator[t.Node]:
    """Yield the nodes directly within a node, in the order of its fields. Spans, texts and comments are not nodes."""
    yield from _children(node)


def _children(node: t.Node) -> list[t.Node]:
    inner: list[t.Node] = []
    for name in _FIELDS.get(type(node)) or _names_of_fields(type(node)):
        value = getattr(node, name)
        if isinstance(value, t.Node):
            inner.append(value)
        elif value and isinstance(value, tuple):
            _add_nodes(value, inner)
    return inner


def _add_nodes(values: tuple[object, ...], to: list[t.Node]) -> None:
    for value in values:
        if isinstance(value, t.Node):
            to.append(value)
        elif isinstance(value, tuple):
            _add_nodes(value, to)


def _names_of_fields(kind: type[t.Node]) -> tuple[str, ...]:
    """Return the names of the fields of a class that may hold nodes: its span, truths and texts hold none."""
    names = _FIELDS.get(kind)
    if names is None:
        names = _FIELDS[kind] = tuple(
            field.name for field in fields(kind) if field.name != "span" and field.type not in WITHOUT_NODES
        )
    return names


def nodes(start: Iterable[t.Node]) -> Iterator[t.Node]:
    """Yield these nodes and all nodes within them, outermost first."""
    waiting = [*start][::-1]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(_children(node)[::-1])


def nested(effect: t.Effect) -> Iterator[t.Effect]:
    """Yield the effects directly within an effect, also those of a part of it such as an `else`."""
    yield from _effects_of(tuple(children(effect)))


def _effects_of(value: object) -> Iterator[t.Effect]:
    """Yield the effects in the value of a field; a part that is no expression may hold some."""
    inner: list[t.Node] = []
    _add_nodes((value,), inner)
    for node in inner:
        if isinstance(node, t.Effect):
            yield node
        elif not isinstance(node, t.Expr):
            yield from _effects_of(tuple(children(node)))


def flat(effects: Iterable[t.Effect]) -> Iterator[t.Effect]:
    """Yield effects and all effects within them, outermost first."""
    for effect in effects:
        yield effect
        yield from flat(nested(effect))


def leaves(effects: Iterable[t.Effect]) -> Iterator[t.SimpleEffect]:
    """Yield the effects that hold no effects, also those within `when` and `for each`."""
    return (effect for effect in flat(effects) if not isinstance(effect, t.NestingEffect))


def with_tests(
    effects: Iterable[t.Effect], tests: tuple[t.Expr, ...] = ()
) -> Iterator[tuple[t.Effect, tuple[t.Expr, ...]]]:
    """Yield effects and all effects within them, each with `tests` and the tests around it that hold."""
    for effect in effects:
        yield effect, tests
        for field in fields(effect):
            inner = _effects_of(getattr(effect, field.name))
            holds = (effect.test,) if isinstance(effect, t.When) and field.name == "effects" else ()
            yield from with_tests(inner, (*tests, *holds))


def uncommented(node: N) -> N:
    """Return a node without comments, at any depth."""
    changed = {field.name: _uncommented(getattr(node, field.name)) for field in fields(node) if field.init}
    return replace(node, **changed)


def _uncommented(value: Any) -> Any:
    if isinstance(value, t.Remarks):
        return t.NO_REMARKS
    if isinstance(value, tuple):
        return tuple(map(_uncommented, value))
    return uncommented(value) if isinstance(value, t.Node) else value
