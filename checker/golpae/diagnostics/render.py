"""Render diagnostics for people: place, words, carets under them, advice.

Input: a `Diagnostic`. Output: its lines. Guarantee: a long line of the rule text is cut around the fault.
"""

from __future__ import annotations

from golpae.diagnostics.codes import is_note
from golpae.diagnostics.diagnostic import Diagnostic, Span
from golpae.diagnostics.hidden import on_one_line

WIDEST = 160  # characters shown from the fault on; before it, a third of that


def render(diagnostic: Diagnostic) -> str:
    """Return a diagnostic as several lines, with no newline at the end."""
    lines: list[str] = []  # none of them has a second line, whatever the names of files and tiles are
    span = diagnostic.span
    kind = "note" if is_note(diagnostic.code) else "error"
    head = f"{kind}[{diagnostic.code}]: {diagnostic.message}"
    if span is None:
        lines.append(on_one_line(head))
    else:
        line, column = span.text.position(span.start)
        lines.append(on_one_line(f"{span.text.name}:{line}:{column}: {head}"))
        lines.extend(_excerpt(span, ""))
    for label in diagnostic.labels:
        line, column = label.span.text.position(label.span.start)
        lines.append(on_one_line(f"{label.span.text.name}:{line}:{column}: {label.words}"))
        lines.extend(_excerpt(label.span, ""))
    if diagnostic.help:
        lines.append(f"  help: {on_one_line(diagnostic.help)}")
    return "\n".join(lines)


def _excerpt(span: Span, words: str) -> list[str]:
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
    caret = " " * len(before) + "^" * width
    return [f"{gutter}{shown}", f"{' ' * (len(gutter) - 2)}| {caret}{' ' + words if words else ''}"]
