"""How fast packed games are checked, and how small they are, beside decoding their lines with msgspec.

Input: nothing, or a number of events. Output: a table on standard output.
Guarantee: as in `check`: the same games, seconds of the processor, the best of several runs; no game occurs twice.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import zstandard

from benchmarks.check import TABLES, best, checked, decoded, write_games
from golpae.corpus.noting import Tables
from golpae.corpus.pack import pack
from golpae.corpus.packed import check_packed
from golpae.corpus.paths import Legal, Paths
from golpae.elaborate.cache import elaborate_cached
from golpae.replay.machine_cache import Library
from golpae.trace import Source
from golpae.trace.packed import PackedText

EVENTS = 400_000  # what a group of rows has


def checked_packed(path: Path, tables: Tables) -> None:
    with path.open("rb") as stream:
        for report in check_packed(PackedText(stream), path.name, tables, True, False, Paths()):
            assert isinstance(report, Legal) or report.outcome.clause is None, report


def table(events: int = EVENTS) -> Iterator[str]:
    """Yield the rows of the table of packed games."""
    library = Library(elaborate_cached)
    yield "| rules | bytes an event: text | `.zst` | packed | packed games, × msgspec | their text, × msgspec |"
    yield "|---|---|---|---|---|---|"
    with tempfile.TemporaryDirectory() as folder:
        for rules, players in TABLES:
            path = Path(folder) / f"{rules}.jsonl"
            write_games(path, rules, players, events, again=1)  # all of them different
            packed = path.with_suffix(".parquet")
            pack([Source(str(path))], packed, lambda stream: stream)
            held = path.read_bytes()
            each = held.count(b"\n")
            sizes = (len(held), len(zstandard.compress(held)), packed.stat().st_size)
            tables = Tables(library)
            checked_packed(packed, tables)
            yardstick = best(partial(decoded, path))
            seconds = best(partial(checked_packed, packed, tables)), best(partial(checked, path, tables))
            yield f"| {rules} | {' | '.join(f'{size / each:.1f}' for size in sizes)} | " + (
                " | ".join(f"{yardstick / one:.1f}" for one in seconds) + " |"
            )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pack", description=__doc__)
    parser.add_argument("--events", type=int, default=EVENTS)
    for line in table(parser.parse_args().events):
        print(line, flush=True)


if __name__ == "__main__":
    main()
