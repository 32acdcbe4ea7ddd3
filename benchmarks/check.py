"""How fast large files are checked, beside decoding their lines with msgspec into objects of a fixed form.

Input: nothing, a number of events or games, or folders of logs. Output: tables on standard output.
Guarantee: each figure is beside the yardstick on the same file in the same run, in seconds of the processor, in one
process, the best of several runs.

The first table has archives as game sites have them: short games of several tables, mixed, each with an id of its
own, some with a stake, 26 to 60 lines each (`archives`); of korean-mahjong the recorded games of `traces`, most of
which are won; of riichi real matches, if `GOLPAE_LOGS` names a folder of logs. It measures `golpae check FILE`, with
`--format json`, and with `-o`, from the file to the lines of verdicts, with rules and modules from the cache and
without the start of Python; and the check alone, with machines and modules at hand: a file of a million games comes
near to that. Distinct games are fewer than games, so they are repeated, in another order, under other ids and names.

The second table has long matches of one table, one after the other: what a module takes for a line. Of logs, the
figures of the reference are of its first run, in which it has seen no hand before, and of a later one.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import redirect_stdout
from functools import partial
from itertools import chain
from pathlib import Path

import msgspec

from benchmarks.archives import Game, archive, logged, logs, played, recorded, staked
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

SEED = 20_261
EVENTS = 20_000
AGAIN = 20  # times that the same games follow one another in the file
TABLES = (("jjak", 3), ("three-dozen", 3), ("ho-hpai", 3), ("korean-mahjong", 4))
RECORDED = ("korean-mahjong",)
GAMES = 60_000  # of an archive
LOGGED = 60  # times fewer matches: a match of riichi has several rounds
ARCHIVES = (("jjak", (2, 3, 4), 1_500), ("three-dozen", (2, 3, 4), 1_500), ("ho-hpai", (4,), 40))
"""The rules of games by chance, numbers of players, and how many games there are that differ."""


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
    written = [line for game in recorded(rules, library) for line in game]
    again = -(-lines // len(written))
    path.write_text("".join(written) * again, encoding="utf-8")
    return len(written) * again


def log_table(folders: Sequence[Path], lines: int) -> Iterator[str]:
    """Yield the rows of the table of logs, which are repeated to about so many lines on the compiled path."""
    yield "| logs | events | × msgspec | the reference, events a second: first, later | games referred |"
    yield "|---|---|---|---|---|"
    with tempfile.TemporaryDirectory() as apart:
        path = Path(apart) / "games.jsonl"
        for folder in folders:
            text = "".join(line for game in logged(folder, Library(elaborate_cached)) for line in game)
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


def archives(library: Library, many: int) -> Iterator[tuple[str, Callable[[], Iterable[Game]], int]]:
    """Yield what is in each archive: its name, its games, and how many times as many games as others it has."""
    for rules, tables, distinct in ARCHIVES:
        yield rules, partial(_made, rules, tables, min(distinct, many), library), 1
    yield "korean-mahjong, recorded games", lambda: recorded("korean-mahjong", library), 1
    folder = logs("riichi")
    if folder is not None:
        yield "riichi, logs", lambda: logged(folder, library), LOGGED


def _made(rules: str, tables: Sequence[int], many: int, library: Library) -> Iterator[Game]:
    return staked(played(rules, tables, many), library)


def archive_table(many: int = GAMES) -> Iterator[str]:
    """Yield the rows of the table of archives."""
    yield "| archive | games | lines a game | million lines a second | × msgspec | `--format json` | `-o` | alone |"
    yield "|---|---|---|---|---|---|---|---|"
    library = Library(elaborate_cached)
    with tempfile.TemporaryDirectory() as folder:
        path, out = Path(folder) / "games.jsonl", str(Path(folder) / "verdicts.jsonl")
        for name, games, share in archives(library, many):
            written = max(1, many // share)
            lines = archive(path, games(), written)
            yardstick = best(partial(decoded, path), runs=3)
            ways = [[], ["--format", "json"], ["-o", out]]
            plain, as_json, to_file = (best(partial(called, path, way), runs=3) for way in ways)
            tables = Tables(library)
            checked(path, tables)
            alone = best(partial(checked, path, tables), runs=3)
            yield (
                f"| {name} | {written:,} | {lines / written:.0f} | {lines / plain / 1e6:.2f} | {yardstick / plain:.2f} "
                f"| {yardstick / as_json:.2f} | {yardstick / to_file:.2f} | {yardstick / alone:.2f} |"
            )


def called(path: Path, options: Sequence[str]) -> None:
    """Check a file as the command does, in this process."""
    with open(os.devnull, "w", encoding="utf-8") as nowhere, redirect_stdout(nowhere):
        assert main.main(["check", str(path), "--jobs", "1", *options]) == 0


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
    parser.add_argument("--games", type=int, default=GAMES, help="games of each archive")
    parser.add_argument("--logs", type=Path, nargs="+", metavar="FOLDER", help="measure these logs instead")
    args = parser.parse_args()
    if args.logs is not None:
        lines = log_table(args.logs, args.events * AGAIN)
    else:
        lines = chain(archive_table(args.games), [""], table(args.events))
    for line in lines:
        print(line, flush=True)


if __name__ == "__main__":
    measure()
