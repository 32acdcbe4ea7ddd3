"""Which clause refuses an event, as the machine of a rule set sees it.

Input: a machine, a state, an event. Output: the clause; the state after the event.
Guarantee: an event that no clause refuses has happened. What is refused may leave the state half changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from golpae.replay.decode import Bad
from golpae.replay.legal_events import Event
from golpae.replay.machine import Machine, State
from golpae.replay.report import EFFECTS


def event_of(machine: Machine, line: Mapping[str, object]) -> Event | None:
    """Return the event of a line of a trace, or None if it is malformed."""
    action = str(line["do"])
    args: Any = machine.read(action, line)
    return None if isinstance(args, Bad) else Event(action, args)


def refusal(machine: Machine, state: State, event: Event) -> str | None:
    """Carry out an event. Return the clause that refuses it, or None. Raises `TooManySteps`."""
    action, game = event.action, machine.rules.game
    failed, args = machine.first(action, state, event.args)
    if failed >= 0:
        return f"{game}.{action}.{machine.actions[action].conditions[failed].name}"
    try:
        machine.apply(action, state, args)
    except ValueError:  # a tile is not where it is moved from, or a number passes a limit
        return f"{game}.{action}.{EFFECTS}"
    return None
