"""Units of work, each a rule set at one table, decided in processes of their own.

In: units and settings. Out: their findings, in the order of the units and of the texts. Guarantees that every
property asked of a unit has a finding unless the run was interrupted: of a process that dies only what it had
not yet told is unknown, and what was told is kept at once.
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
from golpae.verify.options import Settings
from golpae.verify.properties import asked, heeds_players
from golpae.verify.result import Finding
from golpae.workers import Ended, Send, Sent, Workers, described

Told = Callable[[Finding], None]
Decide = Callable[[RuleSet, int, Mapping[str, int], Settings, str | None, Told], list[Finding]]
FELL_OVER = "the prover fell over"
DISAGREE = "two solvers disagree"


@dataclass(frozen=True, slots=True)
class Unit:
    """The properties of one rule set at one table; only one of them where `only` names it.

    With `alike` it stands for tables of any number of players.
    """

    rule_set: RuleSet
    players: int
    options: Mapping[str, int]
    only: str | None = None
    alike: bool = False

    @property
    def asked(self) -> tuple[PropertyDecl, ...]:
        return tuple(p for p in asked(self.rule_set) if self.only in (None, p.name))

    @property
    def size(self) -> int:
        """How much work it may be, against others."""
        table = instantiate(self.rule_set, self.players, self.options)
        return len(table.whole) * self.players * len(self.rule_set.actions) * len(self.asked)


class Watch:
    """Told of a run as it goes on; does nothing by itself."""

    def began(self, unit: Unit) -> None:
        """A process has taken up this unit."""

    def told(self, unit: Unit, finding: Finding) -> None:
        """A property is decided, or was read from the cache."""

    def ended(self, unit: Unit) -> None:
        """All of this unit is told."""


@dataclass(slots=True)
class Outcome:
    """What a run found. `disagreements` are questions that two solvers answer differently."""

    findings: list[Finding] = field(default_factory=list)
    disagreements: list[str] = field(default_factory=list)
    interrupted: bool = False


def tables(
    rule_set: RuleSet, players: int | None = None, given: Mapping[str, int] | None = None
) -> list[tuple[int, dict[str, int]]]:
    """Every table of a rule set, options as they normally are; or those with these players, these options.

    Raises `TableFault` where there are no such options.
    """
    options = options_of(rule_set, given or {})
    low, high = bounds(rule_set, options)
    return [(n, dict(options)) for n in range(low, high + 1) if players in (None, n)]


def units(
    rule_set: RuleSet,
    players: int | None = None,
    given: Mapping[str, int] | None = None,
    only: str | None = None,
    every: Sequence[str] = (),
) -> list[Unit]:
    """The units of a rule set, of each value of the options in `every`. Raises `TableFault`.

    Where `every` asks for many, a single property that does not heed the number of players is decided for one.
    """
    chosen = [dict(zip(every, v, strict=True)) for v in product(*(values_of(rule_set, n) for n in every))]
    found = [
        Unit(rule_set, *at, only)
        for more in chosen
        for at in tables(rule_set, players, {**(given or {}), **more})
    ]
    props = [p for p in asked(rule_set) if p.name == only]
    if not every or players is not None or not props or heeds_players(rule_set, props[0]):
        return found
    first = {tuple(u.options.items()): u for u in reversed(found)}
    return [replace(u, alike=True) for u in found if u is first[tuple(u.options.items())]]


def by_the_prover(
    rule_set: RuleSet,
    players: int,
    options: Mapping[str, int],
    settings: Settings,
    only: str | None,
    told: Told,
) -> list[Finding]:
    """`decide.decide`, which is loaded, with its solver, only by the process that needs it."""
    from golpae.verify.verifier import decide

    return decide(rule_set, players, options, settings, only, told)


def run(
    asked: Sequence[Unit],
    settings: Settings,
    jobs: int = 1,
    cached: bool = True,
    watch: Watch | None = None,
    decide: Decide = by_the_prover,
) -> Outcome:
    """Decide all units, the largest first, `jobs` at a time.

    With `cached`, what is kept is not decided again, except where questions are to be written down. An
    interrupt (Ctrl-C) ends the run; what was told until then is in the outcome.
    """
    return _Run(asked, settings, max(1, jobs), cached, watch or Watch(), decide).run()


@dataclass(frozen=True, slots=True, eq=False)
class _Job:
    """A unit at work, and the name of its entry in the cache."""

    index: int
    unit: Unit
    entry: str


@dataclass(frozen=True, slots=True)
class _Disagreement:
    """What a process sends if two solvers disagree."""

    question: str


class _Run:
    def __init__(
        self,
        asked: Sequence[Unit],
        settings: Settings,
        jobs: int,
        cached: bool,
        watch: Watch,
        decide: Decide,
    ) -> None:
        self.units = asked
        self.settings = replace(settings, kept=cached and settings.smt2 is None and not settings.crosscheck)
        self.cached = cached
        self.watch = watch
        self.decide = decide
        self.found: list[dict[str, Finding]] = [{} for _ in asked]
        self.kept: list[dict[str, Finding]] = [{} for _ in asked]
        self.outcome = Outcome()
        self.workers = Workers[_Job](jobs)

    def run(self) -> Outcome:
        try:
            waiting: list[tuple[int, str | None]] = []
            for index in range(len(self.units)):
                missing = self._missing(index)
                if not isinstance(missing, bool):
                    waiting.append((index, missing))
            waiting.sort(key=lambda entry: (self.units[entry[0]].size, -entry[0]))
            with self.workers:
                while waiting or self.workers.at_work:
                    while waiting and not self.workers.full:
                        self._begin(*self._next(waiting))
                    for event in self.workers.events():
                        self._take(event)
        except KeyboardInterrupt:
            self.outcome.interrupted = True
        for unit, found in zip(self.units, self.found, strict=True):
            order = {p.name: i for i, p in enumerate(unit.asked)}
            self.outcome.findings += sorted(found.values(), key=lambda f: order.get(f.name, len(order)))
        return self.outcome

    def _next(self, waiting: list[tuple[int, str | None]]) -> tuple[int, str | None]:
        """The largest of what waits; of another game than those at work, if there is one.

        Units of one game share theorems, which the second one need not decide if the first has done so.
        """
        at_work = {job.unit.rule_set.game for job in self.workers.at_work}
        others = [i for i, (n, _) in enumerate(waiting) if self.units[n].rule_set.game not in at_work]
        return waiting.pop(others[-1] if others else -1)

    # ------------------------------------------------------------------ what is kept

    def _missing(self, index: int) -> str | bool | None:
        """What to decide of a unit: all of it (None), one property by its name, or nothing (False).

        Properties share most of their work, so of several that are missing none is decided by itself.
        """
        unit = self.units[index]
        if self.cached:
            self.kept[index] = cache.load(unit.rule_set, unit.players, unit.options, self.settings)
        missing = [p.name for p in unit.asked]
        if self.settings.smt2 is None:
            for name in missing:
                if name in self.kept[index]:
                    self._tell(index, self.kept[index][name])
            missing = [name for name in missing if name not in self.kept[index]]
        if not missing:
            self.watch.ended(unit)
            return False
        return unit.only or (missing[0] if len(missing) == 1 else None)

    def _tell(self, index: int, finding: Finding) -> None:
        if self.units[index].alike:
            finding = replace(finding, players=0)
        self.found[index][finding.name] = finding
        self.watch.told(self.units[index], finding)

    def _keep(self, job: _Job, finding: Finding) -> None:
        # Whoever works on golpae changes it while it runs: of such a run nothing can be kept.
        unit = job.unit
        if self.cached and finding.verdict != UNKNOWN and self._entry(unit) == job.entry:
            kept = self.kept[job.index]
            kept[finding.name] = finding
            cache.store(unit.rule_set, unit.players, unit.options, self.settings, kept.values())

    def _entry(self, unit: Unit) -> str:
        return cache.name_of(unit.rule_set, unit.players, unit.options, self.settings)

    # ------------------------------------------------------------------ processes

    def _begin(self, index: int, only: str | None) -> None:
        unit = self.units[index]
        job = _Job(index, unit, self._entry(unit))
        try:
            self.workers.start(job, _work, self.decide, unit, only, self.settings)
        except (RecursionError, OSError) as fault:  # nested too deep to be sent; too many processes
            self._end(job, f"{FELL_OVER}: {described(fault)}")
            return
        self.watch.began(unit)

    def _take(self, event: Sent[_Job] | Ended[_Job]) -> None:
        """Record what a process sent, or that it has ended."""
        job = event.key
        if isinstance(event, Ended):
            crash = event.crash
            self._end(job, f"{FELL_OVER}: {crash.reason}" if crash and crash.reason else FELL_OVER)
        elif isinstance(event.message, _Disagreement):
            question = event.message.question
            where = f"{job.unit.rule_set.rules}, {job.unit.players} players"
            self.outcome.disagreements.append(f"{where}: {question}")
            self._undecided(job, f"{DISAGREE}: {question}")
        else:
            assert isinstance(event.message, Finding)
            if event.message.name not in self.found[job.index]:
                self._tell(job.index, event.message)
                self._keep(job, event.message)

    def _undecided(self, job: _Job, why: str) -> None:
        """Report what is still missing from a unit as unknown."""
        for decl in job.unit.asked:
            if decl.name not in self.found[job.index]:
                self._tell(job.index, _unknown(job.unit, decl, why, self.settings))

    def _end(self, job: _Job, why: str) -> None:
        """Close a unit; what is still missing is unknown."""
        self._undecided(job, why)
        self.watch.ended(job.unit)


def _unknown(unit: Unit, decl: PropertyDecl, story: str, settings: Settings) -> Finding:
    return Finding(
        rules=unit.rule_set.rules,
        players=unit.players,
        options=dict(unit.options),
        kind=decl.kind,
        name=decl.name,
        ids=decl.ids,
        verdict=UNKNOWN,
        expected=decl.expected or "proved",
        story=story,
        clauses=(),
        lemmas=(),
        witness=None,
        bound=None,
        vacuous=None,
        queries=0,
        seconds=0.0,
        seed=settings.seed,
        spec_hash=unit.rule_set.spec_hash,
        solvers=cache.solvers(settings),
    )


def _work(send: Send, decide: Decide, unit: Unit, only: str | None, settings: Settings) -> None:
    """Decide a unit, or one property of it, and send each finding; runs in a worker."""
    sent: set[str] = set()

    def report(finding: Finding) -> None:
        sent.add(finding.name)
        send(finding)

    try:
        for finding in decide(unit.rule_set, unit.players, unit.options, settings, only, report):
            if finding.name not in sent:
                report(finding)
    except Exception as fault:
        if not _disagreement(fault):
            raise
        send(_Disagreement(str(fault)))


def _disagreement(fault: Exception) -> bool:
    """Whether two solvers disagree; asks nothing that is not loaded."""
    solve = sys.modules.get("golpae.prove.solving.solver")
    return solve is not None and isinstance(fault, solve.Disagreement)
