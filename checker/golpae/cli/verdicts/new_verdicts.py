"""Expected verdicts, written from what golpae finds.

Input: a trace file, and the outcome of each of its traces, in order.
Output: the file of verdicts beside it: for each trace `verdict` and, if that is bad, `event` and `clause`.
Guarantee: a line that agrees with its outcome stays byte for byte, and so do blank lines. The new file takes the
place of the old one as a whole or not at all. Memory does not grow with the number of traces.
"""

from __future__ import annotations

import json
import os
import shutil
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from golpae.cli.verdicts.expected import agrees, flaw, in_words, verdicts_file
from golpae.trace import Outcome, Source, lines, quoted
from golpae.trace.read import MAX_LINE
from golpae.unreadable import reason_of

NOTHING_CHANGED = "no verdict changed"
BLOCK = 1 << 20  # bytes that are copied at a time


class NewVerdicts:
    """The new verdicts of one trace file. `fault` says why they cannot be written.

    `traces` counts the traces that were added. `changed` of them had another verdict before, and `added` had none.
    `removed` counts old verdicts that have no trace any more.
    """

    def __init__(self, source: Source) -> None:
        self.path = Path(os.path.realpath(verdicts_file(source)))
        self.name = quoted(verdicts_file(source).name)
        self.fault: str | None = None
        self.traces = self.changed = self.added = self.removed = 0
        self._old: BinaryIO | None = None
        self._new: BinaryIO | None = None
        self._beside = self.path.with_name(f".{self.path.name}.{os.getpid()}")
        self._number = 0  # of the line of the old file
        self._kept = 0  # bytes of the old file that stay, as long as there is no new one
        self._last = b""  # the last line of the new file so far
        try:
            self._old = self.path.open("rb")
        except FileNotFoundError:
            pass
        except OSError as error:
            self._give_up(f"{self.name} cannot be read: {reason_of(error)}")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._old is not None:
            self._old.close()
        if self._new is not None:
            with suppress(OSError):
                self._new.close()
            with suppress(OSError):
                self._beside.unlink(missing_ok=True)

    def add(
        self, outcome: Outcome, unknown: bool = False, lies_near: bool = False
    ) -> tuple[str | None, bool]:
        """Add the verdict on the next trace. Return a remark if there was one before, and whether that differs.

        `unknown` is whether golpae finds no rules of the trace, `lies_near` whether a file of their name is near. Then
        the verdict says only that a folder is not named: it replaces no other one, and is not written beside that file.
        """
        self.traces += 1
        remark: str | None = None
        try:
            old = None if self.fault is not None else self._next()
            if self.fault is not None:
                return None, False
            if unknown and (lies_near if old is None else not agrees(old[1], outcome)):
                rules = quoted(str(outcome.rules))
                self.give_up(f"there are no rules called {rules}; name their folder with `--spec-path`")
                return None, False
            if old is None:
                self.added += 1
                self._put(outcome, None)
                return None, False
            line, before = old
            if agrees(before, outcome):
                self._keep(line)
                return "as before", False
            self.changed += 1
            remark = f"before: {in_words(before)}"
            self._put(outcome, before)
        except OSError as error:
            self._give_up(f"{self.name} cannot be written: {reason_of(error)}")
        return remark, remark is not None

    def finish(self) -> str | None:
        """Put the new file in its place. Return what was done in words, or None if nothing could be written."""
        try:
            while self.fault is None and self._next() is not None:
                self.removed += 1
                if not self.traces:
                    self.give_up("there is no trace for it")
                else:
                    self._begin()
            if not self.traces and self._old is None:
                self.give_up("there is no trace for it")
            if self.fault is not None:
                return None
            if self._new is None:
                return NOTHING_CHANGED
            return self._replaced()
        except OSError as error:
            self._give_up(f"{self.name} cannot be written: {reason_of(error)}")
            return None

    def give_up(self, why: str) -> None:
        """Let the old file stay, if nothing else has gone wrong."""
        self._give_up(f"{self.name} is not written: {why}")

    def _give_up(self, fault: str) -> None:
        self.fault = self.fault or fault

    def _replaced(self) -> str:
        assert self._new is not None
        self._new.close()
        if self._old is None:
            words = f"written for {self.traces} trace{'s' * (self.traces != 1)}"
        else:
            shutil.copymode(self.path, self._beside)
            self._old.close()
            counts = ((self.changed, "changed"), (self.added, "added"), (self.removed, "removed"))
            words = ", ".join(f"{count} {what}" for count, what in counts if count)
            words += f", {self.traces - self.changed - self.added} as before"
        self._beside.replace(self.path)
        self._new = None
        return words

    # ------------------------------------------------------------------ lines

    def _next(self) -> tuple[bytes, dict[str, object]] | None:
        """Return the next line of the old file, with what it expects. Blank lines are kept."""
        if self._old is None:
            return None
        while line := self._old.readline(MAX_LINE + 2):
            self._number += 1
            _, expected, fault = next(lines(BytesIO(line)), (0, None, None))
            if expected is None and fault is None:
                self._keep(line)
                continue
            fault = fault or flaw(expected or {})
            if fault is not None:
                self._give_up(f"line {self._number} of {self.name}: {fault}; the file stays as it is")
                return None
            return line, expected or {}
        return None

    def _keep(self, line: bytes) -> None:
        self._last = line
        if self._new is None:
            self._kept += len(line)
        else:
            self._new.write(line)

    def _put(self, outcome: Outcome, before: dict[str, object] | None) -> None:
        """Write the line of a new verdict. A note of the old line stays."""
        new = self._begin()
        as_json = outcome.to_json()
        line: dict[str, object] = {"verdict": as_json["verdict"]}
        line |= {key: as_json[key] for key in ("event", "clause") if as_json[key] is not None}
        if before is not None and "note" in before:
            line["note"] = before["note"]
        if self._last and not self._last.endswith(b"\n"):
            new.write(b"\n")
        end = b"\r\n" if self._last.endswith(b"\r\n") else b"\n"
        self._last = json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + end
        new.write(self._last)

    def _begin(self) -> BinaryIO:
        """Return the new file, which begins with what stays of the old one."""
        if self._new is None:
            self._new = self._beside.open("xb")
            if self._old is not None and self._kept:
                left = self._kept
                with self.path.open("rb") as old:
                    while block := old.read(min(left, BLOCK)):
                        left -= self._new.write(block)
        return self._new
