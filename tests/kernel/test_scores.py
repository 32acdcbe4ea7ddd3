"""Random hands, hands that win and spoilt ones: the compiled path gives them the shapes and scores of the reference."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from golpae.ir.ruleset import ScoreDecl
from golpae.ir.scoring import plain_arrangements
from golpae.ir.types import Bag, Bool, Choice, Int, Meld, Opt, Seat, Tile, Type
from golpae.kernel.language.host import available
from golpae.replay.machine import Machine
from golpae.replay.runtime import Meld as OfReference
from golpae.replay.scoring.score import fits_score
from tests.kernel.score_harness import Hands
from tests.replay.shared import machine, rule_set

pytestmark = [
    pytest.mark.property,
    pytest.mark.skipif(not available(), reason="wasmtime does not load here"),
]

TABLES = (("korean-mahjong", 4), ("ho-hpai", 3), ("ho-hpai", 4))
RULES = [
    (rules, players)
    for game, players in TABLES
    for rules in (game, *(f"{game}+{s.name}" for s in rule_set(game).switches))
]
HANDS = 400


@cache
def hands(rules: str, players: int) -> Hands:
    return Hands(machine(rules, players).instance)


class Drawn:
    """Draws hands of one rule set, many of which can be laid out."""

    def __init__(self, made: Machine, seed: int) -> None:
        self._machine, self._draw = made, random.Random(seed)
        self._whole = made.instance.whole
        self._labels = [s.name for s in made.rules.shapes]

    def groups(self, arrangement: str) -> list[list[int]] | None:
        """Return groups of an arrangement, by chance; None if the set lacks tiles for them."""
        shapes, left, out = self._machine.shapes, list(self._whole), []
        for part in shapes.arrangements[arrangement].parts:
            for _ in range(part.count):
                if shapes.is_whole(part.shape):
                    return None
                group = list(self._draw.choice(sorted(shapes.groups(part.shape))))
                for tile in group:
                    if tile not in left:
                        return None
                    left.remove(tile)
                out.append(group)
        return out

    def some_groups(self, arrangement: str) -> list[list[int]]:
        plain = plain_arrangements(arrangement, self._machine.shapes.arrangements)
        for _ in range(20):
            found = self.groups(self._draw.choice(plain))
            if found is not None:
                return found
        return [[tile] for tile in self._draw.sample(self._whole, 5)]

    def spoilt(self, tiles: list[int]) -> list[int]:
        """Return tiles, some of which may be changed for others, or missing."""
        changed = list(tiles)
        for _ in range(self._draw.choice((0, 0, 0, 0, 0, 1, 2))):
            if changed:
                changed.pop(self._draw.randrange(len(changed)))
            left = list(self._whole)
            for tile in changed:
                left.remove(tile)
            if self._draw.random() < 0.9:
                changed.append(self._draw.choice(left))
        return changed

    def value(self, kind: Type) -> Any:
        draw = self._draw
        match kind:
            case Opt(item):
                return self.value(item) if draw.random() < 0.7 else None
            case Bool():
                return draw.random() < 0.15
            case Int():
                return draw.randint(-2, 9)
            case Tile():
                return draw.choice(self._whole)
            case Seat():
                return draw.randrange(self._machine.instance.players)
            case Choice(words):
                return draw.choice(words)
            case Bag(Tile()):
                return draw.sample(self._whole, draw.choice((0, 0, 1, 2, 4)))
            case Bag(Meld()):
                return []
        raise AssertionError(kind)

    def given(self, score: ScoreDecl) -> dict[str, Any]:
        """Return values for the parameters of a score. Its first parameter is the hand."""
        draw = self._draw
        values = {p.name: self.value(p.type) for p in score.params}
        arrangement = draw.choice(score.arrangements)
        groups = self.some_groups(arrangement)
        draw.shuffle(groups)
        for param in score.params:
            if param.type == Bag(Meld()):
                many = draw.choice((0, 0, 0, 1, 2, 3, 4, 7))
                fixed, groups = groups[:many], groups[many:]
                values[param.name] = [(self._label(group), group) for group in fixed]
        tiles = [tile for group in groups for tile in group]
        if score.marking is not None and tiles and draw.random() < 0.9:
            values["win"] = tiles.pop(draw.randrange(len(tiles)))
        values[score.params[0].name] = self.spoilt(tiles)
        return values

    def tiles(self, name: str) -> list[int]:
        """Return tiles that have a shape or make an arrangement, or nearly."""
        shapes = self._machine.shapes
        if name in shapes.arrangements:
            return self.spoilt([tile for group in self.some_groups(name) for tile in group])
        if shapes.is_whole(name) or not shapes.groups(name):
            return self._draw.sample(self._whole, self._draw.choice(sorted(shapes.sizes(name))))
        group = list(self._draw.choice(sorted(shapes.groups(name))))
        return self.spoilt(group) if not Counter(group) - Counter(self._whole) else group[:1]

    def asked(self, layouts: list[dict[str, int]]) -> dict[str, int]:
        """Return patterns, most likely those of a best layout."""
        draw = self._draw
        patterns = dict(draw.choice(layouts)) if layouts else {}
        if draw.random() < 0.3:
            every = [p.name for score in self._machine.rules.scores for p in score.patterns]
            patterns[draw.choice(every)] = draw.randint(0, 3)
        if patterns and draw.random() < 0.2:
            del patterns[draw.choice(sorted(patterns))]
        return patterns

    def _label(self, group: list[int]) -> str | None:
        """Return a label for a meld, mostly a shape that it has."""
        if self._draw.random() < 0.1:
            return None
        fitting = [s for s in self._labels if self._machine.shapes.holds(group, s)]
        return self._draw.choice(fitting if self._draw.random() < 0.9 and fitting else self._labels)


def of_reference(score: ScoreDecl, given: dict[str, Any]) -> Iterator[Any]:
    for param in score.params:
        value = given[param.name]
        if param.type == Bag(Meld()):
            value = [OfReference(tiles, label) for label, tiles in value]
        yield value


@pytest.mark.parametrize(("rules", "players"), TABLES)
def test_every_tile_is_found_that_completes_an_arrangement(rules: str, players: int) -> None:
    made, asked = machine(rules, players), hands(rules, players)
    drawn, shapes = Drawn(made, 5), made.shapes
    complete = 0
    for name in shapes.arrangements:
        for _ in range(HANDS // 4):
            tiles = drawn.spoilt([tile for group in drawn.some_groups(name) for tile in group])[1:]
            left = Counter(made.instance.whole) - Counter(tiles)
            found = asked.completed(tiles, name)
            if found is None:
                continue
            assert {*found} & {*left} == {t for t in left if shapes.holds([*tiles, t], name)}
            complete += bool(found)
    assert complete > HANDS // 8


@pytest.mark.parametrize(("rules", "players"), RULES)
def test_hands_score_the_same(rules: str, players: int) -> None:
    made, ours = machine(rules, players), hands(rules, players)
    drawn = Drawn(made, 7)
    scored = referred = 0
    for name, score in ours.scores.items():
        for _ in range(HANDS):
            given = drawn.given(score)
            best = made.scorers[name].best(made.new_state(), *of_reference(score, given))
            layouts = [] if best is None else [dict(r.patterns) for r in best.layouts]
            asked = drawn.asked(layouts)
            expected = None if best is None else best.total, fits_score(asked, best)
            found = ours.score(name, given, asked)
            if found is None:  # more melds or copies than are compiled
                referred += 1
                continue
            assert found == expected, (given, asked)
            scored += best is not None
    assert scored >= HANDS // 20
    assert referred < HANDS // 4


@pytest.mark.parametrize(("rules", "players"), RULES)
def test_shapes_and_arrangements_hold_of_the_same_tiles(rules: str, players: int) -> None:
    made, ours = machine(rules, players), hands(rules, players)
    drawn = Drawn(made, 8)
    for name in (*made.shapes.shapes, *made.shapes.arrangements):
        for _ in range(HANDS // 5):
            tiles = drawn.tiles(name)
            found = ours.holds(tiles, name)
            assert found in (None, made.shapes.holds(tiles, name)), (name, tiles)


@pytest.mark.parametrize(("rules", "players"), RULES)
def test_groups_lay_out_the_same_tiles(rules: str, players: int) -> None:
    made, ours = machine(rules, players), hands(rules, players)
    drawn = Drawn(made, 9)
    for name in made.shapes.arrangements:
        for _ in range(HANDS // 5):
            groups = drawn.some_groups(name)
            tiles = drawn.spoilt([tile for group in groups for tile in group])
            found = ours.lies(groups, tiles, name)
            assert found in (None, made.shapes.lie_as(groups, tiles, name)), (groups, tiles)
