"""Positions of a game as plain data, in the form that a module of `golpae build` gives its states.

Input: a machine and its states.
Output: a flat object for a state, and what each event changes.
Guarantee: tiles, words and numbers are said as traces write them. A bag is in the order of the set.

    {"stage": "playing", "winner": null, "totals": [0, 0], "zone/hand/0": ["6-6", "4-2"], "state/mover": 0}
    "seen/hand/0": [0, 1]    who else sees a zone, if that depends on the state
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from operator import attrgetter
from typing import Any, NamedTuple, assert_never

from golpae.ir.types import (
    Bag,
    Bool,
    Choice,
    Each,
    Int,
    NoneType,
    Opt,
    Patterns,
    Points,
    Seat,
    Tile,
    Type,
)
from golpae.ir.types import Meld as MeldType
from golpae.replay.machine import Machine, State
from golpae.replay.runtime import HIDDEN, Meld, Row
from golpae.replay.state_layout import TOTAL, var_in, var_slot, zone_in, zone_slot

Position = dict[str, Any]
ZONE = "zone/"  # how the keys of zones begin
SEEN = "seen/"  # how the keys begin that say who else sees a zone now
LONG = 4  # items of a list that stay where they are, and are not said again
UNKNOWN = "?"  # a tile that nobody can know


class _Part(NamedTuple):
    """A part of a state: how it is read, copied so that it can be compared later, and shown. `slot` is the attribute of
    the state that it lies in, if it needs no copy there.
    """

    key: str
    read: Callable[[State], Any]
    copied: Callable[[Any], Any]
    show: Callable[[Any], Any]
    slot: str | None = None


class Positions:
    """The positions of one machine."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._parts = [*self._of_match(), *self._zones(), *self._seen(), *self._states()]

    def nested(self, state: State) -> dict[str, Any]:
        """Return a state as a module writes it: zones and states by their names, a list where each player has one."""
        rules = self._machine.rules
        return {
            **{part.key: part.show(part.read(state)) for part in self._of_match()},
            "zones": {z.name: each(z.each_player, self._zone, zone_in(state, z.name)) for z in rules.zones},
            **self._seers(state),
            "states": {
                v.name: each(v.each_player, self._show(v.type), var_in(state, v.name)) for v in rules.vars
            },
        }

    def flat(self, state: State) -> Position:
        """Return a state."""
        return {part.key: part.show(part.read(state)) for part in self._parts}

    def walk(self, state: State) -> Walk:
        """Return a walk that follows the changes of a state from here on."""
        return Walk(self._parts, state)

    # ------------------------------------------------------------------ parts of a state

    def _of_match(self) -> Iterator[_Part]:
        yield _Part("stage", self._machine.stage, _itself, _itself)
        for word in ("stake", "winner", "hands_played"):
            yield _Part(word, attrgetter(word), _itself, _itself, word)
        yield _Part("totals", attrgetter(TOTAL), list, list)

    def _zones(self) -> Iterator[_Part]:
        for zone in self._machine.rules.zones:
            read = attrgetter(zone_slot(zone.name))
            for key, own in self._places(f"zone/{zone.name}", zone.each_player, read):
                yield _Part(key, own, _slots if zone.kind == "row" else list, self._zone)

    def _seen(self) -> Iterator[_Part]:
        """Yield who else sees each zone of which that depends on the state."""
        for zone in self._machine.rules.zones:
            if zone.also is not None:
                for owner in range(self._machine.instance.players) if zone.each_player else (None,):
                    key = f"{SEEN}{zone.name}" if owner is None else f"{SEEN}{zone.name}/{owner}"
                    yield _Part(key, partial(self._machine.seers, zone=zone, owner=owner), list, list)

    def _seers(self, state: State) -> dict[str, Any]:
        """Return the seats that see each zone under one key, if there are zones that few see."""
        machine = self._machine
        seen = {
            zone.name: [machine.seers(state, zone, owner) for owner in range(machine.instance.players)]
            if zone.each_player
            else machine.seers(state, zone, None)
            for zone in machine.rules.zones
            if zone.also is not None
        }
        return {"seen": seen} if seen else {}

    def _states(self) -> Iterator[_Part]:
        for var in self._machine.rules.vars:
            read = attrgetter(var_slot(var.name))
            show = self._show(var.type)
            copied = _copy_of(var.type) or show
            for key, own in self._places(f"state/{var.name}", var.each_player, read):
                yield _Part(key, own, copied, show, var_slot(var.name) if copied is _itself else None)

    def _places(
        self, key: str, each_player: bool, read: Callable[[State], Any]
    ) -> Iterator[tuple[str, Callable[[State], Any]]]:
        if not each_player:
            yield key, read
            return
        for seat in range(self._machine.instance.players):
            yield f"{key}/{seat}", partial(_of_seat, read, seat)

    def _zone(self, zone: Any) -> list[Any]:
        tile = self._machine.tile
        if isinstance(zone, Row):
            return [UNKNOWN if number == HIDDEN else tile(number) for number in zone.slots]
        if zone and isinstance(zone[0], Meld):
            return [self._meld(meld) for meld in zone]
        return [*map(tile, sorted(zone))]

    def _meld(self, meld: Any) -> dict[str, Any]:
        label = {} if meld.label is None else {"label": meld.label}
        return {**label, "tiles": [*map(self._machine.tile, meld)]}

    def _show(self, kind: Type) -> Callable[[Any], Any]:
        return lambda value: self._value(value, kind)

    def _value(self, value: Any, kind: Type) -> Any:
        if value is None:  # none, or no value yet
            return None
        match kind:
            case Opt(item):
                return self._value(value, item)
            case Tile():
                return self._machine.tile(value)
            case MeldType():
                return self._meld(value)
            case Bag(Tile() | Seat() | Int() | Bool() as item):
                return [self._value(one, item) for one in sorted(value)]
            case Bag(Choice(words)):
                return sorted(value, key=words.index)
            case Bag(item):
                return sorted((self._value(one, item) for one in value), key=repr)
            case Each(item):
                return [self._value(one, item) for one in value]
            case Bool() | Int() | Seat() | Choice() | NoneType() | Points() | Patterns():
                return value
            case _:
                assert_never(kind)


