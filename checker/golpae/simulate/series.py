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
from golpae.ir import expr as ir
from golpae.ir.ruleset import RuleSet
from golpae.progress import Progress
from golpae.replay.machine import Machine
from golpae.simulate.compiled import CompiledTable, compiled_table
from golpae.simulate.play import LONGEST, SimulatedGame, SimulatedTable
from golpae.simulate.policies import policies
from golpae.simulate.policy import Policy
from golpae.simulate.profile import Profile
from golpae.simulate.sight import Sight
from golpae.simulate.tally import Tally
from golpae.workers import Ended, Send, Sent, Workers

EACH_PART = 5  # games between two reports of a process
COMPILED_PART = 1_000  # on the compiled path

OnTraces = Callable[[bytes], None]


@dataclass(frozen=True, slots=True)
class Series:
    """What is played: `policies` has one for each seat, or its name; `hands` are those of each game at most, of up
    to `longest` events. What is `asked` of each hand are conditions on the position after its last event. Only if
    they are `scored` are patterns of won hands counted, which takes long.
    """

    rule_set: RuleSet
    players: int
    options: Mapping[str, int]
    policies: tuple[str | Policy, ...]
    seed: int
    games: int
    hands: int = 1
    longest: int = LONGEST
    asked: tuple[ir.Expr, ...] = ()
    scored: bool = True

    def table(self, profile: Profile | None = None) -> SimulatedTable:
        """Return the table; its clauses are measured by a `profile`. Raises `TableFault` and `PolicyFault`."""
        machine = Machine(instantiate(self.rule_set, self.players, self.options), timing=profile)
        made = policies(self.policies, Sight(machine))
        return SimulatedTable(machine, made, self.longest, self.asked, self.scored)


@dataclass(frozen=True, slots=True)
class Simulated:
    """What came of the games. `interrupted`: not all of them were played. `differ`: games that the two ways to play
    them have played differently, which is a fault of golpae.
    """

    tally: Tally
    interrupted: bool = False
    differ: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class _Part:
    """Some games, the part of this number: their tally, their traces, and those that were played differently."""

    number: int
    tally: Tally
    traces: bytes
    differ: tuple[int, ...] = ()


class ProcessDied(RuntimeError):
    """A process has ended before its work."""


def simulate(
    series: Series,
    processes: int,
    progress: Progress,
    on_traces: OnTraces | None = None,
    profile: Profile | None = None,
) -> Simulated:
    """Play all games. `on_traces` gets their traces, in order. With a `profile`, the reference plays them all in this
    process, and the profile has the times of their clauses.

    Raises what a policy raises, `TooManySteps`, and `ProcessDied`.
    """
    table, traced = series.table(profile), on_traces is not None
    compiled = compiled_table(table, traced) if profile is None else None
    if profile is not None:
        processes = 1
        profile.begin()
    size = EACH_PART if compiled is None else COMPILED_PART
    parts = -(-series.games // size)
    processes = max(1, min(processes, parts))
    collected = _Collected(Tally(series.players), on_traces, progress)
    try:
        if processes == 1:
            for part in _parts(series, table, compiled, range(parts), size, traced):
                collected.add(part)
        else:
            _in_workers(series, parts, size, processes, collected)
    except KeyboardInterrupt:
        collected.close()
        return Simulated(collected.tally, True, tuple(sorted(collected.differ)))
    finally:
        if profile is not None:
            profile.end()
    return Simulated(collected.tally, False, tuple(sorted(collected.differ)))


class _Collected:
    """What the processes have sent. Traces wait until those of all games before them are there."""

    def __init__(self, tally: Tally, on_traces: OnTraces | None, progress: Progress) -> None:
        self.tally = tally
        self.on_traces = on_traces
        self.differ: list[int] = []
        self._progress = progress
        self._waiting: dict[int, bytes] = {}
        self._next = 0

    def add(self, part: _Part) -> None:
        self.tally.merge(part.tally)
        self.differ += part.differ
        self._progress.done += part.tally.games
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


def _in_workers(series: Series, parts: int, size: int, processes: int, collected: _Collected) -> None:
    with Workers[int](processes) as workers:
        for number in range(processes):
            own = range(number, parts, processes)
            workers.start(number, _work, series, own, size, collected.on_traces is not None)
        while workers.at_work:
            for event in workers.events():
                if isinstance(event, Sent) and isinstance(event.message, _Part):
                    collected.add(event.message)
                elif isinstance(event, Ended) and event.crash is not None:
                    raise event.crash.exception or ProcessDied(event.crash.reason)


def _work(send: Send, series: Series, numbers: range, size: int, traced: bool) -> None:
    table = series.table()
    for part in _parts(series, table, compiled_table(table, traced), numbers, size, traced):
        send(part)


def _parts(
    series: Series,
    table: SimulatedTable,
    compiled: CompiledTable | None,
    numbers: range,
    size: int,
    traced: bool,
) -> Iterator[_Part]:
    """Play these parts of the games, each of so many."""
    for number in numbers:
        tally, traces = Tally(series.players), bytearray()
        first = number * size
        many = min(series.games - first, size)
        games: Iterator[tuple[int, SimulatedGame]]
        if compiled is None:
            games = ((g, table.play(series.seed, g, series.hands)) for g in range(first, first + many))
        else:
            games = compiled.games(series.seed, first, many, series.hands)
        same: dict[int, tuple[SimulatedGame, list[int]]] = {}  # games by their object, each with its numbers
        for game, played in games:
            same.setdefault(id(played), (played, []))[1].append(game)
            if traced:
                for line in (table.header(game), *played.lines(table.machine)):
                    traces += msgspec.json.encode(line) + b"\n"
        for played, together in same.values():
            tally.add(together, played)
        differ = () if compiled is None else tuple(compiled.differ)
        if compiled is not None:
            compiled.differ.clear()
        yield _Part(number, tally, bytes(traces), differ)
