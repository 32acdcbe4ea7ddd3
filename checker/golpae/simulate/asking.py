"""Who is asked in a position, in which order, and about which choices.

Input: legal events, and who sees what.
Output: the choices of a position, and of each seat; one event by chance; the order in which seats are asked.
Guarantee: games by policies and games that people play ask alike: those who gain go first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from golpae.replay.chance import Chance
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


def choices_of(sight: Sight, state: State, events: Sequence[Event]) -> list[Choice]:
    """Return the choices of a position: its events, together where whoever acts cannot tell them apart."""
    by_view: dict[Any, list[Event]] = {}
    for event in events:
        by_view.setdefault(sight.known(event) if sight.unseen(event) else id(event), []).append(event)
    return [
        Choice(tuple(same), (1,) if len(same) == 1 else sight.weights(same, state))
        for same in by_view.values()
    ]


def by_chance(sight: Sight, state: State, events: Sequence[Event], chance: Chance) -> Event:
    """Return one of the events of a position by chance: all choices are alike, then all copies of unseen tiles."""
    return chance.choice(choices_of(sight, state, events)).event(chance)


def by_seat(machine: Machine, choices: Sequence[Choice]) -> tuple[dict[int, list[Choice]], list[Choice]]:
    """Return the choices of each seat, and those of nobody."""
    own: dict[int, list[Choice]] = {}
    nobody = []
    for choice in choices:
        event = choice.events[0]
        if machine.actions[event.action].by is None:
            nobody.append(choice)
        else:
            own.setdefault(event.args[0], []).append(choice)
    return own, nobody
