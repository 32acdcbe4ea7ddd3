"""What `golpae compare` finds, as cases of continuous integration: the verdict, and each clause that differs.

Input: a `Comparison`, and what the call expected.
Output: a `Run`.
Guarantee: a clause that differs fails nothing; only the verdict does, if it is not the expected one or undecided.
"""

from __future__ import annotations

from golpae import exit_codes
from golpae.compare.comparison import Comparison
from golpae.compare.text.diff import RECITED, Difference
from golpae.ir.ruleset import SourceRule
from golpae.report import comparison_words as words
from golpae.report.ci.findings import Case, FilePlace, Finding, Level, Rule, Run, run_of
from golpae.report.comparison_page import page

KINDS = {exit_codes.FAILS: "unexpected", exit_codes.UNKNOWN: "unknown", exit_codes.FAULT: "fault"}


def compared(c: Comparison, files: words.Files, expect: str | None, status: int, again: str) -> Run:
    """Return the run that made a comparison and ends with a status."""
    suite = f"{c.b} against {c.a}"
    said = words.verdict(c)
    finding = None
    if status in KINDS:
        kind = KINDS[status]
        message = said if expect is None else f"{said}; expected: {expect}"
        rule = Rule("comparison", "two rule sets compared", "The verdict on all their games.")
        place = next((place for d in c.text.differences if (place := _place(d)) is not None), None)
        level: Level = "warning" if status == exit_codes.UNKNOWN else "error"
        finding = Finding(rule, level, kind, message, place, details=tuple(c.faults()), key=suite)
    cases = [Case(suite, "verdict" if expect is None else f"verdict: {expect}", finding, said)]
    cases += [_case(suite, c, d) for d in c.text.differences if d.kind != RECITED]
    return run_of("compare", cases, status, said, page=page(c, files, again))


def _case(suite: str, c: Comparison, d: Difference) -> Case:
    about = words.about(d)
    sides = [(sign, side) for sign, side in (("-", d.old), ("+", d.new)) if side is not None]
    lines = [f"{sign} {line}" for sign, side in sides for line in side.words.split("\n")]
    lines += [f"{number}: {words.source(c, number)}" for number in d.ids if number in c.text.sources]
    related = (
        () if d.old is None or d.new is None else ((FilePlace(d.old.file, d.old.line), "the other text"),)
    )
    finding = Finding(
        _rule(c, d),
        "note",
        "difference",
        about,
        _place(d),
        related,
        d.path,
        tuple(lines),
        d.path,
        fails=False,
    )
    return Case(suite, about, finding, "\n".join((about, *lines)))


def _place(d: Difference) -> FilePlace | None:
    side = d.new or d.old
    return None if side is None else FilePlace(side.file, side.line)


def _rule(c: Comparison, d: Difference) -> Rule:
    game = c.text.b.partition("+")[0]
    for number in d.ids:
        rule = c.text.sources.get(number)
        if isinstance(rule, SourceRule):
            section = f", {rule.section}" if rule.section else ""
            return Rule(f"{game}/{number}", rule.gist, rule.gist, f"source {rule.source}{section}")
    return Rule(f"{game}/{d.path}", f"{d.path} of {game}")
