"""`golpae check`: its text, its JSON and its exit status."""

from __future__ import annotations

import gzip
import os
import re
from itertools import combinations
from pathlib import Path

import pytest
import zstandard

from golpae.trace import NO_HEADER
from tests.cli.conftest import Golpae
from tests.cli.table import (
    EVENTS,
    HEADER,
    ILLEGAL,
    ILLEGAL_TEXT,
    INCOMPLETE,
    LEGAL,
    MALFORMED,
    PUT,
    SWITCHES,
    run,
    text,
    with_header,
    write,
)

FAULTY = PUT.replace("p = mover", "p = moover")

# ---------------------------------------------------------------- verdicts and status


@pytest.mark.parametrize(
    ("trace", "verdict", "status"),
    [
        (LEGAL, "legal", 0),
        (INCOMPLETE, "incomplete", 0),
        (ILLEGAL, "illegal", 1),
        (MALFORMED, "malformed", 2),
    ],
    ids=["legal", "incomplete", "illegal", "malformed"],
)
def test_each_verdict_has_its_status(
    golpae: Golpae, trace: tuple[object, ...], verdict: str, status: int
) -> None:
    write("a.jsonl", *trace)
    done = golpae("check", "--format", "json", "a.jsonl")
    assert (done.verdicts, done.status, done.err) == ([verdict], status, "")


def test_the_worst_verdict_decides_the_status(golpae: Golpae) -> None:
    write("a.jsonl", *MALFORMED, *ILLEGAL, *LEGAL)
    assert golpae("check", "a.jsonl").status == 2
    write("a.jsonl", *ILLEGAL, *LEGAL, *INCOMPLETE)
    assert golpae("check", "a.jsonl").status == 1


def test_complete_counts_incomplete_games_as_illegal(golpae: Golpae) -> None:
    write("a.jsonl", *INCOMPLETE)
    done = golpae("check", "--complete", "a.jsonl")
    assert (done.status, done.out) == (
        1,
        "a.jsonl:1  incomplete\n1 trace: 1 incomplete (incomplete ones count as illegal)\n",
    )
    write("a.jsonl", *LEGAL)
    assert golpae("check", "--complete", "a.jsonl").status == 0


def test_a_header_alone_is_incomplete(golpae: Golpae) -> None:
    write("a.jsonl", HEADER)
    assert golpae("check", "--format", "json", "a.jsonl").verdicts == ["incomplete"]


# ---------------------------------------------------------------- text


def test_text_is_quiet_on_legal_games(golpae: Golpae) -> None:
    write("a.jsonl", *LEGAL, *LEGAL)
    assert golpae("check", "a.jsonl").out == "2 traces: 2 legal\n"
    assert (
        golpae("check", "--verbose", "a.jsonl").out
        == "a.jsonl:1  legal\na.jsonl:7  legal\n2 traces: 2 legal\n"
    )


def test_text_explains_an_illegal_game(golpae: Golpae) -> None:
    write("a.jsonl", *LEGAL, *with_header(ILLEGAL, id="g7"))
    done = golpae("check", "a.jsonl")
    told = ILLEGAL_TEXT.format(name="a.jsonl", line=7, at=9).replace("illegal  at", "illegal  `g7`  at")
    assert done.out == told + "2 traces: 1 legal, 1 illegal\n"


def test_text_explains_a_malformed_game(golpae: Golpae) -> None:
    write("a.jsonl", *MALFORMED)
    assert golpae("check", "a.jsonl").out == (
        "a.jsonl:1  malformed  at event 2, line 3\n  there is no tile `9-9`\n1 trace: 1 malformed\n"
    )


def test_text_explains_a_faulty_header(golpae: Golpae) -> None:
    write("a.jsonl", *with_header(stake=0))
    assert golpae("check", "a.jsonl").out == (
        "a.jsonl:1  malformed  in its header\n"
        "  `stake` must be a whole number above 0, not `0`\n"
        "1 trace: 1 malformed\n"
    )


def test_text_explains_events_without_a_header(golpae: Golpae) -> None:
    write("a.jsonl", *EVENTS, *LEGAL)
    assert golpae("check", "a.jsonl").out == (
        f"a.jsonl:1  malformed\n  {NO_HEADER}\n2 traces: 1 legal, 1 malformed\n"
    )


