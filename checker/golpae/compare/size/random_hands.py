"""Hands of a score by chance.

Input: two machines with the same kinds of tiles, the name of a score, numbers by chance.
Output: hands, as values of the parameters of both scores; and how they are drawn, for the compiled path.
Guarantee: the hands are those of `docs/semantics.md` (11.14).

A score without an arrangement gets any number of tiles. Hands are laid out by an arrangement of either side. Each
arrangement has the same chance, and then each group that the set has tiles for. If a score has a parameter for one
tile of the hand, any tile of the hand is taken. Parameters that may be left out are left out; others have any value
that fits the hand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, assert_never

from golpae.compare.size.exact import is_state_independent
from golpae.ir.ruleset import AS_IT_LIES, ParamDecl
from golpae.ir.scoring import of_hand
from golpae.ir.traverse import free
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
from golpae.kernel.emit.playing.drawing import Drawing, DrawnPart
from golpae.replay.chance import Chance
from golpae.replay.machine import Machine
from golpae.replay.random_deal import set_has, sorted_groups

OTHERS = 200  # tries for the other parameters of a hand

Values = tuple[Any, ...]  # of a score's parameters


class RandomHands:
    """Random hands for a score, as values of its parameters. `possible` is whether they can be generated, and `stated`
    are the parameters that are not left out.
    """

    def __init__(self, machines: tuple[Machine, Machine], name: str) -> None:
        self.machines = machines
        self.scores = tuple(m.scorers[name].score for m in machines)
        first, second = ([(p.name, p.type) for p in s.params] for s in self.scores)
        alike = of_hand(self.scores[0]) == of_hand(self.scores[1])
        lying = [AS_IT_LIES in score.arrangements for score in self.scores]
        self.lies = all(lying)
        self.possible = (
            first == second
            and alike
            and lying[0] == lying[1]
            and all(is_state_independent(s, m.rules) for s, m in zip(self.scores, machines, strict=True))
        )
        self.names = tuple(name for name, _ in first)
        in_hand = of_hand(self.scores[0])
        self.bags = [n for n, kind in first if n in in_hand and kind == TILES]
        self.single_tiles = [n for n, kind in first if n in in_hand and kind == TILE]
        self.possible &= len(self.bags) == 1 and len(self.single_tiles) < len(in_hand)
        self.free = [
            p for p in self.scores[0].params if p.name not in in_hand and not p.optional and p.initial is None
        ]
        self.stated = (*self.bags, *self.single_tiles, *(p.name for p in self.free))
        self.possible &= all(self._all(p) for p in self.free)
        if self.possible:
            self._prepare()

    def _prepare(self) -> None:
        both = list(zip(self.machines, self.scores, strict=True))
        self.left_out = [
            {
                p.name: None if p.initial is None or free(p.initial) else m.value(p.initial, None, {})
                for p in s.params
            }
            for m, s in both
        ]
        self._worked_out = [
            [
                (p.name, m.function(p.initial, self.names))
                for p in s.params
                if p.initial is not None and free(p.initial)
            ]
            for m, s in both
        ]
        self._whole = [m.function(s.hand, self.names) for m, s in both]
        self._provided = [[m.function(c.expr, self.names) for c in s.provided] for m, s in both]
        forms = [[f for f in s.arrangements if self._lists(m, f)] for m, s in both]
        self._arrangements = tuple(
            tuple(self._parts(machine, form) for form in names)
            for machine, names in zip(self.machines, forms, strict=True)
        )
        self._values = [self._allowed(p) for p in self.free]
        self.possible = all(forms) and all(self._values)

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

    def _allowed(self, param: ParamDecl) -> list[Any]:
        """Return the values of a parameter that no condition refuses by itself, so that fewer hands do not fit."""
        chosen = {*self.bags, *self.single_tiles, *(p.name for p in self.free if p != param)}
        chosen |= {name for own in self._worked_out for name, _ in own}
        conditions = [
            (holds, left)
            for score, left, functions in zip(self.scores, self.left_out, self._provided, strict=True)
            for condition, holds in zip(score.provided, functions, strict=True)
            if not free(condition.expr) & chosen
        ]

        def allows(value: Any) -> bool:
            return all(
                holds(None, *({**left, param.name: value}[n] for n in self.names))
                for holds, left in conditions
            )

        return [value for value in self._all(param) if allows(value)]

    def _lists(self, machine: Machine, form: str) -> bool:
        """Return whether the groups of an arrangement can be listed."""
        shapes = machine.shapes
        return not any(shapes.is_whole(p.shape) for p in shapes.arrangements[form].parts)

    def _parts(self, machine: Machine, form: str) -> tuple[DrawnPart, ...]:
        """Return the parts of an arrangement, with the groups that the set has tiles for."""
        out = []
        for part in machine.shapes.arrangements[form].parts:
            groups = tuple(g for g in sorted_groups(machine, part.shape) if set_has(machine, g))
            out.append(DrawnPart(groups, part.count, part.different))
        return tuple(out)

    @cached_property
    def drawing(self) -> Drawing:
        """How hands are drawn, for the compiled path."""
        values = [
            (param.name, tuple(self._number(param, value) for value in allowed))
            for param, allowed in zip(self.free, self._values, strict=True)
        ]
        return Drawing(self._arrangements, self.bags[0], tuple(self.single_tiles), tuple(values), self._tries)

    def _number(self, param: ParamDecl, value: Any) -> int:
        """Return a value as the kernel has it."""
        return param.type.words.index(value) if isinstance(param.type, Choice) else int(value)

    @property
    def _tries(self) -> int:
        return OTHERS if self.free else 1

    # ------------------------------------------------------------------ hands

    def draw(self, chance: Chance, side: int) -> tuple[Values, Values] | None:
        """Return a hand of one side's arrangements as the parameters of both; None if no try succeeded."""
        hand = self._hand(chance, side)
        if hand is None or len(hand) <= len(self.single_tiles):
            return None
        whole, tiles = sorted(hand), dict[str, Any]()
        for name in self.single_tiles:
            place = chance.below(len(hand))
            hand[place], hand[-1] = hand[-1], hand[place]
            tiles[name] = hand.pop()
        tiles[self.bags[0]] = hand
        for _ in range(self._tries):
            others = {
                p.name: chance.choice(allowed) for p, allowed in zip(self.free, self._values, strict=True)
            }
            ours, theirs = (self._values_of(side, {**tiles, **others}) for side in (0, 1))
            values = ours, theirs
            if all(self._fits(side, v, whole) for side, v in enumerate(values)):
                return values
        return None

    def _values_of(self, side: int, stated: Mapping[str, Any]) -> Values:
        """Return the values of a hand for one side's score."""
        values = {**self.left_out[side], **stated}
        for name, function in self._worked_out[side]:  # each after those that it names
            values[name] = function(None, *(values[n] for n in self.names))
        return tuple(values[n] for n in self.names)

    def _fits(self, side: int, values: Values, hand: Sequence[int]) -> bool:
        """Return whether the score allows these values together, and takes this hand."""
        whole = values[self.names.index(self.bags[0])] if self.lies else self._whole[side](None, *values)
        return sorted(whole) == hand and all(holds(None, *values) for holds in self._provided[side])

    def _hand(self, chance: Chance, side: int) -> list[int] | None:
        hand: list[int] = []
        if self.lies:
            return self._any_tiles(chance, side)
        for part in chance.choice(self._arrangements[side]):
            if not part.possible:
                return None
            for place in self._places(chance, part):
                hand += part.groups[place]
        return hand if set_has(self.machines[side], hand) else None

    def _any_tiles(self, chance: Chance, side: int) -> list[int]:
        """Return some tiles of the set, of any number, for a score that has no arrangement."""
        kinds = self.machines[side].instance.kinds
        copies = [number for number, kind in enumerate(kinds) for _ in range(kind.copies)]
        many = chance.below(len(copies) + 1)
        return chance.shuffled(copies)[:many]

    def _places(self, chance: Chance, part: DrawnPart) -> list[int]:
        """Return the places of groups; different ones by R. Floyd: J. Bentley, "Programming Pearls", CACM 30 (1987)."""
        many = len(part.groups)
        if not part.different:
            return [chance.below(many) for _ in range(part.count)]
        places: list[int] = []
        for last in range(many - part.count, many):
            place = chance.below(last + 1)
            places.append(last if place in places else place)
        return places
