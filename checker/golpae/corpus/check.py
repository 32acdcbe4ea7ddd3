"""Check a large file of recorded games.

Input: a stream, and the tables of a library. Output: what `replay` yields, in the same order; legal games may be
counted instead, as `Legal`.
Guarantee: verdicts are those of the reference. What the compiled path finds legal or incomplete is reported so; all
other traces the reference decides, from their headers on. It also replays one in `SAMPLED` of the former. Where the two
disagree, the reference is right, and `Paths` says so: it is a fault of golpae.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, BinaryIO

from golpae.corpus.noting import MOST_RUNNERS, TOO_LONG, UNUSUAL, CheckedTable, Noting, Tables
from golpae.corpus.paths import Legal, Listed, Paths, Reports
from golpae.corpus.text import Text
from golpae.replay.report import Report
from golpae.trace import MAX_LINE, Header, Verdict, blocks, is_header, lines_in, read_header
from golpae.trace.digest import digest_of

if TYPE_CHECKING:
    from golpae.kernel.runner import NotedTrace, Notes, Runner

PIECE = 1 << 13
"""Bytes that the reference reads at a time."""

LONGEST = 1 << 23
"""Bytes of a trace that is checked on the compiled path."""

_OWN = 0  # the signature of traces of the table that has noted them
_BEGINS = b'\n{"golpae'
_NOT_FIRST = 2  # a line before which a byte order mark is a fault
_NOT_REFUSED = (Verdict.LEGAL, Verdict.INCOMPLETE)
NO_ID = "null"  # the JSON of an id that is missing
TRIED = 200  # traces after which a table that is mostly referred is left to the reference


def check(
    stream: BinaryIO,
    file: str,
    tables: Tables,
    each: bool,
    paths: Paths | None = None,
    begin: int = 0,
    listed: bool = False,
) -> Reports:
    """Yield the reports on a file's traces, as `replay` does; unless `each`, legal games are counted. If they may be
    `listed`, legal games that are cited come together, as `Listed`.

    `paths` counts which way the traces went. So many bytes at the `begin` are for the reference, each line as it comes.
    """
    listed = listed and each and tables.cited
    checked = _Check(Text(blocks(stream), begin), file, tables, each and not listed, paths or Paths())
    checked.listed = listed
    return (yield from checked.run())


class _Check(Noting):
    """One file."""

    listed = False
    """Legal games come together, as `Listed`."""

    def __init__(self, text: Text, file: str, tables: Tables, each: bool, paths: Paths) -> None:
        super().__init__(file, tables, each, paths)
        self._text = text
        self._reference = self._one()
        self._stopped = 0  # where the module stopped the last time
        self._at, self._line = 0, 1
        self._known: dict[int, CheckedTable] = {}  # the tables of headers by their signatures
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
                yield from self._refer(self._at, self._line, _why(table))
                if table is not None:
                    table.bytes += text.before + self._at - begins
            else:
                yield from self._checked(table, table.runner)
        yield from self._counted()
        self._paths.lines += text.lines
        return self._reference.unread

    def _table_at(self, at: int) -> CheckedTable | None:
        """Return the table of the header on a line, or None if that has a fault or is none."""
        text = self._text
        while text.find(b"\n", at) < 0 and len(text.data) - at <= MAX_LINE and text.grow():
            pass
        header = self._header(at)
        return None if header is None else self._tables.table(header, text.before + at)

    # ------------------------------------------------------------------ the compiled path

    def _checked(self, table: CheckedTable, runner: Runner) -> Iterator[Report | Legal]:
        """Yield the reports on the traces of the window from here on, whose first one is of a table."""
        from golpae.kernel.traces import DONE, OTHER

        text = self._text
        runner.load(text.data)
        stopped = runner.check(self._at, self._line, text.whole_lines())
        noted, left = stopped.noted, None
        if stopped.why == DONE and not (text.ended and not text.damaged):
            left = noted.pop()  # whose next line may follow
        elif stopped.why == OTHER and not self._is_header(stopped.at):
            if not len(noted):  # the header that `check` began with
                yield from self._refer(stopped.at, stopped.line)
                return
            left = noted.pop()  # which has this line
        self._at, self._line = (stopped.at, stopped.line) if left is None else (left.at, left.line)
        if stopped.why == OTHER and left is None and not len(noted):
            yield from self._refer(stopped.at, stopped.line)
            return
        self._stopped = self._at
        yield from self._noted(noted, table)
        if left is None:
            return
        if stopped.why == DONE and not text.ended:
            text.drop(left.at, left.line)
            self._at = 0
            text.grow()
            return
        table = self._known.get(left.signature, table)
        reason = noted.reasons.get(len(noted)) or UNUSUAL
        for report in self._refer(left.at, left.line, reason):
            self._compare(left, table, report)
            yield report

    def _noted(self, noted: Notes, table: CheckedTable) -> Iterator[Report | Legal]:
        """Yield the reports on the traces that the module of a table has noted. Those of another table are checked when
        the first one of them is reached.
        """
        from golpae.kernel.traces import FOREIGN, OUTCOME

        tables, first, many = {_OWN: table}, 0, len(noted)
        outcomes = noted.words(OUTCOME)
        while first < many:
            cut = outcomes.index(FOREIGN, first) if FOREIGN in outcomes[first:] else many
            yield from self._decided(noted, first, cut, tables)
            if cut == many:
                return
            one = noted[cut]
            checked_table = self._table_of(one)
            if checked_table is None or checked_table.runner is None:
                yield from self._refer_noted(noted, cut, checked_table)
                first = cut + 1
                continue
            tables[one.signature] = checked_table
            checked_table.runner.load(self._text.data)
            checked_table.runner.check_noted(noted, one.signature, cut, self._stopped)
            outcomes, first = noted.words(OUTCOME), cut

    def _table_of(self, one: NotedTrace) -> CheckedTable | None:
        """Return the table of a trace by the signature of its header, or by the header."""
        known = self._known.get(one.signature)
        if known is not None and known.runner is not None:
            return known
        table = self._table_at(one.at)
        if table is not None:
            self._paths.missing = table.missing
            if table.runner is not None:
                if len(self._known) == MOST_RUNNERS:
                    self._known.clear()
                self._known[one.signature] = table
        return table

    def _decided(
        self, noted: Notes, first: int, end: int, tables: dict[int, CheckedTable]
    ) -> Iterator[Report | Legal]:
        """Yield the reports on the traces of these numbers, which modules have checked."""
        from golpae.kernel.traces import COMPLETE, OUTCOME

        outcomes = noted.words(OUTCOME, first, end)
        legal: Sequence[int] = range(first, end)
        others: list[int] = []
        if outcomes.count(COMPLETE) < len(outcomes):
            legal = [number for number, outcome in enumerate(outcomes, first) if outcome <= COMPLETE]
            others = [number for number, outcome in enumerate(outcomes, first) if outcome != COMPLETE]
        sampled = self._sampled(noted, legal)
        shown = sorted({*sampled, *others}) if not self._each else [*range(first, end)]
        for signature, many in _by_table(noted, legal, tables).items():
            tables[signature].noted += many
        at = first
        for number in shown:
            trace = noted[number]
            table = tables[trace.signature]
            is_legal = trace.outcome <= COMPLETE
            report = self._shown(trace, table, number in sampled) if is_legal else None
            if is_legal and report is None:
                continue
            yield from self._passed(noted, at, number, tables)
            at = number + 1
            yield from self._counted()
            if report is None:
                yield from self._refer_noted(noted, number, table)
            else:
                yield report
        yield from self._passed(noted, at, end, tables)
        self._paths.compiled += len(legal)

    def _passed(
        self, noted: Notes, first: int, end: int, tables: dict[int, CheckedTable]
    ) -> Iterator[Listed]:
        """Count the legal games of these numbers, or yield them if they are to be listed."""
        if not self.listed:
            self._legal(end - first, noted.events(first, end))
        elif first < end:
            yield self._list(noted, first, end, tables)

    def _list(self, noted: Notes, first: int, end: int, tables: dict[int, CheckedTable]) -> Listed:
        """Return the legal games of these numbers."""
        from golpae.kernel.traces import AT, ID, ID_END, LINE, SIGNATURE

        data, events = self._text.data, noted.events(first, end)
        at, lines = noted.words(AT, first, end), noted.words(LINE, first, end)
        last = noted[end] if end < len(noted) else None
        ends = [*at[1:], self._stopped if last is None else last.at]
        written = zip(noted.words(ID, first, end), noted.words(ID_END, first, end), strict=True)
        begins = at[0]
        try:
            text = str(data[begins : ends[-1]], "ascii")
            ids = [text[begin - begins : stop - begins] or NO_ID for begin, stop in written]
        except UnicodeDecodeError:
            ids = [str(data[begin:stop], "utf-8") or NO_ID for begin, stop in written]
        behind = self._line if last is None else last.line
        # Lines are as they are cited: none is blank, none has a carriage return.
        if behind - lines[0] == events + len(at) and self._text.find(b"\r", begins, ends[-1]) < 0:
            hashes = [sha256(data[begin:stop]).hexdigest() for begin, stop in zip(at, ends, strict=True)]
        else:
            hashes = [digest_of(bytes(data[begin:stop])) for begin, stop in zip(at, ends, strict=True)]
        signatures = noted.words(SIGNATURE, first, end)
        places = {signature: place for place, signature in enumerate(dict.fromkeys(signatures))}
        texts = tuple((self._rules_at(at[signatures.index(one)]), tables[one].spec_hash) for one in places)
        rules = [places[signature] for signature in signatures]
        return Listed(len(at), events, self._file, lines, ids, hashes, rules, texts)

    def _rules_at(self, at: int) -> str:
        """Return the name of the rules of a game that a module has read."""
        header = self._header(at)
        assert header is not None
        return header.rules

    def _header_of(self, trace: NotedTrace) -> Header | None:
        return self._header(trace.at)

    def _line_of(self, trace: NotedTrace) -> int:
        return trace.line

    def _text_of(self, trace: NotedTrace) -> bytes:
        # INVARIANT: a line that begins like a header is one, or the module has stopped there.
        end = self._text.find(_BEGINS, trace.at, self._stopped) + 1
        return bytes(self._text.data[trace.at : end or self._stopped])

    def _replayed(self, trace: NotedTrace) -> Report | None:
        data, one = self._text.data, self._one()
        pieces = (bytes(data[at : at + PIECE]) for at in range(trace.at, len(data), PIECE))
        return one.report(lines_in(pieces, trace.line, one.see))[0]

    # ------------------------------------------------------------------ the reference

    def _line_at(self, at: int) -> bytes:
        """Return the line that begins at a place of the window, as far as that has it."""
        end = self._text.find(b"\n", at) + 1
        return bytes(self._text.data[at : end or None])

    def _is_header(self, at: int) -> bool:
        """Return whether a line is the header of a trace, in order or not."""
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

    def _refer_noted(self, noted: Notes, number: int, table: CheckedTable | None) -> Iterator[Report | Legal]:
        """Yield the reports of the reference on a trace that was noted, and on others before the next one."""
        one = noted[number]
        end = noted[number + 1].at if number + 1 < len(noted) else self._stopped
        data, reference = self._text.data, self._reference
        pieces = (bytes(data[at : min(at + PIECE, end)]) for at in range(one.at, end, PIECE))
        read = lines_in(pieces, one.line, reference.see)
        reason = noted.reasons.get(number) or UNUSUAL
        if table is not None and table.runner is None:
            reason = table.why or reason
            table.bytes += end - one.at
        report, following = reference.report(read)
        yield from self._counted()
        while report is not None:
            if report.outcome.verdict in _NOT_REFUSED:
                self._paths.referred += 1
                self._paths.reasons[reason] += 1
            self._compare(one, table, report)
            yield report
            following = reference.behind(following, read)
            if following is None:
                return
            report, following = reference.after(following, read)

    def _compare(self, one: NotedTrace, table: CheckedTable | None, report: Report | Legal) -> None:
        """Count a trace that a module has not decided, with what the reference says of it."""
        from golpae.kernel.traces import FOREIGN, REFUSED

        if one.outcome == FOREIGN or isinstance(report, Legal) or report.outcome.line != one.line:
            return
        if table is not None:
            table.referred += 1
            if table.referred > max(TRIED, table.noted):
                table.give_up()
        if one.outcome == REFUSED and report.outcome.verdict in _NOT_REFUSED:
            self._paths.disagree.append(one.line)

    def _refer(self, at: int, line: int, reason: str = UNUSUAL) -> Iterator[Report | Legal]:
        """Yield the reports of the reference on the trace that begins on a line, and continue behind that trace.
        `reason` says why the reference reads it.
        """
        text = self._text
        begins, slow = text.before + at, text.is_slow(at)
        read = lines_in(text.pieces(at, PIECE), line, self._reference.see)
        report, following = self._reference.report(read)
        yield from self._counted()
        if report is not None:
            if report.outcome.verdict in _NOT_REFUSED and not slow:
                self._paths.referred += 1
                self._paths.reasons[reason] += 1
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


def _why(table: CheckedTable | None) -> str:
    """Return why the games of a table go to the reference, which are not compiled or do not fit into a window."""
    if table is None:
        return UNUSUAL
    return TOO_LONG if table.runner is not None else table.why or UNUSUAL


def _by_table(noted: Notes, numbers: Sequence[int], tables: Mapping[int, CheckedTable]) -> dict[int, int]:
    """Return how many traces of these numbers each table has, by its signature."""
    from golpae.kernel.traces import SIGNATURE

    if len(tables) == 1:
        return dict.fromkeys(tables, len(numbers))
    if isinstance(numbers, range):
        signatures = noted.words(SIGNATURE, numbers.start, numbers.stop)
        return {signature: signatures.count(signature) for signature in tables}
    signatures = noted.words(SIGNATURE)
    return Counter(signatures[number] for number in numbers)
