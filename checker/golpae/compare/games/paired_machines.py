"""Two machines in the same state, for as long as both allow what happens.

Input: the machines of two rule sets with the same zones and tiles.
Output: whether each side allows an event, and where a list of events diverges.
Guarantee: an event is allowed only if its effects find all their tiles.

An event is one of machine `a`. At the end of a hand each side states payments of its own.
"""

from __future__ import annotations

from collections.abc import Sequence

from golpae.compare.games.verdict import B_IN_A, PAID
from golpae.replay.legal_events import Event, Legal
from golpae.replay.machine import Machine, State


class PairedMachines:
    """Machines and states of the sides `a` (0) and `b` (1)."""

    def __init__(self, a: Machine, b: Machine) -> None:
        self.machines = (a, b)
        self.legal = (Legal(a), Legal(b))
        self.states: tuple[State, State] = (a.new_state(), b.new_state())

    def begin(self) -> None:
        """Start a new match."""
        self.states = (self.machines[0].new_state(), self.machines[1].new_state())

    def allowed(self, side: int, event: Event) -> Event | None:
        """Return the event with the payments and orders of this side if it is legal there, otherwise None."""
        machine, state = self.machines[side], self.states[side]
        action = machine.actions.get(event.action)
        if action is None:
            return None
        if action.kind in ("end", "finish"):
            others = event.args[2:]
            closings = (e for e in self.legal[side].closings(state) if e.action == event.action)
            own = next((e for e in closings if e.args[2:] == others and _winner(e) == _winner(event)), None)
            return own if own is not None and self._finds_tiles(side, own) else None
        try:
            own = in_own_order(machine, state, event)
        except (ValueError, TypeError, IndexError):
            return None
        return own if own is not None and self._finds_tiles(side, own) else None

    def _finds_tiles(self, side: int, event: Event) -> bool:
        """Return whether every tile lies where the effects of an event take it from."""
        machine = self.machines[side]
        state = self.states[side]
        if event.action not in machine.may_fail_midway:
            return True
        try:
            machine.apply(event.action, machine.copy(state), event.args)
        except (ValueError, TypeError, IndexError):
            return False
        return True

    def take(self, event: Event, other: Event) -> None:
        """Apply an event to both states; `other` is the event as side `b` has it."""
        for machine, state, own in zip(self.machines, self.states, (event, other), strict=True):
            machine.apply(own.action, state, own.args)

    def diverging_prefix(self, events: Sequence[Event], question: str) -> list[Event] | None:
        """Return the shortest prefix of a new match that answers the question, or None."""
        side = 1 if question == B_IN_A else 0
        self.begin()
        for number, event in enumerate(events):
            ours, theirs = self.allowed(side, event), self.allowed(1 - side, event)
            if ours is None:
                return None
            if theirs is None or (question == PAID and pays_otherwise(ours, theirs)):
                answers = question == PAID if theirs is not None else question != PAID
                return [*events[:number], ours] if answers else None
            self.take(*((ours, theirs) if side == 0 else (theirs, ours)))
        return None


def in_own_order(machine: Machine, state: State, event: Event) -> Event | None:
    """Return an event with its lists `{a, b}` in the first order under which all conditions of a machine hold.

    None if there is no such order.
    """
    failed, args = machine.first(event.action, state, event.args)
    return Event(event.action, args) if failed < 0 else None


def pays_otherwise(one: Event, other: Event) -> bool:
    """Return whether two versions of one event state different payments."""
    if one.action == "finish":
        return bool(one.args[0] != other.args[0])
    return one.action == "end" and one.args[1] != other.args[1]


def _winner(event: Event) -> object:
    """Return the winner that an end states; its payments follow from that."""
    return event.args[0] if event.action == "end" else None
