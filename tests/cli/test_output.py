"""`golpae check --output` and `--resume`: every verdict exactly once, also if a run was interrupted."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from golpae.beside import written
from golpae.corpus import parts, results
from golpae.corpus.jobs import Batch, PieceEnd, Task, in_this_process
from golpae.corpus.parts import Part
from golpae.corpus.paths import Item
from tests.cli.conftest import Golpae
from tests.cli.table import INCOMPLETE, LEGAL, MALFORMED, OUT_OF_TURN, PUT, text, write

KILLED = """
import os, signal, sys
from golpae.corpus import parts, results
parts.PART = 700
real, left = results.Results._entry, [3]
def entry(self, *args):
    left[0] -= 1
    if not left[0]:
        os.kill(os.getpid(), signal.SIGKILL)
    return real(self, *args)
results.Results._entry = entry
from golpae.cli.main import main
main(sys.argv[1:])
"""


@pytest.fixture
def archive(here: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """An archive of several pieces; the words of a call that checks it."""
    monkeypatch.setattr(parts, "PART", 700)
    write("a.jsonl", *[*LEGAL, *OUT_OF_TURN, *LEGAL, *INCOMPLETE] * 5)
    write("b.jsonl", *LEGAL, *MALFORMED, *LEGAL)
    write("c.jsonl", *LEGAL * 9)
    return ["check", "a.jsonl", "b.jsonl", "c.jsonl"]


def hidden() -> list[str]:
    return sorted(path.name for path in Path().iterdir() if path.name.startswith("."))


def test_a_file_of_verdicts_has_what_json_prints(golpae: Golpae, archive: list[str]) -> None:
    printed = golpae(*archive, "--format", "json")
    done = golpae(*archive, "--output", "v.jsonl")
    assert (done.status, done.err) == (printed.status, "")
    assert done.out == "32 traces: 21 legal, 5 incomplete, 5 illegal, 1 malformed\n"
    assert Path("v.jsonl").read_text(encoding="utf-8") == printed.out
    assert hidden() == []


def test_a_table_of_verdicts_has_them_too(golpae: Golpae, archive: list[str]) -> None:
    table = pytest.importorskip("pyarrow.parquet")
    expected = golpae(*archive, "--format", "json").json
    assert golpae(*archive, "-o", "v.parquet").status == 2
    rows = table.read_table("v.parquet").to_pylist()
    for row in rows:
        row["id"] = None if row["id"] is None else json.loads(row["id"])
        assert row.pop("rulings") is None
    assert rows == expected
    assert golpae("check", ".").out.startswith("./a.jsonl")  # a table of verdicts is no file of games
    assert hidden() == []


@pytest.mark.parametrize("ending", ["jsonl", "parquet"])
def test_an_archive_that_is_cut_short_is_a_verdict(golpae: Golpae, here: Path, ending: str) -> None:
    with gzip.open("a.jsonl.gz", "wb") as file:
        file.write(text(*LEGAL).encode() * 20)
    Path("a.jsonl.gz").write_bytes(Path("a.jsonl.gz").read_bytes()[:-20])
    printed = golpae("check", "--format", "json", "a.jsonl.gz").json
    done = golpae("check", "a.jsonl.gz", "-o", f"v.{ending}")
    assert (done.status, hidden()) == (2, [])
    assert printed[-1]["message"] == "the gzip archive is cut short"
    if ending == "jsonl":
        lines = Path("v.jsonl").read_text(encoding="utf-8").splitlines()
        assert [json.loads(line) for line in lines] == printed


@pytest.mark.parametrize("messages", range(1, 14, 3))
def test_an_interrupted_run_goes_on(
    golpae: Golpae, archive: list[str], messages: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = golpae(*archive, "--format", "json").out

    def interrupted(task: Task[Item], todo: Iterator[Part]) -> Iterator[Batch[Item] | PieceEnd]:
        for number, message in enumerate(in_this_process(task, todo)):
            if number == messages:
                raise KeyboardInterrupt
            yield message

    with monkeypatch.context() as patch:
        patch.setattr("golpae.cli.verdicts.results.in_this_process", interrupted)
        done = golpae(*archive, "-o", "v.jsonl")
        assert (done.status, done.out) == (130, "")
        assert done.err.startswith("golpae: the same call with `--resume` goes on from here\n")
    assert hidden() == [".v.jsonl.journal", ".v.jsonl.part"]
    with open(".v.jsonl.journal", "ab") as journal:
        journal.write(b'{"source":0,"beg')  # what the end of a process can leave
    done = golpae(*archive, "-o", "v.jsonl", "--resume")
    assert done.out == "32 traces: 21 legal, 5 incomplete, 5 illegal, 1 malformed\n"
    assert ("% of the input" in done.err) == ("going on behind" in done.err) == (messages > 1)
    assert Path("v.jsonl").read_text(encoding="utf-8") == expected
    assert hidden() == []


def test_a_run_that_is_interrupted_again_and_again_goes_on(
    golpae: Golpae, archive: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = golpae(*archive, "--format", "json").out

    def one_piece(task: Task[Item], todo: Iterator[Part]) -> Iterator[Batch[Item] | PieceEnd]:
        for message in in_this_process(task, todo):
            yield message
            if isinstance(message, PieceEnd):
                raise KeyboardInterrupt

    monkeypatch.setattr("golpae.cli.verdicts.results.in_this_process", one_piece)
    runs, done = 1, golpae(*archive, "-o", "v.jsonl")
    while done.status == 130:
        with open(".v.jsonl.journal", "ab") as journal:
            journal.write(b'{"source":0,"beg')
        runs, done = runs + 1, golpae(*archive, "-o", "v.jsonl", "--resume")
    assert (runs > 3, done.out) == (True, "32 traces: 21 legal, 5 incomplete, 5 illegal, 1 malformed\n")
    assert Path("v.jsonl").read_text(encoding="utf-8") == expected


def test_a_killed_run_goes_on(golpae: Golpae, archive: list[str]) -> None:
    expected = golpae(*archive, "--format", "json").out
    words = [*archive, "--spec-path", "rules", "-o", "v.jsonl"]
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, *words], check=False, timeout=60, capture_output=True
    )
    assert killed.returncode == -signal.SIGKILL
    assert not Path("v.jsonl").exists()
    done = golpae(*archive, "-o", "v.jsonl", "--resume", "--jobs", "2")
    assert "going on behind" in done.err
    assert Path("v.jsonl").read_text(encoding="utf-8") == expected


def test_a_run_goes_on_only_with_the_same_inputs_rules_and_version(
    golpae: Golpae, archive: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def begin() -> None:
        def one(task: Task[Item], todo: Iterator[Part]) -> Iterator[Batch[Item] | PieceEnd]:
            for message in in_this_process(task, todo):
                yield message
                if isinstance(message, PieceEnd):
                    raise KeyboardInterrupt

        with monkeypatch.context() as patch:
            patch.setattr("golpae.cli.verdicts.results.in_this_process", one)
            assert golpae(*archive, "-o", "v.jsonl").status == 130

    def refused(*words: str) -> str:
        done = golpae(*(words or archive), "-o", "v.jsonl", "--resume")
        assert (done.status, done.out) == (2, "")
        return done.err

    begin()
    assert "other inputs or rules" in refused("check", "a.jsonl")
    held = Path("a.jsonl").read_bytes()
    Path("a.jsonl").write_bytes(held.replace(b"An", b"Al", 1))
    assert "`a.jsonl` has changed since" in refused()
    Path("a.jsonl").write_bytes(held)
    Path("rules/put.golpae").write_text(PUT + "\n# another\n", encoding="utf-8")
    assert "the text of the rules `put` has changed since" in refused()
    Path("rules/put.golpae").write_text(PUT, encoding="utf-8")
    with monkeypatch.context() as patch:
        patch.setattr(results, "__version__", "99")
        assert "it was begun by golpae" in refused()
    assert golpae(*archive, "-o", "v.jsonl", "--resume").status == 2
    assert len(Path("v.jsonl").read_text(encoding="utf-8").splitlines()) == 32


def test_a_wrong_call_is_refused(golpae: Golpae, archive: list[str]) -> None:
    for words in (
        ["--resume"],
        ["-o", "v", "--expected"],
        ["-o", "v", "--format", "json"],
        ["-o", "no/v.jsonl"],
    ):
        done = golpae(*archive, *words)
        assert (done.status, done.out) == (2, "")
    assert golpae("check", "-", "-o", "v.jsonl", stdin=text(*LEGAL).encode()).status == 2
    assert hidden() == []


def test_empty_files_are_told_once(golpae: Golpae, archive: list[str]) -> None:
    write("e.jsonl")
    for words in (["-o", "v.jsonl"], ["--format", "text"]):
        done = golpae("check", "e.jsonl", "a.jsonl", *words)
        assert done.err == "golpae: e.jsonl: no trace in it\n"
    done = golpae("score", "e.jsonl", "-o", "v.jsonl")
    assert (done.status, done.out, done.err) == (0, "0 hands\n", "golpae: e.jsonl: no hand in it\n")


def test_the_output_is_none_of_the_inputs(golpae: Golpae, archive: list[str]) -> None:
    assert golpae("check", ".", "-o", "v.jsonl").status == 2
    before = Path("v.jsonl").read_bytes()
    done = golpae("check", ".", "-o", "v.jsonl")
    assert (done.status, done.out, Path("v.jsonl").read_bytes()) == (2, "", before)
    assert "`v.jsonl` is one of the files to read" in done.err
    pytest.importorskip("pyarrow")
    assert golpae("pack", "a.jsonl", "-o", "x.parquet").status == 0
    assert "`x.parquet` is one of the files to pack" in golpae("pack", ".", "-o", "x.parquet").err


@pytest.mark.parametrize("name", ["folder", ".", "", "pipe"])
def test_only_a_file_is_replaced(golpae: Golpae, archive: list[str], name: str) -> None:
    Path("folder").mkdir()
    os.mkfifo("pipe")
    done = golpae(*archive, "-o", name)
    assert (done.status, done.out, hidden()) == (2, "", [])
    why = "it is not a file that can be replaced" if name == "pipe" else "is a directory"
    assert f"`{name}` cannot be written to: {why}" in done.err
    with pytest.raises(OSError, match=f"(?i){why}"), written(Path(name)):
        pass
    assert Path("pipe").is_fifo()


def test_a_file_that_another_run_is_writing_is_left_alone(golpae: Golpae, archive: list[str]) -> None:
    pytest.importorskip("fcntl")
    first = golpae(*archive, "-o", "v.jsonl").out
    before = Path("v.jsonl").read_bytes()
    running = results._locked(Path(".v.jsonl.journal"))
    for words in ([], ["--resume"]):
        done = golpae(*archive, "-o", "v.jsonl", *words)
        assert (done.status, done.out, Path("v.jsonl").read_bytes()) == (2, "", before)
        assert "`v.jsonl` cannot be written to: another run of golpae is writing it" in done.err
    running.close()
    assert golpae(*archive, "-o", "v.jsonl").out == first
    assert hidden() == []
