"""Jobs of the verifier: their tables, their processes, and their results after a crash or an interrupt."""

from __future__ import annotations

import os
import signal
import sys
import threading
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from golpae.elaborate.check import elaborate
from golpae.elaborate.instance import TableFault
from golpae.exit_codes import FAILS, FAULT, UNKNOWN
from golpae.ir.ruleset import RuleSet
from golpae.verify.kept_proofs import KeptTable
from golpae.verify.options import Settings
from golpae.verify.result import PropertyResult
from golpae.verify.scheduler import Job, RunProgress, RunResult, _Run, _Running, jobs_of, run, tables
from golpae.verify.status import exit_status
from tests.cli.table import PUT
from tests.verify import made_up

GENERAL = ["tiles-are-kept", "some-event-is-legal"]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GOLPAE_CACHE", str(tmp_path / "cache"))
    return tmp_path


def put(*names: str, extra: str = "") -> RuleSet:
    """Return the rules `put`, with properties of these names."""
    text = PUT + extra + "".join(f"\nalways {name}: size of tiles = 12\n" for name in names)
    Path("put.golpae").write_text(text, encoding="utf-8")
    return elaborate("put", [Path("put.golpae")])


def decided(
    jobs: list[Job], processes: int = 2, progress: RunProgress | None = None, **settings: object
) -> RunResult:
    return run(jobs, Settings(**settings), processes, True, progress, made_up.verify)  # type: ignore[arg-type]


def verdicts(outcome: RunResult) -> list[tuple[int, str, str]]:
    return [(f.players, f.name, f.verdict) for f in outcome.results if f.name not in GENERAL]


def test_tables_have_every_number_of_players_and_default_options() -> None:
    rules = put()
    assert tables(rules) == [(2, {"dealt": 2}), (3, {"dealt": 2})]
    assert tables(rules, 3, {"dealt": 1}) == [(3, {"dealt": 1})]
    assert tables(rules, 4) == []
    with pytest.raises(TableFault, match="dealt"):
        tables(rules, None, {"other": 1})


def test_results_come_in_the_order_of_jobs_and_texts() -> None:
    outcome = decided(jobs_of(put("holds", "is-refuted")))
    assert verdicts(outcome) == [
        (2, "holds", "proved"),
        (2, "is-refuted", "refuted"),
        (3, "holds", "proved"),
        (3, "is-refuted", "refuted"),
    ]
    assert [f.name for f in outcome.results if f.players == 2][-2:] == GENERAL
    assert made_up.calls() == ["put 2 None", "put 3 None"]


def test_the_largest_job_starts_first() -> None:
    order: list[int] = []

    class Order(RunProgress):
        def started(self, job: Job) -> None:
            order.append(job.players)

    decided(jobs_of(put("holds")), processes=1, progress=Order())
    assert order == [3, 2]


def test_a_game_waits_only_for_its_first_job() -> None:
    text = PUT.replace("game put", "game lay")
    Path("lay.golpae").write_text(text, encoding="utf-8")
    jobs = [*jobs_of(put("holds")), *jobs_of(elaborate("lay", [Path("lay.golpae")]))]
    names = [f"{job.rule_set.game} {job.players}" for job in jobs]
    assert names == ["put 2", "put 3", "lay 2", "lay 3"]
    one = _Run(jobs, Settings(), 2, False, RunProgress(), made_up.verify)

    def after(at_work: str, *waiting: str) -> str:
        index = names.index(at_work)
        one.workers = SimpleNamespace(at_work=[_Running(index, jobs[index], "", None)])  # type: ignore[assignment]
        chosen, _ = one._next([(names.index(name), None) for name in waiting])
        return names[chosen]

    assert after("put 3", "lay 2", "lay 3", "put 2") == "lay 3"
    assert after("put 3", "put 2") == "put 2"
    one.finished.add(names.index("put 3"))
    assert after("put 2", "lay 2", "put 3") == "put 3"
    assert after("lay 2", "lay 3", "put 2") == "put 2"


@pytest.mark.parametrize(
    ("name", "story"),
    [
        ("is-fatal", "the prover crashed: its process ended with status 77"),
        ("is-a-fault", "the prover crashed: ValueError: no such thing"),
    ],
)
def test_a_crash_makes_only_its_own_property_unknown(name: str, story: str) -> None:
    good = jobs_of(put("first", "last"))
    outcome = decided([*jobs_of(put("first", name, "last"), 2), *good])
    results = [f for f in outcome.results if f.name not in GENERAL][:4]
    assert [(f.name, f.verdict) for f in results] == [
        ("first", "proved"),
        (name, "unknown"),
        ("last", "proved"),
        ("first", "proved"),
    ]
    assert [f.fault for f in outcome.results if f.verdict == "unknown"] == [story]
    assert results[1].story == story
    assert exit_status(outcome.results) == FAULT
    assert not outcome.disagreements


