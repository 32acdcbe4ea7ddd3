"""What a number of a hand, or the number of its events, shows of `ends` properties.

Input: a machine, a number expression, and the action whose events count, if it is one.
Output: targets of play: an event that makes the number no measure of what is left, or one too many in a hand.
Guarantee: an event is a target exactly if replay computes such numbers before and after it.

    ends every-hand: 9 - turns           after an event that does not add to `turns`, the number has not fallen
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from golpae.ir import expr as ir
from golpae.ir.lifecycle import PLAYING
from golpae.replay.legal_events import Event
from golpae.replay.machine import Machine, State


class _HandTarget:
    """A target of play that reads nothing but the states before and after an event."""

    compares = True

    def __init__(self, machine: Machine) -> None:
        self.machine = machine

    def at_start(self, state: State) -> bool:
        """Return False: before the first event there is no hand."""
        return False

    def names(self, event: Event) -> tuple[tuple[str, Any], ...]:
        """Return no names."""
        return ()

    def weigh(self, rng: random.Random) -> None:
        """Do nothing: there is only one part."""

    def distance(self, state: State, events: Callable[[], Sequence[Event]]) -> float:
        """Return 0: no state is nearer than another."""
        return 0.0


class NotFalling(_HandTarget):
    """An event after which a number is no measure of what is left of a hand.

    It has not fallen after an event that counts, has risen after another one, or is negative while a hand is played.
    """

    def __init__(self, machine: Machine, measure: ir.Expr, after: str | None) -> None:
        super().__init__(machine)
        self._after = after
        self._value = machine.function(measure, ())

    def reached(self, state: State, event: Event, before: State) -> bool:
        """Return whether an event between two states is such an event."""
        return self.fault(state, event, before) is not None

    def fault(self, state: State, event: Event, before: State) -> str | None:
        """Return the fault of the number at an event, in words: it rises, stays, or is below 0; None if there
        is none.
        """
        kind = self.machine.actions[event.action].kind
        if kind not in ("play", "deal"):
            return None
        try:
            new = self._value(state)
            old = self._value(before) if kind == "play" else None
        except (TypeError, IndexError):
            return None
        if old is not None and new > old:
            return f"the number rises from {old:,} to {new:,} at `{event.action}`"
        if old is not None and new == old and self._after in (None, event.action):
            return f"the number stays {old:,} at `{event.action}`"
        if new < 0 and self.machine.stage(state) == PLAYING:
            return f"the number is {new:,}, below 0, after `{event.action}`"
        return None


class TooMany(_HandTarget):
    """An event that is one too many in its hand: of all actions, or of one. Events are asked about in their order."""

    def __init__(self, machine: Machine, most: int, after: str | None) -> None:
        super().__init__(machine)
        self._most, self._after = most, after
        self._count = 0

    def reached(self, state: State, event: Event, before: State) -> bool:
        """Return whether an event, the one after the last that was asked about, is one too many."""
        if self.machine.actions[event.action].kind != "play":  # no hand is played before it, or after it
            self._count = 0
        elif self._after in (None, event.action):
            self._count += 1
        return self._count > self._most
