"""What golpae does if the system asks it to end.

Input: signals. Output: `Ended` in the main thread, once.
Guarantee: a program that is asked to end leaves no process and no temporary file behind: `Ended` runs through the same
blocks as Ctrl-C. A second request does not disturb this. A signal that arrives where Python can raise nothing (in
`__del__`) is raised a moment later, and what fails there gets no traceback.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from _thread import interrupt_main
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import TYPE_CHECKING

ASKED = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


if TYPE_CHECKING:
    from sys import UnraisableHookArgs

LATER = 0.01  # seconds until a signal is raised again


class Ended(KeyboardInterrupt):
    """The system asked golpae to end."""


@dataclass(slots=True)
class EndRequest:
    """Whether the system asked golpae to end: `status` is 128 and the number of the signal, or None."""

    status: int | None = None


def _raise_again(number: signal.Signals) -> None:
    """Send a signal to the main thread; where there are no threads of the system, at its next step."""
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, number)
    else:
        interrupt_main(number)


@contextmanager
def ends_when_asked() -> Iterator[EndRequest]:
    """Raise `Ended` in this block on the first signal that asks golpae to end, unless its caller ignores them."""
    signal_seen = EndRequest()
    if threading.current_thread() is not threading.main_thread():
        yield signal_seen
        return
    watched = [number for number in ASKED if signal.getsignal(number) is signal.SIG_DFL]

    def end(number: int, frame: FrameType | None) -> None:
        # The handlers stay: Python prints a traceback if it has to ignore a signal that has already arrived.
        if signal_seen.status is None:
            signal_seen.status = 128 + number
            raise Ended

    def not_raised(unraisable_hook_args: UnraisableHookArgs) -> None:
        if os.environ.get("GOLPAE_DEBUG"):
            sys.__unraisablehook__(unraisable_hook_args)
        number = signal.SIGINT
        if isinstance(unraisable_hook_args.exc_value, Ended) and signal_seen.status is not None:
            number, signal_seen.status = signal.Signals(signal_seen.status - 128), None
        if isinstance(unraisable_hook_args.exc_value, KeyboardInterrupt):
            again = threading.Timer(LATER, _raise_again, [number])
            again.daemon = True
            again.start()

    before, sys.unraisablehook = sys.unraisablehook, not_raised
    for number in watched:
        signal.signal(number, end)
    try:
        yield signal_seen
    finally:
        sys.unraisablehook = before
        for number in watched:
            signal.signal(number, signal.SIG_DFL)
