"""A machine of many rule sets: each game is played by one of them.

Input: an instance whose rule set has states of the table. Output: a `FamilyMachine`. Guarantee: a new state has the
values of the table that were asked for; if none were, those of a setting of the instance, which change from state to
state and are the same each time that the machine is made. What it does in a game depends on no value of the table but
those that it notes, if it is asked to.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from golpae.elaborate.instance import Instance
from golpae.ir.ruleset import TABLE
from golpae.replay.machine import Machine, State
from golpae.replay.state_layout import slots, var_slot

DENSITIES = (0.0, 0.1, 0.3, 0.5, 0.8)  # shares of switches that are on, of those that a setting leaves open


class FamilyMachine(Machine):
    """A machine whose games are played with different values of the states of the table."""

    def __init__(self, instance: Instance) -> None:
        super().__init__(instance)
        self._names = [v.name for v in instance.rule_set.vars if v.scope == TABLE]
        self._settings = instance.settings
        self._rng = random.Random("tables")
        self._pinned: Mapping[str, bool] | None = None
        self._of_new: Mapping[str, bool] = {}  # of the table, while a state is made
        self._read: set[str] = set()
        self._plain = self._space["State"]
        self._noted = self._noting_states(self._plain)

    @contextmanager
    def at(self, values: Mapping[str, bool]) -> Iterator[None]:
        """Give new states these values of the table meanwhile."""
        before, self._pinned = self._pinned, values
        try:
            yield
        finally:
            self._pinned = before

    @contextmanager
    def noting(self) -> Iterator[set[str]]:
        """Note meanwhile which states of the table are read, in games that begin meanwhile."""
        self._space["State"], self._read = self._noted, set()
        try:
            yield self._read
        finally:
            self._space["State"] = self._plain

    def new_state(self, stake: int = 1) -> State:
        made, self._of_new = self._space["State"], self._drawn() if self._pinned is None else self._pinned
        self._space["State"] = self._noted  # first values may read those of the table
        try:
            state = super().new_state(stake)
        finally:
            self._space["State"], self._of_new = made, {}
        state.__class__ = made
        return state

    def copy(self, state: State) -> State:
        read, self._read = self._read, set()
        try:
            return super().copy(state)
        finally:
            self._read = read

    def _noting_states(self, plain: type) -> type:
        """Return the class of states that note what is read of the table. A state that is made has its values."""

        def noted(name: str) -> property:
            slot = getattr(plain, var_slot(name))

            def read(state: State) -> Any:
                self._read.add(name)
                return slot.__get__(state)

            def write(state: State, value: Any) -> None:
                slot.__set__(state, self._of_new.get(name, value))

            return property(read, write)

        made = type("State", (plain,), {"__slots__": (), **{var_slot(n): noted(n) for n in self._names}})
        setattr(made, "__slots__", slots(self.rules))  # noqa: B010  # by these, states are compared
        return made

    def _drawn(self) -> dict[str, bool]:
        on, off = self._rng.choice(self._settings)
        density = self._rng.choice(DENSITIES)
        out = {name: self._rng.random() < density for name in self._names}
        return {**out, **dict.fromkeys(on, True), **dict.fromkeys(off, False)}
