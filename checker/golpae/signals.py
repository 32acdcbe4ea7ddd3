"""What golpae does if the system asks it to end.

Input: signals. Output: `Ended` in the main thread, once.
Guarantee: a program that is asked to end leaves no process and no temporary file behind: `Ended` runs through the same
blocks as Ctrl-C. A second request does not disturb this.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType

ASKED = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


class Ended(KeyboardInterrupt):
    """The system asked golpae to end."""


@dataclass(slots=True)
class Asked:
    """Whether the system asked golpae to end: `status` is 128 and the number of the signal, or None."""

    status: int | None = None


@contextmanager
def ends_when_asked() -> Iterator[Asked]:
    """Raise `Ended` in this block on the first signal that asks golpae to end, unless its caller ignores them."""
    asked = Asked()
    if threading.current_thread() is not threading.main_thread():
        yield asked
        return
    watched = [number for number in ASKED if signal.getsignal(number) is signal.SIG_DFL]

    def end(number: int, frame: FrameType | None) -> None:
        # The handlers stay: Python prints a traceback if it has to ignore a signal that has already arrived.
        if asked.status is None:
            asked.status = 128 + number
            raise Ended

    for number in watched:
        signal.signal(number, end)
    try:
        yield asked
    finally:
        for number in watched:
            signal.signal(number, signal.SIG_DFL)
