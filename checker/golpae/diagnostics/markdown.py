"""Markdown: headings, tables, code and text that shows as it is. All pages of all verbs are made with these functions.

Input: text of rules, traces and people.
Output: Markdown.
Guarantee: text is escaped or fenced; it calls nobody and links nowhere.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from golpae.diagnostics.hidden import on_one_line

SPECIAL = "\\`*_[]<>|&~$"
# Of what calls a person, of addresses and of numbers of issues, sites make links although no mark of Markdown does.
CALLING = re.compile(r"@|:(?=//)|www(?=\.)|#(?=\d)|\bGH-(?=\d)", re.IGNORECASE)
IN_CELL = re.compile(r"\\.|\|", re.DOTALL)


def grid(head: Sequence[str], rows: Sequence[Sequence[str]], numbers: Collection[int] = ()) -> Iterator[str]:
    """Yield the lines of a table of escaped text and code. Columns of numbers stand to the right."""
    yield f"| {' | '.join(head)} |"
    yield f"|{''.join(' ---: |' if at in numbers else ' --- |' for at in range(len(head)))}"
    for row in rows:
        yield f"| {' | '.join(map(_cell, row))} |"


def _cell(text: str) -> str:
    """Return text that does not end its cell: a `|` does, even within code."""
    return IN_CELL.sub(lambda result: "\\|" if result[0] == "|" else result[0], text)


def fenced(language: str, lines: Sequence[str]) -> Iterator[str]:
    """Yield a block of code, with a longer fence if the code has backticks."""
    fence = "```"
    while any(fence in line for line in lines):
        fence += "`"
    yield fence + language
    yield from lines
    yield fence


def code(text: str) -> str:
    """Return code within a line, with more backticks if the code has some."""
    text = on_one_line(text)
    ticks = "`"
    while ticks in text:
        ticks += "`"
    return f"{ticks}{text}{ticks}" if len(ticks) == 1 else f"{ticks} {text} {ticks}"


def escaped(text: str) -> str:
    """Return text that Markdown shows unchanged, and of which no site makes links."""
    shown = "".join(f"\\{c}" if c in SPECIAL else c for c in on_one_line(text))
    return CALLING.sub(r"\g<0><!-- -->", shown)
