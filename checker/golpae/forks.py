"""Processes that begin as copies of one that has loaded what they need.

Input: the names of modules, and what a new process does with its end of a pipe.
Output: processes, each with our end of its pipe.
Guarantee: the process that is copied imports these modules, does nothing else, and has one thread. So a copy differs
from a new process that imports them in the time that it takes, and in nothing that a solver would notice. If it has
died, no more copies can be had, and those there are go on.
"""

from __future__ import annotations

import gc
import os
import signal
import socket
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from multiprocessing import get_context
from multiprocessing.connection import Connection

CAN_FORK = (
    hasattr(os, "fork") and sys.platform != "darwin"
)  # there, libraries of the system may start threads
PAUSE = 0.01  # seconds between two looks at a process that is to end
Serve = Callable[[Connection], None]


class Forks:
    """A process to be copied; each copy runs `serve` with its end of a pipe. Raises `OSError`."""

    def __init__(self, modules: Sequence[str], serve: Serve) -> None:
        context = get_context("spawn")
        self._orders, theirs = context.Pipe()
        self._process = context.Process(
            target=_copy_on_demand, args=(theirs, tuple(modules), serve), daemon=True
        )
        try:
            self._process.start()
        except BaseException:
            self._orders.close()
            raise
        finally:
            theirs.close()

    def start(self) -> tuple[Connection, Fork]:
        """Return our end of the pipe of a new copy, and the copy. Raises `OSError`."""
        ours, theirs = get_context("spawn").Pipe()
        try:
            self._orders.send(None)
            with socket.fromfd(self._orders.fileno(), socket.AF_UNIX, socket.SOCK_STREAM) as orders:
                socket.send_fds(orders, [b"1"], [theirs.fileno()])
            pid = self._orders.recv()
            if isinstance(pid, OSError):
                raise pid
        except (EOFError, ConnectionError) as fault:
            ours.close()
            raise ChildProcessError("the process to be copied has died") from fault
        except BaseException:
            ours.close()
            raise
        finally:
            theirs.close()
        return ours, Fork(pid, self)

    def exit_code(self, pid: int) -> int | None:
        """Return the exit code of a copy, or None if it has not ended. Raises `EOFError` and `OSError`."""
        self._orders.send(pid)
        code: int | None = self._orders.recv()
        return code

    def close(self) -> None:
        """End the process to be copied, but none of its copies."""
        self._orders.close()
        self._process.join()


class Fork:
    """A copy. Its `exitcode` is below 0 if a signal has ended it, and None while it runs or if nobody can tell."""

    def __init__(self, pid: int, forks: Forks) -> None:
        self.pid = pid
        self.exitcode: int | None = None
        # INVARIANT: a copy ends with us, and takes it for our end if what we hold of the process it copies is collected
        self._forks = forks
        self._has_ended = False

    def kill(self) -> None:
        """End it, whatever it is doing."""
        if not self._has_ended:  # until it was waited for, no other process gets its number
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)

    def join(self, timeout: float | None = None) -> None:
        """Wait until it has ended, for so many seconds at most."""
        end = None if timeout is None else time.monotonic() + timeout
        while self.is_alive() and (end is None or time.monotonic() < end):
            time.sleep(PAUSE)

    def is_alive(self) -> bool:
        """Return whether it has not ended yet."""
        if not self._has_ended:
            try:
                self.exitcode = self._forks.exit_code(self.pid)
                self._has_ended = self.exitcode is not None
            except (EOFError, OSError):  # the process that was copied has died
                self._has_ended = True
        return not self._has_ended


# ---------------------------------------------------------------- in the process to be copied


def _copy_on_demand(orders: Connection, modules: Sequence[str], serve: Serve) -> None:
    """Fork for each order, and tell who has ended, until the parent closes the pipe."""
    with suppress(ValueError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    for module in modules:
        import_module(module)
    gc.freeze()  # so that no copy walks through what all of them share
    while True:
        try:
            pid = orders.recv()
            orders.send(_forked(orders, serve) if pid is None else _exit_code(pid))
        except (EOFError, OSError):
            return


def _exit_code(pid: int) -> int | None:
    """Return the exit code of a copy, or None if it has not ended."""
    ended, status = os.waitpid(pid, os.WNOHANG)
    return os.waitstatus_to_exitcode(status) if ended else None


def _forked(orders: Connection, serve: Serve) -> int | OSError:
    """Return the number of a new copy, or why there is none."""
    with socket.fromfd(orders.fileno(), socket.AF_UNIX, socket.SOCK_STREAM) as stream:
        handle = socket.recv_fds(stream, 1, 1)[1][0]
    try:
        pid = os.fork()
    except OSError as fault:
        os.close(handle)
        return fault
    if pid:
        os.close(handle)
        return pid
    code = 1
    try:
        orders.close()
        serve(Connection(handle))
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        for stream_out in (sys.stdout, sys.stderr):
            with suppress(Exception):
                stream_out.flush()
        os._exit(code)
