"""Check golpae on random texts: `python -m tests.differential --seed S --minutes N [--texts N] [--out FOLDER]`.

Input: a seed. Output: counts of what was looked at; each text on which something is wrong, in the folder.
Guarantee: the same seed makes the same texts. Each text has a process of its own, so that one that hangs or crashes
costs that text alone, which is then a finding.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import resource
import sys
import time
from collections import Counter
from dataclasses import replace
from itertools import count, islice
from multiprocessing.connection import Connection
from pathlib import Path

from tests.differential.checks import Finding, Limits, Report, check_text
from tests.differential.coverage import constructs_of
from tests.differential.mutants import random_mutants
from tests.differential.shrink import shrunk
from tests.differential.texts import RuleText, random_text

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
SECONDS = 90  # that one text may take
MEMORY = 3 << 30


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.differential", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--texts", type=int, default=1_000_000)
    parser.add_argument(
        "--proofs", type=float, default=0.2, help="the share of texts that are proved as well"
    )
    parser.add_argument("--positions", type=int, default=1_000)
    parser.add_argument("--out", type=Path, default=None)
    parser.add_argument(
        "--mutants", action="store_true", help="mutants of real texts instead of random texts"
    )
    parser.add_argument("--shrink", type=int, default=0, help="tries to make a text with a new finding small")
    given = parser.parse_args()
    until = time.monotonic() + 60 * given.minutes
    counts: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    constructs: Counter[str] = Counter()
    seed = given.seed
    texts = random_mutants(given.seed) if given.mutants else map(random_text, count(given.seed))
    for text in islice(texts, given.texts):
        seed = text.seed
        proofs = seed * 7919 % 1000 < given.proofs * 1000
        limits = Limits(positions=given.positions, proofs=proofs, tables=1 if given.mutants else 100)
        report = in_a_process(text, limits)
        counts["texts"] += 1
        counts["texts proved"] += proofs
        counts.update(report.counts)
        constructs.update(constructs_of(text.rule_set()))
        first = {finding.kind: finding for finding in reversed(report.findings)}
        for finding in first.values():  # one of a kind for each text
            kinds[finding.kind] += 1
            show(text, finding, given.out, kinds[finding.kind])
            if given.shrink and given.out is not None and kinds[finding.kind] <= 2:
                small, left = smallest(text, finding, limits, given.shrink)
                show(small, left, given.out / "small", 1)
        if time.monotonic() > until:
            break
    print(f"\nseeds {given.seed} to {seed}")
    for table in (counts, constructs, kinds):
        print("\n" + "\n".join(f"{number:9,} {name}" for name, number in sorted(table.items())))
    print(f"\n{sum(kinds.values())} findings")
    return 1 if kinds else 0


def smallest(text: RuleText, finding: Finding, limits: Limits, tries: int) -> tuple[RuleText, Finding]:
    """Return a small text with a finding of the same kind, and that finding."""
    limits = replace(limits, proofs=limits.proofs and finding.kind.startswith(PROVING))
    found = [finding]

    def still_wrong(tried: RuleText) -> bool:
        same = [f for f in in_a_process(tried, limits).findings if f.kind == finding.kind]
        found[0] = same[0] if same else found[0]
        return bool(same)

    return shrunk(text, still_wrong, tries), found[0]


def in_a_process(text: RuleText, limits: Limits) -> Report:
    """Return the report on a text, made by a process of its own."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_run, args=(text, limits, theirs))
    process.start()
    theirs.close()
    try:
        if ours.poll(SECONDS):
            report: Report = ours.recv()
            return report
        kind = "hang"
    except EOFError:
        kind = "process-died"
    finally:
        process.kill()
        process.join()
    finding = Finding(
        f"{kind}{'-proving' if limits.proofs else ''}", text.name, 0, f"after {SECONDS} seconds at most"
    )
    return Report([finding])


def _run(text: RuleText, limits: Limits, answer: Connection) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    os.nice(5)
    answer.send(check_text(text, limits))


def show(text: RuleText, finding: Finding, out: Path | None, number: int) -> None:
    """Print a finding, and write its text and game to the folder."""
    print(f"{finding.kind}: seed {text.seed}, {finding.rules} for {finding.players}: {finding.detail[:300]}")
    sys.stdout.flush()
    if out is None or number > 40:
        return
    folder = out / finding.kind
    folder.mkdir(parents=True, exist_ok=True)
    stem = f"{text.name}-{text.seed}"
    (folder / f"{stem}.golpae").write_text(text.source)
    note = [f"seed {text.seed}", f"rules {finding.rules}", f"players {finding.players}", finding.detail, ""]
    note += [json.dumps(line) for line in finding.trace]
    (folder / f"{stem}.txt").write_text("\n".join(note) + "\n")


if __name__ == "__main__":
    sys.exit(main())
