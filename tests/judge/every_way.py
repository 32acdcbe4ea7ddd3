"""`every way of`: all hands that a score can be asked for, laid out in every way (9.6).

Input: a `Ways` expression. Output: whether it holds.
Guarantee: all values are gone through; where that is too much, `Unclear`. Only for sets of a few tiles.

A number and patterns have no end of values: `Unclear`. A test that mentions a part which the way lacks does not hold.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from golpae.ir import expr as ir
from golpae.ir.ruleset import ParamDecl, ScoreDecl
from golpae.ir.types import Bag as BagType
from golpae.ir.types import Bool, Choice, Each, Int, Opt, Seat, Tile, Type
from golpae.ir.types import Meld as MeldType
from tests.judge.evaluate import Scene, evaluate
from tests.judge.faults import Unclear
from tests.judge.scores import Way, as_labelled, can_be, given_labels, ways
from tests.judge.values import Bag, Meld, Value, bag, number, sub_bags, truth

MOST_TILES = 8


def holds_of_ways(expr: ir.Ways, scene: Scene) -> bool:
    """Return whether some, every or no way passes."""
    score = scene.table.score(expr.score)
    passes = (
        laid.can(expr.body) and truth(evaluate(expr.body, _with_kept(laid.scene, way)))
        for given in all_given(score, scene)
        for way, laid in ways(score, given, scene)
    )
    if expr.kind == "some":
        return any(passes)
    return all(passes) if expr.kind == "every" else not any(passes)


def _with_kept(scene: Scene, way: Way) -> Scene:
    """Return a scene that says whether a way counts, unless the score calls something so."""
    return scene if "kept" in scene.names else scene.having({"kept": way.counts})


def all_given(score: ScoreDecl, scene: Scene) -> Iterator[dict[str, Value]]:
    """Return everything that can be given with a score."""
    return (given for given in all_values(score, scene) if can_be(score, given, scene))


def all_values(score: ScoreDecl, scene: Scene) -> Iterator[dict[str, Value]]:
    """Return all values of the parameters of a score, also what cannot be given together."""
    if len(scene.table.whole) > MOST_TILES:
        raise Unclear("the ways of so large a set")
    domains = [list(values_given(param, scene)) for param in score.params]
    for chosen in product(*domains):
        yield dict(zip((p.name for p in score.params), chosen, strict=True))


def values_given(param: ParamDecl, scene: Scene) -> Iterator[Value]:
    """Return the values of one parameter."""
    if param.low is not None and param.high is not None:
        low, high = (number(evaluate(bound, scene)) for bound in (param.low, param.high))
        yield from range(low, high + 1)
        if isinstance(param.type, Opt):
            yield None
        return
    yield from values_of(param.type, scene)


def values_of(kind: Type, scene: Scene) -> Iterator[Value]:
    table = scene.table
    match kind:
        case Bool():
            yield from (False, True)
        case Seat():
            yield from table.seats
        case Tile():
            yield from table.kinds()
        case Choice(words):
            yield from words
        case Opt(item):
            yield None
            yield from values_of(item, scene)
        case Each(item):
            yield from product(*(list(values_of(item, scene)) for _ in table.seats))
        case BagType(Tile()):
            yield from sub_bags(table.whole)
        case BagType(MeldType()):
            yield from _melds(table.whole, [*_melds_of_the_set(scene)])
        case MeldType():
            yield from _melds_of_the_set(scene)
        case Int():
            raise Unclear("a number without bounds")
        case _:
            raise Unclear("values that cannot be gone through")


def _melds_of_the_set(scene: Scene) -> Iterator[Meld]:
    """Return every meld of tiles of the set that can be stated (8.12)."""
    rules = scene.table.rules
    labels = dict.fromkeys([None, *(shape.name for shape in rules.shapes), *sorted(given_labels(rules))])
    melds = (Meld(tiles, label) for tiles in sub_bags(scene.table.whole) for label in labels)
    return (meld for meld in melds if as_labelled(meld, scene))


def _melds(left: Bag, all_melds: list[Meld]) -> Iterator[Bag]:
    """Return every bag of melds that the tiles in `left` make, using the melds in order."""
    if not all_melds:
        yield Bag()
        return
    first, *others = all_melds
    yield from _melds(left, others)
    if left.holds(first.tiles):
        for rest in _melds(left.minus(first.tiles), all_melds):
            yield rest.plus(bag([first]))
