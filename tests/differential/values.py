"""Values of replay and of traces, as the judge has them, and the other way round.

Input: a table of the judge; a state or values of replay's machine; values of the judge. Output: a `State` of the judge;
values as a trace records them.
Guarantee: a state of replay that the rules cannot tell from another one gives the same `State`.
"""

from __future__ import annotations

import random
from collections.abc import Hashable
from typing import Any, assert_never

from golpae.ir.types import Bag as BagType
from golpae.ir.types import Bool, Choice, Each, Int, NoneType, Opt, Patterns, Points, Seat, Tile, Type
from golpae.ir.types import Meld as MeldType
from golpae.replay.machine import Machine
from golpae.replay.machine import State as Replayed
from golpae.replay.runtime import HIDDEN as NOT_KNOWN
from golpae.replay.runtime import Meld as ReplayedMeld
from golpae.replay.runtime import Row as ReplayedRow
from golpae.replay.state_layout import var_in, zone_in
from tests.judge.rows import HIDDEN, Row
from tests.judge.state import Content, Slot, State
from tests.judge.table import Table
from tests.judge.values import Bag, Map, Meld, Value, bag, members, number, text
from tests.judge.values import Patterns as PatternsValue

# ---------------------------------------------------------------- from replay


def as_judged(machine: Machine, table: Table, state: Replayed, known: Map[Slot, Value]) -> State:
    """Return a state of replay as the judge has it. Only states of the text that are `known` have a value."""
    zones: dict[Slot, Content] = {}
    for zone in table.rules.zones:
        value = zone_in(state, zone.name)
        for owner in table.owners(zone.each_player):
            zones[zone.name, owner] = content(value if owner is None else value[owner])
    variables: dict[Slot, Value] = {}
    kinds = {var.name: var.type for var in table.rules.vars}
    for slot, _ in known.items:
        value = var_in(state, slot[0])
        variables[slot] = value_of(value if slot[1] is None else value[slot[1]], kinds[slot[0]])
    return State(
        machine.stage(state),
        Map.of(zones),
        Map.of(variables),
        bag([] if state.winner is None else [state.winner]),
        tuple(state.total),
        state.hands_played,
    )


def content(lying: Any) -> Content:
    """Return what lies in a zone."""
    if isinstance(lying, ReplayedRow):
        places = tuple(HIDDEN if t == NOT_KNOWN else t for t in lying.slots)
        return Row(places, bag(lying.hidden))
    return bag(t if isinstance(t, int) else meld_of(t) for t in lying)


def meld_of(tiles: Any) -> Meld:
    return Meld(bag(tiles), getattr(tiles, "label", None))


def value_of(value: Any, kind: Type) -> Value:
    """Return a value of replay as the judge has it."""
    match kind:
        case Opt(item):
            return None if value is None else value_of(value, item)
        case Bool():
            return bool(value)
        case BagType(item):
            return bag(value_of(v, item) for v in value)
        case Each(item):
            return tuple(value_of(v, item) for v in value)
        case MeldType():
            return meld_of(value)
        case Patterns():
            return PatternsValue(tuple(sorted(value.items())))
        case Points():
            return getattr(value, "total", value)
        case Int() | Seat() | Tile() | Choice() | NoneType():
            plain: Hashable = value
            return plain
        case _:
            assert_never(kind)


def in_replay(value: Value) -> Any:
    """Return a value of the judge as replay has it."""
    if isinstance(value, Meld):
        return ReplayedMeld((number(tile) for tile in value.tiles), value.label)
    return [in_replay(member) for member in value.members] if isinstance(value, Bag) else value


# ---------------------------------------------------------------- to a trace


def recorded(value: Value, kind: Type, table: Table, rng: random.Random) -> Any:
    """Return a value as a trace records it: a list in any order, a tile under any of its names."""
    match kind:
        case Opt(item):
            return None if value is None else recorded(value, item, table, rng)
        case Tile():
            named = table.instance.kinds[number(value)]
            return rng.choice((named.name, *named.aliases)) if rng.random() < 0.2 else named.name
        case BagType(item):
            out = [recorded(v, item, table, rng) for v in members(value)]
            rng.shuffle(out)
            return out
        case Each(item):
            assert isinstance(value, tuple)
            return [recorded(v, item, table, rng) for v in value]
        case MeldType():
            assert isinstance(value, Meld)
            return _recorded_meld(value, table, rng)
        case Patterns():
            assert isinstance(value, PatternsValue)
            return dict(value.points)
        case Choice():
            return text(value)
        case Bool() | Int() | Seat() | NoneType() | Points():
            return value
        case _:
            assert_never(kind)


def _recorded_meld(meld: Meld, table: Table, rng: random.Random) -> list[Any]:
    tiles = recorded(meld.tiles, BagType(Tile()), table, rng)
    shape = None if meld.label is None else table.shape(meld.label)
    one_size = shape is not None and not shape.most
    if (
        shape is not None
        and one_size
        and shape.size == len(tiles)
        and len(meld.tiles.kinds()) == 1
        and rng.random() < 0.5
    ):
        tiles = tiles[:1]  # a single tile stands for as many as the shape has
    elif shape is not None and one_size and shape.test is not None and shape.size > 1 and len(tiles) == 1:
        return [meld.label, tiles]
    return tiles if meld.label is None else [meld.label, *tiles]


def tiles_lying(state: State) -> Bag:
    """Return all tiles in the zones."""
    lying = (thing for slot, _ in state.zones.items for thing in state.lying_in(slot))
    return bag(tile for thing in lying for tile in ([thing] if isinstance(thing, int) else members(thing)))