def test_a_process_prints_plain_text_into_a_pipe(here: Path) -> None:
    write("a.jsonl", *ILLEGAL)
    done = run("check", "--spec-path", "rules", "a.jsonl", cwd=here)
    assert done.out == ILLEGAL_TEXT.format(name="a.jsonl", line=1, at=3) + "1 trace: 1 illegal\n"
    assert (done.status, done.err) == (1, "")


# ---------------------------------------------------------------- JSON


def test_json_has_the_keys_of_the_contract_in_order(golpae: Golpae) -> None:
    write("a.jsonl", *with_header(id="g1"), *with_header(ILLEGAL, id=2))
    out = golpae("check", "--format", "json", "a.jsonl").out
    hashed = r',"spec_hash":"[0-9a-f]{64}","trace_hash":"[0-9a-f]{64}","version":"[^"]+"}'
    out = re.sub(hashed, "}", out)
    assert out == (
        '{"file":"a.jsonl","line":1,"id":"g1","rules":"put","verdict":"legal",'
        '"event":null,"at":null,"clause":null,"message":null}\n'
        '{"file":"a.jsonl","line":7,"id":2,"rules":"put","verdict":"illegal","event":2,"at":9,'
        '"clause":"put.put.turn","message":"it is not Bo\'s turn; Bo\'s hand: 3-3 4-4; '
        'legal here: An: put 1-1 | 2-2"}\n'
    )


def test_json_comes_in_input_order(golpae: Golpae) -> None:
    write("b.jsonl", *LEGAL, *MALFORMED)
    write("a.jsonl", *ILLEGAL)
    done = golpae("check", "--format=json", "b.jsonl", "-", "a.jsonl", stdin=text(*INCOMPLETE).encode())
    assert [(found["file"], found["line"], found["verdict"]) for found in done.json] == [
        ("b.jsonl", 1, "legal"),
        ("b.jsonl", 7, "malformed"),
        ("-", 1, "incomplete"),
        ("a.jsonl", 1, "illegal"),
    ]


# ---------------------------------------------------------------- sources of traces


def test_a_folder_is_searched_for_traces_and_archives(golpae: Golpae) -> None:
    Path("games/deep").mkdir(parents=True)
    content = text(*LEGAL).encode()
    Path("games/b.jsonl.gz").write_bytes(gzip.compress(content))
    Path("games/a.jsonl.zst").write_bytes(zstandard.compress(content))
    Path("games/deep/c.jsonl").write_bytes(content)
    Path("games/notes.txt").write_text("no trace")
    done = golpae("check", "--format", "json", "games")
    assert [found["file"] for found in done.json] == [
        "games/a.jsonl.zst",
        "games/b.jsonl.gz",
        "games/deep/c.jsonl",
    ]
    assert (done.verdicts, done.status) == (["legal"] * 3, 0)


def test_a_trace_is_read_from_standard_input(golpae: Golpae) -> None:
    done = golpae("check", "-", stdin=text(*ILLEGAL).encode())
    assert done.out == ILLEGAL_TEXT.format(name="<stdin>", line=1, at=3) + "1 trace: 1 illegal\n"


# ---------------------------------------------------------------- rules


def test_the_rules_option_replaces_the_rules_of_every_header(golpae: Golpae) -> None:
    write("a.jsonl", *LEGAL, *with_header(rules="nowhere"))
    done = golpae("check", "--format", "json", "--rules", "put+plus1", "a.jsonl")
    assert [(found["rules"], found["verdict"], found["clause"]) for found in done.json] == [
        ("put+plus1", "illegal", "put.end.pay")
    ] * 2


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        ("puT", "error[L001]: there are no rules called `puT`\n"),
        ("put+plus9", "error[R001]: `put` has no variant or reading `plus9`\n"),
        ("", "golpae: the name of the rules is empty\n"),
        ("put+plus1+plus1", "golpae: `put+plus1+plus1` names the variant `plus1` twice\n"),
        ("../rules/put", "golpae: there is no file `../rules/put`\n"),
    ],
)
def test_wrong_rules_are_reported_once_and_nothing_is_checked(golpae: Golpae, rules: str, told: str) -> None:
    write("a.jsonl", *LEGAL, *LEGAL)
    done = golpae("check", "--format", "json", "--rules", rules, "a.jsonl")
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith(told)


