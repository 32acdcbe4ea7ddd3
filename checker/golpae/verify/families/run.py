"""Decides all properties of a family at its tables, in several processes.

Input: jobs, one for each table. Output: for each property a `FamilyResult`.
Guarantee: a job depends on nothing but what it says, so that the results are the same on any number of processes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from golpae.elaborate.cache import elaborate_cached
from golpae.families.choices import choices
from golpae.families.family import Family
from golpae.families.region import Cube, Region
from golpae.ir.ruleset import RuleSet
from golpae.prove.answer import PROVED, REFUTED, UNKNOWN, Witness
from golpae.verify.families.conditions import said, shortest
from golpae.verify.families.decide import FamilyVerifier
from golpae.verify.families.table import Part
from golpae.verify.options import Settings


@dataclass(frozen=True, slots=True)
class FamilyJob:
    """A family at one table: the switches of `fixed` are on, those of `left_out` are off in all its rule sets."""

    base: str
    fixed: tuple[str, ...]
    left_out: tuple[str, ...]
    places: tuple[Path, ...]
    players: int
    options: Mapping[str, int]
    settings: Settings

    def load(self, rules: str) -> RuleSet:
        """Return a rule set of the family. Raises `SpecError`."""
        return elaborate_cached(rules, self.places)

    def family(self) -> Family:
        """Return the family. Raises `SpecError`."""
        family = Family(self.base, self.load, self.fixed)
        for name in self.left_out:
            family.leave_out((family.bits([name]), family.bits([name])))
        return family


@dataclass(frozen=True, slots=True)
class FamilyPart:
    """Rule sets with the same verdict: `cubes` are where, `rules` names the one of the witness."""

    cubes: tuple[Cube, ...]
    verdict: str
    story: str
    rules: str | None
    witness: Witness | None


@dataclass(frozen=True, slots=True)
class FamilyResult:
    """What was found of a property at one table.

    `all` is how many rule sets there are, `stated` how many of them state it, `counts` how many have each verdict.
    `conditions` says for each verdict in words where it is so, `unexpected` where it is otherwise than expected.
    """

    rules: str
    players: int
    options: Mapping[str, int]
    kind: str
    name: str
    ids: tuple[str, ...]
    all: int
    stated: int
    parts: tuple[FamilyPart, ...]
    counts: Mapping[str, int]
    conditions: Mapping[str, str]
    unexpected: str | None

    @property
    def is_decided(self) -> bool:
        return set(self.counts) <= {PROVED, REFUTED}


def decide_job(job: FamilyJob) -> list[FamilyResult]:
    """Return the results of a job, in the order of the text. Raises `SpecError` and `TableFault`."""
    family = job.family()
    found: dict[str, _Found] = {}
    for one in choices(family, job.places):
        verifier = FamilyVerifier(one, job.load, job.players, job.options, job.settings)
        for prop in verifier.properties:
            region = verifier.region_of(prop)
            if not region:
                continue
            parts = verifier.decide(prop)
            own = found.setdefault(prop.name, _Found(prop.kind, prop.ids, family.space.nothing, [], []))
            own.region = own.region.union(region)
            own.parts += parts
            stated = one.stated.get(prop.name)
            own.expected.append((region, None if stated is None else stated.fails(region)))
    return [_result(job, family, name, own) for name, own in found.items()]


@dataclass(slots=True)
class _Found:
    kind: str
    ids: tuple[str, ...]
    region: Region
    parts: list[Part]
    expected: list[tuple[Region, Region | None]]


def _result(job: FamilyJob, family: Family, name: str, own: _Found) -> FamilyResult:
    space = family.space
    by_verdict: dict[str, Region] = {}
    for part in own.parts:
        verdict = part.verdict if part.verdict in (PROVED, REFUTED) else UNKNOWN
        by_verdict[verdict] = by_verdict.get(verdict, space.nothing).union(part.region)
    varies = family.universe.varies
    conditions = {
        verdict: said(family, shortest(region, own.region.difference(region), varies))
        for verdict, region in by_verdict.items()
    }
    fails = space.nothing
    for region, failing in own.expected:
        fails = fails.union(space.nothing if failing is None else failing.intersection(region))
    refuted = by_verdict.get(REFUTED, space.nothing)
    proved = by_verdict.get(PROVED, space.nothing)
    wrong = refuted.difference(fails).union(proved.intersection(fails))
    unexpected = said(family, shortest(wrong, own.region.difference(wrong), varies)) if wrong else None
    return FamilyResult(
        "+".join((job.base, *job.fixed, "*")),
        job.players,
        job.options,
        own.kind,
        name,
        own.ids,
        family.universe.size,
        own.region.size,
        tuple(FamilyPart(p.region.cubes, p.verdict, p.story, p.rules, p.witness) for p in own.parts),
        {verdict: region.size for verdict, region in by_verdict.items()},
        conditions,
        unexpected,
    )
