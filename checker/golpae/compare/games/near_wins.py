"""Random hands that are nearly complete, for deals in a random search.

Input: a machine, and what is rewritten of its rules.
Output: the tiles of a random arrangement, more often of one whose shape is rewritten.
Guarantee: the set has all tiles of a hand.

A game in which a player holds a near win soon reaches the point at which the value of a hand matters.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from golpae.compare.games.alignment import Rewritten
from golpae.replay.machine import Machine
from golpae.replay.random_deal import set_has, sorted_groups

TRIES = 20  # for a hand that the set has tiles for


class NearWins:
    """Random hands of a machine's arrangements and shapes of many tiles."""

    def __init__(self, machine: Machine, rewritten: Rewritten) -> None:
        self.machine = machine
        self.rewritten = {name for what, name in rewritten.parts if what == "shape"}
        shapes = machine.shapes
        names = [*shapes.arrangements, *(s.name for s in shapes.shapes.values() if not s.union)]
        self.arrangements = [(n, parts) for n in names for parts in shapes.made_of(n)]
        self.rewritten_ones = [(n, parts) for n, parts in self.arrangements if n in self.rewritten]

    def draw(self, rng: random.Random, least: int, most: int) -> list[int] | None:
        """Return the tiles of a random arrangement in random order; None if no try had `least` to `most` tiles."""
        for _ in range(TRIES if self.arrangements else 0):
            prefer = self.rewritten_ones and rng.random() < 0.5
            _, parts = rng.choice(self.rewritten_ones if prefer else self.arrangements)
            hand = self._hand(parts, rng)
            if hand is not None and least <= len(hand) <= most:
                rng.shuffle(hand)
                return hand
        return None

    def _hand(self, parts: list[tuple[str, int]], rng: random.Random) -> list[int] | None:
        """Return a random group for each part, or None if the set lacks a tile."""
        hand: list[int] = []
        alike, near, twins = rng.random() < 0.5, rng.random() < 0.5, rng.random() < 0.3
        for shape, count in parts:
            kinds = list(self._members(shape))
            rewritten = [k for k in kinds if k in self.rewritten]
            if alike and kinds:
                kinds = [rng.choice(rewritten or kinds)]
            group: tuple[int, ...] = ()
            for number in range(count):
                if twins and number % 2:
                    hand += group
                    continue
                first = rewritten if rewritten and number == 0 else kinds
                groups = sorted_groups(self.machine, rng.choice(first)) if first else []
                if not groups:
                    return None
                if near:  # tiles that can be grouped in more than one way
                    groups = [g for g in groups if set(g) & set(hand)] or groups
                group = rng.choice(groups)
                hand += group
        return hand if set_has(self.machine, hand) else None

    def _members(self, shape: str) -> Iterator[str]:
        """Yield the shapes of a union, or the shape itself, without shapes that only a test of many tiles defines."""
        declared = self.machine.shapes.shapes[shape]
        if declared.union:
            for member in declared.union:
                yield from self._members(member)
        elif declared.names:
            yield shape
