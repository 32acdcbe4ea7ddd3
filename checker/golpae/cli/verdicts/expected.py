"""Expected verdicts, in a file beside the traces.

`games.jsonl` (or `games.jsonl.gz`) has beside it `games.verdicts`: one JSON object a trace, in order, with
`verdict` and, if it matters, `event` and `clause`. `golpae check --format json` prints such a file too; a `note` is
allowed.

Input: a trace file.
Output: for each outcome, how it differs from the expected one.
Guarantee: a fault in the file of verdicts never counts as a difference.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

from golpae.trace import Outcome, Source, Verdict, lines, quoted
from golpae.trace.discover import SUFFIXES
from golpae.unreadable import reason_of

COMPARED = ("verdict", "event", "clause")
KEYS = frozenset(
    "file line id rules verdict event at clause message note spec_hash trace_hash version rulings".split()
)
KINDS: dict[str, tuple[type, ...]] = {
    "verdict": (str,),
    "event": (int, type(None)),
    "clause": (str, type(None)),
}


def verdicts_file(source: Source) -> Path:
    """Return the path of the verdicts that are expected of a trace file."""
    folder, name = os.path.split(source.path)
    suffix = next((s for s in SUFFIXES if name.endswith(s)), "")
    return Path(folder, name.removesuffix(suffix) + ".verdicts")


def agrees(expected: Mapping[str, object], outcome: Outcome) -> bool:
    """Return whether an outcome is the expected one, as far as that is given."""
    actual = outcome.to_json()
    return all(expected[key] == actual[key] for key in COMPARED if key in expected)


def in_words(expected: Mapping[str, object]) -> str:
    """Return an expected verdict in words."""
    words = str(expected["verdict"])
    if expected.get("event") is not None:
        words += f" at event {expected['event']}" if expected["event"] else " in its header"
    if expected.get("clause") is not None:
        words += f", breaking {expected['clause']}"
    return words


class Expected:
    """The verdicts expected of one file, used up in order. `fault` says why there are none, or no more."""

    def __init__(self, source: Source) -> None:
        path = verdicts_file(source)
        self.name = quoted(path.name)
        self.fault: str | None = None
        self._stack = ExitStack()
        self._verdicts: Iterator[tuple[int, dict[str, object] | None, str | None]] = iter(())
        try:
            stream = self._stack.enter_context(path.open("rb"))
        except FileNotFoundError:
            self.fault = f"there is no {self.name} beside it; `--write-expected` writes it"
        except OSError as error:
            self.fault = f"{self.name} cannot be read: {reason_of(error)}"
        else:
            self._verdicts = lines(stream)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def differs(self, outcome: Outcome) -> str | None:
        """Return how an outcome differs from the next expected one, or None if it does not or nothing is expected."""
        expected = self._next()
        if expected is None:
            return None if self.fault is not None else f"not expected: {self.name} has no line for it"
        return None if agrees(expected, outcome) else f"expected {in_words(expected)}"

    def left(self) -> str | None:
        """Return how many expected traces are missing, in words, or None."""
        rest = sum(1 for _ in self.rest())
        return f"{rest} more trace{' was' if rest == 1 else 's were'} expected" if rest else None

    def rest(self) -> Iterator[dict[str, object]]:
        """Yield the expected verdicts that are left, up to a fault."""
        while (expected := self._next()) is not None:
            yield expected

    def _next(self) -> dict[str, object] | None:
        if self.fault is not None:
            return None
        number, expected, fault = next(self._verdicts, (0, {}, None))
        if expected == {} and not number:
            return None
        fault = fault or flaw(expected or {})
        if fault is not None:
            self.fault = f"line {number} of {self.name}: {fault}"
            return None
        return expected


def flaw(expected: Mapping[str, object]) -> str | None:
    """Return the fault of one expected verdict, or None."""
    from golpae.diagnostics import near

    if "verdict" not in expected:
        return "it lacks the key `verdict`"
    for key in expected:
        if key not in KEYS:
            advice = near(key[:40], KEYS)
            return f"unknown key {quoted(key)}{'; ' + advice if advice else ''}"
    for key, kinds in KINDS.items():
        if key in expected and type(expected[key]) not in kinds:
            return f"`{key}` must be {'a number' if key == 'event' else 'a text'}"
    verdict = str(expected["verdict"])
    if verdict not in set(Verdict):
        advice = near(verdict[:40], Verdict) or f"the verdicts are {', '.join(Verdict)}"
        return f"there is no verdict {quoted(verdict)}; {advice}"
    return None
