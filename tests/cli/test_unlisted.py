"""A check lists the first games that are refused, and counts the others by what they break."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.conftest import Golpae
from tests.cli.table import ILLEGAL, INCOMPLETE, LEGAL, MALFORMED, with_header, write

WRONG_PAY = (*LEGAL[:-1], {**LEGAL[-1], "pay": [2, -2]})
JOBS = pytest.mark.parametrize("jobs", [(), ("--jobs", "2")], ids=["here", "two processes"])


def many() -> None:
    write("a.jsonl", *ILLEGAL * 15, *LEGAL, *WRONG_PAY * 12, *MALFORMED * 3, *INCOMPLETE * 25)
    write("b.jsonl", *ILLEGAL * 2)


@JOBS
def test_the_first_refusals_are_explained_and_all_others_counted(
    golpae: Golpae, jobs: tuple[str, ...]
) -> None:
    many()
    done = golpae("check", *jobs, "a.jsonl", "b.jsonl")
    assert done.status == 2
    assert done.out.count("  illegal  ") == done.out.count("  broken: ") == 20
    assert len(re.findall(r"jsonl:\d+  incomplete\n", done.out)) == 20
    assert done.out.endswith(
        "and 17 more, which `--verbose` lists:\n"
        "  7  put.end.pay\n"
        "  5  incomplete\n"
        "  3  malformed\n"
        "  2  put.put.turn\n"
        "58 traces: 1 legal, 25 incomplete, 29 illegal, 3 malformed\n"
    )


def test_verbose_lists_every_game(golpae: Golpae) -> None:
    many()
    done = golpae("check", "--verbose", "a.jsonl", "b.jsonl")
    assert done.out.count("  illegal  ") == 29
    assert done.out.count("  incomplete\n") == 25
    assert " more, which" not in done.out


def test_programs_get_an_object_for_each_game(golpae: Golpae) -> None:
    many()
    assert len(golpae("check", "--format", "json", "a.jsonl", "b.jsonl").json) == 58


def test_what_is_typed_or_sent_is_listed_as_it_comes(golpae: Golpae) -> None:
    many()
    done = golpae("check", "-", stdin=Path("a.jsonl").read_bytes())
    assert done.out.count("  illegal  ") == 27


def test_unexpected_verdicts_are_listed_in_the_same_way(golpae: Golpae) -> None:
    write("a.jsonl", *ILLEGAL * 30, *LEGAL)
    Path("a.verdicts").write_text('{"verdict":"legal"}\n' * 31, "utf-8")
    done = golpae("check", "--expected", "a.jsonl")
    assert done.status == 1
    assert done.out.count("(expected legal)") == 20
    assert done.out.endswith(
        "and 10 more, which `--verbose` lists:\n"
        "  10  put.put.turn\n"
        "31 traces: 1 legal, 30 illegal; 30 not as expected\n"
    )
    assert golpae("check", "--expected", "--verbose", "a.jsonl").out.count("(expected legal)") == 30


def test_a_view_is_shown_of_each_game_that_is_listed(golpae: Golpae) -> None:
    write("a.jsonl", *ILLEGAL * 30)
    one = golpae("check", "--view", "--verbose", "a.jsonl").out.count("mover")
    assert golpae("check", "--view", "a.jsonl").out.count("mover") * 30 == one * 20


@JOBS
def test_a_fault_of_many_headers_is_said_once_for_a_rule_set(golpae: Golpae, jobs: tuple[str, ...]) -> None:
    write(
        "a.jsonl",
        *with_header(rules="lantern") * 200,
        *with_header(rules="boats") * 2,
        *with_header(rules="x"),
    )
    write("b.jsonl", *with_header(rules="lantern") * 50, *with_header(players=["An"]) * 7)
    done = golpae("check", *jobs, "a.jsonl", "b.jsonl")
    words = "there are no rules called "
    assert done.status == 2
    assert done.out.count(f"  {words}`lantern`; ") == done.out.count(f"  {words}`boats`; ") == 1
    assert done.out.endswith(
        f"250 traces of `lantern` have this fault in their headers: {words}`lantern`\n"
        f"2 traces of `boats` have this fault in their headers: {words}`boats`\n"
        "7 traces of `put` have this fault in their headers: `put` is for 2 to 3 players, not for 1\n"
        "260 traces: 260 malformed\n"
    )
    assert len(golpae("check", *jobs, "--format", "json", "a.jsonl", "b.jsonl").json) == 260


def test_attribution_says_a_fault_of_many_headers_once(golpae: Golpae) -> None:
    write("a.jsonl", *with_header(rules="lantern") * 200)
    done = golpae("attribute", "a.jsonl")
    assert done.out.count("golpae looked") == 1
    assert "200 traces of `lantern` have this fault in their headers" in done.out
