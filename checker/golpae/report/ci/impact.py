"""What `golpae compare --traces` finds, as cases of continuous integration: whether all games stay the same, and each
difference.

Input: what two rule sets find in recorded games, and what the call expected.
Output: a `Run`.
Guarantee: a difference fails nothing; only the verdict does, if the games were expected to stay the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from golpae import exit_codes
from golpae.elaborate.blocks import clause_spans
from golpae.elaborate.expand.expand import placed
from golpae.elaborate.resolve import Resolved
from golpae.impact.tally import DifferencePlace as InGame
from golpae.ir.ruleset import RuleSet
from golpae.report.archive.impact import DifferenceRow, ImpactReport, ImpactSection, head, markdown, parts
from golpae.report.ci.findings import Case, FilePlace, Finding, Rule, Run, place_of, run_of
from golpae.report.ci.numbered import numbers_of, rule_of


class RuleSetSide(NamedTuple):
    """One of the two rule sets."""

    typed: RuleSet
    resolved: Resolved


def followed(
    impact: ImpactReport,
    sides: tuple[RuleSetSide, RuleSetSide],
    shown: Callable[[str], str],
    expect: str | None,
    status: int,
) -> Run:
    """Return the run that followed games under both rule sets and ends with a status. `shown` names a file of a text as
    the call does.
    """
    suite = f"{impact.b} instead of {impact.a}"
    [first, *rest] = head(impact)
    words = "; ".join((first, *rest))
    cases = []
    if status == exit_codes.FAILS:
        message = f"{'; '.join(rest)}; expected: {expect}"
        rule = Rule("recorded-games", "recorded games under other rules", "What other rules change in games.")
        finding = Finding(rule, "error", "unexpected", message, details=(first,), key=suite)
        cases.append(Case(suite, f"games: {expect}", finding, words))
    elif status == exit_codes.HOLDS:
        cases.append(Case(suite, "games" if expect is None else f"games: {expect}", told=words))
    cases += [_case(suite, part, row, sides, shown) for part in parts(impact, most=None) for row in part.rows]
    return run_of("compare", cases, status, words, page=markdown(impact))


def _case(
    suite: str,
    part: ImpactSection,
    row: DifferenceRow,
    sides: tuple[RuleSetSide, RuleSetSide],
    shown: Callable[[str], str],
) -> Case:
    games = f"{row.often} game{'s' * (row.often != '1')}" if part.counted else row.often
    message = f"{row.what} ({games})"
    soonest = "soonest in the header" if row.place.event == 0 else f"soonest at event {row.place.event}"
    lines = (soonest if row.place.message is None else f"{soonest}: {row.place.message}", *part.remarks)
    rule, related, clause = _about(part, row, sides, shown)
    finding = Finding(
        rule,
        "note",
        part.kind,
        message,
        _place(row.place),
        related,
        clause,
        lines,
        f"{part.kind} {row.what.partition(':')[0]}",
        fails=False,
    )
    return Case(suite, f"{part.kind}: {row.what}", finding, "\n".join((message, *lines)))


def _place(place: InGame) -> FilePlace:
    return FilePlace(place.file, place.at)


def _about(
    part: ImpactSection,
    row: DifferenceRow,
    sides: tuple[RuleSetSide, RuleSetSide],
    shown: Callable[[str], str],
) -> tuple[Rule, tuple[tuple[FilePlace, str], ...], str | None]:
    """Return the rule that a difference is about, where it is written, and its clause: the one that refuses an event
    under B, or else under A.
    """
    for end, side in zip(reversed(row.ends or ()), reversed(sides if row.ends else ()), strict=True):
        if end.clause is None:
            continue
        path = end.clause.removeprefix(f"{side.typed.game}.")
        spans = clause_spans(placed(side.resolved.decls))
        span = spans.get(path) or spans.get(path.partition(".")[0])
        place = None if span is None else place_of(span)
        if place is not None:
            place = FilePlace(shown(place.file), place.line, place.column, place.end)
        related = () if place is None else ((place, f"the clause {path}"),)
        return rule_of(side.typed, numbers_of(side.typed, path), path), related, end.clause
    return Rule(f"recorded-{part.kind}", part.title), (), None
