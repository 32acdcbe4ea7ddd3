"""Walks over the surface tree reach every node."""

from __future__ import annotations

from golpae.diagnostics import Text
from golpae.diagnostics.diagnostic import Span
from golpae.syntax import tree as t
from golpae.syntax.parse import parse_expression
from golpae.syntax.traverse import children, flat, leaves, nested, nodes, with_tests


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


def test_tests_hold_for_the_effects_of_their_when_and_not_for_themselves() -> None:
    place, outer, inner = expression("a"), expression("outer"), expression("inner")
    move = t.Move(place.span, None, place, place, None)
    deep = t.When(place.span, inner, (move,))
    loop = t.ForEach(place.span, t.Word(place.span, "p"), place, (deep, move))
    when = t.When(place.span, outer, (loop,))
    assert list(flat([when, move])) == [when, loop, deep, move, move, move]
    assert list(leaves([when, move])) == [move, move, move]
    tests = [(type(effect).__name__, held) for effect, held in with_tests([when, move])]
    assert tests == [
        ("When", ()),
        ("ForEach", (outer,)),
        ("When", (outer,)),
        ("Move", (outer, inner)),
        ("Move", (outer,)),
        ("Move", ()),
    ]
