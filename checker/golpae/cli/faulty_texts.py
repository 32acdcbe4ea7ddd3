"""The faults of rule texts that traces are played by, each printed once.

Input: the faults that prevent the replay of traces, trace by trace.
Output: every fault in full when it is first met; at the end, how many traces could not be checked.
Guarantee: memory does not grow with the traces.
"""

from __future__ import annotations

from golpae.cli.inputs import complain
from golpae.diagnostics import SpecError, quoted_list
from golpae.replay.machine_cache import Library

MOST_NAMED = 8  # rule sets in a remark


class FaultyTexts:
    """What was printed about rule texts. `count` is the number of traces that have rules with faults."""

    def __init__(self) -> None:
        self.count = 0
        self._printed: set[object] = set()
        self._rules: dict[str, None] = {}

    def __bool__(self) -> bool:
        return bool(self._printed)

    def add(self, rules: str, fault: SpecError) -> None:
        """Count a trace that has these rules, and print those faults that are new."""
        self.count += 1
        if len(self._rules) <= MOST_NAMED:
            self._rules[rules] = None
        self._print(fault)

    def add_all(self, library: Library) -> None:
        """Print the faults of all texts that could not be used and that no trace was counted for."""
        for fault in library.faults.values():
            self._print(fault)

    def _print(self, fault: SpecError) -> None:
        new = [d for d in fault.diagnostics if (d.code, d.message, d.span) not in self._printed]
        self._printed.update((d.code, d.message, d.span) for d in new)
        complain(SpecError(new))

    def remarks(self, what: str = "trace", done: str = "checked") -> list[str]:
        """Return a line that says how many traces could not be checked, or no line."""
        if not self.count:
            return []
        names = list(self._rules)[:MOST_NAMED]
        rules = quoted_list(names) + (" and others" if len(self._rules) > MOST_NAMED else "")
        if self.count == 1:
            return [f"1 {what} could not be {done}: its rules ({rules}) have the faults shown above"]
        return [
            f"{self.count} {what}s could not be {done}: their rules ({rules}) have the faults shown above"
        ]
