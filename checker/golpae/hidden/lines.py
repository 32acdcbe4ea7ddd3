"""Lines of a trace in which tiles are unknown: where, and what each line says once they are filled in.

Input: the object of a line, and the action that it names. Output: a `HiddenLine`, or why the line cannot be read.
Guarantee: `filled` gives an ordinary line, which differs from the recorded one in unknown tiles alone.

A tile is unknown where `"?"` stands for it, where a hand is given by its size, and where a key that must hold a tile is
left out.

    {"do":"deal","first":0,"hands":[["5m","?"],2]}     the places ("hands", 0, 1), ("hands", 1, 0) and ("hands", 1, 1)
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from golpae.ir.ruleset import Action
from golpae.ir.types import Tile, has_tiles
from golpae.records import dataclass
from golpae.replay.decode import Bad, shown
from golpae.replay.machine import Machine
from golpae.replay.replay import no_such_action
from golpae.trace.unseen import UNKNOWN

OPEN = "open"  # whether an event can happen now at all, whatever its keys are
ALWAYS_ASKED = (OPEN, "hands", "set", "rest")  # of every game: without them no event can be followed
HANDS, RESERVE = "hands", "reserve"  # keys of a deal; a key of another action may have the same name
MOST_IN_HAND = 10_000  # tiles of a hand that is given by its size

Place = tuple[str | int, ...]
"""A key, and the numbers of the items inside lists."""


@dataclass(frozen=True, slots=True)
class HiddenLine:
    """An event: its line with `UNKNOWN` wherever a tile is unknown, and these places in their order. Conditions, by
    their names, are set `aside` by rulings.
    """

    line: Mapping[str, Any]
    places: tuple[Place, ...]
    aside: frozenset[str] = frozenset()

    def at(self, place: Place) -> Any:
        """Return what the line has at a place."""
        return item_at(self.line, place)

    def filled(self, tiles: Sequence[str]) -> dict[str, Any]:
        """Return the line with these tiles, one for each place in order."""
        line = {key: _copied(value) for key, value in self.line.items()}
        for place, tile in zip(self.places, tiles, strict=True):
            inside: Any = line
            for step in place[:-1]:
                inside = inside[step]
            inside[place[-1]] = tile
        return line


def item_at(line: Mapping[str, Any], place: Place) -> Any:
    """Return what a line has at a place."""
    inside: Any = line
    for step in place:
        inside = inside[step]
    return inside


def read_line(machine: Machine, line: Mapping[str, Any]) -> HiddenLine | str:
    """Return a line with its unknown tiles, or in words for the player why it is no event of a game."""
    do = line.get("do")
    action = machine.actions.get(do) if isinstance(do, str) else None
    if action is None:
        return no_such_action(machine, line)
    hidden = hidden_line(line, action)
    if isinstance(hidden, str):
        return hidden
    read = read_anyhow(machine, hidden)
    if not isinstance(read, Bad):
        return hidden
    if not hidden.places:
        return read.message
    return read.message.replace(json.dumps(_any_tile(machine, hidden)), json.dumps(UNKNOWN))


def read_anyhow(machine: Machine, line: HiddenLine) -> tuple[Any, ...] | Bad:
    """Return the arguments of an event with some tile in each unknown place, or what is wrong with its keys."""
    return machine.read(line.line["do"], line.filled([_any_tile(machine, line)] * len(line.places)))


def _any_tile(machine: Machine, line: HiddenLine) -> str:
    """Return a tile, one that the line does not name if there is one: what is said of it is said of an unknown one."""
    named = {value for value in line.line.values() if isinstance(value, str)}
    names = (kind.name for kind in machine.instance.kinds)
    return next((name for name in names if name not in named), machine.instance.kinds[0].name)


def dealt_keys(action: Action) -> tuple[str, ...]:
    """Return the keys of a deal that have all tiles of the set. Its other keys, and those of any other event, name
    tiles that lie there.
    """
    return () if action.dealing is None else (HANDS, RESERVE)


def hand_at(action: Action, place: Place) -> int | None:
    """Return whose hand in a deal a place is part of; None if it is part of no hand in a deal."""
    if action.dealing is None or place[0] != HANDS:
        return None
    seat = place[1]
    assert isinstance(seat, int)
    return seat


def miscounted(machine: Machine, line: HiddenLine) -> str | None:
    """Return the name of the condition that a line breaks whatever its tiles are, because it has too few or too many
    hands, or parts of a list; None if it has as many as the rules ask for.
    """
    action = machine.actions[line.line["do"]]
    if action.kind == "deal" and len(line.line["hands"]) != machine.instance.players:
        return next(condition.name for condition in action.conditions if condition.of_game == "hands")
    parts = (param for param in action.params if param.parts)
    return next((param.name for param in parts if len(line.line[param.name]) != len(param.parts)), None)


def hidden_line(line: Mapping[str, Any], action: Action) -> HiddenLine | str:
    """Return a line with its unknown tiles, or in words for the player why it is no event."""
    whole = dict(line)
    if action.kind == "deal" and isinstance(whole.get("hands"), list):
        hands = []
        for hand in whole["hands"]:
            if type(hand) is int and not 0 <= hand <= MOST_IN_HAND:
                return f"a hand cannot have {shown(hand)} tiles"
            hands.append([UNKNOWN] * hand if type(hand) is int else hand)
        whole["hands"] = hands
    for param in action.params:
        if param.name not in whole and not param.optional:
            if isinstance(param.type, Tile):
                whole[param.name] = UNKNOWN
            elif param.parts:
                whole[param.name] = [UNKNOWN] * len(param.parts)
    tiles = [param.name for param in action.params if has_tiles(param.type)]
    places = (place for key in tiles if key in whole for place in _places(whole[key], (key,)))
    return HiddenLine(whole, tuple(places))


def without_tiles(machine: Machine, line: HiddenLine, seat: int | None) -> HiddenLine:
    """Return a line that says nothing of the tiles of a player's hand in a deal, or (None) of its other tiles."""
    action = machine.actions[line.line["do"]]
    whole = dict(line.line)
    if seat is not None:
        whole[HANDS] = [[UNKNOWN] * len(hand) if s == seat else hand for s, hand in enumerate(whole[HANDS])]
    else:
        for param in action.params:
            is_hands = action.dealing is not None and param.name == HANDS
            if has_tiles(param.type) and whole.get(param.name) is not None and not is_hands:
                whole[param.name] = _blank(whole[param.name], machine)
    hidden = hidden_line(whole, action)
    assert isinstance(hidden, HiddenLine)
    return replace(hidden, aside=line.aside)


def _blank(value: Any, machine: Machine) -> Any:
    """Return a value with unknown tiles, which keeps the labels of melds."""
    if isinstance(value, list):
        return [_blank(item, machine) for item in value]
    return UNKNOWN if value in machine.reader.numbers and value not in machine.reader.labels else value


def _places(value: Any, at: Place) -> Iterator[Place]:
    if value == UNKNOWN:
        yield at
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from _places(item, (*at, number))


def _copied(value: Any) -> Any:
    return [_copied(item) for item in value] if isinstance(value, list) else value
