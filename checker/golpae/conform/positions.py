"""Compare the position that an engine tells with that of the rules.

Input: a part of a position, as `Positions.nested` gives a whole one.
Output: the first value that differs.
Guarantee: the order of tiles counts only in rows, and a tile may be written in every way that the rules allow.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from golpae.conform.answer import EngineFault, Failing, shown
from golpae.diagnostics import near
from golpae.ir.types import Bag, Opt
from golpae.replay.machine import Machine, State
from golpae.simulate.position import Positions, each

ZONES, STATES = "zones", "states"


class Otherwise(NamedTuple):
    """What differs, and how the rules and the engine have it, in words."""

    where: str
    by_rules: str
    by_engine: str


class PositionReader:
    """Reads what engines tell of positions at one table."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._positions = Positions(machine)
        self._kinds = {zone.name: zone for zone in machine.rules.zones}
        bags = {var.name: var.type for var in machine.rules.vars}
        self._bags = {n for n, t in bags.items() if isinstance(t.item if isinstance(t, Opt) else t, Bag)}
        self._each = {var.name for var in machine.rules.vars if var.each_player}

    def difference(self, told: Mapping[str, Any], state: State) -> Otherwise | None:
        """Return the first difference between a reported position and the state, or None. Raises `EngineFault` for an
        unknown name.
        """
        own = self._positions.nested(state)
        for key, value in told.items():
            _known(key, own, "a position has no")
            if key not in (ZONES, STATES):
                if own[key] != value:
                    return Otherwise(key, *_both(key, own[key], value))
                continue
            if not isinstance(value, Mapping):
                raise EngineFault(Failing.GARBAGE, f"`{key}` must be an object, not {shown(value)}")
            for name, one in value.items():
                _known(name, own[key], f"there is no {key[:-1]}")
                if self._plain(key, name, own[key][name]) != self._plain(key, name, one):
                    return Otherwise(name, *_both(name, own[key][name], one))
        return None

    def _plain(self, key: str, name: str, value: Any) -> Any:
        """Return a value so that equal ones are those that mean the same."""
        if key == STATES:
            in_order = name not in self._bags
            return each(
                name in self._each and isinstance(value, list), lambda v: self._tiles(v, in_order), value
            )
        zone = self._kinds[name]
        in_order = zone.kind == "row"
        return each(zone.each_player and isinstance(value, list), lambda v: self._tiles(v, in_order), value)

    def _tiles(self, value: Any, in_order: bool) -> Any:
        if isinstance(value, str):
            number = self._machine.reader.numbers.get(value)
            return value if number is None else self._machine.tile(number)
        if isinstance(value, Mapping) and "tiles" in value:  # a meld, whose label an engine need not tell
            return self._tiles(value["tiles"], False)
        if not isinstance(value, list):
            return value
        members = [self._tiles(one, False) for one in value]
        return members if in_order else sorted(members, key=json.dumps)


def _both(name: str, by_rules: Any, by_engine: Any) -> tuple[str, str]:
    return f"`{name}` is {shown(by_rules)}", f"`{name}` is {shown(by_engine)}"


def _known(name: str, names: Iterable[str], words: str) -> None:
    """Raise `EngineFault` if a name is none of these."""
    if name not in names:
        advice = near(str(name)[:40], names)
        raise EngineFault(Failing.GARBAGE, f"{words} `{str(name)[:40]}`{f'; {advice}' if advice else ''}")
