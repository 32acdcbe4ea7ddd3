"""A machine of many rule sets: each game is played by one of them.

Input: an instance whose rule set has states of the table. Output: a `FamilyMachine`. Guarantee: a new state has the
values of the table that were asked for; if none were, those of a setting of the instance, which change from state to
state and are the same each time that the machine is made.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from golpae.elaborate.instance import Instance
from golpae.ir.ruleset import TABLE
from golpae.replay.machine import Machine, State
from golpae.replay.state_layout import var_slot

DENSITIES = (0.0, 0.1, 0.3, 0.5, 0.8)  # shares of switches that are on, of those that a setting leaves open


class FamilyMachine(Machine):
    """A machine whose games are played with different values of the states of the table."""

    def __init__(self, instance: Instance) -> None:
        super().__init__(instance)
        self._names = [v.name for v in instance.rule_set.vars if v.scope == TABLE]
        self._settings = instance.settings
        self._rng = random.Random("tables")
        self._pinned: Mapping[str, bool] | None = None

    @contextmanager
    def at(self, values: Mapping[str, bool]) -> Iterator[None]:
        """Give new states these values of the table meanwhile."""
        before, self._pinned = self._pinned, values
        try:
            yield
        finally:
            self._pinned = before

    def new_state(self, stake: int = 1) -> State:
        state = super().new_state(stake)
        for name, value in (self._drawn() if self._pinned is None else self._pinned).items():
            setattr(state, var_slot(name), value)
        return state

    def _drawn(self) -> dict[str, bool]:
        on, off = self._rng.choice(self._settings)
        density = self._rng.choice(DENSITIES)
        out = {name: self._rng.random() < density for name in self._names}
        return {**out, **dict.fromkeys(on, True), **dict.fromkeys(off, False)}
