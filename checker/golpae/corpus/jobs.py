"""Check many sources in several processes.

Input: sources, and how to check them. Output: for each source in turn what `Reader.reports` yields in one process.
Guarantee: the same reports in the same order on any number of processes, each once. What is checked ahead is bounded,
so memory does not grow with the sources.

A process does not know how many lines come before its piece of a source; it counts from 1, and `Pool` adds them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from golpae.corpus.parts import Part, Piece, parts
from golpae.corpus.paths import Legal, Paths, Reports
from golpae.corpus.reading import NotOpened, Reader
from golpae.progress import Progress
from golpae.replay.machine_cache import Library
from golpae.replay.report import Report
from golpae.trace import Source
from golpae.workers import Crash, Ended, Send, Sent, Workers

BATCH = 1_000  # reports that a process sends together
AHEAD = 2  # parts for each process that may be begun before the first one of them is read


@dataclass(frozen=True, slots=True)
class How:
    """How sources are checked: `library` makes the rules, which `rules` replaces if it is not None. Unless `each`,
    legal games may be counted; unless `explained`, nobody asks for the explanations of refusals; unless `cited`, for
    hashes.
    """

    library: Callable[[], Library]
    rules: str | None
    each: bool
    explained: bool
    cited: bool = False


@dataclass(frozen=True, slots=True)
class Batch:
    """Some reports on a piece of the source of this number."""

    number: int
    items: tuple[Report | Legal, ...]


@dataclass(frozen=True, slots=True)
class PieceEnd:
    """A piece has been read: how many lines it has, what `Reader.reports` returned and counted, and why it could not be
    opened, if it could not. `size` is how many bytes it has.
    """

    piece: Piece
    size: int
    lines: int
    unread: tuple[int, str] | None
    paths: Paths
    fault: str | None = None


class ProcessDied(RuntimeError):
    """A process has ended before its work."""


def check_part(how: How, part: Part, readers: dict[How, Reader]) -> Iterator[Batch | PieceEnd]:
    """Check the pieces of a part. `readers` keeps what was made for other parts."""
    if how not in readers:
        readers.clear()
        readers[how] = Reader(how.library(), how.rules, how.cited)
    for piece in part:
        yield from _check_piece(how, piece, readers[how])


def _check_piece(how: How, piece: Piece, reader: Reader) -> Iterator[Batch | PieceEnd]:
    paths, items = Paths(), list[Report | Legal]()
    unread: tuple[int, str] | None
    try:
        stream = piece.open()
    except OSError as fault:
        yield PieceEnd(piece, 0, 0, None, paths, (fault.strerror or str(fault)).lower())
        return
    read = Progress()
    with stream:
        reports = reader.reports(piece.source, read.watched(stream), how.each, paths)
        while True:
            try:
                item = next(reports)
            except StopIteration as end:
                unread = end.value
                break
            items.append(_portable(item, how.explained))
            if len(items) == BATCH:
                yield Batch(piece.number, tuple(items))
                items.clear()
    yield Batch(piece.number, tuple(items))
    yield PieceEnd(piece, read.read, paths.lines, unread, paths)


def _portable(item: Report | Legal, is_explained: bool) -> Report | Legal:
    """Return a report without what cannot leave its process."""
    if isinstance(item, Legal) or (item.refusal is None and item.end is None):
        return item
    return replace(item, refusal=None, end=None, explanation=item.explanation if is_explained else None)


_readers: dict[How, Reader] = {}  # of this process


def _work(send: Send, how: How, part: Part) -> None:
    for message in check_part(how, part, _readers):
        send(message)


@dataclass(slots=True)
class _Begun:
    """What has come from a part that was begun."""

    messages: deque[Batch | PieceEnd] = field(default_factory=deque)
    over: bool = False


def in_workers(how: How, todo: Iterator[Part], jobs: int) -> Iterator[Batch | PieceEnd]:
    """Yield what `check_part` yields for each part in turn, from so many processes. Raises what they raise, and
    `ProcessDied`.
    """
    begun: dict[int, _Begun] = {}
    first = following = 0
    waiting: Part | None = next(todo, None)
    with Workers[int](jobs, reuse=True) as workers:
        while waiting is not None or begun:
            while waiting is not None and not workers.full and following - first < jobs * AHEAD:
                workers.start(following, _work, how, waiting)
                begun[following] = _Begun()
                following, waiting = following + 1, next(todo, None)
            now = begun[first]
            while now.messages:
                yield now.messages.popleft()
            if now.over:
                del begun[first]
                first += 1
                continue
            for event in workers.events():
                if isinstance(event, Sent):
                    assert isinstance(event.message, Batch | PieceEnd)
                    begun[event.key].messages.append(event.message)
                elif isinstance(event, Ended):
                    if event.crash is not None:
                        raise _fault(event.crash)
                    begun[event.key].over = True


def in_this_process(how: How, todo: Iterator[Part]) -> Iterator[Batch | PieceEnd]:
    """Yield what `check_part` yields for each part in turn."""
    readers: dict[How, Reader] = {}
    for part in todo:
        yield from check_part(how, part, readers)


def _fault(crash: Crash) -> Exception:
    return crash.exception or ProcessDied(crash.reason)


Run = Callable[[How, Iterator[Part]], Iterator[Batch | PieceEnd]]


class Pool:
    """Checks sources in other processes; `run` checks their parts there. A context manager.

    `read` is told of the bytes of each source that was read.
    """

    def __init__(self, sources: Sequence[Source], how: How, run: Run, read: Callable[[int], None]) -> None:
        self._messages = run(how, parts(sources))
        self._read = read
        self._number = -1

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *fault: object) -> None:
        close = getattr(self._messages, "close", None)
        if close is not None:
            close()

    def reports(self, counts: Paths) -> Reports:
        """Yield the reports on the next source. Raises `NotOpened`."""
        self._number += 1
        lines = 0
        while True:
            message = next(self._messages)
            if isinstance(message, Batch):
                assert message.number == self._number
                for item in message.items:
                    yield item if isinstance(item, Legal) or not lines else shifted(item, lines)
                continue
            piece = message.piece
            self._read(message.size)
            if message.fault is not None:
                raise NotOpened(message.fault)
            counts.add(replace(message.paths, disagree=[line + lines for line in message.paths.disagree]))
            unread = None if message.unread is None else (message.unread[0] + lines, message.unread[1])
            lines += message.lines
            if piece.last:
                return unread


def shifted(report: Report, lines: int) -> Report:
    """Return a report on a trace that has so many lines more before it."""
    if not lines:
        return report
    outcome = report.outcome
    at = None if outcome.at is None else outcome.at + lines
    return replace(report, outcome=replace(outcome, line=outcome.line + lines, at=at))
