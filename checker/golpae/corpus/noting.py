"""What both ways to check many traces on the compiled path share: compiled tables, and reports on legal traces.

Input: the tables of a library; what a module has noted. Output: compiled tables; reports.
Guarantee: one in `SAMPLED` of the first traces that a module has decided, later one in `RARELY`, is replayed by the
reference. Where the two disagree, the reference is right, and `Paths` says so.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from golpae.corpus.paths import FEW, GIVEN_UP, LARGE, Legal, Paths
from golpae.replay.machine_cache import MOST_OPTIONS, Library
from golpae.replay.replay import OneTrace
from golpae.replay.report import Report
from golpae.trace import Header, Outcome, Verdict
from golpae.trace.digest import digest_of
from golpae.trace.ruling import Rulings

if TYPE_CHECKING:
    from golpae.kernel.runner import NotedTrace, Notes, Runner

SAMPLED = 1_000
"""One trace in so many that the compiled path has decided is replayed by the reference, too, or one behind it."""

MANY, RARELY = 10_000, 10_000
"""Behind so many traces, and behind the first part of a file that is checked in parts, it is one in so many: the
reference may take 250 times as long as a module."""

LONG = 1_000
"""Events of a trace that is long, unless so many are less than one in `SAMPLED` of all events so far."""

NEAR = 100
"""Traces, from one on, of which one that is not long is replayed."""

MOST_RUNNERS = 16

REPAYS = 1 << 19
"""Bytes of a table's games for which compiling it pays: the reference takes as long for them, about."""

SURE = 4 << 10
"""Bytes of a table's games behind which its share of a file is known, about."""

A_GAME = 1 << 10
"""Bytes of a game, as long as nobody knows better."""

A_LINE = 40
"""Bytes of a line, about, where the text is not at hand."""

MOST_WAITING = 10_000
"""Tables whose games are counted until they repay compiling; the first ones are forgotten."""


UNUSUAL = "lines that are not written in the usual way, such as with escapes or unusual spaces"
"""Why a game went to the reference that is compiled, and in which the compiled path found no illegal event."""

TOO_LONG = "games that are very long"
"""Why a game went to the reference that does not fit into a window."""


@dataclass(slots=True)
class CheckedTable:
    """A rule set at a table, compiled; None if it cannot be, for a `reason`, does not repay it, or if what runs modules
    is `missing`, in words. As long as it is `waiting`, nobody knows whether its games repay it; so many bytes of them
    the reference has read until now.
    """

    runner: Runner | None
    reason: str | None = None
    spec_hash: str | None = None
    noted: int = 0
    referred: int = 0
    missing: str | None = None
    waiting: bool = False
    bytes: int = 0

    @property
    def why(self) -> str | None:
        """Why its games go to the reference, if there is a reason in the rules or in the file."""
        return FEW if self.waiting else self.reason

    def give_up(self) -> None:
        """Leave its games to the reference from now on."""
        self.runner, self.reason = None, GIVEN_UP


