"""Diagnostics as text for people: place, words, a caret under them, advice."""

from __future__ import annotations

from golpae.diagnostics.diagnostic import Diagnostic, Span

WIDEST = 160  # characters shown of what stands behind the place at hand, and a third of that before it


def render(diagnostic: Diagnostic) -> str:
    """One diagnostic over several lines, with no newline at its end."""
    lines: list[str] = []
    span = diagnostic.span
    head = f"error[{diagnostic.code}]: {diagnostic.message}"
    if span is None:
        lines.append(head)
    else:
        line, column = span.text.place(span.start)
        lines.append(f"{span.text.name}:{line}:{column}: {head}")
        lines.extend(_excerpt(span, ""))
    for label in diagnostic.labels:
        line, column = label.span.text.place(label.span.start)
        lines.append(f"{label.span.text.name}:{line}:{column}: {label.words}")
        lines.extend(_excerpt(label.span, ""))
    if diagnostic.help:
        lines.append(f"  help: {diagnostic.help}")
    return "\n".join(lines)


def _excerpt(span: Span, words: str) -> list[str]:
    number, column = span.text.place(span.start)
    source = span.text.line(number)
    width = max(1, min(span.end - span.start, len(source) - column + 1))
    gutter = f"{number:>5} | "
    before, after = source[: column - 1], source[column - 1 :]
    if len(source) > WIDEST:
        width = min(width, WIDEST)
        before = before if len(before) <= WIDEST // 3 else f"... {before[-WIDEST // 3 :]}"
        after = after if len(after) <= WIDEST else f"{after[:WIDEST]} ..."
    shown = "".join(c if c.isprintable() else " " for c in before + after)
    caret = " " * len(before) + "^" * width
    return [f"{gutter}{shown}", f"{' ' * (len(gutter) - 2)}| {caret}{' ' + words if words else ''}"]
