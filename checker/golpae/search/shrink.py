"""Shrink a game to fewer events that still show the same.

Input: events, and a function that returns the part of some events that still shows it.
Output: fewer events that still show it.
Guarantee: whole hands are left out first, then long stretches, then short ones, until nothing more can go or
as many events were replayed as the caller allows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from golpae.replay.legal_events import Event
from golpae.replay.machine import Machine, State

WORK = 60_000  # events replayed
SHORT = 8  # stretches up to this length are tried at every place

StillShows = Callable[[Sequence[Event]], list[Event] | None]


def shrink(
    machine: Machine, events: Sequence[Event], still_shows: StillShows, work: int = WORK
) -> list[Event]:
    """Return a part of the events that still shows the same.

    `still_shows` returns the shortest prefix of some events that does, or None if they are illegal or do not.
    No more than about `work` events are replayed.
    """
    best = list(events)
    deals = [i for i, e in enumerate(best) if machine.actions[e.action].kind == "deal"]
    for start in reversed(deals):
        if start and (shorter := still_shows(best[start:])) is not None:
            best = shorter
            break
    width = max(1, len(best) // 2)
    while width >= 1:
        at, removed = len(best) - width, False
        while at >= 0:
            if work <= 0:
                return best
            work -= len(best)
            shorter = still_shows(best[:at] + best[at + width :])
            if shorter is not None:
                best, removed = shorter, True
                at = min(at, len(best) - width)
            else:
                at -= 1 if width <= SHORT else width // 2
        if width == 1 and not removed:
            break
        width = (width - 1 if width <= SHORT else width // 2) or 1
    return best


def apply_if_legal(machine: Machine, state: State, event: Event) -> Event | None:
    """Apply an event if it is legal in a state. Return it with its lists in the order that decides there, or None.

    In another state, the names of a list may stand for its tiles in another order.
    """
    try:
        failed, args = machine.first(event.action, state, event.args)
        if failed >= 0:
            return None
        machine.apply(event.action, state, args)
    except (
        ValueError,
        TypeError,
        IndexError,
    ):  # made for another state: it refers to tiles that are not there
        return None
    return Event(event.action, args)
