"""How long the proofs of rule texts take, beside a puzzle for the solver alone.

Input: rule sets, or none for all that come with golpae, and a number of processes. Output: a table on standard output.
`golpae prove --all`, a process of its own, proves everything that the texts state three times: without kept proofs and
with those beside the texts, both with an empty cache, and from the cache. The puzzle is the pigeonhole principle:
`PIGEONS` birds do not fit into one hole less.
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
FINE = (0, 1, 3)  # exit status: proved, not as expected, unknown


@dataclass(frozen=True, slots=True)
class Took:
    """Seconds on the clock, and seconds of all processors together."""

    what: str
    clock: float
    processor: float


def pigeons() -> None:
    """Solve the puzzle with the solver alone."""
    sits = [[z3.Bool(f"{bird} in {hole}") for hole in range(PIGEONS - 1)] for bird in range(PIGEONS)]
    solver = z3.Solver()
    solver.add(*(z3.Or(*holes) for holes in sits))
    for one, other in combinations(sits, 2):
        solver.add(*(z3.Not(z3.And(a, b)) for a, b in zip(one, other, strict=True)))
    assert solver.check() == z3.unsat


def prove(words: list[str], cache: str) -> str:
    """Run `golpae prove` and return its last line."""
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
    yield took(f"z3 alone: {PIGEONS} pigeons", pigeons)
    with tempfile.TemporaryDirectory() as cache:
        yield took("without kept proofs", lambda: prove([*words, "--anew"], cache))
    with tempfile.TemporaryDirectory() as cache:
        yield took("with kept proofs", lambda: sys.stdout.write(f"{prove(words, cache)}\n\n"))
        yield took("from the cache", lambda: prove(words, cache))


def main(words: list[str] | None = None) -> None:
    """Measure everything and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.prove", description=__doc__)
    parser.add_argument("rules", nargs="*", help="rule sets; all that golpae brings along, if none are named")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes at a time")
    args = parser.parse_args(words)
    rows = list(measure([*(args.rules or ["--all"]), "--jobs", str(args.jobs)]))
    unit = rows[0].processor
    sys.stdout.write("| | seconds | seconds of all processors | x the puzzle |\n|---|---|---|---|\n")
    for row in rows:
        sys.stdout.write(
            f"| {row.what} | {row.clock:.1f} | {row.processor:.1f} | {row.processor / unit:.1f} |\n"
        )


if __name__ == "__main__":
    main()
