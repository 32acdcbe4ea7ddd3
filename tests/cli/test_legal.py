"""`golpae legal`: the events that may come next."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Golpae
from tests.cli.table import EVENTS, HEADER, ILLEGAL, LEGAL, MALFORMED, PUT, text, with_header, write

FINISH = {"do": "finish", "totals": [1, -1], "winners": [0]}


@pytest.mark.parametrize(
    ("events", "told", "written"),
    [
        (0, ["deal, with An or Bo first"], []),
        (
            1,
            ["An: put 1-1", "An: put 2-2"],
            [{"do": "put", "by": 0, "tile": "1-1"}, {"do": "put", "by": 0, "tile": "2-2"}],
        ),
        (3, ["An: put 2-2"], [{"do": "put", "by": 0, "tile": "2-2"}]),
        (4, ["end with winner An"], [{"do": "end", "winner": 0, "pay": [1, -1]}]),
        (
            5,
            ["finish", "deal, with An or Bo first"],
            [FINISH],
        ),
    ],
)
def test_every_legal_event_is_listed(
    golpae: Golpae, events: int, told: list[str], written: list[object]
) -> None:
    write("a.jsonl", HEADER, *EVENTS[:events])
    done = golpae("legal", "a.jsonl")
    assert (done.out.splitlines(), done.status, done.err) == (told, 0, "")
    done = golpae("legal", "--format", "json", "a.jsonl")
    assert ([json.loads(line) for line in done.out.splitlines()], done.status) == (written, 0)


def test_every_listed_event_is_accepted_by_check(golpae: Golpae) -> None:
    write("a.jsonl", *LEGAL[:2])
    for line in golpae("legal", "--format", "json", "a.jsonl").out.splitlines():
        write("a.jsonl", *LEGAL[:2], line)
        assert golpae("check", "a.jsonl").status == 0


def test_nothing_follows_a_finished_match(golpae: Golpae) -> None:
    write("a.jsonl", *LEGAL, FINISH)
    done = golpae("legal", "a.jsonl")
    assert (done.out, done.err, done.status) == ("", "golpae: nothing can follow: the match is finished\n", 0)


def test_for_an_illegal_game_the_legal_events_in_its_place_are_listed(golpae: Golpae) -> None:
    write("a.jsonl", *ILLEGAL)
    done = golpae("legal", "a.jsonl")
    assert (done.out, done.status) == ("An: put 1-1\nAn: put 2-2\n", 1)
    assert done.err.startswith("golpae: a.jsonl:3: illegal: it is not Bo's turn; ")
    assert done.err.endswith("\n  help: the listed events are legal at line 3\n")


def test_for_a_malformed_game_the_legal_events_in_its_place_are_listed(golpae: Golpae) -> None:
    write("a.jsonl", *MALFORMED)
    done = golpae("legal", "a.jsonl")
    assert (done.out, done.status) == ("An: put 1-1\nAn: put 2-2\n", 2)
    write("a.jsonl", *with_header(stake=0))
    done = golpae("legal", "a.jsonl")
    assert (done.out, done.status) == ("", 2)
    assert done.err == "golpae: a.jsonl:1: malformed: `stake` must be a whole number above 0, not `0`\n"


def test_the_last_trace_counts_unless_another_is_chosen(golpae: Golpae) -> None:
    write("a.jsonl", *LEGAL[:2], HEADER)
    assert golpae("legal", "a.jsonl").out == "deal, with An or Bo first\n"
    assert golpae("legal", "--trace", "1", "a.jsonl").out == "An: put 1-1\nAn: put 2-2\n"
    for number in ("0", "-1", "3"):
        done = golpae("legal", f"--trace={number}", "a.jsonl")
        assert (done.out, done.status) == ("", 2)
        assert done.err == f"golpae: there is no trace {number} in `a.jsonl`\n"


def test_standard_input_is_read_under_the_rules_of_the_call(golpae: Golpae) -> None:
    done = golpae("legal", "--rules", "put+plus2", "-", stdin=text(*LEGAL[:-1]).encode())
    assert done.out == "end with winner An\n"
    done = golpae("legal", "--format", "json", "--rules", "put+plus2", "-", stdin=text(*LEGAL[:-1]).encode())
    assert json.loads(done.out)["pay"] == [5, -5]
    assert golpae("legal", "--rules", "nothing", "-", stdin=b"").status == 2


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("b.jsonl", "golpae: no file or folder `b.jsonl`\n"),
        ("empty", "golpae: no traces in folder `empty`\n"),
        ("many", "golpae: `many` holds 2 trace files\n  help: name one of them\n"),
        ("none.jsonl", "golpae: there is no trace in `none.jsonl`\n"),
    ],
)
def test_a_path_without_a_trace_gets_a_message(golpae: Golpae, path: str, told: str) -> None:
    Path("empty").mkdir()
    Path("many").mkdir()
    for name in ("many/a.jsonl", "many/b.jsonl", "none.jsonl"):
        Path(name).write_text("")
    done = golpae("legal", path)
    assert (done.out, done.status) == ("", 2)
    assert done.err.startswith(told)


def test_a_rule_text_with_faults_is_shown(golpae: Golpae) -> None:
    Path("rules/put.golpae").write_text(PUT.replace("p = mover", "p = moover"))
    write("a.jsonl", *LEGAL)
    done = golpae("legal", "a.jsonl")
    assert (done.out, done.status) == ("", 2)
    assert done.err.count("nothing here is called `moover`") == 1
    assert done.err.endswith("golpae: a.jsonl:1: malformed: its rules `put` have the faults shown above\n")


def test_deals_are_too_many_to_list_as_lines_of_a_trace(golpae: Golpae) -> None:
    write("a.jsonl", HEADER)
    done = golpae("legal", "--format", "json", "a.jsonl")
    assert (done.out, done.status) == ("", 0)
    assert done.err == "golpae: `deal` has too many events to list: deal, with An or Bo first, is legal too\n"


@pytest.mark.parametrize("hands", [[["1-1"], ["2-2", "3-3"]], [["1-1", "1-1"], ["1-1", "3-3"]]])
def test_a_bad_deal_is_not_told_to_deal(golpae: Golpae, hands: list[list[str]]) -> None:
    write("a.jsonl", HEADER, {"do": "deal", "first": 0, "hands": hands})
    done = golpae("check", "a.jsonl")
    assert "legal here" not in done.out
    assert "should be dealt 2 tiles" in done.out or "1-1 is dealt" in done.out


def test_an_event_is_said_as_players_say_it(golpae: Golpae) -> None:
    action = 'action give_and_take(give, take: tile) by p\n  held: give in p\'s hand and take in table "no"\n\nend\n'
    Path("rules/put.golpae").write_text(PUT.replace("end\n", action, 1), encoding="utf-8")
    write("a.jsonl", *LEGAL[:3])
    words = [line for line in golpae("legal", "a.jsonl").out.splitlines() if "give" in line]
    assert words[0] == "An: give and take give 2-2 take 1-1"
