"""How fast recorded games become pages, beside replay of the same games, and how large a page is.

Input: nothing, or how many times as many games. Output: a table on standard output.
Guarantee: seconds are those of the processor. The module of a table is made beforehand: it is made once for a report.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from golpae.elaborate.cache import elaborate_cached
from golpae.elaborate.instance import options_of
from golpae.pages.clause_text import ClauseTexts
from golpae.pages.recording import Recorder
from golpae.pages.report import Report
from golpae.progress import Progress
from golpae.replay.machine_cache import Library
from golpae.replay.replay import replay
from golpae.simulate.series import Series, simulate
from golpae.trace.read import lines

TABLES = (("jjak", 2), ("three-dozen", 3), ("korean-mahjong", 4))
GAMES = 1_000


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.report", description=__doc__)
    parser.add_argument("--times", type=float, default=1, help="as many games")
    games = int(GAMES * parser.parse_args().times)
    print(f"| {games:,} games at random | events | seconds | × replay | largest page |")
    print("|---|---|---|---|---|")
    for rules, players in TABLES:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "games.jsonl"
            rule_set = elaborate_cached(rules)
            asked = Series(rule_set, players, options_of(rule_set, {}), ("random",) * players, 1, games)
            write_games(asked, path)
            library = Library(elaborate_cached)
            events, replayed = 0, time.process_time()
            with path.open("rb") as stream:
                for report in replay(stream, path.name, library):
                    events += report.events
            replayed = time.process_time() - replayed
            largest, seconds = _pages(path, library, Path(folder) / "out")
            ratio = f"{seconds / replayed:.1f}"
            print(f"| {rules} | {events:,} | {seconds:.1f} | {ratio} | {largest // 1000} kB |", flush=True)


def write_games(asked: Series, path: Path) -> None:
    """Write the traces of games."""
    with path.open("wb") as file:

        def write(text: bytes) -> None:
            file.write(text)

        simulate(asked, 1, Progress("playing", asked.games, "games"), write)


def _pages(path: Path, library: Library, folder: Path) -> tuple[int, float]:
    """Write a report. Return the size of its largest page, and the seconds that it took."""
    folder.mkdir()
    report = Report(folder, ClauseTexts(()))
    begun = None
    with path.open("rb") as stream:
        for recording in Recorder(path.name, library).recordings(lines(stream)):
            report.add(recording)
            begun = begun or time.process_time()  # the module has been made with the first page
    report.finish()
    assert begun is not None
    seconds = time.process_time() - begun
    return max(file.stat().st_size for file in folder.glob("game-*.html")), seconds


if __name__ == "__main__":
    main()
