"""What `golpae lint` finds, as cases of continuous integration: a case for each fault and each note.

Input: faults and notes of rule texts.
Output: cases.
Guarantee: a note that leaves the exit status as it is does not fail.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from golpae.diagnostics import Diagnostic, render
from golpae.diagnostics.codes import CODES, is_note
from golpae.lint.notes import Note
from golpae.report.ci.findings import Case, FilePlace, Finding, Level, Rule, place_of

UNCOUNTED = "W008"  # a note on the compiled path, which is no fault of a text
VACUOUS = Rule(
    "vacuous", "a part that says nothing", "No game can tell whether this part of the text is there."
)
UNKNOWN = Rule("vacuous-unknown", "a part that may say nothing", "The solver could not decide it.")


def cases_of_faults(suite: str, diagnostics: Sequence[Diagnostic]) -> list[Case]:
    """Return a case for each fault or note of a text."""
    return [_case(suite, diagnostic) for diagnostic in diagnostics]


def cases_of_vacuous(suite: str, notes: Sequence[Note]) -> list[Case]:
    """Return a case for each part that is vacuous, or may be."""
    out = []
    for note in notes:
        rule, kind = (UNKNOWN, "unknown") if note.unknown else (VACUOUS, "vacuous")
        place = None if note.span is None else place_of(note.span)
        finding = Finding(rule, "warning", kind, note.message, place, clause=note.path)
        out.append(Case(suite, note.path, finding, str(note)))
    return out


def case_of_words(suite: str, words: str) -> Case:
    """Return a case for a text that cannot be looked at at all."""
    rule = Rule("input", "input that cannot be used")
    return Case(suite, "the text", Finding(rule, "error", "unreadable", words), words)


def _case(suite: str, diagnostic: Diagnostic) -> Case:
    code = CODES[diagnostic.code]
    level: Level = "warning" if is_note(diagnostic.code) else "error"
    fails = diagnostic.code != UNCOUNTED
    finding = Finding(
        Rule(code.code, code.title, code.text),
        level if fails else "note",
        "note" if is_note(diagnostic.code) else "fault",
        diagnostic.message,
        _place(suite, diagnostic),
        tuple((place_of(label.span), label.words) for label in diagnostic.labels),
        details=() if diagnostic.help is None else (f"help: {diagnostic.help}",),
        fails=fails,
    )
    at = "" if diagnostic.span is None or finding.place is None else f" (line {finding.place.line})"
    return Case(suite, f"{diagnostic.code}{at}: {diagnostic.message}", finding, render(diagnostic))


def _place(suite: str, diagnostic: Diagnostic) -> FilePlace | None:
    """Return the place of a fault; of one that a file has as a whole, that file."""
    if diagnostic.span is not None:
        return place_of(diagnostic.span)
    return FilePlace(suite) if os.path.isfile(suite) else None