@pytest.mark.parametrize(
    ("name", "seconds", "megabytes", "story"),
    [("is-slow", 1.5, 2_000, "out of time"), ("is-large", 600, 400, "out of memory")],
)
def test_a_property_that_exceeds_an_outer_limit_is_unknown(
    name: str, seconds: float, megabytes: int, story: str
) -> None:
    jobs = jobs_of(put("first", name, "last"), 2)
    outcome = decided(jobs, seconds=seconds, megabytes=megabytes)
    assert verdicts(outcome) == [(2, "first", "proved"), (2, name, "unknown"), (2, "last", "proved")]
    [unknown] = [f for f in outcome.results if f.verdict == "unknown"]
    assert (unknown.story, unknown.fault, unknown.bound) == (story, None, None)
    assert exit_status(outcome.results) == UNKNOWN
    again = decided(jobs, seconds=seconds, megabytes=megabytes)
    assert [f.name for f in again.results if not f.kept] == [name]


def test_what_is_kept_and_takes_too_long_to_check_is_looked_for() -> None:
    [job] = jobs_of(put("first", "is-slow-to-check", "last"), 2)
    outcome = decided([replace(job, kept=KeptTable("", (), (), (), ()))], seconds=1.5)
    assert [verdict for _, _, verdict in verdicts(outcome)] == ["proved"] * 3
    assert made_up.calls() == ["put 2 None"] * 2


def test_the_property_that_a_process_began_last_is_the_one_that_is_unknown() -> None:
    outcome = decided(jobs_of(put("first", "is-slow", "last"), 2), seconds=1.5, games=7)
    assert verdicts(outcome) == [(2, "first", "proved"), (2, "is-slow", "unknown"), (2, "last", "proved")]


def test_what_properties_share_is_looked_for_until_the_limit_once() -> None:
    outcome = decided(jobs_of(put("first", "shares-one", "shares-another", "last"), 2), seconds=1.5)
    assert verdicts(outcome) == [
        (2, "first", "proved"),
        (2, "shares-one", "unknown"),
        (2, "shares-another", "unknown"),
        (2, "last", "proved"),
    ]
    assert {f.story for f in outcome.results if f.verdict == "unknown"} == {"out of time"}


def test_a_faulty_property_does_not_stop_the_progress_of_its_job() -> None:
    finished: list[int] = []

    class Finished(RunProgress):
        def finished(self, job: Job) -> None:
            finished.append(job.players)

    decided(jobs_of(put("is-fatal", "is-a-fault", "last"), 2), progress=Finished())
    assert finished == [2]


def test_a_disagreement_of_solvers_is_reported() -> None:
    outcome = decided(jobs_of(put("first", "is-disputed"), 2))
    assert outcome.disagreements == ["put, 2 players: about this"]
    assert verdicts(outcome)[1] == (2, "is-disputed", "unknown")


def test_a_second_run_takes_its_results_from_the_cache() -> None:
    rules = put("holds", "is-refuted")
    first = decided(jobs_of(rules))
    made_up.calls()
    again = decided(jobs_of(rules))
    assert made_up.calls() == []
    assert all(f.kept for f in again.results)
    assert verdicts(again) == verdicts(first)
    assert again.results[1].witness == first.results[1].witness


def test_an_unknown_result_is_verified_again_alone() -> None:
    rules = put("holds", "is-unknown")
    decided(jobs_of(rules, 2))
    made_up.calls()
    again = decided(jobs_of(rules, 2))
    assert made_up.calls() == ["put 2 is-unknown"]
    assert [f.kept for f in again.results] == [True, False, True, True]


def test_the_result_of_one_property_serves_a_later_run_of_all() -> None:
    rules = put("holds")
    decided(jobs_of(rules, 2, only="holds"))
    outcome = decided(jobs_of(rules, 2))
    assert made_up.calls() == ["put 2 None", "put 2 holds"]
    assert [f.name for f in outcome.results] == ["holds", *GENERAL]


def test_writing_questions_to_files_verifies_again() -> None:
    rules = put("holds")
    decided(jobs_of(rules, 2))
    made_up.calls()
    decided(jobs_of(rules, 2), smt2=Path("questions"))
    assert made_up.calls() == ["put 2 None"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other signals")
def test_an_interrupt_stores_the_results_so_far() -> None:
    rules = put("holds", "is-slow")

    class Interrupt(RunProgress):
        def decided(self, job: Job, result: PropertyResult) -> None:
            main = threading.main_thread().ident
            assert main is not None
            threading.Timer(0.2, signal.pthread_kill, (main, signal.SIGINT)).start()

    outcome = decided(jobs_of(rules, 2), progress=Interrupt())
    assert outcome.interrupted
    assert verdicts(outcome) == [(2, "holds", "proved")]
    assert decided(jobs_of(rules, 2, only="holds")).results[0].kept


def test_what_an_interrupt_left_unjudged_is_undecided_whatever_is_expected() -> None:
    for expected in ("proved", "refuted"):
        result = made_up.finding(expected=expected, vacuous="its premise is never true")
        assert exit_status([replace(result, unjudged=True)]) == UNKNOWN, expected
        assert exit_status([result]) == FAILS, expected


def test_verifying_leaves_the_environment_unchanged() -> None:
    before = dict(os.environ)
    decided(jobs_of(put("holds"), 2))
    assert dict(os.environ) == before
