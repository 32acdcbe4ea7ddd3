"""Guesses at what lies in places that nobody saw, where the rules ask for hands of an arrangement.

Input: a state in which an event is refused, with tiles that were chosen for the unknown ones, and the events that
follow. Output: other contents for the hidden places, with which the game goes on further, the furthest first.
Guarantee: guesses only say where to look; chance comes from a fixed seed, so they are the same every time.

A solver takes long to choose thirteen tiles that wait for a fourteenth. Here groups of the arrangement are put together
from the tiles that lie in hidden places, and replay says whether the event is legal then.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from golpae.hidden.lemmas import Lemmas
from golpae.ir import expr as ir
from golpae.ir.dependencies import Dependencies
from golpae.ir.limits import TooManySteps
from golpae.ir.ruleset import ArrangementDecl
from golpae.ir.scoring import plain_arrangements
from golpae.prove.symbolic.state import SymbolicState
from golpae.replay.machine import Machine, State
from golpae.replay.replay import happen
from golpae.replay.report import Refusal
from golpae.replay.state_layout import zone_in
from golpae.trace import Header

SAMPLES = 3_000  # contents that are tried for one refusal
PATIENCE = 800  # of them without progress
ENOUGH = 8  # with which the game goes on as far as one looks
MOST_KEPT = 12  # of those that reached furthest, which others begin with
AFRESH = 0.3  # how often one begins with what the solver chose
AHEAD = 12  # events after it that are looked at
WITH_NAMED = 0.7  # how often a tile that the event names belongs to what is put together
ALONE = 0.6  # how often only one place gets other tiles
Spot = tuple[str, int | None]
"""A zone, and the seat whose it is."""


@dataclass(frozen=True, slots=True)
class Guess:
    """What lies in some hidden places, and how many events are legal then."""

    contents: Mapping[Spot, tuple[int, ...]]
    legal: int


@dataclass(frozen=True, slots=True)
class _Tried:
    """A state with other tiles in hidden places, and how far the game goes on from it."""

    reached: tuple[int, int]
    state: State


class Guesses:
    """The guesses of one machine."""

    def __init__(self, machine: Machine, header: Header, lemmas: Lemmas, dependencies: Dependencies) -> None:
        self._machine = machine
        self._header = header
        self._lemmas = lemmas
        self._dependencies = dependencies
        self._arrangements = {a.name: a for a in machine.rules.arrangements}
        self._random = Random(0)

    def about(
        self,
        exprs: Sequence[ir.Expr],
        before: SymbolicState,
        state: State,
        lines: Sequence[Mapping[str, Any]],
    ) -> list[Guess]:
        """Return guesses at what lies in the hidden places that some expressions read, by which lines are legal."""
        wanted = self._wanted(exprs)
        spots = [spot for spot in self._spots(before, exprs) if self._tiles(state, spot)]
        spots = [spot for spot in spots if spot[1] == lines[0].get("by")] or spots  # whose event it is
        if not wanted or not spots:
            return []
        named = self._named_in(lines[0])
        found: dict[Any, Guess] = {}
        best = [_Tried(self._reached(self._machine.copy(state), lines), state)]
        hits = Counter({one.name: 1 for one in wanted})
        furthest = (min(len(lines), AHEAD), 0)
        progress = enough = 0
        for number in range(SAMPLES):
            if enough >= ENOUGH or number > progress + PATIENCE:
                break
            base = state if self._random.random() < AFRESH else self._random.choice(best).state
            tried = self._machine.copy(base)
            moved = self._random.sample(spots, 1 if self._random.random() < ALONE else len(spots))
            moved = moved[: self._random.randint(1, len(moved))]
            [arrangement] = self._random.choices(wanted, [hits[one.name] for one in wanted])
            if not all(self._change(tried, spot, before, arrangement, named) for spot in moved):
                continue
            made = self._machine.copy(tried)
            reached = self._reached(tried, lines)
            if reached > best[0].reached:
                hits[arrangement.name] += 1
                progress = number
            enough += reached == furthest
            if len(best) < MOST_KEPT or reached >= best[-1].reached:
                best = sorted([_Tried(reached, made), *best], key=lambda one: one.reached, reverse=True)
                del best[MOST_KEPT:]
            if reached[0]:
                contents = {
                    spot: tuple(sorted(tiles))
                    for spot in spots
                    if Counter(tiles := self._tiles(made, spot)) != Counter(self._tiles(state, spot))
                }
                key = tuple(sorted(contents.items(), key=repr))
                found.setdefault(key, Guess(contents, reached[0]))
        return sorted(found.values(), key=lambda guess: (-guess.legal, len(guess.contents)))

    # ------------------------------------------------------------------ places

    def _spots(self, before: SymbolicState, exprs: Sequence[ir.Expr]) -> Iterator[Spot]:
        """Yield the zones of tiles that are read and whose tiles are not all known."""
        read = self._dependencies.reads(exprs)
        for zone in self._machine.rules.zones:
            if zone.name in read and zone.kind == "tiles":
                lying = before.zones[zone.name]
                for seat, one in enumerate(lying) if zone.each_player else [(None, lying)]:
                    if not one.bag.concrete:
                        yield zone.name, seat

    def _tiles(self, state: State, spot: Spot) -> list[int]:
        """Return the tiles of a zone, as the list that the state has."""
        name, seat = spot
        lying = zone_in(state, name)
        tiles: list[int] = lying if seat is None else lying[seat]
        return tiles

    def _others(self, state: State, spot: Spot, before: SymbolicState) -> list[list[int]]:
        """Return the lists of tiles of all other hidden places, rows first."""
        rows, bags = [], []
        for zone in self._machine.rules.zones:
            lying, known = zone_in(state, zone.name), before.zones[zone.name]
            pairs = (
                enumerate(zip(lying, known, strict=True)) if zone.each_player else [(None, (lying, known))]
            )
            for seat, (here, symbolic) in pairs:
                if symbolic.bag.concrete or (zone.name, seat) == spot:
                    continue
                if zone.kind == "row":
                    rows.append(here.hidden)
                elif zone.kind == "tiles":
                    bags.append(here)
        return [*rows, *bags]

    def _change(
        self,
        state: State,
        spot: Spot,
        before: SymbolicState,
        wanted: ArrangementDecl,
        named: Sequence[int],
    ) -> bool:
        """Put other tiles into a hidden place, for which the tiles there go to where they lay. Return whether it could
        be done.
        """
        own, others = self._tiles(state, spot), self._others(state, spot, before)
        there = Counter(own)
        around = there + Counter(t for lying in others for t in lying)
        tiles = self._laid_out(wanted, there, around, named)
        if tiles is None:
            return False
        needed, given = [*(tiles - there).elements()], [*(there - tiles).elements()]
        for tile, instead in zip(needed, given, strict=True):
            source = next((lying for lying in others if tile in lying), None)
            if source is None:
                return False
            source[source.index(tile)] = instead
            own[own.index(instead)] = tile
        return True

    # ------------------------------------------------------------------ contents

    def _wanted(self, exprs: Sequence[ir.Expr]) -> list[ArrangementDecl]:
        """Return the arrangements that expressions ask about, without unions."""
        scores = {score.name: score for score in self._machine.rules.scores}
        names: dict[str, None] = {}
        for kind, name in sorted(self._dependencies.reached_by(exprs)):
            asked = scores[name].arrangements if kind == "score" else (name,)
            for one in asked:
                if one in self._arrangements:
                    names |= dict.fromkeys(plain_arrangements(one, self._arrangements))
        return [self._arrangements[name] for name in names]

    def _named_in(self, line: Mapping[str, Any]) -> list[int]:
        """Return the tiles that keys of an event are."""
        numbers = self._machine.instance.numbers()
        return [numbers[value] for value in line.values() if isinstance(value, str) and value in numbers]

    def _laid_out(
        self,
        arrangement: ArrangementDecl,
        own: Counter[int],
        there: Counter[int],
        named: Sequence[int],
    ) -> Counter[int] | None:
        """Return as many of the tiles that are `there` as a place has, which make an arrangement or nearly do: with a
        tile that the event names, or with any other. None if it cannot be done.
        """
        random, size = self._random, own.total()
        shapes = [part.shape for part in arrangement.parts for _ in range(part.count)]
        random.shuffle(shapes)
        with_it = random.choice(named) if named and random.random() < WITH_NAMED else None
        left = there + Counter([] if with_it is None else [with_it])
        tiles: Counter[int] = Counter()
        for shape in shapes:
            if tiles.total() >= size:
                break
            has = with_it if with_it is not None and not tiles[with_it] else None
            group = self._group(shape, own, left, size + 1 - tiles.total(), has)
            if group is not None:
                tiles += group
                left -= group
        if with_it is not None and tiles[with_it] and tiles.total() > size:
            tiles -= Counter([with_it])
        while tiles.total() > size:
            tiles -= Counter([random.choice([*tiles.elements()])])
        left = there - tiles
        missing = size - tiles.total()
        rest = [*(left & own).elements()]
        if len(rest) < missing:
            rest = [*left.elements()]
        if len(rest) < missing or tiles - there:
            return None
        return tiles + Counter(random.sample(rest, missing))

    def _group(
        self, shape: str, own: Counter[int], left: Counter[int], most: int, has: int | None
    ) -> Counter[int] | None:
        """Return a group of a shape from the tiles that are left, rather one of which the place has tiles, or one that
        `has` a tile, if there is one.
        """
        faces = self._machine.instance.faces
        of_face: Counter[int] = Counter()
        own_faces: Counter[int] = Counter()
        for kind, often in left.items():
            of_face[faces[kind]] += often
        for kind, often in own.items():
            own_faces[faces[kind]] += min(often, left[kind])
        fitting = [
            group
            for group in self._lemmas.groups(shape) or ()
            if len(group) <= most and Counter(group) <= of_face
        ]
        if has is not None:
            fitting = [group for group in fitting if faces[has] in group] or fitting
        if not fitting:
            return None
        weights = [(1 + 2 * (Counter(group) & own_faces).total()) ** 2 for group in fitting]
        [group] = self._random.choices(fitting, weights)
        chosen: Counter[int] = Counter()
        for face in group:
            if has is not None and face == faces[has] and not chosen[has]:
                chosen[has] += 1
                continue
            kinds = [k for k, often in left.items() if faces[k] == face and often > chosen[k]]
            chosen[self._random.choice(kinds)] += 1
        return chosen

    def _reached(self, state: State, lines: Sequence[Mapping[str, Any]]) -> tuple[int, int]:
        """Return how many lines are legal one after the other, and which condition refuses the next one."""
        for number, line in enumerate(lines[:AHEAD]):
            try:
                refused = happen(self._machine, self._header, state, line)
            except TooManySteps:
                return number, 0
            if refused is not None:
                conditions = refused.action.conditions if isinstance(refused, Refusal) else ()
                names = [condition.name for condition in conditions]
                condition = refused.condition if isinstance(refused, Refusal) else None
                return number, len(names) if condition is None else names.index(condition.name)
        return min(len(lines), AHEAD), 0
