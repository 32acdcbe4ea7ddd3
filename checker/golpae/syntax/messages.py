"""The values in a message: what stands between its braces.

Input: the text of a message. Output: where each value begins and ends.
Guarantee: a value may have braces itself, as in `{size of {a, b}}`.
"""

from __future__ import annotations

from collections.abc import Iterator


def values_in(message: str) -> Iterator[tuple[int, int | None]]:
    """Yield where each value begins, and where it ends; None for the last one if its brace is not closed."""
    start, depth = 0, 0
    for at, char in enumerate(message):
        if char == "{":
            depth += 1
            start = at + 1 if depth == 1 else start
        elif char == "}" and depth:
            depth -= 1
            if not depth:
                yield start, at
    if depth:
        yield start, None
