"""Where the traces of a file begin and end, without their rules.

Input: the lines of a file, as `golpae.trace.lines` gives them.
Output: for each trace its first line, its last line and its `id`.
Guarantee: these are the traces that replay finds, in the same order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from golpae.trace import identity, is_header

Line = tuple[int, dict[str, object] | None, str | None]


@dataclass(frozen=True, slots=True)
class Segment:
    """A trace: the numbers of its first and its last line, and the `id` of its header if it has one."""

    first: int
    last: int
    id: str | int | None


def segments(read: Iterable[Line]) -> Iterator[Segment]:
    """Yield the traces of a file.

    A header begins one. So does a line that is no JSON object and has no trace before it, or one that has had its
    `finish`; those that follow it belong to it, up to the next header.
    """
    first = last = 0
    name: str | int | None = None
    finished = False
    for number, line, _ in read:
        begins = is_header(line) if line is not None else finished
        if first and not begins:
            last = number
            finished = finished or (line is not None and line.get("do") == "finish")
            continue
        if first:
            yield Segment(first, last, name)
        first = last = number
        finished = False
        name = identity(line)[0] if line is not None and is_header(line) else None
    if first:
        yield Segment(first, last, name)
