"""`python -m tests.same_verdicts RULES...`: whether golpae says the same of rules in several ways to ask.

Input: rule sets by name or as files, a base alone with its variants and readings; without any, all that come with
golpae.
Output: what differs, and how many results were compared; the exit status is 1 if something differs.
Guarantee: everything in the JSON output is compared, but for seconds and whether a result comes from the cache.

Each way is a process of its own: other hash seeds, other orders of the properties, each property alone, other numbers
of processes, results or only theorems from the cache. `--busy N` starts N processes that do nothing but compute beside
all ways but the first, with which the others are compared. `--expected FILE` compares the verdicts with those of a
document that `golpae prove --format json` wrote before.

The orders come first, one table of each game before its other tables, then the calls of `golpae prove`, which are
about all rule sets that a word names. `--keep FOLDER` keeps each answer, so that the same command goes on after an
interruption; `--orders` and `--calls` ask one part alone.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from golpae import cache
from golpae.beside import write_whole
from golpae.bundled import spec_dir
from golpae.elaborate.instance import instantiate
from golpae.elaborate.load import game_names
from golpae.rule_names import named, named_rule_set
from golpae.verify.cache import CODE
from golpae.verify.options import Settings
from golpae.verify.properties import properties_of
from golpae.verify.result import SHARE
from golpae.verify.scheduler import tables

BUSY = "while True: pass"
ASIDE = ("seconds", "kept", "witness_file", "standing", "again")
ORDERS = ("as written", "backwards", "each alone")
WAYS = ((ORDERS[0], 0), (ORDERS[1], 1), (ORDERS[2], 2))  # orders with hash seeds
CACHED = ("an empty cache", "a full cache", "cached theorems")
FOREVER = "999999"  # seconds: an outer limit decides nothing
PROVE = ("-m", "golpae", "prove", "--format", "json", "--anew", "--time-limit", FOREVER)
Results = dict[str, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Table:
    """A rule set with a number of players; None: with each that it allows."""

    rules: str
    players: int | None

    @property
    def words(self) -> list[str]:
        """The words of a call that choose it."""
        return [self.rules, *([] if self.players is None else ["--players", str(self.players)])]

    def __str__(self) -> str:
        return self.rules if self.players is None else f"{self.rules}, {self.players} players"


def decided(table: Table, order: str) -> Iterator[dict[str, Any]]:
    """Yield the results for a rule set, whose properties are decided in this order in this process."""
    from golpae.verify.verifier import Verifier

    rule_set = named_rule_set(named(table.rules, []))
    for number, options in tables(rule_set, table.players):
        props = list(properties_of(rule_set))
        verifier = Verifier(instantiate(rule_set, number, options), Settings())
        for prop in reversed(props) if order == ORDERS[1] else props:
            if order == ORDERS[2]:
                verifier = Verifier(instantiate(rule_set, number, options), Settings())
            yield verifier.verify(prop).record()


def by_table(records: Sequence[dict[str, Any]]) -> Results:
    """Return results by what they are about, without what may differ. Shares of hands are measured, not decided."""
    out: Results = {}
    for record in records:
        if record["kind"] == SHARE:
            continue
        at = " ".join(f"{name} {value}" for name, value in sorted(record["options"].items()))
        about = f"{record['rules']}, {record['players']} players{f', {at}' if at else ''}: {record['name']}"
        out[about] = {key: value for key, value in record.items() if key not in ASIDE}
    return out


@dataclass(frozen=True, slots=True)
class Asking:
    """How to ask: beside so many busy processes. Answers are kept in a folder, if there is one."""

    folder: Path | None = None
    beside: int = 0

    @property
    def alone(self) -> Asking:
        """The same with no busy process."""
        return replace(self, beside=0)

    def ordered(self, table: Table, order: str, seed: int) -> Results:
        """Return what a process of its own says of a rule set."""
        words = ["-m", "tests.same_verdicts", *table.words, "--order", order]
        return by_table(self._kept(table, [*words, str(seed)], lambda: self._run(words, seed)))

    def proved(self, table: Table, jobs: int, seed: int) -> Results:
        """Return what `golpae prove` says of a rule set with so many processes."""
        words = [*PROVE, *table.words, "--no-cache", "--jobs", str(jobs)]
        return by_table(self._kept(table, [*words, str(seed)], lambda: self._run(words, seed)["findings"]))

    def cached(self, table: Table, seed: int) -> Iterator[tuple[str, Results]]:
        """Yield what `golpae prove` says with an empty cache, with a full one, and with cached theorems alone."""
        words = [*PROVE, *table.words, "--jobs", "1"]

        def three() -> list[Any]:
            out = []
            with TemporaryDirectory() as folder:
                for how in CACHED:
                    if how == CACHED[-1]:
                        for entry in Path(folder).glob("proofs-*"):
                            entry.unlink()
                    out.append(self._run(words, seed, folder)["findings"])
            return out

        for how, findings in zip(CACHED, self._kept(table, [*words, str(seed)], three), strict=True):
            yield how, by_table(findings)

    def _kept(self, table: Table, words: Sequence[str], ask: Callable[[], Any]) -> Any:
        """Return an answer, which is kept: as long as golpae's code, the solver and the text are the same."""
        if self.folder is None:
            return ask()
        meant = [named_rule_set(named(rules, [])).spec_hash for rules in rule_sets(table.rules)]
        file = self.folder / cache.fingerprint(
            Path(table.rules).name, meant, list(words), self.beside, code=CODE, packages=("z3-solver",)
        )
        if not file.exists():
            write_whole(file, json.dumps(ask()))
        return json.loads(file.read_text(encoding="utf-8"))

    def _run(self, words: Sequence[str], seed: int, cache: str = "off") -> Any:
        environment = os.environ | {"PYTHONHASHSEED": str(seed), "GOLPAE_CACHE": cache}
        with busy(self.beside):
            ran = subprocess.run(
                [sys.executable, *words], env=environment, capture_output=True, text=True, check=False
            )
        if not ran.stdout:
            raise RuntimeError(ran.stderr)
        return json.loads(ran.stdout)


