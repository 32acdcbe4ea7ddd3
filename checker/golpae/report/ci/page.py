"""Render a run as Markdown: for a comment, a page, or the summary of a job.

Input: a `Run`.
Output: lines of Markdown.
Guarantee: text of rules and traces is escaped or fenced; a page of many findings has a bound, and says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from golpae.diagnostics.amounts import many
from golpae.diagnostics.markdown import code, escaped, fenced, grid
from golpae.report.ci.findings import FilePlace, Finding, Run
from golpae.report.ci.places import in_repository

MOST = 50  # findings
LONGEST = 40  # lines below one


def page(run: Run) -> list[str]:
    """Return the lines of the page: the verb's own page if it has one."""
    if run.page is not None:
        return [*run.page]
    return [f"# golpae {run.verb}", "", f"**{escaped(run.words)}**", *_table(run), *_findings(run)]


def _table(run: Run) -> Iterator[str]:
    """Yield a row for each suite, if there are several or some case fails."""
    rows = []
    for name, cases in run.suites.items():
        failed, skipped = sum(case.fails for case in cases), sum(case.skipped is not None for case in cases)
        kinds = Counter(finding.kind for case in cases for finding in case.findings)
        words = ", ".join(f"{count:,} {kind}" for kind, count in kinds.items())
        good = len(cases) - failed - skipped
        rows.append((escaped(name), f"{good:,}", f"{failed:,}", escaped(words)))
    if rows:
        yield ""
        yield from grid(("", "as it should be", "not", "found"), rows[:MOST])
    if len(rows) > MOST:
        yield ""
        yield f"And {len(rows) - MOST:,} more."


def _findings(run: Run) -> Iterator[str]:
    ordered = sorted(run.findings, key=lambda finding: not finding.fails)
    for finding in ordered[:MOST]:
        yield ""
        yield f"- {_one(finding)}"
        below = [*finding.details[:LONGEST]]
        if len(finding.details) > LONGEST:
            below.append(f"and {many(len(finding.details) - LONGEST, 'more line')}")
        below += [f"{where(place)}: {words}" for place, words in finding.related]
        if below:
            yield ""
            yield from (f"  {line}" for line in fenced("text", below))
    if len(ordered) > MOST:
        yield ""
        yield f"And {len(ordered) - MOST:,} more."


def _one(finding: Finding) -> str:
    at = "" if finding.place is None else f" {code(where(finding.place))}"
    source = f" ({escaped(finding.rule.source)})" if finding.rule.source else ""
    return f"**{escaped(finding.kind)}**{at}: {escaped(finding.message)} — {code(finding.rule.id)}{source}"


def where(place: FilePlace) -> str:
    """Return a place as people write it."""
    return f"{in_repository(place.file) or place.file}:{place.line}"
