"""The one way to run work in other processes.

Input: functions with their arguments, which must pickle.
Output: what each function sends, and the crash that ended it, if any.
Guarantee: a worker is a new process, or a copy of one that has only loaded modules, so its end frees all its memory.
It has a fixed hash seed; it leaves Ctrl-C to its parent and ends with it. No worker outlives its `Workers`. If a worker
dies, only its own job is lost. A worker that exceeds an outer limit is ended, whatever it is doing; what it tells of
its work gives it no more time. A job is not charged with memory that jobs before it left behind. A worker imports the
main module of the program only if its job names something there, so a program that uses golpae need not guard its own.
Where the system has no processes, as in a browser, jobs run in this one, one after the other, and no limit ends them.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from importlib.util import find_spec
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import TracebackType
from typing import Any, Generic, TypeVar, cast

from golpae import forks

HAS_PROCESSES = sys.platform not in ("emscripten", "wasi")
POLL = 1  # seconds after which to look for an interrupt
DELAYED = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)  # while a process starts, which would say that it was left alone
SLOW = 10  # seconds that a process may take to end after its work
WATCHED = 0.2  # seconds between two looks at the memory of a worker
KEPT = 1 / 4  # of its limit of memory, that a worker may keep after a job if it is used again
FULL = 97  # exit status of a worker that has used more memory than it may
BEGINS, SAYS, TELLS, ENDS, STOPS = "begins", "says", "tells", "ends", "stops"  # what a worker sends
EVENTS = 50  # kinds of events after which a job tells how many there are
QUESTIONS = 10  # that a job asks between two times that it tells how many
OUT_OF_TIME, OUT_OF_MEMORY = "out of time", "out of memory"
MAIN = b"__main__"  # in what is sent: a name of the main module
GC_THRESHOLD = 10_000_000  # new objects before a search for reference cycles: formulas hold few
MMAP_THRESHOLD, TRIM_THRESHOLD = (
    -3,
    -1,
)  # what glibc calls them: from how many bytes on it returns freed memory
LARGE, UNUSED = 1 << 25, 1 << 28  # bytes: of one piece, and at the end of all
Key = TypeVar("Key")
Job = TypeVar("Job")
Result = TypeVar("Result")
Send = Callable[[object], None]


@dataclass(frozen=True, slots=True)
class OuterLimits:
    """What a worker may use: `seconds` until its next message, and `megabytes`. None: as much as there is.

    These are for what is not counted. They decide nothing: a job that exceeds one has no result.
    """

    seconds: float | None = None
    megabytes: int | None = None


UNLIMITED = OuterLimits()


@dataclass(frozen=True, slots=True)
class JobNews:
    """What a job tells while it works: what it is at, or has found. Of a job that exceeds a limit, `so_far` is left."""

    at: str
    found: str | None = None
    so_far: object = None


@dataclass(frozen=True, slots=True)
class Crash:
    """The reason why a job did not return: the exception that it raised, or None if its process died.

    With `limited`, it has exceeded an outer limit; the reason is `OUT_OF_TIME` or `OUT_OF_MEMORY`.
    """

    reason: str
    exception: Exception | None = None
    limited: bool = False


@dataclass(frozen=True, slots=True)
class Sent(Generic[Key]):
    """A job has sent a message."""

    key: Key
    message: object


@dataclass(frozen=True, slots=True)
class Ended(Generic[Key]):
    """A job is over."""

    key: Key
    crash: Crash | None


@dataclass(frozen=True, slots=True)
class _Worker(Generic[Key]):
    key: Key
    process: BaseProcess | forks.Fork
    limits: OuterLimits
    knows_main: bool
    heard: float | None = None  # when it began, or sent its last message

    @property
    def is_late(self) -> bool:
        seconds, heard = self.limits.seconds, self.heard
        return seconds is not None and heard is not None and time.monotonic() - heard > seconds


class Workers(Generic[Key]):
    """At most `most` processes that each run one job at a time; with `reuse`, one job after another.

    If `loaded` names modules, the processes are copies of one that has imported them, where the system can copy.
    A context manager: leaving it ends the idle processes and kills those that still work.
    """

    def __init__(self, most: int, reuse: bool = False, loaded: Sequence[str] = ()) -> None:
        self._most = most
        self._reuse = reuse
        self._loaded = loaded
        self._forks: forks.Forks | None = None
        self._at_work: dict[Connection, _Worker[Key]] = {}
        self._idle: list[
            tuple[Connection, BaseProcess | forks.Fork, bool]
        ] = []  # ... and whether it knows the main module
        self._here: list[
            tuple[Key, bytes]
        ] = []  # the job that this process runs, if the system has no others

    def __enter__(self) -> Workers[Key]:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        processes = [(pipe, worker.process) for pipe, worker in self._at_work.items()]
        for _, process in processes:
            process.kill()
        for pipe, process in processes:
            process.join()
            pipe.close()
        for pipe, _, _ in self._idle:
            pipe.close()
        for _, process, _ in self._idle:
            _end(process)
        if self._forks is not None:
            self._forks.close()

    @property
    def at_work(self) -> list[Key]:
        """Return the keys of the jobs that are running."""
        return [*(worker.key for worker in self._at_work.values()), *(key for key, _ in self._here)]

    @property
    def full(self) -> bool:
        """Return whether no further job can be started."""
        return len(self._at_work) >= self._most or bool(self._here)

    def start(
        self, key: Key, work: Callable[..., None], *args: object, limits: OuterLimits = UNLIMITED
    ) -> None:
        """Run `work(send, *args)` in a worker.

        Raises `RecursionError` if the arguments are nested too deeply for pickle, and `OSError` if there are too many
        processes.
        """
        job = pickle.dumps((work, args, limits.megabytes))
        if not HAS_PROCESSES:
            self._here.append((key, job))
            return
        with _uninterrupted():
            pipe, process, knows_main = self._process(MAIN in job)
            self._at_work[pipe] = _Worker(key, process, limits, knows_main)
            try:
                pipe.send_bytes(job)
            except OSError:
                del self._at_work[pipe]
                pipe.close()
                process.kill()
                raise

    def _process(self, with_main: bool) -> tuple[Connection, BaseProcess | forks.Fork, bool]:
        """Return a process without a job, which knows the main module if the job names something there."""
        for at, (_, _, knows_main) in enumerate(self._idle):
            if knows_main or not with_main:
                return self._idle.pop(at)
        if with_main:
            return (*_spawn(), True)
        with _without_main():
            return (*(self._copy() or _spawn()), False)

    def _copy(self) -> tuple[Connection, forks.Fork] | None:
        """Return a copy of the process that has loaded modules; None if there is no such process."""
        if not self._loaded or not forks.CAN_FORK:
            return None
        if self._forks is None:
            self._forks = forks.Forks(self._loaded, _serve)
        try:
            return self._forks.start()
        except ChildProcessError:
            self._forks.close()
            self._forks = None
            return None

    def events(self) -> Iterator[Sent[Key] | Ended[Key]]:
        """Yield the events of the workers, after a wait of at most `POLL` seconds."""
        while self._here:
            key, job = self._here.pop(0)
            sent: list[object] = []
            crash = _run_here(job, sent.append)
            yield from (Sent(key, message) for message in sent)
            yield Ended(key, crash)
        if not HAS_PROCESSES:
            return
        for pipe in wait(list(self._at_work), POLL):
            assert isinstance(pipe, Connection)
            event = self._event(pipe)
            if event is not None:
                yield event
        for pipe, worker in list(self._at_work.items()):
            if worker.is_late and not pipe.poll():
                del self._at_work[pipe]
                worker.process.kill()
                worker.process.join()
                pipe.close()
                yield Ended(worker.key, Crash(OUT_OF_TIME, limited=True))

    def _event(self, pipe: Connection) -> Sent[Key] | Ended[Key] | None:
        """Return the event of a worker: what it sent, or that it has ended; None if it has only begun."""
        worker = self._at_work[pipe]
        try:
            what, body = pipe.recv()
        except Exception:  # the process has died, maybe in the middle of a message
            del self._at_work[pipe]
            pipe.close()
            code = _end(worker.process)
            if code == FULL and worker.limits.megabytes is not None:
                return Ended(worker.key, Crash(OUT_OF_MEMORY, limited=True))
            return Ended(worker.key, Crash(_ending(code)))
        if what == TELLS:
            return Sent(worker.key, body)
        if what not in (ENDS, STOPS):
            self._at_work[pipe] = replace(worker, heard=time.monotonic())
            return Sent(worker.key, body) if what == SAYS else None
        del self._at_work[pipe]
        if self._reuse and what == ENDS:
            self._idle.append((pipe, worker.process, worker.knows_main))
        else:
            pipe.close()
            _end(worker.process)
        return Ended(worker.key, body)


def results(
    function: Callable[[Job], Result],
    jobs: Sequence[Job],
    most: int,
    reuse: bool = False,
    limits: OuterLimits = UNLIMITED,
    on_told: Callable[[int, JobNews], None] | None = None,
) -> Iterator[tuple[int, Result | Crash]]:
    """Yield the number of each job with the function's result for it, as soon as there is one.

    `on_told` is called with what jobs tell of their work.
    """
    waiting = deque(enumerate(jobs))
    module = getattr(function, "func", function).__module__
    loaded = () if reuse or len(jobs) < 2 or module == MAIN.decode() else (module,)
    with Workers[int](most, reuse, loaded) as workers:
        while waiting or workers.at_work:
            while waiting and not workers.full:
                number, job = waiting.popleft()
                workers.start(number, _send_result, function, job, limits=limits)
            for event in workers.events():
                if isinstance(event, Sent) and isinstance(event.message, JobNews):
                    if on_told is not None:
                        on_told(event.key, event.message)
                elif isinstance(event, Sent):
                    yield event.key, cast("Result", event.message)
                elif event.crash is not None:
                    yield event.key, event.crash


def described(exception: BaseException) -> str:
    """Return the type and the message of an exception on one line."""
    return " ".join(f"{type(exception).__name__}: {exception}".split())[:300]


# ---------------------------------------------------------------- what the job of this process tells


class _Telling:
    """What the job of this process is at. If nobody listens, it is told to nobody."""

    def __init__(self) -> None:
        self.listener: Callable[[JobNews], None] | None = None
        self.doing, self.part = "", ""
        self.questions = self.events = 0

    def begin(self, listener: Callable[[JobNews], None] | None) -> None:
        self.listener = listener
        self.go_on_with("")

    def go_on_with(self, doing: str) -> None:
        self.doing, self.part = doing, ""
        self.questions = self.events = 0

    def tell(self, found: str | None = None, so_far: object = None) -> None:
        if self.listener is not None:
            at = ": ".join(words for words in (self.doing, self.part) if words)
            asked = f"{self.questions:,} questions" if self.questions > 1 else ""
            self.listener(JobNews(", ".join(words for words in (at, asked) if words), found, so_far))


_telling = _Telling()


def tell_doing(words: str) -> None:
    """Tell what the job of this process is at from now on, if anybody listens."""
    _telling.go_on_with(words)
    _telling.tell()


def tell_part(words: str) -> None:
    """Tell which part of what it does the job of this process is at, if anybody listens."""
    if words != _telling.part:
        _telling.part, _telling.events = words, 0
        _telling.tell()


def tell_event(action: str) -> None:
    """Count a kind of event, one of an action, that the job of this process has put into formulas."""
    _telling.events += 1
    if _telling.events % EVENTS == 0:
        _telling.part = f"{_telling.events:,} kinds of events, now of `{action}`"
        _telling.tell()


def tell_found(words: str, so_far: object = None) -> None:
    """Tell something that the job of this process has found, with all that it has found so far."""
    _telling.tell(words, so_far)


def tell_question() -> None:
    """Count a question of what the job of this process is at."""
    _telling.questions += 1
    if _telling.questions % QUESTIONS == 0:
        _telling.tell()


@contextmanager
def listening(listener: Callable[[JobNews], None]) -> Iterator[None]:
    """Hear what this process tells, if the work within the block is not in a worker."""
    _telling.begin(listener)
    try:
        yield
    finally:
        _telling.begin(None)


def _spawn() -> tuple[Connection, BaseProcess]:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs,), daemon=True)
    try:
        process.start()
    except BaseException:
        ours.close()
        raise
    finally:
        theirs.close()
    return ours, process


_hiding = threading.Lock()


@contextmanager
def _without_main() -> Iterator[None]:
    """Hide where the main module comes from, which a new process would import otherwise, and run again."""
    main = sys.modules["__main__"]
    with _hiding:
        before = {name: vars(main).get(name) for name in ("__spec__", "__file__")}
        vars(main).update(dict.fromkeys(before))
        try:
            yield
        finally:
            for name, value in before.items():
                if value is None and name == "__file__":
                    vars(main).pop(name, None)
                else:
                    vars(main)[name] = value


def _end(process: BaseProcess | forks.Fork) -> int | None:
    """Wait for a process to end and return its exit code; kill it if it takes too long."""
    process.join(SLOW)
    if process.is_alive():
        process.kill()
        return None
    return process.exitcode


def _ending(code: int | None) -> str:
    if code is not None and code < 0:
        with suppress(ValueError):
            return f"its process was ended by {signal.Signals(-code).name}"
    return f"its process ended with status {code}" if code else ""


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Delay Ctrl-C and requests to end; processes that are started now never receive Ctrl-C, and use a fixed hash
    seed.
    """
    seed = os.environ.get("PYTHONHASHSEED")
    os.environ["PYTHONHASHSEED"] = "0"
    mask = getattr(signal, "pthread_sigmask", None)
    if mask is not None:
        mask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        with _later():
            yield
    finally:
        if seed is None:
            del os.environ["PYTHONHASHSEED"]
        else:
            os.environ["PYTHONHASHSEED"] = seed
        if mask is not None:
            mask(signal.SIG_UNBLOCK, {signal.SIGINT})


