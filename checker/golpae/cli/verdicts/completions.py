"""`golpae check --complete-with`: games without a fault, with tiles in place of unknown ones, as a file of traces.

Input: the reports on games. Output: a file of their headers and events.
Guarantee: the file is written whole or not at all, and each game in it was replayed with the tiles that it has there.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from golpae.beside import written
from golpae.cli.inputs import overwritten, unwritable
from golpae.diagnostics.amounts import many
from golpae.replay.report import Report
from golpae.trace import InputFault, Source, quoted
from golpae.trace.written import trace_text


def wrong_file(name: str, files: Sequence[Source]) -> InputFault | None:
    """Return why completed games cannot be written to a file of this name, or None if they can."""
    if name == "-":
        return InputFault("--complete-with", "`--complete-with` needs the name of a file")
    return overwritten(files, "--complete-with", name)


class Completions:
    """The file of one call. A context manager, which renames the file at its end. Raises `UsageError`."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._games = 0
        self._stack = ExitStack()
        self._stream: BinaryIO

    def __enter__(self) -> Self:
        try:
            self._stream = self._stack.enter_context(written(Path(self._name)))
        except OSError as error:
            raise unwritable(self._name, error) from None
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._stack.__exit__(kind, value, trace)
        except OSError as error:
            if error is value:
                raise
            raise unwritable(self._name, error) from None

    def add(self, report: Report) -> None:
        """Write a game if it has no fault."""
        if report.whole is not None:
            self._games += 1
            self._stream.write(trace_text(report.whole))

    def summary(self) -> str:
        """Return a line on what was written."""
        return f"{many(self._games, 'game')} in {quoted(self._name)}"
