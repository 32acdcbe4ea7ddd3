"""Check and type the messages of conditions: words, and expressions between braces.

Input: the message of a condition and the scope if the condition is false. Output: words and IR expressions in turn.
Guarantee: a fault between braces is reported at its own words.

    "{p} does not hold {tile}"   ->   (Local p, " does not hold ", Local tile)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from golpae.diagnostics import Diagnostic, Span, SpecError
from golpae.elaborate.expand.row_slices import written_out
from golpae.elaborate.typecheck.expressions import Checker
from golpae.elaborate.typecheck.parameters import with_values
from golpae.elaborate.typecheck.scope import Scope
from golpae.ir import expr as ir
from golpae.ir.substitute import substituted
from golpae.syntax import tree as t
from golpae.syntax.messages import values_in
from golpae.syntax.parse import parse_expression


def check_message(checker: Checker, body: t.Condition | t.Hands, scope: Scope) -> tuple[str | ir.Expr, ...]:
    """Return the parts of a message; none if there is no message."""
    if isinstance(body, t.Condition) and body.said:
        return tuple(
            part
            for part in (p if isinstance(p, str) else checker.any(p, scope) for p in body.said)
            if part is not None
        )
    if body.message is None:
        return ()
    scope, in_place = with_values(checker, body.values if isinstance(body, t.Condition) else (), scope)
    scope = replace(scope, message=True)
    start = body.span.end - 1 - len(body.message)
    parts: list[str | ir.Expr] = []
    said = 0  # the offset behind the last value
    for opened, closed in values_in(body.message):
        if closed is None or not body.message[opened:closed].strip():
            end = len(body.message) if closed is None else closed + 1
            place = Span(body.span.text, start + opened - 1, start + end)
            message = "this `{` is not closed" if closed is None else "these braces are empty"
            checker.symbols.fault("S004", message, place, "write a value in braces, such as `{p}`")
            return tuple(parts)
        if said < opened - 1:
            parts.append(body.message[said : opened - 1])
        said = closed + 1
        span = Span(body.span.text, start + opened, start + closed)
        try:
            said_here = written_out(parse_expression(body.span.text, span), checker.symbols.row_slices)
            value = checker.any(said_here, scope)
        except SpecError as fault:
            checker.symbols.diagnostics.extend(_between(fault.diagnostics, span))
            value = None
        if value is not None:
            parts.append(substituted(value, in_place))
    if said < len(body.message):
        parts.append(body.message[said:])
    return tuple(parts)


def _between(faults: Iterable[Diagnostic], span: Span) -> Iterator[Diagnostic]:
    """Return the faults of the words in a span; if the words are incomplete, one fault of all of them."""
    for fault in faults:
        place = fault.span
        if fault.code == "S005" or place is None or not span.start <= place.start < span.end:
            advice = "write a value in braces, such as `{p}`"
            yield Diagnostic("S005", f"`{span.excerpt}` is incomplete", span, advice)
        else:
            yield fault
