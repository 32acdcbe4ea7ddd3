"""`golpae attribute --output` and `--resume`: what `--format json` prints, also if the run was interrupted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from golpae.corpus import parts
from golpae.corpus.jobs import Batch, PieceEnd, Task, in_this_process
from golpae.corpus.parts import Part
from golpae.corpus.paths import Item
from tests.attribute.archives import archive
from tests.cli.conftest import Golpae, cache, golpae, here
from tests.cli.table import INCOMPLETE, LEGAL, MALFORMED, OUT_OF_TURN, write

__all__ = ["archive", "cache", "golpae", "here"]


@pytest.fixture
def call(here: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """An archive of several pieces; the words of a call that attributes it."""
    monkeypatch.setattr(parts, "PART", 400)
    write("a.jsonl", *[*LEGAL, *OUT_OF_TURN, *MALFORMED, *INCOMPLETE] * 5)
    write("b.jsonl", *LEGAL, *LEGAL)
    write("c.jsonl", '{"golpae":1,"rules":"nowhere","players":["A"]}')
    return ["attribute", "--spec-path", "rules", "a.jsonl", "b.jsonl", "c.jsonl"]


def hidden() -> list[str]:
    return sorted(path.name for path in Path().iterdir() if path.name.startswith("."))


def interrupt(golpae: Golpae, call: list[str], messages: int, patch: pytest.MonkeyPatch) -> None:
    """Begin a call, which is interrupted after some messages from pieces."""

    def some(task: Task[Item], todo: Iterator[Part]) -> Iterator[Batch[Item] | PieceEnd]:
        for number, message in enumerate(in_this_process(task, todo)):
            if number == messages:
                raise KeyboardInterrupt
            yield message

    with patch.context() as inner:
        inner.setattr("golpae.cli.verdicts.results.in_this_process", some)
        assert golpae(*call, "-o", "v.jsonl").status == 130
    assert hidden() == [".v.jsonl.journal", ".v.jsonl.part"]


@pytest.mark.slow
def test_a_file_has_what_json_prints_and_the_answers_are_printed(golpae: Golpae, call: list[str]) -> None:
    printed, plain = golpae(*call, "--format", "json"), golpae(*call)
    done = golpae(*call, "--output", "v.jsonl")
    assert (done.status, done.err) == (printed.status, "")
    assert done.out == plain.out[plain.out.index("put: ") :]
    assert Path("v.jsonl").read_text(encoding="utf-8") == printed.out
    assert hidden() == []


@pytest.mark.parametrize("messages", [4, *(pytest.param(many, marks=pytest.mark.slow) for many in (1, 7))])
def test_an_interrupted_run_goes_on(
    golpae: Golpae, call: list[str], messages: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    printed = golpae(*call, "--format", "json")
    interrupt(golpae, call, messages, monkeypatch)
    done = golpae(*call, "-o", "v.jsonl", "--resume")
    assert ("going on behind" in done.err) == (messages > 1)
    assert done.status == printed.status
    assert Path("v.jsonl").read_text(encoding="utf-8") == printed.out


@pytest.mark.slow
@pytest.mark.parametrize("messages", [1, 3, 9])
def test_a_run_over_damaged_and_strange_files_goes_on(
    golpae: Golpae, archive: list[str], messages: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    call = ["attribute", *archive]
    printed, whole = golpae(*call, "--format", "json"), golpae(*call, "--output", "w.jsonl")
    interrupt(golpae, call, messages, monkeypatch)
    done = golpae(*call, "-o", "v.jsonl", "--resume", "--jobs", "2")
    assert (done.status, done.out) == (whole.status, whole.out)
    assert Path("v.jsonl").read_text(encoding="utf-8") == printed.out


@pytest.mark.slow
def test_a_text_of_the_game_that_has_changed_is_noticed(
    golpae: Golpae, call: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupt(golpae, call, 4, monkeypatch)
    text = Path("rules/put.golpae")
    text.write_text(text.read_text(encoding="utf-8") + "\n# another\n", encoding="utf-8")
    done = golpae(*call, "-o", "v.jsonl", "--resume")
    assert (done.status, done.out) == (2, "")
    assert "the text of the rules `put` has changed since" in done.err


@pytest.mark.slow
def test_a_table_has_the_traces(golpae: Golpae, call: list[str]) -> None:
    table = pytest.importorskip("pyarrow.parquet")
    expected = [line for line in golpae(*call, "--format", "json").json if "verdict" in line]
    assert golpae(*call, "-o", "v.parquet").status == 2
    for row, line in zip(table.read_table("v.parquet").to_pylist(), expected, strict=True):
        for key in ("id", "smallest", "accepting", "refused"):
            row[key] = None if row[key] is None else json.loads(row[key])
        assert {key: value for key, value in row.items() if key in line} == line


def test_a_wrong_call_is_refused(golpae: Golpae, call: list[str]) -> None:
    for words in (["--resume"], ["-o", "v", "--each"], ["-o", "v", "--format", "json"], ["-o", "no/v.jsonl"]):
        done = golpae(*call, *words)
        assert (done.status, done.out) == (2, "")
