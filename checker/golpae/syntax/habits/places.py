"""Places in a faulty text, and the words around them.

Input: a text and an offset. Output: the words before it, the line that it is in, a fault of given words.
Guarantee: a pattern looks at a bounded number of characters.
"""

from __future__ import annotations

import re

from golpae.diagnostics import Diagnostic, Span, Text

LOOK = 1_000  # characters around a place that are looked at: a pattern can take the square of their number
MOST_QUOTED = 60  # characters of a line that advice repeats
WORD = r"[A-Za-z][\w-]*"


def ending(pattern: str, text: Text, offset: int) -> re.Match[str] | None:
    """Return how the text before a place matches a pattern that ends there, or None."""
    return re.compile(pattern).search(text.content, max(0, offset - LOOK), offset)


def fault(text: Text, start: int, end: int, message: str, advice: str) -> Diagnostic:
    """Return the fault of unexpected words."""
    return Diagnostic("S001", message, Span(text, start, end), advice)


def line_start(text: Text, offset: int) -> int:
    """Return the offset of the first word of the line that has this offset."""
    begin = text.starts[text.position(offset)[0] - 1]
    line = text.content[begin:offset]
    return begin + len(line) - len(line.lstrip())


def line_of(text: Text, offset: int) -> tuple[int, str]:
    """Return the number of the line that has this offset, and its words without indentation and comment."""
    number, _ = text.position(offset)
    words = text.line(number)[:LOOK]
    code = re.match(r'(?:"[^"]*"|[^"#])*', words)
    return number, (words if code is None else code[0]).strip()


def block_of(text: Text, offset: int) -> str:
    """Return the first word of the part of the text that has this offset."""
    parts = re.findall(r"^[A-Za-z]+", text.content[max(0, offset - LOOK) : offset], re.MULTILINE)
    return parts[-1] if parts else ""


def joined_start(characters: str, offset: int) -> int:
    """Return where the line begins that has this offset and may go on over several. `characters` have it joined."""
    begin = characters.rfind("\n", 0, offset) + 1
    line = characters[begin:offset]
    return begin + len(line) - len(line.lstrip())


def shortened(words: str) -> str:
    """Return words on one line, cut if there are many."""
    words = " ".join(words.split())
    return words if len(words) <= MOST_QUOTED else f"{words[: MOST_QUOTED - 3].rstrip()}..."


def is_closed(words: str) -> bool:
    """Return whether each bracket in some words is closed in them."""
    depth = 0
    for char in words:
        depth += (char in "({") - (char in ")}")
        if depth < 0:
            return False
    return depth == 0
