"""Events for the tests of the prover: legal ones, spoilt ones, and any at all."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice
from typing import Any

from golpae.ir.types import Bag as BagType
from golpae.ir.types import Bool, Choice, Int, Opt, Seat, Tile, Type
from golpae.replay.legal_events import Event
from golpae.replay.machine import Machine, State
from golpae.replay.state_layout import zone_in
from tests.replay.play import moments


def taken(
    machine: Machine, rng: random.Random, hands: int = 1, most: int = 150
) -> Iterator[tuple[State, Event]]:
    """Yield the first events of a random match, each with the state before it."""
    for state, line in islice(moments(machine, rng, hands), most):
        name = line["do"]
        args = machine.read(name, line)
        assert isinstance(args, tuple)
        yield state, Event(name, args)


def spoilt(machine: Machine, state: State, event: Event, rng: random.Random) -> Event:
    """Return an event with one value changed, which may still be legal."""
    action = machine.actions[event.action]
    kinds: list[Type] = [Seat()] if action.by is not None else []
    kinds += [p.type for p in action.params]
    able = [i for i, kind in enumerate(kinds) if _changes(kind) and not (action.kind == "end" and i == 1)]
    if not able or action.kind in ("deal", "finish"):
        return event
    args = list(event.args)
    at = rng.choice(able)
    size = len(args[at]) if isinstance(args[at], list) else None
    args[at] = _any(machine, state, kinds[at], rng, size)
    return Event(event.action, tuple(args))


def any_event(machine: Machine, state: State, rng: random.Random) -> Event | None:
    """Return a random event of an action, legal or not, but no deal; None if a parameter has infinitely many
    values."""
    action = rng.choice([a for a in machine.rules.actions if a.kind != "deal"])
    if action.kind == "finish":
        most = max(state.total)
        winners = [p for p, total in enumerate(state.total) if total == most]
        return Event(action.name, (list(state.total), winners, *(None for _ in action.params[2:])))
    args = [_any(machine, state, Seat(), rng)] if action.by is not None else []
    for number, param in enumerate(action.params):
        if action.kind == "end" and number < 2:
            args.append(state.winner if number == 0 else _pay(machine, state))
        elif param.optional:
            args.append(None)
        elif not _changes(param.type):
            return None
        else:
            args.append(_any(machine, state, param.type, rng, len(param.parts) or None))
    return Event(action.name, tuple(args))


def _pay(machine: Machine, state: State) -> Any:
    try:
        return machine.payout(state)
    except TypeError:  # before the first deal, it reads zones that are empty
        return [0] * machine.instance.players


def _changes(kind: Type) -> bool:
    match kind:
        case Opt(item):
            return _changes(item)
        case Seat() | Tile() | Choice() | Bool() | Int() | BagType(Tile()):
            return True
        case _:
            return False


def _any(machine: Machine, state: State, kind: Type, rng: random.Random, size: int | None = None) -> Any:
    match kind:
        case Opt(item):
            return None if rng.random() < 0.3 else _any(machine, state, item, rng)
        case Seat():
            return rng.randrange(machine.instance.players)
        case Tile():
            return _tile(machine, state, rng)
        case Choice(words):
            return rng.choice(words)
        case Bool():
            return rng.random() < 0.5
        case Int():
            return rng.randrange(-2, 12)
        case _:
            if size is None and rng.random() < 0.5:
                return rng.sample(whole := rng.choice(_lying(machine, state)), len(whole))
            many = rng.randrange(4) if size is None else size
            return [_tile(machine, state, rng) for _ in range(many)]


def _lying(machine: Machine, state: State) -> list[list[int]]:
    """Return the tiles of each zone."""
    all_zones: list[Any] = []
    for zone in machine.rules.zones:
        if zone.kind != "melds":
            lying = zone_in(state, zone.name)
            all_zones += lying if zone.each_player else [lying]
    return [one if isinstance(one, list) else one.all() for one in all_zones]


def _tile(machine: Machine, state: State, rng: random.Random) -> int:
    """Return a tile of the set, or one in some zone."""
    tiles = rng.choice(_lying(machine, state)) if rng.random() < 0.6 else []
    return int(rng.choice(tiles or range(len(machine.instance.kinds))))
