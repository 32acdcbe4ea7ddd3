"""How `golpae check` speaks: to people, at a terminal or in a file, and to programs."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from types import TracebackType
from typing import TYPE_CHECKING, BinaryIO, Self, cast

from golpae.replay.play import Report
from golpae.trace import Source, Verdict

if TYPE_CHECKING:
    from rich.progress import Progress

COLOURS = {Verdict.LEGAL: "32", Verdict.INCOMPLETE: "33", Verdict.ILLEGAL: "31", Verdict.MALFORMED: "35"}
WORTH_A_BAR = 1 << 20  # bytes


class Printer:
    """Prints reports as they come."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None) -> None:
        return None

    def watched(self, stream: BinaryIO) -> BinaryIO:
        """The stream to read, watched where there is somebody to show progress to."""
        return stream

    def report(self, report: Report, remark: str | None) -> None:
        raise NotImplementedError

    def note(self, words: str) -> None:
        sys.stderr.write(f"golpae: {words}\n")

    def summary(self, counts: Counter[Verdict], surprises: int | None, complete: bool) -> None:
        return None


class Json(Printer):
    """One JSON object a trace."""

    def report(self, report: Report, remark: str | None) -> None:
        sys.stdout.write(json.dumps(report.outcome.to_json(), ensure_ascii=not _utf8(), separators=(",", ":")) + "\n")


class Plain(Printer):
    """Text for people, without colour."""

    def __init__(self, verbose: bool) -> None:
        self.verbose = verbose

    def paint(self, text: str, colour: str) -> str:
        return text

    def write(self, text: str) -> None:
        sys.stdout.write(text)

    def report(self, report: Report, remark: str | None) -> None:
        outcome = report.outcome
        quiet = outcome.verdict is Verdict.LEGAL and remark in (None, "as expected")
        if quiet and not (self.verbose and remark is None):
            return
        self.write("\n".join(self._lines(report, remark)) + "\n")

    def _lines(self, report: Report, remark: str | None) -> list[str]:
        outcome = report.outcome
        name = outcome.file if outcome.file != "-" else "<stdin>"
        head = [f"{name}:{outcome.line}", self.paint(outcome.verdict.value, COLOURS[outcome.verdict])]
        if outcome.id is not None:
            head.append(f"`{_one_line(str(outcome.id))}`")
        if outcome.event is not None:
            head.append("in its header" if outcome.event == 0 else f"at event {outcome.event}, line {outcome.at}")
        if remark is not None:
            head.append(f"({remark})")
        lines = ["  ".join(head)]
        if report.refusal is not None:
            from golpae.replay.explain import explain

            found = explain(report.refusal)
            lines.append(f"  {_one_line(found.message)}")
            lines.append(f"  broken: {outcome.clause} in {outcome.rules}")
            lines.extend(f"  rule: {rule}" for rule in found.rules)
            lines.extend(f"  {what}: {value}" for what, value in found.facts)
            lines.append(f"  legal here: {'; '.join(found.legal) or 'nothing'}")
        elif outcome.message:
            lines.append(f"  {_one_line(outcome.message)}")
        return lines

    def summary(self, counts: Counter[Verdict], surprises: int | None, complete: bool) -> None:
        total = sum(counts.values())
        said = ", ".join(f"{counts[v]} {v.value}" for v in Verdict if counts[v]) or "none"
        words = f"{total} trace{'s' * (total != 1)}: {said}"
        if complete and counts[Verdict.INCOMPLETE]:
            words += " (incomplete ones count as illegal)"
        if surprises is not None:
            words += "; all as expected" if not surprises else f"; {surprises} not as expected"
        self.write(words + "\n")


class Terminal(Plain):
    """Text for people at a terminal: colour, and a progress bar over large files."""

    def __init__(self, verbose: bool, files: list[Source]) -> None:
        super().__init__(verbose)
        self.total = sum(_size(f) for f in files)
        self._bar: Progress | None = None

    def paint(self, text: str, colour: str) -> str:
        return f"\x1b[{colour}m{text}\x1b[0m"

    def __enter__(self) -> Self:
        if self.total >= WORTH_A_BAR:
            from rich.progress import Progress

            self._bar = Progress(transient=True)
            self._bar.start()
            self._task = self._bar.add_task("checking", total=self.total)
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def write(self, text: str) -> None:
        if self._bar is not None:
            self._bar.console.out(text, end="", highlight=False)
        else:
            sys.stdout.write(text)

    def watched(self, stream: BinaryIO) -> BinaryIO:
        return stream if self._bar is None else cast("BinaryIO", _Watched(stream, self))

    def went_on(self, count: int) -> None:
        if self._bar is not None:
            self._bar.advance(self._task, count)


class _Watched:
    """A stream that tells how far it was read."""

    def __init__(self, stream: BinaryIO, terminal: Terminal) -> None:
        self._stream = stream
        self._terminal = terminal

    def read(self, size: int = -1) -> bytes:
        found = self._stream.read(size)
        self._terminal.went_on(len(found))
        return found

    def readline(self, size: int = -1) -> bytes:
        found = self._stream.readline(size)
        self._terminal.went_on(len(found))
        return found

    def __getattr__(self, name: str) -> object:
        return getattr(self._stream, name)


def printer(form: str, files: list[Source], verbose: bool) -> Printer:
    if form == "json":
        return Json()
    if sys.stdout.isatty() and not os.environ.get("NO_COLOR"):
        return Terminal(verbose, files)
    return Plain(verbose)


def _size(file: Source) -> int:
    try:
        return 0 if file.path == "-" else os.path.getsize(file.path)
    except OSError:
        return 0


def _utf8() -> bool:
    return (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"


def _one_line(text: str) -> str:
    """Text from a trace on one line, no control characters."""
    return "".join(c if c.isprintable() else " " for c in text)
