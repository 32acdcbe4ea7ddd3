"""Notes on a rule text: what is vacuous in it, merged from all its rule sets.

Input: a `Loaded` text and a `VacuityReport` for each of its rule sets.
Output: `Note` values in reading order.
Guarantee: each note stands once, with the switches that it takes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from golpae.diagnostics import Span, quoted_list
from golpae.elaborate.blocks import clauses_of
from golpae.elaborate.load import Loaded
from golpae.elaborate.resolve import resolve
from golpae.families.region import Cube
from golpae.syntax import tree as t

Key = tuple[str, str]  # `action`, `condition`, `property`, or `clause` that no property depends on; its path


@dataclass(frozen=True, slots=True)
class Where:
    """Rule sets of a game in which something is so: in words, as cubes, and how many of how many that have it."""

    words: str
    cubes: tuple[Cube, ...]
    rule_sets: int
    of: int


@dataclass(frozen=True, slots=True)
class Note:
    """Something vacuous, or (`unknown`) something that the solver could not decide.

    `kind` is that of its key, or `switch`. `where` says for which rule sets, if all of a game were asked about.
    """

    path: str
    message: str
    span: Span | None
    unknown: bool = False
    kind: str = ""
    where: Where | None = None

    def __str__(self) -> str:
        words = f"{'unknown' if self.unknown else 'note'}: {self.message}"
        if self.span is None:
            return words
        line, column = self.span.text.position(self.span.start)
        return f"{self.span.text.name}:{line}:{column}: {words}"


@dataclass(slots=True)
class VacuityReport:
    """What is vacuous in one rule set, each with the reason; and what is unknown, with the reason."""

    vacuous: dict[Key, str] = field(default_factory=dict)
    unknown: dict[Key, str] = field(default_factory=dict)


def merged_notes(loaded: Loaded, reports: Mapping[str, VacuityReport]) -> list[Note]:
    """Return the notes of all rule sets."""
    notes: list[tuple[int, Note]] = []
    keys: dict[Key, None] = {}
    for report in reports.values():
        keys |= dict.fromkeys((*report.vacuous, *report.unknown))
    base = loaded.game.name.text
    order = {name: i for i, name in enumerate(_block_names(loaded))}
    for key in keys:
        kind, path = key
        block = path.partition(".")[0]
        for unknown in (False, True):
            rule_sets: dict[str, list[str]] = {}  # by reason
            for rules, report in reports.items():
                reasons = report.unknown if unknown else report.vacuous
                if key in reasons:
                    rule_sets.setdefault(reasons[key], []).append(rules)
            for reason, those in rule_sets.items():
                message = f"`{path}`: {reason}{_condition(base, those, reports, key)}"
                note = Note(path, message, span_of(loaded, those[0], key), unknown, kind)
                notes.append((order.get(block, len(order)), note))
    return [note for _, note in sorted(notes, key=lambda entry: entry[0])]


def in_reading_order(loaded: Loaded, notes: Sequence[Note]) -> list[Note]:
    """Return notes in the order of the blocks that they are about."""
    order = {name: i for i, name in enumerate(_block_names(loaded))}
    return sorted(notes, key=lambda note: order.get(note.path.partition(".")[0], len(order)))


def _condition(base: str, rules: Sequence[str], reports: Mapping[str, VacuityReport], key: Key) -> str:
    """Return with which switches a note holds, in words; nothing if it holds of all rule sets."""
    if base in rules:
        without = [
            name
            for name, report in reports.items()
            if name not in rules and key not in report.unknown and key not in report.vacuous
        ]
        return f" (but not with {_switches(without)})" if without else ""
    return f" (with {_switches(rules)})"


def _switches(rules: Sequence[str]) -> str:
    return quoted_list(r.split("+", 1)[1] for r in rules)


def _block_names(loaded: Loaded) -> Iterator[str]:
    for decl in loaded.decls:
        if isinstance(decl, t.Action | t.Property | t.Score):
            yield decl.name.text


def span_of(loaded: Loaded, rules: str, key: Key) -> Span | None:
    """Return the span of an action, a property, or a clause of a rule set."""
    kind, path = key
    block, _, clause = path.partition(".")
    for decl in resolve(rules, loaded).decls:
        if kind == "property":
            if isinstance(decl, t.Property) and decl.name.text == path:
                return decl.name.span
        elif isinstance(decl, t.Action | t.Score) and decl.name.text == block:
            places = [c.name for c in clauses_of(decl) if c.name.text == clause]
            unnamed = kind == "clause" and len(places) > 1
            return places[0].span if places and not unnamed else decl.name.span
    return None
