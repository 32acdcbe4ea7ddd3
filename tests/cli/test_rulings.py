"""`golpae check --rulings`: events that stand by a director's ruling."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from golpae.corpus import parts, paths
from golpae.corpus.jobs import Batch, PieceEnd, Task, in_this_process
from golpae.corpus.parts import Part
from golpae.corpus.paths import Item
from tests.cli.conftest import Golpae
from tests.cli.table import LEGAL, MALFORMED, OUT_OF_TURN, Run, text, write

RULING: dict[str, Any] = {
    "trace": "t",
    "event": 2,
    "clause": "put.put.turn",
    "reason": "An had left the table",
}


def ruled(golpae: Golpae, *rulings: Any, form: str = "json", file: str = "a.jsonl") -> Run:
    write("rulings.jsonl", *rulings)
    return golpae("check", "--format", form, "--rulings", "rulings.jsonl", file)


def test_a_game_is_legal_by_ruling(golpae: Golpae) -> None:
    write("a.jsonl", *LEGAL, *OUT_OF_TURN)
    assert golpae("check", "a.jsonl").status == 1
    done = ruled(golpae, RULING, form="text")
    assert (done.status, done.err) == (0, "")
    assert done.out == (
        "a.jsonl:7  legal by ruling  `t`\n"
        "  event 2, line 9, stands though it is not Bo's turn\n"
        "  broken: put.put.turn in put\n"
        "  ruling: An had left the table\n"
        "2 traces: 1 legal, 1 legal by ruling\n"
    )
    _, found = ruled(golpae, RULING).json
    assert (found["verdict"], found["event"], found["clause"]) == ("legal by ruling", None, None)
    assert found["rulings"] == [
        {
            "event": 2,
            "at": 9,
            "clause": "put.put.turn",
            "message": "it is not Bo's turn",
            "reason": "An had left the table",
        }
    ]
    junit = ruled(golpae, RULING, form="junit")
    assert junit.status == 0
    assert "legal by ruling" in junit.out
    assert "event 2 (put.put.turn) stands: An had left the table" in junit.out


def test_rulings_may_lie_among_the_games(golpae: Golpae) -> None:
    write("a.jsonl", *OUT_OF_TURN)
    assert ruled(golpae, {**RULING, "trace": "./a.jsonl:1"}, form="text", file=".").out.endswith(
        "1 trace: 1 legal by ruling\n"
    )


def test_the_rest_of_the_game_is_checked_behind_a_ruling(golpae: Golpae) -> None:
    write("a.jsonl", *OUT_OF_TURN[:4], {"do": "put", "by": 1, "tile": "3-3"})
    done = ruled(golpae, RULING)
    (found,) = done.json
    assert (done.status, found["verdict"], found["event"]) == (1, "illegal", 4)
    assert (found["clause"], len(found["rulings"])) == ("put.put.held", 1)
    write("a.jsonl", *OUT_OF_TURN[:4])
    (found,) = ruled(golpae, RULING).json
    assert (found["verdict"], len(found["rulings"])) == ("incomplete", 1)


def test_a_ruling_sets_one_condition_aside(golpae: Golpae) -> None:
    write("a.jsonl", *OUT_OF_TURN[:2], {"do": "put", "by": 1, "tile": "6-6"})
    done = ruled(golpae, RULING)
    assert done.json[0]["clause"] == "put.put.held"
    assert (done.status, done.err) == (1, "")
    other = {**RULING, "clause": "put.put.held", "reason": "it was his"}
    done = ruled(golpae, RULING, other)
    assert (done.status, done.json[0]["clause"]) == (1, "put.put.then")  # no ruling makes a tile


@pytest.mark.parametrize("compiled", [False, True])
def test_a_trace_is_named_by_id_place_or_hash(
    golpae: Golpae, compiled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("a.jsonl", *LEGAL, *OUT_OF_TURN)
    digest = golpae("check", "--format", "json", "a.jsonl").json[1]["trace_hash"]
    if compiled:
        monkeypatch.setattr(paths, "LARGE", 1)
    for trace in ("t", "a.jsonl:7", digest):
        done = ruled(golpae, {**RULING, "trace": trace})
        assert (done.status, done.err) == (0, "")
        assert [one["verdict"] for one in done.json] == ["legal", "legal by ruling"]
    done = ruled(golpae, {**RULING, "trace": "a.jsonl:1"})
    assert done.status == 2
    assert "rulings.jsonl:1: nothing needs this ruling: event 2 of `a.jsonl:1` does not break" in done.err


def test_a_ruling_is_on_one_trace(golpae: Golpae) -> None:
    write("a.jsonl", *OUT_OF_TURN, *OUT_OF_TURN)
    done = ruled(golpae, RULING)
    assert done.status == 2
    assert "2 traces have used this ruling: name one, such as `a.jsonl:1`" in done.err


def test_rulings_go_with_packed_games_and_expected_verdicts(golpae: Golpae) -> None:
    write("a.jsonl", *LEGAL, *OUT_OF_TURN, *MALFORMED)
    write("rulings.jsonl", RULING)
    words = ("--rulings", "rulings.jsonl")
    assert golpae("check", *words, "--write-expected", "a.jsonl").status == 0
    assert [json.loads(line)["verdict"] for line in Path("a.verdicts").read_text().splitlines()] == [
        "legal",
        "legal by ruling",
        "malformed",
    ]
    assert golpae("check", *words, "--expected", "a.jsonl").status == 0
    assert golpae("check", "--expected", "a.jsonl").status == 1
    pytest.importorskip("pyarrow")
    assert golpae("pack", "a.jsonl", "-o", "a.parquet").status == 0
    assert [one["verdict"] for one in ruled(golpae, RULING, file="a.parquet").json][1] == "legal by ruling"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("what", "line 1: not JSON"),
        ({"trace": "t"}, "line 1: a ruling needs the key `event`"),
        ({**RULING, "why": 1}, "line 1: unknown key `why`"),
        ({**RULING, "event": 0}, "`event` must be the number of an event"),
        ({**RULING, "clause": "turn"}, "`clause` must be the clause that a verdict names"),
        ({**RULING, "reason": " "}, "`reason` must say why"),
        ({**RULING, "trace": None}, "`trace` must be the id of a trace"),
        (text(RULING, RULING)[:-1], "line 2: there is a ruling on this already"),
    ],
)
def test_a_line_that_is_no_ruling_is_refused(golpae: Golpae, line: Any, message: str) -> None:
    write("a.jsonl", *OUT_OF_TURN)
    done = ruled(golpae, line)
    assert (done.status, done.out) == (2, "")
    assert message in done.err
    done = golpae("check", "--rulings", "none.jsonl", "a.jsonl")
    assert (done.status, done.out) == (2, "")


@pytest.mark.parametrize("trace", ["t", "a.jsonl:7", "a.jsonl:7 and t"])
def test_rulings_hold_in_any_number_of_processes(
    golpae: Golpae, trace: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = trace.split(" and ")
    write("rulings.jsonl", *({**RULING, "trace": name} for name in names))
    write("a.jsonl", *[*LEGAL, *OUT_OF_TURN] * 3)
    words = ("check", "--format", "json", "--rulings", "rulings.jsonl", "a.jsonl")
    one = golpae(*words)
    monkeypatch.setattr(parts, "PART", 300)
    monkeypatch.setattr("golpae.corpus.jobs.in_workers", lambda task, todo, jobs: in_this_process(task, todo))
    two = golpae(*words, "--jobs", "2")
    assert (two.status, two.out, two.err) == (one.status, one.out, one.err)
    assert "legal by ruling" in one.out


@pytest.mark.parametrize("interrupted", [False, True])
def test_verdicts_by_ruling_are_written_to_a_file(
    golpae: Golpae, interrupted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "PART", 300)
    write("rulings.jsonl", {**RULING, "trace": "t"}, {**RULING, "trace": "u"}, {**RULING, "event": 1})
    write("a.jsonl", *[*LEGAL, *OUT_OF_TURN, *LEGAL] * 2)
    words = ("check", "--rulings", "rulings.jsonl", "a.jsonl")
    printed = golpae(*words, "--format", "json")

    def one_piece(task: Task[Item], todo: Iterator[Part]) -> Iterator[Batch[Item] | PieceEnd]:
        for message in in_this_process(task, todo):
            yield message
            if isinstance(message, PieceEnd):
                raise KeyboardInterrupt

    resume = []
    if interrupted:
        with monkeypatch.context() as patch:
            patch.setattr("golpae.cli.verdicts.results.in_this_process", one_piece)
            assert golpae(*words, "-o", "v.jsonl").status == 130
        held = Path("rulings.jsonl").read_bytes()
        write("rulings.jsonl", RULING)
        assert "other inputs or rules" in golpae(*words, "-o", "v.jsonl", "--resume").err
        Path("rulings.jsonl").write_bytes(held)
        resume = ["--resume"]
    done = golpae(*words, "-o", "v.jsonl", *resume)
    assert Path("v.jsonl").read_text(encoding="utf-8") == printed.out
    assert (done.status, done.out) == (2, "6 traces: 4 legal, 2 legal by ruling\n")
    assert [line for line in done.err.splitlines() if "rulings.jsonl" in line] == printed.err.splitlines()
    assert "2 traces have used this ruling" in done.err
    if not interrupted:
        table = pytest.importorskip("pyarrow.parquet")
        golpae(*words, "-o", "v.parquet")
        rows = table.read_table("v.parquet").to_pylist()
        expected = [(line["verdict"], line.get("rulings")) for line in printed.json]
        assert [(row["verdict"], row["rulings"] and json.loads(row["rulings"])) for row in rows] == expected


def test_rulings_are_not_written_over(golpae: Golpae) -> None:
    write("a.jsonl", *OUT_OF_TURN)
    write("rulings.jsonl", RULING)
    before = Path("rulings.jsonl").read_bytes()
    done = golpae("check", "--rulings", "rulings.jsonl", "a.jsonl", "-o", "rulings.jsonl")
    assert (done.status, Path("rulings.jsonl").read_bytes()) == (2, before)
    assert "`rulings.jsonl` is one of the files to read" in done.err
