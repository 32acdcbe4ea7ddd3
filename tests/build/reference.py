"""What the reference says of a trace, event by event, in the forms that hosts of modules use.

Input: the events of a trace, and the machine that plays them. Output: for each event what it comes to; the state, and
what can follow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, assert_never

from golpae.ir.types import (
    Bag,
    Bool,
    Choice,
    Each,
    Int,
    NoneType,
    Opt,
    Patterns,
    Points,
    Seat,
    Tile,
    Type,
)
from golpae.ir.types import Meld as MeldType
from golpae.kernel.layout import is_scalar
from golpae.replay.explain import explain
from golpae.replay.legal_events import Legal
from golpae.replay.machine import Machine, State
from golpae.replay.report import Report
from golpae.replay.runtime import HIDDEN, Meld, Row
from golpae.replay.simulate import written
from golpae.replay.state_layout import var_in, zone_in


def answer(report: Report) -> dict[str, Any]:
    """Return what a host says of the last event of a trace."""
    outcome = report.outcome
    if report.refusal is None:
        whole = outcome.message is None
        return {"verdict": "legal"} if whole else {"verdict": "malformed", "message": outcome.message}
    told = explain(report.refusal)
    return {
        "verdict": "illegal",
        "clause": outcome.clause,
        "message": told.message,
        "facts": [list(fact) for fact in told.facts],
        "rules": [*told.rules],
        "legal": [*(told.legal or ())],
        "line": outcome.message,
    }


class Shown:
    """States and events of one machine, as hosts show them."""

    def __init__(self, machine: Machine) -> None:
        self.machine, self._legal = machine, Legal(machine)

    # ------------------------------------------------------------------ states

    def state(self, state: State) -> dict[str, Any]:
        """Return a state."""
        rules = self.machine.rules
        return {
            "stage": self.machine.stage(state),
            "stake": state.stake,
            "winner": state.winner,
            "hands_played": state.hands_played,
            "totals": [*state.total],
            "zones": {z.name: _each(z.each_player, self._zone, zone_in(state, z.name)) for z in rules.zones},
            "states": {v.name: self._var(v.type, v.each_player, var_in(state, v.name)) for v in rules.vars},
        }

    def _var(self, kind: Type, each_player: bool, value: Any) -> Any:
        return _each(each_player, lambda own: self._value(own, kind), value)

    def _zone(self, zone: Any) -> list[Any]:
        if isinstance(zone, Row):
            return ["?" if tile == HIDDEN else self.machine.tile(tile) for tile in zone.slots]
        if zone and isinstance(zone[0], Meld):
            return [self._meld(meld) for meld in zone]
        return [*map(self.machine.tile, sorted(zone))]

    def _meld(self, meld: Any) -> dict[str, Any]:
        label = {} if meld.label is None else {"label": meld.label}
        return {**label, "tiles": [*map(self.machine.tile, meld)]}

    def _value(self, value: Any, kind: Type) -> Any:
        if value is None:  # none, or no value yet
            return None
        match kind:
            case Opt(item):
                return self._value(value, item)
            case Tile():
                return self.machine.tile(value)
            case MeldType():
                return self._meld(value)
            case Bag(Tile() | Seat() | Int() | Bool() as item):
                return [self._value(one, item) for one in sorted(value)]
            case Bag(item):
                return sorted((self._value(one, item) for one in value), key=repr)
            case Each(item):
                return [self._value(one, item) for one in value]
            case Bool() | Int() | Seat() | Choice() | NoneType() | Points() | Patterns():
                return value
            case _:
                assert_never(kind)

    def alike(self, state: dict[str, Any], expected: dict[str, Any]) -> dict[str, Any]:
        """Return a state as `state` shows it: bags of melds and bags in its order, and none for what has no value yet,
        which a host shows as empty.
        """
        states = {
            var.name: None
            if expected["states"][var.name] in (None, [None] * self.machine.instance.players)
            and not is_scalar(var.type)
            and not isinstance(var.type, Opt)
            else _each(var.each_player, _of_bags(var.type), state["states"][var.name])
            for var in self.machine.rules.vars
        }
        return {**state, "states": states}

    # ------------------------------------------------------------------ events

    def following(self, state: State) -> dict[str, Any]:
        """Return what can follow in a state."""
        found = self._legal.can_follow(state)
        assert not found.endless
        events = self.sorted(written(self.machine, event) for event in found.events)
        return {"events": events, "dealers": found.seats, "unlisted": found.unlisted}

    def sorted(self, lines: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return events with their lists in one order, unless that counts."""
        return [
            {
                key: value if self._is_ordered(line["do"], key) else _sorted(value)
                for key, value in line.items()
            }
            for line in lines
        ]

    def _is_ordered(self, do: str, key: str) -> bool:
        params = {param.name: param for param in self.machine.actions[do].params}
        return key in ("pay", "totals", "hands") or (key in params and isinstance(params[key].type, Each))


def _of_bags(kind: Type) -> Callable[[Any], Any]:
    """Return what puts the members of a bag of bags or melds in one order."""
    match kind:
        case Opt(item):
            return _of_bags(item)
        case Bag(Bag() | MeldType() | Each()):
            return lambda value: None if value is None else sorted(value, key=repr)
        case _:
            return lambda value: value


def _each(each_player: bool, show: Any, value: Any) -> Any:
    return [*map(show, value)] if each_player else show(value)


def _sorted(value: Any) -> Any:
    return sorted(map(_sorted, value), key=repr) if isinstance(value, list) else value
