"""Counts the ways to fill in the hidden places of a recorded game.

Input: lines with unknown tiles from a state on, and what is known of each place: how many tiles of each kind lie there
at least and at most. Output: how many ways make all events legal, and in which share of them a kind lies in a place.
Guarantee: an exact number comes from replaying every way. An estimate comes from ways drawn with equal chances from a
set of a known size, with a 95 % interval; the seed is fixed. Where neither can be done, nothing is said.

The tiles of a deal go together: they are dealt from one set. How often each way to deal them comes is counted kind by
kind, as one counts tables of numbers whose rows and columns have given sums.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import comb, prod
from typing import Any

from golpae.hidden.lines import HiddenLine, dealt_keys
from golpae.hidden.places import HiddenPlace, lying_in_zone, unnamed
from golpae.hidden.ways import is_legal
from golpae.intervals import wilson
from golpae.replay.machine import Machine, State
from golpae.trace import Header

MOST_EVENTS = 60_000  # that are replayed for an exact number
MOST_WAYS = 5_000  # to fill in one event, if each is replayed
SAMPLES, FIRST, FEWEST = (
    1_000,
    100,
    20,
)  # ways drawn; without a hit among the first none more; hits for an estimate
MOST_CELLS = 4_000_000  # of the table by which ways are drawn

Filling = tuple[tuple[str, ...], ...]
"""Tiles for each place of one event, in the order of the places."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """How many tiles of each kind lie in a place, at least and at most; a kind that is not named cannot lie there."""

    place: HiddenPlace
    fewest: Mapping[str, int]
    most: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Ways:
    """How many ways there are: `low` to `high`, which are equal if each was replayed; `about` is the estimate.

    `high` is None if it is only known that there are more than `low`. `shares` says for each place in which share of
    the ways a kind lies there.
    """

    low: int
    about: int
    high: int | None
    shares: Mapping[HiddenPlace, Mapping[str, float]] = field(default_factory=dict)

    @property
    def exact(self) -> bool:
        return self.low == self.high


def count_ways(
    machine: Machine,
    header: Header,
    state: State,
    lines: Sequence[HiddenLine],
    bounds: Sequence[Bounds],
    zones: Sequence[HiddenPlace],
    seen: int,
) -> Ways:
    """Return how many ways make all lines legal; with the shares of what lies in some zones at the end, too. So many
    different ways were `seen`.
    """
    if any(len({spot[:-1] for spot in one.place.spots}) > 1 for one in bounds):
        return Ways(seen, seen, None)  # which tile lies in which group of a key is not counted
    counting = _Counting(machine, header, state, lines, bounds, zones)
    return counting.all() or counting.sampled(seen) or Ways(seen, seen, None)


class _Full(Exception):
    """There are more ways than are replayed."""


class _Counting:
    """The ways of one stretch of a game."""

    def __init__(
        self,
        machine: Machine,
        header: Header,
        state: State,
        lines: Sequence[HiddenLine],
        bounds: Sequence[Bounds],
        zones: Sequence[HiddenPlace],
    ) -> None:
        self._machine, self._header, self._state, self._lines = machine, header, state, lines
        self._zones = zones
        self._of_event: dict[int, list[Bounds]] = {}
        for one in bounds:
            self._of_event.setdefault(one.place.event, []).append(one)
        self._fillings = {
            event: _Fillings(machine, lines[event - 1], own) for event, own in self._of_event.items()
        }
        self._replayed = 0

    # ------------------------------------------------------------------ every way

    def all(self) -> Ways | None:
        """Return the number of ways by replaying each; None if there are too many."""
        found: Counter[tuple[HiddenPlace, str]] = Counter()
        many = 0
        try:
            for way in self._legal(self._machine.copy(self._state), 0, {}):
                many += 1
                found.update(way)
        except _Full:
            return None
        if not many:  # what is known of the places is not all that there is to it
            return None
        return Ways(many, many, many, self._shares(found, many))

    def _legal(
        self, state: State, number: int, way: dict[tuple[HiddenPlace, str], int]
    ) -> Iterator[dict[tuple[HiddenPlace, str], int]]:
        """Yield the ways in which the lines from one on are legal: which kinds lie in which places."""
        while number < len(self._lines):
            number += 1
            line = self._lines[number - 1]
            own = self._of_event.get(number)
            if own is None:
                if not self._happens(state, line.line):
                    return
                continue
            ways = self._fillings[number].listed(MOST_WAYS)
            if ways is None:
                raise _Full
            for filling in ways:
                after = self._machine.copy(state)
                if self._happens(after, _filled(line, own, filling)):
                    yield from self._legal(after, number, way | _kinds(own, filling))
            return
        yield way | self._in_zones(state)

    def _in_zones(self, state: State) -> dict[tuple[HiddenPlace, str], int]:
        """Return which kinds lie in which zones."""
        return {(zone, kind): 1 for zone in self._zones for kind in lying_in_zone(self._machine, state, zone)}

    def _happens(self, state: State, line: Mapping[str, Any]) -> bool:
        self._replayed += 1
        if self._replayed > MOST_EVENTS:
            raise _Full
        return is_legal(self._machine, self._header, state, line)

    # ------------------------------------------------------------------ some ways

    def sampled(self, seen: int) -> Ways | None:
        """Return an estimate of the number of ways; None if too few of those that are drawn are legal."""
        whole = 1
        for own in self._fillings.values():
            many = own.how_many()
            if many is None:
                return None
            whole *= many
        rng = random.Random(0)
        hits = 0
        found: Counter[tuple[HiddenPlace, str]] = Counter()
        for tried in range(SAMPLES):
            if tried == FIRST and not hits:
                return None
            way = self._drawn(rng)
            if way is not None:
                hits += 1
                found.update(way)
        if hits < FEWEST:
            return None
        low, high = wilson(hits, SAMPLES)
        about = whole * hits // SAMPLES
        at_most = max(seen, -int(-whole * high // 1))
        return Ways(max(seen, int(whole * low)), max(seen, about), at_most, self._shares(found, hits))

    def _drawn(self, rng: random.Random) -> dict[tuple[HiddenPlace, str], int] | None:
        """Return a way drawn with equal chances, if it is legal."""
        state = self._machine.copy(self._state)
        way: dict[tuple[HiddenPlace, str], int] = {}
        for number, line in enumerate(self._lines, 1):
            own = self._of_event.get(number)
            whole = line.line
            if own is not None:
                filling = self._fillings[number].drawn(rng)
                way |= _kinds(own, filling)
                whole = _filled(line, own, filling)
            if not is_legal(self._machine, self._header, state, whole):
                return None
        return way | self._in_zones(state)

    def _shares(
        self, found: Mapping[tuple[HiddenPlace, str], int], ways: int
    ) -> dict[HiddenPlace, dict[str, float]]:
        shares: dict[HiddenPlace, dict[str, float]] = {}
        for (place, kind), many in found.items():
            shares.setdefault(place, {})[kind] = many / ways
        return shares


def _filled(line: HiddenLine, own: Sequence[Bounds], filling: Filling) -> dict[str, Any]:
    """Return an event with tiles in its places."""
    at = {
        spot: tile
        for one, tiles in zip(own, filling, strict=True)
        for spot, tile in zip(one.place.spots, tiles, strict=False)  # a reserve that is left out has no spots
    }
    return line.filled([at[place] for place in line.places])


def _kinds(own: Sequence[Bounds], filling: Filling) -> dict[tuple[HiddenPlace, str], int]:
    """Return which kinds lie in which places."""
    return {(one.place, kind): 1 for one, tiles in zip(own, filling, strict=True) for kind in tiles}


# ---------------------------------------------------------------------- the ways to fill in one event


class _Fillings:
    """The ways to fill in the places of one event that keep to the bounds: in a deal, from one set of tiles.

    Places of a key whose order counts, and in which the same kinds can lie, are one group: so many tiles, and each
    order of them is a way.
    """

    def __init__(self, machine: Machine, line: HiddenLine, own: Sequence[Bounds]) -> None:
        self._own = own
        self._kinds = [kind.name for kind in machine.instance.kinds if kind.copies]
        self._groups = _groups(own)
        self._sizes = tuple(sum(own[at].place.tiles for at in group) for group in self._groups)
        action = machine.actions[line.line["do"]]
        keys = dealt_keys(action)
        self._is_dealt = [own[group[0]].place.key in keys for group in self._groups]
        # the places that are dealt have these tiles; all of them, if one of the places is what is left over
        self._dealt = unnamed(machine, line.line) if any(self._is_dealt) else None
        self._copies = [kind.copies for kind in machine.instance.kinds if kind.copies]
        self._options = [self._of_kind(number) for number in range(len(self._kinds))]
        self._ways: dict[tuple[int, tuple[int, ...]], int] = {}

    def _of_kind(self, number: int) -> list[tuple[int, ...]]:
        """Return how many tiles of a kind each group can have."""
        kind = self._kinds[number]
        dealt = None if self._dealt is None else self._dealt[kind]
        ranges = [
            range(
                sum(self._own[at].fewest.get(kind, 0) for at in group),
                sum(self._own[at].most.get(kind, 0) for at in group) + 1,
            )
            for group in self._groups
        ]
        return [many for many in product(*ranges) if self._can_be(many, self._copies[number], dealt)]

    def _can_be(self, many: Sequence[int], copies: int, dealt: int | None) -> bool:
        """Return whether groups can have so many tiles of a kind, by its copies in the set and in the deal."""
        in_key: Counter[str] = Counter()
        for group, number in zip(self._groups, many, strict=True):
            in_key[self._own[group[0]].place.key] += number
        if max(in_key.values(), default=0) > copies:
            return False
        if dealt is None:
            return True
        lying = sum(number for number, is_dealt in zip(many, self._is_dealt, strict=True) if is_dealt)
        return lying == dealt if any(not one.place.spots for one in self._own) else lying <= dealt

    def how_many(self) -> int | None:
        """Return how many ways there are; None if counting them takes long."""
        cells = prod(size + 1 for size in self._sizes) * sum(map(len, self._options))
        return None if cells > MOST_CELLS else self._from(0, self._sizes)

    def _from(self, number: int, left: tuple[int, ...]) -> int:
        """Return how many ways there are to have so many tiles `left` of the kinds from one on."""
        if number == len(self._kinds):
            return 0 if any(left) else 1
        key = number, left
        if key not in self._ways:
            self._ways[key] = sum(
                self._orders(left, many) * self._from(number + 1, after)
                for many, after in self._next(number, left)
            )
        return self._ways[key]

    def _orders(self, left: tuple[int, ...], many: tuple[int, ...]) -> int:
        """Return in how many ways tiles of a kind can lie among the free places of groups."""
        pairs = zip(self._groups, left, many, strict=True)
        return prod(comb(free, lying) for group, free, lying in pairs if len(group) > 1)

    def _next(self, number: int, left: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
        for many in self._options[number]:
            after = tuple(a - b for a, b in zip(left, many, strict=True))
            if min(after, default=0) >= 0:
                yield many, after

    def listed(self, most: int) -> Iterator[Filling] | None:
        """Yield all ways; None if there are more than so many."""
        many = self.how_many()
        if many is None or many > most:
            return None
        lists = self._all(0, self._sizes, tuple(() for _ in self._groups))
        return (filling for tiles in lists for filling in self._in_places(tiles))

    def _all(self, number: int, left: tuple[int, ...], so_far: Filling) -> Iterator[Filling]:
        if number == len(self._kinds):
            yield so_far
            return
        for many, after in self._next(number, left):
            if self._from(number + 1, after):
                yield from self._all(number + 1, after, self._with(so_far, number, many))

    def _with(self, filling: Filling, number: int, many: Sequence[int]) -> Filling:
        kind = self._kinds[number]
        return tuple((*tiles, *[kind] * often) for tiles, often in zip(filling, many, strict=True))

    def _in_places(self, tiles: Filling) -> Iterator[Filling]:
        """Yield the ways in which the tiles of groups lie in their places."""
        orders = [
            [own] if len(group) == 1 else _orders_of(own)
            for group, own in zip(self._groups, tiles, strict=True)
        ]
        for chosen in product(*orders):
            yield self._placed(chosen)

    def _placed(self, tiles: Sequence[Sequence[str]]) -> Filling:
        """Return what lies in each place, by the tiles of each group in their order."""
        out: dict[int, tuple[str, ...]] = {}
        for group, own in zip(self._groups, tiles, strict=True):
            out |= (
                {at: (tile,) for at, tile in zip(group, own, strict=True)}
                if len(group) > 1
                else {group[0]: tuple(own)}
            )
        return tuple(out[at] for at in range(len(self._own)))

    def drawn(self, rng: random.Random) -> Filling:
        """Return a way drawn with equal chances. INVARIANT: there is one."""
        left = self._sizes
        filling: Filling = tuple(() for _ in self._groups)
        for number in range(len(self._kinds)):
            options = [*self._next(number, left)]
            weights = [self._orders(left, many) * self._from(number + 1, after) for many, after in options]
            chosen = rng.randrange(sum(weights))
            for (many, after), weight in zip(options, weights, strict=True):
                chosen -= weight
                if chosen < 0:
                    filling, left = self._with(filling, number, many), after
                    break
        return self._placed([rng.sample(own, len(own)) if len(own) > 1 else own for own in filling])


def _groups(own: Sequence[Bounds]) -> list[list[int]]:
    """Return places, by their numbers: together if the order of their key counts and the same kinds can lie there."""
    groups: list[list[int]] = []
    alike: dict[Any, list[int]] = {}
    for at, one in enumerate(own):
        place = one.place
        if place.at is None or place.tiles != 1 or any(one.fewest.values()):
            groups.append([at])
            continue
        key = place.key, place.seat, tuple(sorted(kind for kind, many in one.most.items() if many))
        if key not in alike:
            alike[key] = []
            groups.append(alike[key])
        alike[key].append(at)
    return groups


def _orders_of(tiles: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the different orders of tiles."""
    left = Counter(tiles)
    if not left:
        return [()]
    return [(tile, *rest) for tile in left for rest in _orders_of([*(left - Counter([tile])).elements()])]
