"""Lines of the one style: width, margin, comments, rule numbers, messages.

Input: finished lines and what belongs to them. Output: lines. Guarantee: nothing here reads a node of the tree
but rule numbers and comments.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

from golpae.syntax import tree as t

WIDTH = 100
MARGIN = 74  # the column of rule numbers, counted from 0
STEP = "  "
_indented: ContextVar[int] = ContextVar(
    "_indented", default=0
)  # columns that lines will be moved to the right


@contextmanager
def indented(columns: int) -> Iterator[None]:
    """Within this, lines are made so much narrower: they will be indented."""
    before = _indented.set(columns)
    try:
        yield
    finally:
        _indented.reset(before)


def fits(line: str) -> bool:
    """Return whether a line is narrow enough."""
    return len(line) <= WIDTH - _indented.get()


def comments(indent: str, texts: tuple[str, ...]) -> list[str]:
    """Return a comment line for each text."""
    return [f"{indent}# {text}".rstrip() for text in texts]


def annotated(
    lines: list[str],
    indent: str,
    ids: tuple[t.Word, ...] = (),
    remarks: t.Remarks = t.NO_REMARKS,
    inner: Sequence[str] = (),
) -> list[str]:
    """Return the lines with comments above them, and rule numbers and a comment after the last.

    `inner` is the block under these lines, whose last lines are the comments below.
    """
    last = lines[-1]
    if ids:
        last = (
            f"{last:<{max(MARGIN - _indented.get(), len(last) + 2)}}[{' '.join(word.text for word in ids)}]"
        )
    if remarks.behind is not None:
        last = f"{last}  # {remarks.behind}".rstrip()
    above, below = comments(indent, remarks.above), comments(indent + STEP, remarks.below)
    return [*above, *lines[:-1], last, *inner, *below]


def message(text: str | None) -> str:
    """Return a text in quotes with a space before it, or nothing."""
    return "" if text is None else f' "{text}"'


def names(words: tuple[t.Word, ...]) -> str:
    """Return names with commas between them."""
    return ", ".join(word.text for word in words)


def filled(first: str, parts: list[str], indent: str) -> list[str]:
    """Return `first` and the parts after it, as many on each line as fit."""
    lines: list[str] = []
    line = first + parts[0]
    for part in parts[1:]:
        if not fits(f"{line} {part}"):
            lines.append(line)
            line = indent + part
        else:
            line = f"{line} {part}"
    return [*lines, line]