@pytest.mark.corpus
def test_one_file_may_use_more_than_64_rule_sets(golpae: Golpae) -> None:
    sets = [chosen for size in range(len(SWITCHES) + 1) for chosen in combinations(SWITCHES, size)]
    lines: list[object] = []
    for chosen in (*sets, *sets[:9]):
        rules = "+".join(("put", *(f"plus{i}" for i in chosen)))
        paid = 1 + sum(2**i for i in chosen)
        lines += [{**HEADER, "rules": rules}, *EVENTS[:-1], {**EVENTS[-1], "pay": [paid, -paid]}]
    write("a.jsonl", *lines)
    done = golpae("check", "a.jsonl")
    assert (done.out, done.status) == ("137 traces: 137 legal\n", 0)


def test_traces_of_one_file_may_differ_in_options_players_and_stake(golpae: Golpae) -> None:
    hands = [["1-1"], ["3-3"], ["4-4"]]
    three = {**HEADER, "players": ["An", "Bo", "Cho"], "options": {"dealt": 1}, "stake": 10**30}
    end = {"do": "end", "winner": 1, "pay": [-(10**30), 2 * 10**30, -(10**30)]}
    write(
        "a.jsonl",
        *LEGAL,
        three,
        {"do": "deal", "first": 1, "hands": hands},
        {"do": "put", "by": 1, "tile": "3-3"},
        end,
    )
    assert golpae("check", "a.jsonl").out == "2 traces: 2 legal\n"


# ---------------------------------------------------------------- a user's own rule texts


def test_the_spec_path_may_name_a_rule_text(golpae: Golpae) -> None:
    write("a.jsonl", *LEGAL)
    assert golpae("check", "--spec-path", "rules/put.golpae", "a.jsonl", own=False).status == 0
    assert golpae("check", f"--spec-path=rules{os.pathsep}.", "a.jsonl", own=False).status == 0
    assert "there are no rules called `put`" in golpae("check", "a.jsonl", own=False).out


def test_a_users_text_goes_before_a_bundled_one(golpae: Golpae) -> None:
    Path("rules/jjak.golpae").write_text(PUT.replace("game put ", "game jjak "), encoding="utf-8")
    write("a.jsonl", *with_header(rules="jjak"))
    assert golpae("check", "a.jsonl").status == 0
    done = golpae("check", "--format", "json", "a.jsonl", own=False)
    assert done.json[0]["clause"] == "jjak.deal.hands"


def test_a_url_as_a_spec_path_gets_a_message(golpae: Golpae) -> None:
    write("a.jsonl", *LEGAL)
    done = golpae("check", "--spec-path", "http://x.example/put.golpae", "a.jsonl", own=False)
    assert (done.status, done.out) == (2, "")
    assert done.err == (
        "golpae: `http://x.example/put.golpae` is not on this machine\n"
        "  help: golpae reads rule texts from this machine: download it, and name the file\n"
    )


@pytest.mark.skipif(os.pathsep != ":", reason="no file has such a name on this system")
def test_a_spec_path_may_have_a_colon_in_its_name(golpae: Golpae) -> None:
    Path("rules").rename("own:rules")
    write("a.jsonl", *LEGAL)
    assert golpae("check", "--spec-path", "own:rules", "a.jsonl", own=False).status == 0


@pytest.mark.parametrize("verb", ["lint", "show", "prove"])
def test_a_url_in_place_of_a_rule_text_gets_a_message(golpae: Golpae, verb: str) -> None:
    done = golpae(verb, "https://x.example/put.golpae", own=False)
    assert "download it, and name the file" in done.err


@pytest.mark.parametrize(
    ("place", "told"),
    [("nowhere", "golpae: there is no `nowhere`\n"), ("a.jsonl", "golpae: `a.jsonl` is not a rule text\n")],
)
def test_a_wrong_spec_path_gets_a_message(golpae: Golpae, place: str, told: str) -> None:
    write("a.jsonl", *LEGAL)
    done = golpae("check", "--spec-path", place, "a.jsonl", own=False)
    assert (done.status, done.out) == (2, "")
    assert done.err == told + "  help: --spec-path names a folder, or a file that ends in `.golpae`\n"


