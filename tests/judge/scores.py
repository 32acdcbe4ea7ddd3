"""What a hand is worth, by laying it out in every way (8.5 to 8.12).

Input: a score and the values that are given with it. Output: all its ways with what each counts, and the best one.
Guarantee: each way comes once.

A part that the arrangement of a way lacks makes everything that mentions it not hold (8.7), also what mentions a
`define` that mentions it. `highest` leaves out all patterns but one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from golpae.ir import expr as ir
from golpae.ir.ruleset import ArrangementDecl, PatternDecl, RuleSet, ScoreDecl
from golpae.ir.traverse import flat, free
from golpae.ir.types import MELDS, TILES, Each, Opt, Tile, Type
from golpae.ir.types import Bag as BagType
from golpae.ir.types import Meld as MeldType
from tests.judge.evaluate import Scene, evaluate
from tests.judge.faces import faces, of_given
from tests.judge.shapes import Groups, cuts, holds, leaves
from tests.judge.values import (
    Arranged,
    Bag,
    Meld,
    Patterns,
    ScoreValue,
    Value,
    bag,
    members,
    number,
    truth,
    used_as,
)


@dataclass(frozen=True, slots=True)
class Way:
    """One way of a score (8.5), and what it counts.

    `holding` are the points of the patterns that hold, in the order of the text; `counted` is what the total
    leaves standing of them.
    """

    arrangement: str
    groups: Groups
    marked: Meld | None
    holding: tuple[tuple[str, int], ...]
    counted: Patterns
    total: int
    eligible: int
    counts: bool
    numbers: tuple[tuple[str, int], ...] = ()  # what the patterns count in, by name (8.15)


@dataclass(frozen=True, slots=True)
class Laid:
    """A way whose names have values. `missing` are the names that have none."""

    scene: Scene
    missing: frozenset[str]

    def can(self, *exprs: ir.Expr) -> bool:
        """Return whether expressions mention no part that is missing."""
        return not any(free(expr) & self.missing for expr in exprs)


def score_value(score: ScoreDecl, given: Mapping[str, Value], scene: Scene) -> ScoreValue | None:
    """Return what a hand is worth, with the patterns of every way that is worth as much, or none (8.11). Of ways with
    the same total those with the larger numbers are better (8.17).
    """
    counting = [way for way, _ in ways(score, given, scene) if way.counts]
    if not counting:
        return None
    total, *numbers = max((way.total, *(many for _, many in way.numbers)) for way in counting)
    named = tuple(zip(score.numbers, numbers, strict=True))
    counted = [way.counted for way in counting if way.total == total and way.numbers == named]
    number_of = tuple((p.name, p.number) for p in score.patterns if score.numbers)
    return ScoreValue(total, frozenset(counted), named, number_of)


def best(name: str, given: Mapping[str, Value], scene: Scene) -> int | None:
    """Return the score of a hand (8.11); what is not given has its usual value."""
    score = scene.table.score(name)
    value = score_value(score, filled(score, given, scene), scene)
    return None if value is None else value.total


def filled(score: ScoreDecl, given: Mapping[str, Value], scene: Scene) -> dict[str, Value]:
    """Return the values of all parameters of a score."""
    values: dict[str, Value] = {}
    for param in score.params:
        if param.name in given:
            value = given[param.name]
        else:
            value = None if param.initial is None else evaluate(param.initial, scene.only(values))
        values[param.name] = used_as(value, param.type)
    return values


def refused(
    score: ScoreDecl, given: Mapping[str, Value], scene: Scene, without: str | None = None
) -> str | None:
    """Return the first condition that fails on what can be given (8.12), or None. Those on `without` are not asked."""
    inner = scene.only(of_given(score, given, scene.table))
    asked = (c for c in score.provided if without not in free(c.expr))
    return next((c.name for c in asked if not truth(evaluate(c.expr, inner))), None)


def can_be(score: ScoreDecl, given: Mapping[str, Value], scene: Scene, without: str | None = None) -> bool:
    """Return whether a hand that is stated can be (8.12).

    A hand without the tile that completes it lacks the value of the key `without`, whatever `given` has for it, and
    conditions that name it are not asked.
    """
    whole = scene.table.whole
    by_face = of_given(score, given, scene.table)
    hand, fixed = laid_of(score, by_face, scene)
    if without is not None:
        hand = hand.minus(bag([by_face[without]]))
    laid_out = free(score.hand) | (frozenset() if score.fixed is None else free(score.fixed))
    together = [hand, *(members(meld) for meld in fixed)]
    for param in score.params:
        bags = list(_bags_in(given[param.name], param.type))
        if not all(whole.holds(own) for own in bags):
            return False
        if param.type in (TILES, MELDS) and param.name not in laid_out:
            together += bags
    if not faces(whole, scene.table).holds(faces(bag(t for own in together for t in own), scene.table)):
        return False
    melds = [meld for value in given.values() for meld in _melds_in(value)]
    return all(as_labelled(meld, scene) for meld in melds) and refused(score, given, scene, without) is None


def as_labelled(meld: Meld, scene: Scene) -> bool:
    """Return whether a meld has tiles, and a label that melds can have; a shape holds of the tiles that it labels."""
    if not len(meld.tiles):
        return False
    if meld.label is None:
        return True
    shape = scene.table.shape(meld.label)
    if meld.label not in given_labels(scene.table.rules) and (shape is None or shape.union):
        return False
    return shape is None or holds(meld.label, meld.tiles, scene)


def given_labels(rules: RuleSet) -> set[str]:
    """Return the labels that effects of a text give."""
    effects = (e for action in rules.actions for clause in action.effects for e in flat(clause.effects))
    return {e.label for e in effects if isinstance(e, ir.Move) and e.label is not None}


def _bags_in(value: Value, kind: Type) -> Iterator[Bag]:
    """Return the bags of tiles of a value, the tiles of melds among them."""
    match kind:
        case Opt(item):
            yield from () if value is None else _bags_in(value, item)
        case Each(item):
            assert isinstance(value, tuple)
            for own in value:
                yield from _bags_in(own, item)
        case BagType(Tile()) | MeldType():
            yield members(value)
        case BagType(item):
            for member in members(value):
                yield from _bags_in(member, item)
        case _:
            pass


def _melds_in(value: Value) -> Iterator[Meld]:
    if isinstance(value, Meld):
        yield value
    elif isinstance(value, Bag | tuple):
        for member in value:
            yield from _melds_in(member)


def laid_of(score: ScoreDecl, given: Mapping[str, Value], scene: Scene) -> tuple[Bag, Bag]:
    """Return the tiles to lay out and the melds that are groups as they lie."""
    inner = scene.only(given)
    hand = members(used_as(evaluate(score.hand, inner), score.hand.type))
    return hand, Bag() if score.fixed is None else members(evaluate(score.fixed, inner))


def ways(score: ScoreDecl, given: Mapping[str, Value], scene: Scene) -> Iterator[tuple[Way, Laid]]:
    """Return every way, each with its names."""
    given = of_given(score, given, scene.table)
    hand, fixed = laid_of(score, given, scene)
    found = {leaf.name: leaf for name in score.arrangements for leaf in leaves(name, scene.table)}
    parts = {part.word for leaf in found.values() for part in leaf.parts}
    for leaf in found.values():
        for groups in cuts(leaf, hand, fixed, scene):
            for marked in _marked(score, groups, fixed, scene.only(given)):
                names = {**given, **_part_values(leaf, groups), "arrangement": Arranged(leaf.name)}
                if score.marking is not None:
                    names[score.marking[1]] = marked
                laid = _with_defines(score, Laid(scene.only(names), frozenset(parts - names.keys())))
                yield _way(score, leaf, groups, marked, laid)


def _marked(score: ScoreDecl, groups: Groups, fixed: Bag, scene: Scene) -> Iterator[Meld | None]:
    """Return each group that can be the marked one (8.6); None once if there is no marking."""
    if score.marking is None:
        yield None
        return
    tile = evaluate(score.marking[0], scene)
    from_hand = bag(group for part in groups for group in part).minus(fixed)
    for group in from_hand.kinds():
        assert isinstance(group, Meld)
        if group.tiles.count(tile) > 0:
            yield group


def _part_values(leaf: ArrangementDecl, groups: Groups) -> dict[str, Value]:
    return {
        part.word: own.members[0] if part.count == 1 else own
        for part, own in zip(leaf.parts, groups, strict=True)
    }


def _with_defines(score: ScoreDecl, laid: Laid) -> Laid:
    for name, expr in score.defines:
        if laid.can(expr):
            value = evaluate(expr, laid.scene)
            laid = Laid(laid.scene.having({name: value}), laid.missing - {name})
        else:
            laid = Laid(laid.scene, laid.missing | {name})
    return laid


def _way(
    score: ScoreDecl, leaf: ArrangementDecl, groups: Groups, marked: Meld | None, laid: Laid
) -> tuple[Way, Laid]:
    counts: list[tuple[str, int]] = []
    asking = laid
    for pattern in score.patterns:  # each may ask about those above it
        counts.append((pattern.name, _points(pattern, asking)))
        if pattern.name not in asking.scene.names.keys() | asking.missing:
            asking = Laid(asking.scene.having({pattern.name: counts[-1][1] != 0}), asking.missing)
    holding = tuple((name, points) for name, points in counts if points != 0)
    counted = _counted(score, dict(holding))
    total = sum(points for _, points in counted.points)
    in_number = {pattern.name: pattern.number for pattern in score.patterns}
    numbers = {
        of: sum(points for name, points in counted.points if in_number[name] == of) for of in score.numbers
    }
    towards = {p.name for p in score.patterns if not p.extra and p.number in ("", *score.numbers[:1])}
    eligible = sum(points for name, points in holding if name in towards)
    judged: dict[str, Value] = {name: points != 0 for name, points in counts}
    judged |= {"eligible": eligible, **numbers, **laid.scene.names}
    can_count = True
    if score.formula is not None:
        asked = Laid(laid.scene.only(judged), laid.missing - numbers.keys())
        can_count = asked.can(score.formula)
        total = number(evaluate(score.formula, asked.scene)) if can_count else 0
    laid = Laid(laid.scene.only({"points": total, **judged}), laid.missing)
    if score.keep is None:
        kept = bool(counted.points)
    else:
        kept = laid.can(score.keep) and truth(evaluate(score.keep, laid.scene))
    named = tuple(numbers.items())
    return Way(leaf.name, groups, marked, holding, counted, total, eligible, kept and can_count, named), laid


def _points(pattern: PatternDecl, laid: Laid) -> int:
    """Return what a pattern counts (8.8)."""
    if pattern.each is None:
        if not laid.can(pattern.test, pattern.value):
            return 0
        return number(evaluate(pattern.value, laid.scene)) if truth(evaluate(pattern.test, laid.scene)) else 0
    name, domain = pattern.each
    missing = Laid(laid.scene, laid.missing - {name})
    if not laid.can(domain) or not missing.can(pattern.test, pattern.value):
        return 0
    scenes = [laid.scene.having({name: member}) for member in members(evaluate(domain, laid.scene))]
    return sum(number(evaluate(pattern.value, s)) for s in scenes if truth(evaluate(pattern.test, s)))


def _counted(score: ScoreDecl, holding: dict[str, int]) -> Patterns:
    """Return what the total leaves standing of the patterns that hold (8.9)."""
    if score.total == "highest":
        most = max(holding.values(), default=0)
        first = [name for name, points in holding.items() if points == most][:1]
        return _patterns(dict.fromkeys(first, most))
    left = {name for name in holding if any(_brings(score, other, name) for other in holding)}
    left = left if score.total == "unimplied" else set()
    alone = {pattern.name for pattern in score.patterns if pattern.alone and pattern.name in holding}
    if alone:
        left |= holding.keys() - alone
    return _patterns({name: points for name, points in holding.items() if name not in left})


def _patterns(points: dict[str, int]) -> Patterns:
    return Patterns(tuple(sorted(points.items())))


def _brings(score: ScoreDecl, pattern: str, other: str) -> bool:
    """Return whether a pattern leaves another one out of the total; of two that bring each other the first stays."""
    if pattern == other or other not in _brought(score, pattern):
        return False
    order = [p.name for p in score.patterns]
    mutual = pattern in _brought(score, other)
    return not mutual or order.index(pattern) < order.index(other)


def _brought(score: ScoreDecl, pattern: str) -> set[str]:
    """Return what a pattern brings along, directly or through others."""
    reached: set[str] = set()
    waiting = [pattern]
    while waiting:
        name = waiting.pop()
        for line in score.brings:
            if line.pattern == name:
                waiting.extend(set(line.brought) - reached)
                reached |= set(line.brought)
    return reached