class Tables:
    """The rule sets of a library at tables, compiled when their games repay it; the most recent ones are kept.

    `rules` replaces those of the headers. If traces are `cited`, reports have hashes. `rulings` let events stand.
    Unless `explained`, illegal traces have no message.
    """

    def __init__(
        self,
        library: Library,
        rules: str | None = None,
        cited: bool = False,
        rulings: Rulings = (),
        explained: bool = True,
    ) -> None:
        self.size = 0  # bytes of the file that is read, if it is known
        self.explained = explained
        self.library, self.rules, self.cited, self.rulings = library, rules, cited or bool(rulings), rulings
        self._tables: OrderedDict[object, CheckedTable] = OrderedDict()
        self._waiting: dict[object, CheckedTable] = {}

    def table(self, header: Header, behind: int = 0) -> CheckedTable:
        """Return the table that a header names, so many bytes `behind` the beginning of a file.

        It is compiled if its games will be worth that: those that were read, and those to come, if the rest of the file
        has as many of them. Unless its `size` is known, and enough of them were read, it counts as long as what was
        read. A file of one table has it compiled at once.
        """
        if len(header.options) > MOST_OPTIONS:
            return CheckedTable(None)
        key = (header.rules, len(header.players), tuple(sorted(header.options.items())))
        if key in self._tables:
            self._tables.move_to_end(key)
            return self._tables[key]
        table = self._waiting.setdefault(key, CheckedTable(None, waiting=True))
        if len(self._waiting) > MOST_WAITING:
            del self._waiting[next(iter(self._waiting))]
        to_come = max(behind, LARGE) * (table.bytes + A_GAME) // (behind + A_GAME)
        if table.bytes >= SURE:
            to_come = max(to_come, (self.size - behind) * table.bytes // (behind + A_GAME))
        if table.bytes + to_come < REPAYS:
            return table
        del self._waiting[key]
        self._compile(table, header)
        self._tables[key] = table
        if len(self._tables) > MOST_RUNNERS:
            self._tables.popitem(last=False)  # if more games of it come, they have to repay it again
        return table

    def _compile(self, table: CheckedTable, header: Header) -> None:
        """Compile a table, if it can be."""
        table.waiting = False
        machine = self.library.machine(header.rules, len(header.players), header.options)
        from golpae.kernel.language.host import available, why_not

        table.missing = why_not()
        if not isinstance(machine, str) and available():
            from golpae.kernel.runner import Runner
            from golpae.kernel.unsupported import NotCompiled

            try:
                written = header.rules if self.rules is None else None
                table.spec_hash = machine.rules.spec_hash
                table.runner = Runner(machine.instance, written, machine.may_be_long)
            except (NotCompiled, MemoryError) as fault:
                table.reason = str(fault) or "too little memory"


class Noting:
    """Reports on the traces of one file that a module has noted; the reference replays one in so many as `sampled`."""

    sampled = SAMPLED

    def __init__(self, file: str, tables: Tables, each: bool, paths: Paths) -> None:
        self._file, self._tables = file, tables
        self._paths, self._each = paths, each
        self._games = self._events = self._all = 0

    def _reports(self, table: CheckedTable, noted: Notes) -> Iterator[Report | Legal]:
        """Yield the reports on traces of a table whose events are all legal."""
        many = len(noted)
        sampled = self._sampled(noted, range(many))
        shown = sorted({*sampled, *noted.incomplete()}) if not self._each else [*range(many)]
        at = 0
        for number in shown:
            trace = noted[number]
            report = self._shown(trace, table, number in sampled)
            if report is None:
                continue
            self._legal(number - at, noted.events(at, number))
            at = number + 1
            yield from self._counted()
            yield report
        self._legal(many - at, noted.events(at, many))
        table.noted += many
        self._paths.compiled += many

    def _shown(self, trace: NotedTrace, table: CheckedTable, is_sampled: bool) -> Report | None:
        """Return the report on a trace whose events are all legal, None if it is only counted. If it is sampled, that
        is the report of the reference if this says something else.
        """
        replayed = self._differing(trace, table) if is_sampled else None
        if replayed is not None:
            self._paths.disagree.append(replayed.outcome.line)
        elif trace.complete and not self._each:
            return None
        return replayed or self._report(trace, table)

    def _sampled(self, noted: Notes, legal: Sequence[int]) -> set[int]:
        """Return the numbers of the traces that the reference replays, of those whose events are all legal."""
        from golpae.kernel.traces import EVENTS

        if isinstance(legal, range):
            self._all += noted.events(legal.start, legal.stop)
        else:
            self._all += sum(map(noted.words(EVENTS).__getitem__, legal))
        most, out = max(LONG, self._all // self.sampled), set[int]()
        is_first = self._paths.compiled < MANY and not self._paths.goes_on
        each = self.sampled if is_first else max(self.sampled, RARELY)
        for first in range(-self._paths.compiled % each, len(legal), each):
            near = legal[first : first + NEAR]
            out |= {*[number for number in near if noted[number].events <= most][:1]}
        return out

    def _legal(self, games: int, events: int) -> None:
        """Count legal games, which are told together."""
        self._games += games
        self._events += events

    def _counted(self) -> Iterator[Legal]:
        """Yield the legal games that were counted since the last report."""
        if self._games:
            yield Legal(self._games, self._events)
            self._games = self._events = 0

    def _report(self, trace: NotedTrace, table: CheckedTable) -> Report:
        """Return the report on a trace whose events are all legal."""
        verdict = Verdict.LEGAL if trace.complete else Verdict.INCOMPLETE
        header = self._header_of(trace)
        assert header is not None
        outcome = Outcome(self._file, self._line_of(trace), header.id, header.rules, verdict)
        if self._tables.cited:
            digest = digest_of(self._text_of(trace))
            outcome = replace(outcome, spec_hash=table.spec_hash, trace_hash=digest)
        return Report(outcome, events=trace.events)

    def _differing(self, trace: NotedTrace, table: CheckedTable) -> Report | None:
        """Return the report of the reference on a trace if it differs from that of the compiled path; else None."""
        report, expected = self._replayed(trace), self._report(trace, table)
        if report is None or (report.outcome, report.events) != (expected.outcome, expected.events):
            return report
        return None

    def _one(self) -> OneTrace:
        """Return the reference."""
        tables = self._tables
        told = tables.rules, tables.cited, tables.rulings, tables.explained
        return OneTrace(self._file, tables.library, *told)

    def _header_of(self, trace: NotedTrace) -> Header | None:
        """Return the header of a trace."""
        raise NotImplementedError

    def _line_of(self, trace: NotedTrace) -> int:
        """Return the line on which a trace begins."""
        raise NotImplementedError

    def _text_of(self, trace: NotedTrace) -> bytes:
        """Return the text of a trace."""
        raise NotImplementedError

    def _replayed(self, trace: NotedTrace) -> Report | None:
        """Return the report of the reference on a trace."""
        raise NotImplementedError
