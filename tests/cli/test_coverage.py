"""`golpae coverage`: the call, its table, and its exit status."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.conftest import Golpae
from tests.coverage.picks import MISFIT, WON, folder, traces

HERE = ("--spec-path", "rules")


@pytest.fixture
def games(here: Path) -> str:
    folder(here / "rules")
    (here / "games.jsonl").write_bytes(traces(("picks", WON), ("picks", MISFIT)))
    return "games.jsonl"


def test_the_table_says_what_is_covered_and_what_is_not(golpae: Golpae, games: str) -> None:
    done = golpae("coverage", games, *HERE)
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("picks: 2 games (1 legal, 1 illegal), 1 rule set, 2 players\n")
    assert "  variants and readings that were played   0 of  2    0.0%\n" in done.out
    assert "  conditions that refused an event         1 of  6   16.7%\n" in done.out
    assert "  rules of the sources: 3 of 4 used, 1 broken; not used: R4\n" in done.out
    assert "  which no action, definition or score cites: R5\n" in done.out
    assert "  put.turn  " in done.out
    assert "+passing          never played, and no clause of it is used  [R4]\n" in done.out


def test_a_share_below_the_least_one_is_status_1(golpae: Golpae, games: str) -> None:
    assert golpae("coverage", games, "--fail-under", "50", *HERE).status == 0
    done = golpae("coverage", games, "--fail-under", "99.5", *HERE)
    assert done.status == 1
    assert done.out.splitlines()[-1].endswith("% is covered, less than 99.5%")
    assert golpae("coverage", games, "--fail-under", "101", *HERE).status == 2


def test_no_game_is_less_than_any_share(golpae: Golpae, here: Path) -> None:
    (here / "other.jsonl").write_bytes(traces(("nothing", ())))
    done = golpae("coverage", "other.jsonl", "--fail-under", "1")
    assert (done.status, done.out.splitlines()[-1]) == (2, "0.00% is covered, less than 1%")


def test_json_of_one_run_is_added_to_the_next(golpae: Golpae, games: str, here: Path) -> None:
    first = golpae("coverage", games, "--format", "json", *HERE).out
    (here / "kept.json").write_text(first)
    again = json.loads(golpae("coverage", "--add", "kept.json", "--format", "json", *HERE).out)
    assert again == json.loads(first)
    twice = json.loads(golpae("coverage", games, "--add", "kept.json", "--format", "json", *HERE).out)
    assert twice["games"][0]["traces"] == {"illegal": 2, "legal": 2}
    assert twice["share"] == again["share"]


def test_shares_are_in_colour_at_a_terminal(
    golpae: Golpae, games: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = golpae("coverage", games, *HERE).out
    monkeypatch.setattr("golpae.cli.games.coverage.paint", lambda: lambda text, colour: f"<{colour}>{text}")
    shown = golpae("coverage", games, *HERE).out
    assert re.sub(r"<\d+>", "", shown) == plain
    assert [re.findall(r"<(\d+)>0\.0%|<(\d+)>100\.0%", shown)[i] for i in (0, 1)] == [("31", ""), ("", "32")]


def test_a_wrong_call_is_status_2(golpae: Golpae, games: str, here: Path) -> None:
    for words in ((), ("nowhere.jsonl",), ("--add", "nowhere.json"), (games, "--add", games)):
        done = golpae("coverage", *words, *HERE)
        assert (done.status, done.out) == (2, ""), words
        assert done.err.startswith("golpae")


def test_files_without_a_trace_are_a_fault_of_the_input(golpae: Golpae, here: Path) -> None:
    (here / "empty.jsonl").write_bytes(b"")
    for words in ((), ("--format", "json"), ("--fail-under", "1")):
        done = golpae("coverage", "empty.jsonl", *words, *HERE)
        assert (done.status, done.out) == (2, "")
        assert done.err == (
            "golpae: empty.jsonl: no trace in it\ngolpae: there is nothing to count: no file has a trace\n"
        )


def test_traces_without_rules_are_said_to_be_left_out(golpae: Golpae, games: str, here: Path) -> None:
    (here / "other.jsonl").write_bytes(traces(("nothing", ())))
    done = golpae("coverage", games, "other.jsonl", *HERE)
    assert done.out.endswith("not counted: 1 trace without rules that can be played\n")
    for words in ((), ("--format", "json"), ("--fail-under", "0")):
        done = golpae("coverage", "other.jsonl", *words, *HERE)
        assert done.status == 2, words
    assert done.out.startswith("no game has rules that can be played\n  help: `golpae check` says why\n")
