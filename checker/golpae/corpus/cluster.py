"""Work on parts of sources on a Dask cluster.

Input: parts, and the address of a scheduler. Output: what `jobs.work_on` yields for each part in turn.
Guarantee: as in `jobs`, also if workers of the cluster die: Dask gives their parts to others. Workers have the same
golpae, and read the files and rule texts by the same names.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from typing import Any

from golpae.corpus.jobs import AHEAD, Batch, Begun, PieceEnd, ProcessDied, Task, work_on
from golpae.corpus.parts import Part
from golpae.corpus.reading import NoCluster
from golpae.trace.packed import MissingExtra

RETRIES = 3  # of a part whose worker died or failed
PATIENCE = 10  # seconds until the scheduler has to answer


_own = threading.local()  # a worker may have several threads, and a module has one memory


def done(task: Task[Any], part: Part) -> list[Batch[Any] | PieceEnd]:
    """Return all that `work_on` yields for a part, as a list, in a worker."""
    if not hasattr(_own, "begun"):
        _own.begun = Begun()
    return list(work_on(task, part, _own.begun))


def in_cluster(task: Task[Any], todo: Iterator[Part], address: str) -> Iterator[Batch[Any] | PieceEnd]:
    """Yield the results of `work_on` for each part in turn. Raises `MissingExtra`, `NoCluster` and `ProcessDied`."""
    try:
        from distributed import Client
        from distributed.scheduler import KilledWorker
    except ImportError:
        raise MissingExtra("dask.distributed", "cluster") from None
    try:
        client: Any = Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as fault:
        raise NoCluster(f"there is no scheduler at `{address}`: {fault}") from None
    with client:
        waiting: deque[Any] = deque()
        while True:
            most = AHEAD * max(1, sum(client.nthreads().values()))
            while len(waiting) < most and (part := next(todo, None)) is not None:
                waiting.append(client.submit(done, task, part, pure=False, retries=RETRIES))
            if not waiting:
                return
            first = waiting.popleft()
            try:
                messages = first.result()
            except KilledWorker:
                raise ProcessDied("workers of the cluster died of one part again and again") from None
            first.release()
            yield from messages
