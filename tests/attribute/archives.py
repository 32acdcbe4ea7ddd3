"""An archive of strange files, and processes that are none, for the tests of attribution."""

from __future__ import annotations

import gzip
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from golpae.corpus import parts
from golpae.corpus.jobs import Batch, PieceEnd, Task, in_this_process
from golpae.corpus.parts import Part
from golpae.corpus.paths import Item
from golpae.trace import MAX_LINE
from tests.attribute.attributed import won
from tests.cli.table import text


def alone(task: Task[Item], todo: Iterator[Part], jobs: int) -> Iterator[Batch[Item] | PieceEnd]:
    """Do what processes do, and pickle what they send."""
    import pickle

    for message in in_this_process(pickle.loads(pickle.dumps(task)), todo):
        yield pickle.loads(pickle.dumps(message))


@pytest.fixture
def archive(here: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Files of traces that are legal under some rule sets, or none, or malformed, in small parts."""
    monkeypatch.setattr(parts, "PART", 600)
    monkeypatch.setattr("golpae.cli.games.attribute.in_workers", alone)
    rng = random.Random(1)
    recorded = Path(__file__).parents[2] / "traces" / "jjak"
    games = [*recorded.glob("*.jsonl")][:2]
    held = b"".join(b"\n" + file.read_bytes() for file in sorted(games))
    dealt_twice = [*won("jjak")[:2], *won("jjak")[1:]]
    junk = [
        "what\n",
        "[1]\n",
        "x" * (MAX_LINE + 10) + "\n",
        '{"golpae":1,"rules":"nowhere","players":["A"]}\n',
    ]
    extra = [text(*won("jjak")), text(*dealt_twice), text(*won("jjak"))[:300] + "\n", *junk]
    rng.shuffle(extra)
    (here / "a.jsonl").write_bytes(held[1:3_000].rpartition(b"\n")[0] + b"\n" + "".join(extra).encode())
    (here / "b.jsonl").write_text(text(*dealt_twice), encoding="utf-8")
    (here / "c.jsonl.gz").write_bytes(gzip.compress(held[1:2_000])[:-20])
    (here / "d.jsonl").write_bytes(b"")
    return ["a.jsonl", "b.jsonl", "gone.jsonl", "c.jsonl.gz", "d.jsonl"]
