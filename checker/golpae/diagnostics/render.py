"""Render diagnostics for people: place, words, carets under them, advice.

Input: a `Diagnostic`. Output: its lines. Guarantee: a long line of the rule text is cut around the fault.
"""

from __future__ import annotations

from collections.abc import Callable

from golpae.diagnostics.codes import is_note
from golpae.diagnostics.colour import Paint, unpainted
from golpae.diagnostics.diagnostic import Diagnostic, Span
from golpae.diagnostics.hidden import on_one_line

ERROR, NOTE = "31", "33"  # colours
WIDEST = 160  # characters shown from the fault on; before it, a third of that


def render(diagnostic: Diagnostic, paint: Paint = unpainted) -> str:
    """Return a diagnostic as several lines, with no newline at the end. `paint` gives parts of it a colour."""
    lines: list[str] = []  # none of them has a second line, whatever the names of files and tiles are
    span = diagnostic.span
    kind, colour = ("note", NOTE) if is_note(diagnostic.code) else ("error", ERROR)
    place = ""
    if span is not None:
        line, column = span.text.position(span.start)
        place = f"{on_one_line(span.text.name)}:{line}:{column}: "
    lines.append(f"{place}{paint(f'{kind}[{diagnostic.code}]', colour)}: {on_one_line(diagnostic.message)}")
    if span is not None:
        lines.extend(_excerpt(span, lambda carets: paint(carets, colour)))
    for label in diagnostic.labels:
        line, column = label.span.text.position(label.span.start)
        lines.append(on_one_line(f"{label.span.text.name}:{line}:{column}: {label.words}"))
        lines.extend(_excerpt(label.span, lambda carets: carets))
    if diagnostic.help:
        lines.append(f"  help: {on_one_line(diagnostic.help)}")
    return "\n".join(lines)


def _excerpt(span: Span, paint: Callable[[str], str]) -> list[str]:
    number, column = span.text.position(span.start)
    source = span.text.line(number)
    width = max(1, min(span.end - span.start, len(source) - column + 1))
    gutter = f"{number:>5} | "
    before, after = source[: column - 1], source[column - 1 :]
    if len(source) > WIDEST:
        width = min(width, WIDEST)
        before = before if len(before) <= WIDEST // 3 else f"... {before[-WIDEST // 3 :]}"
        after = after if len(after) <= WIDEST else f"{after[:WIDEST]} ..."
    shown = on_one_line(before + after)
    caret = " " * len(before) + paint("^" * width)
    return [f"{gutter}{shown}", f"{' ' * (len(gutter) - 2)}| {caret}"]
