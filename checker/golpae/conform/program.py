"""An engine that is a program of its own: JSON lines on its standard input and output.

Input: the words of a command, and how long an answer may take.
Output: an `Engine`.
Guarantee: the program is started again after it has failed, and is ended with this object. Whatever it writes, no more
than `MOST` bytes of it are held, and no answer is taken for that to another question.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Sequence
from typing import IO, Any

from golpae.conform.answer import LONGEST, Answer, EngineFault, Failing, answer_of
from golpae.conform.engine import Line
from golpae.diagnostics.hidden import on_one_line
from golpae.trace import MAX_LINE

MOST = MAX_LINE  # bytes of an answer
BLOCK = 1 << 16
LAST = 5  # lines of standard error that are shown
_SLOW_END = 2.0  # seconds for a program to end after its input has
_QUIET = 0.2  # seconds in which a line too many is seen
_ITS_END = 0.5  # seconds in which a program that has closed its output is seen to end


class NoProgram(EngineFault):
    """The program cannot be started."""

    def __init__(self, words: str) -> None:
        super().__init__(Failing.ENDS, words)


class Program:
    """A program that is asked one thing at a time."""

    def __init__(self, command: Sequence[str], seconds: float) -> None:
        self._command, self._seconds = [*command], seconds
        self._running: _Running | None = None

    def start(self) -> None:
        """Start the program, if it does not run. Raises `NoProgram`."""
        if self._running is None:
            self._running = _Running(self._command)

    def new(self, header: Line) -> Answer:
        """Begin a game. Raises `EngineFault`."""
        return self._asked({"ask": "new", "header": header})

    def event(self, event: Line) -> Answer:
        """Offer an event. Raises `EngineFault`."""
        return self._asked({"ask": "event", "event": event})

    def score(self, hand: Line) -> Answer:
        """Let the program count a hand. Raises `EngineFault`."""
        return self._asked({"ask": "score", "hand": hand})

    def settle(self) -> None:
        """Wait a moment. Raises `EngineFault` if the program has written a line that nobody has asked for."""
        if self._running is not None:
            try:
                self._running.settle(min(_QUIET, self._seconds))
            except EngineFault:
                self._running.kill()
                self._running = None
                raise

    def close(self) -> None:
        """End the program; if golpae is asked to end, at once."""
        if self._running is not None:
            if isinstance(sys.exc_info()[1], KeyboardInterrupt):
                self._running.kill()
            else:
                self._running.end()
            self._running = None

    def _asked(self, question: dict[str, Any]) -> Answer:
        self.start()
        assert self._running is not None
        try:
            return self._running.ask(question, self._seconds)
        except BaseException:  # also Ctrl-C: nobody waits for an answer any more
            self._running.kill()
            self._running = None
            raise


class _Running:
    """A program that was started. Threads read what it writes and write what it is asked, so that golpae never
    waits for it longer than it is told to.
    """

    def __init__(self, command: Sequence[str]) -> None:
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except (OSError, ValueError) as fault:
            reason = getattr(fault, "strerror", None) or str(fault)
            raise NoProgram(f"it cannot be started: {reason.lower()}") from None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._input: IO[bytes] = self._process.stdin
        self._lines: queue.Queue[bytes | None] = queue.Queue(maxsize=4)  # None: it writes nothing more
        self._questions: queue.Queue[bytes | None] = queue.Queue()  # None: its input ends
        self._sent = threading.Event()  # the last question was written whole
        self._errors: deque[str] = deque(maxlen=LAST)
        self._unended = ""  # the line of standard error that is being written
        self._over = False  # nobody reads the lines any more
        self._threads = [
            threading.Thread(target=self._read, args=(self._process.stdout,), daemon=True),
            threading.Thread(target=self._read_errors, args=(self._process.stderr,), daemon=True),
            threading.Thread(target=self._write, daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    # ------------------------------------------------------------------ asking

    def ask(self, question: dict[str, Any], seconds: float) -> Answer:
        """Return the answer to a question. Raises `EngineFault`."""
        if not self._lines.empty():
            raise self._unasked(self._lines.get())
        self._sent.clear()
        self._questions.put(json.dumps(question, separators=(",", ":")).encode() + b"\n")
        try:
            written = self._lines.get(timeout=seconds)
        except queue.Empty:
            raise EngineFault(Failing.HANGS, f"no answer in {seconds:g} s{self._said()}") from None
        if written is None:
            raise self._ended()
        if not self._sent.wait(seconds):  # it does not read, and its input is full
            raise self._unasked(written)
        return _read_answer(written)

    def settle(self, seconds: float) -> None:
        """Raise `EngineFault` if another line comes in this time. That it ends is no line."""
        with contextlib.suppress(queue.Empty):
            written = self._lines.get(timeout=seconds)
            if written is not None:
                raise self._unasked(written)
            self._lines.put(None)

    def _unasked(self, written: bytes | None) -> EngineFault:
        if written is None:
            return self._ended()
        return EngineFault(Failing.UNASKED, f"it wrote a line that nobody had asked for: {_quoted(written)}")

    def _ended(self) -> EngineFault:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_ITS_END)
        self._threads[1].join(_ITS_END)
        code = self._process.returncode
        if code is None:
            return EngineFault(Failing.ENDS, f"it closed its standard output and goes on{self._said()}")
        how = f"by signal {-code}" if code < 0 else f"with exit status {code}"
        return EngineFault(Failing.ENDS, f"it ended {how}{self._said()}")

    def _said(self) -> str:
        """Return the end of what the program wrote to standard error."""
        words = on_one_line(" / ".join([*self._errors, *([self._unended] if self._unended else [])]))
        return f"; its standard error ends: {words[-LONGEST:]}" if words else ""

    # ------------------------------------------------------------------ reading

    def _read(self, stream: IO[bytes]) -> None:
        buffer = bytearray()
        while block := os.read(stream.fileno(), BLOCK):
            buffer += block
            *whole, rest = buffer.split(b"\n")
            for line in whole:
                self._put(bytes(line))
            buffer = rest
            if len(buffer) > MOST:
                self._put(bytes(buffer))  # which is too long to be an answer
                break
            if self._over:
                break
        self._put(None)

    def _write(self) -> None:
        with contextlib.suppress(OSError):  # it has ended, or has closed its input
            while (question := self._questions.get()) is not None:
                self._input.write(question)
                self._input.flush()
                self._sent.set()
        with contextlib.suppress(OSError):
            self._input.close()

    def _put(self, line: bytes | None) -> None:
        while not self._over:
            with contextlib.suppress(queue.Full):
                self._lines.put(line, timeout=0.05)
                return

    def _read_errors(self, stream: IO[bytes]) -> None:
        rest = b""
        while block := os.read(stream.fileno(), BLOCK):
            *whole, rest = (rest + block).split(b"\n")
            self._errors.extend(line[:LONGEST].decode("utf-8", "replace").rstrip() for line in whole[-LAST:])
            rest = rest[:LONGEST]
            self._unended = rest.decode("utf-8", "replace")

    # ------------------------------------------------------------------ ending

    def end(self) -> None:
        """Close the input, and end the program if it goes on."""
        self._questions.put(None)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_SLOW_END)
        self.kill()

    def kill(self) -> None:
        """End the program and what it has started."""
        self._over = True
        with contextlib.suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
        self._process.wait()
        self._questions.put(None)
        for thread in self._threads:
            thread.join()
        for stream in (self._process.stdout, self._process.stderr):
            with contextlib.suppress(OSError):
                if stream is not None:
                    stream.close()


def _read_answer(written: bytes) -> Answer:
    """Return the answer on a line. Raises `EngineFault`."""
    if len(written) > MOST:
        raise EngineFault(Failing.GARBAGE, f"a line of more than {MOST >> 20} MiB")
    try:
        value = json.loads(written)
    except (ValueError, RecursionError):
        raise EngineFault(Failing.GARBAGE, f"its answer is not JSON: {_quoted(written)}") from None
    if not isinstance(value, dict) or "ok" not in value:
        raise EngineFault(
            Failing.GARBAGE, f"its answer is no object with the key `ok`: {_quoted(written)}"
        ) from None
    return answer_of(value)


def _quoted(written: bytes) -> str:
    text = written[:LONGEST].decode("utf-8", "replace")
    return f"`{on_one_line(text)}`"
