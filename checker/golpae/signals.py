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
from types import FrameType

ASKED = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


class Ended(KeyboardInterrupt):
    """The system asked golpae to end. `status` is the exit status: 128 and the number of the signal."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.status = 128 + number


@contextmanager
def ends_when_asked() -> Iterator[None]:
    """Raise `Ended` in this block on the first signal that asks golpae to end, unless its caller ignores them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    watched = [number for number in ASKED if signal.getsignal(number) is signal.SIG_DFL]

    def end(number: int, frame: FrameType | None) -> None:
        for other in watched:
            signal.signal(other, signal.SIG_IGN)
        raise Ended(number)

    for number in watched:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number in watched:
            signal.signal(number, signal.SIG_DFL)
