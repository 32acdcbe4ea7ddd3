"""How long the proofs of rule texts take, beside a puzzle that the solver is given by itself.

In: nothing, or rule sets and a number of processes. Out: a table on standard output. Everything that the texts state
is decided twice by `golpae prove`, a process of its own: with an empty cache, and from what the first run kept. The
puzzle is the pigeonhole principle (`PIGEONS` birds do not fit into one hole less), which asks nothing of golpae.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations

import z3

PIGEONS = 10
FINE = (0, 1, 3)  # exit: proved, refuted against expectation, unknown; anything else is no measure


@dataclass(frozen=True, slots=True)
class Took:
    """Seconds on the clock, and seconds of all processors together."""

    what: str
    clock: float
    processor: float


def pigeons() -> None:
    """The solver by itself: a puzzle without an answer."""
    sits = [[z3.Bool(f"{bird} in {hole}") for hole in range(PIGEONS - 1)] for bird in range(PIGEONS)]
    solver = z3.Solver()
    solver.add(*(z3.Or(*holes) for holes in sits))
    for one, other in combinations(sits, 2):
        solver.add(*(z3.Not(z3.And(a, b)) for a, b in zip(one, other, strict=True)))
    assert solver.check() == z3.unsat


def prove(words: list[str], cache: str) -> str:
    """`golpae prove`, whole; gives its last line."""
    environment = os.environ | {"XDG_CACHE_HOME": cache}
    ran = subprocess.run(
        [sys.executable, "-m", "golpae", "prove", *words],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode in FINE, ran.stderr
    return ran.stdout.rstrip().rpartition("\n")[2]


def took(what: str, do: Callable[[], object]) -> Took:
    def used() -> float:
        both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
        return sum(u.ru_utime + u.ru_stime for u in both)

    clock, processor = time.perf_counter(), used()
    do()
    return Took(what, time.perf_counter() - clock, used() - processor)


def measure(words: list[str]) -> Iterator[Took]:
    with tempfile.TemporaryDirectory() as cache:
        yield took(f"z3 alone: {PIGEONS} pigeons", pigeons)
        yield took("proved, nothing kept", lambda: sys.stdout.write(f"{prove(words, cache)}\n\n"))
        yield took("proved, from what was kept", lambda: prove(words, cache))


def main(words: list[str] | None = None) -> None:
    """Measure everything and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.prove", description=__doc__)
    parser.add_argument("rules", nargs="*", help="rule sets; all that golpae brings along, if none are named")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes at a time")
    found = parser.parse_args(words)
    rows = list(measure([*found.rules, "--jobs", str(found.jobs)]))
    unit = rows[0].processor
    sys.stdout.write("| | seconds | seconds of all processors | x the puzzle |\n|---|---|---|---|\n")
    for row in rows:
        sys.stdout.write(
            f"| {row.what} | {row.clock:.1f} | {row.processor:.1f} | {row.processor / unit:.1f} |\n"
        )


if __name__ == "__main__":
    main()
