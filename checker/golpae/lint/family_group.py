"""What is vacuous under which rule sets of one group, at every table.

Input: the name of a group, and what was found of some of its rule sets by themselves.
Output: `VacuousParts`. Guarantee: what is vacuous in a region is so at every number of players with the default
options, under each of its rule sets. Each table is analysed once, whatever is asked about parts of the group.

All rule sets of a group are examined together, with the switches as unknowns. What one with few switches has, and was
not found for it so, is looked for again among those that have its switches, where there are more invariants; and then
among those of them that have no switch which by itself prevents it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from golpae.diagnostics import quoted_list
from golpae.diagnostics.amounts import many
from golpae.families.choices import Choices
from golpae.families.family import Family
from golpae.families.region import Cube, Region
from golpae.lint.family_tables import vacuous_at
from golpae.lint.notes import Key
from golpae.lint.possible import VacuousRegions
from golpae.lint.vacuity import examine, keys_of
from golpae.verify.families.decide import FamilyVerifier
from golpae.verify.families.scheduler import FamilyName, GroupName, groups
from golpae.verify.options import Settings
from golpae.verify.scheduler import tables
from golpae.workers import tell_doing, tell_found

Entry = tuple[Key, tuple[Cube, ...], str]


@dataclass(frozen=True, slots=True)
class VacuousParts:
    """What was found, each with where it is so and the reason."""

    vacuous: tuple[Entry, ...]
    unknown: tuple[Entry, ...]


class GroupCheck:
    """Examines the rule sets of one group. Raises `SpecError`."""

    def __init__(self, group: GroupName, settings: Settings) -> None:
        self._name, self._settings = group.name, settings
        self._choices = group.choices()
        self._of_keys = group.alone or group.name
        self._family = self._choices.family
        self._verifiers: dict[int, FamilyVerifier] = {}
        self._vacuous: dict[Key, Region] = {}
        self._entries: list[Entry] = []

    def examine(self, alone: Sequence[tuple[str, frozenset[Key]]]) -> VacuousParts:
        """Return the vacuous keys, each with the rule sets where it is vacuous, and the unknown keys. `alone` names
        rule sets that were examined alone, with their vacuous keys.
        """
        unknown = self._within((0, 0), self.wanted())
        by_rules = {self._family.named(rules): keys for rules, keys in alone}
        for on, keys in by_rules.items():
            if on & self._choices.region.varies:  # otherwise, all rule sets have its switches
                self._again((on, on), self._missed(on, keys))
        for on, keys in by_rules.items():
            for bits, own in self._harm(on, self._missed(on, keys), by_rules).items():
                self._again((on | bits, on), own)
        return VacuousParts(tuple(self._entries), tuple(unknown))

    def wanted(self, cube: Cube = (0, 0), only: frozenset[Key] | None = None) -> dict[Key, Region]:
        """Return the keys that may be vacuous, and the rule sets of a cube that have each."""
        one = self._choices
        region = one.region.restrict(cube)
        keys = [key for key in keys_of(one.rule_set) if only is None or key in only]
        having = {
            key: having_of(self._of_keys, self._family, (one,), key).intersection(region) for key in keys
        }
        return {key: own for key, own in having.items() if own}

    # ------------------------------------------------------------------ parts of the group

    def _missed(self, on: int, keys: frozenset[Key]) -> frozenset[Key]:
        """Return those of the vacuous `keys` of a rule set that are not yet known to be vacuous there."""
        nothing = self._family.space.nothing
        return frozenset(key for key in keys if on not in self._vacuous.get(key, nothing))

    def _again(self, cube: Cube, missed: frozenset[Key]) -> None:
        if missed:
            self._within(cube, self.wanted(cube, missed))

    def _harm(
        self, on: int, missed: frozenset[Key], known: Mapping[int, frozenset[Key]]
    ) -> Mapping[int, frozenset[Key]]:
        """Return the missed keys of a rule set, grouped by the switches that end their vacuity there, each added alone.
        `known` has the vacuous keys of rule sets that were examined before.
        """
        if not missed:
            return {}
        out: dict[int, set[Key]] = {}
        harm = dict.fromkeys(sorted(missed), 0)
        for name in self._family.on(self._choices.region.varies & ~on):
            bit = self._family.bits([name])
            if on | bit in self._choices.region:
                vacuous = known[on | bit] if on | bit in known else self._alone(on | bit, missed)
                for key in harm:
                    harm[key] |= 0 if key in vacuous else bit
        for key, bits in harm.items():
            out.setdefault(bits, set()).add(key)
        return {bits: frozenset(keys) for bits, keys in out.items()}

    def _alone(self, on: int, keys: frozenset[Key]) -> frozenset[Key]:
        """Return which of these a rule set has."""
        rules = self._family.called(on)
        tell_doing(f"{rules}: looking for what is vacuous")
        return keys.intersection(examine(self._name.load(rules), self._settings, keys).vacuous)

    def _within(self, cube: Cube, wanted: Mapping[Key, Region]) -> list[Entry]:
        """Note what is vacuous at every table under rule sets of a cube. Return what is unknown."""
        one = self._choices
        vacuous_regions = VacuousRegions()
        unsure: dict[Key, list[tuple[Region, str]]] = {}
        where = ""
        if cube != (0, 0):
            where = f" in {self._family.called(one.region.restrict(cube).sample)}+*"
        for verifier in self._tables():
            if not wanted:
                break
            vacuous_regions = VacuousRegions()
            at = f"with {verifier.table.players} players{where}"
            vacuous_at(verifier, one.region.restrict(cube), wanted, vacuous_regions, at)
            for key, parts in vacuous_regions.unknown.items():
                unsure.setdefault(key, []).extend(parts)
            wanted = {key: region for key in wanted if (region := _left(key, vacuous_regions, one.region))}
            tell_found(
                f"{quoted_list(path for _, path in wanted) if wanted else 'nothing'} may be vacuous {at}"
            )
        unknown: list[Entry] = []
        for key, region in wanted.items():
            open_ = region.space.nothing
            for part, why in unsure.get(key, ()):
                here = part.intersection(region).difference(open_)
                open_ = open_.union(here)
                if here:
                    unknown.append((key, here.cubes, why))
            for part, why in vacuous_regions.vacuous.get(key, ()):
                self._note(key, part.difference(open_), why)
        return unknown

    def _tables(self) -> Iterator[FamilyVerifier]:
        """Yield the tables; what was found at one is not looked for again."""
        one = self._choices
        for players, options in tables(one.rule_set):
            if players not in self._verifiers:
                settings = replace(self._settings, games=0)
                self._verifiers[players] = FamilyVerifier(one, self._name.load, players, options, settings)
            yield self._verifiers[players]

    def _note(self, key: Key, region: Region, why: str) -> None:
        known = self._vacuous.get(key, self._family.space.nothing)
        new = region.difference(known)
        if new:
            self._vacuous[key] = known.union(new)
            self._entries.append((key, new.cubes, why))
            tell_found(f"`{key[1]}` is vacuous in {many(self._vacuous[key].size, 'rule set')}")


def _left(key: Key, vacuous_regions: VacuousRegions, region: Region) -> Region:
    """Return the rule sets of which nobody has seen that something is not vacuous."""
    out = region.space.nothing
    for part, _ in (*vacuous_regions.vacuous.get(key, ()), *vacuous_regions.unknown.get(key, ())):
        out = out.union(part.difference(out))
    return out


# ------------------------------------------------------------------ what has what


def having_of(name: FamilyName, family: Family, made: Sequence[Choices], key: Key) -> Region:
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
    """Return the keys that may be vacuous in the base rules, and those in the rules with each of the faultless switches
    alone.
    """
    family, _ = groups(name)
    sound = [one for one in family.names if one not in family.faulty]
    return frozenset(keys_of(name.load(name.base))), tuple(
        (one, frozenset(keys_of(name.load(f"{name.base}+{one}")))) for one in sound
    )
