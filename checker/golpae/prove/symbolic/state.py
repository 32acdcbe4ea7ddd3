"""A state of a game whose zones and variables may be unknown.

Input: values for each zone and variable. Output: the state, which the operations of a game change in place. A zone of
tiles is a bag, a zone of melds a bag of groups. Guarantee: a change forgets every value that was derived before it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from golpae.prove.symbolic.values import (
    EMPTY,
    Bag,
    Number,
    Truth,
    Value,
    as_number,
    cases,
    ite,
    ite_number,
    negate,
)
from golpae.prove.symbolic.zones import Zone, merged_zones


@dataclass(slots=True)
class SymbolicState:
    """A state of a game. `vars` and `zones` have a list for what each player has. At most one seat can win: `winner` is
    that one seat in the bag of winners, or none. `contents` takes note of all that zones ever had, if it is a list.
    """

    at: Value
    stake: Number
    winner: Value
    hands_played: Number
    total: list[Number]
    vars: dict[str, Any]
    zones: dict[str, Any]
    memo: dict[Any, Value] = field(default_factory=dict)  # values of definitions, dropped on every change
    contents: list[Bag] | None = None

    def copy(self) -> SymbolicState:
        return SymbolicState(
            self.at,
            self.stake,
            self.winner,
            self.hands_played,
            list(self.total),
            {n: list(v) if isinstance(v, list) else v for n, v in self.vars.items()},
            {n: list(z) if isinstance(z, list) else z for n, z in self.zones.items()},
            contents=self.contents,
        )

    def deferring(self) -> DeferringState:
        """Return a copy whose zones change when they are next read; a change that nobody reads costs nothing."""
        copy = self.copy()
        return DeferringState(
            copy.at,
            copy.stake,
            copy.winner,
            copy.hands_played,
            copy.total,
            copy.vars,
            _DeferringDict(copy.zones),
            contents=copy.contents,
        )

    def recording_reads(self) -> ReadRecorder:
        """Return a copy that records what is read of it."""
        copy = self.copy()
        read = {THE_GAME}
        return ReadRecorder(
            copy.at,
            copy.stake,
            copy.winner,
            copy.hands_played,
            copy.total,
            _RecordingDict(copy.vars, read),
            _RecordingDict(copy.zones, read),
            {},
            read=read,
        )

    def differing_parts(self, other: SymbolicState) -> frozenset[str]:
        """Return the parts that are not identical objects in another state; equal values may be reported too."""
        mine = [self.at, self.stake, self.winner, self.hands_played, *self.total]
        theirs = [other.at, other.stake, other.winner, other.hands_played, *other.total]
        out = set() if _identical(mine, theirs) else {THE_GAME}
        for here, there in ((self.vars, other.vars), (self.zones, other.zones)):
            out |= {name for name, value in here.items() if not _identical(value, there[name])}
        return frozenset(out)

    def zone(self, name: str, seat: Value) -> Zone:
        """Return a zone, for a seat that may be unknown."""
        zone = self.zones[name]
        if not isinstance(zone, list):
            assert isinstance(zone, Zone)
            return zone
        chosen = [(g, zone[s]) for g, s in cases(seat) if s is not None]
        if not chosen:
            return Zone(EMPTY, None)
        return merged_zones(chosen)

    def change_zone(self, name: str, seat: Value, change: Callable[[Zone], Zone]) -> None:
        """Change a zone in place, for a seat that may be unknown."""
        zone = self.zones[name]
        self.memo = {}
        if not isinstance(zone, list):
            self.zones[name] = self._noted(change(zone))
            return
        for guard, plain in cases(seat):
            if plain is not None:
                changed = self._noted(change(zone[plain]))
                zone[plain] = self._noted(merged_zones([(guard, changed), (negate(guard), zone[plain])]))

    def _noted(self, zone: Zone) -> Zone:
        if self.contents is not None:
            self.contents.append(zone.bag)
        return zone

    def set_var(self, name: str, seat: Value, value: Value) -> None:
        """Set a variable in place, for a seat that may be unknown, or `EVERYBODY`. One that is none gets nothing."""
        self.memo = {}
        if seat is EVERYBODY:
            self.vars[name] = value
            return
        for guard, plain in cases(seat):
            if plain is not None:
                self.vars[name][plain] = ite(guard, value, self.vars[name][plain])


EVERYBODY = object()  # instead of a seat, which may be none
THE_GAME = "the game"  # its stage, stake, winner and totals; always counted as read


class DeferringState(SymbolicState):
    """A state whose zones change when they are next read. A copy of it is an ordinary state."""

    __slots__ = ()

    def change_zone(self, name: str, seat: Value, change: Callable[[Zone], Zone]) -> None:
        """Change a zone when it is next read."""
        self.memo = {}
        if isinstance(self.zones, _DeferringDict):
            self.zones.defer(name, lambda: SymbolicState.change_zone(self, name, seat, change))
        else:  # it has become a state that two ways of a test have been merged into
            SymbolicState.change_zone(self, name, seat, change)


class _DeferringDict(dict[str, Any]):
    """Zones with changes that wait, in order, until the zone is read."""

    def __init__(self, values: dict[str, Any]) -> None:
        super().__init__(values)
        self._waiting: dict[str, list[Callable[[], None]]] = {}

    def defer(self, name: str, change: Callable[[], None]) -> None:
        self._waiting.setdefault(name, []).append(change)

    def __getitem__(self, name: str) -> Any:
        for change in self._waiting.pop(name, ()):
            change()
        return super().__getitem__(name)

    def __setitem__(self, name: str, value: Any) -> None:
        self._waiting.pop(name, None)
        super().__setitem__(name, value)

    def items(self) -> Any:
        self._settle()
        return super().items()

    def values(self) -> Any:
        self._settle()
        return super().values()

    def _settle(self) -> None:
        """Make all changes that wait."""
        for name in [*self._waiting]:
            self[name]


@dataclass(slots=True)
class ReadRecorder(SymbolicState):
    """A state that records which variables and zones are read."""

    read: set[str] = field(default_factory=set)


class _RecordingDict(dict[str, Any]):
    """Variables or zones, each recorded when it is read."""

    def __init__(self, values: dict[str, Any], read: set[str]) -> None:
        super().__init__(values)
        self._read = read

    def __getitem__(self, name: str) -> Any:
        self._read.add(name)
        return super().__getitem__(name)

    def items(self) -> Any:
        self._read.update(self)
        return super().items()

    def values(self) -> Any:
        self._read.update(self)
        return super().values()


def is_changed(one: Any, other: Any) -> bool:
    """Return whether a part of a state is another object than in another state."""
    return not _identical(one, other)


def _identical(one: Any, other: Any) -> bool:
    if isinstance(one, list):
        return all(a is b for a, b in zip(one, other, strict=True))
    return one is other


def merged(test: Truth, yes: SymbolicState, no: SymbolicState) -> SymbolicState:
    """Return the one state or the other."""
    if test is True:
        return yes
    if test is False:
        return no

    def values(a: Any, b: Any) -> Any:
        return a if a is b else ite(test, a, b)

    def zones(a: Any, b: Any) -> Any:
        if a is b:
            return a
        if isinstance(a, list):
            return [zones(x, y) for x, y in zip(a, b, strict=True)]
        return merged_zones([(test, a), (negate(test), b)])

    def each(a: Any, b: Any) -> Any:
        if isinstance(a, list):
            return [values(x, y) for x, y in zip(a, b, strict=True)]
        return values(a, b)

    return SymbolicState(
        values(yes.at, no.at),
        yes.stake,
        values(yes.winner, no.winner),
        as_number(values(yes.hands_played, no.hands_played)),
        [ite_number(test, a, b) if a is not b else a for a, b in zip(yes.total, no.total, strict=True)],
        {n: each(v, no.vars[n]) for n, v in yes.vars.items()},
        {n: zones(z, no.zones[n]) for n, z in yes.zones.items()},
        contents=yes.contents,
    )
