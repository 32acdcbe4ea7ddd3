"""`golpae mutate`: the call, its list, and its exit status."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Golpae
from tests.coverage.picks import MISFIT, NOT_MOVER, WON, folder, traces

CALL = ("mutate", "picks", "--spec-path", "rules", "--traces", "games.jsonl", "--jobs", "1")


@pytest.fixture
def games(here: Path) -> Path:
    folder(here / "rules")
    (here / "games.jsonl").write_bytes(traces(("picks", WON), ("picks", MISFIT), ("picks", NOT_MOVER)))
    return here


def test_mutants_that_nothing_notices_are_listed(golpae: Golpae, games: Path) -> None:
    done = golpae(*CALL)
    head, *lines = done.out.splitlines()
    left = [line for line in lines if not line.startswith("      ")]
    assert (done.status, done.err) == (1, "")
    assert left.pop() == "  (2): the same change at place 2 of the clause at which it can be made"
    assert head.startswith("picks: ")
    assert head.endswith(f" {len(left)} noticed by nothing")
    at = lines.index("  rules/picks.golpae:37  put.held: dropped")
    text = (games / "rules/picks.golpae").read_text().splitlines()
    assert lines[at + 1] == f"      - {text[36].strip()}"
    assert lines[at + 2] in left
    (games / "list.txt").write_text("".join(f"{line.split(None, 1)[1]} => known\n" for line in left))
    done = golpae(*CALL, "--explained", "list.txt")
    assert done.status == 0
    assert (
        done.out
        == head.replace(f"{len(left)} noticed by nothing", f"{len(left)} explained, 0 noticed by nothing")
        + "\n"
    )


def test_files_are_read_anew_in_each_call(golpae: Golpae, games: Path) -> None:
    before = golpae(*CALL).out
    (games / "games.jsonl").write_bytes(traces(("picks", NOT_MOVER)))
    fewer = golpae(*CALL).out
    assert fewer.splitlines()[0] != before.splitlines()[0]
    (games / "games.jsonl").write_bytes(traces(("picks", WON), ("picks", MISFIT), ("picks", NOT_MOVER)))
    assert golpae(*CALL).out == before


def test_json_has_every_mutant(golpae: Golpae, games: Path) -> None:
    found = json.loads(golpae(*CALL, "--format", "json").out)
    assert (found["format"], found["game"]) == (1, "picks")
    assert sum(found["counts"].values()) == len(found["mutants"])
    assert {"name", "path", "file", "line", "fate", "by", "before", "after"} == set(found["mutants"][0])
    text = (games / "rules/picks.golpae").read_text().splitlines()
    left = [mutant for mutant in found["mutants"] if mutant["fate"] == "unnoticed"]
    assert all(mutant["before"] or mutant["after"] for mutant in left)
    written = [mutant for mutant in left if mutant["before"] and mutant["after"]]
    assert all(text[mutant["line"] - 1].split() == mutant["before"][0].split() for mutant in written)
    assert all(mutant["before"] != mutant["after"] for mutant in left)
    assert not any(mutant["before"] for mutant in found["mutants"] if mutant["fate"] != "unnoticed")


def test_a_wrong_call_is_status_2(golpae: Golpae, games: Path) -> None:
    (games / "none.jsonl").write_bytes(traces(("other", ())))
    (games / "bad.txt").write_text("nothing\n")
    for words in (
        ("mutate", "picks+free", "--spec-path", "rules", "--traces", "games.jsonl"),
        ("mutate", "picks", "--spec-path", "rules", "--traces", "none.jsonl"),
        ("mutate", "nothing", "--traces", "games.jsonl"),
        ("mutate", "picks", "--spec-path", "rules"),
        (*CALL, "--every", "0"),
        (*CALL, "--every", "1" * 3_000),
        (*CALL, "--explained", "bad.txt"),
        (*CALL, "--explained", "nowhere.txt"),
        (*CALL, "--hands", "games.jsonl"),
        (*CALL, "--hands", "nowhere.jsonl"),
    ):
        done = golpae(*words)
        assert (done.status, done.out) == (2, ""), words
        assert done.err.startswith(("golpae", "error"))


@pytest.mark.parametrize("option", ["--traces", "--hands"])
def test_standard_input_cannot_be_read_for_each_mutant(golpae: Golpae, games: Path, option: str) -> None:
    done = golpae(*CALL, option, "-", stdin=b"")
    assert (done.status, done.out) == (2, "")
    assert f"`{option}` cannot be `-`" in done.err


def test_a_number_behind_a_change_is_explained_once() -> None:
    from golpae.cli.rules.mutate import _about_numbers

    assert (
        list(_about_numbers(["put.turn: p = mover -> p /= mover", "lot.then (1): p's lot -> p's hand"])) == []
    )
    assert list(_about_numbers(["put.turn: 3 -> 2 (2)", "put.held: 1 -> 2 (3)"])) == [
        "  (2): the same change at place 2 of the clause at which it can be made"
    ]
