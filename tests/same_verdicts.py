"""`python -m tests.same_verdicts RULES...`: whether golpae says the same of rules in several ways to ask.

Input: rule sets by name or as files; without any, all that come with golpae.
Output: what differs, and how many results were compared; the exit status is 1 if something differs.
Guarantee: everything in the JSON output is compared, but for seconds and whether a result comes from the cache.

Each way is a process of its own: other hash seeds, other orders of the properties, each property alone, other numbers
of processes, results or only theorems from the cache. `--busy N` starts N processes that do nothing but compute,
meanwhile. `--expected FILE` compares the verdicts with those of a document that `golpae prove --format json` wrote
before.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from golpae.bundled import spec_dir
from golpae.elaborate.instance import instantiate
from golpae.elaborate.load import game_names
from golpae.rule_names import named, named_rule_set
from golpae.verify.options import Settings
from golpae.verify.properties import properties_of
from golpae.verify.scheduler import tables

BUSY = "while True: pass"
ASIDE = ("seconds", "kept", "witness_file", "standing", "again")
ORDERS = ("as written", "backwards", "each alone")
WAYS = ((ORDERS[0], 0), (ORDERS[1], 1), (ORDERS[2], 2))  # orders with hash seeds
Results = dict[str, dict[str, Any]]


def decided(rules: str, players: int | None, order: str) -> Iterator[dict[str, Any]]:
    """Yield the results for a rule set, whose properties are decided in this order in this process."""
    from golpae.verify.verifier import Verifier

    rule_set = named_rule_set(named(rules, []))
    for number, options in tables(rule_set, players):
        props = list(properties_of(rule_set))
        verifier = Verifier(instantiate(rule_set, number, options), Settings())
        for prop in reversed(props) if order == ORDERS[1] else props:
            if order == ORDERS[2]:
                verifier = Verifier(instantiate(rule_set, number, options), Settings())
            yield verifier.verify(prop).record()


def by_table(records: Sequence[dict[str, Any]]) -> Results:
    """Return results by what they are about, without what may differ."""
    out: Results = {}
    for record in records:
        at = " ".join(f"{name} {value}" for name, value in sorted(record["options"].items()))
        about = f"{record['rules']}, {record['players']} players{f', {at}' if at else ''}: {record['name']}"
        out[about] = {key: value for key, value in record.items() if key not in ASIDE}
    return out


def asked(rules: str, players: int | None, order: str, seed: int) -> Results:
    """Return what a process of its own says of a rule set."""
    words = ["-m", "tests.same_verdicts", rules, "--order", order]
    words += [] if players is None else ["--players", str(players)]
    return by_table(json.loads(_run(words, seed)))


def proved(rules: str, players: int | None, jobs: int, seed: int) -> Results:
    """Return what `golpae prove` says of a rule set with so many processes."""
    words = ["-m", "golpae", "prove", rules, "--format", "json", "--anew", "--no-cache", "--jobs", str(jobs)]
    words += [] if players is None else ["--players", str(players)]
    return by_table(json.loads(_run(words, seed))["findings"])


def cached(rules: str, players: int | None, seed: int) -> Iterator[tuple[str, Results]]:
    """Yield what `golpae prove` says with an empty cache, with a full one, and with cached theorems alone."""
    words = ["-m", "golpae", "prove", rules, "--format", "json", "--anew", "--jobs", "1"]
    words += [] if players is None else ["--players", str(players)]
    with TemporaryDirectory() as folder:
        for how in ("an empty cache", "a full cache", "cached theorems"):
            if how == "cached theorems":
                for entry in Path(folder).glob("proofs-*"):
                    entry.unlink()
            yield how, by_table(json.loads(_run(words, seed, folder))["findings"])


def _run(words: Sequence[str], seed: int, cache: str = "off") -> str:
    environment = os.environ | {"PYTHONHASHSEED": str(seed), "GOLPAE_CACHE": cache}
    ran = subprocess.run(
        [sys.executable, *words], env=environment, capture_output=True, text=True, check=False
    )
    if not ran.stdout:
        raise RuntimeError(ran.stderr)
    return ran.stdout


def differences(one: Results, other: Results) -> Iterator[str]:
    """Yield what differs between results about the same."""
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


def compared(rules: str, players: int | None, quick: bool, expected: Results) -> tuple[int, list[str]]:
    """Return how many results there are for a rule set, and what differs between the ways to ask."""
    first = asked(rules, players, *WAYS[0])
    found: list[str] = []
    for order, seed in WAYS[1:2] if quick else WAYS[1:]:
        found += (f"{order}: {words}" for words in differences(first, asked(rules, players, order, seed)))
    if "+" in rules:  # `golpae prove GAME` means its variants too
        for jobs in (1, 3):
            several = proved(rules, players, jobs, seed=3)
            found += (f"{jobs} processes: {words}" for words in differences(first, several))
        if not quick:
            for how, kept in cached(rules, players, seed=4):
                found += (f"{how}: {words}" for words in differences(first, kept))
    for about, result in first.items():
        before = expected.get(about, result)["verdict"]
        if before != result["verdict"]:
            found.append(f"{about}: {result['verdict']}, not {before} as expected")
    return len(first), found


def main(words: Sequence[str]) -> int:
    """Compare, and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.same_verdicts", description=__doc__)
    parser.add_argument("rules", nargs="*")
    parser.add_argument("--players", type=int)
    parser.add_argument("--busy", type=int, default=0)
    parser.add_argument("--quick", action="store_true", help="compare two orders only")
    parser.add_argument("--expected", type=Path)
    parser.add_argument(
        "--order", choices=ORDERS, help="print the results for this order, and compare nothing"
    )
    given = parser.parse_args(words)
    if given.order is not None:
        print(json.dumps(list(decided(given.rules[0], given.players, given.order))))
        return 0
    expected: Results = {}
    if given.expected is not None:
        expected = by_table(json.loads(given.expected.read_text(encoding="utf-8"))["findings"])
    status = 0
    with busy(given.busy):
        for rules in given.rules or _everything():
            number, found = compared(rules, given.players, given.quick, expected)
            print(f"{rules}: {number} results, {len(found)} differences", flush=True)
            for line in found:
                print(f"  {line}", flush=True)
            status = 1 if found else status
    return status


def _everything() -> Iterator[str]:
    for game in game_names([spec_dir()]):
        first = named_rule_set(named(game, []))
        yield from (game, *(f"{game}+{switch.name}" for switch in first.switches))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
