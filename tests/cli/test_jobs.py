"""Files checked in several processes: the same output as in one."""

from __future__ import annotations

import gzip
import random
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from golpae.corpus import parts
from golpae.corpus.jobs import Batch, PieceEnd, Task, work_on
from golpae.corpus.parts import Part, Piece
from golpae.corpus.paths import Item
from golpae.corpus.reading import CheckTraces
from golpae.ir.ruleset import RuleSet
from golpae.replay.machine_cache import Library
from golpae.trace import MAX_LINE, Source
from tests.cli.conftest import Golpae
from tests.cli.table import ILLEGAL, INCOMPLETE, LEGAL, MALFORMED, text, write


def in_this_process(task: Task[Item], todo: Iterator[Part], jobs: int) -> Iterator[Batch[Item] | PieceEnd]:
    for part in todo:
        yield from work_on(task, part, {})


def write_games(seed: int = 1) -> None:
    """Write files of games, legal and not, with lines that are none between them."""
    rng = random.Random(seed)
    games = [text(*game) for game in (LEGAL, LEGAL, INCOMPLETE, ILLEGAL, MALFORMED)]
    junk = ["\n", "what\n", "[1]\n", '{"do":"finish"}\n', "x" * (MAX_LINE + 10) + "\n"]
    for name in ("a", "b"):
        held = "".join(
            rng.choice(games) + (rng.choice(junk[:-1]) if rng.random() < 0.3 else "") for _ in range(30)
        )
        write(f"{name}.jsonl", held + junk[-1] + games[0] + games[3])
    with gzip.open("c.jsonl.gz", "wt", encoding="utf-8") as file:
        file.write(games[0] * 30)
    write("d.jsonl", *MALFORMED[:1])
    write("e.jsonl")


@pytest.mark.parametrize(
    "words", [(), ("--format", "json"), ("--verbose",), ("--expected",), ("--write-expected",)], ids=str
)
def test_the_output_does_not_depend_on_the_number_of_processes(
    golpae: Golpae, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    write_games()
    one = golpae("check", *words, ".")
    monkeypatch.setattr(parts, "PART", 700)
    monkeypatch.setattr("golpae.corpus.jobs.in_workers", in_this_process)
    for written in Path().glob("*.verdicts"):
        written.unlink()
    two = golpae("check", "--jobs", "2", *words, ".")
    assert (two.status, two.out, two.err) == (one.status, one.out, one.err)
    assert one.status == 2


def test_pieces_of_a_file_begin_with_headers(golpae: Golpae, monkeypatch: pytest.MonkeyPatch) -> None:
    write_games(2)
    monkeypatch.setattr(parts, "PART", 700)
    whole = Path("a.jsonl").read_bytes()
    cut = [piece for part in parts.parts([Source("a.jsonl")]) for piece in part]
    held = []
    for piece in cut:
        with piece.open() as stream:
            held.append(stream.read())
    assert b"".join(held) == whole
    assert len(held) > 3
    assert all(re.match(rb'\{"golpae"', piece) for piece in held[1:])
    assert [piece.last for piece in cut] == [False] * (len(cut) - 1) + [True]


def test_processes_check_parts_beside_one_another(golpae: Golpae, monkeypatch: pytest.MonkeyPatch) -> None:
    write_games(3)
    one = golpae("check", "a.jsonl", "b.jsonl", "c.jsonl.gz")
    monkeypatch.setattr(parts, "PART", 2_000)
    two = golpae("check", "--jobs", "2", "a.jsonl", "b.jsonl", "c.jsonl.gz")
    assert (two.status, two.out, two.err) == (one.status, one.out, one.err)


def test_a_file_that_is_gone_is_reported_as_in_one_process(golpae: Golpae) -> None:
    (end,) = work_on(
        CheckTraces(partial(Library, _no_rules), None, True, True), (Piece(0, Source("gone.jsonl")),), {}
    )
    assert isinstance(end, PieceEnd)
    assert end.fault == "no such file or directory"


def _no_rules(rules: str) -> RuleSet:
    raise AssertionError  # nobody asks for the rules of a file that cannot be read


def test_a_wrong_number_of_processes_is_a_fault_of_the_call(golpae: Golpae) -> None:
    write("a.jsonl", *LEGAL)
    done = golpae("check", "--jobs", "0", "a.jsonl")
    assert (done.status, done.out) == (2, "")
    assert "`--jobs` must be more than 0" in done.err
