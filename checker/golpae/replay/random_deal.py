"""Random deals: no other module of the package deals at random.

Input: a machine, the seat that is dealt the first player's hand, and a random generator.
Output: deals as events. The reserve of each is in the order of its tiles or left to the game.
Guarantee: the same generator state gives the same deal, and the flags of a function do not change how often it draws
from the generator. `deal_by_chance` draws as `docs/semantics.md` says.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, assert_never

from golpae.elaborate.instance import likely_bounds
from golpae.elaborate.lifecycle import own_params
from golpae.ir.ruleset import Action, ParamDecl
from golpae.ir.types import (
    Bag,
    Bool,
    Choice,
    Each,
    Int,
    Meld,
    NoneType,
    Opt,
    Patterns,
    Points,
    Seat,
    Tile,
    Type,
)
from golpae.replay.chance import Chance
from golpae.replay.legal_events import Event, Legal, hand_sizes, keys_of_deal, sizes_read_keys
from golpae.replay.machine import Machine, State

MOST_NUMBERS = 1 << 32  # of a key that golpae chooses from
MOST_TILES = 3  # of a key that is any tiles
DEALS = 100  # tries for a deal that can be made
Hands = Sequence[Sequence[int]]  # the tiles of each seat's hand, as kinds by number


def random_deal(
    machine: Machine, state: State, first: int, rng: random.Random, *, reserve: bool | None = None
) -> Event:
    """Return a deal from the shuffled set, in a state. If the set has too few tiles, it is not legal.

    `reserve`: whether the deal lists the tiles of the reserve. If None, chance decides.
    """
    tiles = list(machine.instance.whole)
    rng.shuffle(tiles)
    keys = random_keys(machine, rng) if sizes_read_keys(machine) else None
    sizes = hand_sizes(machine, state, first, keys or ())
    hands = [[tiles.pop() for _ in range(min(size, len(tiles)))] for size in sizes]
    rest = tiles
    listed = rng.random() < 0.5  # also if `reserve` decides, so that it changes nothing that is drawn later
    listed = listed if reserve is None else reserve
    keys = random_keys(machine, rng) if keys is None else keys
    keys = with_zones(machine, state, first, keys, rest)
    return deal_of(machine, first, hands, tiles if listed else None, keys)


def random_keys(machine: Machine, rng: random.Random) -> tuple[Any, ...]:
    """Return values for the keys that a game adds to its deals; conditions may still refuse them."""

    def value(param: ParamDecl, kind: Type) -> Any:
        match kind:
            case Opt(Each()):
                return None
            case Opt(item):
                return None if rng.random() < 0.5 else value(param, item)
            case Tile():
                return rng.choice(machine.instance.whole)
            case Seat():
                return rng.randrange(machine.instance.players)
            case Bool():
                return rng.random() < 0.5
            case Choice(words):
                return rng.choice(words)
            case Int():
                low, high = likely_bounds(machine.instance, param)
                return rng.randint(low, max(low, high))
            case Bag(Tile()) if param.parts:
                return rng.sample(machine.instance.whole, min(len(param.parts), len(machine.instance.whole)))
            case Bag(Tile()):
                return rng.sample(
                    machine.instance.whole, rng.randrange(min(4, len(machine.instance.whole) + 1))
                )
            case Each(item):
                return [value(param, item) for _ in range(machine.instance.players)]
            case Bag() | Meld() | NoneType() | Points() | Patterns():
                return []
            case _:
                assert_never(kind)

    return tuple(_value_of(machine, param, value) for param in own_params(_deal_action(machine)))


def _value_of(machine: Machine, param: ParamDecl, value: Callable[[ParamDecl, Type], Any]) -> Any:
    """Return the value of a key by chance; what is dealt to a zone comes later, from the tiles that are left."""
    dealing = _deal_action(machine).dealing
    assert dealing is not None
    return [] if dealing.is_to_zone(param.name) else value(param, param.type)


def with_zones(
    machine: Machine, state: State, first: int, keys: Sequence[Any], rest: Sequence[int]
) -> tuple[Any, ...]:
    """Return the keys of a deal with the tiles that are dealt to zones: the next ones of what the hands leave over."""
    dealing = _deal_action(machine).dealing
    assert dealing is not None
    out, start = list(keys), 0
    names = keys_of_deal(machine, first, keys)
    own = [param.name for param in own_params(_deal_action(machine))]
    for dealt in dealing.table:
        end = start + max(0, machine.value(dealt.size, state, names))
        out[own.index(dealt.zone)] = sorted(rest[start:end])
        start = end
    return tuple(out)


def deal_by_chance(legal: Legal, state: State, chance: Chance) -> Event | None:
    """Return a deal that can be made, with its reserve in order; None if no seat can be dealt, or no try succeeds."""
    seats = legal.can_deal(state)
    for _ in range(DEALS if seats else 0):
        deal = legal.dealt(one_deal(legal.machine, state, chance.choice(seats), chance), state)
        if deal is not None:
            return deal
    return None


def one_deal(machine: Machine, state: State, first: int, chance: Chance) -> Event:
    """Return a deal from the shuffled set. It may be one that cannot be made."""
    keys = _keys_by_chance(machine, chance) if sizes_read_keys(machine) else None
    tiles = chance.shuffled(machine.instance.whole)
    hands, start = [], 0
    for size in hand_sizes(machine, state, first, keys or ()):
        hands.append(tiles[start : start + max(0, size)])
        start += len(hands[-1])
    keys = _keys_by_chance(machine, chance) if keys is None else keys
    keys = with_zones(machine, state, first, keys, tiles[start:])
    return deal_of(machine, first, hands, tiles[start:], keys)


def _keys_by_chance(machine: Machine, chance: Chance) -> tuple[Any, ...]:
    """Return values for the keys that a game adds to its deals; conditions may still refuse them."""

    def value(param: ParamDecl, kind: Type) -> Any:
        match kind:
            case Opt(Each()):
                return None
            case Opt(item):
                return value(param, item) if chance.below(2) else None
            case Tile():
                return chance.below(len(machine.instance.kinds))
            case Seat():
                return chance.below(machine.instance.players)
            case Bool():
                return chance.below(2) == 1
            case Choice(words):
                return chance.choice(words)
            case Int():
                low, high = likely_bounds(machine.instance, param)
                return low + chance.below(max(1, min(high - low + 1, MOST_NUMBERS)))
            case Bag(Tile()):
                size = len(param.parts) or chance.below(MOST_TILES + 1)
                return [chance.below(len(machine.instance.kinds)) for _ in range(size)]
            case Each(item):
                return [value(param, item) for _ in range(machine.instance.players)]
            case Patterns():
                return {}
            case Bag() | Meld() | NoneType() | Points():
                return []
            case _:
                assert_never(kind)

    return tuple(_value_of(machine, param, value) for param in own_params(_deal_action(machine)))


def random_deal_with(
    machine: Machine, state: State, first: int, seat: int, tiles: Sequence[int], rng: random.Random
) -> Event:
    """Return a deal in which `seat` is dealt `tiles`; the other seats are dealt from the shuffled rest.

    If there are more `tiles` than the seat is dealt, the last ones are dealt to nobody. The reserve is not listed.
    """
    rest = undealt(machine, [tiles])
    rng.shuffle(rest)
    keys = random_keys(machine, rng) if sizes_read_keys(machine) else None
    sizes = hand_sizes(machine, state, first, keys or ())
    hands = [list(tiles[:size]) if i == seat else [] for i, size in enumerate(sizes)]
    for hand, size in zip(hands, sizes, strict=True):
        while len(hand) < size and rest:
            hand.append(rest.pop())
    keys = random_keys(machine, rng) if keys is None else keys
    return deal_of(machine, first, hands, keys=with_zones(machine, state, first, keys, rest))


def random_reserve(machine: Machine, deal: Event, rng: random.Random) -> list[int]:
    """Return the tiles that a deal leaves over, shuffled."""
    rest = undealt(machine, deal.args[1])
    rng.shuffle(rest)
    return rest


# ---------------------------------------------------------------------- without chance


def deal_of(
    machine: Machine,
    first: int,
    hands: Hands,
    reserve: Sequence[int] | None = None,
    keys: Sequence[Any] | None = None,
) -> Event:
    """Return the deal of these hands, with `keys` for those that the game adds; without, they are left out."""
    action = _deal_action(machine)
    if keys is None:
        keys = [None for _ in own_params(action)]
    return Event(
        action.name,
        (
            first,
            [list(hand) for hand in hands],
            None if reserve is None else list(reserve),
            *keys,
        ),
    )


def with_reserve(deal: Event, reserve: Sequence[int] | None) -> Event:
    """Return a deal with another reserve."""
    first, hands, _, *others = deal.args
    return Event(deal.action, (first, hands, None if reserve is None else list(reserve), *others))


def undealt(machine: Machine, hands: Hands) -> list[int]:
    """Return the tiles of the set that are in none of these hands, in the order of the set."""
    rest = list(machine.instance.whole)
    for hand in hands:
        for tile in hand:
            rest.remove(tile)
    return rest


def set_has(machine: Machine, tiles: Iterable[int]) -> bool:
    """Return whether the set has all these tiles, copies counted."""
    kinds = machine.instance.kinds
    return all(count <= kinds[kind].copies for kind, count in Counter(tiles).items())


def sorted_groups(machine: Machine, shape: str) -> list[tuple[int, ...]]:
    """Return all groups of a shape in one order, so that a choice by chance can be repeated."""
    return sorted(machine.shapes.groups(shape))


def _deal_action(machine: Machine) -> Action:
    return next(a for a in machine.rules.actions if a.kind == "deal")
