"""Expected verdicts, in a file beside the traces.

`games.jsonl` (or `games.jsonl.gz`) has beside it `games.verdicts`: one JSON object a trace, in order, with
`verdict` and, where it matters, `event` and `clause`. So that a folder of legal and spoilt games can be
held to what is known of it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from golpae.trace import Outcome

COMPARED = ("verdict", "event", "clause")


class Expected:
    """The verdicts expected of one file, used up in order."""

    def __init__(self, verdicts: list[dict[str, Any]], fault: str | None = None) -> None:
        self._verdicts = verdicts
        self._next = 0
        self._fault = fault

    @staticmethod
    def beside(name: str) -> Expected:
        """Read the file beside a trace file; one that is missing or damaged is told of by `left`."""
        path = Path(name)
        stem = path.name.split(".jsonl")[0]
        beside = path.with_name(stem + ".verdicts")
        verdicts: list[dict[str, Any]] = []
        try:
            for number, line in enumerate(beside.read_text(encoding="utf-8").splitlines(), 1):
                if line.strip():
                    found = json.loads(line)
                    if not isinstance(found, dict):
                        return Expected([], f"line {number} of `{beside.name}` is no JSON object")
                    verdicts.append(found)
        except OSError:
            return Expected([], f"no expected verdicts: there is no `{beside.name}` beside it")
        except ValueError:
            return Expected([], f"`{beside.name}` is not JSON lines")
        return Expected(verdicts)

    def differs(self, outcome: Outcome) -> str | None:
        """How an outcome differs from the next expected one, or None."""
        if self._fault is not None:
            return "not expected: " + self._fault
        if self._next >= len(self._verdicts):
            return "not expected: the `.verdicts` file has fewer lines than there are traces"
        wanted = self._verdicts[self._next]
        self._next += 1
        found = outcome.to_json()
        differing = [f"{key} {wanted[key]}" for key in COMPARED if key in wanted and wanted[key] != found[key]]
        return f"not expected: {', '.join(differing)} was" if differing else None

    def left(self) -> list[str]:
        """What was expected and did not come."""
        if self._fault is not None:
            return [self._fault] if not self._next else []
        rest = self._verdicts[self._next :]
        return [f"{len(rest)} more traces were expected"] if rest else []
