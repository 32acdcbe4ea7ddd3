"""`golpae find`: the places of recorded games at which an expression holds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from golpae.cli.main import main
from tests.coverage.picks import MISFIT, NOT_MOVER, PICKS, WON, traces

ONE_EACH = "every q in players: size of q's hand = 1"


@pytest.fixture(autouse=True)
def games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("picks.golpae").write_text(PICKS, encoding="utf-8")
    data = traces(("picks", WON), ("picks", MISFIT), ("picks+passing", NOT_MOVER), ("jjak", ()))
    Path("games.jsonl").write_bytes(data)


def found(capsys: pytest.CaptureFixture[str], expression: str, *more: str) -> list[dict[str, Any]]:
    """Return what is found, as JSON."""
    status = main(["find", "picks.golpae", expression, "games.jsonl", "--format", "json", *more])
    out = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert status == (0 if out else 1)
    return out


def places(capsys: pytest.CaptureFixture[str], expression: str) -> list[tuple[int, int]]:
    return [(one["line"], one["event"]) for one in found(capsys, expression)]


def test_events_are_found_with_their_names_and_words(capsys: pytest.CaptureFixture[str]) -> None:
    first, *others = found(capsys, "after put: tile in stars")
    assert first == {
        "file": "games.jsonl",
        "line": 1,
        "id": None,
        "rules": "picks",
        "event": 4,
        "at": 5,
        "words": "An: put 1s",
        "names": {"p": 0, "tile": "1s"},
    }
    assert not others


def test_positions_are_found_after_every_event(capsys: pytest.CaptureFixture[str]) -> None:
    assert places(capsys, "size of beach = 1") == [(1, 2), (7, 2), (11, 2)]
    assert places(capsys, "pool is empty") == []  # before the deal the pool holds all


def test_the_position_before_the_first_event_is_asked_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert places(capsys, "size of pool = 12")[0] == (1, 0)
    assert found(capsys, "size of pool = 12")[0]["words"] is None


def test_an_expression_compares_with_the_position_before(capsys: pytest.CaptureFixture[str]) -> None:
    assert places(capsys, "after put: earlier(mover) /= p") == [(11, 2)]


def test_a_game_is_asked_up_to_its_first_refused_event(capsys: pytest.CaptureFixture[str]) -> None:
    assert places(capsys, f"after put: {ONE_EACH}") == [(1, 3)]  # not the misfit of the second game


def test_variants_of_the_call_leave_other_games_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["find", "picks.golpae+passing", "after put: yes", "games.jsonl"]) == 0
    out = capsys.readouterr().out
    assert "games.jsonl:11  event 2, line 13  Bo: put 1c" in out
    assert "1 event in 1 of 1 game, 1 file\n3 of other rules left out" in out


def test_games_are_cut_after_their_first_place(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert found(capsys, f"after put: {ONE_EACH} or size of beach = 3", "--traces", "cut.jsonl")
    lines = Path("games.jsonl").read_bytes().splitlines(keepends=True)
    cut = [json.loads(line) for line in Path("cut.jsonl").read_bytes().splitlines()]
    assert cut == [json.loads(line) for line in lines[:4]]


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("after putt: yes", "did you mean `put`?"),
        ("after put: tille in stars", "EXPRESSION:1:12: error[N001]: nothing here is called `tille`"),
        ("p = mover", "EXPRESSION:1:1: error[N001]: nothing here is called `p`"),
        ("size of beach", "error[T00"),
        ("", "this line is incomplete"),
        ("(" * 500 + "yes" + ")" * 500, "error[S"),
    ],
)
def test_a_fault_in_the_expression_is_told(
    expression: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["find", "picks.golpae", expression, "games.jsonl"]) == 2
    out, err = capsys.readouterr()
    assert words in err
    assert not out


def test_an_expression_that_a_variant_does_not_know_costs_only_its_games(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    theorem = next(line for line in PICKS.splitlines() if line.startswith("theorem"))
    text = PICKS.replace(theorem, "") + '\nvariant poor "less is said"\n  replace lonely: size of p\'s hand\n'
    (tmp_path / "picks.golpae").write_text(text, encoding="utf-8")
    Path("games.jsonl").write_bytes(traces(("picks+poor", WON), ("picks", WON)))
    assert main(["find", "picks.golpae", "after put: lonely(p)", "games.jsonl"]) == 2
    out, err = capsys.readouterr()
    assert "games.jsonl:7  event 2, line 9  An: put 1c  (and 1 more)" in out
    assert "1 left out" in out
    assert "means nothing in `picks+poor`" in err


def test_the_games_that_are_read_are_not_overwritten(capsys: pytest.CaptureFixture[str]) -> None:
    before = Path("games.jsonl").read_bytes()
    assert main(["find", "picks.golpae", "yes", "games.jsonl", "--traces", "./games.jsonl"]) == 2
    assert "is one of the files to look through" in capsys.readouterr().err
    assert Path("games.jsonl").read_bytes() == before


def test_no_game_of_these_rules_is_a_fault_of_the_call(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["find", "three-dozen", "yes", "games.jsonl"]) == 2
    assert "no game of `three-dozen` was found" in capsys.readouterr().err
