"""Walks over the surface tree reach every node."""

from __future__ import annotations

from golpae.diagnostics import Text
from golpae.diagnostics.diagnostic import Span
from golpae.syntax import tree as t
from golpae.syntax.parse import parse_expression
from golpae.syntax.traverse import children, nested, nodes


def expression(words: str) -> t.Expr:
    text = Text.of("", words)
    return parse_expression(text, Span(text, 0, len(words)))


def test_children_come_in_the_order_of_the_fields() -> None:
    call = expression("f(a, b + 1)")
    assert [type(child).__name__ for child in children(call)] == ["Name", "Binary"]


def test_nodes_come_outermost_first() -> None:
    names = [
        node.name for node in nodes([expression("some x in a: g(x) and b = c")]) if isinstance(node, t.Name)
    ]
    assert names == ["a", "x", "b", "c"]


def test_only_effects_are_nested() -> None:
    place = expression("a")
    move = t.Move(place.span, None, place, place, None)
    when = t.When(place.span, place, (move, move))
    assert list(nested(when)) == [move, move]
    assert list(nested(move)) == []
