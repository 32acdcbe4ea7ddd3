"""What refuses an event, as the machine of a rule set sees it, and how two rule sets part in a game.

Input: a machine, a state, an event. Output: what refuses it; the state after the event.
Guarantee: an event that no clause refuses has happened. What is refused may leave the state half changed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from golpae.replay.decode import Bad
from golpae.replay.legal_events import Event
from golpae.replay.machine import Machine, State
from golpae.replay.runtime import EFFECTS
from golpae.replay.state_layout import StateKey


def event_of(machine: Machine, line: Mapping[str, object]) -> Event | None:
    """Return the event of a line of a trace, or None if it is malformed."""
    action = str(line["do"])
    args: Any = machine.read(action, line)
    return None if isinstance(args, Bad) else Event(action, args)


UNPLAYED = "a game that shows it could not be played by single rule sets"
TOO_LONG = "single rule sets cannot play a game that shows it within the limits of golpae"
ALIKE = "single rule sets play a game that shows it, and do not differ in it"


class RefusedEvent(NamedTuple):
    """What refuses an event: a condition of the text, what is paid, or what would happen."""

    clause: str
    by: Literal["condition", "payment", "effect"] = "condition"


def refusal(machine: Machine, state: State, event: Event) -> RefusedEvent | None:
    """Carry out an event. Return what refuses it, or None. Raises `TooManySteps`."""
    action, game = event.action, machine.rules.game
    failed, args = machine.first(action, state, event.args)
    if failed >= 0:
        condition = machine.actions[action].conditions[failed]
        by: Literal["condition", "payment"] = "payment" if condition.of_game == "pay" else "condition"
        return RefusedEvent(f"{game}.{action}.{condition.name}", by)
    try:
        machine.apply(action, state, args)
    except ValueError:  # a tile is not where it is moved from, or a number passes a limit
        return RefusedEvent(f"{game}.{action}.{EFFECTS}", "effect")
    return None


@dataclass(frozen=True, slots=True)
class Parting:
    """How two rule sets part in a game: at which event, counted from 1 (0: as it begins), and why one of them, 0 or
    1, refuses that event; neither does if both go on, and otherwise.
    """

    at: int
    refused: RefusedEvent | None = None
    refused_by: int = 1

    @property
    def how(self) -> str:
        """Whether the event is `refused`, `paid` otherwise, or goes on `otherwise`."""
        if self.refused is None:
            return "otherwise"
        return "paid" if self.refused.by == "payment" else "refused"

    @property
    def clause(self) -> str | None:
        """The clause that refuses the event."""
        return None if self.refused is None else self.refused.clause


def parting_of(
    machines: tuple[Machine, Machine],
    key: StateKey,
    states: tuple[State, State],
    events: Sequence[Event],
) -> Parting | str:
    """Return how two states part in a game, or why they do not. Raises `TooManySteps`."""
    one, other = states
    begin_alike = key(one) == key(other)
    for number, event in enumerate(events, 1):
        both = [refusal(machine, state, event) for machine, state in zip(machines, states, strict=True)]
        if None not in both:
            return UNPLAYED if begin_alike else Parting(0)
        for place, refused in enumerate(both):
            if refused is not None:
                return Parting(number, refused, place)
        if begin_alike and key(one) != key(other):
            return Parting(number)
    return ALIKE if begin_alike else Parting(0)
