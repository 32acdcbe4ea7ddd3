"""What refuses an event, as the machine of a rule set sees it.

Input: a machine, a state, an event. Output: what refuses it; the state after the event.
Guarantee: an event that no clause refuses has happened. What is refused may leave the state half changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from golpae.ir import expr as ir
from golpae.replay.decode import Bad
from golpae.replay.legal_events import Event
from golpae.replay.machine import Machine, State
from golpae.replay.report import EFFECTS


def event_of(machine: Machine, line: Mapping[str, object]) -> Event | None:
    """Return the event of a line of a trace, or None if it is malformed."""
    action = str(line["do"])
    args: Any = machine.read(action, line)
    return None if isinstance(args, Bad) else Event(action, args)


class Refused(NamedTuple):
    """What refuses an event: a condition of the text, what is paid, or what would happen."""

    clause: str
    by: Literal["condition", "payment", "effect"] = "condition"


def refusal(machine: Machine, state: State, event: Event) -> Refused | None:
    """Carry out an event. Return what refuses it, or None. Raises `TooManySteps`."""
    action, game = event.action, machine.rules.game
    failed, args = machine.first(action, state, event.args)
    if failed >= 0:
        condition = machine.actions[action].conditions[failed]
        is_paid = isinstance(condition.expr, ir.Implicit) and condition.expr.kind == "pay"
        return Refused(f"{game}.{action}.{condition.name}", "payment" if is_paid else "condition")
    try:
        machine.apply(action, state, args)
    except ValueError:  # a tile is not where it is moved from, or a number passes a limit
        return Refused(f"{game}.{action}.{EFFECTS}", "effect")
    return None
