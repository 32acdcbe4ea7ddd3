"""How often hands count otherwise that are too many to be counted one by one.

In: two machines with the same kinds of tiles. Out: measured `Amount`s on scores that take more than a hand by itself,
or hands of so many tiles that they cannot all be asked about. `{a}` and `{b}` stand for the names of the two.

Hands are laid out at random: by an arrangement of the one and of the other by turns, each arrangement and then each
group with the same chance, as far as there are tiles. Where a score is told one tile apart, it is any tile of the
hand. All else that can be left out is left out, and what cannot is any that goes with the hand. Hands that count
in neither are dealt again.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from golpae.compare.comparison import Amount
from golpae.compare.size.exact import Counted, asks_nothing
from golpae.compare.size.wilson import wilson
from golpae.ir.ruleset import ParamDecl
from golpae.ir.traverse import names_in
from golpae.ir.types import TILE, TILES, Bool, Choice
from golpae.replay.machine import Machine
from golpae.replay.random_deal import set_has, sorted_groups
from golpae.replay.scoring.score import total

HANDS = 1_000
TRIES = 10 * HANDS  # deals of a hand, in all
OTHERS = 200  # tries for what goes with a hand

Values = tuple[Any, ...]  # of a score's parameters


def sample(counted: Counted, seed: int) -> Iterator[Amount]:
    """What was found, of each score that differs and cannot be counted."""
    for score in counted.a.rules.scores:
        if ("score", score.name) in counted.parts and score.name in counted.b.scorers:
            if not counted.counts(score.name):
                hands = RandomHands((counted.a, counted.b), score.name)
                if hands.known:
                    yield from _measured(hands, score.name, seed)


def _measured(hands: RandomHands, name: str, seed: int) -> Iterator[Amount]:
    only, otherwise, of = [0, 0], 0, 0
    for number in range(TRIES):
        values = hands.any(random.Random(f"hand {name} {seed} {number}"), number % 2)
        if values is None:
            continue
        ours, theirs = (
            total(m.scorers[name].best(None, *v)) for m, v in zip(hands.machines, values, strict=True)
        )
        if ours is None and theirs is None:
            continue
        of += 1
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
        rows.append((f"{what} that is otherwise in {{b}}", otherwise))
    for said, found in rows:
        yield Amount(said, found, of, *wilson(found, of), seed)


class RandomHands:
    """Random hands for a score, in the values of its parameters. Where not `known`, it cannot be told how."""

    def __init__(self, machines: tuple[Machine, Machine], name: str) -> None:
        self.machines = machines
        self.scores = tuple(m.scorers[name].score for m in machines)
        first, second = ([(p.name, p.type) for p in s.params] for s in self.scores)
        alike = names_in(self.scores[0].hand) == names_in(self.scores[1].hand)
        self.known = (
            first == second
            and alike
            and all(asks_nothing(s, m.rules) for s, m in zip(self.scores, machines, strict=True))
        )
        self.listed: dict[tuple[int, str], list[tuple[int, ...]]] = {}
        self.names = tuple(name for name, _ in first)
        in_hand = names_in(self.scores[0].hand)
        self.bags = [n for n, kind in first if n in in_hand and kind == TILES]
        self.apart = [n for n, kind in first if n in in_hand and kind == TILE]
        self.known &= len(self.bags) == 1 and len(self.apart) < len(in_hand)
        self.free = [
            p for p in self.scores[0].params if p.name not in in_hand and not p.optional and p.initial is None
        ]
        self.known &= all(self._all(p) for p in self.free)
        if self.known:
            self._ask()

    def _ask(self) -> None:
        both = list(zip(self.machines, self.scores, strict=True))
        self.left_out = [
            {p.name: None if p.initial is None else m.value(p.initial, None, {}) for p in s.params}
            for m, s in both
        ]
        self.whole = [m.function(s.hand, self.names) for m, s in both]
        self.provided = [[m.function(c.expr, self.names) for c in s.provided] for m, s in both]
        self.forms = [[f for f in s.arrangements if self._lists(m, f)] for m, s in both]
        self.known = all(self.forms)

    def _all(self, param: ParamDecl) -> list[Any]:
        """All values of a parameter; none where they cannot be listed."""
        match param.type:
            case Bool():
                return [False, True]
            case Choice(words):
                return list(words)
            case kind if kind == TILE:
                return list(range(len(self.machines[0].table.kinds)))
            case _:
                return []

    def _lists(self, machine: Machine, form: str) -> bool:
        """Whether the groups of an arrangement can be listed."""
        shapes = machine.shapes
        return not any(shapes.is_whole(p.shape) for p in shapes.arrangements[form].parts)

    def any(self, rng: random.Random, side: int) -> tuple[Values, Values] | None:
        """A hand of one side's arrangements, as both are told it; None where none came up."""
        hand = self._hand(rng, side)
        if hand is None or len(hand) <= len(self.apart):
            return None
        rng.shuffle(hand)
        told: dict[str, Any] = dict(zip(self.apart, hand, strict=False))
        told[self.bags[0]] = hand[len(self.apart) :]
        for _ in range(OTHERS):
            others = {p.name: rng.choice(self._all(p)) for p in self.free}
            ours, theirs = ({**left, **told, **others} for left in self.left_out)
            values = tuple(ours[n] for n in self.names), tuple(theirs[n] for n in self.names)
            if all(self._goes(side, v, hand) for side, v in enumerate(values)):
                return values
        return None

    def _goes(self, side: int, values: Values, hand: list[int]) -> bool:
        """Whether values can be given together, and have a score take this hand."""
        whole = self.whole[side](None, *values)
        return sorted(whole) == sorted(hand) and all(asked(None, *values) for asked in self.provided[side])

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
