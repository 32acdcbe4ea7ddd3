"""The hidden places of a recorded game: where in an event nobody knows which tiles lie.

Input: lines with unknown tiles. Output: their places, and what lies there once all tiles are known.
Guarantee: tiles whose order means nothing are one place. A hand of thirteen unknown tiles is one, with thirteen tiles.

    {"do":"deal","first":0,"hands":[["5m","?"],2]}     An's hand with one, Bo's hand with two, and what is left over
    {"do":"draw","by":1,"tile":"?"}                     the tile
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from golpae.hidden.lines import HANDS, RESERVE, HiddenLine, Place, dealt_keys, item_at
from golpae.ir.ruleset import Action, ZoneDecl
from golpae.ir.types import Each, Opt
from golpae.lower.event_plan import asks_order
from golpae.records import dataclass
from golpae.replay.machine import Machine, State
from golpae.replay.state_layout import zone_in
from golpae.trace.unseen import UNKNOWN


@dataclass(frozen=True, slots=True)
class HiddenPlace:
    """Some unknown tiles of an event, counted from 1, or of a zone after it.

    `key` is the key of the event, or the name of the zone. `seat` says whose it is if the key or the zone has a part
    for each player. `at` is the number of the tile, from 0, if their order counts. `spots` are where the line has
    them; none for a reserve that was left out and for a zone. `tiles` says how many there are.
    """

    event: int
    key: str
    seat: int | None
    at: int | None
    spots: tuple[Place, ...]
    tiles: int
    is_zone: bool = False


def places_of(machine: Machine, lines: Sequence[HiddenLine]) -> list[HiddenPlace]:
    """Return the hidden places of events, in their order."""
    return [place for number, line in enumerate(lines, 1) for place in _places(machine, number, line)]


def _places(machine: Machine, number: int, line: HiddenLine) -> Iterator[HiddenPlace]:
    action = machine.actions[line.line["do"]]
    spots: dict[tuple[str, int | None, int | None], list[Place]] = {}
    for place in line.places:
        key, first = str(place[0]), place[1] if len(place) > 1 else None
        index = first if isinstance(first, int) else None
        if _has_order(machine, action, key):
            spots.setdefault((key, None, index), []).append(place)
        else:
            spots.setdefault((key, index if _goes_by_seat(action, key) else None, None), []).append(place)
    for (key, seat, at), there in spots.items():
        yield HiddenPlace(number, key, seat, at, tuple(there), len(there))
    if action.kind == "deal" and line.line.get(RESERVE) is None and line.places:
        own = sum(len(there) for (key, _, _), there in spots.items() if key in dealt_keys(action))
        over = unnamed(machine, line.line).total() - own
        if over > 0:
            yield HiddenPlace(number, RESERVE, None, None, (), over)


def _has_order(machine: Machine, action: Action, key: str) -> bool:
    """Return whether the order of a list in an event counts."""
    if action.dealing is not None and key == RESERVE:
        return machine.rules.zone(action.dealing.zone).kind == "row"
    return any(
        param.name == key and not param.parts and asks_order(machine.rules, action, key)
        for param in action.params
    )


def _goes_by_seat(action: Action, key: str) -> bool:
    if action.kind == "deal" and key == HANDS:
        return True
    kinds = (p.type.item if isinstance(p.type, Opt) else p.type for p in action.params if p.name == key)
    return any(isinstance(kind, Each) for kind in kinds)


# ------------------------------------------------------------------ what lies there


def lying_in(machine: Machine, place: HiddenPlace, line: Mapping[str, Any]) -> Counter[str]:
    """Return the tiles of a place, by a line all of whose tiles are known. The place is no zone."""
    if place.spots:
        return Counter(item_at(line, spot) for spot in place.spots)
    return unnamed(machine, line)


def unnamed(machine: Machine, line: Mapping[str, Any]) -> Counter[str]:
    """Return the tiles of the set that a deal does not name: its unknown tiles, and those that are left over."""
    keys = dealt_keys(machine.actions[line["do"]])
    words = (word for key in keys for word in _words(line.get(key)))
    left = Counter(map(machine.tile, machine.instance.whole))
    left.subtract(machine.tile(machine.reader.numbers[word]) for word in words if word != UNKNOWN)
    return +left


def _words(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _words(item)


# ------------------------------------------------------------------ zones


def lying_in_zone(machine: Machine, state: State, place: HiddenPlace) -> Counter[str]:
    """Return the tiles of a place that is a zone."""
    return Counter(map(machine.tile, tiles_in(machine.rules.zone(place.key), state, place.seat)))


def tiles_in(zone: ZoneDecl, state: State, seat: int | None) -> Iterator[int]:
    """Yield the tiles of a zone, or of the part of it that is a player's."""
    lying = zone_in(state, zone.name)
    own = lying if seat is None else lying[seat]
    if zone.kind == "row":
        yield from own.all()
    elif zone.kind == "melds":
        yield from (tile for meld in own for tile in meld)
    else:
        yield from own
