"""Check packed games, without their text where the compiled path decides.

Input: a file of packed games, and the tables of a library; or its library alone, and the reference decides. Output:
what `replay` yields for their text; legal games may be counted instead, as `Legal`.
Guarantee: as in `check`. Rows of another file than the one before begin a text of their own.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from golpae.corpus.noting import A_LINE, UNUSUAL, Noting, Tables
from golpae.corpus.paths import Legal, Paths, Reports
from golpae.replay.report import Report
from golpae.trace import DamagedArchive, Header, Verdict, lines_in, read_header
from golpae.trace.packed import DAMAGED, PackedText, Words, row_text, words_of

if TYPE_CHECKING:
    from golpae.kernel.runner import Column, NotedTrace, PackedRows, Runner

SAMPLED = 10_000
"""One game in so many that the compiled path has decided is replayed by the reference. One in `noting.SAMPLED` would
take a fifth of the time.
"""

TRIED = 200  # traces after which a table that is mostly referred is left to the reference
_NOT_FIRST = 2  # a line before which a byte order mark is a fault
_START = struct.Struct("<i")
_NOT_REFUSED = (Verdict.LEGAL, Verdict.INCOMPLETE)


def check_packed(
    text: PackedText, file: str, tables: Tables, compiles: bool, each: bool, paths: Paths
) -> Reports:
    """Yield the reports on packed games; unless `each`, legal ones are counted. `compiles`: on the compiled path."""
    return (yield from _Packed(text, file, tables, compiles, each, paths).run())


class _Rows:
    """A batch of rows."""

    def __init__(self, batch: Any, words: bytes) -> None:
        self.many: int = batch.num_rows
        self._batch, self.words = batch, words
        self._columns = {name: batch.column(name) for name in ("header", "events", "rare")}
        offset, (_, lines) = batch.column("lines").offset, batch.column("lines").buffers()
        self._lines = memoryview(lines).cast("i")[offset : offset + self.many]
        self._lines_at = int(lines.address) + _START.size * offset
        self._list: Words | None = None
        self._packed: PackedRows | None = None

    def packed(self) -> PackedRows:
        """Return the rows for a module."""
        from golpae.kernel.runner import PackedRows

        if self._packed is None:
            header, events, rare = (self._column(name) for name in ("header", "events", "rare"))
            self._packed = PackedRows(
                self.many, self.words, header, events, rare, self._lines_at, self._batch
            )
        return self._packed

    def _column(self, name: str) -> Column:
        from golpae.kernel.runner import Column

        column = self._columns[name]
        _, starts, data = column.buffers()
        first = starts.address + _START.size * column.offset
        at = _START.size * (column.offset + self.many)
        size: int = _START.unpack(starts[at : at + _START.size].to_pybytes())[0]
        return Column(first, 0 if data is None else data.address, size)

    def header(self, row: int) -> bytes:
        held: bytes = self._columns["header"][row].as_py()
        return held

    def text(self, row: int) -> bytes:
        """Return the text of a row. Raises `DamagedArchive`."""
        if self._list is None:
            self._list = words_of(self.words)
        events, rare = self._columns["events"][row].as_py(), self._columns["rare"][row].as_py()
        lines = self._batch.column("lines")[row].as_py()
        held = row_text(self.header(row), events, rare, lines, self._list)
        return held.removeprefix(b"\xef\xbb\xbf") if self._batch.column("line")[row].as_py() == 1 else held

    def lines(self, row: int) -> int:
        """Return how many lines a row has."""
        return bool(self.header(row)) + self._lines[row]


class _Packed(Noting):
    """One file, or some groups of its rows."""

    sampled = SAMPLED

    def __init__(
        self, text: PackedText, file: str, tables: Tables, compiles: bool, each: bool, paths: Paths
    ) -> None:
        super().__init__(file, tables, each, paths)
        self._packed, self._compiles = text, compiles
        self._reference = self._one()
        self._rows: _Rows
        self._line = 1  # where the row begins that is checked next

    def run(self) -> Reports:
        words = b""
        try:
            for batch in self._packed.file().batches(self._packed.first, self._packed.end):
                new = batch.column("words")
                cuts = [0, batch.num_rows]
                if new.null_count < len(new) - new[0].is_valid:  # as golpae does not write them
                    cuts[1:1] = [row for row in range(1, len(new)) if new[row].is_valid]
                for first, end in pairwise(cuts):
                    if new[first].is_valid:
                        words = new[first].as_py()
                        if words and not words.endswith(b"\0"):
                            raise DamagedArchive(DAMAGED)
                    self._rows = _Rows(batch.slice(first, end - first), words)
                    yield from self._batch()
        except (DamagedArchive, OSError) as fault:
            yield from self._broken_off(fault)
        yield from self._counted()
        self._paths.lines += self._line - 1
        return self._reference.unread

    def _batch(self) -> Iterator[Report | Legal]:
        from golpae.kernel.traces import DONE, FULL, ILLEGAL, OTHER

        row, rows = 0, self._rows
        while row < rows.many:
            header = self._header(row) if self._compiles else None
            table = None if header is None else self._tables.table(header, (self._line - 1) * A_LINE)
            if table is None or table.runner is None:
                yield from self._refer(row, None if table is None else table.why)
                if table is not None:
                    table.bytes += rows.lines(row) * A_LINE
                row += 1
                continue
            runner: Runner = table.runner
            try:
                runner.load_rows(rows.packed())
            except MemoryError:
                table.runner = None
                continue
            stopped = runner.check_rows(row, self._line)
            yield from self._reports(table, stopped.noted)
            before, row = row, stopped.row
            self._line = stopped.line
            if stopped.why in (DONE, FULL) or (stopped.why == OTHER and row > before):
                continue
            if stopped.why != OTHER:
                table.referred += 1
                if table.referred > max(TRIED, table.noted):
                    table.give_up()
            yield from self._refer(row, stopped.reason, stopped.why == ILLEGAL)
            row += 1

    def _refer(self, row: int, reason: str | None, illegal: bool = False) -> Iterator[Report | Legal]:
        """Yield the reports of the reference on a row. `illegal`: the compiled path finds no legal game there."""
        text = self._rows.text(row)
        line = self._line
        self._line += self._rows.lines(row)
        if not text:
            return
        read = lines_in(iter([text]), line, self._reference.see)
        report, following = self._reference.report(read)
        yield from self._counted()
        while report is not None:
            if self._compiles and report.outcome.verdict in _NOT_REFUSED:
                self._paths.referred += 1
                self._paths.reasons[reason or UNUSUAL] += 1
                if illegal:
                    self._paths.disagree.append(report.outcome.line)
            yield report
            following = self._reference.behind(following, read)
            if following is None:
                break
            report, following = self._reference.after(following, read)

    def _broken_off(self, fault: DamagedArchive | OSError) -> Iterator[Report | Legal]:
        """Yield the report that the reference makes of a fault."""

        report, _ = self._reference.report(lines_in(map(_raised, [fault]), self._line))
        yield from self._counted()
        if report is not None:
            yield report

    # ------------------------------------------------------------------ rows that the module has noted

    def _header(self, row: int) -> Header | None:
        """Return the header of a row, or None if it has a fault or is none."""
        _, line, fault = next(lines_in(iter([self._rows.header(row)]), _NOT_FIRST), (0, None, None))
        if line is None or fault is not None:
            return None
        if self._tables.rules is not None and isinstance(line.get("rules"), str):
            line = {**line, "rules": self._tables.rules}
        header = read_header(line)
        return None if isinstance(header, str) else header

    def _header_of(self, trace: NotedTrace) -> Header | None:
        return self._header(trace.at)

    def _line_of(self, trace: NotedTrace) -> int:
        return trace.line

    def _text_of(self, trace: NotedTrace) -> bytes:
        return self._rows.text(trace.at)

    def _replayed(self, trace: NotedTrace) -> Report | None:
        one = self._one()
        return one.report(lines_in(iter([self._text_of(trace)]), self._line_of(trace), one.see))[0]


def _raised(fault: Exception) -> bytes:
    raise fault
