"""Check a large file of recorded games.

Input: a stream, and the tables of a library. Output: what `replay` yields, in the same order; legal games may be
counted instead, as `Legal`.
Guarantee: verdicts are those of the reference. What the compiled path finds legal or incomplete is reported so; all
other traces the reference decides, from their headers on. It also replays one in `SAMPLED` of the former. Where the two
disagree, the reference is right, and `Paths` says so: it is a fault of golpae.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO

from golpae.corpus.noting import MOST_RUNNERS, Noting, Table, Tables
from golpae.corpus.paths import Legal, Paths, Reports
from golpae.corpus.text import Text
from golpae.replay.report import Report
from golpae.trace import MAX_LINE, Header, Verdict, blocks, is_header, lines_in, read_header

if TYPE_CHECKING:
    from golpae.kernel.runner import Noted, Runner

PIECE = 1 << 13
"""Bytes that the reference reads at a time."""

LONGEST = 1 << 22
"""Bytes of a trace that is checked on the compiled path."""

_PLAIN = re.compile(
    rb'\{"golpae":1,"rules":"([A-Za-z0-9+_-]{1,200})","players":\[("[^"\\\x00-\x1f]*"(?:,"[^"\\\x00-\x1f]*")*)\]\}\n'
)
_BEGINS = b'\n{"golpae'
_NOT_FIRST = 2  # a line before which a byte order mark is a fault
_NOT_REFUSED = (Verdict.LEGAL, Verdict.INCOMPLETE)
TRIED = 200  # traces after which a table that is mostly referred is left to the reference


def check(
    stream: BinaryIO, file: str, tables: Tables, each: bool, paths: Paths | None = None, begin: int = 0
) -> Reports:
    """Yield the reports on a file's traces, as `replay` does; unless `each`, legal games are counted.

    `paths` counts which way the traces went. So many bytes at the `begin` are for the reference, each line as it comes.
    """
    return (yield from _Check(Text(blocks(stream), begin), file, tables, each, paths or Paths()).run())


class _Check(Noting):
    """One file."""

    def __init__(self, text: Text, file: str, tables: Tables, each: bool, paths: Paths) -> None:
        super().__init__(file, tables, each, paths)
        self._text = text
        self._reference = self._one()
        self._stopped = 0  # where the module stopped the last time
        self._at, self._line = 0, 1
        self._known: dict[tuple[bytes, int], Table] = {}  # the tables of plain headers
        self._done = False

    def run(self) -> Reports:
        text = self._text
        while not self._done:
            if self._at >= len(text.data):
                text.drop(self._at, self._line)
                self._at = 0
                if not text.grow() and not text.damaged:
                    break
            table = None if text.is_slow(self._at) else self._table_at(self._at)
            if table is not None:
                self._paths.missing = table.missing
            if table is None or table.runner is None or len(text.data) > LONGEST:
                begins = text.before + self._at
                yield from self._refer(self._at, self._line, None if table is None else table.why)
                if table is not None:
                    table.bytes += text.before + self._at - begins
            else:
                yield from self._checked(table, table.runner)
        yield from self._counted()
        self._paths.lines += text.lines
        return self._reference.unread

    def _table_at(self, at: int) -> Table | None:
        """Return the table of the header on a line, or None if that has a fault or is none."""
        text = self._text
        while text.data.find(b"\n", at) < 0 and len(text.data) - at <= MAX_LINE and text.grow():
            pass
        plain = self._plain(at)
        if plain is not None and plain in self._known:
            return self._known[plain]
        header = self._header(at)
        table = None if header is None else self._tables.table(header, text.before + at)
        if plain is not None and table is not None and table.runner is not None:
            if len(self._known) == MOST_RUNNERS:
                self._known.clear()
            self._known[plain] = table
        return table

    def _plain(self, at: int) -> tuple[bytes, int] | None:
        """Return the rules of a header that is written in the plainest way, and how many names follow the first; else
        None.
        """
        found = _PLAIN.match(self._text.data, at)
        if found is None or not _is_text(found[2]):
            return None
        return found[1], found[2].count(b'","')

    # ------------------------------------------------------------------ the compiled path

    def _checked(self, table: Table, runner: Runner) -> Iterator[Report | Legal]:
        from golpae.kernel.traces import DONE, ILLEGAL, OTHER

        text = self._text
        end = text.whole_lines()
        runner.load(text.data)
        stopped = runner.check(self._at, self._line, end, text.ended and not text.damaged)
        noted, is_open = stopped.noted, stopped.open is not None
        self._stopped = stopped.at
        yield from self._reports(table, noted)
        if stopped.why == OTHER and is_open and self._is_header(stopped.at):
            yield from self._reports(table, runner.closed(stopped))
            is_open = False
        self._at, self._line = stopped.at, stopped.line
        if stopped.open is None or not is_open:
            if (
                stopped.why == OTHER and stopped.open is None and not len(noted)
            ):  # the header that `check` began with
                yield from self._refer(stopped.at, stopped.line)
            return
        if stopped.why == DONE and not text.ended:
            text.drop(stopped.open, stopped.open_line)
            self._at, self._line = 0, stopped.open_line
            text.grow()
            return
        table.referred += 1
        if table.referred > max(TRIED, table.noted):
            table.runner = None
        for report in self._refer(stopped.open, stopped.open_line, stopped.reason):
            if (
                stopped.why == ILLEGAL
                and isinstance(report, Report)
                and report.outcome.verdict in _NOT_REFUSED
            ):
                self._paths.disagree.append(stopped.open_line)
            yield report

    def _header_of(self, trace: Noted) -> Header | None:
        return self._header(trace.at)

    def _line_of(self, trace: Noted) -> int:
        return trace.line

    def _text_of(self, trace: Noted) -> bytes:
        # INVARIANT: a line that begins like a header is one, or the module has stopped there.
        data = self._text.data
        end = data.find(_BEGINS, trace.at, self._stopped) + 1
        return data[trace.at : end or self._stopped]

    def _replayed(self, trace: Noted) -> Report | None:
        data, one = self._text.data, self._one()
        pieces = (data[at : at + PIECE] for at in range(trace.at, len(data), PIECE))
        return one.report(lines_in(pieces, trace.line, one.see))[0]

    # ------------------------------------------------------------------ the reference

    def _line_at(self, at: int) -> bytes:
        """Return the line that begins at a place of the window, as far as that has it."""
        end = self._text.data.find(b"\n", at) + 1
        return self._text.data[at : end or None]

    def _is_header(self, at: int) -> bool:
        """Return whether a line is the header of a trace, in order or not."""
        if self._plain(at) is not None:
            return True
        _, line, _ = next(lines_in(iter([self._line_at(at)]), _NOT_FIRST), (0, None, None))
        return line is not None and is_header(line)

    def _header(self, at: int) -> Header | None:
        """Return the header on a line, or None if it has a fault or is none."""
        _, line, fault = next(lines_in(iter([self._line_at(at)]), _NOT_FIRST), (0, None, None))
        if line is None or fault is not None:
            return None
        if self._tables.rules is not None and isinstance(line.get("rules"), str):
            line = {**line, "rules": self._tables.rules}
        header = read_header(line)
        return None if isinstance(header, str) else header

    def _refer(self, at: int, line: int, reason: str | None = None) -> Iterator[Report | Legal]:
        """Yield what the reference says about the trace that begins on a line, and go on behind it. `reason` says what
        in the rules is referred.
        """
        text = self._text
        begins, slow = text.before + at, text.is_slow(at)
        read = lines_in(text.pieces(at, PIECE), line, self._reference.see)
        report, following = self._reference.report(read)
        yield from self._counted()
        if report is not None:
            if report.outcome.verdict in _NOT_REFUSED and not slow:
                self._paths.referred += 1
                self._paths.reasons[reason or "a reason of the game"] += 1
            yield report
            following = self._reference.behind(following, read)
        while following is not None and text.cut:  # a line begins before the window: the reference reads on
            report, following = self._reference.after(following, read)
            yield report
            following = self._reference.behind(following, read)
        if following is None:
            self._done = True
        else:
            self._at, self._line = text.position(following[0], begins, line), following[0]


def _is_text(held: bytes) -> bool:
    try:
        held.decode()
    except UnicodeDecodeError:
        return False
    return True
