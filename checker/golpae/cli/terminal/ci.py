"""Results in the formats of continuous integration, for the verbs that have them.

Input: what a verb found, or reports on traces as they come.
Output: one document on standard output, when everything is known.
Guarantee: the exit status is that of the verb, or 2 if the document cannot be written whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TypeGuard

from golpae import exit_codes
from golpae.cli.inputs import complain_of, unwritable
from golpae.cli.rule_sets import RulesToPlay
from golpae.cli.terminal.output import Printer, counted
from golpae.replay.report import Report
from golpae.report.ci.document import SUMMARY, put
from golpae.report.ci.findings import Run, run_of
from golpae.report.ci.forms import FORMS, Form
from golpae.report.ci.places import TextPlaces
from golpae.report.ci.traces import TraceCases
from golpae.trace import Source, Verdict


def is_ci_form(form: str) -> TypeGuard[Form]:
    """Return whether a format is one of continuous integration."""
    return form in FORMS


def put_run(run: Run, form: Form) -> int:
    """Print a run, and return the exit status of the call."""
    try:
        put(run, form)
    except OSError as fault:
        if fault.filename is None:  # standard output, which `main` knows about
            raise
        complain_of(unwritable(f"{SUMMARY}={fault.filename}", fault).fault)
        return exit_codes.worst(run.status, exit_codes.WRONG_INPUT)
    return run.status


def refused(verb: str, form: str) -> int:
    """Return the status of a call whose input is wrong; a document that is asked for says so, and refers to
    standard error.
    """
    if not is_ci_form(form):
        return exit_codes.WRONG_INPUT
    return put_run(run_of(verb, (), exit_codes.WRONG_INPUT, "the input is wrong"), form)


class Collected(Printer):
    """Reports on traces, printed as one document when all are known."""

    def __init__(self, form: Form, rules: RulesToPlay, complete: bool) -> None:
        self._form = form
        self._traces = TraceCases(rules.load, TextPlaces(rules.places), complete)
        self._words = ""

    def report(self, report: Report, remark: str | None, surprise: bool = False) -> None:
        self._traces.add(report, remark, surprise)

    def legal(self, file: str, games: int) -> None:
        self._traces.legal(file, games)

    def empty(self, source: Source) -> None:
        super().empty(source)
        self._traces.empty(source.name)

    def fault(self, file: str, words: str, line: int | None = None, surprise: bool = False) -> None:
        super().fault(file, words, line, surprise)
        self._traces.about_file(file, words, line, surprise)

    def summary(
        self, counts: Counter[Verdict], compared: str | None, complete: bool, remarks: Sequence[str] = ()
    ) -> None:
        self._words = counted(counts, compared, complete)

    def finish(self, status: int) -> int:
        run = run_of("check", self._traces.cases, status, self._words or "no traces")
        return put_run(run, self._form)
