"""Traces attributed in several processes: the same output as in one."""

from __future__ import annotations

from pathlib import Path

import pytest

from golpae.corpus import parts
from tests.attribute.archives import alone, archive
from tests.cli.conftest import Golpae, cache, golpae, here
from tests.cli.table import INCOMPLETE, LEGAL, MALFORMED, OUT_OF_TURN, write
from tests.corpus.games import games

__all__ = ["archive", "cache", "golpae", "here"]


@pytest.mark.slow
@pytest.mark.parametrize("words", [(), ("--each",), ("--format", "json")], ids=str)
def test_the_output_does_not_depend_on_the_number_of_processes(
    golpae: Golpae, archive: list[str], words: tuple[str, ...]
) -> None:
    same(golpae, *words, *archive)


@pytest.mark.parametrize("words", [pytest.param((), marks=pytest.mark.slow), ("--format", "json")], ids=str)
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
