"""Who is asked in a position, in which order, and about which choices.

Input: legal events, and who sees what.
Output: the choices of each seat; the order in which seats are asked.
Guarantee: games by policies and games that people play ask alike: those who gain go first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from golpae.replay.legal_events import Event
from golpae.replay.machine import Machine, State
from golpae.simulate.policy import Choice
from golpae.simulate.sight import Sight


class Ask(NamedTuple):
    """A seat that is asked what it does; None: what nobody has to choose happens.

    `first`: this is about going before others. `can_wait`: it may let others act.
    """

    seat: int | None
    first: bool = False
    can_wait: bool = False


def asks(seats: Sequence[int], nobody: bool) -> list[Ask]:
    """Return who is asked, seats in this order, until somebody acts. `nobody`: some event is for no seat to choose."""
    last = Ask(None) if nobody else Ask(seats[0])
    if not nobody and len(seats) == 1:
        return [last]
    rounds = [Ask(seat, first, can_wait=True) for first in (True, False) for seat in seats]
    return [*rounds, last]


def by_seat(machine: Machine, events: Sequence[Event]) -> tuple[dict[int, list[Event]], list[Event]]:
    """Return the events of each seat, and those of nobody."""
    own: dict[int, list[Event]] = {}
    nobody = []
    for event in events:
        if machine.actions[event.action].by is None:
            nobody.append(event)
        else:
            own.setdefault(event.args[0], []).append(event)
    return own, nobody


def choices_of(sight: Sight, state: State, events: Sequence[Event]) -> list[Choice]:
    """Return the choices of a seat: its events, together where it cannot tell them apart."""
    found: dict[Any, list[Event]] = {}
    for event in events:
        found.setdefault(sight.known(event), []).append(event)
    return [
        Choice(tuple(same), tuple(sight.weight(event, state) for event in same)) for same in found.values()
    ]
