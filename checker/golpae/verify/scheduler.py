"""Jobs, each a rule set at one table, verified in worker processes.

Input: jobs and settings.
Output: their results, in the order of the jobs and of the texts.
Guarantee: every property of a job has a result unless the run is interrupted. If a process dies or exceeds an outer
limit, only the property that it was at is unknown; others are decided in new processes. If that was while it looked for
invariants, which properties share, nobody looks for them again. A reported result is cached at once.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from golpae.elaborate.instance import bounds, instantiate, options_of, values_of
from golpae.ir.ruleset import PropertyDecl, RuleSet
from golpae.prove.answer import UNKNOWN
from golpae.verify import cache
from golpae.verify.kept_proofs import KeptTable
from golpae.verify.options import Settings
from golpae.verify.properties import depends_on_players, queried
from golpae.verify.result import Listener, PropertyResult
from golpae.workers import Ended, JobNews, OuterLimits, Send, Sent, Workers, described, tell_doing

Verify = Callable[[RuleSet, int, Mapping[str, int], Settings, str | None, Listener], list[PropertyResult]]
CRASHED = "the prover crashed"
DISAGREE = "two solvers disagree"
LOADED = ("golpae.verify.verifier",)  # by `verify_by_prover`


@dataclass(frozen=True, slots=True)
class Job:
    """The properties of one rule set at one table; only one of them if `only` names it.

    With `any_players` it stands for tables with any number of players. `kept` is what is kept about it beside the text.
    """

    rule_set: RuleSet
    players: int
    options: Mapping[str, int]
    only: str | None = None
    any_players: bool = False
    kept: KeptTable | None = None

    @property
    def properties(self) -> tuple[PropertyDecl, ...]:
        """The properties to verify."""
        return queried(self.rule_set, self.only)

    @property
    def size(self) -> int:
        """An estimate of the work, to order jobs by."""
        instance = instantiate(self.rule_set, self.players, self.options)
        return len(instance.whole) * self.players * len(self.rule_set.actions) * len(self.properties)


class RunProgress:
    """Callbacks during a run. By default they do nothing."""

    def started(self, job: Job) -> None:
        """Called when a process starts this job."""

    def decided(self, job: Job, result: PropertyResult) -> None:
        """Called when a property is decided, or read from the cache."""

    def finished(self, job: Job) -> None:
        """Called when every property of this job has a result."""

    def told(self, job: Job, told: JobNews) -> None:
        """Called with what a process tells of its work on this job."""


@dataclass(slots=True)
class RunResult:
    """The results of a run. `disagreements` are questions that two solvers answer differently."""

    results: list[PropertyResult] = field(default_factory=list)
    disagreements: list[str] = field(default_factory=list)
    interrupted: bool = False


def tables(
    rule_set: RuleSet, players: int | None = None, given: Mapping[str, int] | None = None
) -> list[tuple[int, dict[str, int]]]:
    """Return every table of a rule set with the default options, or those with these players and options.

    Raises `TableFault` if there are no such options.
    """
    options = options_of(rule_set, given or {})
    low, high = bounds(rule_set, options)
    return [(n, dict(options)) for n in range(low, high + 1) if players in (None, n)]


def jobs_of(
    rule_set: RuleSet,
    players: int | None = None,
    given: Mapping[str, int] | None = None,
    only: str | None = None,
    every: Sequence[str] = (),
) -> list[Job]:
    """Return the jobs of a rule set, for each value of the options in `every`. Raises `TableFault`.

    If `every` names options, a single property that does not depend on the number of players is verified for one
    number only.
    """
    chosen = [dict(zip(every, v, strict=True)) for v in product(*(values_of(rule_set, n) for n in every))]
    jobs = [
        Job(rule_set, *at, only)
        for more in chosen
        for at in tables(rule_set, players, {**(given or {}), **more})
    ]
    props = () if only is None else queried(rule_set, only)
    if not every or players is not None or not props or depends_on_players(rule_set, props[0]):
        return jobs
    first = {tuple(job.options.items()): job for job in reversed(jobs)}
    return [replace(job, any_players=True) for job in jobs if job is first[tuple(job.options.items())]]


def verify_by_prover(
    rule_set: RuleSet,
    players: int,
    options: Mapping[str, int],
    settings: Settings,
    only: str | None,
    listener: Listener,
) -> list[PropertyResult]:
    """Call `verifier.verify`, which only the process that needs it imports, with its solver."""
    from golpae.verify.verifier import verify

    return verify(rule_set, players, options, settings, only, listener)


def run(
    jobs: Sequence[Job],
    settings: Settings,
    processes: int = 1,
    cached: bool = True,
    progress: RunProgress | None = None,
    verify: Verify = verify_by_prover,
) -> RunResult:
    """Verify all jobs, the largest first, in so many processes at a time.

    With `cached`, a cached result is not verified again, unless questions are to be written down. An interrupt
    (Ctrl-C) ends the run; the outcome has what was reported until then.
    """
    return _Run(jobs, settings, max(1, processes), cached, progress or RunProgress(), verify).run()


@dataclass(frozen=True, slots=True, eq=False)
class _Running:
    """A job under way, the one property of it that is verified (None: all), and the name of its entry in the cache."""

    index: int
    job: Job
    entry: str
    only: str | None


@dataclass(frozen=True, slots=True)
class _Disagreement:
    """The message of a process in which two solvers disagree."""

    question: str


@dataclass(frozen=True, slots=True)
class _Search:
    """The message of a process that begins to look for what properties share; None: it has looked."""

    what: str | None


@dataclass(frozen=True, slots=True)
class _Begin:
    """The message of a process that begins to decide a property."""

    name: str


class _Run:
    def __init__(
        self,
        jobs: Sequence[Job],
        settings: Settings,
        processes: int,
        cached: bool,
        progress: RunProgress,
        verify: Verify,
    ) -> None:
        self.jobs = jobs
        self.settings = replace(settings, cached=cached and settings.smt2 is None and not settings.crosscheck)
        self.cached = cached
        self.progress = progress
        self.verify = verify
        self.results: list[dict[str, PropertyResult]] = [{} for _ in jobs]
        self.entries: list[dict[str, PropertyResult]] = [{} for _ in jobs]  # as they are in the cache
        self.searches: dict[
            _Running, str
        ] = {}  # what the process of a job looks for, that its properties share
        self.at: dict[_Running, str] = {}  # the property that a process decides
        self.lost: list[dict[str, str]] = [{} for _ in jobs]  # what was looked for when a limit was exceeded
        self.anew: set[int] = set()  # jobs of which nothing that is kept is checked any more
        self.finished: set[int] = set()
        self.outcome = RunResult()
        self.waiting: list[
            tuple[int, str | None]
        ] = []  # jobs, and the one property of each to verify (None: all)
        self.entry_of: dict[int, cache.Entry] = {}  # by the number of a job
        self.workers = Workers[_Running](processes, loaded=LOADED if verify is verify_by_prover else ())

    def run(self) -> RunResult:
        try:
            for index in range(len(self.jobs)):
                missing = self._missing(index)
                if not isinstance(missing, bool):
                    self.waiting.append((index, missing))
            self.waiting.sort(key=lambda entry: (self.jobs[entry[0]].size, -entry[0]))
            with self.workers:
                while self.waiting or self.workers.at_work:
                    while self.waiting and not self.workers.full:
                        self._start(*self._next(self.waiting))
                    for event in self.workers.events():
                        self._receive(event)
        except KeyboardInterrupt:
            self.outcome.interrupted = True
            self._judge_nothing_vacuous()
        for job, results in zip(self.jobs, self.results, strict=True):
            order = {p.name: i for i, p in enumerate(job.properties)}
            self.outcome.results += sorted(results.values(), key=lambda r: order.get(r.name, len(order)))
        return self.outcome

    def _judge_nothing_vacuous(self) -> None:
        """Mark what is vacuous and may apply at a table that the run did not get to."""
        unreached = {
            (job.rule_set.rules, prop.name)
            for job, results in zip(self.jobs, self.results, strict=True)
            for prop in job.properties
            if prop.name not in results
        }
        for results in self.results:
            for name, result in results.items():
                if result.vacuous is not None and (result.rules, name) in unreached:
                    results[name] = replace(result, unjudged=True)

    def _next(self, waiting: list[tuple[int, str | None]]) -> tuple[int, str | None]:
        """Remove and return the largest waiting job, preferably not of a game whose first job is under way.

        Jobs of one game share theorems, so the others find in the cache what the first one decided.
        """
        at_work = {running.job.rule_set.game for running in self.workers.at_work}
        first = at_work - {self.jobs[index].rule_set.game for index in self.finished}
        others = [i for i, (n, _) in enumerate(waiting) if self.jobs[n].rule_set.game not in first]
        return waiting.pop(others[-1] if others else -1)

    # ------------------------------------------------------------------ the cache

    def _missing(self, index: int) -> str | bool | None:
        """Report the cached results of a job and return the properties to verify: all of the job (None), one property
        by its name, or nothing (False).

        Properties share most of their work, so several missing ones are verified together.
        """
        job = self.jobs[index]
        if self.cached:
            self.entries[index] = self._entry(index).load()
        missing = [p.name for p in job.properties]
        if self.settings.smt2 is None:
            for name in missing:
                if name in self.entries[index]:
                    self._report(index, self.entries[index][name])
            missing = [name for name in missing if name not in self.entries[index]]
        if not missing:
            self.progress.finished(job)
            return False
        return job.only or (missing[0] if len(missing) == 1 else None)

    def _report(self, index: int, result: PropertyResult) -> None:
        if self.jobs[index].any_players:
            result = replace(result, players=0)
        self.results[index][result.name] = result
        self.progress.decided(self.jobs[index], result)

    def _store(self, running: _Running, result: PropertyResult) -> None:
        # If a developer changes golpae's code during a run, nothing more is stored.
        if not self.cached or result.verdict == UNKNOWN:
            return
        name = self._entry(running.index).name
        if name == running.entry:
            results = self.entries[running.index]
            results[result.name] = result
            cache.store(name, results.values())

    def _entry(self, index: int) -> cache.Entry:
        if index not in self.entry_of:
            job = self.jobs[index]
            self.entry_of[index] = cache.Entry(job.rule_set, job.players, job.options, self._settings(job))
        return self.entry_of[index]

    def _settings(self, job: Job) -> Settings:
        return replace(self.settings, kept=job.kept)

    # ------------------------------------------------------------------ processes

    def _start(self, index: int, only: str | None) -> None:
        job = self.jobs[index]
        running = _Running(index, job, self._entry(index).name, only)
        try:
            settings = replace(self._settings(job), lost=tuple(self.lost[index].items()))
            if index in self.anew:
                settings = replace(settings, kept=None)
            limits = OuterLimits(settings.seconds, settings.megabytes)
            self.workers.start(running, _work, self.verify, job, only, settings, limits=limits)
        except (RecursionError, OSError) as fault:  # nested too deep to be sent; too many processes
            self._give_up(running, f"{CRASHED}: {described(fault)}")
            self._finish(running)
            return
        self.progress.started(job)

    def _receive(self, event: Sent[_Running] | Ended[_Running]) -> None:
        """Record what a process sent, or that it has ended."""
        running = event.key
        if isinstance(event, Ended):
            if event.crash is not None and event.crash.limited:
                if running.job.kept is not None and running.index not in self.anew:
                    self.anew.add(running.index)  # what is kept took too long to check
                    self.waiting.append((running.index, running.only))
                    return
                if running in self.searches:
                    self.lost[running.index][self.searches[running]] = event.crash.reason
                self._lose_one(running, event.crash.reason)
            elif event.crash is not None or self._open(running):
                reason = event.crash.reason if event.crash is not None else ""
                words = f"{CRASHED}: {reason}" if reason else CRASHED
                self._lose_one(running, words, words)
            self._finish(running)
        elif isinstance(event.message, JobNews):
            self.progress.told(running.job, event.message)
        elif isinstance(event.message, _Begin):
            self.at[running] = event.message.name
        elif isinstance(event.message, _Disagreement):
            question = event.message.question
            where = f"{running.job.rule_set.rules}, {running.job.players} players"
            self.outcome.disagreements.append(f"{where}: {question}")
            self._give_up(running, f"{DISAGREE}: {question}")
        elif isinstance(event.message, _Search):
            if event.message.what is None:
                self.searches.pop(running, None)
            else:
                self.searches[running] = event.message.what
        else:
            assert isinstance(event.message, PropertyResult)
            if event.message.name not in self.results[running.index]:
                self._report(running.index, event.message)
                self._store(running, event.message)

    def _open(self, running: _Running) -> list[PropertyDecl]:
        """Return the properties that a process was to decide and that have no result."""
        results = self.results[running.index]
        asked = (p for p in running.job.properties if running.only in (None, p.name))
        return [p for p in asked if p.name not in results]

    def _lose_one(self, running: _Running, reason: str, fault: str | None = None) -> None:
        """Report the property at which a process ended as unknown; the others wait for processes of their own."""
        still = self._open(running)
        at = next((decl for decl in still if decl.name == self.at.get(running)), still[0] if still else None)
        for decl in still:
            if decl is at:
                self._report(running.index, _unknown(running.job, decl, reason, self.settings, fault))
            else:
                self.waiting.append((running.index, decl.name))

    def _give_up(self, running: _Running, reason: str) -> None:
        """Report the properties of a job that have no result as unknown."""
        for decl in self._open(running):
            self._report(running.index, _unknown(running.job, decl, reason, self.settings))

    def _finish(self, running: _Running) -> None:
        """Close a job once every property of it has a result; several processes may have worked at it."""
        complete = len(self.results[running.index]) == len(running.job.properties)
        if complete and running.index not in self.finished:
            self.finished.add(running.index)
            self.progress.finished(running.job)


def _unknown(
    job: Job, decl: PropertyDecl, reason: str, settings: Settings, fault: str | None = None
) -> PropertyResult:
    return PropertyResult(
        rules=job.rule_set.rules,
        players=job.players,
        options=dict(job.options),
        kind=decl.kind,
        name=decl.name,
        ids=decl.ids,
        verdict=UNKNOWN,
        expected=decl.expected or "proved",
        story=reason,
        clauses=(),
        lemmas=(),
        witness=None,
        bound=None,
        vacuous=None,
        queries=0,
        seconds=0.0,
        seed=settings.seed,
        spec_hash=job.rule_set.spec_hash,
        solvers=cache.solvers(settings),
        after=decl.after,
        fault=fault,
    )


# ---------------------------------------------------------------- in the process of a job


def _work(send: Send, verify: Verify, job: Job, only: str | None, settings: Settings) -> None:
    """Verify a job, or one property of it, and send each result."""
    sent: set[str] = set()
    at = ""

    def report(result: PropertyResult) -> None:
        sent.add(result.name)
        send(result)

    def search(what: str | None) -> None:
        send(_Search(what))
        tell_doing(f"looking for {what}" if what is not None else at)

    def begin(name: str) -> None:
        nonlocal at
        at = name
        tell_doing(name)
        send(_Begin(name))

    try:
        listener = Listener(report, search, begin)
        for result in verify(job.rule_set, job.players, job.options, settings, only, listener):
            if result.name not in sent:
                report(result)
    except Exception as fault:
        if not _is_disagreement(fault):
            raise
        send(_Disagreement(str(fault)))


def _is_disagreement(fault: Exception) -> bool:
    """Return whether two solvers disagree; imports no solver."""
    solver = sys.modules.get("golpae.prove.solving.solver")
    return solver is not None and isinstance(fault, solver.SolverDisagreement)