@contextmanager
def _later() -> Iterator[None]:
    """Keep signals that have a handler until the end of the block.

    A mask alone does not: the system gives a signal to any thread, and Python runs its handler in the main one.
    """
    arrived: dict[int, None] = {}
    handlers: dict[signal.Signals, Any] = {}
    try:
        if threading.current_thread() is threading.main_thread():
            for number in DELAYED:
                handler = signal.getsignal(number)
                if callable(handler):
                    handlers[number] = handler
                    signal.signal(number, lambda number, frame: arrived.setdefault(number))
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        for number in arrived:
            signal.raise_signal(number)


# ---------------------------------------------------------------- in the process of a worker


def _serve(pipe: Connection) -> None:
    """Run the jobs that come through the pipe until the parent closes it."""
    with suppress(ValueError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.set_threshold(GC_THRESHOLD)
    _keep_freed_memory()
    threading.Thread(target=_end_with_parent, daemon=True).start()
    watch = _MemoryWatch()
    while True:
        try:
            job = pipe.recv_bytes()
        except (EOFError, OSError):
            return
        try:
            crash = _run(job, pipe, watch)
            watch.stop()
            pipe.send((STOPS if watch.is_heavy() else ENDS, crash))
        except BrokenPipeError:
            os._exit(1)


def _keep_freed_memory() -> None:
    """Use freed memory again rather than return it to the system at once.

    Each new context of a solver takes and frees several pieces of a megabyte. Without this, the system clears the same
    pages for each of them.
    """
    with suppress(ImportError, OSError, AttributeError, TypeError):  # another system, or another C library
        import ctypes

        allocator = ctypes.CDLL(None)
        allocator.mallopt(MMAP_THRESHOLD, LARGE)
        allocator.mallopt(TRIM_THRESHOLD, UNUSED)


def _run(job: bytes, pipe: Connection, watch: _MemoryWatch) -> Crash | None:
    try:
        work, args, megabytes = pickle.loads(job)
        watch.start(megabytes)
        pipe.send((BEGINS, None))
        _telling.begin(lambda told: pipe.send((TELLS, told)))
        work(lambda message: pipe.send((SAYS, message)), *args)
    except BrokenPipeError:
        raise
    except Exception as exception:
        if os.environ.get("GOLPAE_DEBUG"):
            traceback.print_exc()
        return Crash(described(exception), _portable(exception))
    return None


def _run_here(job: bytes, send: Send) -> Crash | None:
    """Run a job in this process, which tells what it is at to whoever hears this process."""
    try:
        work, args, _ = pickle.loads(job)
        work(send, *args)
    except Exception as exception:
        return Crash(described(exception), exception)
    return None


class _MemoryWatch:
    """Ends this process if a job uses more than its limit, in addition to what jobs before it have left behind."""

    def __init__(self) -> None:
        self._fresh = megabytes_used()
        self._limit: int | None = None
        self._most: int | None = None
        threading.Thread(target=self._watch, daemon=True).start()

    def start(self, megabytes: int | None) -> None:
        """From now on a job is under way that may use so much."""
        self._limit = megabytes
        self._most = None if megabytes is None else megabytes + megabytes_used() - self._fresh

    def stop(self) -> None:
        """From now on no job is under way."""
        self._most = None

    def is_heavy(self) -> bool:
        """Return whether this process keeps too much to be used for another job with the same limit."""
        return self._limit is not None and megabytes_used() - self._fresh > KEPT * self._limit

    def _watch(self) -> None:
        while True:
            time.sleep(WATCHED)
            most = self._most
            if most is not None and megabytes_used() > most:
                os._exit(FULL)


def megabytes_used() -> int:
    """Return how many megabytes this process uses, or the most that it has used; 0 if the system does not tell."""
    with suppress(OSError, ValueError, IndexError):
        pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE") // 1_000_000
    if find_spec("resource") is None:
        return 0
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // (
        1_000_000 if sys.platform == "darwin" else 1_000
    )


def _portable(exception: Exception) -> Exception:
    """Return the exception itself if it survives pickling; if not, another one with the same message."""
    try:
        pickle.loads(pickle.dumps(exception))
    except Exception:
        return RuntimeError(described(exception))
    return exception


def _send_result(send: Send, function: Callable[[Job], Result], job: Job) -> None:
    send(function(job))


def _end_with_parent() -> None:
    """End when the parent has ended: a solver does not notice that."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
