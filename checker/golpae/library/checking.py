"""Check recorded games: the verdict on each, and why.

Input: traces, as files, texts or lines.
Output: a `Checked` for each, in order.
Guarantee: verdicts and messages are those of `golpae check`. A game that breaks rules is a result, never an exception.
Memory does not grow with the games.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from typing import Any, BinaryIO, Literal

from golpae import __version__
from golpae.corpus.paths import Legal, Paths, Reports
from golpae.corpus.reading import CheckTraces, NotOpened, Reader, open_source
from golpae.corpus.rulings import UsedRulings
from golpae.library.errors import Diagnostic, RulesError, TraceError, of_input, rules_error
from golpae.library.origin import PathLike
from golpae.library.values import NOT_JSON, FrozenDict, ShortRepr, frozen, plain, several, shown, written
from golpae.replay.machine_cache import Library
from golpae.replay.replay import OneTrace
from golpae.replay.report import Explanation, Report
from golpae.rule_names import UsageError
from golpae.trace import InputFault, Source, Verdict, quoted, sources
from golpae.trace.log_text import log_text
from golpae.trace.ruling import Rulings

Trace = PathLike | bytes | Iterable[Mapping[str, Any]] | Iterable[str]
"""A recorded game: the path of its file; its text, which begins with `{`; or its lines, each a dict or a text."""

OnFault = Callable[[TraceError], object]
TEXT = "<text>"  # the file of a game that is in none


@dataclass(frozen=True, slots=True, repr=False)
class Refused(ShortRepr):
    """Why an event did not happen: what is wrong, the rule with its source, what mattered, what was legal.

    Attributes:
        message: what is wrong, in the players' words.
        clause: the clause of the rules that is broken, such as `game.action.condition`; None if it is malformed.
        malformed: it cannot be read as an event of this game: it has an unknown action or tile, or lacks a key.
        sources: the numbered rules that the clause stands for, each with its source, and switches that changed them.
        facts: what mattered, as pairs: a zone or a value by its name, and what is there.
        legal: what was legal instead, in words.
        to_player: the message without what the seat that acted cannot see; this is what its player may be told.
    """

    message: str
    clause: str | None = None
    malformed: bool = False
    sources: tuple[str, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    legal: tuple[str, ...] = ()
    to_player: str = ""

    def __bool__(self) -> Literal[False]:
        """Return False: the event did not happen."""
        return False

    def __str__(self) -> str:
        """Return the whole refusal, as `golpae check` prints it."""
        lines = [self.message]
        lines += [f"  broken: {self.clause}"] if self.clause else []
        lines += [f"  rule: {rule}" for rule in self.sources]
        lines += [f"  {what}: {value}" for what, value in self.facts]
        lines += [f"  legal here: {'; '.join(self.legal)}"] if self.legal else []
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Ruled:
    """An event that breaks a rule, and stands by a ruling.

    Attributes:
        event: its number, from 1.
        at: its line.
        clause: the clause that it breaks.
        message: why it would have been refused.
        reason: the reason of the ruling.
    """

    event: int
    at: int
    clause: str
    message: str
    reason: str

    def to_json(self) -> dict[str, str | int]:
        """Return it with the keys of `golpae check --format json`."""
        return {name: getattr(self, name) for name in ("event", "at", "clause", "message", "reason")}

    def line(self, trace: str | int) -> str:
        """Return the line for it in a file of [rulings](verdicts.md#rulings).

        Args:
            trace: the `id` of the game, or its file and line (`games.jsonl:12`), or its `trace_hash`.
        """
        return written({"trace": trace, "event": self.event, "clause": self.clause, "reason": self.reason})


@dataclass(frozen=True, slots=True)
class Conflicting:
    """A record that cannot stand with others, whatever tiles nobody saw.

    Attributes:
        event: the number of the event, from 1.
        seat: whose hand it is, if the event is a deal; None if it is about no hand.
        says: what it says, for players.
        clause: what it has to fulfil; None if only its tiles count.
    """

    event: int
    seat: int | None
    says: str
    clause: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return it with the keys of `golpae check --format json`, without those that are None."""
        given = {name: getattr(self, name) for name in ("event", "seat", "says", "clause")}
        return {name: value for name, value in given.items() if value is not None}


@dataclass(frozen=True, slots=True, repr=False)
class Checked(ShortRepr):
    """The verdict on one recorded game.

    Attributes:
        verdict: legal, incomplete (legal so far, the last hand has not ended), illegal or malformed.
        file: the file of the game; `<text>` if it is in none.
        line: the line of its header, from 1.
        id: the `id` of its header.
        rules: the rules of its header, or those that the call names.
        event: the number of the first faulty event, 0 for the header; None if there is none.
        at: the line of that event.
        clause: the clause of the rules that it breaks.
        message: all that there is to say about it, on one line.
        events: how many events were read.
        refused: the same in parts; None if nothing is wrong.
        rules_error: the faults of the text of its rules, if the game could not be replayed because of them.
        spec_hash: the hash of the texts of its rules, if the call asks for verdicts that can be cited.
        trace_hash: the hash of the lines that the verdict is about, in the same case.
        rulings: the events that stand by rulings.
        column: where the game begins in its line, in a log of another program whose lines hold several events.
        at_column: where the faulty event begins in its line, in such a log.
        completion: the events of a legal game that agrees with a record in which tiles are unknown; None if every tile
            is known, or if there is no such game.
        conflict: what cannot stand together in an illegal game, whatever its unknown tiles are.
    """

    verdict: Verdict
    file: str
    line: int
    id: str | int | None
    rules: str | None
    event: int | None = None
    at: int | None = None
    clause: str | None = None
    message: str | None = None
    events: int = 0
    refused: Refused | None = None
    rules_error: RulesError | None = None
    spec_hash: str | None = None
    trace_hash: str | None = None
    rulings: tuple[Ruled, ...] = ()
    column: int | None = None
    at_column: int | None = None
    completion: tuple[FrozenDict[str, Any], ...] | None = None
    conflict: tuple[Conflicting, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether no event breaks a rule, but for those that stand by rulings: the game is legal or incomplete."""
        return self.verdict in (Verdict.LEGAL, Verdict.INCOMPLETE, Verdict.RULED)

    def to_json(self) -> dict[str, Any]:
        """Return the verdict with the keys of `golpae check --format json`: with hashes only if it was to be cited."""
        names = ("file", "line", "id", "rules", "verdict", "event", "at", "clause", "message")
        out = {name: getattr(self, name) for name in names} | {"verdict": self.verdict.value}
        in_a_log = {"column": self.column, "at_column": self.at_column}
        out |= {name: value for name, value in in_a_log.items() if value is not None}
        if self.trace_hash is not None or self.spec_hash is not None:
            out |= {"spec_hash": self.spec_hash, "trace_hash": self.trace_hash, "version": __version__}
        out |= {"rulings": [one.to_json() for one in self.rulings]} if self.rulings else {}
        out |= {} if self.completion is None else {"completion": plain(self.completion)}
        return out | ({"conflict": [one.to_json() for one in self.conflict]} if self.conflict else {})


def refused_of(clause: str | None, explanation: Explanation) -> Refused:
    """Return a refusal in the words of the library."""
    return Refused(
        explanation.message,
        clause,
        False,
        explanation.rules,
        explanation.facts,
        explanation.legal or (),
        explanation.to_player,
    )


def malformed(message: str) -> Refused:
    """Return the refusal of what is no event."""
    return Refused(message, malformed=True, to_player=message)


def checked(report: Report) -> Checked:
    """Return a verdict in the words of the library."""
    of = report.outcome
    refused = None
    if report.explanation is not None:
        refused = refused_of(of.clause, report.explanation)
    elif of.verdict is Verdict.MALFORMED:
        refused = malformed(of.message or "")
    faults = None if report.text_faults is None else rules_error(report.text_faults)
    ruled = tuple(Ruled(one.event, one.at, one.clause, one.message, one.reason) for one in of.rulings)
    completion = None if of.completion is None else tuple(frozen(dict(line)) for line in of.completion)
    conflict = tuple(Conflicting(one.event, one.seat, one.says, one.clause) for one in of.conflict)
    return Checked(
        of.verdict,
        of.file,
        of.line,
        of.id,
        of.rules,
        of.event,
        of.at,
        of.clause,
        of.message,
        report.events,
        refused,
        faults,
        of.spec_hash,
        of.trace_hash,
        ruled,
        of.column,
        of.at_column,
        completion,
        conflict,
    )


@dataclass(frozen=True, slots=True)
class Call:
    """How games are checked: `library` makes what replays them, `rules` replaces those of their headers.

    `rulings` names a file of events that stand; if games are `cited`, verdicts have hashes.
    """

    library: Callable[[], Library]
    rules: str | None
    on_fault: OnFault | None = None
    processes: int = 1
    cited: bool = False
    rulings: PathLike | None = None

    def __post_init__(self) -> None:
        if type(self.processes) is not int:
            raise TypeError(f"`processes` is a whole number above 0, not {shown(self.processes)}")
        if self.processes < 1:
            raise ValueError(f"`processes` is a whole number above 0, not {shown(self.processes)}")

    def used(self) -> UsedRulings | None:
        """Return the rulings. Raises `TraceError`."""
        if self.rulings is None:
            return None
        try:
            return UsedRulings(os.fspath(self.rulings))
        except UsageError as error:
            raise TraceError([of_input(error.fault)]) from None


# ------------------------------------------------------------------ one game


def check_one(trace: Trace, call: Call) -> Checked:
    """Return the verdict on the only game of a trace. Raises `TraceError`, `RulesError` and `TypeError`."""
    source, stream = _opened(trace)
    path, used = source.name, call.used()
    rulings = () if used is None else used.rulings
    reports: Iterator[Report]
    with stream:
        if log_text(stream) is None:
            reports = OneTrace(path, call.library(), call.rules, call.cited, rulings).reports(stream)
        else:
            reports = _of_log(source, stream, Reader(call.library(), call.rules, call.cited, rulings))
        first, second = next(reports, None), next(reports, None)
    if first is None:
        raise TraceError(f"there is no game in {_called(path)}")
    if second is not None:
        advice = "`check_all` yields the verdict on each"
        raise TraceError(f"there are several games in {_called(path)}", advice)
    if first.text_faults is not None:
        raise rules_error(first.text_faults)
    for fault in _unused(used, [first]):
        raise fault
    return checked(first)


def _of_log(source: Source, log: BinaryIO, reader: Reader) -> Iterator[Report]:
    """Yield the reports on the games of a log."""
    for report in reader.reports(source, log, True, Paths()):
        assert isinstance(report, Report)
        yield report


def files_in(trace: Trace) -> list[Source]:
    """Return the files that a caller gives as a game; none if it gives a text or lines. Raises `TraceError`."""
    is_text = isinstance(trace, str) and trace.lstrip("\ufeff \t\r\n").startswith("{")
    return files_of(trace) if isinstance(trace, str | os.PathLike) and not is_text else []


def _called(path: str) -> str:
    return "this text" if path == TEXT else quoted(path)


def _opened(trace: Trace) -> tuple[Source, BinaryIO]:
    """Return the file and the bytes of a game that a caller gives; the file of a text is a mere name. Raises
    `TraceError` and `TypeError`.
    """
    if isinstance(trace, str) and trace.lstrip("\ufeff \t\r\n").startswith("{"):
        return Source(TEXT), io.BytesIO(trace.encode("utf-8", "surrogatepass"))
    if isinstance(trace, str | os.PathLike):
        files = files_of(trace)
        if len(files) > 1:
            message = f"{quoted(os.fspath(trace))} holds {len(files)} files of games"
            raise TraceError(message, "`check_all` yields the verdict on each game")
        return files[0], opened(files[0])
    if isinstance(trace, bytes):
        return Source(TEXT), io.BytesIO(trace)
    if isinstance(trace, Mapping) or not isinstance(trace, Iterable):
        raise TypeError(f"a game is a path, a text or its lines, not {type(trace).__name__}")
    return Source(TEXT), io.BytesIO(b"".join(_line(line) for line in trace))


def _line(line: object) -> bytes:
    if isinstance(line, Mapping):
        try:
            return written(line).encode("utf-8", "surrogatepass") + b"\n"
        except NOT_JSON as fault:
            raise TypeError(f"a line of a game holds a value that JSON has not: {fault}") from None
    if isinstance(line, str):
        return line.rstrip("\r\n").encode("utf-8", "surrogatepass") + b"\n"
    raise TypeError(f"a line of a game is a dict or a text, not {type(line).__name__}")


# ------------------------------------------------------------------ many games


def files_of(paths: PathLike | Iterable[PathLike]) -> list[Source]:
    """Return the files under these paths: traces, and logs of other programs. Raises `TraceError`."""
    from golpae.logs.forms import forms_of

    given = several(paths, (str, os.PathLike), "files of games are named by paths")
    files, faults = sources([os.fspath(path) for path in given], forms_of(None))
    if faults:
        raise TraceError(map(of_input, faults))
    return files


def opened(source: Source) -> BinaryIO:
    """Open a file. Raises `TraceError`."""
    try:
        return open_source(source)
    except NotOpened as fault:
        raise of_source(source, fault) from None


def of_source(source: Source, fault: NotOpened) -> TraceError:
    """Return the exception for a file that cannot be opened."""
    message = f"{quoted(source.name)} cannot be read: {fault}"
    return TraceError([of_input(InputFault(source.name, message))])


def check_files(files: Sequence[Source], call: Call) -> Iterator[Checked]:
    """Yield the verdict on each game of these files."""
    for report in _reports(files, call, True):
        assert isinstance(report, Report)
        yield checked(report)


def count_files(files: Sequence[Source], call: Call) -> dict[Verdict, int]:
    """Return how many games of these files have each verdict."""
    only_if = {Verdict.RULED: call.rulings is not None, Verdict.UNKNOWN: False}
    given = (verdict for verdict in Verdict if only_if.get(verdict, True))
    counts: dict[Verdict, int] = dict.fromkeys(given, 0)
    for report in _reports(files, call, False):
        if isinstance(report, Legal):
            counts[Verdict.LEGAL] += report.games
        else:
            counts[report.outcome.verdict] = counts.get(report.outcome.verdict, 0) + 1
    return counts


def _unused(used: UsedRulings | None, reports: Iterable[Report] = ()) -> Iterator[TraceError]:
    """Note which rulings these reports use, and yield what is wrong with those that none or several have used."""
    if used is not None:
        for report in reports:
            used.note(report.outcome)
        yield from map(TraceError, used.faults())


def _reports(files: Sequence[Source], call: Call, each: bool) -> Iterator[Report | Legal]:
    used = call.used()
    files = files if used is None else used.without(files)
    for report in _of_files(files, call, each, used):
        if used is not None and isinstance(report, Report):
            used.note(report.outcome)
        yield report
    for fault in _unused(used):
        tell(fault, call.on_fault)


def _of_files(
    files: Sequence[Source], call: Call, each: bool, used: UsedRulings | None
) -> Iterator[Report | Legal]:
    with ExitStack() as stack:
        rulings = () if used is None else used.rulings
        if call.processes == 1:
            read = _alone(call, each, rulings)
        else:
            read = stack.enter_context(_Pooled(files, call, each, rulings)).read
        for source in files:
            paths = Paths()
            try:
                unread = yield from read(source, paths)
            except NotOpened as fault:
                tell(of_source(source, fault), call.on_fault)
                continue
            for line in paths.disagree[:1]:
                import warnings

                words = f"a fault in golpae: its two ways to check {source.name}:{line} disagree"
                advice = "the verdict is that of the reference; please report it with this trace"
                warnings.warn(f"{words}; {advice}", RuntimeWarning, stacklevel=3)
            if unread is not None:
                tell(unread_fault(source, unread), call.on_fault)


def _alone(call: Call, each: bool, rulings: Rulings) -> Callable[[Source, Paths], Reports]:
    """Return a function that checks a file in this process."""
    reader = Reader(call.library(), call.rules, call.cited, rulings)

    def read(source: Source, paths: Paths) -> Reports:
        with open_source(source) as stream:
            return (yield from reader.reports(source, stream, each, paths))

    return read


class _Pooled:
    """Checks files in other processes. A context manager."""

    def __init__(self, files: Sequence[Source], call: Call, each: bool, rulings: Rulings) -> None:
        from golpae.corpus.jobs import Pool, in_workers

        task = CheckTraces(call.library, call.rules, each, True, call.cited, rulings)
        self._pool = Pool(files, task, partial(in_workers, jobs=call.processes), lambda size: None)

    def __enter__(self) -> _Pooled:
        self._pool.__enter__()
        return self

    def __exit__(self, *fault: object) -> None:
        self._pool.__exit__(*fault)

    def read(self, source: Source, paths: Paths) -> Reports:
        """Yield the reports on the next file."""
        return (yield from self._pool.items(paths))


def unread_fault(source: Source, unread: tuple[int, str]) -> TraceError:
    """Return the exception for a file that could not be read beyond a line."""
    line, message = unread
    return TraceError([Diagnostic(f"{source.name}:{line}: {message}", file=source.name, line=line)])


def tell(fault: TraceError, on_fault: OnFault | None) -> None:
    """Give a fault to who wants it, or raise it."""
    if on_fault is None:
        raise fault
    on_fault(fault)
