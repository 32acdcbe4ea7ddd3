"""A machine of many rule sets: each game is played by one of them.

Input: an instance whose rule set has states of the table. Output: a `FamilyMachine`. Guarantee: a new state has the
values of the table that were asked for; if none were, those of a setting of the instance, which change from state to
state and are the same each time that the machine is made. What it does in a game depends on no value of the table but
those that it notes, if it is asked to. If the instance has alternatives, each game is that of its own one.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, cast

from golpae.elaborate.instance import Instance
from golpae.ir import expr as ir
from golpae.ir.ruleset import TABLE
from golpae.replay.machine import Machine, State
from golpae.replay.scoring.arrangements import Shapes
from golpae.replay.state_layout import slots, var_slot

DENSITIES = (0.0, 0.1, 0.3, 0.5, 0.8)  # shares of switches that are on, of those that a setting leaves open


class FamilyMachine(Machine):
    """A machine whose games are played with different values of the states of the table. With `counting`, the steps of
    all clauses are counted.
    """

    def __init__(self, instance: Instance, counting: bool = False) -> None:
        self._alternatives: _Alternatives | None = None
        super().__init__(instance, counting=counting)
        if instance.alternatives:
            self._alternatives = _Alternatives(instance, counting)
            self.shapes = cast(Shapes, self._alternatives)
            self.steps = {a.name: self._step(a.name) for a in self.rules.actions}
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

    # ------------------------------------------------------------------ alternatives

    @property
    def has_alternatives(self) -> bool:
        """Whether shapes and scores are not the same in all games."""
        return self._alternatives is not None

    def alternative(self, number: int) -> Machine:
        """Return the machine of one alternative."""
        assert self._alternatives is not None
        return self._alternatives.machine(number)

    def limit_steps(self, most: int) -> None:
        super().limit_steps(most)
        if self._alternatives is not None:
            self._alternatives.limit_steps(most)

    @property
    def steps_taken(self) -> int:
        return super().steps_taken + (0 if self._alternatives is None else self._alternatives.steps_taken)

    def payout(self, state: State) -> list[int]:
        return (
            super().payout(state)
            if self._alternatives is None
            else self._alternatives.at(state).payout(state)
        )

    def totals_left(self, state: State) -> list[int]:
        return (
            super().totals_left(state)
            if self._alternatives is None
            else self._alternatives.at(state).totals_left(state)
        )

    def function(self, expr: ir.Expr, names: tuple[str, ...]) -> Callable[..., Any]:
        many = self._alternatives
        if many is None:
            return super().function(expr, names)
        functions: dict[Machine, Callable[..., Any]] = {}

        def of_its_own(state: State, *args: Any, **before: Any) -> Any:
            own = many.at(state)
            if own not in functions:
                functions[own] = own.function(expr, names)
            return functions[own](state, *args, **before)

        return of_its_own

    def _function(self, kind: str, name: str) -> Callable[..., Any]:
        many = self._alternatives
        if many is None or kind == "read":
            return super()._function(kind, name)

        def of_its_own(state: State, *args: Any) -> Any:
            return many.at(state)._function(kind, name)(state, *args)

        return of_its_own

    # ------------------------------------------------------------------ states

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


class _Alternatives:
    """The machines of the alternatives of an instance. It stands for the shapes of the one whose game was last asked
    about.
    """

    def __init__(self, instance: Instance, counting: bool) -> None:
        self._counting = counting
        self._instances = [own for _, own in instance.alternatives]
        names = sorted({name for (on, off), _ in instance.alternatives for name in (*on, *off)})
        self._slots = [var_slot(name) for name in names]
        self._numbers = {
            tuple(name in on for name in names): number
            for number, ((on, _), _) in enumerate(instance.alternatives)
        }
        self._machines: dict[int, Machine] = {}
        self._most: int | None = None
        self._last = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.machine(self._last).shapes, name)

    def machine(self, number: int) -> Machine:
        """Return the machine of one alternative."""
        if number not in self._machines:
            made = self._machines[number] = Machine(self._instances[number], counting=self._counting)
            if self._most is not None:
                made.limit_steps(self._most)
        return self._machines[number]

    def at(self, state: State) -> Machine:
        """Return the machine of the alternative that a state belongs to."""
        self._last = self._numbers[tuple(getattr(state, slot) for slot in self._slots)]
        return self.machine(self._last)

    @property
    def steps_taken(self) -> int:
        """The steps of all machines since `limit_steps`."""
        return sum(machine.steps_taken for machine in self._machines.values())

    def limit_steps(self, most: int) -> None:
        """Limit the steps of each machine."""
        self._most = most
        for machine in self._machines.values():
            machine.limit_steps(most)
