"""The conditions under which rule sets of a family differ, as short as they can be said.

Input: a region, and the rule sets that do not matter. Output: cubes that cover the region and nothing else that
matters; words for them.

    double, or late without quiet
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from golpae.families.family import Family
from golpae.families.region import Cube, Region
from golpae.prove.answer import PROVED, REFUTED, UNKNOWN

HOLDS = {"reachable": ("can be reached", "cannot be reached")}


def shortest(region: Region, outside: Region, switches: int) -> tuple[Cube, ...]:
    """Return few and short cubes that cover a region and nothing of what is outside of it.

    `switches` are those that a condition names; the others are the same in all rule sets.
    """
    longer = [_widened(cube, outside, switches) for cube in region.cubes]
    longer.sort(key=lambda cube: (cube[0].bit_count(), cube))
    chosen: list[Cube] = []
    left = region
    for cube in dict.fromkeys(longer):
        if left.restrict(cube):
            chosen.append(cube)
            left = left.subtract(cube)
    for cube in list(reversed(chosen)):  # what the others cover together is not said
        others = region
        for other in chosen:
            if other != cube:
                others = others.subtract(other)
        if not others:
            chosen.remove(cube)
    return tuple(chosen)


def _widened(cube: Cube, outside: Region, switches: int) -> Cube:
    """Return a cube without what need not be said: first which switches are off, then which are on."""
    fixed, on = cube[0] & switches, cube[1] & switches
    bits = [1 << n for n in range(fixed.bit_length() - 1, -1, -1) if fixed >> n & 1]
    for bit in sorted(bits, key=lambda bit: bool(on & bit)):
        without = (fixed & ~bit, on & ~bit)
        if not outside.restrict(without):
            fixed, on = without
    return fixed, on


def said(family: Family, cubes: Sequence[Cube]) -> str:
    """Return cubes in words."""
    return ", or ".join(_said(family, cube) for cube in cubes)


def _said(family: Family, cube: Cube) -> str:
    fixed, on = cube
    return said_of(family.on(fixed & on), family.on(fixed & ~on))


def said_of(with_: Sequence[str], without: Sequence[str]) -> str:
    """Return in words that some switches are on and others are off."""
    if not with_ and not without:
        return "always"
    words = with_[0] if with_ else ""
    if with_[1:]:
        words += f" with {_listed(with_[1:])}"
    if without:
        words += f"{' ' if words else ''}without {_listed(without)}"
    return words


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def verdicts_in_words(kind: str, conditions: Mapping[str, str], stated: int, every: int) -> str:
    """Return for which rule sets a property of a kind holds; `conditions` says for each verdict where it is so.

    `stated` is how many of `every` rule set state it.
    """
    where = "of them" if stated == every else f"{stated:,} that state it"
    yes, no = HOLDS.get(kind, ("holds", "fails"))
    if len(conditions) == 1:
        (only,) = conditions
        return f"{only} for all {where}"
    if set(conditions) == {PROVED, REFUTED}:
        unless, if_ = conditions[REFUTED], conditions[PROVED]
        words = f"{yes} unless {unless}" if len(unless) <= len(if_) else f"{yes} only {with_(if_)}"
    else:
        parts = [(PROVED, yes), (REFUTED, no), (UNKNOWN, "unknown")]
        words = "; ".join(f"{said} {with_(conditions[v])}" for v, said in parts if v in conditions)
    return words if stated == every else f"{words} (of {where})"


def with_(condition: str) -> str:
    """Return a condition as it stands behind what it is about."""
    return condition if condition.startswith("without ") else f"with {condition}"
