"""Check the traces of one source: by the reference, or on the compiled path where that pays.

Input: a stream of a source, and the rules. Output: what `replay` yields; unless `each`, legal games of a large source
may be counted instead.
Guarantee: small sources load nothing of the compiled path.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import replace
from functools import partial
from io import BytesIO
from itertools import islice
from typing import TYPE_CHECKING, BinaryIO, cast

from golpae.corpus.parts import Cuts
from golpae.corpus.paths import ENDINGS, Legal, Listed, Look, Paths, Reports, begin, each_changed, is_large
from golpae.records import dataclass
from golpae.replay.machine_cache import Library
from golpae.replay.replay import OneTrace
from golpae.replay.report import Report
from golpae.trace import DamagedArchive, Source, Verdict
from golpae.trace.decompress import damage
from golpae.trace.log_text import LogText, Reading, Recorded, log_text
from golpae.trace.packed import packed_text
from golpae.trace.ruling import Rulings
from golpae.unreadable import reason_of

if TYPE_CHECKING:
    from golpae.corpus.noting import Tables


MOST_WAYS = 1_000
"""Ways to read one game of a log that are tried."""

_REFUSED = (Verdict.ILLEGAL, Verdict.MALFORMED)
_TRY_ON = (*_REFUSED, Verdict.UNKNOWN)  # a game that can be read in other ways is read in them


class NotOpened(Exception):
    """A source cannot be opened, for this reason: a file may have gone since it was listed."""


class NoCluster(Exception):
    """The scheduler of a cluster does not answer, and why."""


def open_source(source: Source) -> BinaryIO:
    """Open a source. Raises `NotOpened`."""
    try:
        return source.open()
    except OSError as fault:
        raise NotOpened(reason_of(fault)) from None


def refuse_damaged(source: Source) -> None:
    """Read an archive to its end once. Raises `NotOpened` if it does not hold what was put into it: nobody knows which
    of its games are sound. One whose end is missing is not refused, nor packed games, which tell by themselves.
    """
    fault = _damage(source) if _is_archive(source) else None
    if fault is not None:
        raise NotOpened(str(fault))


class Reader:
    """Checks sources by the rules of a library; `rules` replaces those of the headers. If traces are `cited`, reports
    have hashes. `rulings` let events stand that break a rule. `look` is how else games are looked at. If legal games
    may be `listed`, those of large files come together, as `Listed`. Unless `explained`, illegal traces have
    no message.
    """

    def __init__(
        self,
        library: Library,
        rules: str | None = None,
        cited: bool = False,
        rulings: Rulings = (),
        look: Look | None = None,
        listed: bool = False,
        explained: bool = True,
    ) -> None:
        self.library, self.rules, self.cited, self.rulings = library, rules, cited, rulings
        self.look, self.listed, self.explained = look, listed, explained
        self._tables: Tables | None = None

    def reports(self, source: Source, stream: BinaryIO, each: bool, counts: Paths) -> Reports:
        """Yield the reports on the traces of a source. `counts` is told which way they went.

        Games of a damaged archive say nothing behind the damage: the first one that is refused has the damage as its
        fault, and no other follows.
        """
        log = log_text(stream)
        if log is not None:
            return (yield from self._of_log(source, log, each, counts))
        found = self._reports(source, stream, each, counts, self.listed)
        sound = not _is_archive(source)
        while True:
            try:
                item = next(found)
            except StopIteration as end:
                return cast("tuple[int, str] | None", end.value)
            if not sound and isinstance(item, Report) and item.outcome.verdict in _REFUSED:
                sound, fault = True, _damage(source)
                if fault is not None:
                    yield _of_damage(item, str(fault))
                    return None
            yield item

    def _of_log(self, source: Source, log: LogText, each: bool, counts: Paths) -> Reports:
        """Yield the reports on the games of a log, at their places in it. A game that can be read in several ways is
        read in others until one has no fault; if all have one, the way counts that gets furthest. What the log lists
        as legal is compared with the rules.
        """
        if any(game.first.listings for game in log.games):
            reports: Reports = self._by_replay(source, cast("BinaryIO", CountedStream(log, counts)))
        else:
            reports = self._reports(source, log, each, counts)
        return (yield from each_changed(reports, partial(self._placed, source, log)))

    def _placed(self, source: Source, log: LogText, report: Report | Legal) -> Report | Legal:
        if isinstance(report, Legal):
            return report
        game = log.game(report.outcome.line)
        if game.others is None or report.outcome.verdict not in _TRY_ON:
            return self.in_log(game.first, report)
        reading, best, tried = self._best(source, game, report)
        best = replace(best, outcome=replace(best.outcome, ways=tried, open=game.open))
        return self.in_log(reading, best)

    def in_log(self, reading: Reading, report: Report) -> Report:
        """Return the report on a game with its places in the log, or one on what the log lists as legal there."""
        report = placed(report, reading)
        if not reading.listings:
            return report
        from golpae.corpus.listed import at_odds

        return at_odds(reading, report, self.library, self.rules)

    def best_reading(self, source: Source, game: Recorded) -> Reading:
        """Return the way to read a game of a log that gets furthest."""
        return self._best(source, game, self._judged(source, game.first))[0]

    def _best(self, source: Source, game: Recorded, first: Report) -> tuple[Reading, Report, int]:
        """Return the way to read a game that gets furthest, the report on it, and how many ways were tried."""
        reading, best, tried = game.first, first, 1
        others = islice(game.others(), MOST_WAYS - 1) if game.others is not None else ()
        for other in others:
            if best.outcome.verdict not in _TRY_ON:
                break
            tried += 1
            own = self._judged(source, other)
            if _furthest(own) > _furthest(best):
                reading, best = other, own
        return reading, best, tried

    def _judged(self, source: Source, reading: Reading) -> Report:
        return next(self._by_replay(source, BytesIO(reading.text)))

    def _by_replay(self, source: Source, stream: BinaryIO) -> Generator[Report, None, tuple[int, str] | None]:
        if self.look is not None:
            from golpae.corpus.seen import reports_on_seen

            one = OneTrace(source.name, self.library, self.rules, self.cited, self.rulings)
            return reports_on_seen(one, source.name, stream, self.library, self.look)
        traces = OneTrace(source.name, self.library, self.rules, self.cited, self.rulings, self.explained)
        return traces.reports(stream)

    def _reports(
        self, source: Source, stream: BinaryIO, each: bool, counts: Paths, listed: bool = False
    ) -> Reports:
        packed, large = packed_text(stream), is_large(source, paths=counts)
        if self.look is not None:
            return (yield from self._by_replay(source, cast("BinaryIO", CountedStream(stream, counts))))
        if not large and packed is None:
            return (yield from self._by_replay(source, cast("BinaryIO", CountedStream(stream, counts))))
        from golpae.corpus.check import check
        from golpae.corpus.noting import Tables

        if self._tables is None:
            self._tables = Tables(self.library, self.rules, self.cited, self.rulings, self.explained)
        is_text = packed is None and not source.path.endswith(ENDINGS)
        self._tables.size = (source.size() or 0) if is_text else 0
        if packed is not None:
            from golpae.corpus.packed import check_packed

            return (yield from check_packed(packed, source.name, self._tables, large, each, counts))
        return (yield from check(stream, source.name, self._tables, each, counts, begin(source), listed))


@dataclass(frozen=True, slots=True)
class CheckTraces:
    """Check sources, in any process: `library` makes the rules, which `rules` replaces if it is not None. Unless
    `each`, legal games may be counted; unless `explained`, nobody asks for the explanations of refusals; unless
    `cited`, for hashes. `rulings` let events stand that break a rule. `look` is how else games are looked at. Legal
    games may be `listed` together.
    """

    library: Callable[[], Library]
    rules: str | None
    each: bool
    explained: bool
    cited: bool = False
    rulings: Rulings = ()
    look: Look | None = None
    listed: bool = False

    @property
    def cuts(self) -> Cuts:
        """Where sources may be cut: nowhere if a ruling names the line of a trace."""
        by_line = any(":" in ruling.trace for ruling in self.rulings)
        return Cuts.NOWHERE if by_line else Cuts.AT_HEADERS

    def begin(self) -> Callable[[Source, BinaryIO, Paths], Reports]:
        reader = Reader(self.library(), self.rules, self.cited, self.rulings, self.look, self.listed)

        def reports(source: Source, stream: BinaryIO, counts: Paths) -> Reports:
            read_reports = reader.reports(source, stream, self.each, counts)
            return (yield from each_changed(read_reports, lambda item: _portable(item, self.explained)))

        return reports

    def shifted(self, item: Report | Legal, lines: int) -> Report | Legal:
        """Return a report on a trace that has so many lines more before it."""
        if isinstance(item, Listed):
            return replace(item, lines=[line + lines for line in item.lines])
        if isinstance(item, Legal) or not lines:
            return item
        outcome = item.outcome
        at = None if outcome.at is None else outcome.at + lines
        ruled = tuple(replace(one, at=one.at + lines) for one in outcome.rulings)
        return replace(item, outcome=replace(outcome, line=outcome.line + lines, at=at, rulings=ruled))

    def weight(self, item: Report | Legal) -> int:
        return item.games if isinstance(item, Listed) else 1


def _portable(item: Report | Legal, is_explained: bool) -> Report | Legal:
    """Return a report without what cannot leave its process."""
    if isinstance(item, Legal) or (item.refusal is None and item.end is None):
        return item
    return replace(item, refusal=None, end=None, explanation=item.explanation if is_explained else None)


def _furthest(report: Report) -> tuple[bool, bool, int]:
    """Return how well a game goes: without a fault, perhaps without one, or up to the event at fault."""
    outcome = report.outcome
    return outcome.verdict not in _TRY_ON, outcome.verdict not in _REFUSED, outcome.event or 0


def placed(report: Report, reading: Reading) -> Report:
    """Return a report on a game of a log, at its places there."""
    outcome, places = report.outcome, reading.places
    first = outcome.line
    at = None if outcome.at is None else reading.place(outcome.at - first, outcome.clause)
    if reading.fault is not None and outcome.at == first + len(places) - 1:
        outcome = replace(outcome, message=reading.fault)
    ruled = tuple(replace(one, at=places[one.at - first].line) for one in outcome.rulings)
    begin = places[0]
    outcome = replace(
        outcome,
        line=begin.line,
        column=begin.column,
        at=None if at is None else at.line,
        at_column=None if at is None else at.column,
        rulings=ruled,
    )
    return replace(report, outcome=outcome)


def _is_archive(source: Source) -> bool:
    if source.form is not None:
        return False
    return source.path != "-" and source.path.endswith(ENDINGS)


def _damage(source: Source) -> DamagedArchive | None:
    try:
        with source.open() as stream:
            return damage(stream)
    except OSError:
        return None


def _of_damage(report: Report, words: str) -> Report:
    """Return a report on a trace that says nothing but that its archive is damaged."""
    outcome = replace(report.outcome, verdict=Verdict.MALFORMED, clause=None, message=words)
    return Report(outcome)


class CountedStream:
    """A stream whose lines are counted while they are read: another piece of the same file may follow."""

    def __init__(self, stream: BinaryIO, counts: Paths) -> None:
        self._read, self._counts = getattr(stream, "read1", stream.read), counts

    def read(self, size: int = -1) -> bytes:
        """Return some bytes as soon as there are any, and at most `size`."""
        block: bytes = self._read(size)
        self._counts.lines += block.count(b"\n")
        return block
