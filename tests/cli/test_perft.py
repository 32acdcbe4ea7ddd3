"""`golpae perft`: how many games can follow."""

from __future__ import annotations

import json

import pytest

from golpae.search import perft
from tests.cli.conftest import Golpae
from tests.cli.table import EVENTS, HEADER, ILLEGAL, LEGAL, MALFORMED, write

HERE = ("--spec-path", "rules")


@pytest.mark.parametrize("compiled", [True, False])
def test_both_paths_count_the_same(golpae: Golpae, compiled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not compiled:
        monkeypatch.setattr(perft, "available", lambda: False)
    write("a.jsonl", HEADER, *EVENTS[:1])
    done = golpae("perft", "put", "a.jsonl", "6", *HERE)
    rows = [line.split() for line in done.out.splitlines()]
    # two tiles for each of two players: An 2, Bo 2, An 1, Bo 1 ways; somebody may be done before the others
    assert done.status == 0
    assert rows[:2] == [["1", "2"], ["2", "4"]]
    assert len(rows) == 6
    words = "on the compiled path" if compiled else "by the reference"
    assert done.err.rstrip().endswith(f"positions a second, {words}")


@pytest.mark.parametrize(("rules", "players"), [("jjak", 3), ("three-dozen", 2), ("ho-hpai", 3)])
def test_both_paths_count_the_same_in_games_that_come_with_golpae(
    golpae: Golpae, rules: str, players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = golpae(
        "simulate", rules, "--games", "1", "--players", str(players), "--traces", "a.jsonl", "--jobs", "1"
    )
    assert done.status == 0
    with open("a.jsonl", encoding="utf-8") as file:
        lines = [json.loads(line) for line in file][:4]
    write("b.jsonl", *lines)
    found = []
    for has_modules in (True, False):
        if not has_modules:
            monkeypatch.setattr(perft, "available", lambda: False)
        done = golpae("perft", rules, "b.jsonl", "3", "--format", "json")
        rows = [json.loads(line) for line in done.out.splitlines()]
        assert [row.pop("compiled") for row in rows] == [has_modules] * 3
        found.append(rows)
    assert found[0] == found[1]
    assert found[0][2]["games"] > 1


def test_deeper_counts_go_on_from_those_that_the_module_makes(golpae: Golpae) -> None:
    write("a.jsonl", HEADER, *EVENTS[:1])
    done = golpae("perft", "put", "a.jsonl", "5", *HERE)
    assert done.out.splitlines()[-1].split()[0] == "5"


@pytest.mark.parametrize("depth", ["0", "-1", "101", "1000000"])
def test_a_depth_out_of_bounds_is_refused(golpae: Golpae, depth: str) -> None:
    write("a.jsonl", HEADER, *EVENTS[:1])
    done = golpae("perft", "put", "a.jsonl", depth, *HERE)
    assert done.status == 2
    assert f"`DEPTH` must be a whole number from 1 to 100, not `{depth}`" in done.err


@pytest.mark.parametrize(("lines", "status"), [(ILLEGAL, 1), (MALFORMED, 2)])
def test_a_game_that_is_not_legal_is_not_gone_on_with(
    golpae: Golpae, lines: list[object], status: int
) -> None:
    write("a.jsonl", *lines)
    done = golpae("perft", "put", "a.jsonl", "2", *HERE)
    assert (done.status, done.out) == (status, "")
    assert done.err


def test_a_file_without_a_trace_is_refused(golpae: Golpae) -> None:
    write("a.jsonl")
    done = golpae("perft", "put", "a.jsonl", "2", *HERE)
    assert (done.status, done.out) == (2, "")
    assert "there is no trace in `a.jsonl`" in done.err


def test_a_game_that_is_over_has_nothing_after_it(golpae: Golpae) -> None:
    write("a.jsonl", *LEGAL)
    done = golpae("perft", "put", "a.jsonl", "2", *HERE)
    assert [line.split() for line in done.out.splitlines()] == [["1", "0"], ["2", "0"]]
