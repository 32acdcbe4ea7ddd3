"""Reading the bytes of a stream to where they are wanted, without a copy.

Input: a stream. Output: its function for that, or None if it has none.
Guarantee: what was read before a fault of the system is not lost with the read that fails.
"""

from __future__ import annotations

from collections.abc import Callable

ReadInto = Callable[[memoryview], int | None]
"""Reads at most as many bytes as there is room for, and returns how many; none at the end."""


def reads_into(stream: object) -> ReadInto | None:
    """Return the function that fills a buffer from a stream: by one read, if it can, so that no fault follows bytes."""
    found: ReadInto | None = getattr(stream, "readinto1", getattr(stream, "readinto", None))
    return found
