"""Processes that check texts, each one text after the other.

Input: texts, or seeds of random texts; limits; how many processes. Output: each text with its report.
Guarantee: a text that hangs or crashes costs that text alone, which is then a finding; its process is replaced.
A process is also replaced after some texts, so that its memory does not grow.
"""

from __future__ import annotations

import multiprocessing
import resource
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait

from tests.differential.by_syntax import check_by_syntax
from tests.differential.checks import Finding, Limits, Report, check_text
from tests.differential.comparisons import check_comparison
from tests.differential.coverage import constructs_of
from tests.differential.mutants import mutant_of_found
from tests.differential.texts import RuleText, random_text

SECONDS = 300  # that one text may take, on a machine that does other things too
MEMORY = 3 << 30
TEXTS = 200  # that a process checks
CONTEXT = multiprocessing.get_context("fork")


@dataclass(frozen=True)
class Task:
    """A text to check, or the seed of a random one; `mutant` if that is a change of a text in `found`."""

    text: RuleText | int
    limits: Limits
    mutant: bool = False

    @property
    def seed(self) -> int:
        return self.text if isinstance(self.text, int) else self.text.seed


@dataclass(frozen=True)
class Checked:
    """A text, what was found, and the constructs that it uses. The text is None if it could not be made."""

    seed: int
    text: RuleText | None
    report: Report
    constructs: frozenset[str] = frozenset()


class _Process:
    """One process, and the task that it works on."""

    def __init__(self) -> None:
        self.ours, theirs = CONTEXT.Pipe()
        self.process = CONTEXT.Process(target=_work, args=(theirs, self.ours), daemon=True)
        self.process.start()
        theirs.close()
        self.left = TEXTS
        self.task: Task | None = None
        self.until = 0.0

    def give(self, task: Task) -> None:
        self.task = task
        self.left -= 1
        self.until = time.monotonic() + SECONDS
        self.ours.send(task)

    def answer(self) -> Checked | None:
        """Return the answer on the task, or None if there is none yet."""
        task = self.task
        assert task is not None
        kind = "hang"
        try:
            if self.ours.poll():
                found: Checked = self.ours.recv()
                self.task = None
                return found
        except (EOFError, ConnectionError):
            kind = "process-died"
        if kind == "hang" and time.monotonic() < self.until:
            return None
        text = task.text if isinstance(task.text, RuleText) else None
        kind += "-proving" * task.limits.proofs
        detail = f"after {SECONDS} seconds at most"
        finding = Finding(kind, f"seed {task.seed}" if text is None else text.name, 0, detail)
        self.task, self.left = None, 0
        return Checked(task.seed, text, Report([finding]))

    def stop(self) -> None:
        self.process.kill()
        self.process.join()
        self.ours.close()


def checked(tasks: Iterable[Task], jobs: int, go_on: Callable[[], bool]) -> Iterator[Checked]:
    """Yield the texts of tasks as they are checked, as long as `go_on` says so."""
    waiting = iter(tasks)
    processes = [_Process() for _ in range(jobs)]
    try:
        more = True
        while more or any(p.task for p in processes):
            for place, process in enumerate(processes):
                if process.task is not None:
                    continue
                task = next(waiting, None) if more and go_on() else None
                more = more and task is not None
                if task is None:
                    continue
                if process.left <= 0:
                    process.stop()
                    process = processes[place] = _Process()
                process.give(task)
            wait([p.ours for p in processes if p.task], timeout=1.0)
            for process in processes:
                answer = process.answer() if process.task else None
                if answer is not None:
                    yield answer
    finally:
        for process in processes:
            process.stop()


def check_alone(text: RuleText, limits: Limits) -> Report:
    """Return the report on one text, made by a process of its own."""
    return next(checked([Task(text, limits)], 1, lambda: True)).report


def _work(tasks: Connection, ours: Connection) -> None:
    ours.close()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    while True:
        try:
            task: Task = tasks.recv()
        except (EOFError, OSError):
            return
        tasks.send(check_task(task))


def _text_of(task: Task) -> RuleText:
    if isinstance(task.text, RuleText):
        return task.text
    return mutant_of_found(task.text) if task.mutant else random_text(task.text, task.limits.small)


def check_task(task: Task) -> Checked:
    """Return what is found on one text; a crash of a check is a finding."""
    text = None
    try:
        text = _text_of(task)
        report = check_text(text, task.limits)
        if task.limits.compared or task.limits.by_syntax:
            check_by_syntax(text, report)
        if task.limits.compared:
            check_comparison(text, report)
        return Checked(text.seed, text, report, frozenset(constructs_of(text.rule_set())))
    except Exception:
        last = traceback.format_exc().strip()
        finding = Finding("exception-making", "" if text is None else text.name, 0, last[-600:])
        return Checked(task.seed, text, Report([finding]))
