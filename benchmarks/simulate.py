"""How fast games are played by policies, beside decoding the lines of the same games with msgspec.

Input: nothing, or how many times as many games. Output: a table on standard output.
Guarantee: the yardstick decodes lines of traces of the same games. Seconds are those of the processor, and each figure
but that of the reference is the best of several runs.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from benchmarks.check import best, decoded
from golpae.bundled import spec_dir
from golpae.elaborate.instance import options_of
from golpae.progress import Progress
from golpae.rule_names import named, named_rule_set
from golpae.simulate.compiled import CompiledTable, compiled_table
from golpae.simulate.play import SimulatedTable
from golpae.simulate.series import Series, simulate

TABLES = (
    ("jjak", 3, "random", 4_000),
    ("three-dozen", 3, "random", 4_000),
    ("ho-hpai", 3, "random", 20),
    ("korean-mahjong", 4, "random", 400),
    ("jjak", 3, "greedy", 4_000),
    ("three-dozen", 3, "greedy", 4_000),
    ("jjak", 3, "towards", 4_000),
    ("three-dozen", 3, "towards", 4_000),
    ("ho-hpai", 3, "towards", 20),
    ("korean-mahjong", 4, "greedy", 400),
    ("korean-mahjong", 4, "towards", 1_000),
)
REFERENCE = 200  # times fewer games by the reference
MOST_LINES = 200_000


def table(times: int = 1) -> Iterator[str]:
    """Yield the rows of the table of games by chance, with so many times as many games."""
    yield "| rules, policy | million events a second | × msgspec | the reference, × msgspec |"
    yield "|---|---|---|---|"
    with tempfile.TemporaryDirectory() as folder:
        for rules, players, policy, games in TABLES:
            rule_set = named_rule_set(named(rules, (spec_dir(),)))
            many = games * times
            asked = Series(rule_set, players, options_of(rule_set, {}), (policy,) * players, 1, many)
            path = Path(folder) / f"{rules}-{policy}.jsonl"
            lines = write_traces(asked, path)
            yardstick = best(partial(decoded, path)) / lines
            played = asked.table()
            fast = compiled_table(played, traced=False)
            assert fast is not None
            events = sum(h.events for g in fast.player.games(1, 0, many, 1) if g is not None for h in g)
            compiled = best(partial(_played, fast, many)) / events
            few = range(1, 1 + max(1, games // REFERENCE))
            by_reference = sum(hand.events for game in few for hand in played.play(1, game).hands)
            reference = best(partial(_by_reference, played, few), runs=1) / by_reference
            ratios = f"{yardstick / compiled:.2f} | {yardstick / reference:.5f}"
            yield f"| {rules}, {policy} | {1 / compiled / 1e6:.2f} | {ratios} |"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.simulate", description=__doc__)
    parser.add_argument("--times", type=int, default=1, help="as many games")
    for line in table(parser.parse_args().times):
        print(line, flush=True)


def _played(fast: CompiledTable, games: int) -> None:
    for _ in fast.player.games(1, 0, games, 1):
        pass


def _by_reference(table: SimulatedTable, games: range) -> None:
    for game in games:
        table.play(1, game)


def write_traces(asked: Series, path: Path) -> int:
    """Write the traces of games, as long as they are not too many lines. Return how many there are."""
    lines = 0
    with path.open("wb") as file:

        def write(text: bytes) -> None:
            nonlocal lines
            if lines < MOST_LINES:
                file.write(text)
                lines += text.count(b"\n")

        simulate(asked, 1, Progress("playing", asked.games, "games"), write)
    return lines


if __name__ == "__main__":
    main()
