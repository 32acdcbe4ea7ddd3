"""How fast large files are checked, beside decoding their lines with msgspec into objects of a fixed form.

Input: nothing, a number of events, or folders of logs. Output: a table on standard output.
Guarantee: every measurement of a game reads the same file: random legal games, made from a fixed seed, the legal
games of `traces`, most of which are won, or those of the logs, each as often as it takes. Seconds are those of the
processor, and each figure is the best of several runs; of logs, those of the reference are of its first run, in which
it has seen no hand before, and of a later one.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from io import BytesIO
from pathlib import Path

import msgspec

from golpae.cli import main
from golpae.corpus.check import check
from golpae.corpus.noting import Tables
from golpae.corpus.paths import Legal, Paths
from golpae.elaborate.cache import elaborate_cached
from golpae.elaborate.instance import instantiate
from golpae.replay.machine import Machine
from golpae.replay.machine_cache import Library
from golpae.replay.replay import replay
from golpae.replay.simulate import DeadEnd, header, play
from golpae.trace import Verdict

SEED = 20_261
EVENTS = 20_000
AGAIN = 20  # times that the same games follow one another in the file
TABLES = (("jjak", 3), ("three-dozen", 3), ("ho-hpai", 3), ("korean-mahjong", 4))
RECORDED = ("korean-mahjong",)


class Event(msgspec.Struct):
    """What the yardstick decodes: the keys that most events have."""

    do: str = ""
    by: int = -1
    tile: str = ""


def write_games(path: Path, rules: str, players: int, events: int, again: int = AGAIN) -> int:
    """Write random legal games of at least so many events, several times. Return how many lines there are."""
    rng = random.Random(SEED)
    machine = Machine(instantiate(elaborate_cached(rules), players, {}))
    written: list[str] = []
    while len(written) < events:
        try:
            game = [header(machine), *play(machine, machine.new_state(1), rng)]
        except DeadEnd:
            continue
        written += (json.dumps(line, separators=(",", ":")) + "\n" for line in game)
    path.write_text("".join(written) * again, encoding="utf-8")
    return len(written) * again


def write_recorded(path: Path, rules: str, lines: int, library: Library) -> int:
    """Write the recorded legal games of a rule set, again and again, about so many lines. Return how many there are."""
    folder = Path(__file__).parent.parent / "traces" / rules
    written: list[str] = []
    for file in sorted(folder.glob("*.jsonl")):
        for game in _games(file):
            header, stream = game[0], BytesIO("".join(game).encode())
            if f'"rules":"{rules}"' not in header or '"options"' in header:
                continue
            if [r.outcome.verdict for r in replay(stream, file.name, library)] == [Verdict.LEGAL]:
                written += game
    again = -(-lines // len(written))
    path.write_text("".join(written) * again, encoding="utf-8")
    return len(written) * again


def logged(folder: Path, library: Library) -> str:
    """Return the games of a folder of logs that are not illegal, as lines."""
    with tempfile.TemporaryDirectory() as apart:
        path = Path(apart) / "logs.jsonl"
        main.main(["convert", str(folder), "-o", str(path)])
        games = [*_games(path)]
    kept = []
    for game in games:
        reports = replay(BytesIO("".join(game).encode()), "logs", library)
        if all(report.outcome.verdict in (Verdict.LEGAL, Verdict.INCOMPLETE) for report in reports):
            kept += game
    return "".join(kept)


def log_table(folders: Sequence[Path], lines: int) -> Iterator[str]:
    """Yield the rows of the table of logs, which are repeated to about so many lines on the compiled path."""
    yield "| logs | events | × msgspec | the reference, events a second: first, later | games referred |"
    yield "|---|---|---|---|---|"
    with tempfile.TemporaryDirectory() as apart:
        path = Path(apart) / "games.jsonl"
        for folder in folders:
            text = logged(folder, Library(elaborate_cached))
            many = text.count("\n")
            path.write_text(text, encoding="utf-8")
            library = Library(elaborate_cached)
            for line in text.splitlines():
                if line.startswith('{"golpae"'):
                    header = json.loads(line)  # so that making a machine is not measured
                    library.machine(header["rules"], len(header["players"]), header.get("options", {}))
            first = best(partial(replayed, path, library), runs=1)
            later = best(partial(replayed, path, library), runs=2)
            path.write_text(text * -(-lines // many), encoding="utf-8")
            tables = Tables(library)
            paths = checked(path, tables)
            ratio = best(partial(decoded, path)) / best(partial(checked, path, tables))
            share = paths.referred / (paths.referred + paths.compiled)
            speeds = f"{many / first:,.0f}, {many / later:,.0f}"
            yield f"| {folder.name} | {many:,} | {ratio:.2f} | {speeds} | {share:.1%} |"


def _games(file: Path) -> Iterator[list[str]]:
    """Yield the lines of each game of a file."""
    game: list[str] = []
    for line in filter(str.strip, file.read_text(encoding="utf-8").splitlines(keepends=True)):
        if line.startswith('{"golpae"') and game:
            yield game
            game = []
        game.append(line)
    yield game


def decoded(path: Path) -> None:
    decode = msgspec.json.Decoder(Event).decode
    with path.open("rb") as stream:
        for line in stream:
            decode(line)


def replayed(path: Path, library: Library) -> None:
    with path.open("rb") as stream:
        for _ in replay(stream, path.name, library):
            pass


def checked(path: Path, tables: Tables) -> Paths:
    paths = Paths()
    with path.open("rb") as stream:
        for report in check(stream, path.name, tables, False, paths):
            assert isinstance(report, Legal) or report.outcome.clause is None, report
    return paths


def best(work: Callable[[], object], runs: int = 5) -> float:
    """Return the processor seconds of the fastest run."""
    seconds = []
    for _ in range(runs):
        before = time.process_time()
        work()
        seconds.append(time.process_time() - before)
    return min(seconds)


def table(events: int = EVENTS) -> Iterator[str]:
    """Yield the rows of the table of large files."""
    library = Library(elaborate_cached)
    yield "| rules | million lines a second | × msgspec | replay, × msgspec | games referred |"
    yield "|---|---|---|---|---|"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.jsonl"
        writers = [(rules, partial(write_games, path, rules, players, events)) for rules, players in TABLES]
        for rules in RECORDED:
            more = partial(write_recorded, path, rules, events * AGAIN, library)
            writers.append((f"{rules}, recorded games", more))
        for name, write in writers:
            lines = write()
            tables = Tables(library)
            paths = checked(path, tables)
            yardstick = best(partial(decoded, path))
            compiled = best(partial(checked, path, tables))
            reference = best(partial(replayed, path, library), runs=1)
            share = paths.referred / (paths.referred + paths.compiled)
            yield (
                f"| {name} | {lines / compiled / 1e6:.2f} | {yardstick / compiled:.2f} "
                f"| {yardstick / reference:.3f} | {share:.1%} |"
            )


def measure() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.check", description=__doc__)
    parser.add_argument("--events", type=int, default=EVENTS)
    parser.add_argument("--logs", type=Path, nargs="+", metavar="FOLDER", help="measure these logs instead")
    args = parser.parse_args()
    for line in table(args.events) if args.logs is None else log_table(args.logs, args.events * AGAIN):
        print(line, flush=True)


if __name__ == "__main__":
    measure()
