"""How far long work is: the only module that shows progress.

Input: a `Progress`, in which the work notes how far it is.
Output: on standard error, at a terminal one line that changes, and in a log a line now and then.
Guarantee: short work (`FIRST`) shows nothing, and nothing goes to standard output. The line leaves the terminal when
the work ends, even by an exception. A standard error that cannot be written to stops no work.

A thread looks at the clock, so the work pays only for noting how far it is. The thread receives no signals: Ctrl-C
goes to the main thread. No process inherits it, because `workers` starts processes afresh.

What is found meanwhile is told in lines of its own, soon at first and then as often as a log gets a line.

    golpae: proving: 123 of 469 properties, 1 min 24 s (put with 3 players: each-once, 41 questions)
    golpae: put with 3 players: `whole` is proved; `first-put` is refuted
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from types import TracebackType
from typing import Any, BinaryIO, TextIO, cast

from golpae.reading_into import ReadInto, reads_into

OFF = "GOLPAE_PROGRESS"  # the environment variable that turns all this off, with the value `off`
FIRST = 1.8  # seconds before anything is shown: two, with the start of golpae
REDRAW = 0.5  # seconds between two states of the line at a terminal
SOON, LATER = 10.0, 60.0  # seconds between two lines of a log, in the first minute and after it
MINUTE, HOUR = 60, 3600
SURE = 5.0  # seconds of reading after which the rest can be estimated
CLEAR = "\r\x1b[K"  # takes away what is on the line of a terminal
COLUMNS = 80  # of a terminal that does not say how wide it is


class Progress:
    """How far some work is. `done` counts up to `total`, if that is known; the work may set it at any time."""

    __slots__ = ("_at", "_before", "_found", "_size", "_stage", "_under_way", "done", "read")

    def __init__(self, doing: str = "", total: int = 0, unit: str = "", size: int = 0) -> None:
        self._found: deque[tuple[str, str]] = deque()
        self.begin(doing, total, unit, size)

    def begin(
        self, doing: str, total: int = 0, unit: str = "", size: int = 0, under_way: str | None = None
    ) -> None:
        """Go on to other work: of `total` things called `unit`, in `size` bytes of input. 0: nobody knows."""
        self.done = self.read = 0
        self._before = 0, 0
        self._under_way: tuple[str, ...] = () if under_way is None else (under_way,)
        self._at: dict[str, str] = {}
        self._size = size
        self._stage = (doing, total, unit)

    def start(self, name: str) -> None:
        """Note that a part of the work is under way."""
        self._under_way = (*self._under_way, name)

    def end(self, name: str) -> None:
        """Note that a part of the work is over."""
        names = list(self._under_way)
        if name in names:
            names.remove(name)
        self._under_way = tuple(names)
        if name not in names:
            self._at.pop(name, None)

    def at(self, name: str, words: str) -> None:
        """Note what a part of the work that is under way is at; no words: at nothing."""
        if words:
            self._at[name] = words
        else:
            self._at.pop(name, None)

    def found(self, name: str, words: str) -> None:
        """Note what a part of the work has found, to be told soon."""
        self._found.append((name, words))

    def news(self) -> list[str]:
        """Return the results since the last time, a line for each part of the work."""
        lines: dict[str, list[str]] = {}
        for _ in range(len(self._found)):
            name, words = self._found.popleft()
            lines.setdefault(name, []).append(words)
        return [f"golpae: {name}: {'; '.join(words)}" for name, words in lines.items()]

    def has_read(self, size: int) -> None:
        """Note that so many bytes of input were read."""
        self.read += size

    def goes_on(self, done: int, size: int) -> None:
        """Note what an earlier run has done and read, which says nothing of how fast this one is."""
        self._before = done, size
        self.done += done
        self.read += size

    def watched(self, stream: BinaryIO) -> BinaryIO:
        """Return the stream to read instead of this one, so that what is read counts. A stream that does not give the
        bytes that it reads tells how many these are, if it has a `tell_read`.
        """
        tell: Callable[[Callable[[int], None]], None] | None = getattr(stream, "tell_read", None)
        if tell is not None:
            tell(self.has_read)
            return stream
        return cast("BinaryIO", _Watched(stream, self))

    def words(self, seconds: float) -> str:
        """Return how far the work is after so many seconds, on one line."""
        doing, total, unit = self._stage
        parts = [f"{min(100, 100 * self.read // self._size)}%"] if self._size else []
        if total:
            parts.append(f"{self.done:,} of {total:,} {unit}")
        elif unit:
            parts.append(f"{self.done:,} {unit if self.done != 1 else unit.removesuffix('s')}")
        at = dict(self._at)
        names = [f"{name}: {at[name]}" if name in at else name for name in self._under_way]
        under_way = f" ({'; '.join(names)})" if names else ""
        parts += [duration(seconds), *self._outlook(seconds)]
        return f"golpae: {doing}: {', '.join(parts)}{under_way}"

    def _outlook(self, seconds: float) -> list[str]:
        """Return how fast input is read, and about how long the rest of it takes."""
        done, read = self.done - self._before[0], self.read - self._before[1]
        if seconds < SURE or not done or not read or not self.read < self._size:
            return []
        left = seconds * (self._size - self.read) / read
        return [f"{done / seconds:,.0f} a second", f"about {duration(left)} left"]


class _Watched:
    """A stream that notes how many bytes were read."""

    def __init__(self, stream: BinaryIO, progress: Progress) -> None:
        self._read = getattr(stream, "read1", stream.read)
        self._progress = progress
        into = reads_into(stream)
        if into is not None:
            self.readinto = partial(self._read_into, into)

    def _read_into(self, into: ReadInto, room: memoryview) -> int:
        read = into(room) or 0
        self._progress.read += read
        return read

    def read(self, size: int = -1) -> bytes:
        """Return some bytes as soon as there are any, and at most `size`."""
        block: bytes = self._read(size)
        self._progress.read += len(block)
        return block


def duration(seconds: float) -> str:
    """Return a time in words, without its smallest part if it is long."""
    whole = round(seconds)
    if whole < MINUTE:
        return f"{whole} s"
    if whole < HOUR:
        return f"{whole // MINUTE} min {whole % MINUTE} s"
    return f"{whole // HOUR} h {whole % HOUR // MINUTE} min"


class Shown:
    """Shows how far some work is while it goes on: a context manager around the work."""

    def __init__(
        self, progress: Progress, silent: bool = False, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.progress = progress
        self._silent = silent or os.environ.get(OFF) == "off"
        self._clock = clock
        self._begun = clock()
        self._lock = threading.Lock()  # of both streams
        self._over = threading.Event()
        self._thread: threading.Thread | None = None
        self._drawn = False  # the line is at the terminal
        self._out, self._err = sys.stdout, sys.stderr
        self._at_terminal = self._err.isatty() and os.environ.get("TERM") != "dumb"
        self._streams = [
            _Above(stream, self, not self._at_terminal or stream.isatty())
            for stream in (self._out, self._err)
        ]

    def __enter__(self) -> Progress:
        if not self._silent:
            sys.stdout, sys.stderr = (cast("TextIO", stream) for stream in self._streams)
            self._thread = threading.Thread(target=self.watch, args=(self._over.wait,), daemon=True)
            _start_without_signals(self._thread)
        return self.progress

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._thread is not None:
            self._over.set()
            self._thread.join()
            self._erase()
            sys.stdout, sys.stderr = self._out, self._err

    def watch(self, wait: Callable[[float], bool]) -> None:
        """Show how far the work is, now and then. `wait` waits so many seconds; it returns whether the work is over."""
        pause, due, has_told = FIRST, 0.0, False
        while not wait(pause):
            seconds = self._clock() - self._begun
            is_due = seconds >= due or not self._at_terminal
            try:
                with self._lock:
                    if not any(stream.amid_line for stream in self._streams):
                        if is_due or not has_told:
                            has_told = self._tell() or has_told
                        self._show(self.progress.words(seconds))
            except (OSError, ValueError):  # full, closed
                return
            rest = SOON if seconds < MINUTE else LATER
            if is_due:
                due = seconds + rest
            pause = REDRAW if self._at_terminal else rest

    def _tell(self) -> bool:
        """Write what has been found since the last time. Return whether that is anything."""
        lines = self.progress.news()
        if lines:
            self._erase()
            self._out.flush()  # both may go to one file
            self._err.write("".join(f"{line}\n" for line in lines))
            self._err.flush()
        return bool(lines)

    def _show(self, words: str) -> None:
        if self._at_terminal:
            self._err.write(f"{CLEAR}{words[: max(1, _columns(self._err) - 1)]}")
            self._drawn = True
        else:
            self._out.flush()  # both may go to one file
            self._err.write(f"{words}\n")
        self._err.flush()

    def _erase(self) -> None:
        """Take the line away from the terminal, if there is one."""
        if self._drawn:
            self._drawn = False
            with suppress(OSError, ValueError):
                self._err.write(CLEAR)
                self._err.flush()

    def write(self, stream: _Above, text: str, write: Callable[[str], int]) -> int:
        """Write text to one of the two streams, where the line was. `write` is how it takes such text."""
        with self._lock:
            if stream.beside_line:
                self._erase()
                stream.amid_line = not text.endswith("\n") if text else stream.amid_line
            return write(text)


class _Above:
    """Standard output or standard error as the work sees it: its text and the line do not mix.

    `beside_line` is whether both can go to the same place, `amid_line` whether its last line has no end yet.
    """

    def __init__(self, stream: TextIO, shown: Shown, beside_line: bool) -> None:
        self.stream = stream
        self.beside_line = beside_line
        self.amid_line = False
        self._shown = shown

    def write(self, text: str) -> int:
        """Write text as the stream does."""
        return self._shown.write(self, text, self.stream.write)

    def write_printable(self, text: str) -> int:
        """Write lines that are printable as the stream does, which may have a quicker way for them."""
        write: Callable[[str], int] = getattr(self.stream, "write_printable", self.stream.write)
        return self._shown.write(self, text, write)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


def _columns(stream: TextIO) -> int:
    try:
        return os.get_terminal_size(stream.fileno()).columns or COLUMNS
    except (OSError, ValueError):
        return COLUMNS


def _start_without_signals(thread: threading.Thread) -> None:
    """Start a thread that receives no signals."""
    mask = getattr(signal, "pthread_sigmask", None)
    if mask is None:  # not on Windows, where only the main thread receives any
        thread.start()
        return
    before = mask(signal.SIG_BLOCK, signal.valid_signals())
    try:
        thread.start()
    finally:
        mask(signal.SIG_SETMASK, before)
