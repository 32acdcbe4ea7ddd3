"""Play many games, in several processes.

Input: a `Series`: rules at a table, policies, a seed, how many games.
Output: a `Tally` of all games; their traces, in the order of the games.
Guarantee: the same on any number of processes. Ctrl-C ends the work; what was played by then counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import msgspec

from golpae.elaborate.instance import instantiate
from golpae.ir.ruleset import RuleSet
from golpae.progress import Progress
from golpae.replay.machine import Machine
from golpae.simulate.play import Table
from golpae.simulate.policies import policies
from golpae.simulate.sight import Sight
from golpae.simulate.tally import Tally
from golpae.workers import Ended, Send, Sent, Workers

EACH_PART = 5  # games between two reports of a process

OnTraces = Callable[[bytes], None]


@dataclass(frozen=True, slots=True)
class Series:
    """What is played: `policies` has a name for each seat; `hands` are those of each game at most."""

    rule_set: RuleSet
    players: int
    options: Mapping[str, int]
    policies: tuple[str, ...]
    seed: int
    games: int
    hands: int = 1

    def table(self) -> Table:
        """Return the table. Raises `TableFault` and `PolicyFault`."""
        machine = Machine(instantiate(self.rule_set, self.players, self.options))
        return Table(machine, policies(self.policies, Sight(machine)))


@dataclass(frozen=True, slots=True)
class Simulated:
    """What came of the games. `interrupted`: not all of them were played."""

    tally: Tally
    interrupted: bool = False


@dataclass(frozen=True, slots=True)
class _Part:
    """Some games, the part of this number: their tally and their traces."""

    number: int
    tally: Tally
    traces: bytes


class ProcessDied(RuntimeError):
    """A process has ended before its work."""


def simulate(
    series: Series, processes: int, progress: Progress, on_traces: OnTraces | None = None
) -> Simulated:
    """Play all games. `on_traces` gets their traces, in order.

    Raises what a policy raises, `TooManySteps`, and `ProcessDied`.
    """
    parts = -(-series.games // EACH_PART)
    processes = max(1, min(processes, parts))
    collected = _Collected(Tally(series.players), on_traces, progress)
    try:
        if processes == 1:
            for part in _parts(series, range(parts), on_traces is not None):
                collected.add(part)
        else:
            _in_workers(series, parts, processes, collected)
    except KeyboardInterrupt:
        collected.close()
        return Simulated(collected.tally, interrupted=True)
    return Simulated(collected.tally)


class _Collected:
    """What the processes have sent. Traces wait until those of all games before them are there."""

    def __init__(self, tally: Tally, on_traces: OnTraces | None, progress: Progress) -> None:
        self.tally = tally
        self.on_traces = on_traces
        self._progress = progress
        self._waiting: dict[int, bytes] = {}
        self._next = 0

    def add(self, part: _Part) -> None:
        self.tally.merge(part.tally)
        self._progress.done = self.tally.games
        if self.on_traces is not None:
            self._waiting[part.number] = part.traces
            while self._next in self._waiting:
                self.on_traces(self._waiting.pop(self._next))
                self._next += 1

    def close(self) -> None:
        """Give the traces that still wait for games that nobody plays any more."""
        if self.on_traces is not None:
            for number in sorted(self._waiting):
                self.on_traces(self._waiting.pop(number))


def _in_workers(series: Series, parts: int, processes: int, collected: _Collected) -> None:
    with Workers[int](processes) as workers:
        for number in range(processes):
            own = range(number, parts, processes)
            workers.start(number, _work, series, own, collected.on_traces is not None)
        while workers.at_work:
            for event in workers.events():
                if isinstance(event, Sent) and isinstance(event.message, _Part):
                    collected.add(event.message)
                elif isinstance(event, Ended) and event.crash is not None:
                    raise event.crash.exception or ProcessDied(event.crash.reason)


def _work(send: Send, series: Series, numbers: range, traced: bool) -> None:
    for part in _parts(series, numbers, traced):
        send(part)


def _parts(series: Series, numbers: range, traced: bool) -> Iterator[_Part]:
    """Play these parts of the games."""
    table = series.table()
    for number in numbers:
        tally, traces = Tally(series.players), bytearray()
        for game in range(number * EACH_PART, min(series.games, (number + 1) * EACH_PART)):
            played = table.play(series.seed, game, series.hands)
            tally.add(game, played)
            if traced:
                for line in (table.header(game), *played.lines(table.machine)):
                    traces += msgspec.json.encode(line) + b"\n"
        yield _Part(number, tally, bytes(traces))
