"""Try golpae on spoilt input: `python -m tests.fuzz [--seed S] [--minutes N] [--kind KIND] [--out FOLDER]`.

Input: a seed. Output: how many of each kind were tried; each finding, with its input in the folder.
Guarantee: cases run in a process of their own, under a limit of memory. One that hangs or ends its process is a finding
and costs nothing else. The same seed makes the same cases. A run that is told to end (SIGTERM) says its counts.
"""

from __future__ import annotations

import argparse
import gettext
import multiprocessing
import os
import random
import resource
import signal
import sys
import tempfile
import time
from collections import Counter
from functools import cache
from multiprocessing.connection import Connection
from pathlib import Path

from tests.fuzz.cases import KINDS, case
from tests.fuzz.oracle import Case, Finding

SECONDS = 300  # that one case may take, on a machine that does other things too
MEMORY = 4 << 30
CASES = 1_500  # that a process tries, so that its memory does not grow
SHARES = {
    "traces": 20,
    "questions": 3,
    "texts": 400,
    "caches": 1,
    "names": 10,
    "files": 10,
    "kept proofs": 3,
    "certificates": 0.1,
    "signals": 0.3,
}
UNITS = {"traces": "spoilt traces", "questions": "questions about spoilt traces", "texts": "spoilt texts"}
CONTEXT = multiprocessing.get_context("fork")


def main() -> int:
    given = _arguments().parse_args()
    out = given.out or Path(tempfile.mkdtemp(prefix="golpae-fuzz-"))
    out.mkdir(parents=True, exist_ok=True)
    print(f"findings go to {out}", flush=True)
    ended: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, _: ended.append(number))
    until = time.monotonic() + 60 * given.minutes
    chance = random.Random(f"order {given.seed}")
    kinds = [given.kind] if given.kind else list(SHARES)
    numbers: Counter[str] = Counter()
    tried: Counter[str] = Counter()
    spent = dict.fromkeys(kinds, 0.0)
    findings = 0
    process = _Process()
    said = time.monotonic()
    while not ended and time.monotonic() < until:
        [kind] = chance.choices(kinds, [SHARES[k] for k in kinds])
        number = numbers[kind]
        numbers[kind] += 1
        if process.left <= 0:
            process.stop()
            process = _Process()
        began = time.monotonic()
        found = process.try_case(kind, given.seed, number)
        spent[kind] += time.monotonic() - began
        tried[kind] += found.tried
        tried.update(f"{kind} through {verb}" for verb in found.verbs)
        if found.finding is not None and not ended:
            findings += 1
            _show(kind, given.seed, number, found.finding, out)
        if time.monotonic() - said > 60:
            said = time.monotonic()
            print(
                ", ".join(f"{n:,} {k}" for k, n in sorted(tried.items()) if " through " not in k), flush=True
            )
    process.stop()
    for kind, count in sorted(tried.items()):
        print(f"{count:11,} {UNITS.get(kind, kind)}" + (f" in {spent[kind]:.0f} s" if kind in spent else ""))
    print(f"\n{findings} findings")
    return 1 if findings else 0


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--kind", choices=KINDS, help="only cases of this kind")
    parser.add_argument("--out", type=Path, help="a folder for findings")
    return parser


def _show(kind: str, seed: int, number: int, finding: Finding, out: Path) -> None:
    name = f"{kind.replace(' ', '-')}-{seed}-{number}"
    (out / name).write_bytes(finding.content)
    words = " ".join(finding.words)
    print(f"{name}: {finding.what[:400]}\n    {words[:300]!r}", flush=True)


class _Process:
    """One process that tries cases, one after the other."""

    def __init__(self) -> None:
        self.left = CASES
        self._ours, theirs = CONTEXT.Pipe()
        self._process = CONTEXT.Process(target=_work, args=(theirs, self._ours))
        self._process.start()
        theirs.close()

    def try_case(self, kind: str, seed: int, number: int) -> Case:
        """Return what came of a case."""
        self.left -= 1
        self._ours.send((kind, seed, number))
        try:
            if self._ours.poll(SECONDS):
                found: Case = self._ours.recv()
                return found
            what = f"no answer after {SECONDS} seconds"
        except (EOFError, ConnectionError):
            what = "its process ended"
        self.left = 0
        return Case(1, Finding(what, (kind, str(number)), b""))

    def stop(self) -> None:
        """End the process."""
        self._ours.close()
        self._process.join(5)
        self._process.kill()
        self._process.join()


def _work(tasks: Connection, ours: Connection) -> None:
    ours.close()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    os.environ["GOLPAE_PROGRESS"] = "off"
    _remember()
    with tempfile.TemporaryDirectory(prefix="golpae-fuzz-") as folder:
        inner = os.path.join(folder, "outer", "inner")  # `..` is a folder of our own
        os.makedirs(inner)
        os.chdir(inner)
        os.environ["GOLPAE_CACHE"] = os.path.join(folder, "cache")
        while True:
            try:
                kind, seed, number = tasks.recv()
            except (EOFError, OSError):
                break
            tasks.send(case(kind, seed, number))
        os.chdir("/")


def _remember() -> None:
    """Let calls in this process share what each looks for anew, and what stays."""
    vars(gettext)["find"] = cache(gettext.find)  # argparse looks for translations of each of its words


if __name__ == "__main__":
    sys.exit(main())
