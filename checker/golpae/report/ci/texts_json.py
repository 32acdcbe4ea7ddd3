"""What `golpae lint` finds, as JSON: the format that `docs/lint.schema.json` describes.

Input: faults and notes of rule texts.
Output: data that becomes JSON.
Guarantee: faults and notes of a text come in the order in which people read them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from golpae.diagnostics import Diagnostic, Span
from golpae.diagnostics.codes import is_note
from golpae.lint.notes import Note
from golpae.schemas import schema_of


class At(msgspec.Struct, frozen=True):
    """A place in a text, counted from 1."""

    file: str
    line: int
    column: int


class Said(msgspec.Struct, frozen=True):
    """A fault (`is_note` is false), or a note that needs no solver. `code` is that of the page on mistakes."""

    code: str
    is_note: bool
    message: str
    help: str | None
    place: At | None


class Setting(msgspec.Struct, frozen=True):
    """All rule sets with the switches `on` and without the switches `off`; the other switches are as they may be."""

    on: list[str]
    off: list[str]


class RuleSets(msgspec.Struct, frozen=True):
    """Rule sets in which something is so: in words, and as settings that do not overlap; how many of how many that have
    the clause.
    """

    words: str
    settings: list[Setting]
    rule_sets: int
    of: int


class Vacuous(msgspec.Struct, frozen=True):
    """Something vacuous, or (`unknown`) something that the solver could not decide.

    `kind` is `action`, `condition`, `property`, `clause` (that no property depends on) or `switch` (that changes
    nothing). `where` is there if all rule sets of a game were asked about.
    """

    path: str
    kind: str
    message: str
    unknown: bool
    place: At | None
    where: RuleSets | None


class Text(msgspec.Struct, frozen=True):
    """What was found in a text. `summary` is there if nothing was, `unreadable` if it could not be looked at."""

    text: str
    said: list[Said]
    vacuous: list[Vacuous]
    summary: str | None
    unreadable: str | None


class LintDocument(msgspec.Struct, frozen=True):
    """All texts of a call, and its exit status."""

    format: int
    golpae: str
    status: int
    texts: list[Text]


def schema() -> dict[str, Any]:
    """Return the JSON schema of the format."""
    return schema_of(LintDocument)


def said_of(diagnostic: Diagnostic) -> Said:
    """Return a fault or a note as data."""
    return Said(
        diagnostic.code,
        is_note(diagnostic.code),
        diagnostic.message,
        diagnostic.help,
        _place(diagnostic.span),
    )


def vacuous_of(note: Note, switches: Sequence[str]) -> Vacuous:
    """Return something vacuous as data. `switches` are those of the game, by the numbers that cubes have."""
    where = None
    if note.where is not None:
        settings = [
            Setting(
                [n for i, n in enumerate(switches) if fixed & on & 1 << i],
                [n for i, n in enumerate(switches) if fixed & ~on & 1 << i],
            )
            for fixed, on in note.where.cubes
        ]
        where = RuleSets(note.where.words, settings, note.where.rule_sets, note.where.of)
    return Vacuous(note.path, note.kind, note.message, note.unknown, _place(note.span), where)


def _place(span: Span | None) -> At | None:
    return None if span is None else At(span.text.name, *span.text.position(span.start))
