"""Make logs with unknown tiles from full traces, and spoil them.

Input: a machine, the events of a trace, a generator of random numbers or a seat.
Output: the events with `"?"` in place of tiles. The events that are given stay as they are.
Guarantee: what is hidden can be filled in with what was there; nothing but tiles is hidden, and a `reserve` may be left
out.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from golpae.ir.ruleset import ZoneDecl
from golpae.replay.machine import Machine, State
from golpae.replay.state_layout import zone_in
from tests.hidden.brute import RESERVE, UNKNOWN, Event, keys_with_tiles

Shows = Callable[
    [str, str, int | None], bool
]  # a key, a tile, and the seat whose tile it is, if the key goes by seat


def hidden_by_chance(
    machine: Machine, events: Sequence[Event], rng: random.Random, share: float
) -> list[Event]:
    """Return events in which each tile is unknown with this probability. Hands of which nothing is known are at times
    given by their size, and such a reserve is at times left out.
    """
    out = []
    for event in events:
        shown = _shown(machine, event, lambda key, tile, seat: rng.random() >= share)
        if "hands" in shown and machine.actions[event["do"]].kind == "deal":
            shown["hands"] = [_size(hand) if rng.random() < 0.5 else hand for hand in shown["hands"]]
        if RESERVE in shown and _is_unknown(shown[RESERVE]) and rng.random() < 0.5:
            del shown[RESERVE]
        out.append(shown)
    return out


def seen_from(machine: Machine, events: Sequence[Event], seat: int | None, stake: int = 1) -> list[Event]:
    """Return events as one seat saw them, by the `seen by` of the rules; `None` for somebody who only sees what
    everybody sees. The trace has to be legal.

    Who acts knows the tiles that he names. Of a deal one sees the hands and zones that one sees. Anybody else knows a
    tile that an event names if it leaves a zone that he sees then, or comes to one that he sees afterwards, or if it
    stays where it is: then it was said.
    """
    state, out = machine.new_state(stake), []
    for event in events:
        before = machine.copy(state)
        machine.steps[event["do"]](state, event)
        action = machine.actions[event["do"]]
        if action.kind == "deal":
            shown = _shown(machine, event, _of_deal(machine, state, seat))
            if RESERVE in shown and _is_unknown(shown[RESERVE]):
                del shown[RESERVE]
            out.append(shown)
        elif seat is not None and event.get("by") == seat:
            out.append(dict(event))
        else:
            out.append(_shown(machine, event, _of_event(machine, before, state, seat)))
    return out


def all_but_discards(machine: Machine, events: Sequence[Event], stake: int = 1) -> list[Event]:
    """Return events of which only the tiles are known that lie before everybody."""
    return seen_from(machine, events, None, stake)


def spoilt(machine: Machine, events: Sequence[Event], rng: random.Random) -> list[Event] | None:
    """Return events in which one known tile is another one of the set; None if no tile is known."""
    kinds = [machine.tile(i) for i, kind in enumerate(machine.instance.kinds) if kind.copies]
    known = [
        (number, key, path)
        for number, event in enumerate(events)
        for key in sorted(keys_with_tiles(machine.actions[event["do"]]) & event.keys())
        for path in _tiles(machine, event[key])
    ]
    if not known or len(kinds) < 2:
        return None
    number, key, path = rng.choice(known)
    out = [*events]
    out[number] = dict(events[number])
    old = _at(events[number][key], path)
    out[number][key] = _with(events[number][key], path, rng.choice([kind for kind in kinds if kind != old]))
    return out


# ---------------------------------------------------------------------- what somebody sees


def _of_deal(machine: Machine, after: State, seat: int | None) -> Shows:
    deal = next(a for a in machine.rules.actions if a.kind == "deal")
    assert deal.dealing is not None
    dealing = deal.dealing

    def shows(key: str, tile: str, owner: int | None) -> bool:
        if key == "hands":
            return _sees(machine, after, machine.rules.zone(dealing.hand), owner, seat)
        zone = dealing.zone if key == RESERVE else key
        zones = {one.name: one for one in machine.rules.zones}
        return zone not in zones or _sees(machine, after, zones[zone], None, seat)

    return shows


def _of_event(machine: Machine, before: State, after: State, seat: int | None) -> Shows:
    """Return what is seen of the tiles that an event names."""
    gone, come = [], []
    for zone in machine.rules.zones:
        for owner in range(machine.instance.players) if zone.each_player else (None,):
            lay, lies = (Counter(map(machine.tile, _lying(zone, state, owner))) for state in (before, after))
            gone.append((lay - lies, _sees(machine, before, zone, owner, seat)))
            come.append((lies - lay, _sees(machine, after, zone, owner, seat)))

    def shows(key: str, tile: str, owner: int | None) -> bool:
        changes = [sees for moved, sees in (*gone, *come) if moved[tile]]
        return not changes or any(changes)

    return shows


def _sees(machine: Machine, state: State, zone: ZoneDecl, owner: int | None, seat: int | None) -> bool:
    if seat is None:
        return zone.seen_by == "everyone"
    return machine.sees(state, zone, owner, seat)


def _lying(zone: ZoneDecl, state: State, owner: int | None) -> Iterator[int]:
    lying = zone_in(state, zone.name)
    own = lying if owner is None else lying[owner]
    if zone.kind == "row":
        yield from own.all()
    elif zone.kind == "melds":
        yield from (tile for meld in own for tile in meld)
    else:
        yield from own


# ---------------------------------------------------------------------- tiles in an event


def _shown(machine: Machine, event: Event, shows: Shows) -> Event:
    """Return an event of which only some tiles are known."""
    action = machine.actions[event["do"]]
    named = keys_with_tiles(action)
    out = dict(event)
    for key in sorted(named & event.keys()):
        if key == "hands" and action.kind == "deal":
            out[key] = [_masked(machine, hand, key, seat, shows) for seat, hand in enumerate(event[key])]
        else:
            out[key] = _masked(machine, event[key], key, None, shows)
    return out


def _masked(machine: Machine, value: Any, key: str, seat: int | None, shows: Shows) -> Any:
    if isinstance(value, list):
        return [_masked(machine, item, key, seat, shows) for item in value]
    if not isinstance(value, str) or value not in machine.reader.numbers:
        return value
    return value if shows(key, machine.tile(machine.reader.numbers[value]), seat) else UNKNOWN


def _is_unknown(tiles: list[Any]) -> bool:
    return all(tile == UNKNOWN for tile in tiles)


def _size(hand: list[Any]) -> list[Any] | int:
    """Return the size of a hand of which nothing is known."""
    return len(hand) if _is_unknown(hand) else hand


def _tiles(machine: Machine, value: Any, path: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """Yield where known tiles stand in a value."""
    if isinstance(value, list):
        for number, item in enumerate(value):
            yield from _tiles(machine, item, (*path, number))
    elif isinstance(value, str) and value in machine.reader.numbers:
        yield path


def _at(value: Any, path: tuple[int, ...]) -> Any:
    for number in path:
        value = value[number]
    return value


def _with(value: Any, path: tuple[int, ...], tile: str) -> Any:
    if not path:
        return tile
    return [_with(item, path[1:], tile) if number == path[0] else item for number, item in enumerate(value)]
