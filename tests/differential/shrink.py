"""Make a text on which something is wrong as small as it gets.

Input: a text, the kind of the finding. Output: a text with the same kind of finding, and fewer lines.
Guarantee: the text that is returned has no faults; the budget of seconds is kept, but for the last try.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from tests.differential.texts import RuleText

StillWrong = Callable[[RuleText], bool]


def shrunk(text: RuleText, still_wrong: StillWrong, tries: int) -> RuleText:
    """Return the smallest text that is found in so many tries."""
    again = True
    while again:
        again = False
        for smaller in _smaller(text.source):
            if not tries:
                return text
            tries -= 1
            tried = replace(text, source=smaller)
            if not tried.faults() and still_wrong(tried):
                text, again = tried, True
                break
    return text


def _smaller(source: str) -> Iterator[str]:
    """Yield texts with one line less, and what belongs to it; then texts with simpler lines."""
    lines = source.split("\n")
    blocks = []
    for at, line in enumerate(lines):
        if not line.strip() or line.startswith("game "):
            continue
        indent = len(line) - len(line.lstrip())
        end = at + 1
        while end < len(lines) and lines[end].strip() and len(lines[end]) - len(lines[end].lstrip()) > indent:
            end += 1
        blocks.append((at, end))
    for at, end in sorted(blocks, key=lambda block: block[0] - block[1]):
        yield "\n".join([*lines[:at], *lines[end:]])
    for at, line in enumerate(lines):
        for simpler in _simpler(line):
            yield "\n".join([*lines[:at], simpler, *lines[at + 1 :]])


def _simpler(line: str) -> Iterator[str]:
    """Yield simpler forms of a line: a bracket or a side of `and` and `or` instead of the whole."""
    for start, end in _brackets(line):
        inner = line[start + 1 : end - 1]
        before, after = line[:start], line[end:]
        if before and before[-1].isalnum():
            continue
        for word in (" or ", " and ", " implies ", " = ", " + ", " - ", " otherwise "):
            parts = inner.split(word)
            if len(parts) == 2:
                yield from (before + part + after for part in parts)
        chosen = re.match(r"if (.*) then (.*) else (.*)$", inner)
        if chosen:
            yield from (before + part + after for part in chosen.groups())
        yield from (before + plain + after for plain in ("yes", "no", "1", "0", "{}", "players", "tiles"))
    if re.search(r"when [^:]*: ", line):
        yield re.sub(r"when [^:]*: ", "", line, count=1)


def _brackets(line: str) -> Iterator[tuple[int, int]]:
    """Yield the places of brackets, the widest first."""
    found, opened = [], []
    for at, char in enumerate(line):
        if char == "(":
            opened.append(at)
        elif char == ")" and opened:
            found.append((opened.pop(), at + 1))
    yield from sorted(found, key=lambda place: place[0] - place[1])
