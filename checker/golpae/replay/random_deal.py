"""Random deals: no other module of the package deals at random.

Input: a machine, the seat that is dealt the first player's hand, and a random generator.
Output: deals as events. The reserve of each is in the order of its tiles or left to the game.
Guarantee: the same generator state gives the same deal, and the flags of a function do not change how often it draws
from the generator.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence

from golpae.elaborate.constant import constant_int
from golpae.ir.ruleset import Action
from golpae.replay.legal_events import Event
from golpae.replay.machine import Machine

Hands = Sequence[Sequence[int]]  # the tiles of each seat's hand, as kinds by number


def random_deal(machine: Machine, first: int, rng: random.Random, *, reserve: bool | None = None) -> Event:
    """Return a deal from the shuffled set.

    `reserve`: whether the deal lists the tiles of the reserve. If None, chance decides.
    """
    tiles = list(machine.instance.whole)
    rng.shuffle(tiles)
    hands = [[tiles.pop() for _ in range(size)] for size in hand_sizes(machine, first)]
    listed = rng.random() < 0.5  # also if `reserve` decides, so that it changes nothing that is drawn later
    listed = listed if reserve is None else reserve
    return deal_of(machine, first, hands, tiles if listed else None)


def random_deal_with(
    machine: Machine, first: int, seat: int, tiles: Sequence[int], rng: random.Random
) -> Event:
    """Return a deal in which `seat` is dealt `tiles`; the other seats are dealt from the shuffled rest.

    If there are more `tiles` than the seat is dealt, the last ones are dealt to nobody. The reserve is not listed.
    """
    rest = undealt(machine, [tiles])
    rng.shuffle(rest)
    sizes = hand_sizes(machine, first)
    hands = [list(tiles[:size]) if i == seat else [] for i, size in enumerate(sizes)]
    for hand, size in zip(hands, sizes, strict=True):
        while len(hand) < size and rest:
            hand.append(rest.pop())
    return deal_of(machine, first, hands)


def random_reserve(machine: Machine, deal: Event, rng: random.Random) -> list[int]:
    """Return the tiles that a deal leaves over, shuffled."""
    rest = undealt(machine, deal.args[1])
    rng.shuffle(rest)
    return rest


# ---------------------------------------------------------------------- without chance


def deal_of(machine: Machine, first: int, hands: Hands, reserve: Sequence[int] | None = None) -> Event:
    """Return the deal of these hands. Keys that the game adds are left out."""
    action = _deal_action(machine)
    return Event(
        action.name,
        (
            first,
            [list(hand) for hand in hands],
            None if reserve is None else list(reserve),
            *(None for _ in action.params[3:]),
        ),
    )


def with_reserve(deal: Event, reserve: Sequence[int] | None) -> Event:
    """Return the same deal with another reserve."""
    first, hands, _, *others = deal.args
    return Event(deal.action, (first, hands, None if reserve is None else list(reserve), *others))


def hand_sizes(machine: Machine, first: int) -> list[int]:
    """Return how many tiles each seat is dealt if `first` is dealt the first player's hand."""
    dealing = _deal_action(machine).dealing
    assert dealing is not None
    return [
        constant_int(dealing.first if seat == first else dealing.others, machine.instance.static)
        for seat in range(machine.instance.players)
    ]


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
