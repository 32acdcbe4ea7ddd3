"""Do the same with many sources in several processes: check them, score their hands.

Input: sources, and a `Task`. Output: for each source in turn the items that the task yields in one process.
Guarantee: the same items in the same order on any number of processes, each once. What is done ahead is bounded, so
memory does not grow with the sources.

A process does not know how many lines come before its piece of a source; it counts from 1, and `Pool` adds them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, BinaryIO, Generic, Protocol

from golpae.corpus.parts import Cuts, Part, Piece, parts
from golpae.corpus.paths import Item, Items, Paths
from golpae.corpus.reading import NotOpened
from golpae.progress import Progress
from golpae.trace import Source
from golpae.unreadable import reason_of
from golpae.workers import Crash, Ended, Send, Sent, Workers

BATCH = 1_000  # traces or hands that a process sends together, if an item has no more
AHEAD = 2  # parts for each process that may be begun before the first one of them is read


class Task(Protocol[Item]):
    """What is done with sources. It pickles; equal ones do the same."""

    @property
    def cuts(self) -> Cuts:
        """Where sources may be cut."""

    def begin(self) -> Callable[[Source, BinaryIO, Paths], Items[Item]]:
        """Return a function that yields the items of one source after another, in this process; they leave it, so they
        pickle. It counts lines, and which way the items went.
        """

    def shifted(self, item: Item, lines: int) -> Item:
        """Return an item that has so many lines more before it."""

    def weight(self, item: Item) -> int:
        """Return how many traces or hands an item holds."""


@dataclass(frozen=True, slots=True)
class Batch(Generic[Item]):
    """Some items of a piece of the source of this number."""

    number: int
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class PieceEnd:
    """A piece has been read: how many lines it has, what its items returned and counted, and why it could not be
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


Begun = dict[Task[Any], Callable[[Source, BinaryIO, Paths], Items[Any]]]


def work_on(task: Task[Item], part: Part, begun: Begun) -> Iterator[Batch[Item] | PieceEnd]:
    """Do a task on the pieces of a part. `begun` keeps what was made for other parts."""
    if task not in begun:
        begun.clear()
        begun[task] = task.begin()
    for piece in part:
        yield from _work_on_piece(piece, begun[task], task.weight)


def _work_on_piece(
    piece: Piece, read: Callable[[Source, BinaryIO, Paths], Items[Item]], weight: Callable[[Item], int]
) -> Iterator[Batch[Item] | PieceEnd]:
    paths, batch, many = Paths(goes_on=piece.begin > 0), list[Item](), 0
    unread: tuple[int, str] | None
    try:
        stream = piece.open()
    except OSError as fault:
        yield PieceEnd(piece, 0, 0, None, paths, reason_of(fault))
        return
    progress = Progress()
    with stream:
        items = read(piece.source, progress.watched(stream), paths)
        while True:
            try:
                item = next(items)
            except StopIteration as end:
                unread = end.value
                break
            except NotOpened as refused:
                yield PieceEnd(piece, 0, 0, None, paths, str(refused))
                return
            batch.append(item)
            many += weight(item)
            if many >= BATCH:
                yield Batch(piece.number, tuple(batch))
                batch, many = [], 0
    yield Batch(piece.number, tuple(batch))
    yield PieceEnd(piece, progress.read, paths.lines, unread, paths)


_begun: Begun = {}  # of this process


def _work(send: Send, task: Task[Any], part: Part) -> None:
    for message in work_on(task, part, _begun):
        send(message)


@dataclass(slots=True)
class _Messages:
    """What has come from a part that was begun."""

    messages: deque[Batch[Any] | PieceEnd] = field(default_factory=deque)
    over: bool = False


def in_workers(task: Task[Item], todo: Iterator[Part], jobs: int) -> Iterator[Batch[Item] | PieceEnd]:
    """Yield the results of `work_on` for each part in turn, from so many processes. Raises what they raise, and
    `ProcessDied`.
    """
    begun: dict[int, _Messages] = {}
    first = following = 0
    waiting: Part | None = next(todo, None)
    with Workers[int](jobs, reuse=True) as workers:
        while waiting is not None or begun:
            while waiting is not None and not workers.full and following - first < jobs * AHEAD:
                workers.start(following, _work, task, waiting)
                begun[following] = _Messages()
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


def in_this_process(task: Task[Item], todo: Iterator[Part]) -> Iterator[Batch[Item] | PieceEnd]:
    """Yield the results of `work_on` for each part in turn."""
    begun: Begun = {}
    for part in todo:
        yield from work_on(task, part, begun)


def _fault(crash: Crash) -> Exception:
    return crash.exception or ProcessDied(crash.reason)


Run = Callable[[Task[Any], Iterator[Part]], Iterator[Batch[Any] | PieceEnd]]


class Pool(Generic[Item]):
    """Does a task on sources in other processes; `run` works on their parts there. A context manager.

    `read` is told of the bytes of each source that was read.
    """

    def __init__(
        self, sources: Sequence[Source], task: Task[Item], run: Run, read: Callable[[int], None]
    ) -> None:
        self._task = task
        self._messages: Iterator[Batch[Item] | PieceEnd] = run(task, parts(sources, task.cuts))
        self._read = read
        self._number = -1

    def __enter__(self) -> Pool[Item]:
        return self

    def __exit__(self, *fault: object) -> None:
        close = getattr(self._messages, "close", None)
        if close is not None:
            close()

    def items(self, counts: Paths) -> Items[Item]:
        """Yield the items of the next source. Raises `NotOpened`."""
        self._number += 1
        lines = 0
        while True:
            message = next(self._messages)
            if isinstance(message, Batch):
                assert message.number == self._number
                for item in message.items:
                    yield self._task.shifted(item, lines) if lines else item
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
