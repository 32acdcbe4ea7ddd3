"""How fast recorded games are checked, beside merely reading them as JSON; and how fast a check starts.

Input: nothing, or a number of events.
Output: a table on standard output.
Guarantee: every measurement reads the same file of random legal games, made from a fixed seed. Seconds are those of
the processor, and each figure is the best of several runs: other work on the machine can only make a run slower.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from golpae.elaborate.cache import elaborate_cached
from golpae.elaborate.instance import instantiate
from golpae.replay.machine import Machine
from golpae.replay.machine_cache import Library
from golpae.replay.replay import replay
from golpae.replay.simulate import DeadEnd, header, play
from golpae.trace import Verdict, lines

SEED = 20_261
EVENTS = 200_000
# Rule sets and numbers of players; games of all of them are mixed.
TABLES = (
    ("jjak", 2),
    ("jjak", 3),
    ("jjak", 4),
    ("jjak+culin", 3),
    ("jjak+relaxed+row", 3),
    ("jjak+doubling+lay-optional+reserve-win", 4),
    ("jjak+ten-rounds+third-is-acquired", 4),
)
RUNS = 5


@dataclass(frozen=True, slots=True)
class Row:
    """One measurement: processor seconds, and how many events they were spent on (None: a mere start)."""

    what: str
    seconds: float
    events: int | None


def write_games(path: Path, events: int) -> int:
    """Write random legal games of at least so many events. Return how many there are."""
    rng = random.Random(SEED)
    machines = [Machine(instantiate(elaborate_cached(rules), players, {})) for rules, players in TABLES]
    written = 0
    with path.open("w", encoding="utf-8") as file:
        while written < events:
            machine = rng.choice(machines)
            stake = rng.randint(1, 3)
            try:
                game = list(play(machine, machine.new_state(stake), rng, hands=rng.randint(1, 3)))
            except DeadEnd:
                continue
            for line in (header(machine, stake), *game):
                file.write(json.dumps(line, separators=(",", ":")) + "\n")
            written += len(game)
    return written


def best(work: Callable[[], object], runs: int = RUNS) -> float:
    """Return the seconds of the fastest run."""
    return min(_seconds(work) for _ in range(runs))


def _seconds(work: Callable[[], object]) -> float:
    before = os.times()
    work()
    after = os.times()
    return sum(after[:4]) - sum(before[:4])  # of this process and of those that it ran


class Measured:
    """The work that is measured, on a file of games with so many events, all of them legal."""

    def __init__(self, path: Path, events: int) -> None:
        self.path = path
        self.events = events
        self.library = Library(elaborate_cached)

    def json(self) -> None:
        with self.path.open("rb") as stream:
            for line in stream:
                json.loads(line)

    def lines(self) -> None:
        with self.path.open("rb") as stream:
            for _, _, fault in lines(stream):
                assert fault is None

    def replayed(self) -> None:
        events = 0
        with self.path.open("rb") as stream:
            for report in replay(stream, self.path.name, self.library):
                assert report.outcome.verdict is Verdict.LEGAL, report.outcome
                events += report.events
        assert events == self.events


def measure(games: Measured, start: Path) -> Iterator[Row]:
    """Give every measurement; `start` is a trace of one game."""
    games.replayed()  # makes the machines
    yield Row("json.loads, line by line", best(games.json), games.events)
    yield Row("golpae.trace.lines", best(games.lines), games.events)
    yield Row("replay, from the file to the reports", best(games.replayed), games.events)
    yield Row("golpae check, the whole process", best(golpae("check", games.path), 3), games.events)
    yield Row("golpae check of one game", best(golpae("check", start)), None)
    yield Row("golpae check of one game, no cache", best(golpae("check", start, GOLPAE_CACHE="off")), None)
    yield Row("golpae --version", best(golpae("--version")), None)
    yield Row("python -c pass", best(python("-c", "pass")), None)


def golpae(*words: str | Path, **environment: str) -> Callable[[], object]:
    """Return a function that runs golpae as a process."""
    return python("-m", "golpae", *words, **environment)


def python(*words: str | Path, **environment: str) -> Callable[[], object]:
    """Return a function that runs Python as a process."""
    command = [sys.executable, *map(str, words)]
    return lambda: subprocess.run(
        command, env=os.environ | environment, stdout=subprocess.DEVNULL, check=True
    )


def table(rows: list[Row]) -> Iterator[str]:
    """Give the rows in columns, with ratios to the first."""
    base = rows[0].seconds
    yield f"{'':38} {'seconds':>8} {'events/s':>10} {'x json':>7}"
    for row in rows:
        rate = "" if row.events is None else f"{row.events / row.seconds:10,.0f}"
        ratio = "" if row.events is None else f"{row.seconds / base:7.2f}"
        yield f"{row.what:38} {row.seconds:8.3f} {rate:>10} {ratio:>7}".rstrip()


def main(words: list[str] | None = None) -> None:
    """Measure everything and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.replay", description=__doc__)
    parser.add_argument("--events", type=int, default=EVENTS, help="how many events the games have at least")
    args = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as folder:
        path, start = Path(folder, "games.jsonl"), Path(folder, "game.jsonl")
        events = write_games(path, args.events)
        write_games(start, 1)
        sys.stdout.write(
            f"{events} events in {path.stat().st_size >> 10} KiB of random games, seed {SEED}\n\n"
        )
        for line in table(list(measure(Measured(path, events), start))):
            sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main()
