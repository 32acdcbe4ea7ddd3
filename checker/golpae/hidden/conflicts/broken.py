"""The condition that an event breaks whatever the unknown tiles are.

Input: the lines up to an event that no tiles make legal, and conditions that a proof of this needs. Output: the name of
a condition of the event, or None. Guarantee: no tiles that make the events before it legal fulfil the condition. It may
be None although there is one, where the effort did not reach.

    An has three tiles, and shows two groups of two, of which she hides one        `held` fails, `alike` need not
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from golpae.hidden.conflicts.one_search import Apart, OneSearch
from golpae.hidden.following import OF_TILES, TILES, Clause, can_be_left_out
from golpae.hidden.lines import HiddenLine
from golpae.hidden.steering import steering_clauses
from golpae.ir.ruleset import Action
from golpae.prove.solving.solver import MILLION
from golpae.replay.machine import Machine, State
from golpae.trace import Header

UNITS = MILLION // 2  # of the solver's work for one condition
TRIES = 20  # choices of tiles for one condition


def broken_condition(
    machine: Machine,
    header: Header,
    state: State,
    lines: Sequence[HiddenLine],
    clauses: frozenset[Clause],
) -> str | None:
    """Return the name of the first condition of the last line that no tiles fulfil, if the lines before are legal as
    far as these conditions say.
    """
    last = len(lines)
    action = machine.actions[lines[-1].line["do"]]
    steering = {one for one in steering_clauses(machine, lines) if one[0] < last}
    before = frozenset({one for one in clauses if one[0] < last} | steering)
    names = [one.name for one in action.conditions if one.name not in lines[-1].aside]
    of_text = can_be_left_out(action)

    def search(own: Sequence[str]) -> _OneCondition:
        asked = before | {(last, name) for name in own if name in of_text}
        return _OneCondition(machine, header, state, lines, (), asked, frozenset(steering))

    shared = search(names)
    is_shared = not shared.has_orders and all(event != last for event, _ in shared.narrowed)
    if is_shared and shared.is_broken(None, before):
        return TILES if any(one.of_game == TILES for one in action.conditions) else None
    for name in names:
        asked = before | {(last, name)} if name in of_text else before
        if (shared if is_shared else search([name])).is_broken(name, asked):
            return name
    return None


class _OneCondition(OneSearch):
    """A search that asks one condition of the last event, which has no effects."""

    _own: frozenset[str] = frozenset()  # names of literals of the last event

    def is_broken(self, name: str | None, clauses: frozenset[Clause]) -> bool:
        """Return whether no tiles fulfil a condition of the last event; for None, whether there are no such tiles."""
        last = len(self.lines)
        self._only_proves = True
        self._own = frozenset({f"{last} {TILES}{OF_TILES}", f"{last} {name}"})
        return isinstance(self.asked_of((), clauses, UNITS, TRIES), Apart)

    def _asking(self, event: int, action: Action) -> Action:
        asked = super()._asking(event, action)
        return replace(asked, effects=()) if event == len(self.lines) else asked

    def _assumed(self, clauses: frozenset[Clause]) -> dict[str, Any]:
        last = len(self.lines)
        return {
            name: literal
            for name, literal in super()._assumed(clauses).items()
            if self._named[name][0] < last or name in self._own
        }
