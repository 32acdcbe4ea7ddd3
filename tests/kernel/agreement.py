"""Check the games that come with golpae on both paths: `python -m tests.kernel.agreement [RULES...] [--games N]`.

Input: rule sets (default: all games that come with golpae, each alone and with each variant and reading), a number of
games for each, a seed.
Output: for each rule set how many games had which verdict; each file of games that the paths judge differently is
written to the folder of `--out`, and the exit status is 1.
Guarantee: the same seed makes the same games, by random and by greedy players, at all numbers of players in turn. More
than half of them are spoilt, and long ones are cut. A verdict is compared whole: event, clause, message, state.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import msgspec

from golpae.corpus import check as checking
from golpae.corpus.check import check
from golpae.corpus.noting import Tables
from golpae.corpus.paths import Paths
from golpae.elaborate.cache import elaborate_cached
from golpae.elaborate.instance import bounds, options_of
from golpae.elaborate.load import game_names
from golpae.replay.machine_cache import Library
from golpae.replay.replay import replay
from golpae.replay.report import Report
from golpae.simulate.compiled import compiled_table
from golpae.simulate.run import Series
from golpae.trace import Outcome
from tests.attribute.guilds import spoilt
from tests.prove.encoding.steps import rule_sets

TOGETHER = 50  # games in one file
LONGEST = 300  # events of a game, cut if it has more
POLICIES = ("random", "random", "greedy")
SOUND = 0.3  # share of the games that are not spoilt


@dataclass(slots=True)
class Agreed:
    """What was compared."""

    verdicts: Counter[str]
    paths: Paths
    differ: list[bytes]

    def words(self) -> str:
        """Return how many games had which verdict."""
        counts = ", ".join(f"{many:,} {name}" for name, many in sorted(self.verdicts.items()))
        reasons = "; ".join(self.paths.reasons)
        referred = f"{self.paths.referred:,} referred{reasons and f' ({reasons})'}"
        return f"{counts}; {referred}; {len(self.differ)} differ"


def agreement(rules: str, many: int, seed: int) -> Agreed:
    """Check so many games of a rule set on both paths."""
    library, out = Library(elaborate_cached), Agreed(Counter(), Paths(), [])
    tables = Tables(library)
    for part in _files(rules, many, seed):
        held = b"".join(part)
        expected = _outcomes(replay(BytesIO(held), "games", library))
        found = _outcomes(check(BytesIO(held), "games", tables, True, out.paths))
        out.verdicts.update(str(outcome.verdict) for outcome in expected)
        if found != expected:
            out.differ.append(held)
    return out


def _outcomes(reports: Iterator[Any]) -> list[Outcome]:
    return [report.outcome for report in reports if isinstance(report, Report)]


def _files(rules: str, many: int, seed: int) -> Iterator[list[bytes]]:
    """Yield games of a rule set, as lists of traces that make up a file."""
    rule_set = elaborate_cached(rules)
    options = options_of(rule_set, {})
    fewest, most = bounds(rule_set, options)
    rng = random.Random(seed)
    tables: dict[tuple[int, str], Any] = {}
    for first in range(0, many, TOGETHER):
        part = first // TOGETHER
        players, policy = fewest + part % (most - fewest + 1), POLICIES[part % len(POLICIES)]
        if (players, policy) not in tables:
            series = Series(rule_set, players, options, (policy,) * players, seed, many)
            table = series.table()
            tables[players, policy] = table, compiled_table(table, True)
        table, compiled = tables[players, policy]
        size = min(TOGETHER, many - first)
        if compiled is None:
            games = ((g, table.play(seed, g, 1)) for g in range(first, first + size))
        else:
            games = compiled.games(seed, first, size, 1)
        yield [_trace([table.header(g), *played.lines(table.machine)], rng) for g, played in games]


def _trace(lines: list[dict[str, Any]], rng: random.Random) -> bytes:
    """Return a game as a trace, spoilt or not."""
    if len(lines) > LONGEST:
        lines = lines[: rng.randrange(2, LONGEST)]
    if rng.random() > SOUND and len(lines) > 2:
        lines = spoilt(lines, rng)
    return b"".join(msgspec.json.encode(line) + b"\n" for line in lines)


def main() -> int:
    """Run what was asked for. Return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("rules", nargs="*", metavar="RULES")
    parser.add_argument("--games", type=int, default=100_000, help="games of each rule set")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--out", type=Path, default=Path("build/agreement"), help="where games that differ go"
    )
    args = parser.parse_args()
    checking.TRIED = 1 << 62  # else a table of which most games are refused goes to the reference
    differ = 0
    for rules in args.rules or rule_sets(*game_names([])):
        found = agreement(rules, args.games, args.seed)
        print(f"{rules}: {found.words()}", flush=True)
        for number, held in enumerate(found.differ):
            args.out.mkdir(parents=True, exist_ok=True)
            (args.out / f"{rules}-{args.seed}-{number}.jsonl").write_bytes(held)
        differ += len(found.differ)
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
