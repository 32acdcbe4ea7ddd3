"""Decides properties of a family at its tables, in several processes.

Input: a `FamilyCall`: the game, the tables, the properties. Output: for each property at each table a `FamilyResult`.
Guarantee: results come in the order of the tables and of the text, and depend on nothing but the call. If a process
exceeds an outer limit, the property that it was at is unknown for its group of rule sets, and the others are decided in
a new process. What is decided is cached at once.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from golpae import cache
from golpae.elaborate.cache import elaborate_cached
from golpae.elaborate.instance import bounds, options_of
from golpae.families.choices import Choices, choices
from golpae.families.family import Family
from golpae.families.region import Cube, Region, bits_of
from golpae.ir.ruleset import PropertyDecl, RuleSet
from golpae.kernel.language.host import available
from golpae.progress import Progress
from golpae.prove.answer import PROVED, REFUTED, UNKNOWN
from golpae.prove.solving.solver import is_out_of_memory
from golpae.verify.cache import CODE, packages_of
from golpae.verify.families.conditions import said, said_of, shortest
from golpae.verify.families.decide import FamilyVerifier, stated_properties
from golpae.verify.families.kept import KeptFamily, kept_games
from golpae.verify.families.results import FamilyPart, FamilyResult
from golpae.verify.families.searches import Events
from golpae.verify.options import Settings
from golpae.workers import (
    OUT_OF_MEMORY,
    Crash,
    JobNews,
    OuterLimits,
    Send,
    Sent,
    Workers,
    tell_doing,
    tell_found,
)

FORM = 1
MOST_GROUPS = 32  # groups of rule sets of one table that are decided


@dataclass(frozen=True, slots=True)
class FamilyName:
    """A family: the switches of `fixed` are on, those of `left_out` are off in all its rule sets."""

    base: str
    fixed: tuple[str, ...]
    left_out: tuple[str, ...]
    places: tuple[Path, ...]

    @property
    def rules(self) -> str:
        """What people call it: `shells+late+* (without quiet)`."""
        return f"{'+'.join((self.base, *self.fixed, '*'))}{self.exception}"

    @property
    def exception(self) -> str:
        """What people are told of the switches that are left out; nothing if there are none."""
        return f" ({said_of((), self.left_out)})" if self.left_out else ""

    def load(self, rules: str) -> RuleSet:
        """Return a rule set of the family. Raises `SpecError`."""
        return elaborate_cached(rules, self.places)


@dataclass(frozen=True, slots=True)
class FamilyCall:
    """What is asked: `only` this property if it is named, at tables for so many `players`. Games that are `kept` are
    tried before others are looked for.
    """

    name: FamilyName
    players: tuple[int, ...]
    options: Mapping[str, int]
    settings: Settings
    only: str | None = None
    kept: tuple[KeptFamily, ...] = ()

    def games(self, players: int, name: str) -> Sequence[tuple[str, Events]]:
        """Return the games that are kept about a property at a table, each with its rule set."""
        return kept_games(self.kept, players, self.options).get(name, ())


@dataclass(frozen=True, slots=True)
class Decided:
    """A property of a group of rule sets: `cubes` are those that state it, `fails` those that expect it to fail."""

    name: str
    kind: str
    ids: tuple[str, ...]
    cubes: tuple[Cube, ...]
    fails: tuple[Cube, ...]
    parts: tuple[FamilyPart, ...]


@lru_cache(maxsize=4)
def groups(name: FamilyName) -> tuple[Family, tuple[Choices, ...]]:
    """Return a family, and the groups of rule sets that are decided together. Raises `SpecError`."""
    family = Family(name.base, name.load, name.fixed)
    for one in name.left_out:
        family.leave_out((family.bits([one]), family.bits([one])))
    return family, tuple(choices(family, name.places, of_table=True))


@dataclass(frozen=True, slots=True)
class GroupName:
    """A group of rule sets: its number in the family `name`, and what tells it from the others."""

    name: FamilyName
    number: int
    cubes: tuple[Cube, ...]
    free: tuple[str, ...]
    alone: FamilyName | None  # a family of these rule sets; None if there are no others

    def choices(self) -> Choices:
        """Return the group; the other groups are made only if there is no other way. Raises `SpecError`."""
        if self.alone is not None:
            _, made = groups(self.alone)
            if len(made) == 1 and (made[0].region.cubes, made[0].free) == (self.cubes, self.free):
                return made[0]
        return groups(self.name)[1][self.number]


def group_names(name: FamilyName) -> list[GroupName]:
    """Return the names of the groups of a family. Raises `SpecError`."""
    family, made = groups(name)
    out = []
    for number, one in enumerate(made):
        same = family.every & ~one.region.varies
        on, off = family.on(same & one.region.sample), family.on(same & ~one.region.sample)
        alone = replace(name, fixed=on, left_out=off) if len(made) > 1 else None
        out.append(GroupName(name, number, one.region.cubes, one.free, alone))
    return out


def names_of(name: FamilyName) -> list[str]:
    """Return the names of all properties that rule sets of a family state, in the order of the text. Raises
    `SpecError`.
    """
    _, made = groups(name)
    return list(dict.fromkeys(p.name for one in made for p in stated_properties(one)))


def decide_family(
    call: FamilyCall, processes: int, cached: bool, progress: Progress
) -> Iterator[FamilyResult]:
    """Yield the results of each table as soon as they and all before are there. Raises `SpecError` and `TableFault`."""
    family, made = groups(call.name)
    order = [n for n in names_of(call.name) if call.only in (None, n)]
    jobs, decided_before = _jobs(call, family, made, order, cached)
    waiting = [number for number, job in enumerate(jobs) if job.names]
    parts = "groups of rule sets" if len(made) > 1 else "tables"
    progress.begin("proving", len(jobs), parts)
    progress.done = len(jobs) - len(waiting)
    open_tables = {players: {n for n in waiting if jobs[n].players == players} for players in call.players}
    begun: set[int] = set()

    def on_told(place: int, job_news: JobNews) -> None:
        job = jobs[waiting[place]]
        if place not in begun:
            begun.add(place)
            progress.start(job.told)
        progress.at(job.told, job_news.at)
        if job_news.found is not None:
            progress.found(job.told, job_news.found)

    def ready(players: int) -> Iterator[FamilyResult]:
        own = [decided_before[n] for n, job in enumerate(jobs) if job.players == players]
        for name in order:
            if decided := [one[name] for one in own if name in one]:
                yield _result(call, family, players, decided)

    tables = list(call.players)
    while tables and not open_tables[tables[0]]:
        yield from ready(tables.pop(0))
    for place, decided in _answers([jobs[n] for n in waiting], processes, on_told):
        number = waiting[place]
        job, one = jobs[number], made[jobs[number].group.number]
        if decided is not None:
            decided_before[number][decided.name] = decided
            if cached and all(part.verdict in (PROVED, REFUTED) for part in decided.parts):
                cache.store_as(_entry(call, one, job.players, decided.name), decided)
            continue
        progress.done += 1
        progress.end(job.told)
        open_tables[job.players].discard(number)
        while tables and not open_tables[tables[0]]:
            yield from ready(tables.pop(0))


def _jobs(
    call: FamilyCall, family: Family, made: Sequence[Choices], order: Sequence[str], cached: bool
) -> tuple[list[_Job], list[dict[str, Decided]]]:
    """Return a job for each group at each table, and for each job what is decided before it begins, by name."""
    jobs: list[_Job] = []
    decided_before: list[dict[str, Decided]] = []
    for players in call.players:
        for one, group, too_many in zip(
            made, group_names(call.name), beyond(family, made, call.settings), strict=True
        ):
            low, high = bounds(one.rule_set, options_of(one.rule_set, call.options))
            here = low <= players <= high  # a switch may allow other numbers of players
            names = [p.name for p in stated_properties(one) if here and p.name in order]
            known: dict[str, Decided] = {}
            for name in names if cached else ():
                cached_result = cache.load_as(_entry(call, one, players, name), Decided)
                if cached_result is not None:
                    known[name] = cached_result
            decided_before.append(known)
            job = _Job(call, group, players, tuple(n for n in names if n not in known))
            if too_many is not None:
                known.update((decided.name, decided) for decided in _unknown(one, job, too_many))
                job = replace(job, names=())
            jobs.append(job)
    return jobs, decided_before


@dataclass(frozen=True, slots=True)
class _Job:
    """Properties of one group of rule sets at one table."""

    call: FamilyCall
    group: GroupName
    players: int
    names: tuple[str, ...]

    @property
    def told(self) -> str:
        """What people are told of it."""
        _, made = groups(self.call.name)
        rules = self.call.name.rules
        if len(made) > 1:
            family, one = made[self.group.number].family, made[self.group.number]
            rules = f"{family.called(one.region.sample & ~family.bits(one.free))}+*"
        return f"{rules} with {self.players} players"


def _answers(
    jobs: Sequence[_Job],
    processes: int,
    on_told: Callable[[int, JobNews], None],
    decide: Callable[[Send, _Job], None] | None = None,
) -> Iterator[tuple[int, Decided | None]]:
    """Yield the number of a job with each property as soon as it is decided, and at the end of the job with None."""
    waiting = deque(enumerate(jobs))
    left = {number: [*job.names] for number, job in waiting}
    ready: set[int] = set()  # jobs whose process has begun to decide
    with Workers[int](processes, loaded=(__name__,) if len(jobs) > 1 else ()) as workers:
        while waiting or workers.at_work:
            while waiting and not workers.full:
                number, job = waiting.popleft()
                ready.discard(number)
                limits = OuterLimits(job.call.settings.seconds, job.call.settings.megabytes)
                workers.start(
                    number, decide or _decide, replace(job, names=tuple(left[number])), limits=limits
                )
            for event in workers.events():
                number = event.key
                if isinstance(event, Sent):
                    if isinstance(event.message, JobNews):
                        on_told(number, event.message)
                    elif isinstance(event.message, Decided):
                        left[number].remove(event.message.name)
                        yield number, event.message
                    else:
                        ready.add(number)
                    continue
                if event.crash is not None:
                    reason = exceeded(event.crash)
                    lost = left[number][:1] if number in ready else left[number]
                    job = replace(jobs[number], names=tuple(lost))
                    left[number] = left[number][len(lost) :]
                    yield from ((number, one) for one in _unknown(job.group.choices(), job, reason))
                    if left[number]:
                        waiting.append((number, jobs[number]))
                        continue
                yield number, None


def exceeded(crash: Crash) -> str:
    """Return why a process could not finish its job, and raise what it raised if that was no limit."""
    if crash.exception is None or crash.limited:
        return crash.reason
    if isinstance(crash.exception, MemoryError) or is_out_of_memory(crash.exception):
        return OUT_OF_MEMORY
    raise crash.exception


def _decide(send: Send, job: _Job) -> None:
    """Send what is decided of a job, one property after the other, in the order of the text; first that it begins.

    Raises `SpecError` and `TableFault`.
    """
    one = job.group.choices()
    family = one.family
    verifier = FamilyVerifier(one, job.call.name.load, job.players, job.call.options, job.call.settings)
    send(None)
    for prop in stated_properties(one):
        if prop.name in job.names:
            tell_doing(prop.name)
            parts = tuple(
                FamilyPart(p.region.cubes, p.verdict, p.story, p.rules, p.witness, p.is_shortest)
                for p in verifier.decide(prop, games=job.call.games(job.players, prop.name))
            )
            decided = _decided(one, prop, parts)
            tell_found(f"`{prop.name}`: {', '.join(_counts(family, decided))}")
            send(decided)


def _counts(family: Family, decided: Decided) -> Iterator[str]:
    by_verdict = _by_verdict(family, [decided])
    for verdict, region in by_verdict.items():
        yield (
            f"{verdict} for {region.size:,}" if len(by_verdict) > 1 else f"{verdict} for all {region.size:,}"
        )


def _decided(one: Choices, prop: PropertyDecl, parts: tuple[FamilyPart, ...]) -> Decided:
    stated = one.stated.get(prop.name)
    region = one.region if stated is None else stated.region
    fails = () if stated is None else stated.fails(region).cubes
    return Decided(prop.name, prop.kind, prop.ids, region.cubes, fails, parts)


def _unknown(one: Choices, job: _Job, reason: str) -> list[Decided]:
    """Return the results that properties of a job could not be decided."""
    out = []
    for prop in stated_properties(one):
        if prop.name in job.names:
            open_ = _decided(one, prop, ())
            out.append(replace(open_, parts=(FamilyPart(open_.cubes, UNKNOWN, reason, None, None),)))
    return out


def beyond(family: Family, made: Sequence[Choices], settings: Settings) -> list[str | None]:
    """Return for each group of rule sets why one call leaves it out, because there are too many; None if it does not.
    Those left out have a switch of the last ones of the text, so that what is left open can be said in few words.
    """
    most, off = settings.scaled(MOST_GROUPS), 0
    for bit in reversed([*bits_of(family.universe.varies)]):
        if _without(made, off) <= most:
            break
        off |= bit if any(not one.region.varies & bit for one in made) else 0
    words = f"{_without(made, off)} of {len(made)} groups of rule sets are decided in one call"
    return [words if one.region.sample & off else None for one in made]


def _without(made: Sequence[Choices], off: int) -> int:
    """Return how many groups of rule sets have none of these switches."""
    return sum(not one.region.sample & off for one in made)


def _entry(call: FamilyCall, one: Choices, players: int, name: str) -> str:
    """Return the name of the cache entry of a property."""
    rules = (call.name.base, call.name.fixed, call.name.left_out, one.region.cubes, one.free)
    table = players, sorted(call.options.items()), call.games(players, name)
    asked = (one.rule_set.spec_hash, rules, *table, name)
    return entry("families", asked, call.settings)


def entry(kind: str, asked: tuple[object, ...], settings: Settings) -> str:
    """Return the name of the cache entry of what is asked of a family."""
    return cache.fingerprint(
        kind,
        FORM,
        *asked,
        settings.effort,
        settings.most,
        settings.solver_seed,
        settings.seed,
        settings.games,
        available(),  # games by chance are others on the compiled path
        code=(*CODE, "families", "kernel"),
        packages=packages_of(settings),
    )


def _by_verdict(family: Family, found: Sequence[Decided]) -> dict[str, Region]:
    """Return the rule sets with each verdict."""
    out: dict[str, Region] = {}
    for decided in found:
        for part in decided.parts:
            verdict = part.verdict if part.verdict in (PROVED, REFUTED) else UNKNOWN
            region = family.space.region(part.cubes)
            out[verdict] = out.get(verdict, family.space.nothing).union(region)
    return out


def _result(call: FamilyCall, family: Family, players: int, decided_here: Sequence[Decided]) -> FamilyResult:
    """Return the result of a property at one table, of which each group has told its own."""
    space = family.space
    stated = fails = space.nothing
    for decided in decided_here:
        stated = stated.union(space.region(decided.cubes))
        fails = fails.union(space.region(decided.fails))
    by_verdict = _by_verdict(family, decided_here)
    varies = family.universe.varies
    conditions = {
        verdict: said(family, shortest(region, stated.difference(region), varies))
        for verdict, region in by_verdict.items()
    }
    refuted = by_verdict.get(REFUTED, space.nothing)
    proved = by_verdict.get(PROVED, space.nothing)
    wrong = refuted.difference(fails).union(proved.intersection(fails))
    unexpected = said(family, shortest(wrong, stated.difference(wrong), varies)) if wrong else None
    return FamilyResult(
        call.name.rules,
        players,
        call.options,
        decided_here[0].kind,
        decided_here[0].name,
        decided_here[0].ids,
        family.universe.size,
        stated.size,
        tuple(part for decided in decided_here for part in decided.parts),
        {verdict: region.size for verdict, region in by_verdict.items()},
        conditions,
        unexpected,
    )
