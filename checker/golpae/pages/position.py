"""Positions of a game as plain data, in the form that a module of `golpae build` gives its states.

Input: a machine and its states.
Output: a flat object for a state, and what changed since the one before.
Guarantee: tiles, words and numbers are said as traces write them. A bag is in the order of the set.

    {"stage": "playing", "winner": null, "totals": [0, 0], "zone/hand/0": ["6-6", "4-2"], "state/mover": 0}
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, assert_never

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
from golpae.replay.state_layout import var_in, zone_in

Position = dict[str, Any]
LONG = 6  # tiles of a zone that are not said again
UNKNOWN = "?"  # a tile that nobody can know


class Positions:
    """The positions of one machine."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._parts = [*self._zones(), *self._states()]

    def nested(self, state: State) -> dict[str, Any]:
        """Return a state as a module writes it: zones and states by their names, a list where each player has one."""
        rules = self._machine.rules
        return {
            **self._of_match(state),
            "zones": {z.name: each(z.each_player, self._zone, zone_in(state, z.name)) for z in rules.zones},
            "states": {
                v.name: each(v.each_player, self._show(v.type), var_in(state, v.name)) for v in rules.vars
            },
        }

    def flat(self, state: State) -> Position:
        """Return a state."""
        return self._of_match(state) | {key: show(get(state)) for key, get, show in self._parts}

    def _of_match(self, state: State) -> Position:
        return {
            "stage": self._machine.stage(state),
            "stake": state.stake,
            "winner": state.winner,
            "hands_played": state.hands_played,
            "totals": [*state.total],
        }

    # ------------------------------------------------------------------ parts of a state

    def _zones(self) -> Iterator[tuple[str, Callable[[State], Any], Callable[[Any], Any]]]:
        for zone in self._machine.rules.zones:
            for key, get in self._places(f"zone/{zone.name}", zone.name, zone.each_player, zone_in):
                yield key, get, self._zone

    def _states(self) -> Iterator[tuple[str, Callable[[State], Any], Callable[[Any], Any]]]:
        for var in self._machine.rules.vars:
            for key, get in self._places(f"state/{var.name}", var.name, var.each_player, var_in):
                yield key, get, self._show(var.type)

    def _places(
        self, key: str, name: str, each_player: bool, read: Callable[[State, str], Any]
    ) -> Iterator[tuple[str, Callable[[State], Any]]]:
        if not each_player:
            yield key, lambda state: read(state, name)
            return
        for seat in range(self._machine.instance.players):
            yield f"{key}/{seat}", partial(_of_seat, read, name, seat)

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
            case Bag(item):
                return sorted((self._value(one, item) for one in value), key=repr)
            case Each(item):
                return [self._value(one, item) for one in value]
            case Bool() | Int() | Seat() | Choice() | NoneType() | Points() | Patterns():
                return value
            case _:
                assert_never(kind)


def _of_seat(read: Callable[[State, str], Any], name: str, seat: int, state: State) -> Any:
    return read(state, name)[seat]


def each(each_player: bool, show: Callable[[Any], Any], value: Any) -> Any:
    """Return each player's value as it is shown, or the only one."""
    return [*map(show, value)] if each_player else show(value)


def changed(before: Position, after: Position) -> Position:
    """Return what is otherwise in the second position. A long zone that lost tiles at one end is said shorter:
    `{"last": 40}` are its last 40 tiles as they were before, `{"first": 40}` its first 40.
    """
    return {
        key: _shorter(before[key], value) if key.startswith("zone/") else value
        for key, value in after.items()
        if before[key] != value
    }


def _shorter(before: list[Any], after: list[Any]) -> Any:
    size = len(after)
    if size >= LONG and before[-size:] == after:
        return {"last": size}
    if size >= LONG and before[:size] == after:
        return {"first": size}
    return after


def whole(value: Any, before: Any) -> Any:
    """Return a value that `changed` says shorter."""
    if isinstance(value, dict) and "last" in value:
        return before[-value["last"] :]
    return before[: value["first"]] if isinstance(value, dict) and "first" in value else value
