"""Games for the tests of corpora, and what the reference says of them."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

from golpae.corpus.paths import Legal
from golpae.elaborate.cache import elaborate_cached
from golpae.replay.machine import Machine
from golpae.replay.machine_cache import Library
from golpae.replay.replay import replay
from golpae.replay.report import Report
from golpae.replay.simulate import header, play
from golpae.trace import Outcome, sources
from tests.committed import TOP

LIBRARY = Library(elaborate_cached)
RECORDED = [Path(source.path) for source in sources([str(TOP / "traces")])[0]]
HEADER = b'{"golpae":1,"rules":"jjak","players":["An","Bo"]}\n'


def by_reference(held: bytes) -> tuple[list[Outcome], tuple[int, str] | None]:
    return drained(replay(BytesIO(held), "games", LIBRARY))


def drained(reports: Iterator[Report | Legal]) -> tuple[list[Any], tuple[int, str] | None]:
    out: list[Any] = []
    while True:
        try:
            report = next(reports)
        except StopIteration as end:
            return out, end.value
        out.append(report.outcome if isinstance(report, Report) else report)


def games(rules: str, players: int, many: int, seed: int = 1) -> bytes:
    machine = Machine(LIBRARY.machine(rules, players, {}).instance)  # type: ignore[union-attr]
    rng = random.Random(seed)
    lines: list[dict[str, Any]] = []
    for _ in range(many):
        lines += [header(machine), *play(machine, machine.new_state(1), rng)]
    return b"".join(json.dumps(line, separators=(",", ":")).encode() + b"\n" for line in lines)
