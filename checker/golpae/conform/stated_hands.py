"""Hands of a score by which an engine is compared: hands that games come to.

Input: a machine, the name of a score, a seed. Output: a hand for each number, as values of the score's parameters.
Guarantee: a hand is a function of the seed and its number, and can be (`docs/semantics.md`, 8.12).

A hand is laid out by an arrangement, half of the hands from some groups of the set alone. Some of its groups lie on the
table, with labels that effects of the text give. Of ten hands, seven have to count, two may, and one has another tile
in the place of one. Every second hand is about one value that may be left out: it has it, and the others by chance.
Every fifth one is to have one of the patterns. A value that is worked out from others is always left out.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple, assert_never

from golpae.compare.size.exact import is_state_independent
from golpae.ir import expr as ir
from golpae.ir.limits import TooManySteps
from golpae.ir.ruleset import AS_IT_LIES, ParamDecl, PartDecl
from golpae.ir.scoring import as_given, given_labels, of_hand, plain_shapes, stated_labels
from golpae.ir.traverse import conjuncts, free
from golpae.ir.types import (
    MELD,
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
    Type,
)
from golpae.lower import statements as st
from golpae.lower.effects import statements_of
from golpae.lower.walk import flat
from golpae.replay import runtime
from golpae.replay.hands.stated import reason_against, tiles_of
from golpae.replay.hands.usual import with_usual
from golpae.replay.machine import Machine
from golpae.replay.random_deal import set_has, sorted_groups

LAYOUTS = 60  # tries to lay out a hand
EACH_PLAN = 12  # tries before a hand is made of something else
TOGETHER = 30  # tries for what is given with it
MUST_COUNT, MAY_COUNT, OF = 7, 9, 10  # hands with a number below these, of so many; the others are spoilt
AIMED = 5  # every fifth hand is to have one of the patterns, each in turn
MOST_TILES = 4  # in a bag that is given
SHARES = (0, 0, 0.3, 0.6, 1)  # of the groups that lie on the table
GIVEN = (0.05, 0.15, 0.3, 0.5)  # how often a value that may be left out is given

Values = dict[str, Any]
Group = tuple[int, ...]


class NoHands(Exception):
    """Hands of this score cannot be made."""


class _Plan(NamedTuple):
    """What a hand is made of: an arrangement, groups of tiles, plain shapes, the share of its groups on the table."""

    form: str
    names: frozenset[str]
    shapes: frozenset[str]
    share: float


def _some(names: Sequence[str], rng: random.Random) -> list[str]:
    """Return all names, or, as often, some of them."""
    return [*names] if rng.random() < 0.5 else rng.sample(names, rng.randint(1, len(names)))


class StatedHands:
    """The hands of one score. Raises `NoHands`."""

    def __init__(self, machine: Machine, name: str, seed: int) -> None:
        self.machine, self.name, self.seed = machine, name, seed
        self.scorer = machine.scorers[name]
        self.score = self.scorer.score
        self.params = self.score.params
        in_hand = of_hand(self.score)
        bags = [p.name for p in self.params if p.name in in_hand and p.type == TILES]
        self._single = [p.name for p in self.params if p.name in in_hand and p.type == TILE]
        if len(bags) != 1 or len(self._single) + 1 != len(in_hand):
            raise NoHands(f"hands of the score `{name}` cannot be made: its `hand` is not one bag of tiles")
        if not is_state_independent(self.score, machine.rules):
            raise NoHands(f"hands of the score `{name}` cannot be made: it reads what happens in a game")
        self.bag = bags[0]
        fixed = as_given(self.score.fixed)
        self.fixed = fixed.name if isinstance(fixed, ir.Local) and fixed.type == Bag(MELD) else None
        self.worked_out = {p.name for p in self.params if p.initial is not None and free(p.initial)}
        ours = {*in_hand, self.fixed, *self.worked_out}
        self._others = [p for p in self.params if p.name not in ours]
        self.usual = {
            p.name: self._usual(p)
            for p in self.params
            if (p.initial is not None or p.optional) and p.name not in self.worked_out
        }
        self.optional = [p.name for p in self.params if p.name in self.usual and p.name not in in_hand]
        self._arrangements = [f for f in self.score.arrangements if self._lists(f)]
        if not self._arrangements:
            raise NoHands(f"hands of the score `{name}` cannot be made: its arrangements cannot be listed")
        shapes = machine.shapes.shapes
        self._names = sorted({kind.group for kind in machine.instance.kinds})
        self._plain = {
            form: [plain_shapes(part.shape, shapes) for part in self._parts(form)]
            for form in self._arrangements
        }
        names = {p.name for p in self.params}
        keep = () if self.score.keep is None else conjuncts(self.score.keep)
        self._of_params = [test for test in keep if free(test) <= names]  # known before a hand is laid out
        self._groups: dict[tuple[str, str], list[Group]] = {}
        self._labels = self._labels_of_games()
        self._fitting: dict[tuple[str, Group], list[runtime.Meld]] = {}
        self._kinds = {p.name: self._kinds_alone(p) for p in self._others if p.type == TILES}
        self._melds: list[runtime.Meld] | None = None

    def _usual(self, param: ParamDecl) -> Any:
        return None if param.initial is None else self.machine.value(param.initial, self._state, {})

    @property
    def _state(self) -> Any:
        return self.machine.first_state

    def _lists(self, form: str) -> bool:
        """Return whether the groups of an arrangement can be listed."""
        shapes = self.machine.shapes
        return not any(shapes.is_whole(part.shape) for part in shapes.arrangements[form].parts)

    def _labels_of_games(self) -> list[str | None]:
        """Return the labels that effects give to melds, None if some meld gets none; all if no effect makes a meld."""
        rules = self.machine.rules
        labels: list[str | None] = [*sorted(given_labels(rules))]
        statements = [s for action in rules.actions for s in flat(statements_of(rules, action))]
        if any(isinstance(s, st.NewMeld | st.PutMeld | st.MoveMelds) and s.label is None for s in statements):
            labels.append(None)
        return labels or [*sorted(stated_labels(rules)), None]

    # ------------------------------------------------------------------ one hand

    def draw(self, number: int) -> Values | None:
        """Return the hand of a number; None if no try succeeded."""
        rng = random.Random(f"hand {self.name} {self.seed} {number}")
        place = number % OF
        must_count, is_spoilt = place < MUST_COUNT, place >= MAY_COUNT
        about = self.optional[number // 2 % len(self.optional)] if self.optional and number % 2 else None
        patterns = self.score.patterns
        aim = patterns[number // AIMED % len(patterns)].name if patterns and number % AIMED == 0 else None
        plan = self._plan(rng, rng.choice(self._arrangements))
        drawn: Values | None = None
        for tried in range(LAYOUTS):
            if aim is not None or (tried and tried % EACH_PLAN == 0):
                other = aim is not None or tried >= LAYOUTS - EACH_PLAN
                plan, about = self._plan(rng, rng.choice(self._arrangements) if other else plan.form), None
            values = self._drawn(plan, rng, about)
            if values is None:
                continue
            if is_spoilt:
                values = self._spoilt(values, rng)
                if not self._can_be(values):
                    continue
            counting = self._counting(values) if must_count else frozenset()
            if counting is not None or drawn is None:
                drawn = values
            if counting is not None and (aim is None or aim in counting):
                break
        return drawn

    def _drawn(self, plan: _Plan, rng: random.Random, about: str | None) -> Values | None:
        groups = self._laid_out(plan, rng)
        if groups is None:
            return None
        for _ in range(TOGETHER):
            share = plan.share if rng.random() < 0.5 else rng.choice(SHARES)
            values = {**self.usual, **self._on_table(groups, share, rng)}
            if len(values[self.bag]) <= len(self._single):
                continue
            for name in self._single:
                values[name] = values[self.bag].pop(rng.randrange(len(values[self.bag])))
            often = rng.choice(GIVEN)
            for param in self._others:
                if param.name not in self.usual or param.name == about or rng.random() < often:
                    values[param.name] = self._value(param, param.type, values, rng)
            values = with_usual(self.machine, self.score, values)
            if about is not None and values[about] == self.usual[about]:
                continue
            if self._can_be(values) and all(self._holds(test, values) for test in self._of_params):
                return values
        return None

    def _plan(self, rng: random.Random, form: str) -> _Plan:
        """Return a random plan for a hand with this arrangement: tiles, shapes and open share of its groups."""
        shapes = sorted({plain for shapes in self._plain[form] for plain in shapes})
        some = frozenset(_some(shapes, rng) if shapes else ())
        return _Plan(form, frozenset(_some(self._names, rng)), some, rng.choice(SHARES))

    def _laid_out(self, plan: _Plan, rng: random.Random) -> list[tuple[Group, str]] | None:
        """Return the groups of a hand, each with the shape of its part."""
        groups: list[tuple[Group, str]] = []
        if plan.form == AS_IT_LIES:
            return [((tile,), AS_IT_LIES) for tile in self._any_tiles(plan, rng)]
        for part, plain in zip(self._parts(plan.form), self._plain[plan.form], strict=True):
            shapes = [shape for shape in plain if shape in plan.shapes] or [*plain]
            chosen: list[Group] = []
            for _ in range(part.count):
                listed = self._listed(rng.choice(shapes), rng.choice(sorted(plan.names)))
                listed = listed or [g for s in shapes for n in self._names for g in self._listed(s, n)]
                if part.different:
                    listed = [group for group in listed if group not in chosen] or self._left(part, chosen)
                if not listed:
                    return None
                chosen.append(rng.choice(listed))
            groups += [(group, part.shape) for group in chosen]
        return groups if set_has(self.machine, (tile for group, _ in groups for tile in group)) else None

    def _any_tiles(self, plan: _Plan, rng: random.Random) -> list[int]:
        """Return some tiles of the set, of any number, for a score that has no arrangement."""
        kinds = enumerate(self.machine.instance.kinds)
        copies = [n for n, kind in kinds if kind.group in plan.names for _ in range(kind.copies)]
        return rng.sample(copies, rng.randint(0, len(copies)))

    def _parts(self, form: str) -> tuple[PartDecl, ...]:
        return self.machine.shapes.arrangements[form].parts

    def _left(self, part: PartDecl, chosen: Collection[Group]) -> list[Group]:
        """Return the groups of a part that are not yet chosen."""
        groups = sorted_groups(self.machine, part.shape)
        return [group for group in groups if group not in chosen and set_has(self.machine, group)]

    def _listed(self, shape: str, name: str) -> list[Group]:
        """Return the groups of a shape that the set has tiles for, with a tile of this group of tiles."""
        key = shape, name
        if key not in self._groups:
            kinds = self.machine.instance.kinds
            self._groups[key] = [
                group
                for group in sorted_groups(self.machine, shape)
                if any(kinds[tile].group == name for tile in group) and set_has(self.machine, group)
            ]
        return self._groups[key]

    def _on_table(self, groups: Sequence[tuple[Group, str]], share: float, rng: random.Random) -> Values:
        """Return the tiles of the hand, and the groups that lie on the table, which are about this share of them."""
        tiles: list[int] = []
        melds: list[runtime.Meld] = []
        for group, shape in groups:
            fitting = [] if self.fixed is None else self._melds_of(group, shape)
            if fitting and rng.random() < share:
                melds.append(rng.choice(fitting))
            else:
                tiles += group
        return {self.bag: tiles, **({} if self.fixed is None else {self.fixed: melds})}

    def _melds_of(self, group: Group, shape: str) -> list[runtime.Meld]:
        """Return the melds that a group of a part can be on the table."""
        key = shape, group
        if key not in self._fitting:
            shapes = self.machine.shapes
            fixed = self.fixed
            assert fixed is not None
            made = [runtime.Meld(group, label) for label in self._labels if self._is_of(label, group)]
            tests = [c.expr for c in self.score.provided if free(c.expr) == {fixed}]
            self._fitting[key] = [
                meld
                for meld in made
                if shapes.holds(meld, shape) and all(self._holds(test, {fixed: [meld]}) for test in tests)
            ]
        return self._fitting[key]

    def _is_of(self, label: str | None, group: Group) -> bool:
        """Return whether a group can have a label."""
        shapes = self.machine.shapes
        return label not in shapes.shapes or shapes.is_group(group, str(label))

    def _spoilt(self, values: Values, rng: random.Random) -> Values:
        """Return a hand with another tile in the place of one."""
        tiles = [*values[self.bag]]
        tiles[rng.randrange(len(tiles))] = rng.randrange(len(self.machine.instance.kinds))
        others = {name: value for name, value in values.items() if name not in self.worked_out}
        return with_usual(self.machine, self.score, {**others, self.bag: tiles})

    # ------------------------------------------------------------------ what holds

    def _holds(self, test: ir.Expr, values: Mapping[str, Any]) -> bool:
        return bool(self.machine.value(test, self._state, values))

    def _can_be(self, values: Values) -> bool:
        try:
            counts = tiles_of(self.machine, self.score, values)
            return reason_against(self.machine, self.score, values, counts) is None
        except TooManySteps:
            return False

    def _counting(self, values: Values) -> frozenset[str] | None:
        """Return the patterns that count in a best way of a hand; None if the hand does not count."""
        try:
            best = self.scorer.best(self._state, *(values[p.name] for p in self.params))
        except TooManySteps:
            return None
        return None if best is None else frozenset(name for one in best.layouts for name in one.patterns)

    # ------------------------------------------------------------------ values

    def _value(self, param: ParamDecl, kind: Type, values: Values, rng: random.Random) -> Any:
        """Return a value of a type by chance, and not the usual one of a truth."""
        match kind:
            case Bool():
                return not self.usual[param.name] if param.name in self.usual else rng.random() < 0.5
            case Choice(words):
                return rng.choice(words)
            case Seat():
                return rng.randrange(self.machine.instance.players)
            case Tile():
                any_of_hand = rng.random() < 0.5 and values[self.bag]
                return rng.choice(
                    values[self.bag] if any_of_hand else range(len(self.machine.instance.kinds))
                )
            case Int():
                return self._number(param, rng)
            case Bag(Tile()):
                return self._tiles(param, rng)
            case Meld():
                return rng.choice(self._all_melds()) if self._all_melds() else runtime.Meld(())
            case Opt(item):
                return None if rng.random() < 0.2 else self._value(param, item, values, rng)
            case Each(item):
                return [self._value(param, item, values, rng) for _ in range(self.machine.instance.players)]
            case Bag(item):
                return [self._value(param, item, values, rng) for _ in range(rng.randint(0, MOST_TILES))]
            case NoneType() | Points() | Patterns():
                return self.usual.get(param.name)
            case _:
                assert_never(kind)

    def _number(self, param: ParamDecl, rng: random.Random) -> int:
        """Return a number between the bounds, or one that is near the usual one."""
        usual = self.usual.get(param.name)
        ends = (
            None if e is None else self.machine.value(e, self._state, {}) for e in (param.low, param.high)
        )
        low, high = ends
        if low is None:
            low = min(usual, 0) if isinstance(usual, int) else 0
        if high is None:
            high = max(low, usual if isinstance(usual, int) else low) + 5
        return rng.randint(low, max(low, high))

    def _tiles(self, param: ParamDecl, rng: random.Random) -> list[int]:
        """Return some tiles of the kinds that the conditions on this bag alone allow; sometimes all of few."""
        kinds = self.machine.instance.kinds
        copies = [number for number in self._kinds[param.name] for _ in range(kinds[number].copies)]
        if not copies:
            return []
        if len(copies) <= 2 * MOST_TILES and rng.random() < 0.3:
            return copies
        return sorted(rng.sample(copies, rng.randint(1, min(MOST_TILES, len(copies)))))

    def _kinds_alone(self, param: ParamDecl) -> list[int]:
        tests = [c.expr for c in self.score.provided if free(c.expr) == {param.name}]
        kinds = range(len(self.machine.instance.kinds))
        return [kind for kind in kinds if all(self._holds(test, {param.name: [kind]}) for test in tests)]

    def _all_melds(self) -> list[runtime.Meld]:
        """Return the melds that games can make of shapes whose groups can be listed."""
        if self._melds is None:
            shapes = self.machine.shapes
            listed = [s for s in shapes.shapes if s in self._labels and not shapes.is_whole(s)]
            self._melds = [
                runtime.Meld(g, shape) for shape in listed for g in sorted_groups(self.machine, shape)
            ]
        return self._melds
