"""The perft files: known numbers of sequences of legal events, by their length.

A file in `perft/` holds the beginning of a trace, a blank line, and the counts, one length a line:

    {"golpae":1,"rules":"jjak","players":["An","Bo"]}
    {"do":"deal","first":0,"hands":[...]}

    1 6
    2 94

Deals are not counted, because there are too many; nor are events whose values cannot be listed.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "perft"


def files(game: str = "") -> list[Path]:
    """Return the files of a game, or all of them."""
    return sorted(FOLDER.glob(f"{game}*.txt"))


def read(path: Path) -> tuple[list[dict[str, Any]], list[int]]:
    """Return the beginning of the trace, and the counts for the lengths 1, 2, ..."""
    trace, _, counts = path.read_text(encoding="utf-8").partition("\n\n")
    rows = [[int(word) for word in line.split()] for line in counts.splitlines()]
    assert [length for length, _ in rows] == list(range(1, len(rows) + 1))
    return [json.loads(line) for line in trace.splitlines()], [count for _, count in rows]


def write(path: Path, trace: Sequence[dict[str, Any]], counts: Sequence[int]) -> None:
    lines = [json.dumps(line, separators=(",", ":"), ensure_ascii=False) for line in trace]
    rows = [f"{length} {count}" for length, count in enumerate(counts, 1)]
    path.write_text("\n".join([*lines, "", *rows]) + "\n", encoding="utf-8")
