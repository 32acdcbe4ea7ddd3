"""Snippets of VS Code as somebody has them who changes nothing in them.

Input: the lines of a snippet. Output: its text, each placeholder as it is at first, each choice at its first word.
"""

from __future__ import annotations

import re

FIRST = re.compile(r"\$\{(\d+)\|([^,|]*)[^|]*\|\}|\$\{(\d+):((?:\\.|\$\w+|[^{}$\\]|\{[^{}]*\})*)\}")
AGAIN = re.compile(r"\$\{?(\w+)\}?")


def expanded(lines: list[str], **variables: str) -> str:
    """Return the text of a snippet. `variables` are those of the editor."""
    text = "\n".join(lines)
    values: dict[str, str] = {"0": "", **variables}

    def first(match: re.Match[str]) -> str:
        number = match[1] or match[3]
        values[number] = AGAIN.sub(again, (match[2] or match[4]).replace("\\}", "}"))
        return values[number]

    def again(match: re.Match[str]) -> str:
        return values.get(match[1], "name")

    return AGAIN.sub(again, FIRST.sub(first, text))
