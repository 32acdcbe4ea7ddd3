"""`golpae compare --layer size`: counts and measurements of two rule sets, from the texts to the output."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from pathlib import Path

import pytest

from golpae.cli.rules import compare
from golpae.compare.games.verdict import Meaning
from golpae.compare.options import CompareOptions
from golpae.compare.size import simulated_games as measured
from golpae.compare.size.compare import compare_sizes
from golpae.ir.ruleset import RuleSet
from golpae.progress import Progress
from tests.cli.conftest import Golpae
from tests.cli.table import PUT

TEXT = PUT.split("\nvariant")[0].replace("held: tile in p's hand", "held: tile in p's hand and not odd(tile)")
TEXT += """
define odd(t: tile): no

variant ones "a 1-1 stays where it is"
  replace odd: t = 1-1

variant dear "7 more"
  replace bit0: 7

variant same "in other words"
  replace odd: not yes
"""
HERE = ("--spec-path", "rules", "--layer", "size")


@pytest.fixture(autouse=True)
def few(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("rules", "put.golpae").write_text(TEXT, encoding="utf-8")
    monkeypatch.setattr(measured, "MOST", 60)
    monkeypatch.setattr(measured, "MOST_COMPILED", 60)


def test_exact_counts_come_before_measured_shares(golpae: Golpae) -> None:
    done = golpae("compare", "put", "ones", *HERE)
    assert (done.status, done.err) == (0, "")
    first, blank, size, *rows = done.out.splitlines()
    assert (first, blank, size) == ("put and put+ones differ in 1 clause", "", "size")
    assert rows[0] == "  tiles for which `odd` holds only in put+ones: 2 of 12 (16.7%)"
    assert rows[1].startswith(
        "  random hands in which put at some point allows what put+ones does not (2 players):"
    )
    assert "(n = 60, seed 1)" in " ".join(rows[1:3])


def test_the_command_that_is_printed_measures_the_same(golpae: Golpae) -> None:
    done = golpae("compare", "put", "dear", *HERE, "--players", "3", "--seed", "5", "--format", "json")
    found = json.loads(done.out)
    [row] = found["size"]
    assert row["what"] == "random hands that both allow to the end but pay differently"
    assert (row["exact"], row["count"], row["of"], row["high"], row["seed"]) == (False, 60, 60, 1.0, 5)
    assert found["at"] == "3 players"
    assert golpae(*shlex.split(found["again"])[1:], "--format", "json").out == done.out


def test_the_number_of_hands_can_be_chosen(golpae: Golpae) -> None:
    done = golpae("compare", "put", "dear", *HERE, "--players", "3", "--hands", "2000", "--format", "json")
    found = json.loads(done.out)
    assert [row["of"] for row in found["size"]] == [2000]
    assert "--hands 2000" in found["again"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--hands", "0"), "`--hands` must be more than 0 and at most 100,000,000, not `0`"),
        (("--hands", "9", "--layer", "text"), "`--hands` plays random hands, which need the layer `size`"),
    ],
)
def test_a_number_of_hands_that_means_nothing_is_refused(
    golpae: Golpae, words: Sequence[str], message: str
) -> None:
    done = golpae("compare", "put", "dear", "--spec-path", "rules", *words)
    assert (done.status, done.out) == (2, "")
    assert message in done.err


def test_a_share_of_nothing_has_an_upper_bound(golpae: Golpae) -> None:
    out = golpae("compare", "put", "same", *HERE).out
    assert " ".join(out.split()).endswith("or pays differently (3 players): 0%, 0% to 6.0% (n = 60, seed 1)")
    assert golpae("compare", "put", "put", *HERE).out == "put and put have the same rules\n"


def test_games_with_other_tiles_are_compared_as_texts(golpae: Golpae) -> None:
    other = TEXT.replace("game put", "game putt").replace("5-5 6-6", "5-5 6-5")
    Path("rules", "putt.golpae").write_text(other, encoding="utf-8")
    done = golpae("compare", "put", "putt", *HERE)
    assert (
        done.out == "put and putt are compared only as texts: put and putt are played with different tiles\n"
    )


def test_an_option_decides_how_many_tiles_are_dealt(golpae: Golpae) -> None:
    def first(*more: str) -> object:
        return json.loads(golpae("compare", "put", "ones", *HERE, "--format", "json", *more).out)["size"][1]

    assert first("--option", "dealt=1") != first("--option", "dealt=3")
    assert golpae("compare", "put", "ones", *HERE, "--option", "dealt=4").status == 2


def test_a_matrix_measures_sizes_only_on_request(golpae: Golpae, monkeypatch: pytest.MonkeyPatch) -> None:
    def separate(
        pairs: Sequence[tuple[RuleSet, RuleSet]], settings: CompareOptions, progress: Progress
    ) -> list[Meaning]:
        return [Meaning(a.rules, b.rules, ()) for a, b in pairs]

    monkeypatch.setattr(compare, "_compare_games", lambda: separate)
    monkeypatch.setattr(compare, "_compare_sizes", lambda: compare_sizes)

    def sizes(*words: str) -> list[int]:
        done = golpae("compare", *words, "--spec-path", "rules", "--format", "json")
        found = json.loads(done.out)
        return [len(pair["size"]) for pair in found.get("pairs", [found])]

    assert any(sizes("put", "ones"))
    assert not any(sizes("--matrix", "put"))
    assert any(sizes("--matrix", "put", "--layer", "size"))
