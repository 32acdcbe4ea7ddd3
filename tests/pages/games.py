"""Recordings and pages of the small game of `tests.cli.table`, and games of the repository, for the tests of pages."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any

from golpae.elaborate.check import elaborate
from golpae.hidden.lazily import completes
from golpae.pages.recording import Recorder, Recording
from golpae.replay.machine_cache import Library
from golpae.trace.read import lines
from tests.cli.table import PUT, text
from tests.committed import TOP

DATA = re.compile(r'<script type="application/json" id="(\w+)">(.*?)</script>', re.DOTALL)


def rules_in(folder: Path, source: str = PUT) -> Path:
    """Write the rule text, and return its folder."""
    (folder / "put.golpae").write_text(source, encoding="utf-8")
    return folder


def recordings(folder: Path, *trace: Any) -> list[Recording]:
    """Return the recordings of a trace file with these lines, by the rules of a folder."""
    library = Library(lambda rules: elaborate(rules, [folder]), completes=completes)
    recorder = Recorder("games.jsonl", library)
    return list(recorder.recordings(lines(io.BytesIO(text(*trace).encode()))))


def data_of(page: str) -> dict[str, Any]:
    """Return the data in a page."""
    return {name: json.loads(held) for name, held in DATA.findall(page)}


def lines_of(file: str, number: int) -> list[str]:
    """Return the lines of one of the recorded games of a file in the folder `traces`."""
    games: list[list[str]] = []
    for line in (TOP / "traces" / f"{file}.jsonl").read_text("utf-8").splitlines():
        if line.startswith("{") and "golpae" in json.loads(line):
            games.append([])
        games[-1].append(line)
    return games[number]
