"""Games with less in them that still show the same.

In: events, and a function that says how much of some events still shows it. Out: fewer events that do. Leaves
out whole hands, then long stretches, then short ones, until nothing more can go or it took too much work.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from golpae.replay.legal_events import Event
from golpae.replay.machine import Machine, State

WORK = 60_000  # events replayed
SHORT = 8  # stretches up to this length are tried at every place

StillShows = Callable[[Sequence[Event]], list[Event] | None]


def shrink(
    machine: Machine, events: Sequence[Event], leads: StillShows, late: Callable[[], bool]
) -> list[Event]:
    """The events without what they can do without.

    `leads` gives the shortest beginning of some events that still shows what these do, None where they are not
    legal or do not show it. `late` says that no time is left. No more than about WORK events are replayed.
    """
    best = list(events)
    deals = [i for i, e in enumerate(best) if machine.actions[e.action].kind == "deal"]
    for start in reversed(deals):
        if start and (shorter := leads(best[start:])) is not None:
            best = shorter
            break
    work, width = WORK, max(1, len(best) // 2)
    while width >= 1:
        at, removed = len(best) - width, False
        while at >= 0:
            if work <= 0 or late():
                return best
            work -= len(best)
            shorter = leads(best[:at] + best[at + width :])
            if shorter is not None:
                best, removed = shorter, True
                at = min(at, len(best) - width)
            else:
                at -= 1 if width <= SHORT else width // 2
        if width == 1 and not removed:
            break
        width = (width - 1 if width <= SHORT else width // 2) or 1
    return best


def apply_if_legal(machine: Machine, state: State, event: Event) -> bool:
    """Whether an event is legal in a state; if it is, it has been carried out."""
    try:
        if machine.check(event.action, state, event.args) >= 0:
            return False
        machine.apply(event.action, state, event.args)
    except (ValueError, TypeError, IndexError):  # made from another state: it speaks of what is not there
        return False
    return True
