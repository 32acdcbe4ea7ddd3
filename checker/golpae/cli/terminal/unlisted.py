"""What a check does not list about traces: more of the same.

Input: reports that are to be listed, one at a time. Output: which of them are listed, and lines on all others.
Guarantee: a fault in the header of many traces is listed once for a rule set. At most `MOST_LISTED` refused traces are
listed, and as many others; what is not listed is counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from golpae.replay.report import Report
from golpae.trace import Outcome, Verdict, quoted

MOST_LISTED = 20
MOST_KINDS = 20  # of which the counts are printed
MOST_HEADERS = 20  # faults of headers that are listed once
_REFUSED = (Verdict.ILLEGAL, Verdict.MALFORMED)


class Unlisted:
    """The traces of one call that are not listed."""

    def __init__(self) -> None:
        self._listed: Counter[bool] = Counter()  # by whether they are refused
        self._more: Counter[str] = Counter()  # by what they break
        self._headers: Counter[tuple[str, str]] = Counter()  # by rules and message

    def takes(self, report: Report) -> bool:
        """Return whether a report is not to be listed; then it is counted."""
        outcome = report.outcome
        if outcome.verdict is Verdict.MALFORMED and outcome.event == 0 and outcome.rules and outcome.message:
            again = self.header(outcome.rules, outcome.message)
            if again is not None:
                return again
        refused = outcome.verdict in _REFUSED
        if self._listed[refused] < MOST_LISTED:
            self._listed[refused] += 1
            return False
        self._more[_kind(outcome)] += 1
        return True

    def header(self, rules: str, message: str) -> bool | None:
        """Count a fault in the header of a trace. Return whether it has been listed; None if it counts as any other."""
        fault = rules, message
        if fault not in self._headers and len(self._headers) == MOST_HEADERS:
            return None
        self._headers[fault] += 1
        return self._headers[fault] > 1

    def lines(self) -> Iterator[str]:
        """Yield lines that count the traces that were not listed, by the fault of their headers and by the clause they
        break.
        """
        for (rules, message), count in self._headers.items():
            if count > 1:
                words = message.partition("; ")[0]
                yield f"{count:,} traces of {quoted(rules)} have this fault in their headers: {words}"
        if not self._more:
            return
        yield f"and {self._more.total():,} more, which `--verbose` lists:"
        kinds = sorted(self._more.items(), key=lambda item: (-item[1], item[0]))
        width = len(f"{kinds[0][1]:,}")
        for kind, count in kinds[:MOST_KINDS]:
            yield f"  {count:>{width},}  {kind}"
        if others := kinds[MOST_KINDS:]:
            yield f"  {sum(count for _, count in others):,} that break {len(others)} other clauses"


def _kind(outcome: Outcome) -> str:
    """Return the clause that a trace breaks, or its verdict."""
    if outcome.verdict is Verdict.ILLEGAL and outcome.clause is not None:
        return outcome.clause
    return outcome.verdict.value
