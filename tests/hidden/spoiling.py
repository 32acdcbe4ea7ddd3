"""Spoil recorded games, and write them in another way.

Input: the events of a trace, a generator of random numbers. Output: the events with another tile in one place, or with
hands spelt out. The events that are given stay as they are.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

from golpae.replay.machine import Machine
from tests.hidden.brute import UNKNOWN, Event, keys_with_tiles


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


def spelt_out(events: Sequence[Event], rng: random.Random) -> list[Event]:
    """Return events in which some hands of a size are lists of so many unknown tiles."""
    out = []
    for event in events:
        hands = event.get("hands")
        if isinstance(hands, list):
            spelt = [
                [UNKNOWN] * hand if isinstance(hand, int) and rng.random() < 0.5 else hand for hand in hands
            ]
            event = {**event, "hands": spelt}
        out.append(event)
    return out


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
