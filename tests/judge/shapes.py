"""Shapes and arrangements, by trying everything (8.1 to 8.4).

Input: tiles, melds, groups; the name of a shape or an arrangement. Output: whether it holds of them; all ways to cut
tiles into the parts of an arrangement.
Guarantee: ways that differ only in the order of groups come once.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations

from golpae.ir.ruleset import ArrangementDecl, PartDecl
from tests.judge.evaluate import Scene, evaluate
from tests.judge.table import Table
from tests.judge.values import Arranged, Bag, Meld, Value, bag, members, truth

Groups = tuple[Bag, ...]  # for each part the bag of its groups, melds with or without a label


def is_of(value: Value, name: str, scene: Scene) -> bool:
    """Return whether a shape or an arrangement holds of a value (8.4)."""
    table = scene.table
    if isinstance(value, Arranged):
        return name == value.name or any(leaf.name == value.name for leaf in leaves(name, table))
    if table.arrangement(name) is not None:
        return arranged(members(value), name, scene)
    if isinstance(value, Meld) and value.label is not None:
        return value.label in (name, *joined(name, table))
    return holds(name, members(value), scene)


def joined(name: str, table: Table) -> list[str]:
    """Return the shapes that a union joins, directly or through others."""
    shape = table.shape(name)
    parts = () if shape is None else shape.union
    return [*parts, *(inner for part in parts for inner in joined(part, table))]


def holds(name: str, tiles: Bag, scene: Scene) -> bool:
    """Return whether a shape holds of tiles (8.1). A label that is no shape holds of no tiles."""
    shape = scene.table.shape(name)
    if shape is None:
        return False
    if shape.union:
        return True in [holds(part, tiles, scene) for part in shape.union]
    if len(tiles) != shape.size or shape.test is None:
        return False
    if not shape.names:
        return truth(evaluate(shape.test, scene.only({"it": tiles})))
    orders = dict.fromkeys(permutations(tiles.members))
    scenes = [scene.only(dict(zip(shape.names, order, strict=True))) for order in orders]
    return True in [truth(evaluate(shape.test, inner)) for inner in scenes]


def leaves(name: str, table: Table) -> list[ArrangementDecl]:
    """Return the arrangements with parts that an arrangement stands for, each once."""
    arrangement = table.arrangement(name)
    assert arrangement is not None
    if not arrangement.union:
        return [arrangement]
    found = [leaf for inner in arrangement.union for leaf in leaves(inner, table)]
    return list({leaf.name: leaf for leaf in found}.values())


def arranged(tiles: Bag, name: str, scene: Scene) -> bool:
    """Return whether an arrangement holds of tiles (8.3)."""
    return any(True for leaf in leaves(name, scene.table) for _ in cuts(leaf, tiles, Bag(), scene))


def lays_out(groups: Bag, tiles: Bag, name: str, scene: Scene) -> bool:
    """Return whether groups are the tiles, and the groups of one way to cut them (8.4).

    Only the tiles of the groups count, not their labels.
    """
    laid = bag(members(group) for group in groups)
    if bag(tile for group in groups for tile in members(group)) != tiles:
        return False
    return any(
        laid == bag(members(group) for part in cut for group in part)
        for leaf in leaves(name, scene.table)
        for cut in cuts(leaf, tiles, Bag(), scene)
    )


def cuts(arrangement: ArrangementDecl, tiles: Bag, fixed: Bag, scene: Scene) -> Iterator[Groups]:
    """Return every way to cut tiles into groups that, with all melds of `fixed`, are the parts (8.3, 8.5)."""
    found: dict[Groups, None] = {}
    for cut in _parts(arrangement.parts, tiles, fixed, scene):
        found[cut] = None
    yield from found


def _parts(parts: tuple[PartDecl, ...], tiles: Bag, fixed: Bag, scene: Scene) -> Iterator[Groups]:
    if not parts:
        if not tiles.members and not fixed.members:
            yield ()
        return
    part, *others = parts
    for groups, tiles_left, fixed_left in _groups(part, part.count, tiles, fixed, scene):
        as_tiles = [members(group) for group in groups]
        if part.different and len(set(as_tiles)) < len(as_tiles):
            continue
        for rest in _parts(tuple(others), tiles_left, fixed_left, scene):
            yield (bag(groups), *rest)


def _groups(
    part: PartDecl, count: int, tiles: Bag, fixed: Bag, scene: Scene
) -> Iterator[tuple[tuple[Meld, ...], Bag, Bag]]:
    """Return every choice of so many groups of a part, with the tiles and the fixed melds that are left."""
    if count == 0:
        yield (), tiles, fixed
        return
    for meld in fixed.kinds():
        assert isinstance(meld, Meld)
        if is_of(meld, part.shape, scene):
            for more, left, melds in _groups(part, count - 1, tiles, fixed.minus(bag([meld])), scene):
                yield (meld, *more), left, melds
    groups = [bag(c) for size in sizes(part.shape, scene.table) for c in combinations(tiles.members, size)]
    for group in dict.fromkeys(groups):
        if holds(part.shape, group, scene):
            for more, left, melds in _groups(part, count - 1, tiles.minus(group), fixed, scene):
                yield (Meld(group), *more), left, melds


def sizes(name: str, table: Table) -> list[int]:
    """Return how many tiles a shape can have."""
    shape = table.shape(name)
    if shape is None:
        return []
    if shape.union:
        return sorted({size for part in shape.union for size in sizes(part, table)})
    return [shape.size]
