"""Comments at random places of a text, and the block that each of them stands in.

The blocks are found by indents alone, without golpae's own reading of comments.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from golpae.diagnostics import Text
from golpae.syntax import format as style
from golpae.syntax.layout import lay_out
from tests.syntax.reading import read

NOTE = re.compile(r"# (note \d+)$", re.MULTILINE)
THEN = re.compile(r"then (?=[\w-]+(:(?!=)| +\[|$))")  # before the name of effects, where it may be left out
DEEPEST = 9  # columns from the left edge


@dataclass(frozen=True)
class Sprinkled:
    """A text with numbered comments; `blocks` has the first words of the lines that each stands within."""

    text: str
    blocks: dict[str, tuple[str, ...]]


def check_comments(source: str, many: int, pick: Callable[[int], int]) -> None:
    """Check a text with comments: formatting it keeps them, their order and their blocks, and what the text says."""
    commented = sprinkled(source, many, pick)
    tree = read(commented.text)
    once = style.format_text(tree)
    assert notes(once) == notes(commented.text)
    there = blocks_of(once)
    assert {note: there[note] for note in commented.blocks} == commented.blocks
    assert read(once) == tree
    assert style.format_text(read(once)) == once
    assert [*read(re.sub(r"#.*", "", once)).decls] == [*read(source).decls]


def sprinkled(source: str, many: int, pick: Callable[[int], int]) -> Sprinkled:
    """Return a text without comments with about so many more, at places that `pick` chooses: a number below its own."""
    lines = source.split("\n")
    joined = _joined(source)
    places = sorted((pick(len(lines)), pick(2) == 0, pick(DEEPEST)) for _ in range(many))
    heads = _heads(source, joined)
    out: list[str] = []
    blocks: dict[str, tuple[str, ...]] = {}
    number = 0
    least = DEEPEST  # how far in the comments since the last line stand at least
    for index, line in enumerate(lines):
        for at, behind, column in places:
            if at != index:
                continue
            note = f"note {number}"
            if behind and out and out[-1].strip() and "#" not in out[-1]:
                out[-1] += f"  # {note}"
            else:
                out.append(f"{' ' * column}# {note}")
                if not joined[index]:
                    least = max(min(least, column), _indent(lines[index:]))
                    blocks[note] = _within(heads[:index], least)
            number += 1
        out.append(line)
        least = DEEPEST if line.strip() else least
    return Sprinkled("\n".join(out), blocks)


def blocks_of(text: str) -> dict[str, tuple[str, ...]]:
    """Return the first words of the lines that each comment of a text stands within, and that are its own line's."""
    lines = text.split("\n")
    code = _heads(NOTE.sub("", text), _joined(text))
    return {
        found[1]: _within(code[:index], len(line) - len(line.lstrip()))
        for index, line in enumerate(lines)
        if (found := NOTE.search(line))
    }


def notes(text: str) -> list[str]:
    """Return the comments of a text in order."""
    return [found[1] for line in text.split("\n") if (found := NOTE.search(line))]


def _heads(text: str, joined: list[bool]) -> list[str]:
    """Return the lines of a text, empty if they continue others."""
    lines = text.split("\n")
    return ["" if inner else line.rstrip() for line, inner in zip(lines, joined, strict=True)]


def _indent(lines: list[str]) -> int:
    line = next((line for line in lines if line.strip()), "")
    return len(line) - len(line.lstrip())


def _joined(source: str) -> list[bool]:
    """Return for each line of a text whether it, or the next one with words, continues the line before."""
    breaks = lay_out(Text.of("text", source)).breaks
    out, offset, continues = [], 0, False
    for line in source.split("\n"):
        out.append(continues)
        offset += len(line) + 1
        if line.split("#")[0].strip():
            continues = offset - 1 not in breaks
    return out


def _within(lines: list[str], column: int) -> tuple[str, ...]:
    """Return the first words of the lines above that are further out than a column, outermost first."""
    out: list[str] = []
    for line in reversed(lines):
        indent = len(line) - len(line.lstrip())
        if line.strip() and indent < column:
            out.insert(0, re.split(r"[ :(]", THEN.sub("", line.strip()))[0])
            column = indent
    return tuple(out)
