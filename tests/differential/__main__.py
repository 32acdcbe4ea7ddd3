"""Check golpae on random texts: `python -m tests.differential --seed S --minutes N [--texts N] [--out FOLDER]`.

Input: a seed. Output: counts of what was looked at; each text on which something is wrong, in the folder.
Guarantee: the same seed makes the same texts. One that hangs or crashes costs that text alone, and is a finding.
A run that is told to end (SIGTERM) finishes its texts and says its counts.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import count, islice
from pathlib import Path

from tests.differential.checks import SETTINGS, Finding, Limits, of_mutants
from tests.differential.mutants import random_mutants
from tests.differential.pool import Checked, Task, check_alone, checked
from tests.differential.shrink import shrunk
from tests.differential.texts import RuleText

PROVING = (
    "prove",
    "refuted",
    "bounded",
    "ends",
    "witness",
    "no-witness",
    "hang",
    "process",
)  # findings of proofs
SMALL_TABLES = 2  # of a small text, the rules with a switch included
SMALL_SETTINGS = replace(SETTINGS, most=400_000, effort=0.1)


def main() -> int:
    given = arguments().parse_args()
    until = time.monotonic() + 60 * given.minutes
    run = _Run(given.out, given.shrink)
    tasks = islice(_tasks(given), given.texts)
    ended: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, _: ended.append(number))
    for found in checked(tasks, given.jobs, lambda: not ended and time.monotonic() < until):
        run.add(found, given)
    run.summary()
    return 1 if run.kinds else 0


def arguments() -> argparse.ArgumentParser:
    """Return the options of the net."""
    parser = argparse.ArgumentParser(prog="python -m tests.differential", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--texts", type=int, default=1_000_000)
    parser.add_argument("--jobs", type=int, default=1, help="processes that check texts")
    parser.add_argument(
        "--proofs", type=float, default=0.1, help="the share of texts that are proved as well"
    )
    parser.add_argument(
        "--comparisons",
        type=float,
        default=0.02,
        metavar="SHARE",
        help="the share of texts that are compared with a change of themselves",
    )
    parser.add_argument(
        "--syntax",
        type=float,
        default=0.05,
        help="the share of texts that are compared by syntax with changes",
    )
    parser.add_argument(
        "--steps", type=float, default=0.2, help="the share of texts whose steps the prover makes as well"
    )
    parser.add_argument(
        "--small", type=float, default=0.1, help="the share of texts with few positions, besides those proved"
    )
    parser.add_argument(
        "--found", type=float, default=0.08, help="the share of texts that are changes of those in `found`"
    )
    parser.add_argument("--caches", type=float, default=0.03, help="the share of texts that are cached")
    parser.add_argument(
        "--theorems", type=float, default=0.1, help="the share of texts whose theorems are judged"
    )
    parser.add_argument(
        "--shares",
        type=float,
        default=0.2,
        help="the share of texts whose hands by policies are asked on both paths",
    )
    parser.add_argument(
        "--positions", type=int, default=1_000, help="positions of a walk, where texts are proved"
    )
    parser.add_argument("--out", type=Path, default=None)
    parser.add_argument(
        "--mutants", action="store_true", help="mutants of real texts instead of random texts"
    )
    parser.add_argument("--shrink", type=int, default=0, help="tries to make a text with a new finding small")
    return parser


def _tasks(given: argparse.Namespace) -> Iterator[Task]:
    texts = random_mutants(given.seed) if given.mutants else count(given.seed)
    return (task_of(text, given) for text in texts)


def task_of(text: RuleText | int, given: argparse.Namespace) -> Task:
    """Return what the options ask of a text, or of the random text of a seed."""
    seed = text.seed if isinstance(text, RuleText) else text
    proofs = seed * 7919 % 1000 < given.proofs * 1000
    compared = seed * 6007 % 1000 < given.comparisons * 1000
    small = proofs or compared or seed * 3001 % 1000 < given.small * 1000
    limits = Limits(
        positions=given.positions,
        proofs=proofs,
        by_syntax=seed * 7001 % 1000 < given.syntax * 1000,
        compared=compared,
        small=small,
        games=3 if proofs or compared else 7,
        tables=SMALL_TABLES if small else 100,
        settings=SMALL_SETTINGS if small else SETTINGS,
        steps=seed * 6053 % 1000 < given.steps * 1000,
        theorems=seed * 5003 % 1000 < given.theorems * 1000,
        caches=seed * 4099 % 1000 < given.caches * 1000,
        shares=seed * 2003 % 1000 < given.shares * 1000,
    )
    mutant = seed * 4423 % 1000 < given.found * 1000
    return Task(text, of_mutants(limits) if given.mutants else limits, mutant)


class _Run:
    """What a run has seen so far."""

    def __init__(self, out: Path | None, tries: int) -> None:
        self.out = out
        self.tries = tries
        self.counts: Counter[str] = Counter()
        self.kinds: Counter[str] = Counter()
        self.constructs: Counter[str] = Counter()
        self.clean = 0
        self.seeds: list[int] = []
        self.began = time.monotonic()

    def add(self, found: Checked, given: argparse.Namespace) -> None:
        """Count a text, and show what was found on it."""
        self.seeds.append(found.seed)
        self.counts["texts"] += 1
        self.counts["texts proved"] += found.report.counts["proofs"] > 0
        self.counts.update(found.report.counts)
        self.constructs.update(found.constructs)
        first = {finding.kind: finding for finding in reversed(found.report.findings)}
        self.clean = 0 if first else self.clean + 1
        for finding in first.values():  # one of a kind for each text
            self.kinds[finding.kind] += 1
            show(found.seed, found.text, finding, self.out, self.kinds[finding.kind])
            if self.tries and self.out is not None and found.text and self.kinds[finding.kind] <= 2:
                limits = Limits(positions=given.positions, proofs=finding.kind.startswith(PROVING))
                small, left = smallest(found.text, finding, limits, self.tries)
                show(found.seed, small, left, self.out / "small", 1)

    def summary(self) -> None:
        minutes = (time.monotonic() - self.began) / 60
        print(f"\nseeds {min(self.seeds, default=0)} to {max(self.seeds, default=0)}, ", end="")
        print(
            f"{len(self.seeds) / max(minutes, 0.01):.0f} texts a minute, the last {self.clean} without findings"
        )
        for table in (self.counts, self.constructs, self.kinds):
            print("\n" + "\n".join(f"{number:11,} {name}" for name, number in sorted(table.items())))
        print(f"\n{sum(self.kinds.values())} findings")


def smallest(text: RuleText, finding: Finding, limits: Limits, tries: int) -> tuple[RuleText, Finding]:
    """Return a small text with a finding of the same kind, and that finding."""
    found = [finding]

    def still_wrong(tried: RuleText) -> bool:
        same = [f for f in check_alone(tried, limits).findings if f.kind == finding.kind]
        found[0] = same[0] if same else found[0]
        return bool(same)

    return shrunk(text, still_wrong, tries), found[0]


def show(seed: int, text: RuleText | None, finding: Finding, out: Path | None, number: int) -> None:
    """Print a finding, and write its text and game to the folder."""
    print(f"{finding.kind}: seed {seed}, {finding.rules} for {finding.players}: {finding.detail[:300]}")
    sys.stdout.flush()
    if out is None or number > 40 or text is None:
        return
    folder = out / finding.kind
    folder.mkdir(parents=True, exist_ok=True)
    stem = f"{text.name}-{seed}"
    (folder / f"{stem}.golpae").write_text(text.source)
    note = [f"seed {seed}", f"rules {finding.rules}", f"players {finding.players}", finding.detail, ""]
    note += [json.dumps(line) for line in finding.trace]
    (folder / f"{stem}.txt").write_text("\n".join(note) + "\n")


if __name__ == "__main__":
    sys.exit(main())
