"""Logs of other programs: how they are found, checked and turned into traces, and what is said of a spoilt one."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from golpae import TraceError, Verdict, check, check_all, count_verdicts
from golpae.logs import adapter as adapters
from golpae.logs.installed import adapter
from golpae.testing.adapters import AdapterFault, check_adapter
from tests.logs.clubs import SHEET
from tests.logs.conftest import Golpae

VERDICTS = """\
evening.sheet:1  incomplete
evening.sheet:6  illegal  at event 2, line 8
  it is not Dae's turn to lay a pair
"""


def test_a_log_is_checked_and_every_verdict_points_into_it(golpae: Golpae) -> None:
    ran = golpae("check", "evening.sheet")
    assert ran.status == 2
    assert ran.out.startswith(VERDICTS)
    assert "evening.sheet:10  malformed  at event 2, line 12\n  nothing is known of sings\n" in ran.out
    assert ran.out.endswith("3 traces: 1 incomplete, 1 illegal, 1 malformed\n")


@pytest.mark.parametrize(
    "words",
    [
        ("check", "--from", "score-sheet", "-"),
        ("check", "--from", "score-sheet", "other.txt"),
        ("check", "."),
        ("check", "--jobs", "2", "evening.sheet"),
    ],
)
def test_a_log_is_named_by_its_format_or_found_by_its_ending(golpae: Golpae, words: tuple[str, ...]) -> None:
    Path("other.txt").write_bytes(SHEET)
    ran = golpae(*words, stdin=SHEET)
    assert ran.out.endswith("3 traces: 1 incomplete, 1 illegal, 1 malformed\n")
    assert ":6  illegal  at event 2, line 8\n" in ran.out


@pytest.mark.parametrize("packed", [False, True])
def test_a_log_on_standard_input_is_recognised(golpae: Golpae, packed: bool) -> None:
    columns = b"COLUMNS 5-4+4-2 6-6+6-6 6-1+3-1\n"
    ran = golpae("check", "-", stdin=gzip.compress(columns) if packed else columns)
    assert ran.out.endswith("3 traces: 1 incomplete, 2 illegal\n")
    assert golpae("convert", "-", "-o", "told.jsonl", stdin=columns).out.startswith("3 games")


def test_traces_on_standard_input_are_read_whole(golpae: Golpae) -> None:
    golpae("convert", "evening.sheet", "-o", "told.jsonl")
    traces = Path("told.jsonl").read_bytes()
    assert golpae("check", "-", stdin=traces).out.endswith(" 1 illegal\n")
    assert "`<stdin>` is no log that golpae recognises" in golpae("convert", "-", stdin=traces).err


def test_the_library_checks_logs(club: Path) -> None:
    first, second, third = check_all("evening.sheet")
    assert (first.verdict, second.line, second.at, third.at) == (Verdict.INCOMPLETE, 6, 8, 12)
    assert count_verdicts("evening.sheet")[Verdict.ILLEGAL] == 1
    Path("x.log").write_text("COLUMNS 5-4+4-2")
    found = check("x.log")
    assert (found.verdict, found.at, found.to_json()["at_column"]) == (Verdict.ILLEGAL, 1, found.at_column)
    with pytest.raises(TraceError, match="several games"):
        check("evening.sheet")


def test_json_has_the_places_of_the_log(golpae: Golpae) -> None:
    ran = golpae("check", "--format", "json", "evening.sheet")
    found = [json.loads(line) for line in ran.out.splitlines()]
    assert [(one["line"], one["event"], one["at"]) for one in found] == [
        (1, None, None),
        (6, 2, 8),
        (10, 2, 12),
    ]
    assert all("column" not in one and "ways" not in one for one in found)


def test_all_ways_to_read_a_game_are_tried(golpae: Golpae) -> None:
    Path("x.log").write_text("COLUMNS 5-4+4-2 6-6+6-6 6-1+3-1")
    ran = golpae("check", "--verbose", "x.log")
    assert ran.status == 1
    first, second, third = ran.out.split("x.log:1:")[1:]
    assert first.startswith("9  illegal  at event 2, line 1, column 11\n")
    assert (
        "the log does not say who laid the pair: of 3 ways to read it, each breaks a rule, and this" in first
    )
    assert second.startswith("17  incomplete\n")
    assert "of 2 ways to read it, this one breaks no rule" in second
    assert "25  illegal" in third
    (ran_json,) = (
        json.loads(line) for line in golpae("check", "--format", "json", "x.log").out.splitlines()[1:2]
    )
    assert (ran_json["column"], ran_json["ways"], ran_json["open"]) == (17, 2, "who laid the pair")


def test_logs_become_traces(golpae: Golpae) -> None:
    ran = golpae("convert", "evening.sheet", "-o", "evening.jsonl")
    assert (ran.status, ran.out) == (2, "3 games\n")
    assert ran.err == "golpae: evening.sheet: line 12: nothing is known of sings\n"
    lines = Path("evening.jsonl").read_text().splitlines()
    assert lines[0] == '{"golpae":1,"rules":"jjak","players":["An","Bo"]}'
    assert lines[3] == '{"do":"lay","by":0,"tiles":["4-2","2-1"]}'
    assert len(lines) == 9
    assert golpae("check", "evening.jsonl").out.endswith("3 traces: 2 incomplete, 1 illegal\n")


def test_logs_are_shown_as_one_player_saw_them(golpae: Golpae) -> None:
    ran = golpae("hide", "evening.sheet", "--seat", "1")
    assert (ran.status, ran.err) == (2, "golpae: evening.sheet: line 12: nothing is known of sings\n")
    games = [json.loads(line) for line in ran.out.splitlines()]
    assert [line["hands"][0] for line in games if line.get("do") == "deal"] == [6, 6, 6]
    ran = golpae("check", "evening.sheet", "--seat", "1", "--verbose")
    assert ran.out.startswith(VERDICTS.partition("\n")[0])
    assert ran.out.endswith("3 traces: 1 incomplete, 1 illegal, 1 malformed\n")


def test_a_game_that_is_left_open_is_written_as_it_breaks_no_rule(golpae: Golpae) -> None:
    Path("x.log").write_text("COLUMNS 6-6+6-6")
    ran = golpae("convert", "x.log")
    assert '"do":"lay","by":0' in ran.out
    ran = golpae("convert", "x.log", "-o", "x.jsonl")
    assert ran.out == "1 game, 1 of which the log leaves open: what breaks no rule was written\n"


def test_formats_are_listed(golpae: Golpae) -> None:
    ran = golpae("convert", "--formats")
    assert "score-sheet  score sheets of our club (.sheet)\n" in ran.out
    assert "missing" not in ran.out


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("score-shet", "no adapter reads logs of format `score-shet`\n  help: did you mean `score-sheet`?\n"),
        ("missing", "the adapter `missing` cannot be loaded: AttributeError"),
        ("wrong", "the adapter `wrong` is no `golpae.logs.Adapter`"),
    ],
)
def test_a_format_that_is_not_there_is_refused(golpae: Golpae, name: str, says: str) -> None:
    ran = golpae("check", "--from", name, "evening.sheet")
    assert ran.status == 2
    assert says in ran.err


def test_what_an_adapter_cannot_read_is_malformed_and_costs_nothing_else(golpae: Golpae) -> None:
    ran = golpae("check", "--from", "careless", "evening.sheet")
    assert ran.out.startswith("evening.sheet:1  incomplete\n")
    assert "the adapter `careless` does not read this log: KeyError: 'seat'\n" in ran.out
    ran = golpae("check", "--from", "refusing", "evening.sheet")
    assert ran.out == "evening.sheet:3  malformed\n  this is none\n1 trace: 1 malformed\n"


def test_a_file_that_is_no_log_is_said(golpae: Golpae) -> None:
    Path("x.jsonl").write_text("")
    ran = golpae("convert", "x.jsonl")
    assert ran.status == 2
    assert "`x.jsonl` is no log that golpae recognises" in ran.err
    assert "FILE is missing" in golpae("convert").err


def test_a_log_that_is_too_large_is_refused(golpae: Golpae, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adapters, "LARGEST", 1 << 20)
    Path("large.sheet").write_bytes(SHEET + b"x" * (1 << 20))
    ran = golpae("check", "large.sheet")
    assert ran.out.startswith(
        "large.sheet:1  malformed\n  a log has at most 1 MiB; cut it into several files\n"
    )


def test_an_empty_log_has_no_game(golpae: Golpae) -> None:
    Path("empty.sheet").write_bytes(b"")
    ran = golpae("check", "empty.sheet")
    assert (ran.status, ran.err) == (0, "golpae: empty.sheet: no trace in it\n")


def test_the_kit_passes_an_adapter_in_order(club: Path) -> None:
    sound = SHEET.partition(b"Eun sings")[0]
    check_adapter(adapter("score-sheet"), [sound], spoilt=100)


@pytest.mark.parametrize(
    ("name", "log", "says"),
    [
        ("score-sheet", SHEET, "log 1: it has a fault, 'nothing is known of sings', line 12"),
        ("score-sheet", b"", "log 1: there is no game in it"),
        ("careless", SHEET, "log 1: the adapter raises KeyError: 'seat'"),
        ("columns", b"COLUMNS 6-6+6-6", "is not in it|the adapter raises"),
    ],
)
def test_the_kit_finds_what_an_adapter_lacks(club: Path, name: str, log: bytes, says: str) -> None:
    with pytest.raises(AdapterFault, match=says):
        check_adapter(adapter(name), [log], spoilt=50)
