"""Hold what golpae infers of hidden tiles against all ways to fill them in.

Input: a tiny game, and a log of it that some tiles make legal. Output: how the two differ.
Guarantee: what is `open` differs from nothing; it is counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import prod

from golpae.hidden.inferring import infer
from golpae.hidden.places import HiddenPlace
from golpae.replay.machine import Machine
from golpae.replay.replay import happen
from golpae.trace.unseen import is_hidden
from tests.hidden.brute import RESERVE, Event, Judged, Place
from tests.hidden.tiny import table


def differences(
    machine: Machine,
    events: Sequence[Event],
    completion: Sequence[Event],
    expected: Judged,
    counts: Counter[str],
) -> Iterator[str]:
    """Yield what is inferred wrongly of a log."""
    header, state = table(machine), machine.new_state()
    before = 0
    while before < len(events) and not is_hidden(events[before]):
        if happen(machine, header, state, events[before]) is not None:
            break
        before += 1
    hands = [*infer(machine, header, state, events[before:], completion[before:])]
    for hand in hands:
        for one in hand.places:
            place = one.place
            if place.is_zone or (place.key == RESERVE and not place.spots):
                continue
            key = _key(place, before)
            if one.open:
                counts["places of which something is open"] += 1
            else:
                counts["places"] += 1
            if one.certain != _sorted(machine, expected.certain[key]) and not one.open:
                yield f"certain of {key}: brute {expected.certain[key]}, inferred {one.certain}"
            possible = set(one.possible)
            if not possible <= expected.possible[key] <= possible | set(one.open):
                yield f"possible of {key}: brute {sorted(expected.possible[key])}, inferred {one.possible}"
    if all(hand.ways.exact for hand in hands):
        counts["counted"] += 1
        many = prod(hand.ways.low for hand in hands)
        if many != expected.fillings:
            yield f"ways: brute {expected.fillings}, counted {many}"
    else:
        low = prod(hand.ways.low for hand in hands)
        high = prod(hand.ways.high or expected.fillings for hand in hands)
        counts["estimated, inside" if low <= expected.fillings <= high else "estimated, outside"] += 1


def _key(place: HiddenPlace, before: int) -> Place:
    return before + place.event, place.key, place.seat if place.at is None else place.at


def _sorted(machine: Machine, tiles: Sequence[str]) -> tuple[str, ...]:
    order = [kind.name for kind in machine.instance.kinds]
    return tuple(sorted(tiles, key=order.index))
