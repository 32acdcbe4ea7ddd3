"""Guesses at what lies in places that nobody saw, where the rules ask for hands of an arrangement.

Input: a state in which an event is refused, with tiles that were chosen for the unknown ones, the events that follow,
and which tiles the hidden places can have. Output: other contents for these places, with which the game goes on
further, the furthest first. Guarantee: guesses only say where to look; chance comes from a fixed seed, so they are the
same every time.

A solver takes long to choose thirteen tiles that wait for a fourteenth. Here groups of the arrangement are put together
from the tiles that can lie in a hidden place, and replay says whether the event is legal then. Nobody looks where these
tiles lie instead: the solver sees whether they can be there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from golpae.hidden.layouts import Bounds, Layout, Layouts
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
ALONE = 0.6  # how often only one place gets other tiles
MOST_SHARED = 5  # tiles of a place of nobody that a guess may be about
OF_NOBODY = 0.3  # how often these places get other tiles
Spot = tuple[str, int | None]
"""A zone, and the seat whose it is."""


@dataclass(frozen=True, slots=True)
class Guess:
    """What lies in some hidden places, and how many events are legal then."""

    contents: Mapping[Spot, tuple[int, ...]]
    legal: int


@dataclass(frozen=True, slots=True)
class _Tried:
    """A state with other tiles in hidden places, how they were arranged, and how far the game goes on from it."""

    reached: tuple[int, int]
    state: State
    layouts: Mapping[Spot, Layout]


class Guesses:
    """The guesses of one machine."""

    def __init__(self, machine: Machine, header: Header, lemmas: Lemmas, dependencies: Dependencies) -> None:
        self._machine = machine
        self._header = header
        self._lemmas = lemmas
        self._dependencies = dependencies
        self._arrangements = {a.name: a for a in machine.rules.arrangements}
        self._random = Random(0)
        self._layouts = Layouts(machine, lemmas, self._random)

    def spots(
        self,
        exprs: Sequence[ir.Expr],
        before: SymbolicState,
        state: State,
        lines: Sequence[Mapping[str, Any]],
    ) -> list[Spot]:
        """Return the hidden places that some expressions read and that have tiles: those of whoever acts, if there are
        any, and those of nobody with few tiles.
        """
        spots = [spot for spot in self._spots(before, exprs) if self._tiles(state, spot)]
        own = [spot for spot in spots if spot[1] == lines[0].get("by")] or spots
        shared = [one for one in spots if one[1] is None and len(self._tiles(state, one)) <= MOST_SHARED]
        return [*dict.fromkeys([*own, *shared])]

    def about(
        self,
        exprs: Sequence[ir.Expr],
        state: State,
        lines: Sequence[Mapping[str, Any]],
        bounds: Mapping[Spot, Bounds],
    ) -> list[Guess]:
        """Return guesses at what lies in hidden places of which it is known what they can have, by which lines are
        legal.
        """
        wanted = self._wanted(exprs)
        shared = [spot for spot in bounds if spot[1] is None]
        spots = [spot for spot in bounds if spot[1] is not None] or shared
        if not wanted or not spots:
            return []
        found: dict[Any, Guess] = {}
        first = _Tried(self._reached(self._machine.copy(state), lines), state, {})
        best = [first]
        hits = Counter({one.name: 1 for one in wanted})
        furthest = (len(lines), 0)
        progress = enough = 0
        for number in range(SAMPLES):
            patience = MOST_PATIENCE if self._is_own(lines, best[0].reached[0], spots) else PATIENCE
            if enough >= ENOUGH or number > progress + patience:
                break
            base = first if self._random.random() < AFRESH else self._random.choice(best)
            made = self._machine.copy(base.state)
            moved = self._random.sample(spots, 1 if self._random.random() < ALONE else len(spots))
            for spot in shared if shared is not spots and self._random.random() < OF_NOBODY else ():
                tiles = self._random.choice(bounds[spot].seen)
                self._tiles(made, spot)[:] = sorted(tiles.elements())
            [arrangement] = self._random.choices(wanted, [hits[one.name] for one in wanted])
            named = self._names(lines, best[0].reached[0], spots)
            made_of = {
                spot: self._laid_out(made, spot, bounds[spot], arrangement, named, base.layouts.get(spot))
                for spot in moved
            }
            layouts = {spot: layout for spot, layout in made_of.items() if layout is not None}
            if len(layouts) < len(moved):
                continue
            reached = self._reached(self._machine.copy(made), lines)
            if reached > best[0].reached:
                hits[arrangement.name] += 1
                progress = number
            enough += reached == furthest
            if len(best) < MOST_KEPT or reached >= best[-1].reached:
                new = _Tried(reached, made, {**base.layouts, **layouts})
                best = sorted([new, *best], key=lambda one: one.reached, reverse=True)
                del best[MOST_KEPT:]
            if reached[0]:
                contents = {spot: tuple(sorted(self._tiles(made, spot))) for spot in bounds}
                found.setdefault(tuple(sorted(contents.items(), key=repr)), Guess(contents, reached[0]))
        return sorted(found.values(), key=lambda guess: -guess.legal)

    def _laid_out(
        self,
        state: State,
        spot: Spot,
        bounds: Bounds,
        arrangement: ArrangementDecl,
        named: Sequence[int],
        base: Layout | None,
    ) -> Layout | None:
        """Put other tiles into a hidden place. Return how they are arranged; None if it could not be done."""
        own = self._tiles(state, spot)
        if base is None:
            made = self._layouts.new(arrangement, len(own), bounds, named)
        else:
            made = self._layouts.near(base, len(own), bounds)
        if made is None:
            return None
        own[:] = sorted(made[0].elements())
        return made[1]

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

    def _names(self, lines: Sequence[Mapping[str, Any]], number: int, spots: Sequence[Spot]) -> list[int]:
        """Return the tiles that the first line names, and the one of this number, if it is of the same players."""
        at_end = 0 < number < len(lines) and self._is_own(lines, number, spots)
        return [*self._named_in(lines[0]), *(self._named_in(lines[number])[-1:] if at_end else [])]

    def _named_in(self, line: Mapping[str, Any]) -> list[int]:
        """Return the tiles that keys of an event are."""
        numbers = self._machine.reader.numbers
        return [numbers[value] for value in line.values() if isinstance(value, str) and value in numbers]

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
