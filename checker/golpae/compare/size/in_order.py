"""Parts of some work, on several processes, in order.

Input: a function that does some of the parts and sends what came of each, with its number. Output: what was sent.
Guarantee: parts come in the order of their numbers, whichever process is faster.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol, TypeVar

from golpae.simulate.series import ProcessDied
from golpae.workers import Ended, Sent, Workers


class Numbered(Protocol):
    """What came of a part."""

    @property
    def number(self) -> int: ...


P = TypeVar("P", bound=Numbered)


def in_order(
    kind: type[P], parts: range, processes: int, work: Callable[..., None], *args: object
) -> Iterator[P]:
    """Yield the results of the parts, in order from 0. Each process runs `work(send, *args, own)`, which sends a `kind`
    for each of its own parts. When the caller stops, the processes end.

    Raises `ProcessDied`, and what `work` raises.
    """
    waiting: dict[int, P] = {}
    due = 0
    with Workers[int](processes) as workers:
        for number in range(processes):
            workers.start(number, work, *args, parts[number::processes])
        while workers.at_work:
            for event in workers.events():
                if isinstance(event, Sent) and isinstance(event.message, kind):
                    waiting[event.message.number] = event.message
                elif isinstance(event, Ended) and event.crash is not None:
                    raise event.crash.exception or ProcessDied(event.crash.reason)
            while due in waiting:
                yield waiting.pop(due)
                due += 1
