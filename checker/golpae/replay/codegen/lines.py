"""Lines of Python source, with their depth.

Input: lines, one at a time. Output: the text. Guarantee: every line is indented by four spaces for each depth.
"""

from __future__ import annotations


class Lines:
    """Collects the lines of a module."""

    def __init__(self) -> None:
        self._lines: list[str] = []

    def put(self, depth: int, line: str) -> None:
        """Add a line."""
        self._lines.append("    " * depth + line)

    def text(self) -> str:
        """Return all lines."""
        return "\n".join(self._lines) + "\n"
