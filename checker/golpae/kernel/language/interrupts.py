"""Let Ctrl-C, and other signals, end what runs outside Python.

Input: calls into a library that goes on for long. Output: what they return, or what the handler of a signal raises.
Guarantee: the handlers are Python's own, and run where they always do, in the main thread; other threads call as usual.

Python notes a signal at once, but carries its handler out only between two of its own steps. So a module that runs is
told to stop: it has no steps left then, whose number lies in its memory. A thread waits for signals meanwhile.
"""

from __future__ import annotations

import os
import signal
import socket
import threading
import time
from _thread import allocate_lock, start_new_thread
from collections.abc import Callable
from ctypes import Array, c_int64
from typing import TypeVar

Given = TypeVar("Given")
WAITED = 0.1  # seconds between two looks at signals, where a wait does not notice them
AGAIN = 0.001  # seconds after which a module is told again that it has no steps left: it may have begun anew
FORGOTTEN: list[Callable[[], None]] = []  # calls that nobody waits for any more, and all that they need


class _Watch:
    """The thread of one process that waits for signals."""

    def __init__(self) -> None:
        self.process = os.getpid()
        self.steps: Array[c_int64] | None = None  # of the module that runs now
        self.other = -1  # whoever waited for signals before
        self._heard, self._told = socket.socketpair()
        self._told.setblocking(False)
        self.number = self._told.fileno()
        threading.Thread(target=self._wait, name="golpae signals", daemon=True).start()

    def _wait(self) -> None:
        while True:
            signals = self._heard.recv(64)
            if self.other >= 0:
                os.write(self.other, signals)
            while (steps := self.steps) is not None:
                steps[0] = 0
                time.sleep(AGAIN)


_watches: list[_Watch] = []


def run(call: Callable[[], Given], steps: Array[c_int64]) -> Given:
    """Call a function of a module and return its result. A signal can end the call, because it sets `steps`, the number
    of steps that are left, to 0.
    """
    if threading.current_thread() is not threading.main_thread():
        return call()
    if not _watches or _watches[-1].process != os.getpid():
        _watches.append(_Watch())
    watch = _watches[-1]
    watch.other = signal.set_wakeup_fd(watch.number, warn_on_full_buffer=False)
    watch.steps = steps
    try:
        return call()
    finally:
        watch.steps = None
        signal.set_wakeup_fd(watch.other, warn_on_full_buffer=False)


def wait_for(call: Callable[[], Given]) -> Given:
    """Return the result of a call that cannot be told to stop. It has a thread of its own, which is forgotten if a
    signal comes first.
    """
    if threading.current_thread() is not threading.main_thread():
        return call()
    given: list[Given] = []
    raised: list[BaseException] = []
    working = allocate_lock()
    working.acquire()

    def work() -> None:
        try:
            given.append(call())
        except BaseException as fault:  # raised where somebody waits
            raised.append(fault)
        finally:
            working.release()

    start_new_thread(work, ())
    try:
        while not working.acquire(timeout=WAITED):
            pass
    except BaseException:
        FORGOTTEN.append(work)
        raise
    if raised:
        raise raised[0]
    return given[0]
