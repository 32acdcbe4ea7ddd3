"""What logs list as legal, compared with the rules position by position."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from golpae.corpus.paths import LARGE
from tests.logs.conftest import Golpae
from tests.pages.games import data_of

FIRST = "6-6+6-6 4-2+2-1 6-3+5-4"
"""All that An can do first: who holds a pair has to lay one."""


@pytest.mark.parametrize(
    ("menu", "says"),
    [
        (FIRST, "incomplete\n"),
        (f"{FIRST}\nlay 6-6+6-6\n4-2+2-1 6-3+5-4", "incomplete\n"),
        ("6-6+6-6 -6-1 only", "incomplete\n"),
        (
            "6-6+6-6 6-3+5-4",
            (
                "illegal  at event 2, line 1, column 1\n"
                "  by the rules `lay 4-2 2-1` of An is legal here, but the log does not list it\n"
            ),
        ),
        (
            f"{FIRST}\nlay 6-6+6-6\n",
            "incomplete\n",
        ),
        (
            "6-6+6-6 -5-4+6-3",
            (
                "illegal  at event 2, line 1, column 1\n  by the rules 5-4+6-3, `lay 4-2 2-1` of An are legal here, "
                "but the log does not list them\n"
            ),
        ),
        (
            f"{FIRST} 5-4",
            (
                "illegal  at event 2, line 1, column 1\n  the log lists 5-4 as legal here, but An holds a pair and has "
                "to lay it first\n  broken: jjak.discard.pairs in jjak\n"
            ),
        ),
        ("7-7 only", "illegal  at event 2, line 1, column 1\n  the log lists 7-7 as legal here, but "),
        # the event that is refused comes first, then lists before it
        (f"{FIRST[8:]}\nlay 6-6+5-4", "illegal  at event 2, line 2\n"),
        (
            "6-6+6-6 only\nlay 6-6+6-6\n6-1 only\nlay 6-3+5-4\nlay 4-4+1-1",
            "illegal  at event 3, line 3, column 1\n",
        ),
    ],
)
def test_what_a_log_lists_is_compared_with_the_rules(golpae: Golpae, menu: str, says: str) -> None:
    Path("x.menu").write_text(menu)
    ran = golpae("check", "x.menu")
    assert f"x.menu:1  {says}" in ran.out


def test_json_names_the_place_of_the_list(golpae: Golpae) -> None:
    Path("x.menu").write_text(f"{FIRST} 5-4")
    found = json.loads(golpae("check", "--format", "json", "x.menu").out)
    assert (found["verdict"], found["event"], found["at"], found["at_column"]) == ("illegal", 2, 1, 1)
    assert found["clause"] == "jjak.discard.pairs"
    words = (
        "the log lists 5-4 as legal here, but An holds a pair and has to lay it first; An's hand: 6-6 6-6 "
    )
    assert found["message"].startswith(words)


def test_lists_of_a_large_log_are_compared_too(golpae: Golpae) -> None:
    long = "6-6+6-6 only" + " " * LARGE
    Path("x.menu").write_text(f"{long}\n{FIRST} 5-4")
    assert golpae("check", "x.menu").out.startswith("x.menu:1  illegal  at event 2, line 2, column 1\n")


def test_lists_are_compared_with_the_rules_that_the_call_names(golpae: Golpae) -> None:
    Path("x.menu").write_text(FIRST)
    ran = golpae("check", "--rules", "jjak+lay-optional", "x.menu")
    assert "by the rules `discard 6-6` of An, `discard 6-3` of An, `discard 5-4` of An" in ran.out


def test_pages_say_what_check_says(golpae: Golpae) -> None:
    Path("x.menu").write_text("6-6+6-6 6-3+5-4")
    assert golpae("report", "x.menu", "-o", "pages").out.startswith("pages/index.html: 1 game: 1 illegal\n")
    page = data_of(Path("pages/index.html").read_text("utf-8"))["game"]
    assert page["refused"]["title"] == "The log lists other events"
    assert page["refused"]["message"].startswith("by the rules `lay 4-2 2-1` of An is legal here")
    assert (len(page["steps"]), page["steps"][0]["at"]) == (1, 1)
    assert "by the rules" in golpae("view", "x.menu", "--event", "2").out


def test_pages_show_the_way_to_read_a_game_that_breaks_no_rule(golpae: Golpae) -> None:
    Path("x.log").write_text("COLUMNS 6-6+6-6")
    assert golpae("report", "x.log", "-o", "pages").out.startswith("pages/index.html: 1 game: 1 incomplete\n")
    page = data_of(Path("pages/index.html").read_text("utf-8"))["game"]
    assert [step["line"]["do"] for step in page["steps"]] == ["deal", "lay"]
