"""Traces attributed in several processes: the same output as in one."""

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
from tests.cli.conftest import Golpae, cache, golpae, here
from tests.cli.table import INCOMPLETE, LEGAL, MALFORMED, OUT_OF_TURN, text, write
from tests.corpus.games import games

__all__ = ["cache", "golpae", "here"]


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


@pytest.mark.slow
@pytest.mark.parametrize("words", [(), ("--each",), ("--format", "json")], ids=str)
def test_the_output_does_not_depend_on_the_number_of_processes(
    golpae: Golpae, archive: list[str], words: tuple[str, ...]
) -> None:
    same(golpae, *words, *archive)


@pytest.mark.parametrize("words", [(), ("--format", "json")], ids=str)
def test_traces_of_a_small_game_are_cut_into_pieces(
    golpae: Golpae, here: Path, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "PART", 400)
    monkeypatch.setattr("golpae.cli.games.attribute.in_workers", alone)
    write("a.jsonl", *[*LEGAL, *OUT_OF_TURN, *MALFORMED, *INCOMPLETE] * 5)
    write("b.jsonl", *LEGAL)
    same(golpae, "--spec-path", "rules", *words, "a.jsonl", "b.jsonl", "gone.jsonl")


def same(golpae: Golpae, *words: str) -> None:
    one = golpae("attribute", *words)
    two = golpae("attribute", "--jobs", "2", *words)
    assert two.out == one.out
    assert (two.status, two.err) == (one.status, one.err)
    assert one.out.count("\n") > 9


@pytest.mark.slow
def test_processes_attribute_parts_on_the_compiled_path(
    golpae: Golpae, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("a.jsonl").write_bytes(games("jjak", 3, 300))
    one = golpae("attribute", "a.jsonl")
    monkeypatch.setattr(parts, "PART", 150_000)
    two = golpae("attribute", "--jobs", "2", "a.jsonl")
    assert (two.status, two.out, two.err) == (one.status, one.out, one.err)
    assert "all are legal under jjak" in one.out
