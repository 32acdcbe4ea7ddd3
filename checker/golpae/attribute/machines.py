"""The machines of a game at one table: few, because rule sets with the same answer share one.

Input: a family, a library, the number of players and the options.
Output: machines and runners by rule set and by the switches that matter.
Guarantee: each machine is made when it is first needed, and reports the switches of the definitions that it calls.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from golpae.families.family import Family
from golpae.replay.decode import Bad
from golpae.replay.machine import Machine
from golpae.replay.machine_cache import Library
from golpae.replay.replay import no_such_action


class Faulty(Exception):
    """There is no machine for a rule set: the text has a fault if these switches are on together."""


@dataclass(frozen=True, slots=True)
class Runner:
    """An action under one rule set. `first` gives the condition that fails, and the arguments in the order that
    decides it.
    """

    machine: Machine
    read: Callable[[Mapping[str, object]], Any]
    first: Callable[..., tuple[int, tuple[Any, ...]]]
    apply: Callable[..., None]


def _without(machine: Machine, action: str) -> Runner:
    """Return a runner for an action that the rules of a machine lack: all its events are malformed."""
    bad = Bad(no_such_action(machine, {"do": action}))

    def never(*_: object) -> Any:
        raise AssertionError(f"no event of `{action}` can be read")

    return Runner(machine, lambda line: bad, never, never)


class Machines:
    """The machines of a game at one table."""

    def __init__(self, family: Family, library: Library, players: int, options: Mapping[str, int]) -> None:
        self.family = family
        self.reported = 0  # the switches of all definitions that were called since this was last 0
        self._library = library
        self._players = players
        self._options = dict(options)
        self._machines: dict[int, Machine | str] = {}
        self._runners: dict[tuple[str, int], Runner] = {}

    def machine(self, switches_on: int, mask: int) -> Machine | str:
        """Return a machine of a rule set that agrees with this one on the switches of `mask`, or why there is none."""
        fewest = switches_on & mask
        made = self._machines.get(fewest)
        if isinstance(made, Machine):
            return made
        for other, machine in self._machines.items():
            if other & mask == fewest and isinstance(machine, Machine):
                return machine
        if made is None:
            made = self._machines[fewest] = self._make(fewest)
        if isinstance(made, str) and switches_on != fewest:  # a switch may need another one
            return self.machine(switches_on, self.family.every)
        return made

    def runner(self, action: str, switches_on: int, mask: int) -> Runner:
        """Return an action under this rule set; `mask` are the switches that can matter to it. Raises `Faulty`."""
        key = (action, switches_on & mask)
        runner = self._runners.get(key)
        if runner is None:
            machine = self.machine(switches_on, mask)
            if isinstance(machine, str):
                raise Faulty(machine)
            if action in machine.actions:
                runner = Runner(machine, *machine.functions(action))
            else:  # another switch adds it
                runner = _without(machine, action)
            self._runners[key] = runner
        return runner

    def _make(self, switches_on: int) -> Machine | str:
        machine = self._library.machine(self.family.called(switches_on), self._players, self._options)
        if isinstance(machine, Machine):
            declared = {definition.name for definition in machine.rules.definitions}
            for name, switches in self.family.footprint.reported.items():
                if name in declared:  # another rule set may have it alone
                    machine.on_call(name, self._reporting(switches))
        return machine

    def _reporting(self, switches: int) -> Callable[[], None]:
        def report() -> None:
            self.reported |= switches

        return report
