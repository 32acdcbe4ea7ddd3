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

SAMPLES = 6_000  # contents that are tried for one refusal
PATIENCE, MOST_PATIENCE = (
    300,
    3_000,
)  # of them without progress: if what refuses is about others, and if it is not
ENOUGH = 8  # with which the game goes on as far as one looks
MOST_KEPT = 12  # of those that reached furthest, which others begin with
AFRESH = 0.3  # how often one begins with what the solver chose
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
class _Layout:
    """Groups that were put together for a place, each with its shape, for an arrangement; `with_it` is a tile that was
    one of theirs and is not in the place, `to_come` if it comes later.
    """

    arrangement: ArrangementDecl
    groups: tuple[tuple[str, Counter[int]], ...]
    with_it: int | None
    to_come: bool


@dataclass(frozen=True, slots=True)
class _Named:
    """The tiles that lines name: the first one; the one up to which the game goes on; the next one of the players."""

    now: Sequence[int]
    later: Sequence[int]
    next: Sequence[int]


@dataclass(frozen=True, slots=True)
class _Tried:
    """A state with other tiles in hidden places, how they were arranged, and how far the game goes on from it."""

    reached: tuple[int, int]
    state: State
    layouts: Mapping[Spot, _Layout]


class Guesses:
    """The guesses of one machine."""

    def __init__(self, machine: Machine, header: Header, lemmas: Lemmas, dependencies: Dependencies) -> None:
        self._machine = machine
        self._header = header
        self._lemmas = lemmas
        self._dependencies = dependencies
        self._arrangements = {a.name: a for a in machine.rules.arrangements}
        self._random = Random(0)
        self._groups: dict[str, list[tuple[int, tuple[tuple[int, int], ...]]]] = {}
        self._of_face: dict[int, list[int]] = {}
        for kind, face in enumerate(machine.instance.faces):
            self._of_face.setdefault(face, []).append(kind)

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
        needed = self._needed(lines)
        found: dict[Any, Guess] = {}
        first = _Tried(self._reached(self._machine.copy(state), lines), state, {})
        best = [first]
        hits = Counter({one.name: 1 for one in wanted})
        furthest = (len(lines), 0)
        progress = enough = 0
        named: _Named | None = None
        named_for = first.reached
        for number in range(SAMPLES):
            patience = MOST_PATIENCE if self._is_own(lines, best[0].reached[0], spots) else PATIENCE
            if enough >= ENOUGH or number > progress + patience:
                break
            if named is None or best[0].reached > named_for:
                named_for = best[0].reached
                named = self._names(lines, named_for[0], spots)
            base = first if self._random.random() < AFRESH else self._random.choice(best)
            tried = self._machine.copy(base.state)
            moved = self._random.sample(spots, 1 if self._random.random() < ALONE else len(spots))
            moved = moved[: self._random.randint(1, len(moved))]
            [arrangement] = self._random.choices(wanted, [hits[one.name] for one in wanted])
            changed = {
                spot: self._change(tried, spot, before, arrangement, named, needed, base.layouts.get(spot))
                for spot in moved
            }
            made_of = {spot: layout for spot, layout in changed.items() if layout is not None}
            if len(made_of) < len(moved):
                continue
            made = self._machine.copy(tried)
            reached = self._reached(tried, lines)
            if reached > best[0].reached:
                hits[arrangement.name] += 1
                progress = number
            enough += reached == furthest
            if len(best) < MOST_KEPT or reached >= best[-1].reached:
                new = _Tried(reached, made, {**base.layouts, **made_of})
                best = sorted([new, *best], key=lambda one: one.reached, reverse=True)
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

    def can_be(self, exprs: Sequence[ir.Expr], before: SymbolicState) -> bool:
        """Return whether expressions ask about arrangements of tiles in hidden places."""
        return bool(self._wanted(exprs)) and any(True for _ in self._spots(before, exprs))

    def _is_own(self, lines: Sequence[Mapping[str, Any]], number: int, spots: Sequence[Spot]) -> bool:
        """Return whether a line is about players whose places get other tiles, or about nobody."""
        by = lines[number].get("by") if number < len(lines) else None
        return by is None or by in [seat for _, seat in spots]

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
        named: _Named,
        later: Counter[int],
        base: _Layout | None,
    ) -> _Layout | None:
        """Put other tiles into a hidden place, and the tiles there to where those were. Return how they are arranged;
        None if it could not be done.
        """
        own, others = self._tiles(state, spot), self._others(state, spot, before)
        there = Counter(own)
        around = there + (Counter(t for lying in others for t in lying) - later)
        made = self._laid_out(wanted, there, around, named, base)
        if made is None:
            return None
        tiles, layout = made
        needed, given = [*(tiles - there).elements()], [*(there - tiles).elements()]
        for tile, instead in zip(needed, given, strict=True):
            source = next((lying for lying in others if tile in lying), None)
            if source is None:
                return None
            source[source.index(tile)] = instead
            own[own.index(instead)] = tile
        return layout

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

    def _names(self, lines: Sequence[Mapping[str, Any]], number: int, spots: Sequence[Spot]) -> _Named:
        """Return the tiles that lines name; the line of this number is the one that is refused."""
        seats = [seat for _, seat in spots]
        own = [self._named_in(line) for line in lines[1:] if line.get("by") in seats]
        at_end = 0 < number < len(lines) and self._is_own(lines, number, spots)
        later = [t for line in lines[1 : number + 1] if line.get("by") in seats for t in self._named_in(line)]
        return _Named(self._named_in(lines[0]), later[-1:] if at_end else [], next(filter(None, own), []))

    def _named_in(self, line: Mapping[str, Any]) -> list[int]:
        """Return the tiles that keys of an event are."""
        numbers = self._machine.reader.numbers
        return [numbers[value] for value in line.values() if isinstance(value, str) and value in numbers]

    def _needed(self, lines: Sequence[Mapping[str, Any]]) -> Counter[int]:
        """Return the tiles that lines behind the first name: they have to lie where they come from."""
        out: Counter[int] = Counter()
        last: tuple[Any, list[int]] = (None, [])
        for line in lines[1:]:
            named = self._named_in(line)
            if (line.get("by"), named) != last:  # a tile that is drawn and discarded is one
                out.update(named)
            last = line.get("by"), named
        return out

    def _laid_out(
        self,
        arrangement: ArrangementDecl,
        own: Counter[int],
        there: Counter[int],
        named: _Named,
        base: _Layout | None,
    ) -> tuple[Counter[int], _Layout] | None:
        """Return as many of the tiles that are `there` as a place has, which make an arrangement or nearly do: with a
        tile that the event names, or with any other; and their groups. All but one or two groups are those of a
        `base`, if there is one. None if it cannot be done.
        """
        random, size = self._random, own.total()
        kept: list[tuple[str, Counter[int]]] = []
        if base is None:
            shapes = [part.shape for part in arrangement.parts for _ in range(part.count)]
            random.shuffle(shapes)
            tiles_named = [*((t, False) for t in named.now), *((t, True) for t in named.later)]
            with_it, to_come = None, False
            if tiles_named and random.random() < WITH_NAMED:
                with_it, to_come = random.choice(tiles_named)
        else:
            arrangement, with_it, to_come = base.arrangement, base.with_it, base.to_come
            others = random.sample(base.groups, len(base.groups))
            shapes = [shape for shape, _ in others[: random.randint(1, 2)]]
            kept, own = others[len(shapes) :], Counter()
        left = there + Counter([] if with_it is None else [with_it])
        tiles: Counter[int] = Counter()
        groups = []
        for shape, old in [*kept, *((shape, None) for shape in shapes)]:
            if tiles.total() >= size:
                break
            has = with_it if with_it is not None and not tiles[with_it] else None
            group = old if old is not None and old <= left else None
            if group is None:
                group = self._group(shape, own, left, size + 1 - tiles.total(), has)
            if group is not None:
                tiles += group
                left -= group
                groups.append((shape, group))
        if with_it is not None and tiles[with_it] and (to_come or tiles.total() > size):
            tiles -= Counter([with_it])
        while tiles.total() > size:
            tiles -= Counter([random.choice([*tiles.elements()])])
        left = there - tiles
        missing = size - tiles.total()
        rest = [tile for tile in named.next if left[tile]][:missing]
        if len(rest) < missing:
            rest = [*(left & own).elements()]
        if len(rest) < missing:
            rest = [*left.elements()]
        if len(rest) < missing or tiles - there:
            return None
        return tiles + Counter(random.sample(rest, missing)), _Layout(
            arrangement, tuple(groups), with_it, to_come
        )

    def _group(
        self, shape: str, own: Counter[int], left: Counter[int], most: int, has: int | None
    ) -> Counter[int] | None:
        """Return a group of a shape from the tiles that are left, rather one of which the place has tiles, or one that
        `has` a tile, if there is one.
        """
        faces = self._machine.instance.faces
        of_face, own_faces = [0] * len(faces), [0] * len(faces)
        for kind, often in left.items():
            if often > 0:
                of_face[faces[kind]] += often
                own_faces[faces[kind]] += min(often, own[kind])
        fitting = [
            (group, sum(min(own_faces[face], often) for face, often in group))
            for size, group in self._listed(shape)
            if size <= most and all(of_face[face] >= often for face, often in group)
        ]
        if has is not None:
            fitting = [one for one in fitting if any(face == faces[has] for face, _ in one[0])] or fitting
        if not fitting:
            return None
        [(chosen, _)] = self._random.choices(fitting, [(1 + 2 * there) ** 2 for _, there in fitting])
        tiles: Counter[int] = Counter()
        for face, often in chosen:
            for _ in range(often):
                if has is not None and face == faces[has] and not tiles[has]:
                    tiles[has] += 1
                    continue
                kinds = [k for k in self._of_face[face] if left[k] > tiles[k]]
                tiles[self._random.choice(kinds)] += 1
        return tiles

    def _listed(self, shape: str) -> list[tuple[int, tuple[tuple[int, int], ...]]]:
        """Return the groups of a shape: their sizes, and how often each has which face."""
        if shape not in self._groups:
            groups = self._lemmas.groups(shape) or []
            self._groups[shape] = [(len(group), tuple(sorted(Counter(group).items()))) for group in groups]
        return self._groups[shape]

    def _reached(self, state: State, lines: Sequence[Mapping[str, Any]]) -> tuple[int, int]:
        """Return how many lines are legal one after the other, and which condition refuses the next one."""
        for number, line in enumerate(lines):
            try:
                refused = happen(self._machine, self._header, state, line)
            except TooManySteps:
                return number, 0
            if refused is not None:
                conditions = refused.action.conditions if isinstance(refused, Refusal) else ()
                names = [condition.name for condition in conditions]
                condition = refused.condition if isinstance(refused, Refusal) else None
                return number, len(names) if condition is None else names.index(condition.name)
        return len(lines), 0
