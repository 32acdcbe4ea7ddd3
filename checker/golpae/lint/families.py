"""What is vacuous under which rule sets of a game: for all combinations of its switches at once.

Input: a family, and the text of its game.
Output: `Note` values in reading order, each with the rule sets of which it is true.
Guarantee: a note holds at every number of players with the default options, under each of its rule sets. What is noted
for the game by itself, or with one of its switches, is noted here too.

All rule sets of a group are examined together, with the switches as unknowns. What one with few switches has, and was
not found for it so, is looked for again among those that have its switches, where there are more invariants.

    put.left: heap is not empty          never refuses (with late)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import compress

from golpae.elaborate.load import Loaded
from golpae.families.choices import Choices
from golpae.families.family import Family
from golpae.families.region import Cube, Region
from golpae.lint.cone_of_influence import clauses_outside_cone, dependencies_of
from golpae.lint.family_tables import TOO_MANY, cases, vacuous_at
from golpae.lint.notes import Key, Note, Where, in_reading_order, span_of
from golpae.lint.possible import VacuousRegions
from golpae.lint.vacuity import clauses_in, examine, keys_of
from golpae.progress import Progress
from golpae.verify.families.conditions import said, shortest, with_
from golpae.verify.families.decide import FamilyVerifier
from golpae.verify.families.run import FamilyName, GroupName, beyond, group_names, groups
from golpae.verify.options import Settings
from golpae.verify.scheduler import tables
from golpae.workers import UNLIMITED, Crash, OuterLimits, Told, results

MOST_CONES = 4_096  # rule sets that are examined one by one for clauses that no property depends on
Entry = tuple[Key, tuple[Cube, ...], str]
Probe = Callable[[Sequence["_Alone"]], Mapping["_Group | _Alone", "_Found"]]


@dataclass(frozen=True, slots=True)
class _Group:
    """Examine a group of rule sets, or those of a cube: all that may be vacuous, or some of it."""

    group: GroupName
    settings: Settings
    cube: Cube = (0, 0)
    only: frozenset[Key] | None = None

    @property
    def told(self) -> str:
        """What people are told of it."""
        family, made = groups(self.group.name)
        on = made[self.group.number].region.restrict(self.cube).sample
        return f"{family.called(on)}+*"


@dataclass(frozen=True, slots=True)
class _Alone:
    """Examine one rule set: all that may be vacuous, or some of it."""

    name: FamilyName
    settings: Settings
    told: str
    only: frozenset[Key] | None = None


@dataclass(frozen=True, slots=True)
class _Found:
    """What a job has found."""

    vacuous: tuple[Entry, ...]
    unknown: tuple[Entry, ...]


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
    off, too_many = beyond(family, made, settings)
    inside = [not one.region.sample & off for one in made]
    asked: list[_Group | _Alone] = [_Group(g, settings) for g in compress(group_names(name), inside)]
    asked += [_Alone(name, settings, rules) for rules in _singles(family)]
    noted = _Noted(family)
    alone: dict[str, _Found] = {}
    for job, found in _run(asked, jobs, progress, limits):
        if isinstance(job, _Alone):
            alone[job.told] = found
        else:
            noted.add(found)
    for again in (_with_its_switches, _without_harm):
        missed = {rules: keys for rules, found in alone.items() if (keys := noted.missed(rules, found))}
        closer = list(
            again(name, settings, missed, lambda probes: dict(_run(probes, jobs, progress, limits)))
        )
        for _, found in _run(closer, jobs, progress, limits):
            noted.add(_Found(found.vacuous, ()))
    for rules, found in alone.items():
        on = family.bits(rules.split("+")[1:])
        noted.add(_Found(tuple((key, ((family.every, on),), why) for key, _, why in found.vacuous), ()))
    for key in noted.keys:
        noted.having[key] = _having(name, family, made, key)
    left = [one.region for one in made if one.region.sample & off]
    if left:
        key = "clause", name.base
        noted.having[key] = family.universe
        noted.add(_Found((), tuple((key, region.cubes, too_many) for region in left)))
    _outside_cone(name, family, noted)
    return in_reading_order(loaded, list(noted.notes(loaded)))


def _singles(family: Family) -> Iterator[str]:
    """Yield the game, and the game with each of its switches."""
    for bit in (0, *(family.bits([name]) for name in family.names)):
        if bit | family.fixed in family.universe and not bit & family.fixed:
            yield family.called(bit | family.fixed)


def _run(
    asked: Sequence[_Group | _Alone], jobs: int, progress: Progress, limits: OuterLimits
) -> Iterator[tuple[_Group | _Alone, _Found]]:
    """Yield each job with what it has found. Nobody knows about what exceeds an outer limit."""
    if not asked:
        return
    progress.begin("looking for vacuous rules", len(asked), "groups of rule sets")
    begun: set[int] = set()

    def on_told(place: int, told: Told) -> None:
        if place not in begun:
            begun.add(place)
            progress.start(asked[place].told)
        progress.at(asked[place].told, told.at)

    if limits == UNLIMITED and jobs == 1:
        yield from ((job, _examine(job)) for job in asked)
        return
    found: dict[int, _Found] = {}
    for place, answer in results(_examine, asked, jobs, limits=limits, on_told=on_told):
        if isinstance(answer, Crash):
            if not answer.limited:
                raise answer.exception or RuntimeError(answer.reason)
            answer = _not_examined(asked[place], answer.reason)
        found[place] = answer
        progress.done += 1
        progress.end(asked[place].told)
    yield from ((job, found[place]) for place, job in enumerate(asked))


def _not_examined(job: _Group | _Alone, reason: str) -> _Found:
    if isinstance(job, _Alone) or job.only is not None:
        return _Found((), ())
    wanted = _wanted(job, job.group.choices())
    return _Found((), tuple((key, region.cubes, reason) for key, region in wanted.items()))


def _with_its_switches(
    name: FamilyName, settings: Settings, missed: Mapping[str, frozenset[Key]], _: Probe
) -> Iterator[_Group]:
    """Yield jobs for what one rule set alone has: whether all have it that have its switches."""
    family, made = groups(name)
    for rules, keys in missed.items():
        on = family.bits(rules.split("+")[1:])
        yield from (
            _Group(group, settings, (on, on), keys)
            for group, one in zip(group_names(name), made, strict=True)
            if on in one.region
        )


def _without_harm(
    name: FamilyName, settings: Settings, missed: Mapping[str, frozenset[Key]], probe: Probe
) -> Iterator[_Group]:
    """Yield jobs for what one rule set alone has: whether all have it that have its switches, and none of those with
    each of which alone it has not.
    """
    family, made = groups(name)
    for rules, keys in missed.items():
        on = family.bits(rules.split("+")[1:])
        others = [
            n for n in family.on(family.universe.varies & ~on) if on | family.bits([n]) in family.universe
        ]
        probes = {n: _Alone(name, settings, family.called(on | family.bits([n])), keys) for n in others}
        found = probe([*probes.values()])
        harm: dict[int, set[Key]] = {}
        for key in keys:
            has = {n for n, job in probes.items() if any(key == entry[0] for entry in found[job].vacuous)}
            harm.setdefault(family.bits(n for n in others if n not in has), set()).add(key)
        for bits, own in harm.items():
            for group, one in zip(group_names(name), made, strict=True):
                if on in one.region:
                    yield _Group(group, settings, (on | bits, on), frozenset(own))


# ------------------------------------------------------------------ one job


def _examine(job: _Group | _Alone) -> _Found:
    """Return what is vacuous at every table, and what is unknown. Raises `SpecError`."""
    if isinstance(job, _Alone):
        report = examine(job.name.load(job.told), job.settings, job.only)
        return _Found(tuple((k, (), why) for k, why in report.vacuous.items() if k[0] != "clause"), ())
    one = job.group.choices()
    wanted = _wanted(job, one)
    found = VacuousRegions()
    unsure: dict[Key, list[tuple[Region, str]]] = {}
    for players, options in tables(one.rule_set):
        if not wanted:
            break
        verifier = FamilyVerifier(one, job.group.name.load, players, options, replace(job.settings, games=0))
        found = VacuousRegions()
        vacuous_at(verifier, one.region.restrict(job.cube), wanted, found, f"with {players} players")
        for key, parts in found.unknown.items():
            unsure.setdefault(key, []).extend(parts)
        wanted = {key: region for key in wanted if (region := _left(key, found, one.region))}
    vacuous: list[Entry] = []
    unknown: list[Entry] = []
    for key, region in wanted.items():
        open_ = region.space.nothing
        for part, why in unsure.get(key, ()):
            here = part.intersection(region).difference(open_)
            open_ = open_.union(here)
            if here:
                unknown.append((key, here.cubes, why))
        for part, why in found.vacuous.get(key, ()):
            if here := part.difference(open_):
                vacuous.append((key, here.cubes, why))
    return _Found(tuple(vacuous), tuple(unknown))


def _left(key: Key, found: VacuousRegions, region: Region) -> Region:
    """Return the rule sets of which nobody has seen that something is not vacuous."""
    out = region.space.nothing
    for part, _ in (*found.vacuous.get(key, ()), *found.unknown.get(key, ())):
        out = out.union(part.difference(out))
    return out


def _wanted(job: _Group, one: Choices) -> dict[Key, Region]:
    """Return what may be vacuous, and the rule sets of the job that have it."""
    name = job.group.alone or job.group.name
    region = one.region.restrict(job.cube)
    keys = [key for key in keys_of(one.rule_set) if job.only is None or key in job.only]
    having = {key: _having(name, one.family, (one,), key).intersection(region) for key in keys}
    return {key: own for key, own in having.items() if own}


def _having(name: FamilyName, family: Family, made: Sequence[Choices], key: Key) -> Region:
    """Return the rule sets that have a condition, an action or a property."""
    out = family.space.nothing
    if key[0] == "property":
        for one in made:
            stated = one.stated.get(key[1])
            out = out.union((one.region if stated is None else stated.region).difference(out))
        return out
    keys = _keys_of_singles(name)
    out = family.universe if key in keys[0] else out
    for switch, own in keys[1]:
        bit = family.bits([switch])
        if key in keys[0] and key not in own:
            out = out.subtract((bit, bit))
        elif key in own and key not in keys[0]:
            out = out.union(family.universe.restrict((bit, bit)).difference(out))
    return out


@lru_cache(maxsize=4)
def _keys_of_singles(name: FamilyName) -> tuple[frozenset[Key], tuple[tuple[str, frozenset[Key]], ...]]:
    """Return what the game has that may be vacuous, and what it has with each of its switches."""
    family, _ = groups(name)
    sound = [one for one in family.names if one not in family.faulty]
    return frozenset(keys_of(name.load(name.base))), tuple(
        (one, frozenset(keys_of(name.load(f"{name.base}+{one}")))) for one in sound
    )


# ------------------------------------------------------------------ clauses that no property depends on


def _outside_cone(name: FamilyName, family: Family, noted: _Noted) -> None:
    """Note the clauses that no property depends on, and which rule sets have them."""
    base = dependencies_of(name.load(name.base))
    sound = [one for one in family.names if one not in family.faulty]
    matters = family.bits(one for one in sound if dependencies_of(name.load(f"{name.base}+{one}")) != base)
    parts = cases(family.universe, matters, MOST_CONES)
    if parts is None:
        key = "clause", name.base
        noted.having[key] = family.universe
        noted.add(
            _Found((), ((key, family.universe.cubes, f"{TOO_MANY} of clauses that no property depends on"),))
        )
    for part in parts or ():
        rule_set = name.load(family.called(part.sample))
        outside = clauses_outside_cone(rule_set)
        for path in clauses_in(rule_set):
            key = "clause", path
            noted.having[key] = noted.having.get(key, family.space.nothing).union(part)
            if path in outside:
                noted.add(_Found(((key, part.cubes, outside[path]),), ()))


# ------------------------------------------------------------------ all together


class _Noted:
    """What was found of all rule sets of a family, and which of them have it at all."""

    def __init__(self, family: Family) -> None:
        self.family = family
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

    def missed(self, rules: str, alone: _Found) -> frozenset[Key]:
        """Return what a rule set alone has, and what was not found for it together with others."""
        on = self.family.bits(rules.split("+")[1:])
        return frozenset(key for key, _, _ in alone.vacuous if on not in self.region(key))

    def _joined(self, by_reason: Mapping[str, Region]) -> Region:
        out = self.family.space.nothing
        for region in by_reason.values():
            out = out.union(region)
        return out

    def add(self, found: _Found) -> None:
        """Add what a job has found. What is vacuous is so for the reason that was found first."""
        for key, cubes, why in found.vacuous:
            region = self.family.space.region(cubes).intersection(self.family.universe)
            self._put(self._vacuous.setdefault(key, {}), why, region.difference(self.region(key)))
        for key, cubes, why in found.unknown:
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
        return Note(key[1], f"`{key[1]}`: {why}{in_brackets(where)}", span, unknown, key[0], where)


def where_of(family: Family, region: Region, having: Region) -> Where:
    """Return in words where something is so, of the rule sets that have it."""
    outside = having.difference(region)
    words = said(family, shortest(region, outside, family.universe.varies))
    return Where(words, region.cubes, region.size, having.size)


def in_brackets(where: Where) -> str:
    """Return where something is so, as it stands at the end of a line; nothing if that is everywhere."""
    return "" if where.words == "always" else f" ({with_(where.words)})"
