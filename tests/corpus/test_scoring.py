"""Hands scored in several processes, and written to a file: the same as in one, and printed."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from golpae.cli.main import main
from golpae.corpus import parts, paths
from golpae.corpus.jobs import Batch, PieceEnd, Task, in_this_process
from golpae.corpus.parts import Part
from golpae.corpus.paths import Item
from golpae.kernel.language.host import available
from tests.corpus.hands import SHELLS, Ran, some_hands

Score = Callable[..., Ran]
STRANGE = [
    "",
    "[1]",
    "{",
    '{"rules":"nowhere"}',
    '\ufeff{"rules":"shells"}',
    '{"id":"\u00e9","rules":"shells"}',
]


def alone(task: Task[Item], todo: Iterator[Part], jobs: int) -> Iterator[Batch[Item] | PieceEnd]:
    return in_this_process(task, todo)


@pytest.fixture
def score(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Score:
    """Scores files in a folder with some hands, in small parts."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(parts, "PART", 2_000)
    Path("shells.golpae").write_text(SHELLS, encoding="utf-8")
    hands = [*map(json.dumps, some_hands(60, 1)), *STRANGE, *map(json.dumps, some_hands(60, 2))]
    Path("a.jsonl").write_text("\n".join(hands), encoding="utf-8")
    Path("b.jsonl").write_text("\n".join(hands[:9]) + "\n", encoding="utf-8")
    Path("c.jsonl.gz").write_bytes(gzip.compress("\n".join(hands[:20]).encode())[:-9])

    def run(*words: str) -> Ran:
        status = main(["score", "--spec-path", ".", "--score", "worth", *words])
        return Ran(status, *capsys.readouterr())

    return run


@pytest.mark.parametrize(
    "large", [False, pytest.param(True, marks=pytest.mark.skipif(not available(), reason="-"))]
)
@pytest.mark.parametrize("form", ["text", "json"])
def test_the_output_does_not_depend_on_the_number_of_processes(
    score: Score, form: str, large: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paths, "LARGE_HANDS", 0 if large else 1 << 60)
    files = ["a.jsonl", "gone.jsonl", "b.jsonl", "c.jsonl.gz"]
    one = score("--format", form, *files)
    monkeypatch.setattr("golpae.cli.games.score.in_workers", alone)
    assert score("--format", form, "--jobs", "2", *files) == one
    assert "a.jsonl:64: " in one.err
    if form == "json":
        whole = [one.out, score("--format", form, ".").out]
        done = score(*files[::2], files[3], "-o", "v.jsonl")
        assert whole == [Path("v.jsonl").read_text(encoding="utf-8")] * 2
        many = len(whole[0].splitlines())
        assert done.out.startswith(f"{many} hands: ")
        assert done.status == 2


def test_processes_score_parts_beside_one_another(score: Score) -> None:
    files = ["a.jsonl", "b.jsonl"]
    assert score("--jobs", "2", *files) == score(*files)


def test_a_table_of_hands_has_what_json_has(score: Score) -> None:
    table = pytest.importorskip("pyarrow.parquet")
    score("a.jsonl", "-o", "v.parquet")
    rows = table.read_table("v.parquet").to_pylist()
    of_json = ("id", "patterns", "sets", "misfit", "waits")
    for row in rows:
        row |= {key: json.loads(row[key]) for key in of_json if row[key] is not None}
    expected = [json.loads(line) for line in score("a.jsonl", "--format", "json").out.splitlines()]
    assert [{key: value for key, value in row.items() if value is not None} for row in rows] == [
        {key: value for key, value in one.items() if value is not None} for one in expected
    ]


def test_an_interrupted_run_goes_on_with_the_same_call(score: Score, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = score("a.jsonl", "b.jsonl", "--format", "json").out

    def interrupted(task: Task[Item], todo: Iterator[Part]) -> Iterator[Batch[Item] | PieceEnd]:
        for number, message in enumerate(in_this_process(task, todo)):
            if number == 5:
                raise KeyboardInterrupt
            yield message

    with monkeypatch.context() as patch:
        patch.setattr("golpae.cli.games.score.in_this_process", interrupted)
        assert score("a.jsonl", "b.jsonl", "-o", "v.jsonl").status == 130
    other = score("a.jsonl", "b.jsonl", "-o", "v.jsonl", "--resume", "--players", "2")
    assert "the earlier run had other inputs or rules" in other.err
    done = score("a.jsonl", "b.jsonl", "-o", "v.jsonl", "--resume")
    assert "golpae: going on behind " in done.err
    assert "% of the input" in done.err
    assert Path("v.jsonl").read_text(encoding="utf-8") == expected


@pytest.mark.parametrize("words", [(), ("--jobs", "2"), ("-o", "v.jsonl")], ids=str)
def test_a_file_of_traces_is_no_file_of_hands(
    score: Score, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("golpae.cli.games.score.in_workers", alone)
    held = Path("a.jsonl").read_text(encoding="utf-8")
    Path("d.jsonl").write_text(f'{held}\n{{"golpae":1}}\n{held}', encoding="utf-8")
    done = score("d.jsonl", "b.jsonl", *words)
    assert done.status == 2
    assert "`d.jsonl` holds traces, not hands" in done.err
    assert not Path("v.jsonl").exists()
    assert [path.name for path in Path().glob(".v*")] == []


def test_a_call_for_one_hand_takes_no_options_for_files(score: Score) -> None:
    for words in (["-o", "v.jsonl"], ["--resume"], ["--jobs", "2"]):
        done = score("shells", "1w", *words)
        assert (done.status, done.out) == (2, "")
        assert "is for files of hands" in done.err
    assert "`--resume` goes on with a run that has `--output`" in score("a.jsonl", "--resume").err
