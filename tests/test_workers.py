"""Worker processes: results, crashes, and jobs one after another in one process."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from golpae import forks, workers
from golpae.diagnostics import Diagnostic, SpecError
from golpae.workers import (
    EVENTS,
    OUT_OF_MEMORY,
    OUT_OF_TIME,
    QUESTIONS,
    Crash,
    Ended,
    JobNews,
    OuterLimits,
    Sent,
    Workers,
    listening,
    results,
    tell_doing,
    tell_event,
    tell_found,
    tell_part,
    tell_question,
)

FAULT = Diagnostic("L001", "there are no rules called `x`", None, "write `y`")
HOARD: list[bytearray] = []  # stays in a worker after its job


def doubled(number: int) -> int:
    if number == 13:
        raise ValueError("unlucky")
    if number == 14:
        raise SpecError([FAULT])
    if number == 77:
        os._exit(number)
    return 2 * number


def process_of(number: int) -> int:
    return os.getpid()


def test_each_result_comes_with_the_number_of_its_job() -> None:
    assert dict(results(doubled, [5, 6, 7], 2)) == {0: 10, 1: 12, 2: 14}


def test_without_processes_jobs_run_in_this_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "HAS_PROCESSES", False)
    assert dict(results(process_of, [1, 2], 2)) == {0: os.getpid(), 1: os.getpid()}
    [(_, crash)] = results(doubled, [13], 2)
    assert isinstance(crash, Crash)
    assert (crash.reason, type(crash.exception)) == ("ValueError: unlucky", ValueError)


def started_by(number: int) -> tuple[int, str, str]:
    """Return which process has started this one, and two settings here."""
    return os.getppid(), os.environ["PYTHONHASHSEED"], os.environ.get("GOLPAE_DEBUG", "")


copies = pytest.mark.skipif(not forks.CAN_FORK, reason="processes cannot be copied here")


@copies
def test_processes_are_copies_of_one_that_ends_with_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONHASHSEED", "5")
    monkeypatch.setenv("GOLPAE_DEBUG", "1")
    out = dict(results(started_by, [1, 2, 3], 2))
    assert out[0] == out[1] == out[2]
    copied, *settings = out[0]  # type: ignore[misc]
    assert settings == ["0", "1"]
    assert copied != os.getpid()
    with pytest.raises(ProcessLookupError):
        os.kill(copied, 0)


def ends_its_parent(number: int) -> int:
    if number == 1:
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(0.2)
    return number


@copies
def test_jobs_go_on_if_the_process_that_is_copied_has_died() -> None:
    assert dict(results(ends_its_parent, [1, 2, 3], 1)) == {0: 1, 1: 2, 2: 3}


def waits_for(send: Callable[[int], None], file: Path) -> None:
    send(os.getppid())
    while not file.exists():
        time.sleep(0.01)


@copies
def test_copies_at_work_go_on_if_the_process_that_is_copied_has_died(tmp_path: Path) -> None:
    file = tmp_path / "go on"
    ended: list[Ended[str]] = []
    with Workers[str](2, loaded=(__name__,)) as workers:
        workers.start("first", waits_for, file)
        while not (sent := [event.message for event in workers.events() if isinstance(event, Sent)]):
            pass
        os.kill(int(str(sent[0])), signal.SIGKILL)
        workers.start("next", waits_for, file)
        time.sleep(0.2)
        file.touch()
        while workers.at_work:
            ended += [event for event in workers.events() if isinstance(event, Ended)]
    assert {event.key: event.crash for event in ended} == {"first": None, "next": None}


@pytest.mark.parametrize("reuse", [True, False])
def test_a_crash_takes_only_its_own_job_with_it(reuse: bool) -> None:
    out = dict(results(doubled, [77, 13, 1], 2, reuse))
    raised = out[1]
    assert isinstance(raised, Crash)
    assert (raised.reason, type(raised.exception)) == ("ValueError: unlucky", ValueError)
    assert out[0] == Crash("its process ended with status 77")
    assert out[2] == 2


def test_the_faults_of_a_text_come_from_a_worker_as_they_are() -> None:
    [(_, crash)] = results(doubled, [14], 1)
    assert isinstance(crash, Crash)
    assert isinstance(crash.exception, SpecError)
    assert crash.exception.diagnostics == (FAULT,)


@pytest.mark.parametrize(("reuse", "processes"), [(True, 1), (False, 3)])
def test_a_process_is_reused_only_on_request(reuse: bool, processes: int) -> None:
    assert len({pid for _, pid in results(process_of, [1, 2, 3], 1, reuse)}) == processes


def hoarding(megabytes: int) -> int:
    HOARD.append(bytearray(b"1" * (megabytes * 1_000_000)))
    time.sleep(0.5)  # longer than between two looks at the memory
    return megabytes


@pytest.mark.parametrize("megabytes", [100, 30])
def test_a_job_is_not_charged_with_what_jobs_before_it_left(megabytes: int) -> None:
    jobs = [megabytes] * 4
    out = dict(results(hoarding, jobs, 1, reuse=True, limits=OuterLimits(megabytes=160)))
    assert out == dict(enumerate(jobs))


def endless(kind: str) -> int:
    hoard = []
    while kind == "grows":
        hoard.append(bytearray(b"1" * 1_000_000))
    while kind == "waits":
        time.sleep(60)
    while kind == "tells":
        tell_question()
        time.sleep(0.01)
    while kind == "computes":
        9**9**7  # one step of Python, which no thread of its process can interrupt
    return 1


@pytest.mark.parametrize(
    ("kind", "limits", "reason"),
    [
        ("waits", OuterLimits(seconds=1), OUT_OF_TIME),
        ("tells", OuterLimits(seconds=1), OUT_OF_TIME),
        ("computes", OuterLimits(seconds=1), OUT_OF_TIME),
        ("grows", OuterLimits(megabytes=300), OUT_OF_MEMORY),
    ],
)
def test_a_worker_that_exceeds_a_limit_is_ended(kind: str, limits: OuterLimits, reason: str) -> None:
    out = dict(results(endless, [kind, "ends"], 2, limits=limits))
    assert out == {0: Crash(reason, limited=True), 1: 1}


def telling(word: str) -> str:
    tell_doing(word)
    for _ in range(QUESTIONS + 3):
        tell_question()
    tell_found(f"{word} is found")
    return word


def test_a_job_tells_what_it_is_at_what_it_asks_and_what_it_finds() -> None:
    told: list[tuple[int, JobNews]] = []
    out = dict(
        results(telling, ["a", "b"], 1, reuse=True, on_told=lambda number, what: told.append((number, what)))
    )
    assert out == {0: "a", 1: "b"}
    asked, later = f"{QUESTIONS} questions", f"{QUESTIONS + 3} questions"
    assert [what for number, what in told if number == 1] == [
        JobNews("b"),
        JobNews(f"b, {asked}"),
        JobNews(f"b, {later}", "b is found"),
    ]
    assert len(told) == 6


def test_a_job_tells_which_part_of_its_work_it_is_at() -> None:
    told: list[JobNews] = []
    with listening(told.append):
        tell_doing("looking for invariants")
        tell_part("checking 9 candidates against `put`")
        tell_part("checking 9 candidates against `put`")
        for _ in range(EVENTS):
            tell_event("take")
        tell_doing("asking")
    assert [one.at for one in told] == [
        "looking for invariants",
        "looking for invariants: checking 9 candidates against `put`",
        f"looking for invariants: {EVENTS} kinds of events, now of `take`",
        "asking",
    ]


def test_work_in_this_process_is_heard_only_where_somebody_listens() -> None:
    told: list[JobNews] = []
    with listening(told.append):
        tell_found("here")
    tell_found("nobody hears this")
    assert told == [JobNews("", "here")]


def test_a_job_that_cannot_be_sent_leaves_the_workers_intact() -> None:
    nested: list[object] = []
    for _ in range(100_000):
        nested = [nested]
    with Workers[int](1) as workers:
        with pytest.raises(RecursionError):
            workers.start(1, print, nested)
        assert not workers.at_work