class Walk:
    """The changes of one state, event by event. `first` is the position from which it starts."""

    def __init__(self, parts: Sequence[_Part], state: State) -> None:
        self._copied = [part for part in parts if part.slot is None]
        self._copies = [part.copied(part.read(state)) for part in self._copied]
        slots = dict.fromkeys(part.slot for part in parts if part.slot is not None)
        self._of_slots = [[part for part in parts if part.slot == slot] for slot in slots]
        self._read = attrgetter(*slots)  # INVARIANT: several, for those of every match are among them
        self._slots = _kept(self._read(state))
        self.first = {part.key: part.show(part.read(state)) for part in parts}
        self._shown = dict(self.first)

    def changes(self, state: State) -> Position:
        """Return the parts of the position that have changed since the last call. A list of which most stays as it was
        is said shorter: `{"cut": [40, 2, "6-6"]}` replaces its two items at place 40 by a 6-6.
        """
        new: Position = {}
        copies = self._copies
        for at, part in enumerate(self._copied):
            value = part.read(state)
            copied = part.copied(value)
            if copied != copies[at]:
                copies[at] = copied
                self._note(part, value, new)
        slots = self._read(state)
        if slots != self._slots:  # most are what they were: all are compared at once
            for parts, was, now in zip(self._of_slots, self._slots, slots, strict=True):
                if was != now:
                    for part in parts:
                        self._note(part, part.read(state), new)
            self._slots = _kept(slots)
        return new

    def _note(self, part: _Part, value: Any, new: Position) -> None:
        """Note how a part is shown that may have changed."""
        after, before = part.show(value), self._shown[part.key]
        if after != before:
            listed = isinstance(before, list) and isinstance(after, list)
            new[part.key] = _shorter(before, after) if listed else after
            self._shown[part.key] = after


def _kept(slots: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return a copy of the values in slots, apart from the state."""
    return tuple(value[:] if type(value) is list else value for value in slots)


def _copy_of(kind: Type) -> Callable[[Any], Any] | None:
    """Return a function that copies a value of a type so that it can be compared; None if only its form that is shown
    can be.
    """
    match kind.item if isinstance(kind, Opt) else kind:
        case Bag(Tile() | Seat() | Int() | Bool()):
            return lambda value: None if value is None else list(value)
        case Bag() | Each() | MeldType():
            return None
        case _:
            return _itself


def _itself(value: Any) -> Any:
    return value


def _slots(row: Row) -> list[int]:
    return row.slots[:]


def _of_seat(read: Callable[[State], Any], seat: int, state: State) -> Any:
    return read(state)[seat]


def each(each_player: bool, show: Callable[[Any], Any], value: Any) -> Any:
    """Return each player's value as it is shown, or the only one."""
    return [*map(show, value)] if each_player else show(value)


def _shorter(before: list[Any], after: list[Any]) -> Any:
    most = min(len(before), len(after))
    start = next((at for at in range(most) if before[at] != after[at]), most)
    left = most - start
    end = next((at for at in range(left) if before[-1 - at] != after[-1 - at]), left)
    if start + end < LONG:
        return after
    return {"cut": [start, len(before) - start - end, *after[start : len(after) - end]]}


def whole(value: Any, before: Any) -> Any:
    """Return a value that `Walk.changes` says shorter."""
    if not isinstance(value, dict) or "cut" not in value:
        return value
    at, gone, *added = value["cut"]
    return [*before[:at], *added, *before[at + gone :]]
