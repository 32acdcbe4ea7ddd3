"""Estimate how often hands score differently, if there are too many to count.

Input: two machines with the same kinds of tiles.
Output: estimated `Amount`s on scores with more parameters than a hand, or of hands with too many tiles. `{a}` and `{b}`
stand for the names of the two.
Guarantee: the same seed gives the same result.

Random hands are laid out by an arrangement of either side in turn. Each arrangement has the same chance, and then each
group that the set has tiles for. If a score has a parameter for one tile of the hand, any tile of the hand is taken.
Optional parameters are left out; others have any value that fits the hand. Hands that neither side scores are
dealt again.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, assert_never

from golpae.compare.comparison import Amount
from golpae.compare.size.exact import ExactCounts, is_state_independent
from golpae.intervals import wilson
from golpae.ir.ruleset import ParamDecl
from golpae.ir.traverse import names_in
from golpae.ir.types import (
    TILE,
    TILES,
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
)
from golpae.progress import Progress
from golpae.replay.machine import Machine
from golpae.replay.random_deal import set_has, sorted_groups
from golpae.replay.scoring.score import total

HANDS = 1_000
TRIES = 10 * HANDS  # deals of a hand, in all
OTHERS = 200  # tries for the other parameters of a hand

Values = tuple[Any, ...]  # of a score's parameters


def sample(counts: ExactCounts, seed: int, progress: Progress) -> Iterator[Amount]:
    """Yield the estimates for each score that differs and is not counts."""
    for score in counts.a.rules.scores:
        if ("score", score.name) in counts.parts and score.name in counts.b.scorers:
            if not counts.counts(score.name):
                hands = RandomHands((counts.a, counts.b), score.name)
                if hands.possible:
                    yield from _estimated(hands, score.name, seed, progress)


def _estimated(hands: RandomHands, name: str, seed: int, progress: Progress) -> Iterator[Amount]:
    only, otherwise, of = [0, 0], 0, 0
    for number in range(TRIES):
        values = hands.draw(random.Random(f"hand {name} {seed} {number}"), number % 2)
        if values is None:
            continue
        ours, theirs = (
            total(m.scorers[name].best(None, *v)) for m, v in zip(hands.machines, values, strict=True)
        )
        if ours is None and theirs is None:
            continue
        of += 1
        progress.done += 1
        only[0] += theirs is None
        only[1] += ours is None
        otherwise += ours is not None and theirs is not None and ours != theirs
        if of == HANDS:
            break
    if not of:
        return
    what = f"random hands with a `{name}`"
    rows = [(f"{what} only in {place}", n) for place, n in zip(("{a}", "{b}"), only, strict=True) if n]
    if otherwise or not rows:
        rows.append((f"{what} that has a different value in {{b}}", otherwise))
    for what, count in rows:
        yield Amount(what, count, of, *wilson(count, of), seed)


class RandomHands:
    """Random hands for a score, as values of its parameters. `possible` is whether they can be generated."""

    def __init__(self, machines: tuple[Machine, Machine], name: str) -> None:
        self.machines = machines
        self.scores = tuple(m.scorers[name].score for m in machines)
        first, second = ([(p.name, p.type) for p in s.params] for s in self.scores)
        alike = names_in(self.scores[0].hand) == names_in(self.scores[1].hand)
        self.possible = (
            first == second
            and alike
            and all(is_state_independent(s, m.rules) for s, m in zip(self.scores, machines, strict=True))
        )
        self.listed: dict[tuple[int, str], list[tuple[int, ...]]] = {}
        self.names = tuple(name for name, _ in first)
        in_hand = names_in(self.scores[0].hand)
        self.bags = [n for n, kind in first if n in in_hand and kind == TILES]
        self.single_tiles = [n for n, kind in first if n in in_hand and kind == TILE]
        self.possible &= len(self.bags) == 1 and len(self.single_tiles) < len(in_hand)
        self.free = [
            p for p in self.scores[0].params if p.name not in in_hand and not p.optional and p.initial is None
        ]
        self.possible &= all(self._all(p) for p in self.free)
        if self.possible:
            self._prepare()

    def _prepare(self) -> None:
        both = list(zip(self.machines, self.scores, strict=True))
        self.left_out = [
            {p.name: None if p.initial is None else m.value(p.initial, None, {}) for p in s.params}
            for m, s in both
        ]
        self.whole = [m.function(s.hand, self.names) for m, s in both]
        self.provided = [[m.function(c.expr, self.names) for c in s.provided] for m, s in both]
        self.forms = [[f for f in s.arrangements if self._lists(m, f)] for m, s in both]
        self.possible = all(self.forms)

    def _all(self, param: ParamDecl) -> list[Any]:
        """Return all values of a parameter; none if they cannot be listed."""
        match param.type:
            case Bool():
                return [False, True]
            case Choice(words):
                return list(words)
            case Tile():
                return list(range(len(self.machines[0].instance.kinds)))
            case Int() | Seat() | Meld() | Bag() | Each() | Opt() | NoneType() | Points() | Patterns():
                return []
            case _:
                assert_never(param.type)

    def _lists(self, machine: Machine, form: str) -> bool:
        """Return whether the groups of an arrangement can be listed."""
        shapes = machine.shapes
        return not any(shapes.is_whole(p.shape) for p in shapes.arrangements[form].parts)

    def draw(self, rng: random.Random, side: int) -> tuple[Values, Values] | None:
        """Return a hand of one side's arrangements as the parameters of both; None if no try succeeded."""
        hand = self._hand(rng, side)
        if hand is None or len(hand) <= len(self.single_tiles):
            return None
        rng.shuffle(hand)
        tiles: dict[str, Any] = dict(zip(self.single_tiles, hand, strict=False))
        tiles[self.bags[0]] = hand[len(self.single_tiles) :]
        for _ in range(OTHERS):
            others = {p.name: rng.choice(self._all(p)) for p in self.free}
            ours, theirs = ({**left, **tiles, **others} for left in self.left_out)
            values = tuple(ours[n] for n in self.names), tuple(theirs[n] for n in self.names)
            if all(self._fits(side, v, hand) for side, v in enumerate(values)):
                return values
        return None

    def _fits(self, side: int, values: Values, hand: list[int]) -> bool:
        """Return whether the score allows these values together, and takes this hand."""
        whole = self.whole[side](None, *values)
        return sorted(whole) == sorted(hand) and all(holds(None, *values) for holds in self.provided[side])

    def _hand(self, rng: random.Random, side: int) -> list[int] | None:
        machine = self.machines[side]
        hand: list[int] = []
        for part in machine.shapes.arrangements[rng.choice(self.forms[side])].parts:
            groups = self._groups(side, part.shape)
            if len(groups) < (part.count if part.different else 1):
                return None
            pick = rng.sample if part.different else rng.choices
            for group in pick(groups, k=part.count):
                hand += group
        return hand if set_has(machine, hand) else None

    def _groups(self, side: int, shape: str) -> list[tuple[int, ...]]:
        if (side, shape) not in self.listed:
            self.listed[side, shape] = sorted_groups(self.machines[side], shape)
        return self.listed[side, shape]
