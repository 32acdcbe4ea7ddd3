"""The ways to fill in the hidden places of a hand that replay has accepted, and others near them.

Input: lines with unknown tiles from a state on, and ways to fill them in. Output: what all ways have alike at each
place. Guarantee: a way is taken note of only if replay accepts it. Chance comes from a fixed seed.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from golpae.hidden.lines import HiddenLine, item_at
from golpae.hidden.places import HiddenPlace, lying_in, lying_in_zone
from golpae.ir.limits import TooManySteps
from golpae.prove.symbolic.values import Bag
from golpae.replay.machine import Machine, State
from golpae.replay.replay import happen
from golpae.trace import Header

Lines = Sequence[Mapping[str, Any]]


@dataclass(slots=True)
class Lying:
    """What lies in a place, in all ways seen so far, and as the solver knows it."""

    place: HiddenPlace
    bag: Bag
    fewest: Counter[str] | None = None
    most: Counter[str] = field(default_factory=Counter)
    is_low: set[str] = field(default_factory=set)  # kinds of which it has never fewer
    is_absent: set[str] = field(default_factory=set)  # kinds that never lie there
    is_high: set[str] = field(default_factory=set)  # kinds of which it never has more than the fewest
    sizes: set[int] = field(default_factory=set)  # how many tiles it had

    def add(self, tiles: Counter[str]) -> bool:
        """Take note of the tiles of a way; return whether they show something new."""
        fewest = tiles if self.fewest is None else self.fewest & tiles
        most = self.most | tiles
        new = fewest != self.fewest or most != self.most
        self.fewest, self.most = Counter(fewest), most
        self.sizes.add(tiles.total())
        return new


class SeenWays:
    """The ways of one hand that were seen. `wanted` are the events after which the states are asked for."""

    def __init__(
        self, machine: Machine, header: Header, state: State, lines: Sequence[HiddenLine], wanted: range
    ) -> None:
        self._machine, self._header, self._state, self._lines = machine, header, state, lines
        self._wanted = wanted
        self._kinds = [kind.name for kind in machine.instance.kinds if kind.copies]
        self._random = random.Random(0)
        self._seen: set[Any] = set()
        self.lying: list[Lying] = []
        """What lies in each place."""

    @property
    def many(self) -> int:
        """How many different ways were seen."""
        return len(self._seen)

    def played(self, lines: Lines) -> dict[int, State] | None:
        """Return the states after the events that are wanted; None if a line is not legal."""
        here = self._machine.copy(self._state)
        states: dict[int, State] = {}
        for number, line in enumerate(lines, 1):
            if not is_legal(self._machine, self._header, here, line):
                return None
            if number in self._wanted:
                states[number] = here if number == len(lines) else self._machine.copy(here)
        return states

    def look_at(self, lines: Lines, states: Mapping[int, State]) -> bool:
        """Take note of a way; return whether it shows something new."""
        new = False
        key = []
        for one in self.lying:
            place = one.place
            if place.is_zone:
                tiles = lying_in_zone(self._machine, states[place.event], place)
            else:
                tiles = lying_in(self._machine, place, lines[place.event - 1])
                key.append(tuple(sorted(tiles.items())))
            new |= one.add(tiles)
        self._seen.add(tuple(key))
        return new

    def look_near(self, way: Lines, tries: int) -> None:
        """Look for ways near one that show a tile where none has shown it: with two kinds in each other's place
        wherever they are hidden, or in two places.
        """
        spots = [(n, place) for n, line in enumerate(self._lines) for place in line.places]
        tiles = {(n, place): item_at(way[n], place) for n, place in spots}
        wanted = [
            (one, kind) for one in self.lying if one.place.spots for kind in self._kinds if not one.most[kind]
        ]
        self._random.shuffle(wanted)
        for one, kind in wanted:
            if tries <= 0:
                return
            spot = one.place.event - 1, self._random.choice(one.place.spots)
            there = tiles[spot]
            if one.most[kind] or there == kind:
                continue
            both = {kind: there, there: kind}
            elsewhere = [other for other in spots if tiles[other] == kind]
            in_two = {spot: kind} | ({self._random.choice(elsewhere): there} if elsewhere else {})
            for changed in ({at: both.get(tile, tile) for at, tile in tiles.items()}, in_two):
                tries -= 1
                trial = tiles | changed
                made = [
                    line.filled([trial[n, place] for place in line.places]) if line.places else line.line
                    for n, line in enumerate(self._lines)
                ]
                states = self.played(made)
                if states is not None:
                    tiles = trial
                    self.look_at(made, states)
                    break


def is_legal(machine: Machine, header: Header, state: State, line: Mapping[str, Any]) -> bool:
    """Let an event happen; return whether it is legal, as far as that takes no more steps than golpae takes."""
    try:
        return happen(machine, header, state, line) is None
    except TooManySteps:
        return False
