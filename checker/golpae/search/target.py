"""Whether an expression holds in the positions of a game.

Input: a machine, and the expression of a property; states, and events between them.
Output: whether it holds at the start, or after an event.
Guarantee: what has no value yet (a state before the first deal) makes it not hold.
"""

from __future__ import annotations

from typing import Any

from golpae.ir import expr as ir
from golpae.ir.dependencies import reads_unset, reads_unset_earlier
from golpae.ir.lifecycle import BEFORE
from golpae.ir.traverse import asks_earlier
from golpae.replay.codegen.expressions import EARLIER
from golpae.replay.legal_events import Event
from golpae.replay.machine import Machine, State
from golpae.search import witness


class Target:
    """An expression that may hold after an event: `after` each of an action, whose names it may read, or after any."""

    def __init__(self, machine: Machine, target: ir.Expr, after: str | None) -> None:
        self.machine = machine
        self.after = after
        self.action = machine.actions[after] if after is not None else None
        names = () if self.action is None else witness.names_of(self.action)
        self._holds = machine.function(target, names)
        self.expr = target
        self.compares = asks_earlier(target)  # with the state before the event
        self._reads_unset = reads_unset(target, machine.rules)
        self._reads_unset_earlier = reads_unset_earlier(target, machine.rules)

    def at_start(self, state: State) -> bool:
        """Return whether it holds in the state before the first event."""
        return self.action is None and not self._is_not_asked(state) and bool(self._holds(state))

    def _is_not_asked(self, state: State) -> bool:
        """Return whether it reads what has no value before the first deal, in a state before that."""
        return self._reads_unset and self.machine.stage(state) == BEFORE

    def reached(self, state: State, event: Event, before: State) -> bool:
        """Return whether it holds in a state after an event; `before` counts only if it `compares`."""
        if self._is_not_asked(state):
            return False
        if self._reads_unset_earlier and self.machine.stage(before) == BEFORE:
            return False
        if self.action is None:
            args: tuple[Any, ...] = ()
        elif event.action == self.after:
            args = witness.bound(self.action, event.args)
        else:
            return False
        earlier = {EARLIER: before} if self.compares else {}
        try:
            return bool(self._holds(state, *args, **earlier))
        except (TypeError, IndexError):
            return False

    def names(self, event: Event) -> tuple[tuple[str, Any], ...]:
        """Return the open names with their values as a trace has them."""
        return () if self.action is None else witness.named(self.machine, event)
