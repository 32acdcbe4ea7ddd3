"""Files without a game: every verb names them, and the exit status follows one rule."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as Tree

import pytest

from tests.cli.conftest import Golpae
from tests.cli.table import LEGAL, PUT, write
from tests.report.ci.schemas import valid_junit, valid_sarif

ONE_BY_ONE = ("check", "check --output verdicts.jsonl", "pack --output packed.parquet")
TOGETHER = (
    "attribute",
    "audit",
    "compare put put+plus0 --traces",
    "coverage",
    "find put pile=pile",
    "mutate put --every 100 --jobs 1 --traces",
    "report --output pages",
)


def called(golpae: Golpae, verb: str, *files: str) -> tuple[int, str]:
    """Return the exit status of a call about these files, and what standard error tells."""
    words = verb.split()
    if words[-1] == "--traces":
        words = words[:-1]
        files = tuple(word for file in files for word in ("--traces", file))
    spec = () if words[0] in ("pack", "unpack") else ("--spec-path", "rules")
    done = golpae(*words, *files, *spec, own=False)
    return done.status, done.err


@pytest.mark.parametrize("verb", [*ONE_BY_ONE, *TOGETHER])
def test_a_file_without_a_game_is_named(golpae: Golpae, verb: str) -> None:
    # with one variant: every verb goes through the rule sets quickly
    Path("rules/put.golpae").write_text(PUT[: PUT.index("\nvariant plus1")], encoding="utf-8")
    Path("none.jsonl").write_text("\n \n", encoding="utf-8")
    write("one.jsonl", *LEGAL)
    status, told = called(golpae, verb, "one.jsonl")
    assert (status == 2, "no trace" in told) == (False, False), told
    assert called(golpae, verb, "one.jsonl", "none.jsonl") == (
        status,
        f"golpae: none.jsonl: no trace in it\n{told}",
    )
    status, told = called(golpae, verb, "none.jsonl")
    assert (status, told.splitlines()[0]) == (
        0 if verb in ONE_BY_ONE else 2,
        "golpae: none.jsonl: no trace in it",
    )


@pytest.mark.parametrize("where", ["", " --output out"])
def test_packed_games_without_a_game_are_named(golpae: Golpae, where: str) -> None:
    Path("none.jsonl").write_text("\n \n", encoding="utf-8")
    called(golpae, "pack --output none.parquet", "none.jsonl")
    status, told = called(golpae, f"unpack{where}", "none.parquet")
    assert (status, told) == (0, "golpae: none.parquet: no trace in it\n")


def test_a_report_without_a_game_is_not_written(golpae: Golpae) -> None:
    Path("none.jsonl").write_text("", encoding="utf-8")
    assert called(golpae, "report --output pages", "none.jsonl") == (
        2,
        "golpae: none.jsonl: no trace in it\ngolpae: there is no game to show: nothing is written\n",
    )
    assert not Path("pages/index.html").exists()


def test_a_file_without_a_hand_is_named(golpae: Golpae) -> None:
    Path("none.jsonl").write_text("", encoding="utf-8")
    for more in ((), ("--output", "hands.jsonl")):
        done = golpae("score", "none.jsonl", *more)
        assert (done.status, done.err) == (0, "golpae: none.jsonl: no hand in it\n")


def test_documents_warn_of_a_file_without_a_game(golpae: Golpae) -> None:
    Path("none.jsonl").write_text("", encoding="utf-8")
    out = {
        form: golpae("check", "none.jsonl", "--format", form).out
        for form in ("junit", "sarif", "github", "markdown")
    }
    [case] = Tree.fromstring(valid_junit(out["junit"])).iter("testcase")
    assert [(part.tag, part.attrib) for part in case] == [("skipped", {"message": "no trace in it"})]
    [result] = valid_sarif(out["sarif"])["results"]
    assert (result["ruleId"], result["level"]) == ("no-trace", "warning")
    assert out["github"].startswith("::warning file=none.jsonl,line=1,title=empty%3A no-trace::")
    assert "**empty** `none.jsonl:1`: none.jsonl: no trace in it" in out["markdown"]
