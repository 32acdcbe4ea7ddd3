"""How long golpae takes to decide games with tiles that nobody saw, and to say what is certain of them.

Input: nothing; `GOLPAE_LOGS` may name a folder of recorded games that may not be passed on. Output: a table.
Guarantee: each game is a call of `golpae` of its own, with its start, as a user types it; the seconds are those of the
processor. Games are simulated with a fixed seed, and each seat's view of each is decided.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

SEED = 20_263
GAMES = {
    "bridge": 5,
    "spades": 3,
    "hearts": 3,
    "gin-rummy": 5,
    "block-dominoes": 10,
    "jjak": 10,
    "korean-mahjong": 3,
}


def _seconds(*words: str) -> float:
    """Return the processor seconds of a call. Raises `SystemExit` if it decides nothing."""
    before = os.times()
    done = subprocess.run([sys.executable, "-m", "golpae", *words], capture_output=True, check=False)
    after = os.times()
    if done.returncode:
        raise SystemExit(f"golpae {' '.join(words)}: {(done.stderr or done.stdout).decode()}")
    return after.children_user + after.children_system - before.children_user - before.children_system


def _alone(file: Path, folder: Path) -> Iterator[Path]:
    """Write each game of a file to a file of its own."""
    games: list[list[str]] = []
    for line in file.read_text("utf-8").splitlines(keepends=True):
        if '"golpae"' in line:
            games.append([])
        games[-1].append(line)
    for number, game in enumerate(games):
        path = folder / f"{file.stem}-{number}.jsonl"
        path.write_text("".join(game), "utf-8")
        yield path


def _row(name: str, files: list[Path], players: int) -> str:
    begun = time.monotonic()
    decided, inferred = [], []
    for file in files:
        for seat in range(players):
            seen = file.with_suffix(f".{seat}")
            _seconds("hide", str(file), "--seat", str(seat), "-o", str(seen))
            decided.append(_seconds("check", str(seen)))
            if name != "riichi":
                inferred.append(_seconds("infer", str(seen)))
    told = f"{median(inferred):.1f} | {max(inferred):.1f}" if inferred else "| "
    sys.stderr.write(f"{name}: {time.monotonic() - begun:.0f} s\n")
    return f"| {name} | {len(decided)} | {median(decided):.1f} | {max(decided):.1f} | {told} |"


def table() -> Iterator[str]:
    """Yield the rows of the table."""
    yield "| rules | views | `check`, median s | worst | `infer`, median s | worst |"
    yield "|---|---|---|---|---|---|"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for rules, games in GAMES.items():
            file = folder / f"{rules}.jsonl"
            _seconds("simulate", rules, "--games", str(games), "--seed", str(SEED), "--traces", str(file))
            first = file.read_text("utf-8").split("\n", 1)[0]
            yield _row(
                rules, [*_alone(file, folder)], first.split('"players":[')[1].split("]")[0].count(",") + 1
            )
        logs = os.environ.get("GOLPAE_LOGS")
        if logs is not None:
            (log,) = Path(logs, "mjai").glob("*.jsonl")
            file = folder / "riichi.jsonl"
            _seconds("convert", str(log), "--from", "mjai", "-o", str(file))
            yield _row("riichi", [file], 4)


if __name__ == "__main__":
    for line in table():
        print(line, flush=True)
