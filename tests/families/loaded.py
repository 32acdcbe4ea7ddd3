"""Families of texts that a test writes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from golpae.elaborate.cache import elaborate_cached
from golpae.families.family import Family
from golpae.ir.ruleset import RuleSet
from golpae.verify.families.conditions import said, shortest
from golpae.verify.families.family_table import RegionVerdict

Load = Callable[[str], RuleSet]


def load_from(folder: Path, name: str, text: str) -> Load:
    (folder / f"{name}.golpae").write_text(text, encoding="utf-8")
    return lambda rules: elaborate_cached(rules, [folder])


def members(family: Family) -> list[int]:
    return [n for n in range(1 << len(family.names)) if n in family.universe]


def said_of(family: Family, parts: Sequence[RegionVerdict], verdict: str) -> str:
    """Return where a property has a verdict, in words."""
    region = others = family.space.nothing
    for part in parts:
        if part.verdict == verdict:
            region = region.union(part.region)
        else:
            others = others.union(part.region)
    return said(family, shortest(region, others, family.universe.varies))
