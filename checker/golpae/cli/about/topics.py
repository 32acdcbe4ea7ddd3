"""`golpae help TOPIC`: what the pages of the language say about a word, a kind of fault, or a part of the language.

Input: `docs/language.md` and its chapters, which come with golpae; the words of a call.
Output: what the pages say, as lines for a terminal.
Guarantee: nothing is fetched. Every code has an entry, and so has every word of the index (`docs/language/words.md`).

    W003       the section of this code
    scores     a section, by its heading
    brings     of each section that explains this word, the lines and examples that have it
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from textwrap import fill

from golpae.bundled import language_pages
from golpae.diagnostics import near
from golpae.records import dataclass

INDEX = "Every word"
_HOME = re.compile(r"^.*\[All pages\]\([./]*README\.md\)$", re.MULTILINE)  # ends each page
WIDTH = 100
MOST_SHOWN = 12  # lines of an example that is shown whole
_HEADING = re.compile(r"(#+) (.*)")
_ROW = re.compile(r"\| `((?:[^`\\]|\\.)+)` \| (.*) \|")
_LINK = re.compile(r"\[((?:[^\[\]]|\[[^\]]*\])*)\]\([^)]*\)")
_FENCE = 3 * "`"
_GRAMMAR = "→"


@dataclass(frozen=True, slots=True)
class Section:
    """A section of a page: its heading, how deep it lies, and its lines without those of deeper sections."""

    title: str
    depth: int
    lines: tuple[str, ...]


class Pages:
    """The pages of the language, as one text."""

    def __init__(self, text: str) -> None:
        self.sections = tuple(_sections(_HOME.sub("", text).rstrip()))
        rows = [_ROW.fullmatch(line) for line in self._of(INDEX)[0].lines]
        self.words = {row[1]: _LINK.findall(row[2]) for row in rows if row}

    def about(self, topic: str) -> str | None:
        """Return the sections of the pages that a topic names, or the passages that explain it as a word; else None."""
        named = self._of(topic)
        if named:
            return "\n\n".join("\n\n".join((one.title, *_shown(one.lines))) for one in named)
        if topic in self.words:
            return self._word(topic)
        return None

    def near(self, topic: str, verbs: Sequence[str]) -> str | None:
        """Return advice about a topic of which neither golpae nor a page knows anything."""
        return near(topic, [*verbs, *self.words]) or near(
            topic.lower(), [_plain(one.title) for one in self.sections if one.title]
        )

    def explained(self, word: str) -> list[str]:
        """Return the headings of the sections that explain a word."""
        return self.words.get(word, [])

    def _of(self, topic: str) -> list[Section]:
        """Return a section and those within it; none if no heading is like the topic, or the topic has no letters."""
        if not _plain(topic):
            return []
        for at, one in enumerate(self.sections):
            code, _, _ = one.title.partition(":")
            if topic.upper() == code or _plain(topic) == _plain(one.title):
                inside = [one]
                for other in self.sections[at + 1 :]:
                    if other.depth <= one.depth:
                        break
                    inside.append(other)
                return inside
        return []

    def _word(self, word: str) -> str:
        """Return the passages with a word, under the titles of the sections that explain it; a section without any is
        whole.
        """
        token = re.compile(rf"(?<![\w-]){re.escape(word)}(?![\w-])")
        parts = []
        for title in self.words[word]:
            lines = self._of(title)[0].lines
            said = [*_with(lines, token)]
            call = [f"`golpae help {_plain(title)}` shows the whole section"] if said else []
            parts.append("\n\n".join((title, *(said or _shown(lines)), *call)))
        return "\n\n".join(parts)


def pages() -> Pages:
    """Return the pages that come with golpae. Raises OSError if the installation is broken."""
    return Pages("\n".join(language_pages().values()))


# ------------------------------------------------------------------ sections and their blocks


def _sections(text: str) -> Iterator[Section]:
    title, depth, lines, is_code = "", 1, list[str](), False
    for line in text.splitlines():
        is_code ^= line.startswith(_FENCE)
        heading = None if is_code else _HEADING.fullmatch(line)
        if heading is None:
            lines.append(line)
            continue
        yield Section(title, depth, tuple(lines))
        title, depth, lines = heading[2], len(heading[1]), []
    yield Section(title, depth, tuple(lines))


def _plain(title: str) -> str:
    """Return a heading or a topic as they are compared."""
    return re.sub(r"[^\w:]+", " ", title.lower()).strip()


def _blocks(lines: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield the blocks of a section: a paragraph, a point of a list, a row of a table, an example with its marks."""
    block: list[str] = []
    is_code = False
    for line in lines:
        is_mark = line.startswith(_FENCE)
        begins = not is_code and (is_mark or line.startswith(("- ", "| ")))
        if block and (begins or (not is_code and not line)):
            yield tuple(block)
            block = []
        if (line or is_code) and not line.startswith("<!--"):
            block.append(line)
        is_code ^= is_mark
        if is_mark and not is_code:
            yield tuple(block)
            block = []
    if block:
        yield tuple(block)


def _shown(lines: Sequence[str]) -> Iterator[str]:
    """Yield the blocks of a section for a terminal; points of a list, and rows of a table, together."""
    together: list[str] = []
    for block in _blocks(lines):
        if block[0].startswith(("- ", "| ")):
            together += [words for words in [_words(block)] if words]
            continue
        if together:
            yield "\n".join(together)
            together = []
        yield _words(block)
    if together:
        yield "\n".join(together)


def _with(lines: Sequence[str], token: re.Pattern[str]) -> Iterator[str]:
    """Yield the passages that have a word: short examples whole, the lines with it of long ones, prose that quotes it
    as code.
    """
    for block in _blocks(lines):
        if block[0].startswith(_FENCE):
            having = [line for line in block[1:-1] if token.search(line)]
            is_whole = len(block) <= MOST_SHOWN and not any(_GRAMMAR in line for line in block)
            if having:
                yield _code(block[1:-1] if is_whole else having)
        elif any(token.search(words) for words in re.findall(r"`([^`]*)`", " ".join(block))):
            yield _words(block)


def _words(block: Sequence[str]) -> str:
    """Return a block as it stands at a terminal."""
    if block[0].startswith(_FENCE):
        return _code(block[1:-1])
    text = _LINK.sub(r"\1", " ".join(line.strip() for line in block))
    text = re.sub(r"(\*\*|\*)(?=\S)([^*`]+)(?<=\S)\1", r"\2", text)
    if text.startswith("| "):
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", text)[1:-1]]
        if set(cells[0]) <= set("- "):
            return ""
        text = "- " + ": ".join(cell.replace(r"\|", "|") for cell in cells if cell)
    return fill(text, WIDTH, subsequent_indent="  " * text.startswith("- "), break_on_hyphens=False)


def _code(lines: Sequence[str]) -> str:
    return "\n".join(f"    {line}".rstrip() for line in lines)
