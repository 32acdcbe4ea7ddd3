"""The one text that a page has open, in a folder of its own.

Input: a rule text as somebody types it. Output: its file, its faults, words that can follow, rules with switches on.
Guarantee: offsets count units of UTF-16, as scripts do. The file is named after the game, so that recorded games find
it by the name in their headers, before a game of the same name that comes with golpae.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from golpae.diagnostics import Diagnostic, Span, SpecError, Text
from golpae.editor.checks import CheckedTexts, all_faults, base_faults
from golpae.editor.completing import Offer, offers
from golpae.editor.telling import hover
from golpae.editor.workspace import Parsed, Workspace
from golpae.elaborate.names import ENDING, NAME
from golpae.library.front import load
from golpae.library.rules import Rules
from golpae.syntax.format import format_text
from golpae.syntax.parse import parse

UNNAMED = "text"  # what a text without a `game` line is called
# Nothing but declarations and notes stands at the left edge.
GAME = re.compile(rf"^game[ \t]+({NAME.pattern})", re.MULTILINE)
ERROR, WARNING = "error", "warning"


@dataclass(frozen=True, slots=True)
class Mark:
    """A fault or a note, and the part of the text that it is about."""

    start: int
    end: int
    severity: str
    code: str
    message: str


class Desk:
    """A folder with one text."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._texts = Workspace()
        self._content: str | None = None
        self._path = folder / (UNNAMED + ENDING)

    def put(self, content: str) -> Path:
        """Take a text in place of the last one, and return its file. Raises OSError."""
        if content == self._content and self._path.is_file():
            return self._path
        self._texts.close(self._path)
        self._path.unlink(missing_ok=True)
        self._path = self._named(content)
        self._path.write_text(content, encoding="utf-8", errors="surrogatepass", newline="")
        self._texts.open(self._path, content)
        self._content = content
        return self._path

    def _named(self, content: str) -> Path:
        """Return the file that a text belongs into."""
        named = GAME.search(content)
        return self.folder / ((named[1] if named else UNNAMED) + ENDING)

    def parsed(self) -> Parsed:
        """Return the tree of the text."""
        parsed = self._texts.parsed(self._path)
        assert parsed is not None
        return parsed

    def rules(self, switches: Sequence[str] = ()) -> Rules:
        """Return the rules of the text with variants and readings on. Raises `RulesError`."""
        return load("+".join((str(self._path), *switches)))

    def marks(self, whole: bool) -> list[Mark]:
        """Return the faults of the base rules; if `whole`, those with each switch, and the notes on the text."""
        parsed = self.parsed()
        if parsed.game is None:
            checked = CheckedTexts(parsed.faults or _faults_of(parsed.text))
        else:
            checked = (all_faults if whole else base_faults)(self._path, self._texts.opened)
            checked = CheckedTexts((*parsed.faults, *checked.faults), checked.notes)
        marks = [_mark(parsed.text, fault, ERROR) for fault in checked.faults]
        marks += [_mark(parsed.text, note, WARNING) for note in checked.notes]
        return [*dict.fromkeys(marks)]

    def offers(self, place: int) -> list[Offer]:
        """Return the words that can stand at a place."""
        parsed = self.parsed()
        return offers(self._texts, self._path, _offset(parsed.text.content, place))

    def hover(self, place: int) -> tuple[int, int, str] | None:
        """Return where the name at a place begins and ends, and its description in Markdown; None without a
        description.
        """
        at_place = self._texts.at(self._path, _offset(self.parsed().text.content, place))
        description = None if at_place is None else hover(self._texts, self._path, at_place[1])
        if at_place is None or description is None:
            return None
        return *_range(at_place[1].span), description

    def formatted(self) -> str | None:
        """Return the text as `golpae format` writes it; None if it has faults."""
        try:
            return format_text(parse(self.parsed().text))
        except (SpecError, RecursionError):
            return None


def _faults_of(text: Text) -> tuple[Diagnostic, ...]:
    """Return the faults of a text that names no game."""
    from golpae.elaborate.load import load_text

    try:
        load_text(text.content)
    except SpecError as fault:
        return fault.diagnostics
    return ()


def _mark(text: Text, diagnostic: Diagnostic, severity: str) -> Mark:
    """Return a diagnostic as a mark. One of an included text stands at the beginning, with the name of that text."""
    lines = [diagnostic.message]
    if diagnostic.help is not None:
        lines.append(f"help: {diagnostic.help}")
    lines += (f"{label.words}: `{label.span.excerpt}`" for label in diagnostic.labels)
    start, end = 0, 0
    if diagnostic.span is not None:
        if diagnostic.span.text.content == text.content:
            start, end = _range(diagnostic.span)
        else:
            line, _ = diagnostic.span.text.position(diagnostic.span.start)
            lines.insert(0, f"{Path(diagnostic.span.text.name).name}, line {line}:")
    return Mark(start, end, severity, diagnostic.code, "\n".join(lines))


def _range(span: Span) -> tuple[int, int]:
    """Return the place of a span; of one without characters, that of the next one."""
    content = span.text.content
    end = max(span.end, min(span.start + 1, len(content)))
    start = _units(content[: span.start])
    return start, start + _units(content[span.start : end])


def _units(content: str) -> int:
    return len(content.encode("utf-16-le", "surrogatepass")) // 2


def _offset(content: str, units: int) -> int:
    """Return the place of a text that lies so many units of UTF-16 from its beginning."""
    if content.isascii():
        return min(units, len(content))
    return len(content.encode("utf-16-le", "surrogatepass")[: 2 * units].decode("utf-16-le", "replace"))
