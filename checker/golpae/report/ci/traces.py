"""What `golpae check` finds, as cases of continuous integration: a case for each trace.

Input: reports on traces.
Output: cases.
Guarantee: legal games of a large file, which are only counted, are one case.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from golpae.diagnostics import SpecError
from golpae.ir.ruleset import RuleSet
from golpae.replay.explain import explained
from golpae.replay.report import Report
from golpae.report.ci.findings import Case, FilePlace, Finding, Rule
from golpae.report.ci.numbered import numbers_of, rule_of
from golpae.report.ci.places import TextPlaces
from golpae.report.ci.texts import cases_of_faults
from golpae.report.games.refusal import refusal_lines
from golpae.trace import Outcome, Ruled, Verdict

STDIN = "<stdin>"
MALFORMED = Rule(
    "malformed-trace", "a trace that cannot be read", "A line is not what the format of traces says."
)
INCOMPLETE = Rule(
    "incomplete-game", "a game that has not ended", "All events are legal, and the game goes on."
)
UNDECIDED = Rule(
    "undecided-game", "a game that is undecided", "Tiles that nobody saw decide whether it is legal."
)
UNEXPECTED = Rule(
    "not-as-expected", "not the expected verdict", "A verdict differs from the one in the `.verdicts` file."
)
EMPTY = Rule("no-trace", "a file without a game", "A file that should hold recorded games has none.")
UNREADABLE = Rule("input", "input that cannot be used", "A file cannot be read, or not to its end.")


class TraceCases:
    """The cases of a call, collected as its reports come."""

    def __init__(self, rule_set: Callable[[str], RuleSet], places: TextPlaces, complete: bool) -> None:
        self._rule_set = cache(rule_set)
        self._places = places
        self._complete = complete
        self._texts: set[object] = set()
        self.cases: list[Case] = []

    def legal(self, file: str, games: int) -> None:
        """Count legal games of a large file."""
        self.cases.append(Case(_shown(file), f"{games:,} legal game{'s' * (games != 1)}"))

    def add(self, report: Report, remark: str | None, surprise: bool) -> None:
        """Add a trace. `remark` compares it with its expected verdict, if there is one."""
        outcome = report.outcome
        if report.text_faults is not None:
            self._faults(report.text_faults)
        bad = outcome.verdict in (Verdict.ILLEGAL, Verdict.MALFORMED, Verdict.UNKNOWN)
        unfinished = outcome.verdict is Verdict.INCOMPLETE and self._complete
        if surprise or (remark is None and (bad or unfinished)):
            finding = self._finding(report, remark)
            details = "\n".join((f"{_at(outcome)}: {finding.kind}", finding.message, *finding.details))
        else:
            finding, details = None, outcome.verdict.value + ("" if remark is None else f" ({remark})")
        details += "".join(f"\nevent {r.event} ({r.clause}) stands: {r.reason}" for r in outcome.rulings)
        ruled = tuple(self._ruled(outcome, ruling) for ruling in outcome.rulings)
        self.cases.append(Case(_shown(outcome.file), _name(outcome), finding, details, more=ruled))

    def empty(self, file: str) -> None:
        """Add that there is no trace in a file, which fails nothing by itself."""
        words, place = "no trace in it", None if file == "-" else FilePlace(file)
        finding = Finding(EMPTY, "warning", "empty", f"{_shown(file)}: {words}", place, fails=False)
        self.cases.append(Case(_shown(file), "the file", finding, words, skipped=words))

    def about_file(self, file: str, words: str, line: int | None, surprise: bool) -> None:
        """Add what is wrong with a file as a whole."""
        rule = UNEXPECTED if surprise else UNREADABLE
        kind = "unexpected" if surprise else "unreadable"
        place = None if file == "-" else FilePlace(file, line or 1)
        self.cases.append(Case(_shown(file), "the file", Finding(rule, "error", kind, words, place), words))

    def _faults(self, faults: SpecError) -> None:
        new = [d for d in faults.diagnostics if (d.code, d.message, d.span) not in self._texts]
        self._texts.update((d.code, d.message, d.span) for d in new)
        self.cases += cases_of_faults("rules", new)

    def _finding(self, report: Report, remark: str | None) -> Finding:
        outcome = report.outcome
        place = None if outcome.file == "-" else FilePlace(outcome.file, outcome.at or outcome.line)
        key = f"{outcome.id if outcome.id is not None else ''} {outcome.event or ''}"
        explanation = explained(report)
        if report.unseen and outcome.verdict is not Verdict.MALFORMED and remark is None:
            return self._of_unseen(outcome, place, key)
        if explanation is None or outcome.clause is None:
            rule = MALFORMED if outcome.verdict is Verdict.MALFORMED else INCOMPLETE
            message = outcome.message or "the last hand has not ended"
            if report.text_faults is not None:
                message = f"the rules `{outcome.rules}` have faults"
            if remark is not None:
                rule, message = UNEXPECTED, f"{outcome.verdict.value}, {remark}"
            details = (outcome.message,) if remark is not None and outcome.message else ()
            return Finding(rule, "error", outcome.verdict.value, message, place, key=key, details=details)
        rule, related = self._clause(outcome, outcome.clause, explanation.numbers)
        lines = [] if remark is None else [f"{outcome.verdict.value}, {remark}"]
        lines += [line.strip() for line in refusal_lines(explanation, outcome.clause, outcome.rules)[1:]]
        return Finding(
            rule,
            "error",
            outcome.verdict.value,
            explanation.message,
            place,
            related,
            outcome.clause,
            tuple(lines),
            key,
        )

    def _of_unseen(self, outcome: Outcome, place: FilePlace | None, key: str) -> Finding:
        """Return the finding on a game of which some tiles are unknown: no tiles are left, or nobody knows."""
        kind, message = outcome.verdict.value, outcome.message or ""
        if outcome.clause is None:
            return Finding(UNDECIDED, "warning", kind, message, place, key=key)
        rule, related = self._clause(outcome, outcome.clause)
        broken = f"broken: {outcome.clause} in {outcome.rules}"
        return Finding(rule, "error", kind, message, place, related, outcome.clause, (broken,), key)

    def _ruled(self, outcome: Outcome, ruled: Ruled) -> Finding:
        """Return the finding on an event that stands by a ruling."""
        rule, related = self._clause(outcome, ruled.clause)
        return Finding(
            rule,
            "note",
            Verdict.RULED.value,
            ruled.message,
            None if outcome.file == "-" else FilePlace(outcome.file, ruled.at),
            related,
            ruled.clause,
            (f"broken: {ruled.clause} in {outcome.rules}", f"ruling: {ruled.reason}"),
            f"{outcome.id if outcome.id is not None else ''} {ruled.event}",
            fails=False,
            stands=ruled.reason,
        )

    def _clause(
        self, outcome: Outcome, clause: str, numbers: Sequence[str] | None = None
    ) -> tuple[Rule, tuple[tuple[FilePlace, str], ...]]:
        """Return the rule that a clause stands for, and where it is written. Without `numbers`, it cites its own."""
        rules = self._rule_set(str(outcome.rules))
        path = clause.removeprefix(f"{rules.game}.")
        written = self._places.place(str(outcome.rules), path, path.partition(".")[0])
        related = () if written is None else ((written, f"the clause {path}"),)
        return rule_of(rules, numbers_of(rules, path) if numbers is None else numbers, path), related


def _shown(file: str) -> str:
    return STDIN if file == "-" else file


def _at(outcome: Outcome) -> str:
    return f"{_shown(outcome.file)}:{outcome.at or outcome.line}"


def _name(outcome: Outcome) -> str:
    """Return the name of a trace: its id, or its line."""
    return f"line {outcome.line}" if outcome.id is None else f"{outcome.id} (line {outcome.line})"
