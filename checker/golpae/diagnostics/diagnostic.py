"""Places in a text, and the faults there.

Input: offsets into a rule text. Output: `Diagnostic` values, which a renderer prints. Guarantee: a fault of the
user's is a `Diagnostic`; passes collect them, or raise `SpecError` if they cannot go on.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import field

from golpae.records import dataclass

LONG = 60  # characters of a text that a message repeats


@dataclass(frozen=True, slots=True)
class Text:
    """A rule text and the name under which it is reported."""

    name: str
    content: str
    starts: tuple[int, ...] = field(default=(), compare=False, repr=False)

    @staticmethod
    def of(name: str, content: str) -> Text:
        starts = [0]
        starts.extend(i + 1 for i, char in enumerate(content) if char == "\n")
        return Text(name, content, tuple(starts))

    def position(self, offset: int) -> tuple[int, int]:
        """Return the line and column of an offset, both from 1."""
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1

    def line(self, number: int) -> str:
        """Return the line with this number, without its newline."""
        start = self.starts[number - 1]
        end = self.starts[number] - 1 if number < len(self.starts) else len(self.content)
        return self.content[start:end].rstrip("\r")


@dataclass(frozen=True, slots=True)
class Span:
    """Characters `start` up to, not including, `end` of a text."""

    text: Text
    start: int
    end: int

    @property
    def words(self) -> str:
        """Return the words under the span."""
        return self.text.content[self.start : self.end]

    @property
    def excerpt(self) -> str:
        """Return the words for a message: on one line, without comments, shortened if they are long."""
        words = " ".join(re.sub(r"#[^\n]*", "", self.words).split())
        return words if len(words) <= LONG else f"{words[: LONG - 4].rstrip()} ..."

    def to(self, other: Span) -> Span:
        return Span(self.text, self.start, max(self.end, other.end))


@dataclass(frozen=True, slots=True)
class Label:
    """A second place that a diagnostic points to, with a few words on why."""

    span: Span
    words: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One fault of a rule text: what is wrong, where, and what to do about it."""

    code: str
    message: str
    span: Span | None
    help: str | None = None
    labels: tuple[Label, ...] = ()


class SpecError(Exception):
    """A rule text has faults: `diagnostics`."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("; ".join(d.message for d in self.diagnostics))

    def __reduce__(self) -> tuple[type[SpecError], tuple[tuple[Diagnostic, ...]]]:
        return type(self), (self.diagnostics,)  # a worker sends it to its parent


def quoted_list(words: Iterable[str]) -> str:
    """Return words as a message lists them: each in backticks, or `none` if there are none."""
    return ", ".join(f"`{word}`" for word in words) or "none"


MOST_COMPARED = 500  # words


def near(word: str, words: Iterable[str], ending: str = "") -> str | None:
    """Return advice that names the one of `words` nearest to `word`, with this ending, or None if none is near.

    A word that differs only in small and capital letters is the nearest.
    """
    from difflib import get_close_matches

    known = sorted(set(words))
    nearest = [other for other in known if other.lower() == word.lower()]
    if len(known) > MOST_COMPARED:  # words that begin alike, for a comparison is slow
        known = [other for other in known if other[:1] == word[:1] and abs(len(other) - len(word)) < 3]
    nearest = nearest or get_close_matches(word, known[:MOST_COMPARED], n=1, cutoff=0.65)
    return f"did you mean `{nearest[0]}{ending}`?" if nearest else None
