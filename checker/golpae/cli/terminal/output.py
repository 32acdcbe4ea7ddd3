"""The output of verbs that read traces: for people, at a terminal or in a file, and for programs.

Input: reports, one at a time.
Output: text or JSON lines on standard output, notes on standard error.
Guarantee: no control character of a trace gets to a terminal.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from typing import TypeVar

from golpae.cli.terminal.streams import paint_of
from golpae.cli.terminal.unlisted import Unlisted
from golpae.corpus.paths import Listed
from golpae.diagnostics.colour import painted
from golpae.diagnostics.hidden import on_one_line
from golpae.progress import Progress
from golpae.replay.report import Report
from golpae.trace import Outcome, Source, Verdict, quoted

COLOURS = {
    Verdict.LEGAL: "32",
    Verdict.INCOMPLETE: "33",
    Verdict.ILLEGAL: "31",
    Verdict.MALFORMED: "35",
    Verdict.RULED: "36",
    Verdict.UNKNOWN: "33",
}
LONGEST = 500  # characters of one line on a trace
MOST_TOLD = 5  # faults of golpae in a file
MOST_ADVISED = 100  # messages whose advice is given once

Item = TypeVar("Item")


class Printer:
    """Prints reports as they come."""

    is_listed = True
    """Whether the last report was printed, and not only counted."""

    def report(self, report: Report, remark: str | None, surprise: bool = False) -> None:
        """Print one report. `remark` says how it compares with the expected verdict, if there is one."""
        raise NotImplementedError

    def note(self, words: str) -> None:
        """Print a note on a file as a whole, to standard error."""
        sys.stderr.write(f"golpae: {printable(words)}\n")

    def fault(self, file: str, words: str, line: int | None = None, surprise: bool = False) -> None:
        """Print what is wrong with a file as a whole; `surprise` if that is how it compares with what is expected."""
        place = "<stdin>" if file == "-" else file
        self.note(f"{place}:{line}: {words}" if line is not None else f"{place}: {words}")

    def empty(self, source: Source) -> None:
        """Print that there is no trace in a file, which is no fault of a trace."""
        say_empty(source.name)

    def legal(self, file: str, games: int) -> None:
        """Note legal games of a large file that are only counted."""

    def listed(self, games: Listed) -> None:
        """Print the verdicts on legal games of a large file; not asked of a printer for people."""
        raise NotImplementedError

    def about_file(self, words: str) -> None:
        """Print what was done about a file as a whole: for people with the reports, for programs beside them."""
        self.note(words)

    def summary(
        self, counts: Counter[Verdict], compared: str | None, complete: bool, remarks: Sequence[str] = ()
    ) -> None:
        """Print how many traces have each verdict, how that compares with the expected ones, and remarks, if any."""

    def finish(self, status: int) -> int:
        """End the output of a call that has an exit status. Return the status."""
        return status


class Json(Printer):
    """One JSON object a trace."""

    def report(self, report: Report, remark: str | None, surprise: bool = False) -> None:
        outcome = report.outcome
        put_json(outcome.to_cited_json())
        if surprise and report.text_faults is None:
            self.note(f"{_place(outcome)}: {outcome.verdict.value} ({remark})")

    def listed(self, games: Listed) -> None:
        out = sys.stdout
        write: Callable[[str], int] = getattr(out, "write_printable", out.write)
        write(games.verdicts(json_text))


class Plain(Printer):
    """Text for people, without colour."""

    def __init__(self, verbose: bool) -> None:
        self.verbose = verbose
        self._advised: set[str] = set()
        self.unlisted = Unlisted()

    def paint(self, text: str, colour: str) -> str:
        return text

    def _short(self, message: str) -> str:
        """Return a message with its advice (`; did you mean ...`), the same advice only once."""
        words, _, advice = message.partition("; ")
        if message in self._advised:
            return words
        if advice and words.count("`") % 2 == 0 and len(self._advised) < MOST_ADVISED:
            self._advised.add(message)
        return message

    def write(self, text: str) -> None:
        sys.stdout.write(text)

    def about_file(self, words: str) -> None:
        self.write(f"{printable(words)}\n")

    def report(self, report: Report, remark: str | None, surprise: bool = False) -> None:
        unremarkable = report.outcome.verdict is Verdict.LEGAL if remark is None else not surprise
        self.is_listed = self.verbose or not (unremarkable or report.text_faults)
        if self.is_listed and not self.verbose and report.outcome.file != "-":  # whose reader may be waiting
            self.is_listed = not self.unlisted.takes(report)
        if self.is_listed:
            self.write("\n".join(self.lines(report, remark)) + "\n")

    def lines(self, report: Report, remark: str | None) -> list[str]:
        """Return the lines that are printed about a report."""
        outcome = report.outcome
        head = [_place(outcome), self.paint(outcome.verdict.value, COLOURS[outcome.verdict])]
        if outcome.id is not None:
            head.append(quoted(str(outcome.id)))
        if outcome.event:
            column = "" if outcome.at_column is None else f", column {outcome.at_column}"
            head.append(f"at event {outcome.event}, line {outcome.at}{column}")
        elif outcome.event == 0 and outcome.rules is not None:
            head.append("in its header")
        if remark is not None:
            head.append(f"({remark})")
        lines = ["  ".join(head)]
        for one in (one for one in outcome.rulings if one.event != outcome.event):
            lines.append(f"  event {one.event}, line {one.at}, stands though {one.message}")
            lines.append(f"  broken: {one.clause} in {outcome.rules}")
            lines.append(f"  ruling: {one.reason}")
        if report.refusal is not None or report.explanation is not None:
            from golpae.replay.explain import explained
            from golpae.report.games.refusal import refusal_lines

            explanation = explained(report)
            assert explanation is not None
            lines.extend(refusal_lines(explanation, outcome.clause, outcome.rules))
        elif report.text_faults is not None:
            lines.append(f"  its rules {quoted(str(outcome.rules))} have the faults shown above")
        elif outcome.message:
            lines.append(f"  {self._short(outcome.message)}")
        if outcome.open is not None:
            refused = outcome.verdict in (Verdict.ILLEGAL, Verdict.MALFORMED)
            end = "each breaks a rule, and this one goes furthest" if refused else "this one breaks no rule"
            lines.append(f"  the log does not say {outcome.open}: of {outcome.ways} ways to read it, {end}")
        return [lines[0], *(printable(line) for line in lines[1:])]

    def summary(
        self, counts: Counter[Verdict], compared: str | None, complete: bool, remarks: Sequence[str] = ()
    ) -> None:
        words = counted(counts, compared, complete)
        self.write("".join(f"{printable(line)}\n" for line in (*self.unlisted.lines(), words, *remarks)))


class Terminal(Plain):
    """Text for people at a terminal, with colour."""

    def paint(self, text: str, colour: str) -> str:
        return painted(text, colour)


def printer(form: str, verbose: bool) -> Printer:
    """Return the printer for `--format` and the kind of standard output."""
    if form == "json":
        return Json()
    return Terminal(verbose) if paint_of(sys.stdout) is painted else Plain(verbose)


def counted(counts: Counter[Verdict], compared: str | None, complete: bool) -> str:
    """Return how many traces have each verdict, and how that compares with the expected ones."""
    total = sum(counts.values())
    words = f"{total} trace{'s' * (total != 1)}"
    if total:
        words += ": " + ", ".join(f"{counts[v]} {v.value}" for v in Verdict if counts[v])
    if complete and counts[Verdict.INCOMPLETE]:
        words += " (incomplete ones count as illegal)"
    if compared:
        words += f"; {compared}"
    return words


def put_json(value: object) -> None:
    """Print a value as one line of JSON."""
    sys.stdout.write(json_text(value) + "\n")


def knows_all() -> bool:
    """Return whether standard output knows all characters."""
    return (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"


def json_text(value: object, utf8: bool | None = None) -> str:
    """Return a value as JSON on one line, which any terminal can show and none obeys. `utf8`: whoever reads it knows
    all characters; None: if standard output does.
    """
    import json

    if utf8 is None:
        utf8 = knows_all()
    text = json.dumps(value, ensure_ascii=not utf8, separators=(",", ":"))
    if not text.isprintable():
        text = "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in text)
    return text


def _place(outcome: Outcome) -> str:
    """Return where a trace begins: file and line."""
    name = "<stdin>" if outcome.file == "-" else outcome.file
    column = "" if outcome.column is None else f":{outcome.column}"
    return f"{printable(name)}:{outcome.line}{column}"


def printable(text: str) -> str:
    """Return text from a trace on one line of bounded length, without control characters."""
    short = text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
    return on_one_line(short)


def say_empty(file: str, unit: str = "trace") -> None:
    """Print that a file holds nothing of what a verb reads from it: golpae passes over no file without a word."""
    sys.stderr.write(f"golpae: {printable('<stdin>' if file == '-' else file)}: no {unit} in it\n")


def read_to_end(
    source: Source,
    items: Generator[Item, None, tuple[int, str] | None],
    progress: Progress,
    take: Callable[[Item], None],
    left_out: Callable[[], int] = lambda: 0,
) -> bool:
    """Take the items of a file as they come. Return whether it could be read to its end, else say where and why not. Of
    a damaged archive nothing is taken. `left_out` counts the games in all files that have no item.
    """
    before, none = left_out(), True
    from golpae.corpus.reading import NotOpened, refuse_damaged

    try:
        refuse_damaged(source)
    except NotOpened as refused:
        sys.stderr.write(f"golpae: `{source.shown}` cannot be read: {refused}\n")
        return False
    while True:
        try:
            item = next(items)
        except StopIteration as end:
            if end.value is not None:
                at, why = end.value
                sys.stderr.write(f"golpae: {source.shown}:{at}: {printable(why)}\n")
            elif none and left_out() == before:
                say_empty(source.name)
            return end.value is None
        none = False
        take(item)
        progress.done += 1


def all_of(
    source: Source,
    items: Generator[Item, None, tuple[int, str] | None],
    out: Printer,
    progress: Progress,
) -> Generator[Item, None, bool]:
    """Yield the items of a file as they come. Return whether the file could be read to its end."""
    none = True
    unread: tuple[int, str] | None = None
    while True:
        try:
            item = next(items)
        except StopIteration as end:
            unread = end.value
            break
        none = False
        yield item
        progress.done += 1
        if source.path == "-":
            sys.stdout.flush()  # whoever is at the other end may be waiting
    if none:
        out.empty(source)
    if unread is not None:
        out.fault(source.name, unread[1], unread[0])
    return unread is None
