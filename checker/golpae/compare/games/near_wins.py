"""Hands that are nearly complete, to deal in games that are played in search of where two rule sets part.

In: a machine and what was rewritten of its rules. Out: the tiles of an arrangement, at random, those first that were
rewritten themselves. A game in which somebody holds one gets soon to where it matters what a hand is worth.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

from golpae.compare.games.alignment import Rewritten
from golpae.replay.machine import Machine

TRIES = 20  # for a hand that the set has tiles for


class Hands:
    """Random hands of a machine's arrangements and shapes of many tiles."""

    def __init__(self, machine: Machine, rewritten: Rewritten) -> None:
        self.machine = machine
        self.copies = [kind.copies for kind in machine.table.kinds]
        self.rewritten = {name for what, name in rewritten.parts if what == "shape"}
        shapes = machine.shapes
        named = [*shapes.arrangements, *(s.name for s in shapes.shapes.values() if not s.union)]
        self.wholes = [(n, parts) for n in named for parts in shapes.made_of(n)]
        self.changed = [(n, parts) for n, parts in self.wholes if n in self.rewritten]

    def any(self, rng: random.Random, least: int, most: int) -> list[int] | None:
        """The tiles of an arrangement, in any order; None where none of so many tiles came up."""
        for _ in range(TRIES if self.wholes else 0):
            _, parts = rng.choice(self.changed if self.changed and rng.random() < 0.5 else self.wholes)
            hand = self._hand(parts, rng)
            if hand is not None and least <= len(hand) <= most:
                rng.shuffle(hand)
                return hand
        return None

    def _hand(self, parts: list[tuple[str, int]], rng: random.Random) -> list[int] | None:
        hand: list[int] = []
        alike, near, twins = rng.random() < 0.5, rng.random() < 0.5, rng.random() < 0.3
        for shape, count in parts:
            kinds = list(self._plain(shape))
            changed = [k for k in kinds if k in self.rewritten]
            if alike and kinds:
                kinds = [rng.choice(changed or kinds)]
            group: tuple[int, ...] = ()
            for number in range(count):
                if twins and number % 2:
                    hand += group
                    continue
                first = changed if changed and number == 0 else kinds
                groups = self._listed(rng.choice(first)) if first else []
                if not groups:
                    return None
                if near:  # tiles that go together in more than one way
                    groups = [g for g in groups if set(g) & set(hand)] or groups
                group = rng.choice(groups)
                hand += group
        return hand if all(n <= self.copies[k] for k, n in Counter(hand).items()) else None

    def _listed(self, shape: str) -> list[tuple[int, ...]]:
        return sorted(self.machine.shapes.groups(shape))

    def _plain(self, shape: str) -> Iterator[str]:
        """The shapes that a union joins, itself where it is none; not those that only a test of many tiles tells."""
        declared = self.machine.shapes.shapes[shape]
        if declared.union:
            for member in declared.union:
                yield from self._plain(member)
        elif declared.names:
            yield shape