def test_every_trace_of_a_faulty_text_has_its_json_object(golpae: Golpae) -> None:
    Path("rules/put.golpae").write_text(FAULTY, encoding="utf-8")
    write("a.jsonl", *LEGAL, *with_header(rules="put+plus0"))
    done = golpae("check", "--format", "json", "a.jsonl")
    assert (done.status, done.verdicts) == (2, ["malformed"] * 2)
    line = PUT[: PUT.index("p = mover")].count("\n") + 1
    place = f"{Path('rules/put.golpae')}:{line}:13"
    told = f"the rules `put` have a fault at {place}: nothing here is called `moover`"
    assert done.json[0]["message"].startswith(told)
    assert done.err.count("nothing here is called `moover`") == 1
    assert f"{line} |   turn: p = moover" in done.err


def test_the_faults_of_a_text_are_shown_once_and_its_traces_are_counted(golpae: Golpae) -> None:
    Path("rules/put.golpae").write_text(FAULTY, encoding="utf-8")
    write("a.jsonl", *LEGAL, *with_header(rules="put+plus0"), *LEGAL)
    write("b.jsonl", *with_header(stake=0))
    done = golpae("check", "a.jsonl", "b.jsonl")
    assert done.status == 2
    assert done.out == (
        "b.jsonl:1  malformed  in its header\n"
        "  `stake` must be a whole number above 0, not `0`\n"
        "4 traces: 4 malformed\n"
        "3 traces could not be checked: their rules (`put`, `put+plus0`) have the faults shown above\n"
    )
    assert done.err.count("error[") == 1
    done = golpae("check", "--verbose", "a.jsonl")
    assert done.out.startswith(
        "a.jsonl:1  malformed  in its header\n  its rules `put` have the faults shown above\na.jsonl:7  "
    )


def test_a_text_that_is_no_game_is_reported_once(golpae: Golpae) -> None:
    Path("rules/part.golpae").write_text("define one: 1\n", encoding="utf-8")
    write("a.jsonl", *with_header(rules="part"), *with_header(rules="part"))
    done = golpae("check", "a.jsonl")
    assert (done.status, done.out.count("\n"), done.err.count("error[L004]")) == (2, 2, 1)


def test_a_faulty_text_hides_no_other_game(golpae: Golpae) -> None:
    Path("rules/put.golpae").write_text(FAULTY, encoding="utf-8")
    Path("rules/lay.golpae").write_text(PUT.replace("game put ", "game lay "), encoding="utf-8")
    write("a.jsonl", *LEGAL, *with_header(ILLEGAL, rules="lay"))
    write("a.verdicts", {"verdict": "legal"}, {"verdict": "illegal"})
    done = golpae("check", "a.jsonl")
    assert done.out.startswith("a.jsonl:7  illegal  at event 2, line 9\n")
    done = golpae("check", "--expected", "a.jsonl")
    assert done.status == 2
    assert done.out == (
        "2 traces: 1 illegal, 1 malformed; 1 not as expected\n"
        "1 trace could not be checked: its rules (`put`) have the faults shown above\n"
    )
    done = golpae("check", "--expected", "--format", "json", "a.jsonl")
    assert (done.status, done.verdicts) == (2, ["malformed", "illegal"])
    assert "(expected" not in done.err


def test_the_same_advice_is_given_once(golpae: Golpae) -> None:
    write("a.jsonl", *with_header(rules="putt"), *with_header(rules="putt"), *with_header(rules="puttt"))
    lines = golpae("check", "a.jsonl").out.splitlines()
    assert lines[1].startswith("  there are no rules called `putt`; did you mean `put`? ")
    assert lines[3].startswith("  there are no rules called `puttt`; did you mean `put`? ")
    assert lines[4] == "2 traces of `putt` have this fault in their headers: there are no rules called `putt`"


def test_a_trace_of_a_text_that_includes_itself_is_malformed(golpae: Golpae) -> None:
    Path("rules/round.golpae").write_text('game round "Round"\ninclude round\n')
    write("a.jsonl", *with_header(rules="round"))
    done = golpae("check", "--format", "json", "a.jsonl")
    assert (done.status, done.verdicts) == (2, ["malformed"])
    assert "`round` includes itself" in done.json[0]["message"]
