"""What follows from the text of shapes and scores alone: which patterns are left out, what is evaluated when.

Input: shapes and scores of a rule set. Output: names and places of their parts.
Guarantee: every reader of the IR evaluates the parts of a score from the same analysis.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from functools import reduce
from typing import assert_never

from golpae.ir import expr as ir
from golpae.ir.dependencies import closure
from golpae.ir.ruleset import (
    AS_IT_LIES,
    ArrangementDecl,
    PatternDecl,
    RuleSet,
    ScoreDecl,
    ShapeDecl,
    effects_of,
)
from golpae.ir.traverse import conjuncts, flat, free, names_in
from golpae.ir.types import (
    BOOL,
    INT,
    MELDS,
    SEAT,
    SEATS,
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
from golpae.records import dataclass


def listed_tiles(shape: ShapeDecl) -> list[str] | None:
    """Return the tiles of a shape whose test lists them (`{a, b} = {2-1, 2-2}`); None for any other test."""
    test = shape.test
    if not (isinstance(test, ir.Op) and test.op == "bag_eq"):
        return None
    names, items = test.args
    if not (isinstance(names, ir.BagOf) and isinstance(items, ir.BagOf)):
        return None
    if not len(names.items) == len(items.items) == len(shape.names):
        return None
    constants = [str(i.value) for i in items.items if isinstance(i, ir.Const)]
    own = {n.name for n in names.items if isinstance(n, ir.Local)}
    return constants if len(constants) == len(items.items) and own == set(shape.names) else None


def is_whole(name: str, shapes: Mapping[str, ShapeDecl]) -> bool:
    """Return whether a shape is a test of all its tiles together; its groups are tested, not listed."""
    shape = shapes[name]
    whole = shape.test is not None and not shape.names
    return whole or any(is_whole(member, shapes) for member in shape.union)


def growth_test(shape: ShapeDecl) -> ir.Expr | None:
    """Return the conditions that every part of a group meets, too; None if the shape has one size or no such
    conditions.

    It is made of the conditions on every tile of `it`, or on every two: groups are listed by adding tiles while
    these hold.
    """
    if not shape.most or shape.names or shape.test is None:
        return None
    of_all = [part for part in conjuncts(shape.test) if _holds_within(part)]
    return reduce(lambda one, other: ir.Op("and", (one, other), BOOL), of_all) if of_all else None


IT = ir.Local("it", TILES)
WILD = "wild~it"  # in what a shape asks about its wild tiles: how many they are


def most_wild(shape: ShapeDecl, most: int) -> int:
    """Return how many wild tiles a group of a shape can have, at most `most`, as far as its words say so at once."""
    for part in () if shape.wild is None else conjuncts(shape.wild):
        if (
            isinstance(part, ir.Op)
            and part.op in ("le", "lt", "eq")
            and isinstance(part.args[0], ir.Local)
            and part.args[0].name == WILD
            and isinstance(part.args[1], ir.Const)
            and isinstance(part.args[1].value, int)
        ):
            most = min(most, part.args[1].value - (part.op == "lt"))
    return max(most, 0)


def _holds_within(part: ir.Expr) -> bool:
    """Return whether a condition on `it` holds of each bag within a bag for which it holds."""
    return (
        isinstance(part, ir.Quant)
        and part.kind in ("every", "no")
        and part.size is None
        and part.domain in (IT, ir.Faces(IT, TILES))
        and "it" not in free(part.body)
    )


def is_listed(name: str, shapes: Mapping[str, ShapeDecl]) -> bool:
    """Return whether the groups of a shape can be listed: it names its tiles, or its groups grow by a test."""
    shape = shapes[name]
    if shape.union:
        return all(is_listed(member, shapes) for member in shape.union)
    return bool(shape.names) or growth_test(shape) is not None


def grows(name: str, shapes: Mapping[str, ShapeDecl]) -> bool:
    """Return whether a shape, or one that it joins, has several sizes: then groups are listed that the set has."""
    shape = shapes[name]
    return bool(shape.most) or any(grows(member, shapes) for member in shape.union)


def sizes_of(name: str, shapes: Mapping[str, ShapeDecl]) -> frozenset[int]:
    """Return how many tiles a group of a shape has."""
    shape = shapes[name]
    if shape.test is not None:
        return frozenset(shape.sizes)
    return frozenset().union(*(sizes_of(member, shapes) for member in shape.union))


def unions_of(name: str, shapes: Mapping[str, ShapeDecl]) -> frozenset[str]:
    """Return the unions that a shape belongs to, directly or through other unions."""

    def above(member: str) -> list[str]:
        return [s.name for s in shapes.values() if s.test is None and member in s.union]

    return frozenset(closure(above(name), above))


def plain_shapes(name: str, shapes: Mapping[str, ShapeDecl]) -> tuple[str, ...]:
    """Return a shape, or those that a union joins, directly or through other unions, each once."""
    shape = shapes[name]
    if shape.test is not None:
        return (name,)
    return tuple(dict.fromkeys(inner for member in shape.union for inner in plain_shapes(member, shapes)))


def is_among(arrangement: str, name: str, arrangements: Mapping[str, ArrangementDecl]) -> bool:
    """Return whether an arrangement has a name, or belongs to the union of that name, directly or through others."""
    joined = arrangements[name].union if name in arrangements else ()
    return arrangement == name or any(is_among(arrangement, member, arrangements) for member in joined)


def given_labels(rules: RuleSet) -> frozenset[str]:
    """Return the labels that effects give melds; one need not be the name of a shape."""
    effects = (e for action in rules.actions for e in flat(effects_of(action.effects)))
    return frozenset(e.label for e in effects if isinstance(e, ir.Move) and e.label is not None)


def stated_labels(rules: RuleSet) -> frozenset[str]:
    """Return the labels with which melds can be stated: shapes that are no unions, and labels that effects give."""
    return given_labels(rules) | {shape.name for shape in rules.shapes if shape.test is not None}


def is_as_labelled(meld: ir.Expr, labels: Iterable[str]) -> ir.Expr:
    """Return the condition that a meld has tiles, of which the shape holds that is its label. `labels` are shapes."""
    tiles = ir.Op("tiles", (meld,), TILES)
    holds: ir.Expr = ir.Op("gt", (ir.Op("size", (tiles,), INT), ir.Const(0, INT)), BOOL)
    for label in sorted(labels):
        says, is_so = ir.IsShape(meld, label, BOOL), ir.IsShape(tiles, label, BOOL)
        holds = ir.Op("and", (holds, ir.Op("implies", (says, is_so), BOOL)), BOOL)
    return holds


def is_in_set(bag: ir.Expr) -> ir.Expr:
    """Return the condition that the set has all tiles of a bag or a meld."""
    tiles = bag if bag.type == TILES else ir.Op("tiles", (bag,), TILES)
    return ir.Op("within", (tiles, ir.Builtin("tiles", None, TILES)), BOOL)


def every_meld(
    value: ir.Expr,
    kind: Type,
    test: Callable[[ir.Expr], ir.Expr],
    of_tiles: bool = False,
    depth: int = 0,
) -> ir.Expr | None:
    """Return the condition that a test holds for every meld in a value of a type; None if the type has no melds.

    If it is `of_tiles`, it is asked of every bag of tiles, too.
    """
    name = f"It{depth or ''}"  # which no text can write
    match kind:
        case Bag(Tile()) if of_tiles:
            return test(value)
        case Meld():
            return test(value)
        case Bag(item):
            inner = every_meld(ir.Local(name, item), item, test, of_tiles, depth + 1)
            return None if inner is None else ir.Quant("every", (name,), value, inner, BOOL)
        case Each(item):
            inner = every_meld(
                ir.OwnValue(value, ir.Local(name, SEAT), item), item, test, of_tiles, depth + 1
            )
            players = ir.Builtin("players", None, SEATS)
            return None if inner is None else ir.Quant("every", (name,), players, inner, BOOL)
        case Opt(item):
            inner = every_meld(replace(value, type=item), item, test, of_tiles, depth)
            none = ir.Op("is_none", (value,), BOOL)
            return None if inner is None else ir.Op("or", (none, inner), BOOL)
        case Tile() | Bool() | Int() | Seat() | Choice() | NoneType() | Points() | Patterns():
            return None
        case _:
            assert_never(kind)


def plain_arrangements(name: str, arrangements: Mapping[str, ArrangementDecl]) -> tuple[str, ...]:
    """Return an arrangement, or those in a union, each once. No way is one of two of them."""
    declared = arrangements[name]
    if not declared.union:
        return (name,)
    inner = (other for member in declared.union for other in plain_arrangements(member, arrangements))
    return tuple(dict.fromkeys(inner))


# ---------------------------------------------------------------- what can be given with a score


def counted_beside(score: ScoreDecl) -> tuple[str, ...]:
    """Return the parameters that are tiles or melds, and that neither `hand` nor `fixed` reads."""
    laid_out = free(score.hand) | (frozenset() if score.fixed is None else free(score.fixed))
    return tuple(p.name for p in score.params if p.type in (TILES, MELDS) and p.name not in laid_out)


def of_hand(score: ScoreDecl) -> frozenset[str]:
    """Return the parameters that make up the hand: those that `hand` reads; without `hand`, the first that is tiles."""
    if score.arrangements != (AS_IT_LIES,):
        return names_in(score.hand)
    return frozenset([p.name for p in score.params if p.type == TILES][:1])


def holds_tiles(kind: Type) -> bool:
    """Return whether values of a type are or hold bags of tiles or melds."""
    match kind:
        case Bag(Tile()) | Meld():
            return True
        case Bag(item) | Opt(item) | Each(item):
            return holds_tiles(item)
        case _:
            return False


def summed(expr: ir.Expr | None) -> tuple[str, ...]:
    """Return the names that a bag is the sum of, as far as it is a sum: each is no more than the bag."""
    if isinstance(expr, ir.Local):
        return (expr.name,)
    if isinstance(expr, ir.Op) and expr.op == "bag_add":
        return tuple(name for arg in expr.args for name in summed(arg))
    return ()


def as_given(expr: ir.Expr | None) -> ir.Expr | None:
    """Return the tiles or melds of which an expression takes the faces; any other expression as it is."""
    return expr.arg if isinstance(expr, ir.Faces) else expr


# ---------------------------------------------------------------- scores

OF_NUMBER = "'s "  # between a score and one of its numbers; no text can write it in a name


@dataclass(frozen=True, slots=True)
class Stage:
    """Defines and patterns that are evaluated together; `places` are the numbers of the patterns in the text."""

    defines: tuple[str, ...]
    places: tuple[int, ...]


def stage(
    score: ScoreDecl, names: Collection[str], beyond: Collection[str], done: tuple[int, ...]
) -> tuple[Stage, list[str]]:
    """Return the definitions and patterns that are not `done` and need no name in `beyond`, and all names that have a
    value once these are decided.
    """
    bound, beyond = [*names], {*beyond}
    defines: list[str] = []
    for define, expr in score.defines:
        if define in names:
            continue
        if free(expr) & beyond:
            beyond.add(define)
        else:
            bound.append(define)
            defines.append(define)
    places = tuple(
        place
        for place, pattern in enumerate(score.patterns)
        if place not in done and not names_of(pattern) & beyond
    )
    return Stage(tuple(defines), places), bound


def names_of(pattern: PatternDecl) -> frozenset[str]:
    """Return the names that a pattern leaves open."""
    names = free(pattern.test) | free(pattern.value)
    return names if pattern.each is None else (names - {pattern.each[0]}) | free(pattern.each[1])


def with_asked(score: ScoreDecl, words: Collection[str], lacking: Collection[str]) -> ScoreDecl:
    """Return a score in which the patterns that others ask about are defines, too. `words` are those of its parts.

    Where an arrangement is `lacking` what such a pattern names, it does not hold.
    """
    own = {p.name for p in score.params} | {define for define, _ in score.defines} | {*words}
    own |= set() if score.marking is None else {score.marking[1]}
    patterns_read = (
        frozenset[str]().union(*map(names_of, score.patterns)) & {p.name for p in score.patterns} - own
    )
    if not patterns_read:
        return score
    lacking = {*lacking}
    for define, expr in score.defines:
        if free(expr) & lacking:
            lacking.add(define)
    defines = list(score.defines)
    for pattern in score.patterns:
        if pattern.name in patterns_read:
            holds = ir.Const(False, BOOL) if names_of(pattern) & lacking else _holds(pattern)
            defines.append((pattern.name, holds))
    return replace(score, defines=tuple(defines))


def _holds(pattern: PatternDecl) -> ir.Expr:
    """Return whether a pattern counts anything but 0."""
    if pattern.each is not None:
        name, domain = pattern.each
        counted: ir.Expr = ir.Fold("sum", (name,), domain, pattern.value, pattern.test, INT)
    elif isinstance(pattern.value, ir.Const):
        return pattern.test if pattern.value.value else ir.Const(False, BOOL)
    else:
        counted = ir.If(pattern.test, pattern.value, ir.Const(0, INT), INT)
    return ir.Op("not", (ir.Op("eq", (counted, ir.Const(0, INT)), BOOL),), BOOL)


def words_of(score: ScoreDecl, arrangements: Mapping[str, ArrangementDecl]) -> frozenset[str]:
    """Return the words of the parts of all arrangements of a score."""
    return frozenset(part.word for name in score.arrangements for part in arrangements[name].parts)


def read_by_keep(score: ScoreDecl, words: Collection[str]) -> tuple[str, ...]:
    """Return the patterns and sums that `keep` or the formula of the total reads, without names that have another
    meaning. A number hides a pattern of its name.
    """
    read = frozenset[str]().union(*(free(e) for e in (score.keep, score.formula) if e is not None))
    mark = set() if score.marking is None else {score.marking[1]}
    others = {p.name for p in score.params} | {define for define, _ in score.defines} | {*words} | mark
    named = dict.fromkeys((*(p.name for p in score.patterns), *score.numbers, "points", "eligible"))
    return tuple(n for n in named if n in read - others)


def is_eligible(score: ScoreDecl, pattern: PatternDecl) -> bool:
    """Return whether a pattern counts towards `eligible`: of several numbers only the first does."""
    return not pattern.extra and (not score.numbers or pattern.number == score.numbers[0])


def named_number(score: str, number: str) -> str:
    """Return the name of what a score counts: its total, or one of its numbers."""
    return f"{score}{OF_NUMBER}{number}" if number else score


def numbers_in(score: ScoreDecl, patterns: Mapping[str, int]) -> dict[str, int]:
    """Return the numbers of a way whose patterns count so much; none if its score has no names for them."""
    of_pattern = {pattern.name: pattern.number for pattern in score.patterns} if score.numbers else {}
    return {
        number: sum(points for name, points in patterns.items() if of_pattern[name] == number)
        for number in score.numbers
    }


def drops(score: ScoreDecl) -> dict[str, frozenset[str]]:
    """Return the patterns that each pattern removes from an `unimplied` total: all that it brings, directly or
    indirectly.

    If patterns bring each other, the first of them in the text counts.
    """
    direct = {line.pattern: line.brought for line in score.brings}
    brought = {name: closure(near, lambda name: direct.get(name, ())) for name, near in direct.items()}
    places = {pattern.name: place for place, pattern in enumerate(score.patterns)}
    return {
        name: frozenset(
            other
            for other in far
            if other != name and not (name in brought.get(other, ()) and places[other] < places[name])
        )
        for name, far in brought.items()
    }


def left_out(score: ScoreDecl) -> dict[str, frozenset[str]]:
    """Return the patterns that each pattern, if it holds, takes out of a total that is a sum."""
    out = drops(score) if score.total == "unimplied" else {}
    others = frozenset(p.name for p in score.patterns if not p.alone)
    for pattern in score.patterns:
        if pattern.alone:
            out[pattern.name] = out.get(pattern.name, frozenset()) | others
    return out


def exprs_of_score(score: ScoreDecl) -> list[ir.Expr]:
    """Return the expressions of a score, but for its conditions on what can be given together."""
    exprs = [score.hand, *(e for e in (score.fixed, score.keep, score.formula) if e is not None)]
    exprs += [] if score.marking is None else [score.marking[0]]
    exprs += [e for _, e in score.defines]
    return exprs + [e for p in score.patterns for e in (p.value, p.test, *((p.each[1],) if p.each else ()))]


def searches(node: ir.Expr, arrangements: Collection[str]) -> bool:
    """Return whether a node itself searches: for layouts of tiles, or for groups among them."""
    return isinstance(node, ir.CallScore | ir.LayOut | ir.IsBeside | ir.Parted) or (
        isinstance(node, ir.IsShape) and node.shape in arrangements
    )
