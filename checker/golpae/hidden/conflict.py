"""What cannot stand together in a game that no tiles make legal."""

from __future__ import annotations

from collections.abc import Sequence

from golpae.hidden.completing import Impossible
from golpae.hidden.lines import HiddenLine
from golpae.replay.machine import Machine, State
from golpae.trace import Header
from golpae.trace.unseen import Decision


def conflict_of(
    machine: Machine,
    header: Header,
    state: State,
    lines: Sequence[HiddenLine],
    found: Impossible,
    before: int,
) -> Decision:
    """Return the decision that an event is illegal."""
    action = machine.actions[lines[found.event - 1].line["do"]]
    broken = [name for event, name in found.clauses if event == found.event]
    names = [condition.name for condition in action.conditions if condition.name in broken]
    clause = f"{machine.rules.game}.{action.name}.{names[0] if names else 'then'}"
    return Decision("illegal", event=found.event, clause=clause, message="no tiles make this event legal")
