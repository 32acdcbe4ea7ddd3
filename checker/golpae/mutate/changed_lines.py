"""The lines of a text that a mutant changes.

Input: a text, one of its mutants, and where the changed clause begins. Output: the lines before and after the change,
in the one style, and the number of the first of them in the file.
Guarantee: only lines that differ, without those around them.

    draw.left: stack is not empty -> stack is empty
    57   left: stack is not empty "the stack is empty"
         left: stack is empty "the stack is empty"
"""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher

from golpae.diagnostics import Span
from golpae.elaborate.load import Loaded
from golpae.mutate.mutants import Mutant
from golpae.syntax import format as formatting
from golpae.syntax import tree as t


@dataclass(frozen=True, slots=True)
class ChangedLines:
    """`before` or `after` is empty if lines are only added or dropped. `line` is where they are, or their clause."""

    line: int
    before: tuple[str, ...]
    after: tuple[str, ...]


def changed_lines(mutant: Mutant, loaded: Loaded, span: Span) -> ChangedLines:
    """Return the lines that a mutant changes; `span` is that of its place."""
    old, new = _lines(loaded, mutant.loaded), _lines(mutant.loaded, loaded)
    before: list[str] = []
    after: list[str] = []
    for kind, low, high, first, last in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind != "equal":
            before += old[low:high]
            after += new[first:last]
    begin, _ = span.text.position(span.start)
    return ChangedLines(_line(span, begin, before), tuple(before), tuple(after))


def _lines(loaded: Loaded, other: Loaded) -> list[str]:
    """Return the lines of the declarations that another text has otherwise or not at all."""
    theirs = {id(decl) for decl in other.decls}
    return [line for decl in loaded.decls if id(decl) not in theirs for line in _of_decl(decl)]


def _of_decl(decl: t.Decl) -> list[str]:
    return [" ".join(line.split()) for line in formatting.format_decl(decl).splitlines() if line.strip()]


def _line(span: Span, begin: int, before: list[str]) -> int:
    """Return the line of the file that has the first changed one, or that of the clause."""
    end, _ = span.text.position(span.end)
    for number in range(begin, end + 1):
        if before and " ".join(span.text.line(number).split()) == before[0]:
            return number
    return begin
