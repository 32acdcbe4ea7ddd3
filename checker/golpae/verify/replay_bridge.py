"""Between replay and the prover: shapes, scores and tables of the one in the other's words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import Any

from golpae.ir.lifecycle import BEFORE, ENDED, FINISHED, OVER, PLAYING
from golpae.ir.types import Bag as BagType
from golpae.ir.types import Each, Meld, Opt, Tile, Type
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.values import Bag, Group
from golpae.prove.symbolic.zones import HIDDEN, PLACES, Row, Zone
from golpae.replay import runtime as zones
from golpae.replay.machine import Machine, State
from golpae.replay.state_layout import var_in, zone_in

STAGES = (BEFORE, PLAYING, OVER, ENDED, FINISHED)


class ReplayShapes:
    """What replay knows of shapes and scores, for the prover."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def groups(self, shape: str) -> Collection[tuple[int, ...]]:
        return self._machine.shapes.groups(shape)

    def holds(self, tiles: tuple[int, ...], label: str | None, shape: str) -> bool:
        group = tiles if label is None else zones.Meld(tiles, label)
        return self._machine.shapes.holds(group, shape)

    def best(self, score: str, args: tuple[Any, ...]) -> int | None:
        found = self._machine.scorers[score].best(None, *map(_for_replay, args))
        return None if found is None else found.total


def _for_replay(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_for_replay(v) for v in value]
    if isinstance(value, Group):
        return zones.Meld(value.tiles, value.label)
    return value


def symbolic_state(machine: Machine, state: State) -> SymbolicState:
    """A state of replay as a table of known values."""
    rules = machine.rules
    table = SymbolicState(
        STAGES[state.at],
        state.stake,
        state.winner,
        state.hands_played,
        list(state.total),
        {},
        {},
    )
    for var in rules.vars:
        found = var_in(state, var.name)
        if var.each_player:
            table.vars[var.name] = [_value(v, var.type) for v in found]
        else:
            table.vars[var.name] = _value(found, var.type)
    for zone in rules.zones:
        lying = zone_in(state, zone.name)
        made = [_zone(one, zone.kind) for one in lying] if zone.each_player else _zone(lying, zone.kind)
        table.zones[zone.name] = made
    return table


def _value(value: Any, kind: Type) -> Any:
    match kind:
        case BagType(item) if value is not None:
            return Bag(dict(Counter(_value(v, item) for v in value)))
        case Each(item):
            return [_value(v, item) for v in value]
        case Meld():
            return Group(tuple(sorted(value)), getattr(value, "label", None))
        case Opt(item):
            return None if value is None else _value(value, item)
        case Tile() | _:
            return value


def _zone(lying: Any, kind: str) -> Zone:
    if kind == "row":
        slots = [HIDDEN if s == zones.HIDDEN else s for s in lying.slots]
        front, back = (slots[0], slots[-1]) if slots else (None, None)
        places = (*slots, *[None] * PLACES)[:PLACES]
        row = Row(front, back, Bag(dict(Counter(lying.hidden))), places)
        return Zone(Bag(dict(Counter(lying.all()))), row)
    if kind == "melds":
        groups = (Group(tuple(sorted(m)), m.label) for m in lying)
        return Zone(Bag(dict(Counter(groups))))
    return Zone(Bag(dict(Counter(lying))))
