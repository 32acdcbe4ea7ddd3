"""Comments: the line of the text that each belongs to, and where beside this line.

Input: comments as they stand in a text, and its joined lines. Output: the same comments with their lines.
Guarantee: printed at their places, comments come in the order of the text, each in the block whose lines are
indented like it, whatever comes after it.

    action pass by p
      then nobody wins
      # then p wins           below `action`: it is indented like the lines of this block
    # what ends a hand        above `end`
    end
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

Place = Literal["above", "behind", "below"]


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment: its words without the `#`, its offset, its indent, and whether words of the line come before it."""

    words: str
    start: int
    indent: int
    trailing: bool


@dataclass(frozen=True, slots=True)
class JoinedLine:
    """A line with those that continue it: the offsets of its first word and of its end, and its indent."""

    start: int
    end: int
    indent: int


@dataclass(frozen=True, slots=True)
class PlacedComment:
    """The words of a comment, the offset of the joined line that it belongs to, and its place there.

    `line` is None after the last line. Comments `below` a line come after all lines of its block.
    """

    words: str
    line: int | None
    place: Place


def placed(comments: Sequence[Comment], lines: Sequence[JoinedLine]) -> tuple[PlacedComment, ...]:
    """Return the comments, in order, each with the line that it belongs to."""
    starts = [line.start for line in lines]
    by_line: dict[int, list[Comment]] = {}
    for comment in comments:
        by_line.setdefault(bisect_right(starts, comment.start) - 1, []).append(comment)
    out: list[PlacedComment] = []
    for index, mine in sorted(by_line.items()):
        end = lines[index].end if index >= 0 else 0
        inside = [comment for comment in mine if comment.start < end]
        out += _inside(inside, lines[index].start) if inside else ()
        out += _between(mine[len(inside) :], lines, index)
    return tuple(out)


def _inside(comments: Sequence[Comment], line: int) -> Iterator[PlacedComment]:
    """Yield the comments within a joined line: the last one stays behind words, the others go above in order."""
    for number, comment in enumerate(comments, 1):
        behind = number == len(comments) and comment.trailing
        yield PlacedComment(comment.words, line, "behind" if behind else "above")


def _between(comments: Sequence[Comment], lines: Sequence[JoinedLine], index: int) -> Iterator[PlacedComment]:
    """Yield the comments between a line and the next one.

    One belongs to a block that is still open if it is further in than the next line. A later one belongs to no
    block further in than an earlier one.
    """
    following = lines[index + 1] if index + 1 < len(lines) else None
    least = 0 if following is None else following.indent
    still_open = _open_blocks(lines, index, least)
    for comment in comments:
        while still_open and lines[still_open[-1]].indent >= comment.indent:
            still_open.pop()
        if comment.indent <= least:
            still_open.clear()
        if still_open:
            yield PlacedComment(comment.words, lines[still_open[-1]].start, "below")
        else:
            yield PlacedComment(comment.words, None if following is None else following.start, "above")


def _open_blocks(lines: Sequence[JoinedLine], index: int, least: int) -> list[int]:
    """Return a line and the lines whose blocks it is in, outermost first, from an indent of `least` on."""
    out: list[int] = []
    bound: int | None = None
    while index >= 0 and (bound is None or bound > least):
        if bound is None or lines[index].indent < bound:
            bound = lines[index].indent
            if bound >= least:
                out.append(index)
        index -= 1
    return out[::-1]