def differences(one: Results, other: Results) -> Iterator[str]:
    """Yield what differs between results, and what only one side has."""
    for about in sorted(one.keys() ^ other.keys()):
        yield f"{about}: no result in one of the two"
    for about in one.keys() & other.keys():
        for key in one[about]:
            if _plain(one[about][key]) != _plain(other[about].get(key)):
                yield f"{about}: {key}: {one[about][key]!r} and {other[about].get(key)!r}"


def _plain(value: Any) -> Any:
    return json.loads(json.dumps(value))


@contextmanager
def busy(number: int) -> Iterator[None]:
    """Keep so many processes busy within the block."""
    processes = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(number)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


def in_orders(table: Table, asking: Asking, quick: bool, expected: Results) -> tuple[int, list[str]]:
    """Return how many results there are for a table, and what differs between orders of its properties."""
    first = asking.alone.ordered(table, *WAYS[0])
    found: list[str] = []
    for order, seed in WAYS[1:2] if quick else WAYS[1:]:
        other = asking.ordered(table, order, seed)
        found += (f"{order}: {words}" for words in differences(first, other))
    for about, result in first.items():
        before = expected.get(about, result)["verdict"]
        if before != result["verdict"]:
            found.append(f"{about}: {result['verdict']}, not {before} as expected")
    return len(first), found


def in_calls(table: Table, asking: Asking, quick: bool) -> tuple[int, list[str]]:
    """Return how many results a call of `golpae prove` has, and what differs between calls, and from the orders."""
    first: Results = {}
    for rules in rule_sets(table.rules):
        first |= asking.alone.ordered(Table(rules, table.players), *WAYS[0])
    found: list[str] = []
    for jobs in (1, 3):
        several = asking.proved(table, jobs, seed=3)
        found += (f"{jobs} processes: {words}" for words in differences(first, several))
    if not quick:
        for how, kept in asking.cached(table, seed=4):
            found += (f"{how}: {words}" for words in differences(first, kept))
    return len(first), found


def rule_sets(word: str) -> list[str]:
    """Return the rule sets that a word of a call names: a base, and each of its variants and readings."""
    if "+" in word:
        return [word]
    return [word, *(f"{word}+{switch.name}" for switch in named_rule_set(named(word, [])).switches)]


def in_turn(words: Sequence[str], players: int | None, whole: bool) -> list[Table]:
    """Return the tables of rule sets: first one of each word, then the next one of each.

    With `whole`, those that one call is about: a base stands for its variants and readings.
    """
    of_each = []
    for word in words:
        base = [word] if whole else rule_sets(word)
        at = [(rules, n) for rules in base for n in _players(rules, players)]
        of_each.append([Table(rules, n) for rules, n in at])
    return [table for turn in zip_longest(*of_each) for table in turn if table is not None]


def _players(rules: str, players: int | None) -> list[int]:
    numbers = [number for number, _ in tables(named_rule_set(named(rules, [])), players)]
    return list(dict.fromkeys(numbers))


def main(words: Sequence[str]) -> int:
    """Compare, and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.same_verdicts", description=__doc__)
    add = parser.add_argument
    add("rules", nargs="*")
    add("--players", type=int)
    add("--busy", type=int, default=0)
    add("--quick", action="store_true", help="compare two orders only, and nothing from the cache")
    add("--orders", action="store_true", help="compare the orders of properties alone")
    add("--calls", action="store_true", help="compare the calls of `golpae prove` alone")
    add("--keep", type=Path, help="keep each answer in this folder, and ask only for those that it lacks")
    add("--expected", type=Path)
    add("--order", choices=ORDERS, help="print the results for this order, and compare nothing")
    given = parser.parse_args(words)
    if given.order is not None:
        print(json.dumps(list(decided(Table(given.rules[0], given.players), given.order))))
        return 0
    expected: Results = {}
    if given.expected is not None:
        expected = by_table(json.loads(given.expected.read_text(encoding="utf-8"))["findings"])
    if given.keep is not None:
        given.keep.mkdir(parents=True, exist_ok=True)
    asking = Asking(given.keep, given.busy)
    chosen = given.rules or game_names([spec_dir()])
    number = wrong = 0
    for part in ("orders", "calls"):
        if {"orders": given.calls, "calls": given.orders}[part] and not getattr(given, part):
            continue
        for table in in_turn(chosen, given.players, whole=part == "calls"):
            if part == "orders":
                results, found = in_orders(table, asking, given.quick, expected)
            else:
                results, found = in_calls(table, asking, given.quick)
            print(f"{table}, {part}: {results} results, {len(found)} differences", flush=True)
            for line in found:
                print(f"  {line}", flush=True)
            number, wrong = number + results, wrong + len(found)
    print(f"{number} comparisons of results, {wrong} differences", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
