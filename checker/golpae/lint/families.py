"""What is vacuous under which rule sets of a game: for all combinations of its switches at once.

Input: a family, and the text of its game.
Output: `Note` values in reading order, each with the rule sets of which it is true.
Guarantee: a note holds at every number of players with the default options, under each of its rule sets. What is noted
for the game by itself, or with one of its switches, is noted here too.

The game by itself, and with each of its switches, is examined first; then all rule sets of each group together.

    put.left: heap is not empty          never refuses (with late)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from golpae.elaborate.load import Loaded
from golpae.families.family import Family
from golpae.families.region import Region
from golpae.lint.cone_of_influence import clauses_outside_cone, dependencies_of
from golpae.lint.family_group import GroupCheck, VacuousParts, having_of
from golpae.lint.family_tables import TOO_MANY, cases
from golpae.lint.notes import Key, Note, Where, in_reading_order, span_of
from golpae.lint.vacuity import are_vacuous, clauses_in, examine
from golpae.progress import Progress
from golpae.verify.families.conditions import said, said_of, shortest, with_
from golpae.verify.families.scheduler import FamilyName, GroupName, beyond, group_names, groups
from golpae.verify.options import Settings
from golpae.workers import UNLIMITED, Crash, JobNews, OuterLimits, results

MOST_CONES = 4_096  # rule sets that are examined one by one for clauses that no property depends on


@dataclass(frozen=True, slots=True)
class _Group:
    """Examine a group of rule sets. `alone` is what was found of some of them by themselves."""

    group: GroupName
    settings: Settings
    alone: tuple[tuple[str, frozenset[Key]], ...]

    @property
    def told(self) -> str:
        """What people are told of it."""
        family, made = groups(self.group.name)
        return f"{family.called(made[self.group.number].region.sample)}+*"


@dataclass(frozen=True, slots=True)
class _Alone:
    """Examine one rule set."""

    name: FamilyName
    settings: Settings
    told: str


Asked = TypeVar("Asked", bound=_Group | _Alone)


def notes_of_family(
    name: FamilyName,
    loaded: Loaded,
    settings: Settings,
    jobs: int,
    progress: Progress,
    limits: OuterLimits,
) -> list[Note]:
    """Return all notes on the rule sets of a family. Raises `SpecError`."""
    family, made = groups(name)
    reasons = beyond(family, made, settings)
    noted = _Noted(family, name.left_out)
    alone: dict[int, VacuousParts] = {}
    singles = [_Alone(name, settings, rules) for rules in _singles(family)]
    for single, result in _run(singles, "rule sets", jobs, progress, limits):
        alone[family.named(single.told)] = result
    asked = [
        _Group(
            group,
            settings,
            tuple(
                (family.called(on), frozenset(key for key, _, _ in own.vacuous))
                for on, own in alone.items()
                if on in one.region
            ),
        )
        for group, one, too_many in zip(group_names(name), made, reasons, strict=True)
        if too_many is None
    ]
    for _, result in _run(asked, "groups of rule sets", jobs, progress, limits):
        noted.add(result)
    for on, result in alone.items():
        noted.add(
            VacuousParts(tuple((key, ((family.every, on),), why) for key, _, why in result.vacuous), ())
        )
    for key in noted.keys:
        noted.having[key] = having_of(name, family, made, key)
    key = "clause", name.base
    left = tuple(
        (key, one.region.cubes, why) for one, why in zip(made, reasons, strict=True) if why is not None
    )
    if left:
        noted.having[key] = family.universe
        noted.add(VacuousParts((), left))
    _outside_cone(name, family, noted, progress)
    return in_reading_order(loaded, list(noted.notes(loaded)))


def _singles(family: Family) -> Iterator[str]:
    """Yield the game, and the game with each of its switches."""
    for bit in (0, *(family.bits([name]) for name in family.names)):
        if bit | family.fixed in family.universe and not bit & family.fixed:
            yield family.called(bit | family.fixed)


def _run(
    to_examine: Sequence[Asked], unit: str, jobs: int, progress: Progress, limits: OuterLimits
) -> Iterator[tuple[Asked, VacuousParts]]:
    """Yield each job with what it has found. Nobody knows about what exceeds an outer limit."""
    if not to_examine:
        return
    progress.begin("looking for vacuous rules", len(to_examine), unit)
    begun: set[int] = set()

    def on_told(place: int, job_news: JobNews) -> None:
        job = to_examine[place]
        if place not in begun:
            begun.add(place)
            progress.start(job.told)
        progress.at(job.told, job_news.at)
        if job_news.found is not None and isinstance(job, _Group):  # of a single one, all is told at its end
            progress.found(job.told, job_news.found)

    if limits == UNLIMITED and jobs == 1:
        yield from ((job, _examine(job)) for job in to_examine)
        return
    answers: dict[int, VacuousParts] = {}
    for place, answer in results(_examine, to_examine, jobs, limits=limits, on_told=on_told):
        if isinstance(answer, Crash):
            if not answer.limited:
                raise answer.exception or RuntimeError(answer.reason)
            answer = _not_examined(to_examine[place], answer.reason)
        answers[place] = answer
        if isinstance(to_examine[place], _Alone):
            paths = [key[1] for key, _, _ in answer.vacuous]
            progress.found(to_examine[place].told, are_vacuous(paths))
        progress.done += 1
        progress.end(to_examine[place].told)
    yield from ((job, answers[place]) for place, job in enumerate(to_examine))


def _not_examined(job: _Group | _Alone, reason: str) -> VacuousParts:
    if isinstance(job, _Alone):
        return VacuousParts((), ())
    wanted = GroupCheck(job.group, job.settings).wanted()
    return VacuousParts((), tuple((key, region.cubes, reason) for key, region in wanted.items()))


def _examine(job: _Group | _Alone) -> VacuousParts:
    """Return the keys that are vacuous at every table, without those of clauses, and those that are unknown. Raises
    `SpecError`.
    """
    if isinstance(job, _Group):
        return GroupCheck(job.group, job.settings).examine(job.alone)
    report = examine(job.name.load(job.told), job.settings)
    return VacuousParts(tuple((k, (), why) for k, why in report.vacuous.items() if k[0] != "clause"), ())


# ------------------------------------------------------------------ clauses that no property depends on


def _outside_cone(name: FamilyName, family: Family, noted: _Noted, progress: Progress) -> None:
    """Note the clauses that no property depends on, and which rule sets have them."""
    base = dependencies_of(name.load(name.base))
    sound = [one for one in family.names if one not in family.faulty]
    matters = family.bits(one for one in sound if dependencies_of(name.load(f"{name.base}+{one}")) != base)
    parts = cases(family.universe, matters, MOST_CONES)
    if parts is None:
        key = "clause", name.base
        noted.having[key] = family.universe
        noted.add(
            VacuousParts(
                (), ((key, family.universe.cubes, f"{TOO_MANY} of clauses that no property depends on"),)
            )
        )
        return
    progress.begin("looking for clauses that no property depends on", len(parts), "rule sets")
    outside: dict[Key, dict[str, Region]] = {}  # by reason
    for part in parts:
        rule_set = name.load(family.called(part.sample))
        reasons = clauses_outside_cone(rule_set)
        for path in clauses_in(rule_set):
            key = "clause", path
            noted.having[key] = noted.having.get(key, family.space.nothing).union(part)
            if path in reasons:
                regions = outside.setdefault(key, {})
                regions[reasons[path]] = regions.get(reasons[path], family.space.nothing).union(part)
        progress.done += 1
    for key, regions in outside.items():
        noted.add(VacuousParts(tuple((key, region.cubes, why) for why, region in regions.items()), ()))


# ------------------------------------------------------------------ all together


class _Noted:
    """What was found of all rule sets of a family, and which of them have it at all."""

    def __init__(self, family: Family, left_out: Sequence[str]) -> None:
        self.family, self._left_out = family, left_out
        self.having: dict[Key, Region] = {}
        self._vacuous: dict[Key, dict[str, Region]] = {}  # by reason
        self._unknown: dict[Key, dict[str, Region]] = {}

    @property
    def keys(self) -> list[Key]:
        """What is vacuous or unknown somewhere."""
        return list(dict.fromkeys((*self._vacuous, *self._unknown)))

    def region(self, key: Key) -> Region:
        """Return where something is vacuous."""
        return self._joined(self._vacuous.get(key, {}))

    def _joined(self, by_reason: Mapping[str, Region]) -> Region:
        out = self.family.space.nothing
        for region in by_reason.values():
            out = out.union(region)
        return out

    def add(self, entries: VacuousParts) -> None:
        """Add what a job has found. What is vacuous is so for the reason that was found first."""
        for key, cubes, why in entries.vacuous:
            region = self.family.space.region(cubes).intersection(self.family.universe)
            self._put(self._vacuous.setdefault(key, {}), why, region.difference(self.region(key)))
        for key, cubes, why in entries.unknown:
            region = self.family.space.region(cubes)
            parts = self._unknown.setdefault(key, {})
            self._put(parts, why, region.difference(self._joined(parts)))

    def _put(self, parts: dict[str, Region], why: str, region: Region) -> None:
        if region:
            parts[why] = parts.get(why, self.family.space.nothing).union(region)

    def notes(self, loaded: Loaded) -> Iterator[Note]:
        """Yield the notes."""
        for key in self.keys:
            for why, region in self._vacuous.get(key, {}).items():
                yield self._note(loaded, key, why, region, False)
            known = self.region(key)
            for why, region in self._unknown.get(key, {}).items():
                if left := region.difference(known):
                    yield self._note(loaded, key, why, left, True)

    def _note(self, loaded: Loaded, key: Key, why: str, region: Region, unknown: bool) -> Note:
        where = where_of(self.family, region, self.having[key])
        span = span_of(loaded, self.family.called(min(region.smallest())), key)
        return Note(
            key[1], f"`{key[1]}`: {why}{in_brackets(where, self._left_out)}", span, unknown, key[0], where
        )


def where_of(family: Family, region: Region, having: Region) -> Where:
    """Return in words where something is so, of the rule sets that have it."""
    outside = having.difference(region)
    words = said(family, shortest(region, outside, family.universe.varies))
    return Where(words, region.cubes, region.size, having.size)


def in_brackets(where: Where, left_out: Sequence[str]) -> str:
    """Return where something is so, as it stands at the end of a line; nothing if that is in all rule sets of a game.
    Nobody asked about rule sets with the switches that are `left_out`.
    """
    parts = [] if where.words == "always" else [with_(where.words)]
    if left_out:
        parts.append(f"of all rule sets {said_of((), left_out)}")
    return f" ({', '.join(parts)})" if parts else ""
