"""What each verb notes about long work: what it does, and how far it is."""

from __future__ import annotations

import io
import sys
from functools import partial
from pathlib import Path
from types import TracebackType

import pytest

from golpae.bundled import spec_dir
from golpae.cli.inputs import reading
from golpae.cli.rules import lint, prove
from golpae.compare.games import compare as compare_games
from golpae.compare.games.confirmed_game import TablePair
from golpae.compare.games.verdict import PROVED, AtTable, QuestionResult
from golpae.lint import vacuity
from golpae.lint.notes import VacuityReport
from golpae.progress import OFF, Progress, Shown
from golpae.rule_names import named, named_rule_set
from golpae.trace import Source
from golpae.verify.scheduler import jobs_of, run
from tests.cli.conftest import Golpae
from tests.cli.table import ILLEGAL, LEGAL, SWITCHES, write
from tests.verify import made_up

HERE = ("--spec-path", "rules")


@pytest.fixture
def noted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """How far each part of the work was when it ended."""
    words: list[str] = []

    class Noted(Progress):
        def begin(
            self, doing: str, total: int = 0, unit: str = "", size: int = 0, under_way: str | None = None
        ) -> None:
            if hasattr(self, "done"):
                words.append(self.words(0))
            super().begin(doing, total, unit, size, under_way)

    class Over(Shown):
        def __init__(self, progress: Progress, silent: bool = False) -> None:
            super().__init__(progress, silent)

        def __exit__(
            self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
        ) -> None:
            words.append(self.progress.words(0))

    for module in ("inputs", "rules.prove", "rules.lint", "rules.compare"):
        monkeypatch.setattr(f"golpae.cli.{module}.Progress", Noted)
        monkeypatch.setattr(f"golpae.cli.{module}.Shown", Over)
    return words


@pytest.mark.parametrize("form", ["text", "json"])
def test_check_counts_traces_and_what_it_has_read(golpae: Golpae, noted: list[str], form: str) -> None:
    write("a.jsonl", *LEGAL, *LEGAL)
    write("b.jsonl", *ILLEGAL)
    golpae("check", "a.jsonl", "b.jsonl", "--format", form)
    assert noted == ["golpae: checking: 100%, 3 traces, 0 s"]


def test_check_with_expected_verdicts_counts_traces(golpae: Golpae, noted: list[str]) -> None:
    write("a.jsonl", *LEGAL, *ILLEGAL)
    golpae("check", "--write-expected", "a.jsonl")
    golpae("check", "--expected", "a.jsonl")
    assert noted == ["golpae: checking: 100%, 2 traces, 0 s"] * 2


def test_attribute_counts_traces(golpae: Golpae, noted: list[str]) -> None:
    write("a.jsonl", *LEGAL)
    golpae("attribute", "a.jsonl", *HERE)
    assert noted == [
        "golpae: trying the rule sets: 100%, 1 trace, 0 s",
        "golpae: choosing among the rule sets: 0 s",
    ]


def test_legal_counts_traces(golpae: Golpae, noted: list[str]) -> None:
    write("a.jsonl", *LEGAL, *LEGAL)
    golpae("legal", "a.jsonl")
    assert noted == ["golpae: reading: 100%, 2 traces, 0 s"]


def test_score_counts_hands(golpae: Golpae, noted: list[str]) -> None:
    write("hands.jsonl", {"rules": "put", "hand": ["1-1"]}, {"rules": "put", "hand": ["1-1", "2-2"]})
    golpae("score", "hands.jsonl", *HERE)
    assert noted == ["golpae: scoring: 100%, 2 hands, 0 s"]


def test_prove_counts_properties(golpae: Golpae, noted: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prove, "verify_all", partial(run, verify=made_up.verify))
    golpae("prove", "put+plus0", "--players", "2", "--no-cache", *HERE)
    assert noted == ["golpae: reading rules: 0 s", "golpae: proving: 2 of 2 properties, 0 s"]


def test_prove_names_the_values_of_options_so_that_no_line_comes_twice() -> None:
    rule_set = named_rule_set(named("three-dozen", (spec_dir(),)))
    progress = Progress()
    watched = prove._Noted(progress)
    jobs = jobs_of(rule_set, players=2, every=("double",))
    for job in jobs:
        watched.started(job)
        watched.decided(job, made_up.finding(name="whole"))
    assert len(jobs) > 2
    news = progress.news()
    assert news[0] == "golpae: three-dozen with 2 players, double 6: `whole` is proved"
    assert len({*news}) == len(jobs)


def test_lint_counts_rule_sets(golpae: Golpae, noted: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lint, "SECONDS", None)  # in this process
    monkeypatch.setattr(lint, "MEGABYTES", None)
    monkeypatch.setattr(vacuity, "examine", lambda rule_set, settings: VacuityReport())
    golpae("lint", "--deep", "--jobs", "1", "put", *HERE)
    many = len(SWITCHES) + 1
    assert noted[-1] == f"golpae: looking for vacuous rules: {many} of {many} rule sets, 0 s (put)"


def test_compare_counts_tables(golpae: Golpae, noted: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def proved(pair: TablePair, settings: object) -> AtTable:
        result = QuestionResult(PROVED, "by hand")
        return AtTable(pair.players, dict(pair.options), result, result, result)

    monkeypatch.setattr(compare_games, "at_table", proved)
    golpae("compare", "put", "plus0", "--layer", "meaning", "--jobs", "1", "--no-cache", *HERE)
    assert noted[-2:] == [
        "golpae: comparing texts: 1 of 1 pairs, 0 s",
        "golpae: comparing games: 6 of 6 tables, 0 s (put and put+plus0)",
    ]


def test_compare_counts_the_hands_that_it_plays(golpae: Golpae, noted: list[str]) -> None:
    Path("rules", "put.golpae").write_text(
        Path("rules", "put.golpae").read_text("utf-8")
        + '\nvariant free "anyone may put"\n  replace put.turn: yes\n',
        encoding="utf-8",
    )
    golpae("compare", "put", "free", "--layer", "size", "--players", "2", "--hands", "60", *HERE)
    assert noted[-3:-1] == [
        "golpae: counting tiles and hands: 1 of 1 tables, 0 s (put and put+free)",
        "golpae: scoring at random: 0 hands, 0 s (put and put+free)",
    ]
    assert noted[-1].startswith("golpae: playing at random: ")
    assert "playing at random: 0 hands" not in noted[-1]


def test_a_matrix_counts_rule_sets_and_pairs(golpae: Golpae, noted: list[str]) -> None:
    golpae("compare", "--matrix", "put", "--layer", "text", *HERE)
    many = len(SWITCHES) + 1
    pairs = many * (many - 1) // 2
    assert noted == [
        "golpae: reading rules: 0 s",
        f"golpae: reading rules: {many} of {many} rule sets, 0 s",
        f"golpae: comparing texts: {pairs} of {pairs} pairs, 0 s",
    ]


@pytest.mark.parametrize(
    ("path", "typed", "shown"), [("-", True, False), ("-", False, True), ("a.jsonl", True, True)]
)
def test_no_line_disturbs_a_person_who_types_a_trace(
    path: str, typed: bool, shown: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Keyboard(io.StringIO):
        def isatty(self) -> bool:
            return typed

    monkeypatch.setenv(OFF, "")
    monkeypatch.setattr(sys, "stdin", Keyboard())
    before = sys.stdout
    with reading("checking", "traces", [Source(path)]):
        assert (sys.stdout is not before) == shown
    assert sys.stdout is before
