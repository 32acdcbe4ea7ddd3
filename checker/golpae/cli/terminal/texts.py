"""What `golpae lint` prints about rule texts: words for people, or one document for continuous integration.

Input: faults and notes, text by text.
Output: lines as they come, or a document when all are known.
Guarantee: a complaint about the call goes to standard error in any format.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from golpae.cli.inputs import complain_of, more_about
from golpae.cli.terminal.streams import paint_of
from golpae.diagnostics import Diagnostic, SpecError, render
from golpae.lint.notes import Note
from golpae.report.ci.findings import Case, run_of
from golpae.report.ci.forms import FORMS, Form
from golpae.trace import InputFault

if TYPE_CHECKING:
    from golpae.report.ci.texts_json import Text


class TextWords:
    """Prints for people. Before the words that end a text stands which help explains its faults and notes; each code
    is named once in a call.
    """

    def __init__(self) -> None:
        self._unexplained: list[Diagnostic] = []
        self._explained: set[str] = set()

    def faults(self, text: str, fault: SpecError) -> None:
        """Print the faults of a text, which were all about it."""
        self.notes(text, fault.diagnostics)
        self._explain()

    def notes(self, text: str, notes: Sequence[Diagnostic]) -> None:
        """Print notes on a text."""
        self._unexplained += notes
        sys.stdout.write("".join(f"{render(note, paint_of(sys.stdout))}\n" for note in notes))

    def vacuous(self, text: str, notes: Sequence[Note], switches: Sequence[str] = ()) -> None:
        """Print what is vacuous in a text; `switches` are those of the game, if all rule sets were asked about."""
        self._explain()
        sys.stdout.write("".join(f"{note}\n" for note in notes))

    def all_said(self, text: str, words: str) -> None:
        """Print that this was all about a text."""
        self._explain()
        sys.stdout.write(f"{text}: {words}\n")

    def unreadable(self, text: str, fault: InputFault) -> None:
        """Print why a word of the call names no text."""
        complain_of(fault)

    def finish(self, status: int) -> int:
        """End the output of a call that has an exit status. Return the status."""
        self._explain()
        return status

    def _explain(self) -> None:
        """Print where more stands about what is printed already, unless that was said before."""
        new = [one for one in self._unexplained if one.code not in self._explained]
        sys.stdout.write(more_about(new))
        self._explained.update(one.code for one in new if one.span is not None)
        self._unexplained.clear()


class TextCases(TextWords):
    """Collects for continuous integration."""

    def __init__(self, form: Form) -> None:
        self._form = form
        self._cases: list[Case] = []

    def faults(self, text: str, fault: SpecError) -> None:
        from golpae.report.ci.texts import cases_of_faults

        self._cases += cases_of_faults(text, fault.diagnostics)

    def notes(self, text: str, notes: Sequence[Diagnostic]) -> None:
        from golpae.report.ci.texts import cases_of_faults

        self._cases += cases_of_faults(text, notes)

    def vacuous(self, text: str, notes: Sequence[Note], switches: Sequence[str] = ()) -> None:
        from golpae.report.ci.texts import cases_of_vacuous

        self._cases += cases_of_vacuous(text, notes)

    def all_said(self, text: str, words: str) -> None:
        if not any(case.suite == text and case.fails for case in self._cases):
            self._cases.append(Case(text, "the text", told=words))

    def unreadable(self, text: str, fault: InputFault) -> None:
        from golpae.report.ci.texts import case_of_words

        complain_of(fault)
        self._cases.append(case_of_words(text, fault.message))

    def finish(self, status: int) -> int:
        from golpae.cli.terminal.ci import put_run

        texts = {case.suite for case in self._cases}
        bad = sum(case.fails for case in self._cases)
        summary = "no faults" if not bad else f"{bad:,} fault{'s' * (bad != 1)} or notes"
        words = f"{len(texts):,} text{'s' * (len(texts) != 1)}: {summary}"
        return put_run(run_of("lint", self._cases, status, words), self._form)


class TextJson(TextWords):
    """Collects for programs."""

    def __init__(self) -> None:
        self._texts: dict[str, Text] = {}

    def faults(self, text: str, fault: SpecError) -> None:
        self.notes(text, fault.diagnostics)

    def notes(self, text: str, notes: Sequence[Diagnostic]) -> None:
        from golpae.report.ci.texts_json import said_of

        self._text(text).said.extend(map(said_of, notes))

    def vacuous(self, text: str, notes: Sequence[Note], switches: Sequence[str] = ()) -> None:
        from golpae.report.ci.texts_json import vacuous_of

        self._text(text).vacuous.extend(vacuous_of(note, switches) for note in notes)

    def all_said(self, text: str, words: str) -> None:
        self._text(text, summary=words)

    def unreadable(self, text: str, fault: InputFault) -> None:
        complain_of(fault)
        self._text(text, unreadable=fault.message)

    def finish(self, status: int) -> int:
        from msgspec import json

        from golpae import __version__
        from golpae.report.ci.texts_json import LintDocument

        document = LintDocument(1, __version__, status, [*self._texts.values()])
        sys.stdout.write(json.format(json.encode(document)).decode() + "\n")
        return status

    def _text(self, text: str, **facts: str) -> Text:
        """Add facts to those collected about a text, and return all of them."""
        from msgspec.structs import replace

        from golpae.report.ci.texts_json import Text

        known = self._texts.setdefault(text, Text(text, [], [], None, None))
        self._texts[text] = replace(known, **facts)
        return self._texts[text]


def text_output(form: str) -> TextWords:
    """Return the output for a format."""
    if form == "json":
        return TextJson()
    return next((TextCases(one) for one in FORMS if one == form), None) or TextWords()
