"""Plant each fault in a copy of the package, and ask the net: `python -m tests.planted [NAME ...] [--minutes N]`.

Input: names of faults; without names, all. Output: a line for each fault: the kind of finding that shows it, after how
many texts and CPU seconds, or that none does.
Guarantee: the net gets the same texts for every fault. A finding counts only if the package without the fault does not
have it on the same text. Exit status: 0 if every fault is seen that a text can show, else 1.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.committed import TOP
from tests.planted.fault import PACKAGE, Fault
from tests.planted.faults import FAULTS

SEED = 7_000_001
OPTIONS = {
    "games": ["--proofs", "0", "--steps", "0", "--comparisons", "0"],
    "steps": ["--steps", "1", "--small", "1", "--proofs", "0", "--comparisons", "0"],
    "proofs": ["--proofs", "1", "--positions", "300", "--steps", "0", "--comparisons", "0"],
    "positions": ["--small", "1", "--proofs", "0", "--steps", "0", "--comparisons", "0"],
    "syntax": ["--syntax", "1", "--small", "1", "--proofs", "0", "--steps", "0", "--comparisons", "0"],
    "comparisons": ["--comparisons", "1", "--proofs", "0", "--steps", "0"],
    "theorems": ["--theorems", "1", "--proofs", "0", "--steps", "0", "--comparisons", "0"],
    "caches": ["--caches", "1", "--proofs", "0", "--steps", "0", "--comparisons", "0"],
}  # of the net, for each part of it


@dataclass(frozen=True, slots=True)
class Asked:
    """What the net says about a fault: a finding or None, how many texts it looked at, and for how long."""

    kind: str | None
    detail: str
    texts: int
    seconds: float


class Net:
    """The net, with and without faults."""

    def __init__(self, seed: int, seconds: float) -> None:
        self.seed = seed
        self.seconds = seconds
        self.discounted = 0  # texts whose findings do not count
        self._plain: dict[str, _Process] = {}  # for each part, the net without a fault
        self._found: dict[tuple[str, int], dict[str, str]] = {}  # by it, on the text of a seed

    def ask(self, fault: Fault) -> Asked:
        """Return what the net says about a fault."""
        with tempfile.TemporaryDirectory() as folder:
            package = copy_of_package(Path(folder))
            (package / fault.file).write_text(fault.planted(package), encoding="utf-8")
            texts, seconds = 0, 0.0
            process = _Process(package, fault.part)
            try:
                while seconds < self.seconds:
                    kinds, spent = process.findings(self.seed + texts)
                    texts, seconds = texts + 1, seconds + spent
                    for kind in self._new(kinds, fault.part, self.seed + texts - 1):
                        return Asked(kind, kinds[kind], texts, seconds)
            finally:
                process.stop()
        return Asked(None, "", texts, seconds)

    def _new(self, kinds: dict[str, str], part: str, seed: int) -> list[str]:
        """Return the findings on a text that the package without the fault does not have."""
        if not kinds:
            return []
        if (part, seed) not in self._found:
            if part not in self._plain:
                self._plain[part] = _Process(PACKAGE, part)
            self._found[part, seed] = self._plain[part].findings(seed)[0]
        new = [kind for kind in kinds if kind not in self._found[part, seed]]
        self.discounted += not new
        return new

    def stop(self) -> None:
        for process in self._plain.values():
            process.stop()


class _Process:
    """The net in a process of its own, with a copy of the package."""

    def __init__(self, package: Path, part: str) -> None:
        path = {"PYTHONPATH": str(package.parent), "PYTHONHASHSEED": "0", "GOLPAE_CACHE": "off"}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.planted.asked", *OPTIONS[part]],
            cwd=TOP,
            env={**os.environ, **path},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.dead = "the package cannot be imported"
        began = self._read()
        if began is not None:
            assert began["package"] == str(package)
            self.dead = "the process is gone"

    def findings(self, seed: int) -> tuple[dict[str, str], float]:
        """Return the findings on the text of a seed, and how many CPU seconds it took."""
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):
            self._process.stdin.write(f"{seed}\n")
            self._process.stdin.flush()
        answer = self._read()
        if answer is None:
            return {"process-died": self.dead}, 0.0
        return answer["kinds"], answer["seconds"]

    def _read(self) -> dict[str, Any] | None:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        return json.loads(line) if line else None

    def stop(self) -> None:
        self._process.kill()
        self._process.communicate()


def copy_of_package(folder: Path) -> Path:
    """Copy the package, with the grammar and the texts that come with it. Return the copy."""
    copy = folder / "checker" / "golpae"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("grammar", "spec"):
        shutil.copytree(TOP / name, folder / name)
    return copy


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.planted", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="faults to plant; without names, all")
    parser.add_argument("--minutes", type=float, default=2.0, help="CPU time of the net for each fault")
    parser.add_argument("--seed", type=int, default=SEED, help="seed of the first text")
    args = parser.parse_args(given)
    unknown = set(args.names) - {fault.name for fault in FAULTS}
    if unknown:
        parser.error(f"there is no fault {', '.join(sorted(unknown))}")
    net = Net(args.seed, 60 * args.minutes)
    missed = 0
    for fault in FAULTS:
        if args.names and fault.name not in args.names:
            continue
        asked = net.ask(fault)
        after = f"{asked.texts} texts, {asked.seconds:.0f} s"
        if asked.kind is not None:
            first = next(iter(asked.detail.splitlines()), "")
            print(f"{fault.name}: {asked.kind}, {after}\n    {first[:200]}", flush=True)
        else:
            missed += fault.unseen is None
            print(f"{fault.name}: not seen, {after}; {fault.unseen or fault.wrong}", flush=True)
    net.stop()
    print(
        f"{missed} not seen that a text can show; {net.discounted} texts had findings without the fault too"
    )
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
