"""Sets of rule sets of one game, as cubes: some switches are on, some are off, the rest are on or off.

Input: switches by number; a rule set is a number with a bit for each switch that is on.
Output: a `Region`, any set of rule sets, as cubes that do not overlap.
Guarantee: answers are cached, so a region can be narrowed at each of a million events.

    all rule sets, but not those with switch 0 and without switch 1:    (0b11, 0b11), (0b01, 0b00)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

Cube = tuple[int, int]  # the switches that it fixes, and which of these are on

MOST_CACHED = 50_000  # regions of a space
MOST_JOINED = 64  # cubes that are searched for neighbours


class Space:
    """Makes the regions of one game, each once."""

    def __init__(self, switches: int) -> None:
        self.switches = switches
        self._regions: dict[tuple[Cube, ...], Region] = {}
        self.nothing = self.region(())
        self.everything = self.region(((0, 0),))

    def region(self, cubes: Iterable[Cube]) -> Region:
        """Return the region of these cubes. INVARIANT: no two of them overlap."""
        key = tuple(sorted(_joined(list(cubes)), key=_order))
        region = self._regions.get(key)
        if region is None:
            if len(self._regions) >= MOST_CACHED:
                for old in self._regions.values():
                    old.clear_cache()
                self._regions.clear()
            region = self._regions[key] = Region(self, key)
        return region


class Region:
    """A set of rule sets.

    `varies` are the switches that are not the same in all of them, `sample` is one with few switches on.
    """

    __slots__ = (
        "_canonical",
        "_intersections",
        "_restrictions",
        "_subtractions",
        "cubes",
        "sample",
        "space",
        "varies",
    )

    def __init__(self, space: Space, cubes: tuple[Cube, ...]) -> None:
        self.space = space
        self.cubes = cubes
        self.sample = cubes[0][1] if cubes else 0
        self.varies = 0
        for fixed, on in cubes:
            self.varies |= ~fixed | (on ^ self.sample)
        self.varies &= (1 << space.switches) - 1
        self.clear_cache()

    def clear_cache(self) -> None:
        """Drop all cached answers."""
        self._subtractions: dict[Cube, Region] = {}
        self._restrictions: dict[Cube, Region] = {}
        self._intersections: dict[tuple[Cube, ...], Region] = {}
        self._canonical: Region | None = None

    @property
    def canonical(self) -> Region:
        """The same rule sets as the region that all regions of these have in common, whatever their cubes are."""
        if self._canonical is None:
            self._canonical = self.space.region(_split_by_switch(self.cubes, 0))
            self._canonical._canonical = self._canonical
        return self._canonical

    def __bool__(self) -> bool:
        return bool(self.cubes)

    def __contains__(self, switches_on: int) -> bool:
        return any((switches_on ^ on) & fixed == 0 for fixed, on in self.cubes)

    def subtract(self, cube: Cube) -> Region:
        """Return the rule sets of this region that are not in the cube."""
        region = self._subtractions.get(cube)
        if region is None:
            parts = (part for own in self.cubes for part in _cut(own, cube))
            region = self._subtractions[cube] = self.space.region(parts)
        return region

    def restrict(self, cube: Cube) -> Region:
        """Return the rule sets of this region that are in the cube."""
        region = self._restrictions.get(cube)
        if region is None:
            region = self._restrictions[cube] = self.space.region(
                (fixed | cube[0], on | cube[1])
                for fixed, on in self.cubes
                if (on ^ cube[1]) & fixed & cube[0] == 0
            )
        return region

    def difference(self, other: Region) -> Region:
        """Return the rule sets of this region that are not in the other one."""
        left = self
        for cube in other.cubes:
            left = left.subtract(cube)
        return left

    def intersection(self, other: Region) -> Region:
        """Return the rule sets that are in both."""
        region = self._intersections.get(other.cubes)
        if region is None:
            parts = [self.restrict(cube) for cube in other.cubes]
            cubes = (cube for part in parts for cube in part.cubes)
            region = self._intersections[other.cubes] = self.space.region(cubes)
        return region

    def union(self, other: Region) -> Region:
        """Return the rule sets that are in either. INVARIANT: none is in both."""
        return self.space.region((*self.cubes, *other.cubes))

    @property
    def size(self) -> int:
        """How many rule sets there are in this region."""
        return sum(1 << self.space.switches - fixed.bit_count() for fixed, _ in self.cubes)

    def members(self) -> Iterator[int]:
        """Yield the rule sets, those with few switches on before others."""
        every = (1 << self.space.switches) - 1
        all_members = (on | extra for fixed, on in self.cubes for extra in _subsets(every & ~fixed))
        yield from sorted(all_members, key=lambda on: (on.bit_count(), on))

    def smallest(self) -> list[int]:
        """Return the rule sets with the fewest switches on."""
        fewest = min((on.bit_count() for _, on in self.cubes), default=0)
        return sorted(on for _, on in self.cubes if on.bit_count() == fewest)


def bits_of(number: int) -> Iterator[int]:
    """Yield the bits of a number, one by one."""
    while number:
        yield number & -number
        number &= number - 1


def _subsets(bits: int) -> Iterator[int]:
    """Yield the numbers that have no other bits than these."""
    number = 0
    while True:
        yield number
        number = (number - bits) & bits
        if not number:
            return


def _order(cube: Cube) -> tuple[int, int, int]:
    return (cube[1].bit_count(), cube[1], cube[0])


def _split_by_switch(cubes: tuple[Cube, ...], switch: int) -> tuple[Cube, ...]:
    """Return cubes of the same rule sets, which depend on these alone: split by one switch after the other, from a
    number on, wherever it matters.
    """
    if not cubes or cubes == ((0, 0),):
        return cubes
    bit = 1 << switch
    halves = [
        _split_by_switch(
            tuple((fixed & ~bit, on & ~bit) for fixed, on in cubes if not fixed & bit or on & bit == value),
            switch + 1,
        )
        for value in (0, bit)
    ]
    if halves[0] == halves[1]:
        return halves[0]
    sides = zip((0, bit), halves, strict=True)
    return tuple((fixed | bit, on | value) for value, half in sides for fixed, on in half)


def _cut(own: Cube, away: Cube) -> Iterator[Cube]:
    """Yield disjoint cubes with the rule sets of one cube that are not in another."""
    fixed, on = own
    if (on ^ away[1]) & fixed & away[0]:
        yield own
        return
    for switch in bits_of(away[0] & ~fixed):
        yield fixed | switch, on | (switch & ~away[1])
        fixed |= switch
        on |= switch & away[1]


def _joined(cubes: list[Cube]) -> list[Cube]:
    """Join neighbours, which are equal except for one switch, and return the cubes; they hold all these rule sets."""
    if not 1 < len(cubes) <= MOST_JOINED:
        return cubes
    whole = set(cubes)
    joined = True
    while joined:
        joined = False
        for fixed, on in sorted(whole):
            if (fixed, on) not in whole:
                continue
            for switch in bits_of(fixed & on):
                if (fixed, on ^ switch) in whole:
                    whole -= {(fixed, on), (fixed, on ^ switch)}
                    whole.add((fixed ^ switch, on ^ switch))
                    joined = True
                    break
    return list(whole)
