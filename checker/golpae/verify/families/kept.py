"""What is kept beside a rule text about all rule sets of its game: what holds for which, as `prove 'GAME+*'` found it.

Input: results of a family; or a file that claims to hold some.
Output: the file's text; or `KeptFamily` values, one for each table.
Guarantee: no solver is imported. Pages tell what is read only if the game and its switches mean what they meant then,
and do not check it. `prove` replays the games, and takes nothing else from the file. A file of any content costs time
only.

    {"name": "few", "where": {"refuted": "late without quiet", "proved": "quiet, or without late"}, "parts": [...]}
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from golpae import __version__
from golpae.diagnostics import SpecError
from golpae.families.family import Family
from golpae.families.region import Region
from golpae.ir.ruleset import RuleSet
from golpae.schemas import schema_of
from golpae.verify.families.conditions import shortest
from golpae.verify.families.results import FamilyPart, FamilyResult
from golpae.verify.kept_proofs import LARGEST, hash_of, put

FORMAT = 1
ENDING = ".families.json"


class KeptSetting(msgspec.Struct, frozen=True):
    """All rule sets with the switches `on` and without the switches `off`; the other switches are as they may be."""

    on: tuple[str, ...]
    off: tuple[str, ...]


class KeptPart(msgspec.Struct, frozen=True, omit_defaults=True):
    """Rule sets with the same verdict, in settings that may overlap.

    `rules` names the rule set of the game that shows it, whose events are the `witness`, if a game does.
    """

    verdict: str
    settings: tuple[KeptSetting, ...]
    rules: str | None = None
    witness: tuple[dict[str, Any], ...] = ()


class KeptProperty(msgspec.Struct, frozen=True):
    """A property: how many rule sets state it, where it has each verdict in words, and the same as settings."""

    name: str
    kind: str
    stated: int
    where: dict[str, str]
    parts: tuple[KeptPart, ...]

    def verdict_of(self, on: frozenset[str]) -> str | None:
        """Return the verdict for the rule set with these switches; None if it does not state the property."""
        for part in self.parts:
            if any(on.issuperset(one.on) and on.isdisjoint(one.off) for one in part.settings):
                return part.verdict
        return None

    @property
    def shown(self) -> tuple[KeptPart, ...]:
        """The parts with games of which no other one needs fewer of the same switches."""
        games = [(set((p.rules or "").split("+")[1:]), p) for p in self.parts if p.witness and p.rules]
        return tuple(part for own, part in games if not any(other < own for other, _ in games))


class KeptFamily(msgspec.Struct, frozen=True):
    """All rule sets of a game at one table. `text` is the hash of what the game and its switches meant then."""

    players: int
    options: dict[str, int]
    text: str
    rule_sets: int
    properties: tuple[KeptProperty, ...]


class KeptFamilies(msgspec.Struct, frozen=True):
    """What is kept about all rule sets of a game."""

    format: int
    golpae: str
    families: tuple[KeptFamily, ...]


def beside(text: Path) -> Path:
    """Return the file of what is kept about all rule sets of a text."""
    return text.with_name(text.name.removesuffix(".golpae") + ENDING)


def schema() -> dict[str, Any]:
    """Return the JSON schema of a file, which is `docs/kept-families.schema.json`."""
    return schema_of(KeptFamilies)


def read(file: Path) -> tuple[KeptFamily, ...]:
    """Return the stored results in a file; none if there is no such file, or if it is damaged or of another format."""
    try:
        if file.is_symlink() or not file.is_file() or file.stat().st_size > LARGEST:
            return ()
        content = msgspec.json.decode(file.read_bytes(), type=KeptFamilies)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return ()
    return content.families if content.format == FORMAT else ()


def save(
    file: Path, family_results: Sequence[FamilyResult], family: Family, load: Callable[[str], RuleSet]
) -> None:
    """Write what was found of a family beside its text, with what is kept about other tables of the same rules. Raises
    OSError.
    """
    text = family_hash(family.base, family.names, load)
    made = {(one.players, tuple(sorted(one.options.items()))): one for one in read(file) if one.text == text}
    for one in _tables(family_results, text, family):
        made[one.players, tuple(sorted(one.options.items()))] = one
    put(file, written([one for _, one in sorted(made.items(), key=lambda item: item[0])]))


def written(kept: Sequence[KeptFamily]) -> str:
    """Return the text of a file: a line for each property."""
    families = []
    for family in kept:
        head = _text(msgspec.structs.replace(family, properties=())).removesuffix("]}")
        families.append(head + ",".join(f"\n  {_text(one)}" for one in family.properties) + "\n]}")
    head = _text(KeptFamilies(FORMAT, __version__, ())).removesuffix("]}")
    return head + ",".join(f"\n {one}" for one in families) + "\n]}\n"


def _text(value: object) -> str:
    return msgspec.json.encode(value).decode()


def family_hash(
    base: str,
    switches: Sequence[str],
    load: Callable[[str], RuleSet],
    hashes: Mapping[str, str] | None = None,
) -> str:
    """Return the hash of what a game and each of its switches mean, which says what they mean together.

    `hashes` are those of rule sets that are known.
    """
    out = hashlib.sha256()
    for rules in (base, *(f"{base}+{switch}" for switch in switches)):
        try:
            out.update(((hashes or {}).get(rules) or hash_of(load(rules))).encode())
        except SpecError:
            out.update(b"-")
    return out.hexdigest()


def _tables(family_results: Sequence[FamilyResult], text: str, family: Family) -> Iterator[KeptFamily]:
    tables: dict[tuple[int, tuple[tuple[str, int], ...]], list[FamilyResult]] = {}
    for result in family_results:
        tables.setdefault((result.players, tuple(sorted(result.options.items()))), []).append(result)
    for (players, options), results in tables.items():
        properties = tuple(_property(result, family) for result in results)
        yield KeptFamily(players, dict(options), text, results[0].all, properties)


def _property(result: FamilyResult, family: Family) -> KeptProperty:
    shown = [part for part in result.parts if part.witness is not None and part.witness.events]
    parts = [_part(part.verdict, family.space.region(part.cubes), family, part) for part in shown]
    others: dict[str, Region] = {}
    for part in result.parts:
        if part not in shown:
            old = others.get(part.verdict, family.space.nothing)
            others[part.verdict] = old.union(family.space.region(part.cubes))
    parts += [_part(verdict, region, family) for verdict, region in others.items()]
    return KeptProperty(result.name, result.kind, result.stated, dict(result.conditions), tuple(parts))


def _part(verdict: str, region: Region, family: Family, shown: FamilyPart | None = None) -> KeptPart:
    cubes = shortest(region, family.universe.difference(region), family.universe.varies)
    settings = tuple(_setting(cube, family.names) for cube in cubes)
    if shown is None or shown.witness is None:
        return KeptPart(verdict, settings)
    return KeptPart(verdict, settings, shown.rules, tuple(map(dict, shown.witness.events)))


def _setting(cube: tuple[int, int], names: Sequence[str]) -> KeptSetting:
    fixed, on = cube
    return KeptSetting(
        tuple(n for i, n in enumerate(names) if fixed & on & 1 << i),
        tuple(n for i, n in enumerate(names) if fixed & ~on & 1 << i),
    )


def kept_games(
    kept: Sequence[KeptFamily], players: int, options: Mapping[str, int]
) -> dict[str, list[tuple[str, tuple[dict[str, Any], ...]]]]:
    """Return the games that are kept about each property at a table, each with its rule set, the short ones first."""
    out: dict[str, list[tuple[str, tuple[dict[str, Any], ...]]]] = {}
    for table in kept:
        if (table.players, table.options) == (players, dict(options)):
            for prop in table.properties:
                games = [(part.rules, part.witness) for part in prop.parts if part.witness and part.rules]
                out[prop.name] = sorted(games, key=lambda game: (len(game[1]), game[0].count("+")))
    return out


def kept_families(
    game: str, text: Path, load: Callable[[str], RuleSet], switches: Sequence[str]
) -> tuple[KeptFamily, ...]:
    """Return the stored results for all rule sets of a game, if these still mean what they meant when they were stored.
    Raises `SpecError`.
    """
    stored = read(beside(text))
    if not stored:
        return ()
    own = family_hash(game, switches, load)
    return tuple(one for one in stored if one.text == own)
