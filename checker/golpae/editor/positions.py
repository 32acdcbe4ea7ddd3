"""Places of a text as the Language Server Protocol counts them: lines from 0, and units of UTF-16 from 0.

Input: a text, and offsets or positions. Output: the other.
Guarantee: a position beyond a line is its end, one beyond a text the end of that.
"""

from __future__ import annotations

from lsprotocol import types as lsp

from golpae.diagnostics import Span, Text


def position(text: Text, offset: int) -> lsp.Position:
    """Return the position of an offset."""
    line, column = text.position(min(offset, len(text.content)))
    before = text.content[text.starts[line - 1] :][: column - 1]
    return lsp.Position(line - 1, _units(before))


def range_of(span: Span) -> lsp.Range:
    """Return the range of a span; of one without characters, that of the next one."""
    end = max(span.end, min(span.start + 1, len(span.text.content)))
    return lsp.Range(position(span.text, span.start), position(span.text, end))


def offset(text: Text, place: lsp.Position) -> int:
    """Return the offset of a position."""
    if place.line >= len(text.starts):
        return len(text.content)
    units, start = 0, text.starts[place.line]
    line = text.line(place.line + 1)
    for at, char in enumerate(line):
        if units >= place.character:
            return start + at
        units += _units(char)
    return start + len(line)


def _units(content: str) -> int:
    return len(content.encode("utf-16-le", "surrogatepass")) // 2


def whole(text: Text) -> lsp.Range:
    """Return the range of all of a text."""
    return lsp.Range(lsp.Position(0, 0), position(text, len(text.content)))
