"""Hold the scanner against the strict reader: `python -m tests.kernel.scan_fuzz [--seed S] [--lines N] [--texts N]`.

Input: a seed and a number of lines. Output: how many lines were recognised, and how many of the others the strict
reader accepts, of a sample. The first line that the two read differently ends the run with status 1.
Guarantee: the same seed makes the same lines. Every line that is recognised is held against the strict reader.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from golpae.elaborate.cache import elaborate_cached
from golpae.elaborate.instance import Instance, bounds, instantiate, options_of
from golpae.ir.ruleset import RuleSet
from golpae.kernel.language.host import available
from golpae.kernel.unsupported import NotCompiled
from golpae.replay.machine import Machine
from tests.differential.texts import RuleText, random_text
from tests.kernel import strict
from tests.kernel.scan_harness import BLOCK, LINES, Scanner
from tests.kernel.scan_lines import Lines

MANY_KEYS = Path(__file__).parent / "many-keys.golpae"
TRACES = Path(__file__).parents[2] / "traces"
OF_TEXT = 2_000  # lines of a random text
SAMPLE = 50  # one of so many lines that are not recognised is read strictly too
TABLES: tuple[tuple[str, int, Mapping[str, int]], ...] = (
    ("jjak", 3, {}),
    ("jjak+relaxed+row", 4, {}),
    ("ho-hpai", 4, {}),
    ("three-dozen", 5, {}),
    ("three-dozen", 2, {"double": 12}),
    ("korean-mahjong", 4, {}),
    ("many-keys", 2, {"most": 1}),
    ("many-keys", 3, {}),
    ("many-keys", 12, {"most": 9, "least": 0}),
)


@cache
def rule_set(rules: str) -> RuleSet:
    """Return a rule set that comes with golpae, or that of many keys."""
    if rules == "many-keys":
        return RuleText(rules, MANY_KEYS.read_text(encoding="utf-8")).rule_set()
    return elaborate_cached(rules)


@cache
def recorded(game: str) -> tuple[bytes, ...]:
    """Return the lines of all recorded games of one game, each once."""
    files = sorted((TRACES / game).glob("*.jsonl"))
    return tuple(dict.fromkeys(line for file in files for line in file.read_bytes().split(b"\n") if line))


@dataclass(slots=True)
class Sides:
    """The scanner and the strict reader of one instance, and what they said of lines."""

    instance: Instance
    rules: str
    counts: Counter[str] = field(default_factory=Counter)
    missed: list[bytes] = field(default_factory=list)
    scanner: Scanner = field(init=False)
    machine: Machine = field(init=False)

    def __post_init__(self) -> None:
        self.scanner = Scanner(self.instance, self.rules)
        self.machine = Machine(self.instance)

    def headers(self, lines: list[bytes]) -> list[int | None]:
        """Return the stakes of headers. Lines that are clearly no headers are read as such only now and then."""
        tried = [place for place, line in enumerate(lines) if b'"golpae' in line or place % SAMPLE == 0]
        stakes: list[int | None] = [None] * len(lines)
        for place, stake in zip(tried, self.scanner.headers([lines[p] for p in tried]), strict=True):
            stakes[place] = stake
        return stakes

    def compare(self, lines: list[bytes], sample: int = 1) -> list[bytes]:
        """Return the lines that are recognised and that the strict reader refuses or reads differently.

        One of `sample` lines that are not recognised is read strictly too, to count those that it accepts.
        """
        wrong = []
        for place, (line, event, stake) in enumerate(
            zip(lines, self.scanner.events(lines), self.headers(lines), strict=True)
        ):
            self.counts["lines"] += 1
            if event is not None:
                self.counts["events"] += 1
                if event != strict.event(self.machine, line, self.scanner.listed):
                    wrong.append(line)
            if stake is not None:
                self.counts["headers"] += 1
                if stake != strict.stake(self.machine, line, self.rules):
                    wrong.append(line)
            if event is None and stake is None and place % sample == 0:
                self.counts["sampled"] += 1
                if (
                    strict.event(self.machine, line, self.scanner.listed)
                    or strict.stake(self.machine, line, self.rules) is not None
                ):
                    self.counts["missed"] += 1
                    self.missed.append(line)
        return wrong


def batches(lines: Lines, number: int) -> list[bytes]:
    """Return at most so many lines, as many as fit into one call."""
    out: list[bytes] = []
    size = 0
    while len(out) < min(number, LINES):
        line = lines.line()
        size += len(line) + 1
        if size > BLOCK:
            break
        out.append(line)
    return out


@dataclass(frozen=True, slots=True)
class Task:
    """A table whose lines are tried, and how many of them."""

    name: str
    instance: Instance
    rules: str
    recorded: tuple[bytes, ...]
    lines: int


def tasks(lines: int, texts: int, seed: int) -> Iterator[Task]:
    """Yield the tables that are listed, with so many lines together, and random texts with a few lines each."""
    for rules, players, options in TABLES:
        instance = instantiate(rule_set(rules), players, options)
        name = f"{rules} for {players} {dict(options)}"
        yield Task(name, instance, rules, recorded(rules.split("+")[0]), lines // len(TABLES))
    for number in range(texts):
        random_rules = random_text(1_000 * seed + number).rule_set()
        low, _ = bounds(random_rules, options_of(random_rules, {}))
        name = f"random text {1_000 * seed + number} for {low}"
        yield Task(name, instantiate(random_rules, low, {}), random_rules.rules, (), OF_TEXT)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.kernel.scan_fuzz", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--lines", type=int, default=100_000)
    parser.add_argument("--texts", type=int, default=0, help="random texts that are tried too")
    parser.add_argument(
        "--show-missed", type=int, default=0, help="lines that the strict reader alone accepts"
    )
    given = parser.parse_args()
    if not available():
        print("modules cannot be run here")
        return 2
    for task in tasks(given.lines, given.texts, given.seed):
        try:
            sides = Sides(task.instance, task.rules)
        except NotCompiled as reason:
            print(f"{task.name}: not compiled: {reason}", flush=True)
            continue
        lines = Lines(task.instance, task.rules, task.recorded, random.Random(f"{given.seed} {task.name}"))
        while (left := task.lines - sides.counts["lines"]) > 0:
            wrong = sides.compare(batches(lines, left), SAMPLE)
            if wrong:
                print(f"{task.name}: read differently", *wrong[:5], sep="\n")
                return 1
        print(f"{task.name}: {dict(sorted(sides.counts.items()))}", flush=True)
        for line in sides.missed[: given.show_missed]:
            print("  ", line[:300])
    return 0


if __name__ == "__main__":
    sys.exit(main())
