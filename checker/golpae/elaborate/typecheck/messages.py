"""Check and type the messages of conditions: words, and expressions between braces.

Input: the message of a condition and the scope if the condition is false. Output: words and IR expressions in turn.
Guarantee: a fault between braces is reported at its own words.

    "{p} does not hold {tile}"   ->   (Local p, " does not hold ", Local tile)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from golpae.diagnostics import Diagnostic, Span, SpecError
from golpae.elaborate.typecheck.expressions import Checker
from golpae.elaborate.typecheck.scope import Scope
from golpae.ir import expr as ir
from golpae.syntax import tree as t
from golpae.syntax.parse import parse_expression


def check_message(checker: Checker, body: t.Condition | t.Hands, scope: Scope) -> tuple[str | ir.Expr, ...]:
    """Return the parts of a message; none if there is no message."""
    if body.message is None:
        return ()
    start = body.span.end - 1 - len(body.message)
    parts: list[str | ir.Expr] = []
    rest = body.message
    offset = start
    while rest:
        opened = rest.find("{")
        if opened < 0:
            parts.append(rest)
            break
        closed = _closing(rest, opened)
        if closed < 0 or not rest[opened + 1 : closed].strip():
            place = Span(body.span.text, offset + opened, offset + (len(rest) if closed < 0 else closed + 1))
            message = "this `{` is not closed" if closed < 0 else "these braces are empty"
            checker.symbols.fault("S004", message, place, "write a value in braces, such as `{p}`")
            break
        if opened:
            parts.append(rest[:opened])
        span = Span(body.span.text, offset + opened + 1, offset + closed)
        try:
            value = checker.any(parse_expression(body.span.text, span), scope)
        except SpecError as fault:
            checker.symbols.diagnostics.extend(_between(fault.diagnostics, span))
            value = None
        if value is not None:
            parts.append(value)
        offset += closed + 1
        rest = rest[closed + 1 :]
    return tuple(parts)


def _closing(words: str, opened: int) -> int:
    """Return the place of the brace that closes the one at `opened`, or -1 if none does. Braces may contain braces."""
    depth = 0
    for place in range(opened, len(words)):
        depth += {"{": 1, "}": -1}.get(words[place], 0)
        if depth == 0:
            return place
    return -1


def _between(faults: Iterable[Diagnostic], span: Span) -> Iterator[Diagnostic]:
    """Return the faults of the words in a span; if the words are incomplete, one fault of all of them."""
    for fault in faults:
        place = fault.span
        if fault.code == "S005" or place is None or not span.start <= place.start < span.end:
            advice = "write a value in braces, such as `{p}`"
            yield Diagnostic("S005", f"`{span.excerpt}` is incomplete", span, advice)
        else:
            yield fault
