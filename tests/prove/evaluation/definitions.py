"""Shared by the tests of expressions: the values of definitions in replay and in the prover."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import z3

from golpae.ir import expr as ir
from golpae.ir.ruleset import Definition
from golpae.ir.types import Bag as BagType
from golpae.ir.types import Bool, Choice, Int, Meld, Opt, Points, Seat, Tile, Type
from golpae.prove.symbolic.values import Bag, GuardedUnion, MeldValue, Value
from golpae.replay import runtime as zones
from golpae.replay.machine import State
from golpae.replay.scoring.score import total
from golpae.replay.state_layout import zone_in
from golpae.replay_bridge import symbolic_state
from golpae.replay_bridge import symbolic_value as as_in_prover
from tests.prove.shared import Both


def plain(value: Value) -> Any:
    """Return a concrete value of the prover in a form that can be compared."""
    if isinstance(value, Bag):
        assert value.concrete, value
        return sorted((repr(plain(k)), c) for k, c in value.counts.items() if c)
    if isinstance(value, MeldValue):
        return value.tiles
    if isinstance(value, list):
        return [plain(v) for v in value]
    assert not isinstance(value, GuardedUnion | z3.ExprRef), value
    return value


def of_replay(value: Any, kind: Type) -> Any:
    """Return a value of replay in a form that can be compared."""
    if isinstance(kind, Points) or kind == Opt(Points()):
        return total(value)
    return plain(in_prover(value, kind))


def in_prover(value: Any, kind: Type) -> Value:
    """Return a value of replay as a value of the prover."""
    if isinstance(kind, BagType) and isinstance(kind.item, BagType):
        keys = [MeldValue(tuple(sorted(v))) for v in value]
        return Bag({k: keys.count(k) for k in keys})
    return as_in_prover(list(value) if isinstance(value, range) else value, kind)


# ------------------------------------------------------------------ definitions


def values(both: Both, state: State, kind: Type, rng: random.Random) -> list[Any]:
    """Return some values of a type, as values of replay."""
    match kind:
        case Seat():
            return [rng.randrange(both.machine.instance.players)]
        case Tile():
            return [rng.randrange(len(both.machine.instance.kinds)) for _ in range(2)]
        case Choice(words):
            return [*words]
        case Int():
            return [rng.randrange(-3, 15)]
        case Opt(item):
            return [None, *values(both, state, item, rng)]
        case BagType(Tile()):
            whole = both.machine.instance.whole
            hands: list[Any] = [rng.sample(whole, rng.randrange(7))]
            own_zones = [z for z in both.machine.rules.zones if z.kind == "tiles" and z.each_player]
            return hands + [list(rng.choice(zone_in(state, z.name))) for z in own_zones]
        case Meld():
            melds: list[Any] = []
            for zone in both.machine.rules.zones:
                if zone.kind == "melds":
                    lying = zone_in(state, zone.name)
                    melds += [m for one in lying for m in one] if zone.each_player else lying
            return melds[:2]
        case BagType(Meld()):
            own_zones = [z for z in both.machine.rules.zones if z.kind == "melds" and z.each_player]
            return [list(rng.choice(zone_in(state, z.name))) for z in own_zones]
        case Bool():
            return [False, True]
        case _:
            return []


def calls(both: Both, state: State, rng: random.Random) -> Iterator[tuple[Definition, list[Any]]]:
    for definition in both.machine.rules.definitions:
        if definition.name == "next-wind":  # of winds only
            continue
        for _ in range(2):
            args = [values(both, state, p.type, rng) for p in definition.params]
            if all(args):
                yield definition, [rng.choice(a) for a in args]


def argument(value: Any, kind: Type) -> Value:
    if isinstance(value, zones.Meld):
        return MeldValue(tuple(sorted(value)), value.label)
    return as_in_prover(value, kind)


def assert_definitions_alike(both: Both, state: State, rng: random.Random) -> int:
    """Check that definitions have the same values in the prover as in replay. Return how many were compared."""
    compared = 0
    symbolic = symbolic_state(both.machine, state)
    for definition, args in calls(both, state, rng):
        kinds = [p.type for p in definition.params]
        names = tuple(p.name for p in definition.params)
        exprs = tuple(ir.Local(p.name, p.type) for p in definition.params)
        expr = ir.CallDef(definition.name, exprs, definition.type)
        given = {n: argument(a, k) for n, a, k in zip(names, args, kinds, strict=True)}
        try:
            expected = of_replay(both.machine.function(expr, names)(state, *args), definition.type)
        except (TypeError, KeyError):
            continue  # an argument is a seat or a tile that is not there, which no rule passes
        value = both.system.evaluator.value(expr, symbolic, given)
        assert plain(value) == expected, (definition.name, args)
        compared += 1
    return compared
