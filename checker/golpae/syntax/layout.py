"""Group the lines of a text: line joining, blocks and comments.

Input: the characters of a rule text. Output: the same number of characters, with comments and joined line ends
blanked, and the blocks that each remaining line end closes and opens. Guarantee: offsets stay those of the text.

A line with a `:` outside brackets and quotes, or with `where x is`, goes on in the deeper lines under it. A line
without one, or one that ends with its only `:`, opens a block: the deeper lines under it are lines of their own:

    action draw(tile) by p
      left: reserve is not empty
        "the reserve is empty"

After: `action draw(tile) by p` NL INDENT `left: reserve is not empty "the reserve is empty"` NL DEDENT
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from golpae.diagnostics import Diagnostic, Span, SpecError, Text
from golpae.syntax.comments import Comment, JoinedLine, PlacedComment, placed

NAMED = re.compile(r"[ \t]*where\s+[A-Za-z][\w-]*\s+is\b")  # the beginning of a line that names a value
OPENING = {"(": ")", "{": "}"}


@dataclass(frozen=True, slots=True)
class Layout:
    """Text ready for the parser. `breaks` maps the offset of a line end to (closed blocks, opened blocks)."""

    characters: str
    breaks: dict[int, tuple[int, int]]
    comments: tuple[PlacedComment, ...]


@dataclass(slots=True)
class _Line:
    start: int
    end: int  # offset of the line end
    indent: int
    colons: int  # at depth 0
    ends_with_colon: bool
    depth_after: int


def lay_out(text: Text) -> Layout:
    """Return the text with its lines grouped.

    Raises `SpecError` for tabs, brackets or quotes that do not close, and bad indents.
    """
    out = list(text.content)
    comments: list[Comment] = []
    lines = list(_scan(text, out, comments))
    breaks: dict[int, tuple[int, int]] = {}
    joined: list[JoinedLine] = []
    indents = [0]
    latest = [0]  # for each of `indents`, the offset of its last line
    previous: _Line | None = None
    joined_colons = 0
    ends_with_colon = False
    for line in lines:
        if previous is None:
            if line.indent:
                advice = "start it at the left edge"
                raise _refused(text, "S003", "the first line is indented", line.start, advice)
        else:
            deeper = line.indent > indents[-1]
            opens = joined_colons == 0 or (joined_colons == 1 and ends_with_colon)
            if previous.depth_after > 0 or (deeper and not opens):
                out[previous.end] = " "
                joined_colons += line.colons
                ends_with_colon = line.ends_with_colon
                previous = line
                joined[-1] = JoinedLine(joined[-1].start, line.end, joined[-1].indent)
                continue
            if deeper:
                breaks[previous.end] = (0, 1)
                indents.append(line.indent)
                latest.append(line.start)
            else:
                closed, beside = 0, line.start
                while indents[-1] > line.indent:
                    indents.pop()
                    beside = latest.pop()
                    closed += 1
                if indents[-1] != line.indent:
                    number, column = text.position(beside)
                    message = f"this line and line {number} are indented differently"
                    advice = f"let both start at the same column; line {number} starts at column {column}"
                    raise _refused(text, "S003", message, line.start, advice)
                breaks[previous.end] = (closed, 0)
                latest[-1] = line.start
        joined.append(JoinedLine(line.start, line.end, line.indent))
        previous = line
        joined_colons = line.colons
        ends_with_colon = line.ends_with_colon
    if previous is not None:
        breaks[previous.end] = (len(indents) - 1, 0)
    characters = "".join(out)
    if previous is not None and previous.end == len(text.content):
        characters += "\n"
    return Layout(characters, breaks, placed(comments, joined))


def _refused(
    text: Text, code: str, message: str, start: int, advice: str, end: int | None = None
) -> SpecError:
    """Return the fault of the characters from `start` to `end`, of one character if `end` is None."""
    span = Span(text, start, start + 1 if end is None else end)
    return SpecError([Diagnostic(code, message, span, advice)])


def _scan(text: Text, out: list[str], comments: list[Comment]) -> Iterator[_Line]:
    """Yield the lines that have words. Blank comments, blank lines and their line ends in `out`."""
    content = text.content
    offset, size = 0, len(content)
    open_at: list[int] = []
    while offset < size:
        line_start = offset
        end = content.find("\n", offset)
        end = size if end < 0 else end
        first: int | None = None
        # a name for a value goes on in deeper lines, as a line with a `:` does
        colons, last = int(NAMED.match(content, line_start) is not None), ""
        index = offset
        while index < end:
            char = content[index]
            if char == "#":
                words = content[index + 1 : end].strip()
                comments.append(Comment(words, index, index - line_start, first is not None))
                out[index:end] = " " * (end - index)
                break
            if char == '"':
                close = _closing_quote(text, index, end)
                first = index if first is None else first
                index, last = close, char
            elif char == "\t" and first is None:
                raise _refused(text, "S003", "this line is indented with a tab", index, "use spaces")
            elif not char.isspace():
                first = index if first is None else first
                last = char
                if char in OPENING:
                    open_at.append(index)
                elif char in OPENING.values():
                    _require_open(text, open_at, index)
                    open_at.pop()
                elif char == ":" and not open_at and content[index + 1 : index + 2] != "=":
                    colons += 1
            index += 1
        if first is None:
            if end < size:
                out[end] = " "
        else:
            yield _Line(first, end, first - line_start, colons, last == ":", len(open_at))
        offset = end + 1
    if open_at:
        bracket = content[open_at[-1]]
        advice = f"close it with `{OPENING[bracket]}`"
        raise _refused(text, "S004", f"this `{bracket}` is not closed", open_at[-1], advice)


def _closing_quote(text: Text, index: int, end: int) -> int:
    """Return where the text in quotes ends that begins here. Raises `SpecError`."""
    close = text.content.find('"', index + 1, end)
    if close < 0:
        advice = 'end it with `"` on this line'
        raise _refused(text, "S002", "this text has no closing quote", index, advice, end)
    return close


def _require_open(text: Text, open_at: list[int], index: int) -> None:
    """Refuse a closing bracket unless the last open one is of its kind."""
    char = text.content[index]
    if not open_at or OPENING[text.content[open_at[-1]]] != char:
        advice = "delete it, or add the bracket that opens it"
        raise _refused(text, "S004", f"this `{char}` closes nothing", index, advice)
