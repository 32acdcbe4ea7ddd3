"""Render a run as commands of GitHub's workflows, which mark the lines of a change.

Input: a `Run`.
Output: lines for the log of a job.
Guarantee: each command is one line, and text of rules and traces cannot end it or start another.
"""

from __future__ import annotations

from collections import Counter

from golpae.diagnostics.hidden import hidden
from golpae.report.ci.findings import Finding, Level, Run
from golpae.report.ci.places import in_repository

COMMANDS: dict[Level, str] = {"error": "error", "warning": "warning", "note": "notice"}
MOST = 50  # of each kind; GitHub itself shows fewer


def github(run: Run) -> list[str]:
    """Return the commands, those that fail first, and the result in one sentence."""
    lines: list[str] = []
    counter: Counter[Level] = Counter()
    for finding in sorted(run.findings, key=lambda finding: not finding.fails):
        counter[finding.level] += 1
        if counter[finding.level] <= MOST:
            lines.append(_command(finding))
    for level, count in counter.items():
        if count > MOST:
            lines.append(f"and {count - MOST:,} more of the kind {COMMANDS[level]}")
    return [*lines, _line(f"golpae {run.verb}: {run.words}")]


def _command(finding: Finding) -> str:
    values: dict[str, str] = {}
    inside = None if finding.place is None else in_repository(finding.place.file)
    if finding.place is not None and inside is not None:
        values |= {"file": inside, "line": str(finding.place.line)}
        if finding.place.column is not None:
            values["col"] = str(finding.place.column)
            if finding.place.end is not None:
                values["endColumn"] = str(finding.place.end)
    values["title"] = f"{finding.kind}: {finding.clause or finding.rule.id}"
    given = ",".join(f"{name}={_property(value)}" for name, value in values.items())
    lines = [finding.message, *finding.details]
    lines += [f"{place.file}:{place.line}: {words}" for place, words in finding.related]
    return f"::{COMMANDS[finding.level]} {given}::{_data(chr(10).join(lines))}"


def _line(text: str) -> str:
    """Return a line that is no command: also not in the older form, `##[...]`, which counts anywhere in a line."""
    return hidden().sub(" ", text).replace("\n", " ").replace("##[", "# #[")


def _data(text: str) -> str:
    shown = hidden().sub(lambda result: result[0] if result[0] == "\n" else " ", text)
    return shown.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
