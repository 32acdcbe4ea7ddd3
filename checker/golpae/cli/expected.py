"""Expected verdicts, in a file beside the traces.

`games.jsonl` (or `games.jsonl.gz`) has beside it `games.verdicts`: one JSON object a trace, in order, with
`verdict` and, where it matters, `event` and `clause`. So that a folder of legal and spoilt games can be
held to what is known of it. What `golpae check --format json` prints is such a file; a `note` is allowed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

from golpae.trace import Outcome, Source, Verdict, lines, quoted
from golpae.trace.discover import SUFFIXES

COMPARED = ("verdict", "event", "clause")
KNOWN = frozenset(("file", "line", "id", "rules", "verdict", "event", "at", "clause", "message", "note"))
KINDS: dict[str, tuple[type, ...]] = {
    "verdict": (str,),
    "event": (int, type(None)),
    "clause": (str, type(None)),
}


class Expected:
    """The verdicts expected of one file, used up in order. `fault` says why there are none, or no more."""

    def __init__(self, source: Source) -> None:
        folder, name = os.path.split(source.path)
        suffix = next((s for s in SUFFIXES if name.endswith(s)), "")
        name = name.removesuffix(suffix) + ".verdicts"
        self.name = quoted(name)
        self.fault: str | None = None
        self._stack = ExitStack()
        self._verdicts: Iterator[tuple[int, dict[str, object] | None, str | None]] = iter(())
        try:
            stream = self._stack.enter_context(Path(folder, name).open("rb"))  # noqa: SIM115
        except FileNotFoundError:
            self.fault = f"there is no {self.name} beside it"
        except OSError as error:
            self.fault = f"{self.name} cannot be read: {(error.strerror or str(error)).lower()}"
        else:
            self._verdicts = lines(stream)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def differs(self, outcome: Outcome) -> str | None:
        """How an outcome differs from the next expected one, or None; None too where that is not known."""
        wanted = self._next()
        if wanted is None:
            return None if self.fault is not None else f"not expected: {self.name} has no line for it"
        found = outcome.to_json()
        if all(wanted[key] == found[key] for key in COMPARED if key in wanted):
            return None
        said = f"expected {wanted['verdict']}"
        if wanted.get("event") is not None:
            said += f" at event {wanted['event']}"
        if wanted.get("clause") is not None:
            said += f", breaking {wanted['clause']}"
        return said

    def left(self) -> str | None:
        """What was expected and did not come."""
        rest = 0
        while self._next() is not None:
            rest += 1
        return f"{rest} more trace{' was' if rest == 1 else 's were'} expected" if rest else None

    def _next(self) -> dict[str, object] | None:
        if self.fault is not None:
            return None
        number, wanted, fault = next(self._verdicts, (0, {}, None))
        if wanted == {} and not number:
            return None
        fault = fault or _fault(wanted or {})
        if fault is not None:
            self.fault = f"line {number} of {self.name}: {fault}"
            return None
        return wanted


def _fault(wanted: dict[str, object]) -> str | None:
    """What is wrong with one expected verdict."""
    from golpae.diagnostics import near

    if "verdict" not in wanted:
        return "it lacks the key `verdict`"
    for key in wanted:
        if key not in KNOWN:
            advice = near(key[:40], KNOWN)
            return f"unknown key {quoted(key)}{'; ' + advice if advice else ''}"
    for key, kinds in KINDS.items():
        if key in wanted and type(wanted[key]) not in kinds:
            return f"`{key}` is {'a number' if key == 'event' else 'a text'}"
    verdict = str(wanted["verdict"])
    if verdict not in set(Verdict):
        advice = near(verdict[:40], Verdict) or f"the verdicts are {', '.join(Verdict)}"
        return f"there is no verdict {quoted(verdict)}; {advice}"
    return None
